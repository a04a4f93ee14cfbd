#include "core/io/hdf5/virtual_mapping.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/followed_files.h"
#include "core/io/hdf5/named/named_files.h"

namespace ks::io {
namespace fs = std::filesystem;

std::string read_name(const std::function<ssize_t(char*, std::size_t)>& read) {
    const ssize_t length = read(nullptr, 0);
    if (length <= 0) return {};
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    read(name.data(), name.size());
    name.pop_back();
    return name;
}

namespace {

/// A selection in a dataspace, by dimensions.
struct Selection {
    std::vector<Along> along;  ///< empty: all of it
    bool regular = true;
};

Along normalised(hsize_t start, hsize_t stride, hsize_t count, hsize_t block) {
    if (block == H5S_UNLIMITED) return {start, Along::endless, 1, Along::endless};
    if (count == 1) return {start, std::max<hsize_t>(block, 1), 1, block};
    const bool solid = stride == block;
    if (count == H5S_UNLIMITED)
        return solid ? Along{start, Along::endless, 1, Along::endless}
                     : Along{start, std::max<hsize_t>(stride, 1), Along::endless, block};
    if (solid) return {start, count * block, 1, count * block};
    return {start, std::max<hsize_t>(stride, 1), count, block};
}

Selection selection_of(hid_t space) {
    Selection made;
    // HDF5 does not store the extent of a source that is used as a whole.
    if (H5Sget_select_type(space) == H5S_SEL_ALL) return made;
    const auto n = static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0));
    std::vector<hsize_t> start(n), stride(n), count(n), block(n);
    if (H5Sis_regular_hyperslab(space) > 0 &&
        H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) >= 0) {
        for (std::size_t dim = 0; dim < n; ++dim)
            made.along.push_back(normalised(start[dim], stride[dim], count[dim], block[dim]));
        return made;
    }
    made.regular = false;
    // start and count: first and last index.
    if (H5Sget_select_bounds(space, start.data(), count.data()) < 0) return made;
    for (std::size_t dim = 0; dim < n; ++dim)
        made.along.push_back(Along::interval(start[dim], count[dim] + 1));
    return made;
}

/// Replaces "%b" by the block number and "%%" by a percent sign.
/// @return whether there was a "%b"
bool put_block(std::string& name, hsize_t number) {
    std::string out;
    bool found = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char next = i + 1 < name.size() ? name[i + 1] : '\0';
        if (name[i] == '%' && next == 'b') {
            out += std::to_string(number);
            found = true;
            ++i;
        } else {
            out += name[i];
            if (name[i] == '%' && next == '%') ++i;
        }
    }
    name = out;
    return found;
}

/// Adds one mapping per block of the dimension whose count is unlimited.
/// @param unlimited that dimension, as written
void add_blocks(std::vector<VirtualMapping>& all, const VirtualMapping& pattern, std::size_t unlimited,
                std::size_t extent) {
    const Along& along = pattern.to[unlimited];
    const std::uint64_t left = extent > along.start ? extent - along.start : 0,
                        blocks = std::max<std::uint64_t>((left + along.stride - 1) / along.stride, 1);
    for (std::uint64_t number = 0; number < blocks; ++number) {
        VirtualMapping one = pattern;
        put_block(one.file, number);
        put_block(one.path, number);
        const std::uint64_t first = along.start + number * along.stride;
        one.to[unlimited] = Along::interval(first, first + along.block);
        all.push_back(std::move(one));
    }
}

/// The dimension of a hyperslab with unlimited blocks, and these blocks.
std::optional<std::pair<std::size_t, Along>> endless_blocks(hid_t space) {
    const auto n = static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0));
    std::vector<hsize_t> start(n), stride(n), count(n), block(n);
    if (H5Sget_select_type(space) != H5S_SEL_HYPERSLABS || H5Sis_regular_hyperslab(space) <= 0 ||
        H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) < 0)
        return std::nullopt;
    for (std::size_t dim = 0; dim < n; ++dim)
        if (count[dim] == H5S_UNLIMITED)
            return std::pair(
                dim, Along{start[dim], std::max<hsize_t>(stride[dim], 1), Along::endless, block[dim]});
    return std::nullopt;
}

}  // namespace

std::vector<VirtualMapping> virtual_mappings(hid_t properties, const std::vector<std::size_t>& shape) {
    const h5::Lock lock;
    std::vector<VirtualMapping> all;
    std::size_t n = 0;
    H5Pget_virtual_count(properties, &n);
    for (std::size_t i = 0; i < n; ++i) {
        VirtualMapping one;
        one.file = read_name(
            [&](char* to, std::size_t size) { return H5Pget_virtual_filename(properties, i, to, size); });
        one.path = read_name(
            [&](char* to, std::size_t size) { return H5Pget_virtual_dsetname(properties, i, to, size); });
        const h5::Handle space(H5Pget_virtual_vspace(properties, i));
        const h5::Handle source(H5Pget_virtual_srcspace(properties, i));
        Selection to = selection_of(space), from = selection_of(source);
        one.regular = to.regular && from.regular;
        one.to = std::move(to.along);
        one.from = std::move(from.along);
        if (one.to.empty())
            for (const std::size_t extent : shape) one.to.push_back(Along::interval(0, extent));
        std::string file = one.file, path = one.path;
        const bool file_pattern = put_block(file, 0), path_pattern = put_block(path, 0);
        const auto blocks = endless_blocks(space);
        if ((file_pattern || path_pattern) && blocks && blocks->first < shape.size()) {
            one.to[blocks->first] = blocks->second;
            add_blocks(all, one, blocks->first, shape[blocks->first]);
            continue;
        }
        one.file = file;
        one.path = path;
        all.push_back(std::move(one));
    }
    return all;
}

fs::path find_virtual_source(const std::string& file, const fs::path& master) {
    const std::optional<fs::path> place = file_named(NameKind::virtual_source, file, master);
    if (place) {
        require_followed(*place, master, master.string());
        return *place;
    }
    std::error_code ignored;
    throw Error(ErrorKind::input, "the file is missing", file,
                "copy it to the folder " + fs::absolute(master, ignored).parent_path().string());
}

}  // namespace ks::io
