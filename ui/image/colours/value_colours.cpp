#include "ui/image/colours/value_colours.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "ui/image/view/level_of_detail.h"

namespace ks::ui {
namespace {

constexpr std::size_t colourBlock = 512;

/// log2 of a positive number: the exponent, and 2 artanh(z) / ln 2 of the mantissa, z = (m - 1) / (m + 1) <=
/// 1/3.
inline float octaves(float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    const float mantissa = std::bit_cast<float>((bits & 0x007fffff) | 0x3f800000);
    const float z = (mantissa - 1) / (mantissa + 1), s = z * z;
    constexpr float k = 2.885390082F;
    return static_cast<float>((bits >> 23) - 127) +
           k * z * (1 + s * (1 / 3.0F + s * (1 / 5.0F + s * (1 / 7.0F))));
}

/// Of a number >= 0; std::sqrt would keep the loop from vector code, as it may set errno. Newton's iteration
/// for 1 / sqrt(x), which doubles the digits each time.
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
        factor_ = static_cast<float>(255 / std::log2(std::max(scale.high / low, 1.0001)));
    else if (kind_ == ScaleKind::arcsinh)
        factor_ = static_cast<float>(1 / scale.softening());
    else
        factor_ = static_cast<float>(1 / (scale.high - low));
}

void ValueColours::paint(const float* cells, std::size_t n, QRgb* out) const {
    const float low = low_, high = high_, factor = factor_;
    const auto maximum =
        static_cast<float>(255 / std::asinh(ColourScale::softParts) / std::log2(std::exp(1.0)));
    std::int32_t at[colourBlock];
    for (std::size_t start = 0; start < n; start += colourBlock) {
        const std::size_t count = std::min(colourBlock, n - start);
        const float* from = cells + start;
        // Clamped first, so that what is invalid or outside takes part without harm.
        const auto each = [&](auto&& place) {
            for (std::size_t i = 0; i < count; ++i) {
                const float value = std::min(std::max(from[i], low), high);
                at[i] = static_cast<std::int32_t>(place(value) + 0.5F);
            }
        };
        switch (kind_) {
            case ScaleKind::linear:
                each([=](float v) { return (v - low) * factor * 255; });
                break;
            case ScaleKind::sqrt:
                each([=](float v) { return root((v - low) * factor) * 255; });
                break;
            case ScaleKind::log:
                each([=](float v) { return octaves(v / low) * factor; });
                break;
            case ScaleKind::arcsinh:
                each([=](float v) {
                    const float x = (v - low) * factor;
                    return octaves(x + root(x * x + 1)) * maximum;
                });
                break;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const QRgb colour = table_[static_cast<std::size_t>(std::clamp(at[i], 0, 255))];
            out[start + i] = from[i] > LevelOfDetail::invalid    ? colour
                             : from[i] == LevelOfDetail::invalid ? invalid_
                                                                 : outside_;
        }
    }
}

}  // namespace ks::ui
