// The layout of images on the device: see PlaneShape in gpu/spots/signal_kernels.h. Every image is surrounded by
// ignored pixels, so windows need no tests for borders.

#include "gpu/spots/lib/shape.cl"

#define MARGIN_COLUMNS 32
#define MARGIN_ROWS 17

static inline size_t pixel_at(const uint4 shape, const uint module, const uint y, const uint x) {
    return ((size_t)module * (HEIGHT_OF(shape) + MARGIN_ROWS) + MARGIN_ROWS + y) * PITCH_OF(shape) + MARGIN_COLUMNS + x;
}

static inline size_t word_at(const uint4 shape, const uint module, const uint y, const uint x) {
    return ((size_t)module * HEIGHT_OF(shape) + y) * WORDS_OF(shape) + x / 32;
}
