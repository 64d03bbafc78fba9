#pragma once
#include <stdlib.h>
#include <string.h>
#include <wayland-server-core.h>

// Variadic, so Swift can't call it.
static inline void kite_resource_post_error(struct wl_resource *resource, uint32_t code, const char *message) {
  wl_resource_post_error(resource, code, "%s", message);
}

// An interface without messages.
static inline const struct wl_interface *kite_bare_interface(const char *name, int version) {
  struct wl_interface *interface = calloc(1, sizeof *interface);
  if (!interface) return NULL;
  interface->name = strdup(name);
  interface->version = version;
  return interface;
}

static inline void kite_free_bare_interface(const struct wl_interface *interface) {
  free((void *)interface->name);
  free((void *)interface);
}
