// Preloaded into a compositor in the guest, so that Mesa's software renderer behaves there as a device's driver would.
//
// - GBM of a software renderer imports no planar buffers; a driver's does, for scan-out. Here they go straight to DRM.
// - EGL of a software renderer names no device, without which Weston offers linux-dmabuf without feedback: KITE_SOFT_GPU
//   names one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <gbm.h>
#include <xf86drm.h>

// What stands for a gbm_bo that GBM knows nothing of; told by its first word.
static const uint64_t mark = 0x4b495445504c414eull;
struct planar {
  uint64_t mark;
  struct gbm_device *device;
  struct gbm_import_fd_modifier_data data;
  uint32_t handles[GBM_MAX_PLANES];
};

static struct planar *planar(struct gbm_bo *bo) {
  uint64_t word;
  if (!bo) return NULL;
  memcpy(&word, bo, sizeof word);
  return word == mark ? (struct planar *)bo : NULL;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

struct gbm_bo *gbm_bo_import(struct gbm_device *device, uint32_t type, void *buffer, uint32_t usage) {
  struct gbm_import_fd_modifier_data *data = buffer;
  if (type != GBM_BO_IMPORT_FD_MODIFIER || data->num_fds < 2)
    return NEXT(gbm_bo_import)(device, type, buffer, usage);
  struct planar *bo = calloc(1, sizeof *bo);
  if (!bo) return NULL;
  bo->mark = mark;
  bo->device = device;
  bo->data = *data;
  for (unsigned i = 0; i < data->num_fds; i++)
    if (drmPrimeFDToHandle(gbm_device_get_fd(device), data->fds[i], &bo->handles[i])) return free(bo), NULL;
  return (struct gbm_bo *)bo;
}

// The handles stay: EGL may have the same ones.
void gbm_bo_destroy(struct gbm_bo *bo) {
  if (planar(bo)) free(bo);
  else NEXT(gbm_bo_destroy)(bo);
}

union gbm_bo_handle gbm_bo_get_handle_for_plane(struct gbm_bo *bo, int plane) {
  if (!planar(bo)) return NEXT(gbm_bo_get_handle_for_plane)(bo, plane);
  return (union gbm_bo_handle){.u32 = planar(bo)->handles[plane]};
}

uint32_t gbm_bo_get_stride_for_plane(struct gbm_bo *bo, int plane) {
  return planar(bo) ? (uint32_t)planar(bo)->data.strides[plane] : NEXT(gbm_bo_get_stride_for_plane)(bo, plane);
}

uint32_t gbm_bo_get_offset(struct gbm_bo *bo, int plane) {
  return planar(bo) ? (uint32_t)planar(bo)->data.offsets[plane] : NEXT(gbm_bo_get_offset)(bo, plane);
}

struct gbm_device *gbm_bo_get_device(struct gbm_bo *bo) {
  return planar(bo) ? planar(bo)->device : NEXT(gbm_bo_get_device)(bo);
}

#define FIELD(type, function, value)                                                                             \
  type function(struct gbm_bo *bo) { return planar(bo) ? (type)planar(bo)->value : NEXT(function)(bo); }
FIELD(int, gbm_bo_get_plane_count, data.num_fds)
FIELD(uint64_t, gbm_bo_get_modifier, data.modifier)
FIELD(uint32_t, gbm_bo_get_format, data.format)
FIELD(uint32_t, gbm_bo_get_width, data.width)
FIELD(uint32_t, gbm_bo_get_height, data.height)

static const char *query_device(EGLDeviceEXT device, EGLint name) {
  (void)device;
  if (name == EGL_EXTENSIONS) return "EGL_EXT_device_drm";
  return name == EGL_DRM_DEVICE_FILE_EXT ? getenv("KITE_SOFT_GPU") : NULL;
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name) {
  if (getenv("KITE_SOFT_GPU") && !strcmp(name, "eglQueryDeviceStringEXT"))
    return (__eglMustCastToProperFunctionPointerType)query_device;
  return NEXT(eglGetProcAddress)(name);
}
