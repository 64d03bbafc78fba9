#pragma once
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>
#include <libyuv.h>
#include <libyuv/row.h>

// Fills the matrix that libyuv's …Matrix functions take. `out` is aligned to 32 bytes: the kernels load it so.
//
// In 1/64 of an output level: B = yg·Y + yb + ub·(U−128), G = yg·Y + yb − ug·(U−128) − vg·(V−128),
// R = yg·Y + yb + vr·(V−128), where yg counts in 1/65536 of a Y that is spread over 16 bits.
static inline void kite_yuv_constants(
    struct YuvConstants *out, int yg, int yb, int ub, int ug, int vg, int vr) {
#if defined(__aarch64__) || defined(__arm__)
  struct YuvConstants zero = {0};
  *out = zero;
  out->kUVCoeff[0] = (uint8_t)ub;
  out->kUVCoeff[1] = (uint8_t)vr;
  out->kUVCoeff[2] = (uint8_t)ug;
  out->kUVCoeff[3] = (uint8_t)vg;
  out->kRGBCoeffBias[0] = (int16_t)yg;
  out->kRGBCoeffBias[1] = (int16_t)(ub * 128 - yb);
  out->kRGBCoeffBias[2] = (int16_t)(ug * 128 + vg * 128 + yb);
  out->kRGBCoeffBias[3] = (int16_t)(vr * 128 - yb);
  out->kRGBCoeffBias[4] = (int16_t)yb;
#else
  for (int i = 0; i < 32; i += 2) {
    out->kUVToB[i] = (uint8_t)ub;
    out->kUVToB[i + 1] = 0;
    out->kUVToG[i] = (uint8_t)ug;
    out->kUVToG[i + 1] = (uint8_t)vg;
    out->kUVToR[i] = 0;
    out->kUVToR[i + 1] = (uint8_t)vr;
  }
  for (int i = 0; i < 16; i++) {
    out->kYToRgb[i] = (int16_t)yg;
    out->kYBiasToRgb[i] = (int16_t)yb;
  }
#endif
}

// libyuv's own tables, for measuring beside ours: 601, 709, 2020 of limited range, then the same of full range. Swift must
// not take the address of an imported global.
static inline const struct YuvConstants *kite_yuv_library_constants(int index) {
  switch (index) {
  case 0: return &kYuvI601Constants;
  case 1: return &kYuvH709Constants;
  case 2: return &kYuv2020Constants;
  case 3: return &kYuvJPEGConstants;
  case 4: return &kYuvF709Constants;
  default: return &kYuvV2020Constants;
  }
}
