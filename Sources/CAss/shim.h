// libass, loaded when text is first to be drawn: with its fonts' libraries it would cost every start of the program
// milliseconds and memory, and a film without subtitles needs none of it.
#pragma once
// Without _GNU_SOURCE, as Swift reads glibc: its types must be the same on both sides.
#include <ass/ass.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/// The functions of libass that are used, without their prefix. The oldest is 0.15, which has ass_set_check_readorder.
#define KITE_ASS(F) \
  F(library_init) F(library_done) F(set_message_cb) F(add_font) F(renderer_init) F(renderer_done) \
  F(set_frame_size) F(set_storage_size) F(set_margins) F(set_use_margins) F(set_fonts) F(set_cache_limits) \
  F(new_track) F(free_track) F(process_codec_private) F(process_chunk) F(flush_events) F(set_check_readorder) \
  F(render_frame)

/// libass as a table.
struct kite_ass {
#define KITE_FIELD(name) __typeof__(&ass_##name) name;
  KITE_ASS(KITE_FIELD)
#undef KITE_FIELD
};

/// Loads libass; false where it is not installed.
static inline bool kite_load_ass(struct kite_ass *table) {
  void *library = dlopen("libass.so.9", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return false;
#define KITE_LOAD(name) \
  if (!(table->name = (__typeof__(&ass_##name))dlsym(library, "ass_" #name))) return false;
  KITE_ASS(KITE_LOAD)
#undef KITE_LOAD
  return true;
}

static inline void kite_ass_drop_message(int level, const char *format, va_list arguments, void *data) {
  (void)level, (void)format, (void)arguments, (void)data;
}
/// Keeps libass from writing to standard error.
static inline void kite_ass_silence(const struct kite_ass *table, ASS_Library *library) {
  table->set_message_cb(library, kite_ass_drop_message, NULL);
}
