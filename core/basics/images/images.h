#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/basics/images/sampler.h"
#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// A picture, and where it is sampled for each pixel of the result, which is as large.
struct ImagesProblem : Problem {
    std::size_t width = 0, height = 0;
    std::vector<float> values;  ///< [y][x]
    Addressing addressing = Addressing::clamp_to_edge;
    bool linear = false, normalised = false;
    /// Coordinates of the columns, [x], and rows, [y], as a kernel gets them: in pixels, or where they are
    /// normalised in widths and heights.
    std::vector<float> columns, rows;

    Picture picture() const { return {values, width, height}; }
    /// In pixels.
    double u(std::size_t x) const {
        return static_cast<double>(columns[x]) * (normalised ? static_cast<double>(width) : 1);
    }
    double v(std::size_t y) const {
        return static_cast<double>(rows[y]) * (normalised ? static_cast<double>(height) : 1);
    }
};

std::unique_ptr<Analysis> make_images();
/// host.reference: the samplers in double.
std::vector<HostVariant> images_on_host();

/// How far a weight of the linear filter may be off: the least that devices have are 8 bits behind the point,
/// and coordinates of such a grid are rounded or cut off. Also how near the border of a pixel a coordinate
/// may be taken for one on the other side.
inline constexpr double weight_error = 0x1p-8;

/// The result of a variant. @param sampled [y][x] @param formats channel orders and types that the device
///   supports, as lines; empty on the host
Result images_result(const ImagesProblem& problem, const std::vector<float>& sampled,
                     const std::string& formats);

}  // namespace ks::basics
