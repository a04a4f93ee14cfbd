#include "core/data/partition/q_partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/data/partition/label_rows.h"
#include "core/data/partition/radial_rows.h"

namespace ks {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, at);) parts.push_back(part);
    // getline yields no part after a trailing separator.
    if (text.ends_with(at)) parts.emplace_back();
    return parts;
}

double number(const std::string& text, const std::string& all) {
    try {
        std::size_t used = 0;
        const double value = std::stod(text, &used);
        if (used == text.size() && std::isfinite(value)) return value;
    } catch (const std::exception&) {
    }
    throw Error(ErrorKind::input, "expected five numbers X,Y,R0,WIDTH,N, found \"" + all + "\"", "rings");
}

/// sin(theta) of Geometry::q for a pixel at x, y micrometres from the beam, using square roots only since
/// there are many pixels. With t = tan(2 theta) and c = cos(2 theta) it is the root of (1 - c) / 2 = t^2 c^2
/// / (2 (1 + c)).
double sine_of_theta(double x, double y, const Geometry& geometry) {
    const double distance = geometry.distance * micrometre_per_millimetre;
    const double t2 = (x * x + y * y) / (distance * distance);
    const double c = 1.0 / std::sqrt(1.0 + t2);
    return std::sqrt(t2 * c * c / (2.0 * (1.0 + c)));
}

/// Throws ks::Error(input) for a wrong size, negative labels or too many bins.
std::size_t highest_label(std::size_t height, std::size_t width, const std::vector<std::int32_t>& labels,
                          const std::string& where) {
    if (labels.size() != height * width)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} x {} labels, found {}", height, width, labels.size()), where);
    std::int32_t lowest = 0, highest = 0;
    for (const std::int32_t label : labels) {
        lowest = std::min(lowest, label);
        highest = std::max(highest, label);
    }
    if (lowest < 0) {
        const auto first = std::ranges::find_if(labels, [](std::int32_t label) { return label < 0; });
        throw Error(ErrorKind::input, fmt::format("labels must be >= 0, found {}", *first), where);
    }
    if (static_cast<std::size_t>(highest) > max_bins)
        throw Error(ErrorKind::input,
                    fmt::format("found label {}, but at most {} bins are supported", highest, max_bins),
                    where);
    return static_cast<std::size_t>(highest);
}

}  // namespace

Rings Rings::parse(const std::string& text, const std::optional<Geometry>& geometry) {
    const std::vector<std::string> parts = split(text, ',');
    if (parts.size() != 5)
        throw Error(ErrorKind::input, "expected five numbers X,Y,R0,WIDTH,N, found \"" + text + "\"",
                    "rings");
    Rings rings;
    if (parts[0] == "beam" && parts[1] == "beam") {
        if (!geometry)
            throw Error(ErrorKind::input, "the file has no beam centre", "rings",
                        "give X and Y in pixels instead of the word \"beam\"");
        rings.x = geometry->beam_x;
        rings.y = geometry->beam_y;
    } else {
        rings.x = number(parts[0], text);
        rings.y = number(parts[1], text);
    }
    rings.r0 = number(parts[2], text);
    rings.width = number(parts[3], text);
    const double n = number(parts[4], text);
    if (rings.r0 < 0)
        throw Error(ErrorKind::input, fmt::format("R0 must be >= 0, found {}", rings.r0), "rings");
    if (!(rings.width > 0))
        throw Error(ErrorKind::input, fmt::format("WIDTH must be > 0, found {}", rings.width), "rings");
    if (n != std::floor(n) || n < 1 || n > static_cast<double>(max_bins))
        throw Error(ErrorKind::input,
                    fmt::format("N must be a whole number from 1 to {}, found {}", max_bins, n), "rings");
    rings.n = static_cast<std::size_t>(n);
    return rings;
}

std::string Rings::to_string() const {
    return fmt::format("{},{},{},{},{}", x, y, r0, width, n);
}

QPartition::QPartition(std::size_t height, std::size_t width, std::vector<std::int32_t> labels,
                       const std::string& where)
    : height_(height), width_(width) {
    const std::size_t highest = highest_label(height, width, labels, where);
    take(std::move(labels), highest);
}

QPartition::QPartition(std::size_t height, std::size_t width, std::vector<std::int32_t> labels,
                       std::size_t bins, const std::string& where)
    : height_(height), width_(width) {
    const std::size_t highest = highest_label(height, width, labels, where);
    if (bins > max_bins)
        throw Error(ErrorKind::input,
                    fmt::format("{} bins are declared, but at most {} are supported", bins, max_bins), where);
    if (highest > bins)
        throw Error(ErrorKind::input,
                    fmt::format("found label {}, which is above the number of bins, {}", highest, bins),
                    where);
    take(std::move(labels), bins);
}

void QPartition::take(std::vector<std::int32_t> labels, std::size_t bins) {
    auto whole = std::make_shared<Whole>();
    whole->labels = std::move(labels);
    pixels_by_label(whole->labels, bins, offsets_, whole->pixels);
    whole_ = std::move(whole);
}

const std::vector<std::int32_t>& QPartition::labels() const {
    if (!is_part()) return whole_->labels;
    std::call_once(own_->once, [this] {
        resize_large(own_->labels, whole_->labels.size());
        for (const std::uint32_t pixel : pixels()) own_->labels[pixel] = label(pixel);
    });
    return own_->labels;
}

