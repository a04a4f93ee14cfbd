#include "core/spots/synthetic/critical_windows.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/random.h"

namespace ks::spots {
namespace {

/// What is done with a window before its centre is chosen.
enum class Kind { as_it_is, scaled, beside_a_bright_pixel, some_masked, two_left, centre_left };
constexpr std::uint64_t kinds = 6;
/// The two largest values mark invalid pixels.
constexpr std::uint32_t largest = std::numeric_limits<std::uint16_t>::max() - 2;

/// A window clipped at the border of its module, in pixels of the frame.
struct Window {
    std::size_t centre;
    std::vector<std::size_t> others;
};

class CriticalWindows {
  public:
    CriticalWindows(std::span<std::uint16_t> frame, PixelMask& mask, const Thresholds& thresholds)
        : frame_(frame), mask_(mask), t_(thresholds), test_(thresholds) {}

    /// Masks pixels of a window.
    void choose_masked(const Window& window, Kind kind, Random& random) {
        if (kind == Kind::some_masked)
            for (const std::size_t at : window.others)
                if (random.next() % 3 == 0) mask_.ignore[at] = 1;
        if (kind != Kind::two_left && kind != Kind::centre_left) return;
        for (const std::size_t at : window.others) mask_.ignore[at] = 1;
        if (kind == Kind::two_left) mask_.ignore[window.others[random.next() % window.others.size()]] = 0;
    }

    void fill(const Window& window, Kind kind, bool is_signal, Random& random) {
        if (kind == Kind::scaled) {
            const double factor = 4 * random.uniform();
            for (const std::size_t at : window.others)
                put(at, static_cast<std::uint32_t>(factor * frame_[at]));
        }
        if (kind == Kind::beside_a_bright_pixel) {
            const std::size_t at = window.others[random.next() % window.others.size()];
            put(at, 60 + 2 * std::uint32_t{frame_[at]});
        }
        for (const std::size_t at : window.others)
            if (mask_.ignore[at] != 0) put(at, random.next() % 2 == 0 ? largest : 0);
        if (mask_.ignore[window.centre] != 0) return;
        const std::optional<std::uint32_t> least = least_signal(window);
        if (!least)
            put(window.centre, largest);  // no count is signal
        else
            put(window.centre, is_signal || *least == 0 ? *least : *least - 1);
    }

  private:
    void put(std::size_t at, std::uint32_t count) {
        frame_[at] = static_cast<std::uint16_t>(std::min(count, largest));
    }

    /// The smallest count of the centre for which the tests of the basic algorithm find it.
    std::optional<std::uint32_t> least_signal(const Window& window) const {
        std::uint32_t m = 1;
        std::uint64_t x = 0, y = 0;
        for (const std::size_t at : window.others)
            if (mask_.ignore[at] == 0) {
                const std::uint64_t p = frame_[at];
                ++m;
                x += p;
                y += p * p;
            }
        if (m < static_cast<std::uint32_t>(t_.min_local)) return std::nullopt;
        for (std::uint32_t p = 0; p <= largest; ++p)
            if (p > t_.global_threshold && test_.strong(m, x + p, p) &&
                test_.dispersed(m, x + p, DispersionTest::Wide{y + std::uint64_t{p} * p}))
                return p;
        return std::nullopt;
    }

    std::span<std::uint16_t> frame_;
    PixelMask& mask_;
    const Thresholds& t_;
    DispersionTest test_;
};

std::vector<Window> windows_of(const ModuleLayout& layout, std::size_t width, const Thresholds& t) {
    const auto ky = static_cast<std::size_t>(t.kernel_y), kx = static_cast<std::size_t>(t.kernel_x);
    std::vector<Window> all;
    for (const ModuleLayout::Origin origin : layout.origins)
        for (std::size_t y = 0; y < layout.height; y += 2 * ky + 1)
            for (std::size_t x = 0; x < layout.width; x += 2 * kx + 1) {
                const auto pixel = [&](std::size_t row, std::size_t column) {
                    return (origin.y + row) * width + origin.x + column;
                };
                Window window{pixel(y, x), {}};
                for (std::size_t row = y - std::min(y, ky); row < std::min(layout.height, y + ky + 1); ++row)
                    for (std::size_t column = x - std::min(x, kx);
                         column < std::min(layout.width, x + kx + 1); ++column)
                        if (pixel(row, column) != window.centre) window.others.push_back(pixel(row, column));
                all.push_back(std::move(window));
            }
    return all;
}

}  // namespace

void make_windows_critical(std::span<std::uint16_t> frames, std::size_t height, std::size_t width,
                           const ModuleLayout& layout, const Thresholds& thresholds, std::uint64_t seed,
                           PixelMask& mask) {
    const std::size_t pixels = height * width;
    mask.height = height;
    mask.width = width;
    mask.ignore.resize(pixels, 0);
    const std::vector<Window> windows = windows_of(layout, width, thresholds);
    const std::vector<Kind> kind = [&] {
        Random random(seed, 0);
        std::vector<Kind> chosen(windows.size());
        for (Kind& one : chosen) one = static_cast<Kind>(random.next() % kinds);
        return chosen;
    }();
    for (std::size_t first = 0; first < frames.size(); first += pixels) {
        CriticalWindows made(frames.subspan(first, pixels), mask, thresholds);
        Random random(seed, 1 + first / pixels);
        if (first == 0)
            for (std::size_t i = 0; i < windows.size(); ++i) made.choose_masked(windows[i], kind[i], random);
        for (std::size_t i = 0; i < windows.size(); ++i)
            made.fill(windows[i], kind[i], (i + first / pixels) % 2 == 0, random);
    }
}

}  // namespace ks::spots
