// What Swift can't import of libpipewire: variadics, inline methods behind macros, and the building of PODs.
#pragma once
#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>
#include <spa/utils/result.h>

static inline struct pw_loop *kite_pw_loop_new(void) { return pw_loop_new(0); }
static inline void kite_pw_loop_enter(struct pw_loop *loop) { pw_loop_enter(loop); }
static inline void kite_pw_loop_leave(struct pw_loop *loop) { pw_loop_leave(loop); }
/// Handles what there is to be handled; waits at most `timeout` milliseconds for it (-1: for ever).
static inline int kite_pw_loop_iterate(struct pw_loop *loop, int timeout) { return pw_loop_iterate(loop, timeout); }
static inline void kite_pw_woken(void *data, int fd, uint32_t mask) {}
/// Makes the loop turn whenever `fd` is readable; it stays the caller's.
static inline struct spa_source *kite_pw_loop_watch(struct pw_loop *loop, int fd) {
  return pw_loop_add_io(loop, fd, SPA_IO_IN, false, kite_pw_woken, 0);
}
static inline void kite_pw_loop_destroy_source(struct pw_loop *loop, struct spa_source *source) {
  pw_loop_destroy_source(loop, source);
}
static inline void kite_pw_core_add_listener(
    struct pw_core *core, struct spa_hook *hook, const struct pw_core_events *events, void *data) {
  pw_core_add_listener(core, hook, events, data);
}

/// A connection to the daemon behind the socket `remote`, or the session's; null: there is none.
static inline struct pw_core *kite_pw_connect(struct pw_context *context, const char *remote) {
  struct pw_properties *properties = pw_properties_new(PW_KEY_APP_NAME, "Kite", (char *)0);
  if (properties && remote) pw_properties_set(properties, PW_KEY_REMOTE_NAME, remote);
  return pw_context_connect(context, properties, 0);
}

/// A stream of media in `direction`, not connected yet; null: no memory. `target` is a node's name or serial, or null.
static inline struct pw_stream *kite_pw_stream_new(
    struct pw_core *core, const char *name, int is_capture, const char *target) {
  struct pw_properties *properties = pw_properties_new(
      PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, is_capture ? "Capture" : "Playback",
      PW_KEY_MEDIA_ROLE, "Movie", (char *)0);
  if (!properties) return 0;
  if (target) pw_properties_set(properties, "target.object", target);
  if (is_capture) pw_properties_set(properties, PW_KEY_STREAM_CAPTURE_SINK, "true");
  return pw_stream_new(core, name, properties);
}

/// Connects for interleaved 32-bit floats. `inactive`: it begins when it is set active.
static inline int kite_pw_stream_connect(
    struct pw_stream *stream, int is_capture, uint32_t rate, uint32_t channels, int inactive) {
  static const uint32_t stereo[2] = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR};
  static const uint32_t surround[8] = {
      SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
      SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR, SPA_AUDIO_CHANNEL_SL, SPA_AUDIO_CHANNEL_SR};
  struct spa_audio_info_raw info = {0};
  info.format = SPA_AUDIO_FORMAT_F32;
  info.rate = rate;
  info.channels = channels;
  if (channels == 1) info.position[0] = SPA_AUDIO_CHANNEL_MONO;
  else if (channels == 2) memcpy(info.position, stereo, sizeof(stereo));
  else if (channels <= 8) memcpy(info.position, surround, channels * sizeof(uint32_t));
  uint8_t memory[1024];
  struct spa_pod_builder builder = {0};
  builder.data = memory;
  builder.size = sizeof(memory);
  const struct spa_pod *parameters[1] = {spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info)};
  enum pw_stream_flags flags = (enum pw_stream_flags)(
      PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS |
      (inactive ? PW_STREAM_FLAG_INACTIVE : 0));
  return pw_stream_connect(
      stream, is_capture ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT, PW_ID_ANY, flags, parameters, 1);
}

/// The memory of a buffer's only plane: its start and its size in bytes; null: none is mapped.
static inline float *kite_pw_buffer_data(struct pw_buffer *buffer, uint32_t *size) {
  struct spa_data *data = &buffer->buffer->datas[0];
  *size = data->maxsize;
  return (float *)data->data;
}
/// How many frames the graph wants; 0 where it doesn't say.
static inline uint64_t kite_pw_buffer_requested(const struct pw_buffer *buffer) { return buffer->requested; }
static inline void kite_pw_buffer_set_size(struct pw_buffer *buffer, uint32_t bytes, uint32_t stride) {
  struct spa_chunk *chunk = buffer->buffer->datas[0].chunk;
  chunk->offset = 0;
  chunk->stride = (int32_t)stride;
  chunk->size = bytes;
  // What is queued is counted in frames, so that the time of what is queued next is known.
  buffer->size = stride ? bytes / stride : 0;
}
/// What was captured: its first sample and its bytes.
static inline const float *kite_pw_buffer_captured(struct pw_buffer *buffer, uint32_t *bytes) {
  struct spa_data *data = &buffer->buffer->datas[0];
  *bytes = data->chunk->size;
  return data->data ? (const float *)((const char *)data->data + data->chunk->offset) : 0;
}

/// When the first sample of a buffer that is queued now is heard, in nanoseconds of CLOCK_MONOTONIC; 0: not known.
static inline int64_t kite_pw_stream_heard_at(struct pw_stream *stream, uint32_t rate) {
  struct pw_time time = {0};
#if PW_CHECK_VERSION(0, 3, 50)
  if (pw_stream_get_time_n(stream, &time, sizeof(time)) < 0) return 0;
#else
  if (pw_stream_get_time(stream, &time) < 0) return 0;
#endif
  if (time.now <= 0 || time.rate.denom == 0 || rate == 0) return 0;
  int64_t delay = time.delay * 1000000000 / time.rate.denom * time.rate.num;
  return time.now + delay + (int64_t)(time.buffered + time.queued) * 1000000000 / rate;
}
/// When the first sample of what was captured last came in at the device, likewise.
static inline int64_t kite_pw_stream_captured_at(struct pw_stream *stream) {
  struct pw_time time = {0};
  if (pw_stream_get_time_n(stream, &time, sizeof(time)) < 0) return 0;
  if (time.now <= 0 || time.rate.denom == 0) return 0;
  return time.now - time.delay * 1000000000 / time.rate.denom * time.rate.num;
}
