#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// Four whole numbers, which a work-item reads at once.
struct Quad {
    std::uint32_t x = 0, y = 0, z = 0, w = 0;
};

/// Data of every size from 64 bytes, by factors of 4, which work-items read again and again.
struct MemorySpacesProblem : Problem {
    std::vector<Quad> data;              ///< of the largest size; the smaller ones are its beginnings
    std::vector<std::size_t> sizes;      ///< quads, powers of 2
    std::optional<std::uint64_t> items;  ///< work-items; nothing: as the device needs
    std::uint32_t passes = 1;            ///< reads of a work-item
    std::size_t repeats = 1;
};

/// One space of memory: for each size what was measured there; nothing where it does not fit.
struct SpaceCurve {
    const char* name;
    const char* title;
    std::vector<std::optional<double>> gigabytes_per_second;
    std::vector<std::uint32_t> sums;  ///< of what was read; empty for transfers
};

std::unique_ptr<Analysis> make_memory_spaces();
/// host.reference: the reads by the host.
std::vector<HostVariant> memory_spaces_on_host();

/// Quads that work-item g reads: number (g + pass * step) modulo the size, in each pass. The step is the
/// number of items, or where that would be the same quad again, 1.
std::size_t step_of(std::size_t quads, std::uint64_t items);

/// The sum, modulo 2^32, over the reads of all items of the four numbers of a quad, each with the bits of the
/// number of the pass turned over (exclusive or): so no pass is like another.
std::uint32_t sum_of_reads(std::span<const Quad> quads, std::uint64_t items, std::uint32_t passes,
                           unsigned threads);

/// The result of a variant.
Result memory_spaces_result(const MemorySpacesProblem& problem, std::uint64_t items,
                            const std::vector<SpaceCurve>& curves);

}  // namespace ks::basics
