#include "core/io/hdf5/virtual_mapping.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <sstream>

#include "core/base/error.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

/// A selection along the first dimension: `count` blocks of `block`, one every `stride`.
struct Along {
    hsize_t start = 0, stride = 1, count = 1, block = 1;
    bool regular = true;   ///< false: only bounds are known
    bool endless = false;  ///< count is unlimited
    hsize_t end() const { return count == 0 ? start : start + (count - 1) * stride + block; }
    bool solid() const { return regular && (count == 1 || stride == block); }
};

using Name = std::function<ssize_t(char*, std::size_t)>;

std::string read_name(const Name& read) {
    const ssize_t length = read(nullptr, 0);
    if (length <= 0) return {};
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    read(name.data(), name.size());
    name.pop_back();
    return name;
}

/// The selection along dimension `dim`; `extent` ends an endless one.
Along selection_along(hid_t space, std::size_t dim, hsize_t extent) {
    Along along;
    if (H5Sget_select_type(space) == H5S_SEL_ALL) {
        // HDF5 does not keep the extent of a source that is taken whole.
        along.block = along.stride = extent;
        return along;
    }
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank <= static_cast<int>(dim)) return along;
    const auto n = static_cast<std::size_t>(rank);
    std::vector<hsize_t> start(n), stride(n), count(n), block(n);
    if (H5Sis_regular_hyperslab(space) > 0 &&
        H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) >= 0) {
        along = {start[dim], stride[dim], count[dim], block[dim]};
        if (block[dim] == H5S_UNLIMITED) {
            along.block = along.stride = extent > start[dim] ? extent - start[dim] : 0;
            along.count = 1;
        } else if (count[dim] == H5S_UNLIMITED) {
            along.endless = true;
            const hsize_t left = extent > start[dim] ? extent - start[dim] : 0;
            along.count = (left + stride[dim] - 1) / std::max<hsize_t>(stride[dim], 1);
        }
        return along;
    }
    if (H5Sget_select_bounds(space, start.data(), count.data()) >= 0) {
        along.start = start[dim];
        along.block = along.stride = count[dim] - start[dim] + 1;
    }
    along.regular = false;
    return along;
}

/// "%b" becomes the number of the block, "%%" a percent sign. @return whether there was a "%b"
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

void add_blocks(std::vector<VirtualMapping>& all, const VirtualMapping& pattern, hid_t space,
                const std::vector<std::size_t>& shape, const Along& frames) {
    hsize_t blocks = 1;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        const Along along = selection_along(space, dim, shape[dim]);
        if (along.endless) blocks = std::max<hsize_t>(along.count, 1);
    }
    for (hsize_t number = 0; number < blocks; ++number) {
        VirtualMapping one = pattern;
        put_block(one.file, number);
        put_block(one.path, number);
        if (frames.endless) {
            one.first = frames.start + number * frames.stride;
            one.last = std::max(one.first + 1, std::min<std::size_t>(one.first + frames.block, shape[0]));
            one.frame_by_frame = true;
            one.shift = pattern.shift - static_cast<std::ptrdiff_t>(number * frames.stride);
        }
        all.push_back(std::move(one));
    }
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
        if (shape.empty()) {
            all.push_back(std::move(one));
            continue;
        }
        const Along frames = selection_along(space, 0, shape[0]);
        const Along from = selection_along(source, 0, shape[0]);
        one.first = frames.start;
        // at least one frame: a missing source may be why the extent is 0
        one.last = std::max(one.first + 1, std::min<std::size_t>(frames.end(), shape[0]));
        one.frame_by_frame = frames.solid() && from.solid() &&
                             (H5Sget_select_type(source) == H5S_SEL_ALL ||
                              H5Sget_simple_extent_ndims(source) == static_cast<int>(shape.size()));
        one.shift = static_cast<std::ptrdiff_t>(from.start) - static_cast<std::ptrdiff_t>(frames.start);
        std::string file = one.file, path = one.path;
        const bool file_pattern = put_block(file, 0), path_pattern = put_block(path, 0);
        if (file_pattern || path_pattern) {
            add_blocks(all, one, space, shape, frames);
            continue;
        }
        one.file = file;
        one.path = path;
        all.push_back(std::move(one));
    }
    return all;
}

fs::path find_virtual_source(const std::string& file, const fs::path& master) {
    const fs::path written = file;
    const fs::path relative = written.is_absolute() ? written.filename() : written;
    std::error_code ignored;
    const fs::path folder = fs::absolute(master, ignored).parent_path();
    std::vector<fs::path> places;
    if (written.is_absolute()) places.push_back(written);
    if (const char* prefixes = std::getenv("HDF5_VDS_PREFIX")) {
        std::istringstream in(prefixes);
        for (std::string prefix; std::getline(in, prefix, ':');) {
            if (prefix.starts_with("${ORIGIN}")) prefix = folder.string() + prefix.substr(9);
            places.push_back(fs::path(prefix) / relative);
        }
    }
    places.push_back(folder / relative);
    places.push_back(fs::weakly_canonical(master, ignored).parent_path() / relative);
    places.push_back(relative);
    for (const fs::path& place : places)
        if (fs::exists(place, ignored)) return place;
    throw Error(ErrorKind::input, "the file is missing", file, "put it into the folder " + folder.string());
}

}  // namespace ks::io
