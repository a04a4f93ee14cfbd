#include "core/data/partition/sector_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace ks {
namespace {

/// Rays whose relative distance to a pixel's centre is smaller than this are decided by the definition; so
/// are rows that are this close to the beam, in pixels.
constexpr double close_ray = 1e-9, close_row = 1e-6;

}  // namespace

std::size_t Sectors::at(double phi) const {
    const double width = 360.0 / static_cast<double>(sectors);
    double angle = std::fmod(phi - start, 360.0);
    if (angle < 0) angle += 360.0;
    const std::size_t sector = std::min(static_cast<std::size_t>(angle / width), sectors - 1);
    if (parts == 1) return sector;
    const double within = std::max(0.0, angle - static_cast<double>(sector) * width);
    const auto piece = static_cast<std::size_t>(within / (width / static_cast<double>(parts)));
    return sector * parts + std::min(piece, parts - 1);
}

SectorRows::SectorRows(const Geometry& geometry, const Sectors& sectors)
    : geometry_(geometry), sectors_(sectors) {
    if (sectors_.size() == 1) return;
    for (std::size_t i = 0; i < sectors_.size(); ++i) {
        const double degrees = std::fmod(sectors_.start, 360.0) +
                               360.0 * static_cast<double>(i) / static_cast<double>(sectors_.size());
        const double angle = degrees * std::numbers::pi / 180.0;
        const double sine = std::sin(angle);
        if (sine == 0) continue;
        (sine > 0 ? below_ : above_).push_back(std::cos(angle) / sine);
    }
    std::ranges::sort(below_);
    std::ranges::sort(above_, std::greater<>());
}

std::int32_t SectorRows::part(double x, double y) const {
    return static_cast<std::int32_t>(sectors_.at(geometry_.phi(x, y)));
}

void SectorRows::add(std::size_t row, std::span<std::int32_t> out) const {
    if (sectors_.size() == 1) return;
    const double y = static_cast<double>(row) + 0.5, dy = y - geometry_.beam_y;
    std::size_t begin = 0;
    const auto piece_to = [&](std::size_t end) {
        if (end <= begin) return;
        const std::int32_t sector = part(static_cast<double>(begin) + 0.5, y);
        for (std::int32_t& value : out.subspan(begin, end - begin)) value += value > 0 ? sector : 0;
        begin = end;
    };
    if (std::abs(dy) < close_row) {
        for (std::size_t end = 1; end <= out.size(); ++end) piece_to(end);
        return;
    }
    const auto last = static_cast<double>(out.size());
    const auto cut = [&](double at) { piece_to(static_cast<std::size_t>(std::clamp(at, 0.0, last))); };
    for (const double slope : dy > 0 ? below_ : above_) {
        const double at = geometry_.beam_x + dy * slope - 0.5, nearest = std::round(at);
        if (at >= last) break;
        if (std::abs(at - nearest) < close_ray * (1 + std::abs(at) + std::abs(geometry_.beam_x))) {
            cut(nearest);
            cut(nearest + 1);
        } else {
            cut(std::ceil(at));
        }
    }
    piece_to(out.size());
}

}  // namespace ks
