// plane-dump CARD OUT.ppm [REFERENCE.ppm X Y]: what a screen's planes hold at this moment, as the kernel knows it: one line
// a plane, and a picture of all of them; with a reference, how far the picture is from it at (X, Y), as the mean difference
// of a component. Works beside a compositor, as root. YUV is read as BT.601, limited range, as vkms does.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <drm_fourcc.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

static uint8_t *picture;
static int picture_width, picture_height;

struct place {
  int64_t type, x, y, width, height;
};

static struct place place_of(int card, uint32_t plane) {
  struct place place = {0};
  drmModeObjectProperties *all = drmModeObjectGetProperties(card, plane, DRM_MODE_OBJECT_PLANE);
  for (uint32_t i = 0; all && i < all->count_props; i++) {
    drmModePropertyRes *one = drmModeGetProperty(card, all->props[i]);
    if (!one) continue;
    int64_t value = (int64_t)all->prop_values[i];
    if (!strcmp(one->name, "type")) place.type = value;
    if (!strcmp(one->name, "CRTC_X")) place.x = (int32_t)value;
    if (!strcmp(one->name, "CRTC_Y")) place.y = (int32_t)value;
    if (!strcmp(one->name, "CRTC_W")) place.width = value;
    if (!strcmp(one->name, "CRTC_H")) place.height = value;
    drmModeFreeProperty(one);
  }
  drmModeFreeObjectProperties(all);
  return place;
}

static uint8_t clamp(double value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)(value + 0.5); }

// The pixel of a framebuffer that is mapped at `base`; returns its opacity.
static int read_pixel(const drmModeFB2 *fb, const uint8_t *base, int x, int y, uint8_t *rgb) {
  const uint8_t *first = base + fb->offsets[0] + (size_t)y * fb->pitches[0];
  const uint8_t *second = base + fb->offsets[1] + (size_t)(y / 2) * fb->pitches[1];
  const uint8_t *third = base + fb->offsets[2] + (size_t)(y / 2) * fb->pitches[2];
  double luma, u, v;
  switch (fb->pixel_format) {
  case DRM_FORMAT_NV12:
    luma = first[x], u = second[x & ~1], v = second[x | 1];
    break;
  case DRM_FORMAT_P010: {
    const uint16_t *row = (const uint16_t *)first, *chroma = (const uint16_t *)second;
    luma = row[x] / 256.0, u = chroma[x & ~1] / 256.0, v = chroma[x | 1] / 256.0;
    break;
  }
  case DRM_FORMAT_YUV420:
    luma = first[x], u = second[x / 2], v = third[x / 2];
    break;
  default:
    for (int i = 0; i < 3; i++) rgb[i] = first[x * 4 + 2 - i];
    return fb->pixel_format == DRM_FORMAT_ARGB8888 ? first[x * 4 + 3] : 255;
  }
  luma = 255.0 / 219 * (luma - 16), u -= 128, v -= 128;
  rgb[0] = clamp(luma + 1.596027 * v);
  rgb[1] = clamp(luma - 0.391762 * u - 0.812968 * v);
  rgb[2] = clamp(luma + 2.017232 * u);
  return 255;
}

static int draw(int card, const drmModeFB2 *fb, struct place place) {
  int file;
  if (drmPrimeHandleToFD(card, fb->handles[0], DRM_CLOEXEC, &file)) return -1;
  size_t size = (size_t)lseek(file, 0, SEEK_END);
  const uint8_t *base = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (base == MAP_FAILED) return -1;
  for (int y = 0; y < place.height && y < (int)fb->height; y++)
    for (int x = 0; x < place.width && x < (int)fb->width; x++) {
      int64_t out_x = place.x + x, out_y = place.y + y;
      if (out_x < 0 || out_y < 0 || out_x >= picture_width || out_y >= picture_height) continue;
      uint8_t rgb[3], *out = picture + (out_y * picture_width + out_x) * 3;
      int alpha = read_pixel(fb, base, x, y, rgb);
      for (int i = 0; i < 3; i++) out[i] = clamp(rgb[i] + out[i] * (255 - alpha) / 255.0);
    }
  munmap((void *)base, size);
  return 0;
}

// Prints the mean difference from the reference; nonzero when that can't be read or lies beside the screen.
static int compare(const char *path, int left, int top) {
  FILE *file = fopen(path, "rb");
  int width, height, largest;
  if (!file) return perror(path), 1;
  if (fscanf(file, "P6 %d %d %d", &width, &height, &largest) != 3 || largest != 255 || fgetc(file) == EOF ||
      left < 0 || top < 0 || left + width > picture_width || top + height > picture_height)
    return fprintf(stderr, "%s does not fit\n", path), 1;
  double sum = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width * 3; x++)
      sum += abs(fgetc(file) - picture[((top + y) * picture_width + left) * 3 + x]);
  printf("mean error %.3f\n", sum / ((double)width * height * 3));
  return fclose(file);
}

int main(int count, char **words) {
  if (count != 3 && count != 6) return fprintf(stderr, "plane-dump CARD OUT.ppm [REFERENCE.ppm X Y]\n"), 2;
  int card = open(words[1], O_RDWR | O_CLOEXEC);
  if (card < 0) return perror(words[1]), 1;
  // Opening the card first must not make this program its master.
  drmDropMaster(card);
  drmSetClientCap(card, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
  drmSetClientCap(card, DRM_CLIENT_CAP_ATOMIC, 1);
  drmModePlaneRes *planes = drmModeGetPlaneResources(card);
  static const char *names[] = {"overlay", "primary", "cursor"};
  static const int order[] = {DRM_PLANE_TYPE_PRIMARY, DRM_PLANE_TYPE_OVERLAY, DRM_PLANE_TYPE_CURSOR};
  for (int pass = 0; pass < 3; pass++)
    for (uint32_t i = 0; planes && i < planes->count_planes; i++) {
      drmModePlane *plane = drmModeGetPlane(card, planes->planes[i]);
      if (!plane || !plane->fb_id) continue;
      struct place place = place_of(card, plane->plane_id);
      drmModeFB2 *fb = place.type == order[pass] ? drmModeGetFB2(card, plane->fb_id) : NULL;
      if (!fb) continue;
      printf("%s %.4s %ux%u at %d,%d %dx%d stride %u\n", names[place.type], (char *)&fb->pixel_format, fb->width,
             fb->height, (int)place.x, (int)place.y, (int)place.width, (int)place.height, fb->pitches[0]);
      if (!picture) {
        drmModeCrtc *screen = drmModeGetCrtc(card, plane->crtc_id);
        picture_width = screen->width, picture_height = screen->height;
        picture = calloc((size_t)picture_width * picture_height, 3);
      }
      if (draw(card, fb, place)) return perror("a plane's memory can't be read"), 1;
    }
  if (!picture) return fprintf(stderr, "nothing is on the screen\n"), 1;
  FILE *out = fopen(words[2], "wb");
  if (!out) return perror(words[2]), 1;
  fprintf(out, "P6\n%d %d\n255\n", picture_width, picture_height);
  fwrite(picture, 3, (size_t)picture_width * picture_height, out);
  if (fclose(out)) return 1;
  return count == 6 ? compare(words[3], atoi(words[4]), atoi(words[5])) : 0;
}
