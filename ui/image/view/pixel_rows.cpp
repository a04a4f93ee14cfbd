#include "ui/image/view/pixel_rows.h"

#include <algorithm>

#include "ui/image/view/level_of_detail.h"

namespace ks::ui {
namespace {

constexpr float invalid = LevelOfDetail::invalid;

template <class T>
inline float cell(T value, float sign) {
    if constexpr (std::is_same_v<T, double>) {
        constexpr double maximum = std::numeric_limits<float>::max();
        // -max of a float marks invalid values.
        const double cut = std::max(std::min(value, maximum), -maximum / 2);
        return isValidPixel(value) ? static_cast<float>(cut) * sign : invalid;
    } else {
        return isValidPixel(value) ? static_cast<float>(value) * sign : invalid;
    }
}

/// Blocks that stay in the L1 cache between the pass over the pixels and that over the mask.
constexpr std::size_t rowBlock = 1024;

template <class Use>
void inBlocks(const Array& frame, std::size_t from, std::size_t n, Use&& use) {
    visit_element(frame.type(), [&]<class T>(T) {
        const T* pixels = frame.as<T>().data() + from;
        for (std::size_t at = 0; at < n; at += rowBlock) use(pixels + at, at, std::min(rowBlock, n - at));
    });
}

/// Most blocks of a frame are far from any masked pixel.
bool anyIgnored(const std::uint8_t* ignore, std::size_t n) {
    std::uint8_t any = 0;
    for (std::size_t i = 0; i < n; ++i) any |= ignore[i];
    return any != 0;
}

template <class T>
void read(const T* pixels, const std::uint8_t* ignore, std::size_t n, float sign, float* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = cell(pixels[i], sign);
    if (!ignore || !anyIgnored(ignore, n)) return;
    for (std::size_t i = 0; i < n; ++i) out[i] = ignore[i] ? invalid : out[i];
}

}  // namespace

void readRow(const Array& frame, const std::uint8_t* ignore, std::size_t from, std::size_t n, float sign,
             float* out) {
    inBlocks(frame, from, n, [&](const auto* pixels, std::size_t at, std::size_t count) {
        read(pixels, ignore ? ignore + from + at : nullptr, count, sign, out + at);
    });
}

void raiseRow(const Array& frame, const std::uint8_t* ignore, std::size_t from, std::size_t n, float sign,
              float* out) {
    float cells[rowBlock];
    inBlocks(frame, from, n, [&](const auto* pixels, std::size_t at, std::size_t count) {
        read(pixels, ignore ? ignore + from + at : nullptr, count, sign, cells);
        for (std::size_t i = 0; i < count; ++i) out[at + i] = std::max(out[at + i], cells[i]);
    });
}

void addRow(const Array& frame, const std::uint8_t* ignore, std::size_t from, std::size_t n, float* sums,
            float* counts) {
    float cells[rowBlock];
    inBlocks(frame, from, n, [&](const auto* pixels, std::size_t at, std::size_t count) {
        read(pixels, ignore ? ignore + from + at : nullptr, count, 1, cells);
        for (std::size_t i = 0; i < count; ++i) {
            const bool good = cells[i] != invalid;
            sums[at + i] += good ? cells[i] : 0.0F;
            counts[at + i] += good ? 1.0F : 0.0F;
        }
    });
}

}  // namespace ks::ui