QPartition QPartition::from_array(const Array& labels, const std::string& where) {
    if (labels.rank() != 2)
        throw Error(ErrorKind::input,
                    fmt::format("labels must have 2 dimensions, [y][x], found {}", labels.rank()), where);
    std::vector<std::int32_t> values(labels.size());
    visit_element(labels.type(), [&](auto zero) {
        const auto from = labels.as<decltype(zero)>();
        for (std::size_t i = 0; i < from.size(); ++i) {
            const auto value = static_cast<double>(from[i]);
            if (!(value >= std::numeric_limits<std::int32_t>::min() &&
                  value <= std::numeric_limits<std::int32_t>::max()) ||
                value != std::floor(value))
                throw Error(ErrorKind::input,
                            fmt::format("labels must be 32-bit integers, found {} at row {}, column {}",
                                        value, i / labels.shape()[1], i % labels.shape()[1]),
                            where);
            values[i] = static_cast<std::int32_t>(value);
        }
    });
    return {labels.shape()[0], labels.shape()[1], std::move(values), where};
}

QPartition QPartition::from_rings(std::size_t height, std::size_t width, const Rings& rings) {
    RadialRows::Bounds bounds;
    for (std::size_t k = 0; k <= rings.n; ++k) {
        bounds.distances.push_back(rings.r0 + static_cast<double>(k) * rings.width);
        bounds.values.push_back(static_cast<std::int32_t>(k));
    }
    bounds.values.push_back(0);
    bounds.reached = [rings](double x, double y, std::size_t k) {
        const double dx = x - rings.x, dy = y - rings.y;
        return (std::sqrt(dx * dx + dy * dy) - rings.r0) / rings.width >= static_cast<double>(k);
    };
    const RadialRows rows(rings.x, rings.y, 1, 1, std::move(bounds));
    std::vector<std::int32_t> labels;
    resize_large(labels, height * width);
    for_row_blocks(height, width,
                   [&](std::size_t row) { rows.draw(row, std::span(labels).subspan(row * width, width)); });
    return {height, width, std::move(labels), rings.n};
}

QPartition QPartition::without(const std::vector<std::uint8_t>& drop) const {
    QPartition kept = *this;
    kept.leave_out(drop);
    return kept;
}

void QPartition::leave_out(const std::vector<std::uint8_t>& drop) {
    auto kept = std::make_shared<Whole>();
    kept->labels = labels();
    kept->pixels.reserve(selected());
    const std::span<const std::uint32_t> all = pixels();
    std::uint32_t from = 0;
    for (std::size_t bin = 0; bin < bins(); ++bin) {
        for (const std::uint32_t end = offsets_[bin + 1]; from < end; ++from)
            if (drop[all[from]] == 0)
                kept->pixels.push_back(all[from]);
            else
                kept->labels[all[from]] = 0;
        offsets_[bin + 1] = static_cast<std::uint32_t>(kept->pixels.size());
    }
    whole_ = std::move(kept);
    first_bin_ = first_pixel_ = 0;
}

QPartition QPartition::part(std::size_t first, std::size_t end) const {
    QPartition some = *this;
    const std::uint32_t before = offsets_[first];
    some.offsets_.clear();
    for (std::size_t bin = first; bin <= end; ++bin) some.offsets_.push_back(offsets_[bin] - before);
    some.first_bin_ += first;
    some.first_pixel_ += before;
    some.own_ = std::make_shared<OwnLabels>();
    return some;
}

std::vector<BinMeaning> QPartition::meanings(const Geometry& geometry) const {
    /// Mean of the unit vectors to the pixels; it is 0.1 for a sector of 335 degrees.
    constexpr double least_direction = 0.1;
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    std::vector<BinMeaning> all(bins(), {unknown, unknown});
    const bool complete = geometry.complete();
    const double aspect = geometry.aspect();
    // One thread per bin, so that the order of summation is fixed.
    const std::span<const std::uint32_t> pixels = this->pixels();
    parallel_for(bins(), compute_threads(), [&](std::size_t bin) {
        if (bin_size(bin) == 0) return;
        double sum_sine = 0, sum_x = 0, sum_y = 0;
        for (std::uint32_t at = offsets_[bin]; at < offsets_[bin + 1]; ++at) {
            const double x = static_cast<double>(pixels[at] % width_) + 0.5 - geometry.beam_x;
            const double y = static_cast<double>(pixels[at] / width_) + 0.5 - geometry.beam_y;
            // Cosine and sine of the azimuth, which is defined as 0 at the beam.
            const double down = y * aspect, radius = std::sqrt(x * x + down * down);
            sum_x += radius > 0 ? x / radius : 1;
            sum_y += radius > 0 ? down / radius : 0;
            if (complete)
                sum_sine += sine_of_theta(x * geometry.pixel_size_x, y * geometry.pixel_size_y, geometry);
        }
        if (complete)
            all[bin].q =
                4.0 * std::numbers::pi / geometry.wavelength * sum_sine / static_cast<double>(bin_size(bin));
        // The directions of a ring cancel but for the raster of pixels.
        if (std::hypot(sum_x, sum_y) > least_direction * static_cast<double>(bin_size(bin)))
            all[bin].phi = std::atan2(sum_y, sum_x) * 180.0 / std::numbers::pi;
    });
    return all;
}

}  // namespace ks
