#include "core/spots/results/frame_columns.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"
#include "core/spots/spot.h"

namespace ks::spots {
namespace {

/// A row of the table of frames, without its axis.
struct FrameRow {
    FrameState state = FrameState::read;
    std::uint32_t signal = 0, spots = 0;
    double sum = 0, d = 0;
};

template <class T, class Get>
Dataset column(const char* name, const char* title, const char* unit, const std::vector<FrameRow>& rows,
               const Get& get) {
    std::vector<T> values;
    values.reserve(rows.size());
    for (const FrameRow& row : rows) values.push_back(get(row));
    return {name, title, unit, DataKind::curves, Array::of<T>({rows.size()}, values), {"frame"}};
}

std::vector<Dataset> datasets_of(const std::vector<FrameRow>& rows, std::size_t first) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) numbers.push_back(static_cast<std::uint32_t>(first + k));
    return {{"frame", "Frame", "", DataKind::axis, Array::of<std::uint32_t>({rows.size()}, numbers)},
            column<std::uint8_t>(
                "frame_missing",
                "Missing (1) or damaged (2) in the file, left out (3), or without valid pixels (4)", "", rows,
                [](const FrameRow& row) { return static_cast<std::uint8_t>(row.state); }),
            column<std::uint32_t>("frame_signal", "Signal pixels", "px", rows,
                                  [](const FrameRow& row) { return row.signal; }),
            column<std::uint32_t>("frame_spots", "Spots", "", rows,
                                  [](const FrameRow& row) { return row.spots; }),
            column<double>("frame_sum", "Counts in spots", "counts", rows,
                           [](const FrameRow& row) { return row.sum; }),
            column<double>("frame_d", "Estimated resolution", "angstrom", rows,
                           [](const FrameRow& row) { return row.d; })};
}

/// Adds kept spots to the frames of their peaks: in parallel by blocks of a fixed length, which are then
/// added in order, so that sums do not depend on the number of threads.
void add_spots(std::span<const std::uint8_t> dropped, std::span<const std::uint32_t> peak_z,
               std::span<const double> sum, unsigned threads, std::vector<FrameRow>& rows) {
    constexpr std::size_t block = 8192;
    struct Part {
        std::uint32_t first = 0;  ///< frame
        std::vector<FrameRow> rows;
    };
    std::vector<Part> parts((dropped.size() + block - 1) / block);
    parallel_for(parts.size(), threads, [&](std::size_t b) {
        const std::size_t from = b * block, count = std::min(block, dropped.size() - from);
        const auto [low, high] = std::ranges::minmax(peak_z.subspan(from, count));
        Part& part = parts[b];
        part.first = low;
        part.rows.resize(high - low + 1);
        for (std::size_t i = from; i < from + count; ++i) {
            // No branch, since kept spots are as random as the signal.
            const bool kept = static_cast<Dropped>(dropped[i]) == Dropped::kept;
            FrameRow& row = part.rows[peak_z[i] - low];
            row.spots += kept ? 1 : 0;
            row.sum += kept ? sum[i] : 0.0;
        }
    });
    for (const Part& part : parts)
        for (std::size_t k = 0; k < part.rows.size(); ++k) {
            rows[part.first + k].spots += part.rows[k].spots;
            rows[part.first + k].sum += part.rows[k].sum;
        }
}

FrameState state_of(const SpotProblem& problem, std::size_t frame) {
    if (problem.left_out(frame)) return FrameState::left_out;
    if (problem.missing(frame)) return FrameState::not_written;
    return problem.damaged(frame) ? FrameState::damaged : FrameState::read;
}

}  // namespace

const char* name_of(FrameState state) {
    switch (state) {
        case FrameState::read:
            return "";
        case FrameState::not_written:
            return "missing";
        case FrameState::damaged:
            return "damaged";
        case FrameState::left_out:
            return "left out";
        case FrameState::without_valid:
            return "no valid pixel";
    }
    return "missing";  // a state of a later version
}

std::vector<Dataset> frame_datasets(const SpotProblem& problem, const Result& result,
                                    std::span<const std::uint64_t> signal,
                                    std::span<const std::size_t> without_valid, unsigned threads) {
    const auto dropped = result.at("dropped").values.as<std::uint8_t>();
    const auto peak_z = result.at("peak_z").values.as<std::uint32_t>();
    const auto sum = result.at("sum").values.as<double>(), d = result.at("d").values.as<double>();
    std::vector<FrameRow> rows(problem.frames());
    std::vector<std::vector<double>> spacings(rows.size());
    add_spots(dropped, peak_z, sum, threads, rows);
    if (problem.geometry.complete() && problem.located)
        for (std::size_t i = 0; i < dropped.size(); ++i)
            if (static_cast<Dropped>(dropped[i]) == Dropped::kept && std::isfinite(d[i]))
                spacings[peak_z[i]].push_back(d[i]);
    parallel_for(rows.size(), threads, [&](std::size_t k) {
        rows[k].state = state_of(problem, k);
        rows[k].signal = static_cast<std::uint32_t>(signal[k]);
        rows[k].d = frame_resolution(spacings[k]);
    });
    for (const std::size_t frame : without_valid) rows[frame].state = FrameState::without_valid;
    return datasets_of(rows, problem.shared()->first());
}

}  // namespace ks::spots
