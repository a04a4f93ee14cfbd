#include "ui/image/view/value_colours.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ui/image/view/level_of_detail.h"

namespace ks::ui {
namespace {

constexpr std::size_t colourBlock = 512;

/// log2 of a positive number: exponent plus 2 artanh(z) / ln 2 of the mantissa, with z = (m - 1) / (m +
/// 1) <= 1/3.
inline float octaves(float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    const float mantissa = std::bit_cast<float>((bits & 0x007fffff) | 0x3f800000);
    const float z = (mantissa - 1) / (mantissa + 1), s = z * z;
    constexpr float k = 2.885390082F;
    return static_cast<float>((bits >> 23) - 127) +
           k * z * (1 + s * (1 / 3.0F + s * (1 / 5.0F + s * (1 / 7.0F))));
}

constexpr float rootParts = 4095;  ///< parts of the square root's range
constexpr std::size_t maxLevels = 1 << 16;

/// Square root of a number >= 0. std::sqrt may set errno, which prevents vectorisation. Newton's iteration
/// for 1 / sqrt(x) doubles the digits in each step.
inline float root(float x) {
    float inverse = std::bit_cast<float>(0x5f3759df - (std::bit_cast<std::int32_t>(x) >> 1));
    for (int i = 0; i < 3; ++i) inverse *= 1.5F - 0.5F * x * inverse * inverse;
    return x * inverse;
}

}  // namespace

ValueColours::ValueColours(const ColourMap& map, const ColourScale& scale, QRgb outside)
    : table_(map.table()), invalid_(map.invalid()), outside_(outside), kind_(scale.kind) {
    const double low = kind_ == ScaleKind::log ? scale.logFloor() : scale.low;
    low_ = static_cast<float>(low);
    high_ = static_cast<float>(scale.high);
    if (kind_ == ScaleKind::log)
        factor_ = static_cast<float>(1 / low);
    else if (kind_ == ScaleKind::arcsinh)
        factor_ = static_cast<float>(1 / scale.softening());
    else
        factor_ = static_cast<float>((kind_ == ScaleKind::sqrt ? rootParts : 1) / (scale.high - low));
    if (kind_ != ScaleKind::linear) makeLevels();
}

std::int32_t ValueColours::placeOf(float key) const {
    return (std::bit_cast<std::int32_t>(key) - std::bit_cast<std::int32_t>(1.0F)) >> shift_;
}

template <class Level>
void ValueColours::fillLevels(Level level) {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
        // The middle of this place's keys.
        const auto bits = (static_cast<std::int32_t>(i) << shift_) + (1 << (shift_ - 1));
        const float key = std::bit_cast<float>(bits + std::bit_cast<std::int32_t>(1.0F));
        levels_[i] = static_cast<std::uint8_t>(std::min(level(key) + 0.5F, 255.0F));
    }
}

void ValueColours::makeLevels() {
    const float last = 1 + (high_ - low_) * factor_;
    if (!(last >= 1 && last <= std::numeric_limits<float>::max())) {
        levels_.assign(1, 0);
        return;
    }
    while (static_cast<std::size_t>(placeOf(last)) >= maxLevels) ++shift_;
    levels_.resize(static_cast<std::size_t>(placeOf(last)) + 1);
    if (kind_ == ScaleKind::log) {
        const float each = 255 / std::max(octaves(last), 1e-4F);
        fillLevels([each](float key) { return octaves(key) * each; });
    } else if (kind_ == ScaleKind::arcsinh) {
        const auto each =
            static_cast<float>(255 / std::asinh(ColourScale::softParts) / std::log2(std::exp(1.0)));
        fillLevels([each](float key) {
            const float x = key - 1;
            return octaves(x + root(x * x + 1)) * each;
        });
    } else {
        fillLevels([](float key) { return 255 * root((key - 1) / rootParts); });
    }
}

void ValueColours::paint(const float* cells, std::size_t n, QRgb* out) const {
    const float low = low_, high = high_, factor = factor_;
    const int shift = shift_;
    const bool linear = kind_ == ScaleKind::linear;
    const std::int32_t last = linear ? 255 : static_cast<std::int32_t>(levels_.size()) - 1;
    std::int32_t at[colourBlock];
    for (std::size_t start = 0; start < n; start += colourBlock) {
        const std::size_t count = std::min(colourBlock, n - start);
        const float* from = cells + start;
        QRgb* to = out + start;
        // Clamped first, so that invalid and outside cells can be computed along harmlessly.
        if (linear) {
            for (std::size_t i = 0; i < count; ++i) {
                const float value = std::min(std::max(from[i], low), high);
                at[i] = static_cast<std::int32_t>((value - low) * factor * 255 + 0.5F);
            }
            for (std::size_t i = 0; i < count; ++i)
                to[i] = table_[static_cast<std::size_t>(std::clamp(at[i], 0, last))];
        } else {
            constexpr auto one = std::bit_cast<std::int32_t>(1.0F);
            for (std::size_t i = 0; i < count; ++i) {
                const float value = std::min(std::max(from[i], low), high);
                at[i] = (std::bit_cast<std::int32_t>(1 + (value - low) * factor) - one) >> shift;
            }
            for (std::size_t i = 0; i < count; ++i)
                to[i] = table_[levels_[static_cast<std::size_t>(std::clamp(at[i], 0, last))]];
        }
        for (std::size_t i = 0; i < count; ++i) {
            const QRgb other = from[i] == LevelOfDetail::invalid ? invalid_ : outside_;
            to[i] = from[i] > LevelOfDetail::invalid ? to[i] : other;
        }
    }
}

}  // namespace ks::ui
