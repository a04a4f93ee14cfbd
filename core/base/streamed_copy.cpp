#include "core/base/streamed_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "core/base/parallel.h"

namespace ks {
namespace {

#if defined(__x86_64__)
constexpr std::size_t line = 64;

void copy_block(const std::byte* from, std::byte* to, std::size_t bytes) {
    const std::size_t before = std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
    std::memcpy(to, from, before);
    std::size_t done = before;
    for (; done + line <= bytes; done += line) {
        const auto* const read = reinterpret_cast<const __m128i*>(from + done);
        auto* const write = reinterpret_cast<__m128i*>(to + done);
        const __m128i a = _mm_loadu_si128(read), b = _mm_loadu_si128(read + 1), c = _mm_loadu_si128(read + 2),
                      d = _mm_loadu_si128(read + 3);
        _mm_stream_si128(write, a);
        _mm_stream_si128(write + 1, b);
        _mm_stream_si128(write + 2, c);
        _mm_stream_si128(write + 3, d);
    }
    std::memcpy(to + done, from + done, bytes - done);
    _mm_sfence();  // without it, other threads see streamed stores in no defined order
}
#else
void copy_block(const std::byte* from, std::byte* to, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}
#endif

}  // namespace

void streamed_copy(std::span<const std::byte> from, std::span<std::byte> to, unsigned threads) {
    constexpr std::size_t block = std::size_t{1} << 19;
    parallel_for((from.size() + block - 1) / block, threads, [&](std::size_t i) {
        copy_block(from.data() + i * block, to.data() + i * block, std::min(block, from.size() - i * block));
    });
}

}  // namespace ks
