#include "core/data/profiles/line_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/data/valid_pixels.h"

namespace ks {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t max_points = 100'000;

double value_at(const Array& frame, std::size_t at) {
    return visit_element(frame.type(), [&]<class T>(T) {
        const T value = frame.as<T>()[at];
        return is_shown_count(value) ? static_cast<double>(value) : unknown;
    });
}

}  // namespace

LineProfile line_profile(const Array& frame, const std::vector<std::uint8_t>* ignore, ImagePoint a,
                         ImagePoint b) {
    if (frame.rank() != 2) throw Error(ErrorKind::run, "a profile needs a frame with 2 dimensions");
    if (ignore && !ignore->empty() && ignore->size() != frame.size())
        throw Error(ErrorKind::run, "the mask and the frame differ in size");
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (!std::isfinite(length)) return {};
    const std::size_t steps = std::min(max_points, static_cast<std::size_t>(std::ceil(length)));
    const auto height = static_cast<double>(frame.shape()[0]), width = static_cast<double>(frame.shape()[1]);
    LineProfile profile;
    for (std::size_t k = 0; k <= steps; ++k) {
        const double part = steps > 0 ? static_cast<double>(k) / static_cast<double>(steps) : 0;
        const double x = a.x + part * (b.x - a.x), y = a.y + part * (b.y - a.y);
        double value = unknown;
        if (x >= 0 && y >= 0 && x < width && y < height) {
            const std::size_t at =
                static_cast<std::size_t>(y) * frame.shape()[1] + static_cast<std::size_t>(x);
            if (!ignore || ignore->empty() || (*ignore)[at] == 0) value = value_at(frame, at);
        }
        profile.distance.push_back(part * length);
        profile.value.push_back(value);
    }
    return profile;
}

}  // namespace ks
