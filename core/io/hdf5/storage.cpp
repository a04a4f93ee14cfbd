#include "core/io/hdf5/storage.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/hdf5/filters.h"
#include "core/io/hdf5/virtual_mapping.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr int deepest = 16;

/// Throws where the files of an external (raw) storage are missing; adds those that are there.
void require_external_files(hid_t properties, const std::string& where, FileStates& files) {
    const int n = H5Pget_external_count(properties);
    for (int i = 0; i < n; ++i) {
        std::string name(4096, '\0');
        off_t offset = 0;
        hsize_t size = 0;
        if (H5Pget_external(properties, static_cast<unsigned>(i), name.size(), name.data(), &offset, &size) <
            0)
            continue;
        const fs::path file = name.c_str();
        std::error_code ignored;
        if (file.is_absolute() && !fs::exists(file, ignored))
            throw Error(ErrorKind::input,
                        "the external file " + file.string() + " that holds the values is missing", where);
        files.add(file);
    }
}

/// The first chunk in frames [first, last) that was never written, as its frame; `last` if there is none.
std::size_t first_unwritten(hid_t dataset, std::size_t first, std::size_t last) {
    const h5::Handle properties(H5Dget_create_plist(dataset));
    if (H5Pget_layout(properties) != H5D_CHUNKED) return first;
    const std::vector<std::size_t> shape = h5::shape_of(dataset);
    std::vector<hsize_t> chunk(shape.size()), offset(shape.size(), 0);
    H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    offset[0] = first / chunk[0] * chunk[0];
    while (offset[0] < last) {
        hsize_t bytes = 0;
        if (H5Dget_chunk_storage_size(dataset, offset.data(), &bytes) < 0 || bytes == 0)
            return std::max(first, static_cast<std::size_t>(offset[0]));
        std::size_t dim = shape.size() - 1;
        offset[dim] += chunk[dim];
        while (dim > 0 && offset[dim] >= shape[dim]) {
            offset[dim] = 0;
            --dim;
            offset[dim] += chunk[dim];
        }
    }
    return last;
}

}  // namespace

void require_filters(hid_t dataset, const std::string& where, bool all) {
    const h5::Lock lock;
    const h5::Handle properties(H5Dget_create_plist(dataset));
    if (H5Pget_layout(properties) != H5D_CHUNKED) return;
    const int n = H5Pget_nfilters(properties);
    for (int i = 0; i < n; ++i) {
        unsigned flags = 0, config = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values,
                                                   nullptr, 0, nullptr, &config);
        if (filter < 0 || H5Zfilter_avail(filter) > 0) continue;
        if ((flags & H5Z_FLAG_OPTIONAL) != 0 && !all) continue;
        throw Error(ErrorKind::input,
                    fmt::format("the values are compressed with {} (HDF5 filter {}), which is not installed",
                                h5::filter_name(filter), filter),
                    where, h5::filter_hint(filter));
    }
}

Storage::Storage(const h5::Handle& file, const std::string& file_name, const std::string& path, hid_t dataset)
    : where_(file_name + "::" + path), swmr_(h5::is_swmr(dataset)) {
    const h5::Lock lock;
    const std::vector<std::size_t> shape = h5::shape_of(dataset);
    const bool frames = shape.size() >= 3;
    add({file, file_name, path}, dataset, {0, frames ? std::max<std::size_t>(shape[0], 1) : 1, 0, frames}, 0);
    // Source files stay open only where chunks must be looked at later.
    open_.clear();
}

void Storage::add(const Place& place, hid_t dataset, const Slice& slice, int depth) {
    const std::string where = place.file_name + "::" + place.path;
    const h5::Handle properties(H5Dget_create_plist(dataset));
    if (H5Pget_layout(properties) == H5D_VIRTUAL) {
        if (depth >= deepest)
            throw Error(ErrorKind::input, "virtual datasets lead to each other without an end", where_);
        add_virtual(place, dataset, properties, slice, depth);
        return;
    }
    require_filters(dataset, where, false);
    require_external_files(properties, where, files_);
    H5D_space_status_t status = H5D_SPACE_STATUS_ALLOCATED;
    H5Dget_space_status(dataset, &status);
    if (status == H5D_SPACE_STATUS_ALLOCATED) return;
    H5Iinc_ref(dataset);
    partial_.push_back({h5::Handle(dataset), depth == 0 ? "" : where, slice});
}

