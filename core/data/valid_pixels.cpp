#include "core/data/valid_pixels.h"

#include <fmt/format.h>

#include <limits>

#include "core/base/error.h"

namespace ks {

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
    visit_element(frame.type(), [&](auto zero) {
        const auto values = frame.as<decltype(zero)>();
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (is_count(values[i]) && (ignore == nullptr || (*ignore)[i] == 0))
                counts[i] = static_cast<float>(values[i]);
    });
    return counts;
}

}  // namespace ks
