// Decodes frames as detectors write them (bitshuffle, then LZ4 block by block) to pixels. A group decodes a block: its
// work-items all read the same LZ4 tokens and copy side by side into local memory, then assemble the bits of 8 values
// at a time. Blocks are independent. `chunk` is as stored in the file (core/data/packed_frames.h); behind it, at the
// 32-bit word `table`, are the start offsets of the blocks in bytes, one number more than there are blocks.
//
// A block is valid if LZ4_decompress_safe accepts it and no match has distance 0, which the format does not allow:
// matches copy what was already written, the last 5 bytes are literals, no match starts in the last 12, and the whole
// block and all of its bytes are used. Whatever a chunk contains, nothing outside it, the table and the frame is read
// or written. A frame with an invalid block has damaged[frame] set, and the pixels of that block stay unwritten.
//
// NDRange: dimension 0: WG work-items per block. Group WG. Local memory: BLOCK bytes, and 8 pixels per work-item.

#ifndef WG
#define WG 32
#endif
// Bytes per pixel: 1, 2 or 4.
#ifndef ELEMENT
#define ELEMENT 2
#endif
// Bytes of the largest block.
#ifndef BLOCK
#define BLOCK 8192
#endif
// Pixels written at once: 1, 2, 4 or 8, and up to 8 bytes. The width, the pitch and the position of the first pixel are
// multiples of it.
#ifndef AT_ONCE
#define AT_ONCE 1
#endif

#if ELEMENT == 1
typedef uchar pixel;
typedef uchar8 pixel8;
#elif ELEMENT == 2
typedef ushort pixel;
typedef ushort8 pixel8;
#else
typedef uint pixel;
typedef uint8 pixel8;
#endif

#if ELEMENT * AT_ONCE == 1
typedef uchar pixels_at_once;
#elif ELEMENT * AT_ONCE == 2
typedef ushort pixels_at_once;
#elif ELEMENT * AT_ONCE == 4
typedef uint pixels_at_once;
#else
typedef ulong pixels_at_once;
#endif

#define LEAST_MATCH 4
#define LAST_LITERALS 5
#define LAST_MATCH 12

// A length that continues in further bytes; more than `most` if it does not end or is beyond that.
static uint long_length(uint length, global const uchar* chunk, uint* at, const uint end, const uint most) {
    uint more;
    do {
        if (*at >= end || length > most) return most + 1;
        more = chunk[(*at)++];
        length += more;
    } while (more == 255);
    return length;
}

// Decompresses bytes [at, end) of the chunk to `size` bytes. All work-items return the same: whether they were valid.
static bool decompress(global const uchar* chunk, uint at, const uint end, local uchar* bytes, const uint size) {
    const uint lid = get_local_id(0);
    uint done = 0;
    while (at < end) {
        const uint token = chunk[at++];
        uint literals = token >> 4;
        if (literals == 15) literals = long_length(literals, chunk, &at, end, size);
        if (literals > size - done || literals > end - at) return false;
        for (uint i = lid; i < literals; i += WG) bytes[done + i] = chunk[at + i];
        at += literals;
        done += literals;
        if (at == end) return done == size;
        if (end - at < 2 || size - done < LAST_MATCH) return false;
        const uint distance = chunk[at] | (uint)chunk[at + 1] << 8;
        at += 2;
        uint length = token & 15;
        if (length == 15) length = long_length(length, chunk, &at, end, size);
        length += LEAST_MATCH;
        if (distance == 0 || distance > done || length > size - done - LAST_LITERALS) return false;
        barrier(CLK_LOCAL_MEM_FENCE);  // what the match copies has been written
        local uchar* const to = bytes + done;
        local const uchar* const from = to - distance;
        // Beyond the distance a match repeats itself: only what was there before it is read.
        uint k = lid < distance ? lid : lid % distance;
        const uint step = WG < distance ? WG : WG % distance;
        for (uint i = lid; i < length; i += WG) {
            to[i] = from[k];
            k += step;
            k -= k >= distance ? distance : 0;
        }
        done += length;
    }
    return false;
}

// Bit j of byte i becomes bit i of byte j.
static ulong transposed(ulong x) {
    ulong t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAUL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCUL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0UL;
    return x ^ t ^ (t << 28);
}

// Values 8 * i to 8 * i + 7 of a block; a row of bits has row_bytes bytes.
static pixel8 values_of(local const uchar* rows, const uint row_bytes, const uint i) {
    pixel8 values = 0;
    for (uint byte = 0; byte < ELEMENT; ++byte) {
        ulong bits = 0;
        for (uint bit = 0; bit < 8; ++bit) bits |= (ulong)rows[(8 * byte + bit) * row_bytes + i] << 8 * bit;
        const uchar8 bytes = as_uchar8(transposed(bits));
#if ELEMENT == 1
        values = bytes;
#elif ELEMENT == 2
        values |= convert_ushort8(bytes) << (ushort)(8 * byte);
#else
        values |= convert_uint8(bytes) << 8 * byte;
#endif
    }
    return values;
}

// values: per frame; block: per block, a multiple of 8. Pixel (y, x) goes to out[first + y * pitch + x].
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void decode_blocks(
    global const uchar* restrict chunk, const uint chunk_bytes, global const uint* words, const uint table, const uint values,
    const uint block, global pixel* out, const ulong first, const uint width, const uint pitch, global uint* damaged,
    const uint frame) {
    local ulong words_of_block[BLOCK / 8];
    local pixel8 tile[WG];
    local uchar* const bytes = (local uchar*)words_of_block;
    const uint lid = get_local_id(0), group = get_group_id(0), start = group * block,
               count = min(block, (values - start) / 8 * 8);
    const uint from = words[table + group], next = words[table + group + 1], end = next - 4;
    const bool there = count <= BLOCK / ELEMENT && next >= 4 && from <= end && end <= chunk_bytes;
    if (!there || !decompress(chunk, from, end, bytes, count * ELEMENT)) {
        if (lid == 0) atomic_or(damaged + frame, 1);
        return;  // the same for all work-items
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint row_bytes = count / 8;
    for (uint i = 0; i < row_bytes; i += WG) {
        if (i + lid < row_bytes) tile[lid] = values_of(bytes, row_bytes, i + lid);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint here = start + 8 * i, n = 8 * min((uint)WG, row_bytes - i), row = here / width,
                   column = here - row * width;
        for (uint k = lid * AT_ONCE; k < n; k += WG * AT_ONCE) {
            uint y = row, x = column + k;
            while (x >= width) {
                x -= width;
                ++y;
            }
            const ulong to = first + (ulong)y * pitch + x;
            ((global pixels_at_once*)out)[to / AT_ONCE] = ((local const pixels_at_once*)tile)[k / AT_ONCE];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    // A remainder of fewer than 8 values follows the last block unchanged.
    const uint rest = start + count;
    if (group + 1 != get_num_groups(0)) return;
    if (chunk_bytes - end != (values - rest) * ELEMENT) {
        if (lid == 0) atomic_or(damaged + frame, 1);
        return;
    }
    for (uint i = lid; i < values - rest; i += WG) {
        uint value = 0;
        for (uint byte = 0; byte < ELEMENT; ++byte) value |= (uint)chunk[end + i * ELEMENT + byte] << 8 * byte;
        const uint y = (rest + i) / width, x = rest + i - y * width;
        out[first + (ulong)y * pitch + x] = (pixel)value;
    }
}
