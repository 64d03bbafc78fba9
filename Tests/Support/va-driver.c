// A driver of VA-API without a device: libva and FFmpeg take it for one, so that what Kite does with a device can be tested
// where there is none. It decodes nothing. Each surface that is "decoded" receives the picture of the file KITE_VA_PICTURE,
// which is NV12 as wide as the stream is coded.
//
//   gcc -shared -fPIC -o kite_drv_video.so va-driver.c        # libva-dev
//   LIBVA_DRIVER_NAME=kite LIBVA_DRIVERS_PATH=FOLDER
//
// Where there is no render node, LD_PRELOAD it too: any character device that can be opened passes for one then.
// Memory is a dmabuf of /dev/udmabuf where there is one, and else a memfd. It breaks when it is told to:
//   KITE_VA_REFUSES      no profile is known
//   KITE_VA_FAILS_AFTER  so many pictures decode, then none any more
//   KITE_VA_HIDES        surfaces can't be exported

#include <fcntl.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <va/va.h>
#include <va/va_backend.h>
#include <va/va_drmcommon.h>

// As in linux/fcntl.h, which can't be included beside fcntl.h.
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#define F_SEAL_SHRINK 2
#endif
#ifndef MFD_ALLOW_SEALING
#define MFD_CLOEXEC 1u
#define MFD_ALLOW_SEALING 2u
int memfd_create(const char *name, unsigned flags);
#endif

enum { LIMIT = 4096, CONFIG = 1, CONTEXT = 2 };
#define FOURCC(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

typedef struct {
    int used, descriptor;
    unsigned width, height, stride;
    size_t size;
    uint8_t *memory;
} surface_t;

typedef struct {
    int used;
    void *bytes;
    size_t size;
    int is_of_surface;
} buffer_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static surface_t surfaces[LIMIT];
static buffer_t buffers[LIMIT];
static VASurfaceID target;
static long pictures;
static VAImageFormat nv12 = {.fourcc = VA_FOURCC_NV12, .byte_order = VA_LSB_FIRST, .bits_per_pixel = 12};

static surface_t *surface(VASurfaceID id) { return id < LIMIT && surfaces[id].used ? &surfaces[id] : NULL; }
static buffer_t *buffer(VABufferID id) { return id < LIMIT && buffers[id].used ? &buffers[id] : NULL; }

static VAStatus unimplemented(void) { return VA_STATUS_ERROR_UNIMPLEMENTED; }
static VAStatus terminate(VADriverContextP c) { return VA_STATUS_SUCCESS; }

// MARK: Configurations

static VAStatus query_profiles(VADriverContextP c, VAProfile *list, int *count) {
    *count = 0;
    if (getenv("KITE_VA_REFUSES")) return VA_STATUS_SUCCESS;
    list[(*count)++] = VAProfileH264ConstrainedBaseline;
    list[(*count)++] = VAProfileH264Main;
    list[(*count)++] = VAProfileH264High;
    list[(*count)++] = VAProfileHEVCMain;
    return VA_STATUS_SUCCESS;
}

static VAStatus query_entrypoints(VADriverContextP c, VAProfile profile, VAEntrypoint *list, int *count) {
    list[0] = VAEntrypointVLD;
    *count = 1;
    return VA_STATUS_SUCCESS;
}

static VAStatus get_attributes(VADriverContextP c, VAProfile p, VAEntrypoint e, VAConfigAttrib *list, int count) {
    for (int i = 0; i < count; i++)
        list[i].value = list[i].type == VAConfigAttribRTFormat ? VA_RT_FORMAT_YUV420 : VA_ATTRIB_NOT_SUPPORTED;
    return VA_STATUS_SUCCESS;
}

static VAStatus create_config(VADriverContextP c, VAProfile p, VAEntrypoint e, VAConfigAttrib *a, int n, VAConfigID *id) {
    *id = CONFIG;
    return VA_STATUS_SUCCESS;
}

static VAStatus destroy_config(VADriverContextP c, VAConfigID id) { return VA_STATUS_SUCCESS; }

static VAStatus query_config(VADriverContextP c, VAConfigID id, VAProfile *p, VAEntrypoint *e, VAConfigAttrib *a, int *n) {
    *p = VAProfileH264High;
    *e = VAEntrypointVLD;
    *n = 0;
    return VA_STATUS_SUCCESS;
}

