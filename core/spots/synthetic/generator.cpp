#include "core/spots/synthetic/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/threads.h"

namespace ks::spots {

PoissonTable::PoissonTable(double mean) {
    constexpr double all = 4294967296.0;
    constexpr std::uint32_t largest = 0xffffffff;
    double below = 0;
    const auto maximum = static_cast<std::uint32_t>(mean + 20 * std::sqrt(mean) + 40);
    for (std::uint32_t k = 0; mean > 0 && k < maximum; ++k) {
        below += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
        // A count that no random number yields shares the number of the previous one.
        last_.push_back(static_cast<std::uint32_t>(std::clamp(std::round(below * all) - 1, 0.0, all - 1)));
    }
    last_.push_back(largest);
    std::uint32_t k = 0;
    for (std::uint32_t high = 0; high < first_.size(); ++high) {
        while (high << 24 > last_[k]) ++k;
        first_[high] = k;
    }
}

namespace {

/// Number of background levels in a frame.
constexpr std::size_t levels = 256;
/// Random number streams; rows use those from 0 on.
constexpr std::uint64_t spots_stream = std::uint64_t{1} << 61, places_stream = std::uint64_t{2} << 61,
                        hot_stream = std::uint64_t{3} << 61, pixels_stream = std::uint64_t{4} << 61,
                        counts_stream = pixels_stream + 1;

unsigned thread_count() {
    return compute_threads();
}

/// Fraction of a Gaussian at 0 within [from, to).
double part(double from, double to, double sigma) {
    const double scale = 1 / (sigma * std::numbers::sqrt2);
    return 0.5 * (std::erf(to * scale) - std::erf(from * scale));
}

/// Largest distance of a pixel from the beam.
double farthest(const SceneSpec& spec) {
    const auto h = static_cast<double>(spec.height), w = static_cast<double>(spec.width);
    const Geometry geometry = spec.geometry();
    double r = 1;
    for (const double x : {0.0, w})
        for (const double y : {0.0, h}) r = std::max(r, geometry.radius(x, y));
    return r;
}

void require(const SceneSpec& spec) {
    if (spec.counts_min > spec.counts_max)
        throw Error(ErrorKind::input,
                    fmt::format("the minimum counts of a spot must not exceed the maximum, found {} and {}",
                                spec.counts_min, spec.counts_max),
                    "parameter counts_min");
    if (spec.hot_pixels + spec.dead_pixels > spec.height * spec.width / 2)
        throw Error(ErrorKind::input,
                    fmt::format("hot and dead pixels must be at most half of the {} pixels, found {}",
                                spec.height * spec.width, spec.hot_pixels + spec.dead_pixels),
                    "parameter hot_pixels");
}

}  // namespace

Geometry SceneSpec::geometry() const {
    return {wavelength,
            distance,
            beam_x.value_or(static_cast<double>(width) / 2),
            beam_y.value_or(static_cast<double>(height) / 2),
            pixel_size,
            pixel_size};
}

Scene::Scene(SceneSpec spec) : spec_(std::move(spec)), geometry_(spec_.geometry()) {
    require(spec_);
    const ModuleLayout layout = ModuleLayout::parse(spec_.modules, spec_.height, spec_.width);
    mask_.assign(spec_.height * spec_.width, 1);
    for (const ModuleLayout::Origin origin : layout.origins)
        for (std::size_t y = 0; y < layout.height; ++y)
            std::fill_n(mask_.begin() + static_cast<std::ptrdiff_t>((origin.y + y) * spec_.width + origin.x),
                        layout.width, 0U);
    Random random(spec_.seed, pixels_stream);
    std::vector<bool> taken(mask_.size());
    const auto pick = [&] {
        for (;;) {
            const std::size_t at = random.next() % mask_.size();
            if (mask_[at] != 0 || taken[at]) continue;
            taken[at] = true;
            return static_cast<std::uint32_t>(at);
        }
    };
    if (spec_.hot_pixels + spec_.dead_pixels > layout.pixels() / 2)
        throw Error(
            ErrorKind::input,
            fmt::format("hot and dead pixels must be at most half of the {} pixels in modules, found {}",
                        layout.pixels(), spec_.hot_pixels + spec_.dead_pixels),
            "parameter hot_pixels");
    for (std::size_t i = 0; i < spec_.dead_pixels; ++i) mask_[pick()] |= 2;
    for (std::size_t i = 0; i < spec_.hot_pixels; ++i) hot_.push_back(pick());
    std::ranges::sort(hot_);
    Random heights(spec_.seed, counts_stream);
    for (std::size_t i = 0; i < spec_.spots; ++i) {
        const double counts = spec_.counts_min + heights.uniform() * (spec_.counts_max - spec_.counts_min);
        truth_.push_back(place(i, counts, layout));
    }
}

TruthSpot Scene::place(std::size_t spot, double counts, const ModuleLayout& layout) const {
    Random random(spec_.seed, places_stream + spot);
    const auto w = static_cast<double>(spec_.width), h = static_cast<double>(spec_.height),
               n = static_cast<double>(spec_.frames);
    if (spec_.grid) {
        // Nodes with equal row and column spacing; frames in turn.
        const auto columns =
            static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(spec_.spots) * w / h)));
        const std::size_t rows = (spec_.spots + columns - 1) / columns;
        return {w * (static_cast<double>(spot % columns) + 0.5) / static_cast<double>(columns),
                h * (static_cast<double>(spot / columns) + 0.5) / static_cast<double>(rows),
                static_cast<double>(spot % spec_.frames) + 0.5, counts};
    }
    const ModuleLayout::Origin origin = layout.origins[random.next() % layout.modules()];
    const double x = static_cast<double>(origin.x) + random.uniform() * static_cast<double>(layout.width);
    const double y = static_cast<double>(origin.y) + random.uniform() * static_cast<double>(layout.height);
    return {x, y, random.uniform() * n, counts};
}

