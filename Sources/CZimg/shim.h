#pragma once
#include <zimg.h>

// One side of a zimg graph, as plain numbers: the library's structs hold version words that are macros.
struct kite_zimg_side {
  int width, height, depth, shift_x, shift_y, is_rgb, is_gray, matrix, is_full;
};

static inline zimg_image_format kite_zimg_format(const struct kite_zimg_side *side) {
  zimg_image_format format;
  zimg_image_format_default(&format, ZIMG_API_VERSION);
  format.width = (unsigned)side->width;
  format.height = (unsigned)side->height;
  format.pixel_type = side->depth > 8 ? ZIMG_PIXEL_WORD : ZIMG_PIXEL_BYTE;
  format.depth = (unsigned)side->depth;
  format.subsample_w = (unsigned)side->shift_x;
  format.subsample_h = (unsigned)side->shift_y;
  format.color_family = side->is_rgb ? ZIMG_COLOR_RGB : side->is_gray ? ZIMG_COLOR_GREY : ZIMG_COLOR_YUV;
  format.matrix_coefficients = (zimg_matrix_coefficients_e)side->matrix;
  format.pixel_range = side->is_full ? ZIMG_RANGE_FULL : ZIMG_RANGE_LIMITED;
  format.chroma_location = ZIMG_CHROMA_LEFT;
  return format;
}

// A graph that scales by bicubic and converts; NULL where zimg can't. Freed by zimg_filter_graph_free.
static inline zimg_filter_graph *kite_zimg_build(
    const struct kite_zimg_side *from, const struct kite_zimg_side *to, int wide_vectors) {
  zimg_image_format source = kite_zimg_format(from), target = kite_zimg_format(to);
  zimg_graph_builder_params params;
  zimg_graph_builder_params_default(&params, ZIMG_API_VERSION);
  params.cpu_type = wide_vectors ? ZIMG_CPU_AUTO_64B : ZIMG_CPU_AUTO;
  params.resample_filter = ZIMG_RESIZE_BICUBIC;
  params.resample_filter_uv = ZIMG_RESIZE_BICUBIC;
  params.allow_approximate_gamma = 1;
  return zimg_filter_graph_build(&source, &target, &params);
}

// Runs the graph over whole planes; planes that a side does not have are NULL.
static inline int kite_zimg_process(
    const zimg_filter_graph *graph, const void *const *source, const long *source_strides, void *const *target,
    const long *target_strides, void *memory) {
  zimg_image_buffer_const from = {ZIMG_API_VERSION};
  zimg_image_buffer to = {ZIMG_API_VERSION};
  for (int i = 0; i < 3; i++) {
    from.plane[i].data = source[i];
    from.plane[i].stride = source_strides[i];
    from.plane[i].mask = ZIMG_BUFFER_MAX;
    to.plane[i].data = target[i];
    to.plane[i].stride = target_strides[i];
    to.plane[i].mask = ZIMG_BUFFER_MAX;
  }
  return zimg_filter_graph_process(graph, &from, &to, memory, 0, 0, 0, 0);
}
