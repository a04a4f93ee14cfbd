// Sums of spots and pieces. A spot is 16 64-bit integers (SpotRecord in core/spots/grouping/spot_record.h); a piece is
// 8 32-bit integers: columns [0, 1), the rows [frame][y] of its first and its last pixel, its root. Totals of a launch
// are 64-bit integers, too.

#define RECORD 16
#define SIGNAL 0  // totals
#define PIECES 1
#define SPOTS 2
#define MARKED 3
#define INEXACT 4
#define UNDECIDED 5
#define FRAMES 8  // and on: index of the first signal pixel of each frame, and the end of the last one
#define FIRST 0  // of a spot
#define N 1
#define SUM 2
#define SQUARES 3
#define PEAK 4
#define MOMENTS 5
#define SECONDS 8
#define BACKGROUND 11
#define BACKGROUND_PIXELS 12
#define BOX 13  // x0, x1, y0, y1, end of the frames, saturated pixels, each of 32 bits
#define PIECE 8
#define X0 0  // of a piece
#define X1 1
#define FIRST_ROW 2
#define LAST_ROW 3
#define ROOT 4

static inline bool has_room(global const uint* list, volatile global const ulong* totals, const uint nodes,
                            const uint room) {
    return list[0] <= nodes && totals[PIECES] <= room && totals[SPOTS] <= room;
}

static inline void start_piece(global uint* pieces, const uint number, const uint root, const uint pixel,
                               const uint width) {
    global uint* const piece = pieces + (size_t)number * PIECE;
    const uint row = pixel / width, x = pixel - row * width;
    piece[X0] = x;
    piece[X1] = x + 1;
    piece[FIRST_ROW] = piece[LAST_ROW] = row;
    piece[ROOT] = root;
}

static inline void start_spot(global ulong* records, const uint number, const uint pixel) {
    global ulong* const record = records + (size_t)number * RECORD;
    record[FIRST] = pixel;
    for (uint i = 1; i < BOX; ++i) record[i] = 0;
    global uint* const box = (global uint*)(record + BOX);
    box[0] = box[2] = ~0u;
    box[1] = box[3] = box[4] = box[5] = 0;
}
