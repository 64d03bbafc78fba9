#pragma once
#include <wayland-server-core.h>

// Variadic, so Swift can't call it.
static inline void kite_resource_post_error(struct wl_resource *resource, uint32_t code, const char *message) {
  wl_resource_post_error(resource, code, "%s", message);
}