void Storage::add_virtual(const Place& place, hid_t dataset, hid_t properties, const Slice& slice,
                          int depth) {
    std::vector<std::pair<std::size_t, std::size_t>> covered;
    for (const VirtualMapping& mapping : virtual_mappings(properties, h5::shape_of(dataset))) {
        Slice part{slice.first, slice.last, 0, false};
        if (slice.frames) {
            const auto to_stack = [&](std::size_t frame) {
                const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(frame) - slice.shift;
                return std::clamp(at, static_cast<std::ptrdiff_t>(slice.first),
                                  static_cast<std::ptrdiff_t>(slice.last));
            };
            part.first = static_cast<std::size_t>(to_stack(mapping.first));
            part.last = static_cast<std::size_t>(to_stack(mapping.last));
            if (part.first >= part.last) continue;
            covered.emplace_back(part.first, part.last);
            part.frames = mapping.frame_by_frame;
            part.shift = slice.shift + mapping.shift;
        }
        add_source(place, mapping.file, mapping.path, part, depth + 1);
    }
    if (!slice.frames) return;
    std::sort(covered.begin(), covered.end());
    std::size_t next = slice.first;
    for (const auto& [first, last] : covered) {
        if (first > next) gaps_.emplace_back(next, first);
        next = std::max(next, last);
    }
    if (next < slice.last) gaps_.emplace_back(next, slice.last);
}

void Storage::add_source(const Place& master, const std::string& file, const std::string& path,
                         const Slice& slice, int depth) {
    std::string source = path;
    try {
        if (file == ".") {
            const h5::Handle dataset = h5::open_dataset(master.file, master.file_name, path);
            add({master.file, master.file_name, path}, dataset, slice, depth);
            return;
        }
        source = file + "::" + path;
        const fs::path found = find_virtual_source(file, master.file_name);
        if (h5::has_no_locks(found))
            throw Error(ErrorKind::input,
                        "its file system has no locks, without which HDF5 reads zeros from it",
                        found.string(), "set HDF5_USE_FILE_LOCKING=FALSE");
        auto at = open_.find(found.string());
        if (at == open_.end()) {
            const h5::Reading reading = swmr_ ? h5::Reading::swmr : h5::Reading::ordinary;
            at = open_.emplace(found.string(), h5::open_file(found, reading)).first;
            needs_swmr_ = needs_swmr_ || (!swmr_ && h5::is_swmr(at->second));
            sources_.push_back(found);
            files_.add(found, h5::is_swmr(at->second));
        }
        const h5::Handle dataset = h5::open_dataset(at->second, found.string(), path);
        add({at->second, found.string(), path}, dataset, slice, depth);
    } catch (const Error& error) {
        if (error.where() == where_) throw;
        throw Error(ErrorKind::input,
                    fmt::format("the source {} of {} cannot be used: {}", source,
                                depth == 1 ? "this virtual dataset"
                                           : "the virtual dataset " + master.file_name + "::" + master.path,
                                error.message()),
                    where_, error.hint());
    }
}

void Storage::require_written(std::size_t first, std::size_t count) const {
    if (const auto what = missing(first, first + count)) throw Error(ErrorKind::input, *what, where_);
}

std::optional<std::string> Storage::missing(std::size_t first, std::size_t last) const {
    if (partial_.empty() && gaps_.empty()) return std::nullopt;
    const h5::Lock lock;
    for (const auto& [gap, end] : gaps_)
        if (std::max(gap, first) < std::min(end, last))
            return fmt::format("frame {} is in none of the sources of this virtual dataset",
                               std::max(gap, first));
    for (const Partial& partial : partial_) {
        const Slice& slice = partial.slice;
        const std::size_t from = std::max(first, slice.first), to = std::min(last, slice.last);
        if (from >= to) continue;
        const std::vector<std::size_t> shape = h5::shape_of(partial.dataset);
        const bool by_frame = slice.frames && shape.size() >= 3;
        const std::size_t local =
            by_frame ? static_cast<std::size_t>(static_cast<std::ptrdiff_t>(from) + slice.shift) : 0;
        const std::size_t local_end = by_frame        ? std::min(shape[0], local + (to - from))
                                      : shape.empty() ? 1
                                                      : shape[0];
        const std::size_t hole = first_unwritten(partial.dataset, local, local_end);
        if (hole >= local_end) continue;
        const std::size_t frame = by_frame ? from + (hole - local) : from;
        const std::string in = partial.where.empty() ? "" : " (source " + partial.where + ")";
        return fmt::format("frame {} was never written{}", frame, in);
    }
    return std::nullopt;
}

}  // namespace ks::io
