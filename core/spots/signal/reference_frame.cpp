#include "core/spots/signal/reference_frame.h"

#include <algorithm>

namespace ks::spots {
namespace {

/// Rows per band: few, so that cancelling is prompt and small frames use all cores.
constexpr std::size_t band_rows = 64;

/// Number of rows above and below a pixel on which its signal may depend.
std::size_t reach_of(const Thresholds& t) {
    const auto k = static_cast<std::size_t>(t.kernel_y);
    if (t.algorithm == Algorithm::dispersion) return k;
    // Background window, erosion, dispersion window.
    return k + 2 + static_cast<std::size_t>(std::min(t.kernel_x, t.kernel_y)) - 1 + k;
}

/// Rows [y0, y1) of a module as an image; `store` holds the pixels unless the module is the whole frame.
ImageView rows_of(const SpotProblem& problem, std::span<const std::byte> pixels, std::size_t module,
                  std::size_t y0, std::size_t y1, std::vector<std::byte>& store) {
    const ModuleLayout& layout = problem.layout();
    const std::size_t bytes = size_of(problem.type()), row = layout.width * bytes;
    const auto ignore = std::span(problem.ignore_cut())
                            .subspan((module * layout.height + y0) * layout.width, (y1 - y0) * layout.width);
    std::span<const std::byte> values = pixels;
    if (layout.is_whole()) {
        values = pixels.subspan(y0 * row, (y1 - y0) * row);
    } else {
        const ModuleLayout::Origin origin = layout.origins[module];
        store.resize((y1 - y0) * row);
        for (std::size_t y = y0; y < y1; ++y)
            std::copy_n(pixels.data() + ((origin.y + y) * layout.frame_width + origin.x) * bytes, row,
                        store.data() + (y - y0) * row);
        values = store;
    }
    return {values, problem.type(), y1 - y0, layout.width, ignore, problem.limit()};
}

}  // namespace

SignalBands::SignalBands(const SpotProblem& problem, ImageSignal find)
    : problem_(problem),
      find_(find),
      reach_(reach_of(problem.thresholds())),
      bands_of_module_((problem.layout().height + band_rows - 1) / band_rows) {}

std::vector<std::uint32_t> SignalBands::signal(std::span<const std::byte> pixels, std::size_t band) const {
    const ModuleLayout& layout = problem_.layout();
    const std::size_t module = band / bands_of_module_;
    const std::size_t y0 = band % bands_of_module_ * band_rows, y1 = std::min(layout.height, y0 + band_rows);
    const std::size_t from = y0 - std::min(y0, reach_), to = std::min(layout.height, y1 + reach_);
    std::vector<std::byte> store;
    Progress nobody;  // only the thread of the job may report
    const auto signal =
        find_(rows_of(problem_, pixels, module, from, to, store), problem_.thresholds(), nobody);
    std::vector<std::uint32_t> found;
    for (std::size_t i = (y0 - from) * layout.width; i < (y1 - from) * layout.width; ++i)
        if (signal[i] != 0)
            found.push_back(static_cast<std::uint32_t>(
                layout.in_frame((module * layout.height + from) * layout.width + i)));
    return found;
}

std::vector<std::uint32_t> SignalBands::joined(std::span<const std::vector<std::uint32_t>> bands) {
    std::vector<std::uint32_t> all;
    for (const auto& band : bands) all.insert(all.end(), band.begin(), band.end());
    std::ranges::sort(all);  // adjacent modules share rows
    return all;
}

std::vector<std::uint8_t> frame_signal_at(const SpotProblem& problem, std::span<const std::byte> pixels,
                                          std::span<const std::uint32_t> some) {
    const ModuleLayout& layout = problem.layout();
    std::vector<std::uint8_t> found(some.size(), 0);
    for (std::size_t module = 0; module < layout.modules(); ++module) {
        const ModuleLayout::Origin origin = layout.origins[module];
        std::vector<std::uint32_t> inside;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < some.size(); ++i) {
            const std::size_t y = some[i] / layout.frame_width - origin.y;
            const std::size_t x = some[i] % layout.frame_width - origin.x;
            if (y >= layout.height || x >= layout.width) continue;  // also if it would be negative
            inside.push_back(static_cast<std::uint32_t>(y * layout.width + x));
            places.push_back(i);
        }
        if (inside.empty()) continue;
        std::vector<std::byte> store;
        const auto signal = reference_signal_at(rows_of(problem, pixels, module, 0, layout.height, store),
                                                problem.thresholds(), inside);
        for (std::size_t i = 0; i < signal.size(); ++i) found[places[i]] = signal[i];
    }
    return found;
}

}  // namespace ks::spots
