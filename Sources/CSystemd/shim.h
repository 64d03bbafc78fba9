// sd-bus, loaded when a bus is first needed: linking libsystemd would cost every start of the program 2 ms before its first
// picture, and a system without it could not run it at all.
#pragma once
// Without _GNU_SOURCE, as Swift reads glibc: its types must be the same on both sides.
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <systemd/sd-bus.h>

// The anonymous enums of message types.
static const uint8_t kite_bus_method_call = SD_BUS_MESSAGE_METHOD_CALL;

/// The functions of sd-bus that are used, without their prefix.
#define KITE_SD_BUS(F) \
  F(new) F(open_user) F(set_address) F(set_bus_client) F(start) F(close) F(unref) F(is_ready) F(get_unique_name) \
  F(get_fd) F(get_events) F(get_timeout) F(process) F(send) F(call_async) F(add_filter) F(add_match_async) \
  F(slot_set_destroy_callback) F(slot_set_floating) F(slot_unref) \
  F(message_ref) F(message_unref) F(message_get_type) F(message_get_sender) F(message_get_path) \
  F(message_get_interface) F(message_get_member) F(message_get_signature) F(message_get_error) \
  F(message_get_expect_reply) F(message_set_auto_start) \
  F(message_new_method_call) F(message_new_signal) F(message_new_method_return) F(message_new_method_error) \
  F(message_append_basic) F(message_open_container) F(message_close_container) \
  F(message_rewind) F(message_at_end) F(message_peek_type) F(message_read_basic) F(message_enter_container) \
  F(message_exit_container) F(error_set) F(error_free)

/// sd-bus as a table.
struct kite_sd_bus {
#define KITE_FIELD(name) __typeof__(&sd_bus_##name) name;
  KITE_SD_BUS(KITE_FIELD)
#undef KITE_FIELD
};

/// Loads sd-bus, of systemd or of those who offer it without; false where none of them is installed.
static inline bool kite_load_sd_bus(struct kite_sd_bus *table) {
  static const char *const names[] = {"libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !library; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return false;
#define KITE_LOAD(name) \
  if (!(table->name = (__typeof__(&sd_bus_##name))dlsym(library, "sd_bus_" #name))) return false;
  KITE_SD_BUS(KITE_LOAD)
#undef KITE_LOAD
  return true;
}

/// The program's name without its folders, as glibc keeps it.
extern char *program_invocation_short_name;
static inline const char *kite_program_name(void) { return program_invocation_short_name; }
