// What Swift can't import of FFmpeg: macros with casts, arrays inside structs, and the fields and functions that changed
// between FFmpeg 5.1 (the floor) and later ones.
#pragma once
#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/buffer.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/frame.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_drm.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <stdbool.h>
#include <stddef.h>

// Errors.
static const int kite_error_eof = AVERROR_EOF;
static const int kite_error_exit = AVERROR_EXIT;
static const int kite_error_invalid_data = AVERROR_INVALIDDATA;
static const int kite_error_again = AVERROR(EAGAIN);
static const int kite_error_io = AVERROR(EIO);
static const int kite_error_no_memory = AVERROR(ENOMEM);
static const int kite_error_no_entry = AVERROR(ENOENT);
static const int kite_error_no_access = AVERROR(EACCES);
static const int kite_error_not_permitted = AVERROR(EPERM);
static const int kite_error_seek = AVERROR(ESPIPE);
static const int kite_error_invalid = AVERROR(EINVAL);
static const int kite_error_timed_out = AVERROR(ETIMEDOUT);
static const int kite_error_refused = AVERROR(ECONNREFUSED);
static const int kite_error_no_size = AVERROR(ENOSYS);
static const int kite_error_no_decoder = AVERROR_DECODER_NOT_FOUND;
static const int kite_error_no_demuxer = AVERROR_DEMUXER_NOT_FOUND;
static const int kite_error_no_protocol = AVERROR_PROTOCOL_NOT_FOUND;
static const int kite_error_patch_welcome = AVERROR_PATCHWELCOME;
static const int kite_error_http_bad_request = AVERROR_HTTP_BAD_REQUEST;
static const int kite_error_http_not_found = AVERROR_HTTP_NOT_FOUND;
static const int kite_error_http_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int kite_error_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int kite_error_http_other_4xx = AVERROR_HTTP_OTHER_4XX;
static const int kite_error_http_server = AVERROR_HTTP_SERVER_ERROR;
/// AVERROR(code) of an errno.
static inline int kite_error_from_errno(int code) { return AVERROR(code); }

// Numbers.
static const int64_t kite_no_pts = AV_NOPTS_VALUE;
static const int kite_seek_size = AVSEEK_SIZE;
static const int kite_seek_force = AVSEEK_FORCE;
static const int kite_flag_custom_io = AVFMT_FLAG_CUSTOM_IO;
static const int kite_disposition_default = AV_DISPOSITION_DEFAULT;
static const int kite_disposition_forced = AV_DISPOSITION_FORCED;
static const int kite_disposition_attached_picture = AV_DISPOSITION_ATTACHED_PIC;
static const int kite_codec_property_text_subtitles = AV_CODEC_PROP_TEXT_SUB;
static const int kite_capability_dr1 = AV_CODEC_CAP_DR1;
static const int kite_capability_frame_threads = AV_CODEC_CAP_FRAME_THREADS;
static const int kite_capability_hardware = AV_CODEC_CAP_HARDWARE;
static const int kite_pixfmt_flag_hwaccel = AV_PIX_FMT_FLAG_HWACCEL;
static const int kite_pixfmt_flag_rgb = AV_PIX_FMT_FLAG_RGB;
static const int kite_pixfmt_flag_palette = AV_PIX_FMT_FLAG_PAL;
static const int kite_pixfmt_flag_bayer = AV_PIX_FMT_FLAG_BAYER;
static const int kite_packet_flag_key = AV_PKT_FLAG_KEY;
static const int kite_packet_flag_corrupt = AV_PKT_FLAG_CORRUPT;

// Streams. Side data moved from the stream to its parameters in libavformat 60.15.
static inline AVStream *kite_stream(const AVFormatContext *context, int index) { return context->streams[index]; }

/// The nine numbers of the stream's display matrix, or null.
static inline const int32_t *kite_stream_display_matrix(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  return data && data->size >= 36 ? (const int32_t *)data->data : 0;
#else
  size_t size = 0;
  const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return data && size >= 36 ? (const int32_t *)data : 0;
#endif
}

static inline int kite_channel_count(const AVCodecParameters *parameters) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
  return parameters->ch_layout.nb_channels;
#else
  return parameters->channels;
#endif
}

