// The parts of an argument `uint4 shape`, which shape_argument() in gpu/spots/kernel_sets.h makes of a PlaneShape: of all
// kernels of gpu/spots. Macros, as a function would be a call in programs built without optimisation.

#define HEIGHT_OF(shape) (shape).s0
#define WIDTH_OF(shape) (shape).s1
#define PITCH_OF(shape) (shape).s2  // pixels from row to row of an image, with its margins
#define WORDS_OF(shape) (shape).s3  // 32-bit words in a row of bits
