// GTK 4 for examples/embed-gtk4: what Swift can't import are the casts and signals, which are macros, and loop sources, whose
// functions are fields of a structure that has to be larger than GLib's.
#pragma once
#include <gdk/wayland/gdkwayland.h>
#include <gtk/gtk.h>

/// The `wl_display *` and `wl_surface *` behind a widget's window; NULL where GTK is not on Wayland or the window not there yet.
static inline void *kite_gtk_display(GtkWidget *widget) {
  GdkDisplay *display = gtk_widget_get_display(widget);
  return GDK_IS_WAYLAND_DISPLAY(display) ? gdk_wayland_display_get_wl_display(display) : NULL;
}
static inline void *kite_gtk_surface(GtkWidget *widget) {
  GtkNative *native = gtk_widget_get_native(widget);
  GdkSurface *surface = native ? gtk_native_get_surface(native) : NULL;
  return surface && GDK_IS_WAYLAND_SURFACE(surface) ? gdk_wayland_surface_get_wl_surface(surface) : NULL;
}

/// Where the widget's upper left corner is on the window's surface, shadows of the window included; in logical pixels.
static inline void kite_gtk_origin(GtkWidget *widget, double *x, double *y) {
  GtkNative *native = gtk_widget_get_native(widget);
  graphene_rect_t bounds;
  gtk_native_get_surface_transform(native, x, y);
  if (!gtk_widget_compute_bounds(widget, GTK_WIDGET(native), &bounds)) return;
  *x += bounds.origin.x;
  *y += bounds.origin.y;
}

/// A window without decorations and with a drawing area of that size in it, which `draw` paints and whose changes of size
/// `resize` hears of; `close` is called when the user closes the window. `data` goes to all of them.
static inline GtkWidget *kite_gtk_window(
    const char *title, int width, int height, GtkDrawingAreaDrawFunc draw,
    void (*resize)(GtkDrawingArea *, int, int, void *), gboolean (*close)(GtkWindow *, void *), void *data) {
  GtkWidget *window = gtk_window_new(), *area = gtk_drawing_area_new();
  gtk_window_set_title(GTK_WINDOW(window), title);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(area), width);
  gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(area), height);
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), draw, data, NULL);
  g_signal_connect(area, "resize", G_CALLBACK(resize), data);
  g_signal_connect(window, "close-request", G_CALLBACK(close), data);
  gtk_window_set_child(GTK_WINDOW(window), area);
  return window;
}
static inline void kite_gtk_present(GtkWidget *window) { gtk_window_present(GTK_WINDOW(window)); }

/// A source of GLib's loop that calls `prepare` before each poll and `process` when one of the descriptors is readable.
struct kite_source {
  GSource source;
  void (*prepare)(void *), (*process)(void *);
  void *data, *tags[8];
  int count;
};
static inline gboolean kite_source_prepare(GSource *base, int *timeout) {
  struct kite_source *source = (struct kite_source *)base;
  source->prepare(source->data);
  *timeout = -1;
  return FALSE;
}
static inline gboolean kite_source_check(GSource *base) {
  struct kite_source *source = (struct kite_source *)base;
  for (int i = 0; i < source->count; i++)
    if (g_source_query_unix_fd(base, source->tags[i])) return TRUE;
  return FALSE;
}
static inline gboolean kite_source_dispatch(GSource *base, GSourceFunc callback, void *data) {
  struct kite_source *source = (struct kite_source *)base;
  source->process(source->data);
  return G_SOURCE_CONTINUE;
}
static inline void kite_add_source(
    const int *descriptors, int count, void (*prepare)(void *), void (*process)(void *), void *data) {
  static GSourceFuncs functions = {kite_source_prepare, kite_source_check, kite_source_dispatch, NULL};
  struct kite_source *source = (struct kite_source *)g_source_new(&functions, sizeof(struct kite_source));
  source->prepare = prepare;
  source->process = process;
  source->data = data;
  source->count = count < 8 ? count : 8;
  for (int i = 0; i < source->count; i++)
    source->tags[i] = g_source_add_unix_fd(&source->source, descriptors[i], G_IO_IN);
  g_source_attach(&source->source, NULL);
}