// Frames.
static inline uint8_t *kite_frame_data(const AVFrame *frame, int plane) { return frame->data[plane]; }
static inline int kite_frame_linesize(const AVFrame *frame, int plane) { return frame->linesize[plane]; }
static inline AVBufferRef *kite_frame_buffer(const AVFrame *frame, int index) { return frame->buf[index]; }
static inline void kite_frame_set_plane(AVFrame *frame, int plane, uint8_t *data, int linesize) {
  frame->data[plane] = data;
  frame->linesize[plane] = linesize;
}
/// Makes `buffer` the frame's only one; the frame owns the reference from then on.
static inline void kite_frame_set_buffer(AVFrame *frame, AVBufferRef *buffer) {
  frame->buf[0] = buffer;
  frame->extended_data = frame->data;
}
/// Duration in units of the time base; 0 when unknown. The field was renamed in libavutil 57.30.
static inline int64_t kite_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}
static inline const int32_t *kite_frame_display_matrix(const AVFrame *frame) {
  const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
  return data && data->size >= 36 ? (const int32_t *)data->data : 0;
}
static inline size_t kite_frame_crop(const AVFrame *frame, int edge) {
  switch (edge) {
    case 0: return frame->crop_left;
    case 1: return frame->crop_top;
    case 2: return frame->crop_right;
    default: return frame->crop_bottom;
  }
}

// Decoders.
/// Up to libavcodec 59 frame threads called get_buffer2 through the user's thread unless told that it is thread-safe.
static inline void kite_codec_allow_threaded_callbacks(AVCodecContext *context) {
#if LIBAVCODEC_VERSION_MAJOR < 60
  context->thread_safe_callbacks = 1;
#else
  (void)context;
#endif
}
/// Sets an integer option of the codec itself where it has it.
static inline void kite_codec_set_private(AVCodecContext *context, const char *name, int64_t value) {
  if (context->priv_data) av_opt_set_int(context->priv_data, name, value, 0);
}

// Hardware.
static const int kite_hwconfig_device = AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX;
static const int kite_hwconfig_internal = AV_CODEC_HW_CONFIG_METHOD_INTERNAL;
/// Reading alone, and without a copy: where a mapping would have to copy it fails.
static const int kite_hwframe_map_direct_read = AV_HWFRAME_MAP_READ | AV_HWFRAME_MAP_DIRECT;

/// The format of the pixels of a frame that a device holds; AV_PIX_FMT_NONE for one that none does.
static inline enum AVPixelFormat kite_frame_device_format(const AVFrame *frame) {
  if (!frame->hw_frames_ctx) return AV_PIX_FMT_NONE;
  return ((const AVHWFramesContext *)frame->hw_frames_ctx->data)->sw_format;
}
/// The description behind a frame of AV_PIX_FMT_DRM_PRIME, or null.
static inline const AVDRMFrameDescriptor *kite_frame_drm(const AVFrame *frame) {
  return frame->format == AV_PIX_FMT_DRM_PRIME ? (const AVDRMFrameDescriptor *)frame->data[0] : 0;
}
static inline const AVDRMObjectDescriptor *kite_drm_object(const AVDRMFrameDescriptor *frame, int index) {
  return index >= 0 && index < frame->nb_objects && index < AV_DRM_MAX_PLANES ? &frame->objects[index] : 0;
}
static inline const AVDRMLayerDescriptor *kite_drm_layer(const AVDRMFrameDescriptor *frame, int index) {
  return index >= 0 && index < frame->nb_layers && index < AV_DRM_MAX_PLANES ? &frame->layers[index] : 0;
}
static inline const AVDRMPlaneDescriptor *kite_drm_plane(const AVDRMLayerDescriptor *layer, int index) {
  return index >= 0 && index < layer->nb_planes && index < AV_DRM_MAX_PLANES ? &layer->planes[index] : 0;
}

// Conversion.
/// Same colours in and out: what is YUV keeps its matrix and range.
static inline int kite_sws_keep_colors(struct SwsContext *context, int colorspace, int full_range) {
  const int *table = sws_getCoefficients(colorspace);
  return sws_setColorspaceDetails(context, table, full_range, table, full_range, 0, 1 << 16, 1 << 16);
}

