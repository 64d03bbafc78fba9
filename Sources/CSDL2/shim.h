// SDL 2 for examples/embed-sdl2: what Swift can't import are the version macro and the union that names a window's objects.
#pragma once
#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <SDL_syswm.h>
#include <stdbool.h>

/// The `wl_display *` and `wl_surface *` of a window; false where SDL is not on Wayland.
static inline bool kite_sdl_wayland(SDL_Window *window, void **display, void **surface) {
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_WAYLAND) return false;
  *display = info.info.wl.display;
  *surface = info.info.wl.surface;
  return true;
}

/// Paints all of a window in one colour and shows it.
static inline bool kite_sdl_fill(SDL_Window *window, Uint8 red, Uint8 green, Uint8 blue) {
  SDL_Surface *pixels = SDL_GetWindowSurface(window);
  if (!pixels) return false;
  SDL_FillRect(pixels, NULL, SDL_MapRGB(pixels->format, red, green, blue));
  return SDL_UpdateWindowSurface(window) == 0;
}
