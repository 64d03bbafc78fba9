// What Swift can't import of glibc and the kernel: feature-gated functions, macros with casts, the private
// entry points of libdispatch's main queue.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/// memfd_create(2) with MFD_CLOEXEC and MFD_ALLOW_SEALING; -1 and errno on failure.
static inline int kite_memfd_create(const char *name) {
  return (int)syscall(SYS_memfd_create, name, 0x0001u | 0x0002u);
}

/// F_SEAL_SHRINK: the reader never meets SIGBUS. F_SEAL_SEAL: nobody changes that later.
static inline int kite_seal_against_shrinking(int fd) { return fcntl(fd, 1024 + 9, 0x0001 | 0x0002); }

/// Whether the file carries F_SEAL_SHRINK.
static inline int kite_is_sealed_against_shrinking(int fd) { return (fcntl(fd, 1024 + 10) & 0x0002) != 0; }

/// ioctl(2), whose number of arguments varies.
static inline int kite_ioctl(int fd, unsigned long request, void *argument) { return ioctl(fd, request, argument); }

/// UDMABUF_CREATE: a dmabuf over the whole pages [0, size) of a memfd; -1 and errno on failure.
static inline int kite_udmabuf_create(int device, int memfd, uint64_t size) {
  struct udmabuf_create arguments = {(uint32_t)memfd, UDMABUF_FLAGS_CLOEXEC, 0, size};
  return ioctl(device, UDMABUF_CREATE, &arguments);
}

/// DMA_HEAP_IOCTL_ALLOC: a dmabuf of a heap's memory; -1 and errno on failure.
static inline int kite_dma_heap_allocate(int heap, uint64_t size) {
  struct dma_heap_allocation_data arguments = {size, 0, O_RDWR | O_CLOEXEC, 0};
  return ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &arguments) == 0 ? (int)arguments.fd : -1;
}

/// DMA_BUF_IOCTL_SYNC; -1 and errno on failure.
static inline int kite_dmabuf_sync(int fd, int begins, int writes) {
  struct dma_buf_sync arguments = {
    (begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END) | (writes ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ)};
  return ioctl(fd, DMA_BUF_IOCTL_SYNC, &arguments);
}

/// DMA_BUF_IOCTL_EXPORT_SYNC_FILE (Linux 6.0): a descriptor that becomes readable when every device is done with the
/// memory as it stands; -1 and errno on failure.
static inline int kite_dmabuf_export_fences(int fd) {
#ifdef DMA_BUF_IOCTL_EXPORT_SYNC_FILE
  struct dma_buf_export_sync_file arguments = {DMA_BUF_SYNC_RW, -1};
  return ioctl(fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &arguments) == 0 ? arguments.fd : -1;
#else
  errno = ENOTTY;
  return -1;
#endif
}

/// DMA_BUF_IOCTL_EXPORT_SYNC_FILE (Linux 6.0) with the writers alone: a descriptor that becomes readable when the memory
/// may be read; -1 and errno on failure.
static inline int kite_dmabuf_export_writes(int fd) {
#ifdef DMA_BUF_IOCTL_EXPORT_SYNC_FILE
  struct dma_buf_export_sync_file arguments = {DMA_BUF_SYNC_READ, -1};
  return ioctl(fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &arguments) == 0 ? arguments.fd : -1;
#else
  errno = ENOTTY;
  return -1;
#endif
}

// The DRM's synchronization objects. Their header belongs to libdrm or is newer than the oldest supported system's: the
// structures are those of the kernel's interface, where fields are only ever added at the end.

/// An ioctl of a DRM device, begun again where a signal interrupted it; -1 and errno on failure.
static inline int kite_drm_ioctl(int fd, unsigned long request, void *argument) {
  int result;
  do result = ioctl(fd, request, argument);
  while (result == -1 && (errno == EINTR || errno == EAGAIN));
  return result;
}

/// DRM_CAP_SYNCOBJ_TIMELINE: whether the device has timelines.
static inline int kite_drm_has_timelines(int fd) {
  struct { uint64_t capability, value; } arguments = {0x14, 0};
  return kite_drm_ioctl(fd, _IOWR('d', 0x0C, arguments), &arguments) == 0 && arguments.value != 0;
}