// Log.
/// One line of the log, without its newline; returns its length.
static inline int kite_log_line(void *source, int level, const char *format, va_list arguments, char *line, int size) {
  int prefix = 0;
  if (size <= 0) return 0;
  av_log_format_line2(source, level, format, arguments, line, size, &prefix);
  int length = 0;
  while (line[length] && line[length] != '\n') length++;
  line[length] = 0;
  return length;
}

/// Who logs, such as "h264"; never null.
static inline const char *kite_log_name(void *source) {
  const AVClass *class = source ? *(const AVClass **)source : 0;
  const char *name = class && class->item_name ? class->item_name(source) : 0;
  return name ? name : "ffmpeg";
}

/// The whole of `from` into the memory of `to`.
static inline int kite_sws_convert(struct SwsContext *context, const AVFrame *from, AVFrame *to) {
  return sws_scale(context, (const uint8_t *const *)from->data, from->linesize, 0, from->height, to->data, to->linesize);
}

// Sound.
/// Converts the frame, or what is left inside (null), into at most `capacity` interleaved frames at `out`.
static inline int kite_swr_convert(struct SwrContext *context, float *out, int capacity, const AVFrame *frame) {
  uint8_t *planes[1] = {(uint8_t *)out};
  return swr_convert(context, planes, capacity, frame ? (const uint8_t **)frame->extended_data : 0,
                     frame ? frame->nb_samples : 0);
}
/// A converter of the frame's samples to interleaved floats in the usual order of `channels`; null: not possible.
static inline struct SwrContext *kite_swr_for_frame(const AVFrame *frame, int channels, int rate) {
  struct SwrContext *context = 0;
  AVChannelLayout in = {0}, out = {0};
  av_channel_layout_default(&out, channels);
  if (frame->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_default(&in, frame->ch_layout.nb_channels);
  else if (av_channel_layout_copy(&in, &frame->ch_layout) < 0) return 0;
  if (swr_alloc_set_opts2(&context, &out, AV_SAMPLE_FMT_FLT, rate, &in, (enum AVSampleFormat)frame->format,
                          frame->sample_rate, 0, 0) < 0 || swr_init(context) < 0)
    swr_free(&context);
  av_channel_layout_uninit(&in);
  av_channel_layout_uninit(&out);
  return context;
}
/// Makes `frame` one of `count` interleaved frames of `channels` floats, with memory of its own.
static inline int kite_frame_make_audio(AVFrame *frame, int channels, int rate, int count) {
  frame->format = AV_SAMPLE_FMT_FLT;
  frame->sample_rate = rate;
  frame->nb_samples = count;
  av_channel_layout_default(&frame->ch_layout, channels);
  return av_frame_get_buffer(frame, 0);
}
/// Identifies how the frame's samples are laid out: what a converter was made for.
static inline int kite_frame_has_layout(const AVFrame *frame, int format, int rate, const AVChannelLayout *layout) {
  return frame->format == format && frame->sample_rate == rate &&
         av_channel_layout_compare(&frame->ch_layout, layout) == 0;
}

// libavfilter, loaded when sound is first played at another speed: linked, it would bring 31 libraries to every start of
// the program, some 40 ms and 10 MB before the first picture.

/// The functions of libavfilter that are used.
#define KITE_AVFILTER(F) \
  F(avfilter_graph_alloc) F(avfilter_graph_free) F(avfilter_graph_create_filter) F(avfilter_graph_config) \
  F(avfilter_get_by_name) F(avfilter_link) F(av_buffersrc_add_frame) F(av_buffersink_get_frame)

/// libavfilter as a table.
struct kite_avfilter {
#define KITE_FIELD(name) __typeof__(&name) name;
  KITE_AVFILTER(KITE_FIELD)
#undef KITE_FIELD
};

#define KITE_TEXT(x) #x
#define KITE_LIBRARY(name, major) "lib" name ".so." KITE_TEXT(major)

/// Loads the libavfilter that belongs to the headers; false where it is not installed.
static inline bool kite_load_avfilter(struct kite_avfilter *table) {
  void *library = dlopen(
      KITE_LIBRARY("avfilter", LIBAVFILTER_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return false;
#define KITE_LOAD(name) \
  if (!(table->name = (__typeof__(&name))dlsym(library, #name))) return false;
  KITE_AVFILTER(KITE_LOAD)
#undef KITE_LOAD
  return true;
}
