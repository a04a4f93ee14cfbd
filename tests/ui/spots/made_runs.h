#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/run/run.h"
#include "core/spots/results/spot_columns.h"

/// A frame's worth of signal, as indices [y][x].
using Signals = std::vector<std::vector<std::uint32_t>>;

/// A spot that fills its box on frames [z0, z1), with its peak in the middle of the box.
inline ks::spots::Spot boxSpot(std::uint32_t x0, std::uint32_t y0, std::uint32_t side, std::uint32_t z0,
                               std::uint32_t z1, std::uint32_t peakZ) {
    ks::spots::Spot spot;
    spot.x0 = x0;
    spot.x1 = x0 + side;
    spot.y0 = y0;
    spot.y1 = y0 + side;
    spot.z0 = z0;
    spot.z1 = z1;
    spot.n_signal = std::uint64_t{side} * side * (z1 - z0);
    spot.x = x0 + side / 2.0;
    spot.y = y0 + side / 2.0;
    spot.z = (z0 + z1) / 2.0;
    spot.peak_x = x0 + side / 2;
    spot.peak_y = y0 + side / 2;
    spot.peak_z = peakZ;
    spot.sum = 100.0 * static_cast<double>(spot.n_signal);
    spot.peak = 150;
    return spot;
}

/// Signal pixels of the boxes of all spots, by frame.
inline Signals signalsOf(const std::vector<ks::spots::Spot>& spots, std::size_t frames, std::uint32_t width) {
    Signals all(frames);
    for (std::uint32_t z = 0; z < frames; ++z) {
        for (const auto& spot : spots)
            for (std::uint32_t y = spot.y0; y < spot.y1 && z >= spot.z0 && z < spot.z1; ++y)
                for (std::uint32_t x = spot.x0; x < spot.x1; ++x) all[z].push_back(y * width + x);
        std::sort(all[z].begin(), all[z].end());
    }
    return all;
}

/// A run as spot finding gives it.
inline std::shared_ptr<ks::Run> madeRun(const std::string& frames, std::size_t height, std::size_t width,
                                        std::size_t firstFrame, const std::vector<ks::spots::Spot>& spots,
                                        const Signals& signal) {
    auto run = std::make_shared<ks::Run>();
    run->request.analysis = "spots";
    run->request.inputs["frames"] = {frames, {}};
    run->result.datasets = ks::spots::table_datasets(spots);
    for (ks::Dataset& one : ks::spots::signal_datasets(signal)) run->result.datasets.push_back(one);
    const std::size_t n = signal.size();
    std::vector<std::uint32_t> numbers(n), pixels(n), kept(n);
    for (std::size_t k = 0; k < n; ++k) {
        numbers[k] = static_cast<std::uint32_t>(firstFrame + k);
        pixels[k] = static_cast<std::uint32_t>(signal[k].size());
        for (const auto& spot : spots)
            kept[k] += spot.peak_z == k && spot.dropped == ks::spots::Dropped::kept;
    }
    auto& all = run->result.datasets;
    const auto curve = [&](const char* name, const auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        all.push_back({name, name, "", ks::DataKind::curves, ks::Array::of<T>({n}, values), {"frame"}});
    };
    all.push_back({"frame", "Frame", "", ks::DataKind::axis, ks::Array::of<std::uint32_t>({n}, numbers)});
    curve("frame_missing", std::vector<std::uint8_t>(n, 0));
    curve("frame_signal", pixels);
    curve("frame_spots", kept);
    curve("frame_sum", std::vector<double>(n, 100));
    curve("frame_d", std::vector<double>(n, 3));
    run->result.facts["frames"] = n;
    run->result.facts["first_frame"] = firstFrame;
    run->result.facts["height"] = height;
    run->result.facts["width"] = width;
    return run;
}
