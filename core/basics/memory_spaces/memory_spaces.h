#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// Four integers that a work-item reads at once.
struct Quad {
    std::uint32_t x = 0, y = 0, z = 0, w = 0;
};

/// Data of every size from 64 bytes, by factors of 4, which work-items read repeatedly.
struct MemorySpacesProblem : Problem {
    std::vector<Quad> data;              ///< of the largest size; smaller sizes are prefixes
    std::vector<std::size_t> sizes;      ///< quads, powers of 2
    std::optional<std::uint64_t> items;  ///< number of work-items; empty: chosen for the device
    std::uint32_t passes = 1;            ///< reads per work-item
    std::size_t repeats = 1;
};

/// One memory space: the measurements for each size; empty where the size does not fit.
struct SpaceCurve {
    const char* name;
    const char* title;
    std::vector<std::optional<double>> gigabytes_per_second;
    std::vector<std::optional<std::uint32_t>> sums;  ///< of the values read; none for transfers
};

/// In each pass, work-item g reads the quad with the number (g + pass * step) modulo the size. The step is
/// the number of items, or 1 if the number of items would give the same quad again.
std::size_t step_of(std::size_t quads, std::uint64_t items);

/// The sum, modulo 2^32, of all numbers that all items read: the four numbers of each quad, XORed with the
/// number of the pass so that no two passes are alike.
std::uint32_t sum_of_reads(std::span<const Quad> quads, std::uint64_t items, std::uint32_t passes,
                           unsigned threads);

/// The result of a variant.
Result memory_spaces_result(const MemorySpacesProblem& problem, std::uint64_t items,
                            const std::vector<SpaceCurve>& curves);

}  // namespace ks::basics
