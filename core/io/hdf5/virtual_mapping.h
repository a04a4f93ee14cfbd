#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// A selection along one dimension: `count` blocks of `block` indices, one per `stride`. Its indices are
/// numbered from 0 in order.
struct Along {
    /// Stands for a count or a block without an end. The sum of two such values still fits into the type.
    static constexpr std::uint64_t endless = std::uint64_t{1} << 62;

    std::uint64_t start = 0, stride = 1, count = 1, block = 1;

    /// Indices [first, end).
    static Along interval(std::uint64_t first, std::uint64_t end) {
        const std::uint64_t length = end > first ? end - first : 0;
        return {first, std::max<std::uint64_t>(length, 1), 1, length};
    }

    bool solid() const { return count == 1; }
    /// Number of indices; `endless` if they do not end.
    std::uint64_t size() const {
        return block == 0 || count <= endless / block ? std::min(count * block, endless) : endless;
    }
    /// One past the last index.
    std::uint64_t end() const {
        if (size() == 0) return start;
        return size() == endless ? endless : start + (count - 1) * stride + block;
    }
    std::uint64_t index(std::uint64_t number) const {
        return start + number / block * stride + number % block;
    }
    /// Number of its indices below `index`.
    std::uint64_t below(std::uint64_t index) const {
        if (index <= start || size() == 0) return 0;
        const std::uint64_t whole = (index - start) / stride, rest = (index - start) % stride;
        return whole >= count ? size() : whole * block + std::min(rest, block);
    }
    std::optional<std::uint64_t> number(std::uint64_t index) const {
        const std::uint64_t before = below(index);
        return below(index + 1) > before ? std::optional(before) : std::nullopt;
    }
};

/// The indices of `to` that correspond to those of `from` within [first, end), pair by pair, as
/// intervals below `limit`.
inline std::vector<std::pair<std::size_t, std::size_t>> carried(const Along& from, const Along& to,
                                                                std::uint64_t first, std::uint64_t end,
                                                                std::uint64_t limit) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    std::uint64_t number = from.below(first);
    const std::uint64_t behind = std::min({from.below(end), to.size(), to.below(limit)});
    while (number < behind) {
        const std::uint64_t now = std::min(behind - number, to.block - number % to.block),
                            at = to.index(number);
        all.emplace_back(at, at + now);
        number += now;
    }
    return all;
}

/// One source of a virtual dataset: pixels in the selection `from` of the source correspond to those in `to`,
/// both in order (the last dimension varies fastest).
struct VirtualMapping {
    std::string file;  ///< as written; "." is the same file
    std::string path;
    std::vector<Along> to;    ///< by dimension of the virtual dataset
    std::vector<Along> from;  ///< by dimension of the source; empty: all of it
    /// False if one of the selections is not a grid of blocks; `to` and `from` are then only bounds of the
    /// selections.
    bool regular = true;
};

/// The text that an HDF5 function returns: read(nullptr, 0) is its length, negative on failure (then empty).
std::string read_name(const std::function<ssize_t(char*, std::size_t)>& read);

/// All sources of a virtual dataset of that shape; a source with a printf-style name ("part_%b.h5") is
/// resolved into as many as the shape requires, at least one.
std::vector<VirtualMapping> virtual_mappings(hid_t properties, const std::vector<std::size_t>& shape);

/// Where HDF5 searches for a source: as written if absolute, below HDF5_VDS_PREFIX, in the folder of the file
/// that names it, in the current folder. Throws ks::Error(input) if it is in none of them, NotFollowed(input)
/// if it may not be opened.
std::filesystem::path find_virtual_source(const std::string& file, const std::filesystem::path& master);

}  // namespace ks::io