/// DRM_IOCTL_SYNCOBJ_CREATE; 0 on failure, with errno.
static inline uint32_t kite_syncobj_create(int fd) {
  struct { uint32_t handle, flags; } arguments = {0, 0};
  return kite_drm_ioctl(fd, _IOWR('d', 0xBF, arguments), &arguments) == 0 ? arguments.handle : 0;
}

/// DRM_IOCTL_SYNCOBJ_DESTROY.
static inline void kite_syncobj_destroy(int fd, uint32_t handle) {
  struct { uint32_t handle, pad; } arguments = {handle, 0};
  kite_drm_ioctl(fd, _IOWR('d', 0xC0, arguments), &arguments);
}

/// DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD: a descriptor by which another process finds the object; -1 and errno on failure.
static inline int kite_syncobj_export(int fd, uint32_t handle) {
  struct { uint32_t handle, flags; int32_t fd; uint32_t pad; } arguments = {handle, 0, -1, 0};
  return kite_drm_ioctl(fd, _IOWR('d', 0xC1, arguments), &arguments) == 0 ? arguments.fd : -1;
}

/// DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL; -1 and errno on failure.
static inline int kite_syncobj_signal(int fd, uint32_t handle, uint64_t point) {
  struct { uint64_t handles, points; uint32_t count, flags; } arguments = {
    (uint64_t)(uintptr_t)&handle, (uint64_t)(uintptr_t)&point, 1, 0};
  return kite_drm_ioctl(fd, _IOWR('d', 0xCD, arguments), &arguments);
}

/// Makes a point of a timeline signal when the fences of a sync file do (DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, then
/// DRM_IOCTL_SYNCOBJ_TRANSFER); -1 and errno on failure.
static inline int kite_syncobj_import_fences(int fd, uint32_t handle, uint64_t point, int sync_file) {
  uint32_t binary = kite_syncobj_create(fd);
  if (!binary) return -1;
  struct { uint32_t handle, flags; int32_t fd; uint32_t pad; } import = {binary, 1, sync_file, 0};
  int result = kite_drm_ioctl(fd, _IOWR('d', 0xC2, import), &import);
  if (result == 0) {
    struct { uint32_t source, target; uint64_t source_point, target_point; uint32_t flags, pad; } transfer = {
      binary, handle, 0, point, 0, 0};
    result = kite_drm_ioctl(fd, _IOWR('d', 0xCC, transfer), &transfer);
  }
  int reason = errno;
  kite_syncobj_destroy(fd, binary);
  errno = reason;
  return result;
}

/// DRM_IOCTL_SYNCOBJ_EVENTFD (Linux 6.6): an eventfd is written to when a point signals; -1 and errno on failure.
static inline int kite_syncobj_notify(int fd, uint32_t handle, uint64_t point, int event) {
  struct { uint32_t handle, flags; uint64_t point; int32_t fd; uint32_t pad; } arguments = {
    handle, 0, point, event, 0};
  return kite_drm_ioctl(fd, _IOWR('d', 0xCF, arguments), &arguments);
}

static inline int kite_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline int kite_timerfd(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

/// Arms a timerfd for an absolute CLOCK_MONOTONIC time in nanoseconds; 0 disarms it.
static inline int kite_timerfd_arm(int fd, int64_t ns) {
  struct itimerspec spec = {{0, 0}, {ns / 1000000000, ns % 1000000000}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, 0);
}

/// ppoll(2) with a time-out in nanoseconds; negative waits for ever.
static inline int kite_ppoll(struct pollfd *fds, unsigned long count, int64_t timeout_ns) {
  struct timespec t = {timeout_ns / 1000000000, timeout_ns % 1000000000};
  return ppoll(fds, count, timeout_ns < 0 ? 0 : &t, 0);
}

static inline int64_t kite_clock_ns(int clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// Names the calling thread; at most 15 bytes are kept.
static inline void kite_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/// The calling thread's name, into 16 bytes.
static inline void kite_thread_name(char *name) { prctl(PR_GET_NAME, name, 0, 0, 0); }

/// ThreadSanitizer's own functions, where a program is built with it: they tell it of a lock that it can't see.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));
static inline void kite_tsan_acquire(const void *address) {
  if (__tsan_acquire) __tsan_acquire((void *)address);
}
static inline void kite_tsan_release(const void *address) {
  if (__tsan_release) __tsan_release((void *)address);
}

static inline int kite_gettid(void) { return (int)syscall(SYS_gettid); }

/// libdispatch's hooks for a run loop that drains the main queue itself (CoreFoundation uses the same two).
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *msg);
