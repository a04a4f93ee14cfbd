#include "core/xpcs/generator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/threads.h"
#include "core/data/partition/q_partition.h"

namespace ks::xpcs {
namespace {

unsigned thread_count() {
    return compute_threads();
}

/// Distance of every pixel from the centre of the middle pixel.
std::vector<double> radii(const SyntheticSpec& spec) {
    std::vector<double> r(spec.height * spec.width);
    for (std::size_t i = 0; i < spec.height; ++i)
        for (std::size_t j = 0; j < spec.width; ++j)
            r[i * spec.width + j] = std::hypot(static_cast<double>(i) - static_cast<double>(spec.height / 2),
                                               static_cast<double>(j) - static_cast<double>(spec.width / 2));
    return r;
}

std::vector<std::int32_t> ring_labels(const std::vector<double>& r, double ring_width) {
    std::vector<std::int32_t> labels(r.size());
    std::transform(r.begin(), r.end(), labels.begin(),
                   [ring_width](double radius) { return static_cast<std::int32_t>(radius / ring_width); });
    return labels;
}

/// Calls fill(row, out) for rows of pixels in parallel; out is the stack as T.
template <class Fill>
void fill_rows(const SyntheticSpec& spec, Array& stack, Progress& progress, const Fill& fill) {
    visit_element(spec.type, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (sizeof(T) <= 4 && std::is_unsigned_v<T>) {
            T* const out = stack.as<T>().data();
            const std::size_t rows_at_once = 16;
            for (std::size_t row = 0; row < spec.height; row += rows_at_once) {
                progress.report(static_cast<double>(row) / static_cast<double>(spec.height), "generate");
                parallel_for(std::min(rows_at_once, spec.height - row), thread_count(), progress,
                             [&](std::size_t i) { fill(row + i, out); });
            }
        }
    });
    progress.report(1, "generate");
}

template <class T>
T clipped(double count) {
    return static_cast<T>(std::min(count, static_cast<double>(std::numeric_limits<T>::max())));
}

/// The rate of each bin per frame.
std::vector<double> rates(const SyntheticSpec& spec, const std::vector<std::int32_t>& labels) {
    const auto bins = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end()));
    std::vector<double> gamma(bins);
    if (spec.diffusion) {
        const std::vector<BinMeaning> meanings =
            QPartition(spec.height, spec.width, labels).meanings(usual_geometry(spec));
        for (std::size_t bin = 0; bin < bins; ++bin)
            gamma[bin] = *spec.diffusion * meanings[bin].q * meanings[bin].q * spec.frame_time.value();
        return gamma;
    }
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double share = bins > 1 ? static_cast<double>(bin) / static_cast<double>(bins - 1) : 0.0;
        gamma[bin] = spec.gamma_min + share * (spec.gamma_max - spec.gamma_min);
    }
    return gamma;
}

}  // namespace

Geometry usual_geometry(const SyntheticSpec& spec) {
    Geometry usual;
    const std::size_t row = spec.height / 2, column = spec.width / 2;
    usual.beam_x = static_cast<double>(column) + 0.5;
    usual.beam_y = static_cast<double>(row) + 0.5;
    usual.distance = 5000;
    usual.pixel_size_x = usual.pixel_size_y = 55;
    usual.wavelength = 1.55;
    return usual;
}

SyntheticFrames make_seed_frames(const SyntheticSpec& spec, Progress& progress) {
    const std::vector<double> r = radii(spec);
    const std::vector<std::int32_t> labels = ring_labels(r, spec.ring_width);
    const double r_max = std::max(*std::max_element(r.begin(), r.end()), 1.0);
    const std::size_t pixels = r.size();
    Array stack(spec.type, {spec.frames, spec.height, spec.width});
    fill_rows(spec, stack, progress, [&](std::size_t row, auto* out) {
        using T = std::remove_pointer_t<decltype(out)>;
        Random random(spec.seed, row);
        for (std::size_t t = 0; t < spec.frames; ++t) {
            const double s =
                spec.frames > 1 ? 100.0 * static_cast<double>(t) / static_cast<double>(spec.frames - 1) : 0.0;
            for (std::size_t p = row * spec.width; p < (row + 1) * spec.width; ++p) {
                const double beat = 0.5 * (std::sin(labels[p] * s) + 1.0);
                const double expected = 1.0 + beat * spec.mean * (1.0 - r[p] / r_max);
                out[t * pixels + p] = clipped<T>(static_cast<double>(random.poisson(expected)));
            }
        }
    });
    return {std::move(stack), Array::of<std::int32_t>({spec.height, spec.width}, labels), {}};
}

SyntheticFrames make_speckle_frames(const SyntheticSpec& spec, Progress& progress) {
    const std::vector<std::int32_t> labels = ring_labels(radii(spec), spec.ring_width);
    std::vector<double> gamma = rates(spec, labels);
    const double mixed = std::sqrt(spec.contrast);
    const std::size_t pixels = labels.size();
    Array stack(spec.type, {spec.frames, spec.height, spec.width});
    fill_rows(spec, stack, progress, [&](std::size_t row, auto* out) {
        using T = std::remove_pointer_t<decltype(out)>;
        Random random(spec.seed, row);
        for (std::size_t p = row * spec.width; p < (row + 1) * spec.width; ++p) {
            const auto label = static_cast<std::size_t>(labels[p]);
            const auto kept = [&](double factor) {
                return label > 0 ? std::exp(-factor * gamma[label - 1]) : 0.0;
            };
            // |E|^2 has mean 1, so each component has variance 1/2.
            const auto added = [](double keep) { return std::sqrt(0.5 * (1.0 - keep * keep)); };
            double keep = kept(1), fresh = added(keep);
            auto [re, im] = random.normal();
            re *= std::numbers::sqrt2 / 2;
            im *= std::numbers::sqrt2 / 2;
            for (std::size_t t = 0; t < spec.frames; ++t) {
                const double intensity = spec.mean * (1.0 - mixed + mixed * (re * re + im * im));
                const double count =
                    spec.photons ? static_cast<double>(random.poisson(intensity)) : std::round(intensity);
                out[t * pixels + p] = clipped<T>(count);
                if (t + 1 == spec.change_frame) {
                    keep = kept(spec.change_factor);
                    fresh = added(keep);
                }
                const auto [x, y] = random.normal();
                re = keep * re + fresh * x;
                im = keep * im + fresh * y;
            }
        }
    });
    return {std::move(stack), Array::of<std::int32_t>({spec.height, spec.width}, labels), std::move(gamma)};
}

}  // namespace ks::xpcs
