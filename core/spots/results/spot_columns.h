#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/run/result.h"
#include "core/spots/spot.h"

namespace ks::spots {

/// The spots of a result as its table holds them: a dataset a column, named as in SpotCollector.
std::vector<Dataset> table_datasets(const std::vector<Spot>& spots);
/// Memory of so many bytes for a result, aligned for any element; null where there is none.
using ResultMemory = std::function<std::shared_ptr<std::byte[]>(std::size_t bytes)>;
/// The same for so many spots, without their values yet. The columns lie one after another, each from a
/// multiple of 64 bytes on: n_signal, ten u32, eleven f64, dropped.
/// @param memory where it comes from; null: anywhere
std::vector<Dataset> empty_table(std::size_t spots, const ResultMemory& memory = {});
/// Bytes of all its columns; more spots never have fewer.
std::size_t table_bytes(std::size_t spots);
/// Writes spots into the rows of such a table from `row` on.
void write_rows(std::span<const Spot> spots, std::size_t row, std::span<Dataset> table);
/// And back. Throws ks::Error(run) where a column is missing or of another type or length.
std::vector<Spot> spots_of(const Result& result);

/// The signal of all frames as "signal_offset" and "signal_pixel".
std::vector<Dataset> signal_datasets(const std::vector<std::vector<std::uint32_t>>& per_frame);
/// @param parts u32, one after another those of all frames @param sizes pixels of each frame
std::vector<Dataset> signal_datasets(std::vector<Array> parts, std::span<const std::uint64_t> sizes,
                                     unsigned threads);
/// Indices [y][x] of the signal pixels of a frame, ascending; none where the frame is not in the result.
/// Lives as long as the result. Throws ks::Error(run) where the result has no signal.
std::span<const std::uint32_t> signal_of(const Result& result, std::size_t frame);

}  // namespace ks::spots
