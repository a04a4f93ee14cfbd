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
/// Of 8 and 16 bits, the two largest values mark invalid pixels. Of 32 bits, counts from sums_limit on are in
/// no sum.
template <class T>
constexpr std::uint32_t largest = sizeof(T) <= 2 ? std::numeric_limits<T>::max() - 2U
                                                 : static_cast<std::uint32_t>(sums_limit) - 1;

/// A window clipped at the border of its module, in pixels of the frame.
struct Window {
    std::size_t centre;
    std::vector<std::size_t> others;
};

template <class T>
class CriticalWindows {
  public:
    CriticalWindows(std::span<T> frame, PixelMask& mask, const Thresholds& thresholds)
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
            double factor = 4 * random.uniform();
            if (sizeof(T) > 2) factor *= largest<T> / (4 * std::max(1.0, mean_of(window)));
            for (const std::size_t at : window.others) put(at, factor * frame_[at]);
        }
        if (kind == Kind::beside_a_bright_pixel) {
            const std::size_t at = window.others[random.next() % window.others.size()];
            put(at, 60 + 2 * std::uint32_t{frame_[at]});
        }
        for (const std::size_t at : window.others)
            if (mask_.ignore[at] != 0) put(at, random.next() % 2 == 0 ? largest<T> : 0);
        if (mask_.ignore[window.centre] != 0) return;
        const std::optional<std::uint32_t> least = least_signal(window);
        if (!least)
            put(window.centre, largest<T>);  // no count is signal
        else
            put(window.centre, is_signal || *least == 0 ? *least : *least - 1);
    }

    /// Leaves one count beside the centre, which is chosen as in fill().
    void fill_nearly_empty(const Window& window, bool is_signal, Random& random) {
        if (window.others.empty()) return;
        for (const std::size_t at : window.others) frame_[at] = 0;
        frame_[window.others[random.next() % window.others.size()]] = 1;
        fill(window, Kind::as_it_is, is_signal, random);
    }

  private:
    void put(std::size_t at, double count) {
        frame_[at] = static_cast<T>(std::min(count, static_cast<double>(largest<T>)));
    }

    double mean_of(const Window& window) const {
        double sum = 0;
        for (const std::size_t at : window.others) sum += frame_[at];
        return sum / static_cast<double>(window.others.size());
    }

    /// A count of the centre for which the tests of the basic algorithm find it, and do not for one count
    /// less.
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
        const auto is_signal = [&](std::uint32_t p) {
            return p > t_.global_threshold && test_.strong(m, x + p, p) &&
                   test_.dispersed(m, x + p, DispersionTest::Wide{y + std::uint64_t{p} * p});
        };
        if (is_signal(0)) return 0;
        std::uint32_t below = 0, found = largest<T>;
        if (!is_signal(found)) return std::nullopt;
        while (found - below > 1) {
            const std::uint32_t middle = below + (found - below) / 2;
            (is_signal(middle) ? found : below) = middle;
        }
        return found;
    }

    std::span<T> frame_;
    PixelMask& mask_;
    const Thresholds& t_;
    DispersionTest test_;
};

/// @param gap rows between windows
std::vector<Window> windows_of(const ModuleLayout& layout, std::size_t width, const Thresholds& t,
                               std::size_t gap) {
    const auto ky = static_cast<std::size_t>(t.kernel_y), kx = static_cast<std::size_t>(t.kernel_x);
    std::vector<Window> all;
    for (const ModuleLayout::Origin origin : layout.origins)
        for (std::size_t y = 0; y < layout.height; y += 2 * ky + 1 + gap)
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

/// Below so many counts per pixel, frames have few.
constexpr double few_counts = 0.2;

template <class T>
bool has_few_counts(std::span<const T> frames) {
    double sum = 0;
    for (const T count : frames) sum += count;
    return sum < few_counts * static_cast<double>(frames.size());
}

template <class T>
void make_critical(std::span<T> frames, std::size_t height, std::size_t width, const ModuleLayout& layout,
                   const Thresholds& thresholds, std::uint64_t seed, PixelMask& mask) {
    const std::size_t pixels = height * width;
    mask.height = height;
    mask.width = width;
    mask.ignore.resize(pixels, 0);
    const bool few = has_few_counts(std::span<const T>(frames));
    // With the gap, centres are in rows of any remainder modulo the height of a window.
    const std::vector<Window> windows = windows_of(layout, width, thresholds, few ? 2 : 0);
    const std::vector<Kind> kind = [&] {
        Random random(seed, 0);
        std::vector<Kind> chosen(windows.size());
        for (Kind& one : chosen) one = static_cast<Kind>(random.next() % kinds);
        return chosen;
    }();
    for (std::size_t first = 0; first < frames.size(); first += pixels) {
        CriticalWindows<T> made(frames.subspan(first, pixels), mask, thresholds);
        Random random(seed, 1 + first / pixels);
        if (few) {
            for (std::size_t i = 0; i < windows.size(); ++i)
                if (random.next() % 4 == 0)
                    made.fill_nearly_empty(windows[i], (i + first / pixels) % 2 == 0, random);
            continue;
        }
        if (first == 0)
            for (std::size_t i = 0; i < windows.size(); ++i) made.choose_masked(windows[i], kind[i], random);
        for (std::size_t i = 0; i < windows.size(); ++i)
            made.fill(windows[i], kind[i], (i + first / pixels) % 2 == 0, random);
    }
}

}  // namespace

void make_windows_critical(std::span<std::uint8_t> frames, std::size_t height, std::size_t width,
                           const ModuleLayout& layout, const Thresholds& thresholds, std::uint64_t seed,
                           PixelMask& mask) {
    make_critical(frames, height, width, layout, thresholds, seed, mask);
}

void make_windows_critical(std::span<std::uint16_t> frames, std::size_t height, std::size_t width,
                           const ModuleLayout& layout, const Thresholds& thresholds, std::uint64_t seed,
                           PixelMask& mask) {
    make_critical(frames, height, width, layout, thresholds, seed, mask);
}

void make_windows_critical(std::span<std::uint32_t> frames, std::size_t height, std::size_t width,
                           const ModuleLayout& layout, const Thresholds& thresholds, std::uint64_t seed,
                           PixelMask& mask) {
    make_critical(frames, height, width, layout, thresholds, seed, mask);
}

}  // namespace ks::spots
