// The layout of images on the device: see PlaneShape in gpu/spots/signal_kernels.h.
//
// shape = (height, width, pitch in pixels, 32-bit words in a row of bits). Every image is surrounded by ignored pixels,
// so windows need no tests for borders.

#define MARGIN_COLUMNS 32
#define MARGIN_ROWS 17

static inline size_t pixel_at(const uint4 shape, const uint module, const uint y, const uint x) {
    return ((size_t)module * (shape.s0 + MARGIN_ROWS) + MARGIN_ROWS + y) * shape.s2 + MARGIN_COLUMNS + x;
}

static inline size_t word_at(const uint4 shape, const uint module, const uint y, const uint x) {
    return ((size_t)module * shape.s0 + y) * shape.s3 + x / 32;
}