static VAStatus query_surface_attributes(VADriverContextP c, VAConfigID id, VASurfaceAttrib *list, unsigned *count) {
    const struct { VASurfaceAttribType type; int value; } facts[] = {
        {VASurfaceAttribPixelFormat, VA_FOURCC_NV12}, {VASurfaceAttribMinWidth, 16}, {VASurfaceAttribMinHeight, 16},
        {VASurfaceAttribMaxWidth, 8192}, {VASurfaceAttribMaxHeight, 8192},
        {VASurfaceAttribMemoryType, VA_SURFACE_ATTRIB_MEM_TYPE_VA | VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2},
    };
    for (unsigned i = 0; list && i < 6; i++) {
        list[i].type = facts[i].type;
        list[i].flags = VA_SURFACE_ATTRIB_GETTABLE | VA_SURFACE_ATTRIB_SETTABLE;
        list[i].value.type = VAGenericValueTypeInteger;
        list[i].value.value.i = facts[i].value;
    }
    *count = 6;
    return VA_STATUS_SUCCESS;
}

// MARK: Surfaces

// A descriptor of `size` bytes; a dmabuf where the kernel makes some.
static int allocate(size_t size, uint8_t **memory) {
    int file = memfd_create("kite-va", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || ftruncate(file, size) < 0 || fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) < 0) return -1;
    *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (*memory == MAP_FAILED) return -1;
    int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
    if (device < 0) return file;
    struct udmabuf_create request = {.memfd = file, .flags = UDMABUF_FLAGS_CLOEXEC, .size = size};
    int dmabuf = ioctl(device, UDMABUF_CREATE, &request);
    close(device);
    close(file);
    return dmabuf;
}

static VAStatus create_surfaces2(VADriverContextP c, unsigned format, unsigned width, unsigned height, VASurfaceID *ids,
                                 unsigned count, VASurfaceAttrib *attributes, unsigned attribute_count) {
    VAStatus status = VA_STATUS_SUCCESS;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0, next = 1; i < count; i++) {
        while (next < LIMIT && surfaces[next].used) next++;
        if (next == LIMIT) {
            status = VA_STATUS_ERROR_ALLOCATION_FAILED;
            break;
        }
        surface_t *s = &surfaces[next];
        s->width = width;
        s->height = height;
        s->stride = (width + 255) & ~255u;
        s->size = ((size_t)s->stride * height * 3 / 2 + 4095) & ~(size_t)4095;
        s->descriptor = allocate(s->size, &s->memory);
        if (s->descriptor < 0) {
            status = VA_STATUS_ERROR_ALLOCATION_FAILED;
            break;
        }
        s->used = 1;
        ids[i] = next;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

static VAStatus create_surfaces(VADriverContextP c, int width, int height, int format, int count, VASurfaceID *ids) {
    return create_surfaces2(c, format, width, height, ids, count, NULL, 0);
}

static VAStatus destroy_surfaces(VADriverContextP c, VASurfaceID *ids, int count) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++) {
        surface_t *s = surface(ids[i]);
        if (!s) continue;
        munmap(s->memory, s->size);
        close(s->descriptor);
        s->used = 0;
    }
    pthread_mutex_unlock(&lock);
    return VA_STATUS_SUCCESS;
}

static VAStatus export_surface(VADriverContextP c, VASurfaceID id, uint32_t type, uint32_t flags, void *out) {
    if (getenv("KITE_VA_HIDES")) return VA_STATUS_ERROR_UNSUPPORTED_MEMORY_TYPE;
    surface_t *s = surface(id);
    if (!s || type != VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2) return VA_STATUS_ERROR_INVALID_SURFACE;
    VADRMPRIMESurfaceDescriptor *d = out;
    memset(d, 0, sizeof *d);
    d->fourcc = VA_FOURCC_NV12;
    d->width = s->width;
    d->height = s->height;
    d->num_objects = 1;
    d->objects[0].fd = fcntl(s->descriptor, F_DUPFD_CLOEXEC, 0);
    d->objects[0].size = s->size;
    d->objects[0].drm_format_modifier = 0;
    uint32_t chroma = s->stride * s->height;
    if (flags & VA_EXPORT_SURFACE_SEPARATE_LAYERS) {
        d->num_layers = 2;
        d->layers[0].drm_format = FOURCC('R', '8', ' ', ' ');
        d->layers[1].drm_format = FOURCC('G', 'R', '8', '8');
        d->layers[0].num_planes = d->layers[1].num_planes = 1;
        d->layers[0].pitch[0] = d->layers[1].pitch[0] = s->stride;
        d->layers[1].offset[0] = chroma;
    } else {
        d->num_layers = 1;
        d->layers[0].drm_format = VA_FOURCC_NV12;
        d->layers[0].num_planes = 2;
        d->layers[0].pitch[0] = d->layers[0].pitch[1] = s->stride;
        d->layers[0].offset[1] = chroma;
    }
    return d->objects[0].fd < 0 ? VA_STATUS_ERROR_OPERATION_FAILED : VA_STATUS_SUCCESS;
}

