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

/// The spots of a result as a table: one dataset per column, named as in SpotCollector.
std::vector<Dataset> table_datasets(const std::vector<Spot>& spots);
/// Allocates memory of this size for a result, aligned for any element; null if none is available.
using ResultMemory = std::function<std::shared_ptr<std::byte[]>(std::size_t bytes)>;
/// A table for this number of spots, without values. The columns are consecutive, each starting at a multiple
/// of 64 bytes: n_signal, ten u32, eleven f64, dropped.
/// @param memory allocates the table; null: any memory
std::vector<Dataset> empty_table(std::size_t spots, const ResultMemory& memory = {});
/// Total bytes of the columns of such a table; monotonic in the number of spots.
std::size_t table_bytes(std::size_t spots);
/// Writes spots to the rows of such a table from `row` on.
void write_rows(std::span<const Spot> spots, std::size_t row, std::span<Dataset> table);
/// The inverse of table_datasets(). Throws ks::Error(run) if a column is missing or has another
/// type or length.
std::vector<Spot> spots_of(const Result& result);

/// The signal of all frames as "signal_offset" and "signal_pixel".
std::vector<Dataset> signal_datasets(const std::vector<std::vector<std::uint32_t>>& per_frame);
/// @param parts u32, together the pixels of all frames in order @param sizes number of pixels per frame
std::vector<Dataset> signal_datasets(std::vector<Array> parts, std::span<const std::uint64_t> sizes,
                                     unsigned threads);
/// Indices [y][x] of the signal pixels of a frame, ascending; none if the frame is not in the result. Lives
/// as long as the result. Throws ks::Error(run) if the result has no signal.
std::span<const std::uint32_t> signal_of(const Result& result, std::size_t frame);

}  // namespace ks::spots