double Scene::share(const TruthSpot& spot, std::size_t frame) const {
    const double from = static_cast<double>(frame) - spot.z;
    return part(from, from + 1, spec_.rocking_sigma);
}

std::vector<std::size_t> Scene::levels_of_row(std::size_t y) const {
    std::vector<std::size_t> row(spec_.width, 0);
    if (spec_.falloff == 0) return row;
    const double scale = (levels - 1) / farthest(spec_);
    for (std::size_t x = 0; x < spec_.width; ++x)
        row[x] = static_cast<std::size_t>(
            geometry_.radius(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5) * scale);
    return row;
}

template <class T>
void Scene::add_spot(std::size_t spot, std::size_t number, T* out) const {
    const TruthSpot& s = truth_[spot];
    const double counts = s.counts * share(s, number);
    if (counts < 1e-6) return;
    Random random(spec_.seed, spots_stream + spot * spec_.frames + number);
    const double reach = std::ceil(6 * spec_.spot_sigma) + 1;
    const auto limits = [reach](double at, std::size_t size) {
        const auto end = static_cast<double>(size);
        return std::pair(static_cast<std::size_t>(std::clamp(std::floor(at - reach), 0.0, end)),
                         static_cast<std::size_t>(std::clamp(std::floor(at + reach), 0.0, end)));
    };
    const auto [x0, x1] = limits(s.x, spec_.width);
    const auto [y0, y1] = limits(s.y, spec_.height);
    constexpr double maximum = static_cast<double>(std::numeric_limits<T>::max());
    for (std::size_t y = y0; y < y1; ++y) {
        const double dy = static_cast<double>(y) - s.y, row = counts * part(dy, dy + 1, spec_.spot_sigma);
        for (std::size_t x = x0; x < x1; ++x) {
            const double dx = static_cast<double>(x) - s.x;
            const double more = static_cast<double>(random.poisson(row * part(dx, dx + 1, spec_.spot_sigma)));
            T& pixel = out[y * spec_.width + x];
            // The two largest values of unsigned types mark invalid pixels.
            pixel = static_cast<T>(std::min(static_cast<double>(pixel) + more, maximum - 2));
        }
    }
}

template <class T>
void Scene::fill(std::size_t number, T* out, Progress& progress) const {
    std::vector<PoissonTable> tables;
    for (std::size_t i = 0; i < (spec_.falloff == 0 ? 1 : levels); ++i)
        tables.emplace_back(spec_.background *
                            (1 - spec_.falloff * static_cast<double>(i) / static_cast<double>(levels - 1)));
    constexpr std::size_t rows = 16;
    parallel_for((spec_.height + rows - 1) / rows, thread_count(), progress, [&](std::size_t band) {
        for (std::size_t y = band * rows; y < std::min(spec_.height, (band + 1) * rows); ++y) {
            Random random(spec_.seed, number * spec_.height + y);
            const std::vector<std::size_t> level = levels_of_row(y);
            T* const row = out + y * spec_.width;
            std::uint64_t bits = 0;
            for (std::size_t x = 0; x < spec_.width; ++x) {
                bits = x % 2 == 0 ? random.next() : bits >> 32;
                row[x] = static_cast<T>(tables[level[x]](static_cast<std::uint32_t>(bits)));
            }
        }
    });
    for (std::size_t spot = 0; spot < truth_.size(); ++spot) add_spot(spot, number, out);
    Random random(spec_.seed, hot_stream + number);
    for (const std::uint32_t at : hot_) out[at] = static_cast<T>(1000 + random.poisson(9000));
    constexpr T none = std::is_signed_v<T> ? static_cast<T>(-1) : std::numeric_limits<T>::max();
    for (std::size_t i = 0; i < mask_.size(); ++i)
        if (mask_[i] != 0) out[i] = none;
}

void Scene::frame(std::size_t number, std::span<std::byte> out, Progress& progress) const {
    visit_element(spec_.type, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T> && (sizeof(T) == 4 || std::is_same_v<T, std::uint16_t>))
            fill(number, reinterpret_cast<T*>(out.data()), progress);
        else
            throw Error(ErrorKind::input,
                        fmt::format("expected u16, u32 or i32, found {}", name_of(spec_.type)), "type");
    });
}

Array Scene::stack(Progress& progress) const {
    Array all(spec_.type, {spec_.frames, spec_.height, spec_.width});
    const std::size_t bytes = all.bytes().size() / spec_.frames;
    for (std::size_t k = 0; k < spec_.frames; ++k) {
        progress.report(static_cast<double>(k) / static_cast<double>(spec_.frames), "generate");
        frame(k, all.bytes().subspan(k * bytes, bytes), progress);
    }
    return all;
}

}  // namespace ks::spots
