#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/run/run.h"
#include "core/spots/results/spot_columns.h"

namespace ks::tests {

/// Spots with values of all kinds: repeated ones, unknown backgrounds, every reason to be dropped.
inline std::vector<spots::Spot> fake_spots(std::size_t n, unsigned seed = 1, bool geometry = true) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<spots::Spot> all(n);
    for (std::size_t i = 0; i < n; ++i) {
        spots::Spot& s = all[i];
        s.n_signal = 1 + static_cast<std::uint64_t>(12 * u(random) * u(random) + 1);
        s.x = 2463 * u(random);
        s.y = 2527 * u(random);
        s.z0 = static_cast<std::uint32_t>(30 * u(random));
        s.z1 = s.z0 + 1 + static_cast<std::uint32_t>(3 * u(random));
        s.z = 0.5 * (s.z0 + s.z1);
        s.x0 = static_cast<std::uint32_t>(s.x);
        s.x1 = s.x0 + 3;
        s.y0 = static_cast<std::uint32_t>(s.y);
        s.y1 = s.y0 + 4;
        s.peak_x = s.x0 + 1;
        s.peak_y = s.y0 + 2;
        s.peak_z = s.z0;
        s.var_x = 0.2 + u(random);
        s.var_y = 0.2 + u(random);
        s.var_z = 0.1 * u(random);
        s.sum = std::round(30 * std::exp(6 * u(random)));
        s.peak = std::round(s.sum / 3);
        s.background = i % 17 == 3 ? std::numeric_limits<double>::quiet_NaN() : 2 + 3 * u(random);
        if (geometry && i % 11 != 5) {
            s.d = 1 / std::sqrt(0.01 + 0.4 * u(random));
            s.q = 2 * M_PI / s.d;
        }
        if (s.n_signal < 3)
            s.dropped = spots::Dropped::too_small;
        else if (i % 23 == 7)
            s.dropped = spots::Dropped::ice;
    }
    return all;
}

/// A run with these spots and what SpotCollector says about frames; frame 4 is missing.
inline std::shared_ptr<const Run> fake_run(const std::vector<spots::Spot>& spots, int first_frame = 100,
                                           std::size_t frames = 32) {
    auto run = std::make_shared<Run>();
    run->request.analysis = "spots";
    run->result.datasets = spots::table_datasets(spots);
    std::vector<std::uint32_t> number, signal(frames, 0), count(frames, 0);
    std::vector<std::uint8_t> missing(frames, 0);
    std::vector<double> sum(frames, 0), d(frames, std::numeric_limits<double>::quiet_NaN());
    if (frames > 4) missing[4] = 1;
    for (std::size_t k = 0; k < frames; ++k) {
        number.push_back(static_cast<std::uint32_t>(first_frame) + static_cast<std::uint32_t>(k));
        if (!missing[k]) d[k] = 1.8 + 0.01 * static_cast<double>(k % 7);
    }
    for (const spots::Spot& s : spots) {
        if (s.peak_z >= frames) continue;
        signal[s.peak_z] += static_cast<std::uint32_t>(s.n_signal);
        if (s.dropped != spots::Dropped::kept) continue;
        ++count[s.peak_z];
        sum[s.peak_z] += s.sum;
    }
    auto& sets = run->result.datasets;
    const auto add = [&](const char* name, const char* unit, Array values) {
        sets.push_back({name, name, unit, DataKind::curves, std::move(values), {"frame"}});
    };
    add("frame", "", Array::of<std::uint32_t>({frames}, number));
    add("frame_missing", "", Array::of<std::uint8_t>({frames}, missing));
    add("frame_signal", "px", Array::of<std::uint32_t>({frames}, signal));
    add("frame_spots", "", Array::of<std::uint32_t>({frames}, count));
    add("frame_sum", "counts", Array::of<double>({frames}, sum));
    add("frame_d", "angstrom", Array::of<double>({frames}, d));
    run->result.facts["first_frame"] = first_frame;
    return run;
}

}  // namespace ks::tests
