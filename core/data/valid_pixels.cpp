#include "core/data/valid_pixels.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/parallel.h"

namespace ks {

std::optional<double> lowest_without_count(ElementType type) {
    switch (type) {
        case ElementType::u8:
            return std::numeric_limits<std::uint8_t>::max();
        case ElementType::u16:
            return std::numeric_limits<std::uint16_t>::max() - 1;
        case ElementType::u32:
            return std::numeric_limits<std::uint32_t>::max() - 1;
        default:
            return std::nullopt;
    }
}

void require_frame(const Array& frame, const std::vector<std::uint8_t>* ignore) {
    if (frame.rank() != 2)
        throw Error(ErrorKind::run,
                    fmt::format("expected a frame [y][x], found {} dimensions", frame.rank()));
    if (ignore != nullptr && ignore->size() != frame.size())
        throw Error(ErrorKind::run, fmt::format("expected a mask of {} x {} pixels, found {} values",
                                                frame.shape()[0], frame.shape()[1], ignore->size()));
}

std::vector<float> valid_counts(const Array& frame, const std::vector<std::uint8_t>* ignore) {
    require_frame(frame, ignore);
    std::vector<float> counts(frame.size(), std::numeric_limits<float>::quiet_NaN());
    const std::size_t height = frame.shape()[0], width = frame.shape()[1];
    visit_element(frame.type(), [&](auto zero) {
        const auto values = frame.as<decltype(zero)>();
        parallel_for(height, compute_threads(), [&](std::size_t row) {
            for (std::size_t i = row * width; i < (row + 1) * width; ++i)
                if (is_shown_count(values[i]) && (ignore == nullptr || (*ignore)[i] == 0))
                    counts[i] = static_cast<float>(values[i]);
        });
    });
    return counts;
}

}  // namespace ks