static VAStatus sync_surface(VADriverContextP c, VASurfaceID id) { return VA_STATUS_SUCCESS; }
static VAStatus query_surface(VADriverContextP c, VASurfaceID id, VASurfaceStatus *status) {
    *status = VASurfaceReady;
    return VA_STATUS_SUCCESS;
}

// MARK: Decoding

static VAStatus create_context(VADriverContextP c, VAConfigID g, int w, int h, int flag, VASurfaceID *s, int n, VAContextID *id) {
    *id = CONTEXT;
    return VA_STATUS_SUCCESS;
}
static VAStatus destroy_context(VADriverContextP c, VAContextID id) { return VA_STATUS_SUCCESS; }

static VAStatus add_buffer(void *bytes, size_t size, int is_of_surface, VABufferID *id) {
    VAStatus status = VA_STATUS_ERROR_ALLOCATION_FAILED;
    pthread_mutex_lock(&lock);
    for (unsigned i = 1; i < LIMIT; i++) {
        if (buffers[i].used) continue;
        buffers[i] = (buffer_t){.used = 1, .bytes = bytes, .size = size, .is_of_surface = is_of_surface};
        *id = i;
        status = VA_STATUS_SUCCESS;
        break;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

static VAStatus create_buffer(VADriverContextP c, VAContextID x, VABufferType t, unsigned size, unsigned count, void *data,
                              VABufferID *id) {
    void *bytes = calloc(count, size);
    if (!bytes) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    if (data) memcpy(bytes, data, (size_t)size * count);
    return add_buffer(bytes, (size_t)size * count, 0, id);
}

static VAStatus set_elements(VADriverContextP c, VABufferID id, unsigned count) { return VA_STATUS_SUCCESS; }

static VAStatus map_buffer(VADriverContextP c, VABufferID id, void **bytes) {
    buffer_t *b = buffer(id);
    if (!b) return VA_STATUS_ERROR_INVALID_BUFFER;
    *bytes = b->bytes;
    return VA_STATUS_SUCCESS;
}

static VAStatus unmap_buffer(VADriverContextP c, VABufferID id) { return VA_STATUS_SUCCESS; }

static VAStatus destroy_buffer(VADriverContextP c, VABufferID id) {
    buffer_t *b = buffer(id);
    if (!b) return VA_STATUS_ERROR_INVALID_BUFFER;
    if (!b->is_of_surface) free(b->bytes);
    b->used = 0;
    return VA_STATUS_SUCCESS;
}

static VAStatus begin_picture(VADriverContextP c, VAContextID x, VASurfaceID id) {
    target = id;
    return surface(id) ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_INVALID_SURFACE;
}

static VAStatus render_picture(VADriverContextP c, VAContextID x, VABufferID *ids, int count) { return VA_STATUS_SUCCESS; }

static VAStatus end_picture(VADriverContextP c, VAContextID x) {
    const char *limit = getenv("KITE_VA_FAILS_AFTER"), *path = getenv("KITE_VA_PICTURE");
    if (limit && pictures >= atol(limit)) return VA_STATUS_ERROR_HW_BUSY;
    pictures++;
    surface_t *s = surface(target);
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!s || !file) return VA_STATUS_ERROR_OPERATION_FAILED;
    fseek(file, 0, SEEK_END);
    unsigned rows = ftell(file) / s->width;
    unsigned height = rows * 2 / 3 < s->height ? rows * 2 / 3 : s->height;
    rewind(file);
    size_t count = 0;
    for (unsigned y = 0; y < height; y++) count += fread(s->memory + (size_t)s->stride * y, 1, s->width, file);
    for (unsigned y = 0; y < height / 2; y++)
        count += fread(s->memory + (size_t)s->stride * (s->height + y), 1, s->width, file);
    fclose(file);
    return count ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_OPERATION_FAILED;
}

// MARK: Images

static VAStatus query_image_formats(VADriverContextP c, VAImageFormat *list, int *count) {
    list[0] = nv12;
    *count = 1;
    return VA_STATUS_SUCCESS;
}

static VAStatus describe_image(unsigned width, unsigned height, unsigned stride, uint8_t *bytes, int is_of_surface, VAImage *image) {
    memset(image, 0, sizeof *image);
    image->format = nv12;
    image->width = width;
    image->height = height;
    image->num_planes = 2;
    image->pitches[0] = image->pitches[1] = stride;
    image->offsets[1] = stride * height;
    image->data_size = stride * height * 3 / 2;
    VAStatus status = add_buffer(bytes, image->data_size, is_of_surface, &image->buf);
    image->image_id = image->buf;
    return status;
}

static VAStatus create_image(VADriverContextP c, VAImageFormat *format, int width, int height, VAImage *image) {
    unsigned stride = (width + 15) & ~15;
    uint8_t *bytes = calloc(stride, height * 3 / 2);
    return bytes ? describe_image(width, height, stride, bytes, 0, image) : VA_STATUS_ERROR_ALLOCATION_FAILED;
}

static VAStatus derive_image(VADriverContextP c, VASurfaceID id, VAImage *image) {
    surface_t *s = surface(id);
    if (!s) return VA_STATUS_ERROR_INVALID_SURFACE;
    return describe_image(s->width, s->height, s->stride, s->memory, 1, image);
}

static VAStatus destroy_image(VADriverContextP c, VAImageID id) { return destroy_buffer(c, id); }

static VAStatus get_image(VADriverContextP c, VASurfaceID id, int x, int y, unsigned width, unsigned height, VAImageID image) {
    surface_t *s = surface(id);
    buffer_t *b = buffer(image);
    if (!s || !b || x || y || height > s->height || width > s->width) return VA_STATUS_ERROR_INVALID_PARAMETER;
    unsigned stride = (width + 15) & ~15;
    uint8_t *out = b->bytes;
    for (unsigned row = 0; row < height; row++) memcpy(out + (size_t)stride * row, s->memory + (size_t)s->stride * row, width);
    for (unsigned row = 0; row < height / 2; row++)
        memcpy(out + (size_t)stride * (height + row), s->memory + (size_t)s->stride * (s->height + row), width);
    return VA_STATUS_SUCCESS;
}

// What libva asks of libdrm about the node before it looks for a driver; DRM_NODE_RENDER.
int drmGetNodeTypeFromFd(int descriptor) { return 2; }

VAStatus __vaDriverInit_1_0(VADriverContextP context) {
    context->version_major = 1;
    context->version_minor = 0;
    context->max_profiles = 8;
    context->max_entrypoints = 2;
    context->max_attributes = 16;
    context->max_image_formats = 2;
    context->max_subpic_formats = 1;
    context->max_display_attributes = 1;
    context->str_vendor = "Kite's stand-in";
    struct VADriverVTable *v = context->vtable;
    // libva asks that there be something everywhere.
    for (void **entry = (void **)v; entry < (void **)(v + 1) && (char *)entry < (char *)v->reserved; entry++)
        *entry = (void *)unimplemented;
    v->vaTerminate = terminate;
    v->vaQueryConfigProfiles = query_profiles;
    v->vaQueryConfigEntrypoints = query_entrypoints;
    v->vaQueryConfigAttributes = query_config;
    v->vaGetConfigAttributes = get_attributes;
    v->vaCreateConfig = create_config;
    v->vaDestroyConfig = destroy_config;
    v->vaQuerySurfaceAttributes = query_surface_attributes;
    v->vaCreateSurfaces = create_surfaces;
    v->vaCreateSurfaces2 = create_surfaces2;
    v->vaDestroySurfaces = destroy_surfaces;
    v->vaExportSurfaceHandle = export_surface;
    v->vaSyncSurface = sync_surface;
    v->vaQuerySurfaceStatus = query_surface;
    v->vaCreateContext = create_context;
    v->vaDestroyContext = destroy_context;
    v->vaCreateBuffer = create_buffer;
    v->vaBufferSetNumElements = set_elements;
    v->vaMapBuffer = map_buffer;
    v->vaUnmapBuffer = unmap_buffer;
    v->vaDestroyBuffer = destroy_buffer;
    v->vaBeginPicture = begin_picture;
    v->vaRenderPicture = render_picture;
    v->vaEndPicture = end_picture;
    v->vaQueryImageFormats = query_image_formats;
    v->vaCreateImage = create_image;
    v->vaDeriveImage = derive_image;
    v->vaDestroyImage = destroy_image;
    v->vaGetImage = get_image;
    return VA_STATUS_SUCCESS;
}
