#include "core/io/hdf5/storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <system_error>

#include "core/base/error.h"
#include "core/io/files/followed_files.h"
#include "core/io/hdf5/filters.h"
#include "core/io/hdf5/virtual_mapping.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr int deepest = 16;

/// Number of bytes that the files of an external (raw) storage contain without a gap; HDF5 reads zeros beyond
/// the end of a file that is too short. Throws if one is missing; records the existing ones. Nothing if there
/// are no such files, or if all are long enough.
std::optional<std::uint64_t> external_bytes(hid_t properties, const std::string& where, FileStates& files) {
    const int n = H5Pget_external_count(properties);
    std::uint64_t held = 0;
    bool whole = true;
    for (int i = 0; i < n; ++i) {
        std::string name(4096, '\0');
        off_t offset = 0;
        hsize_t size = 0;
        if (H5Pget_external(properties, static_cast<unsigned>(i), name.size(), name.data(), &offset, &size) <
            0)
            continue;
        const fs::path file = name.c_str();
        std::error_code failure;
        if (file.is_absolute() && !fs::exists(file, failure))
            throw Error(ErrorKind::input,
                        "the external file " + file.string() + ", which holds the values, is missing", where);
        files.add(file);
        const std::uintmax_t length = fs::file_size(file, failure);
        if (failure) return std::nullopt;  // HDF5 may find it elsewhere
        const std::uint64_t there =
            length > static_cast<std::uint64_t>(offset) ? length - static_cast<std::uint64_t>(offset) : 0;
        if (whole) held += std::min<std::uint64_t>(there, size);
        whole = whole && there >= size;
    }
    return whole ? std::nullopt : std::optional(held);
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
    held_ = look_at({file, file_name, path}, dataset, 0);
    // Source files stay open only if their chunks must be checked later.
    open_.clear();
    named_.clear();
    looked_.clear();
}

std::shared_ptr<const HeldDataset> Storage::look_at(const Place& place, hid_t dataset, int depth) {
    const std::string where = place.file_name + "::" + place.path;
    const h5::Handle properties(H5Dget_create_plist(dataset));
    const std::vector<std::size_t> shape = h5::shape_of(dataset);
    auto held = std::make_shared<HeldDataset>(where, shape);
    if (H5Pget_layout(properties) == H5D_VIRTUAL) {
        if (depth >= deepest)
            throw Error(ErrorKind::input, "virtual datasets refer to each other in an endless loop", where_);
        held->hold_sources(look_at_sources(place, properties, shape, depth));
        return held;
    }
    require_filters(dataset, where, false);
    const std::optional<std::uint64_t> external = external_bytes(properties, where, files_);
    if (external) {
        const h5::Handle type(H5Dget_type(dataset));
        held->hold_first_bytes(*external, H5Tget_size(type));
        return held;
    }
    H5D_space_status_t status = H5D_SPACE_STATUS_ALLOCATED;
    H5Dget_space_status(dataset, &status);
    if (status == H5D_SPACE_STATUS_ALLOCATED) return held;
    if (H5Pget_layout(properties) != H5D_CHUNKED || status == H5D_SPACE_STATUS_NOT_ALLOCATED) {
        held->hold_nothing();
        return held;
    }
    H5Iinc_ref(dataset);
    held->hold_written_chunks(h5::Handle(dataset));
    return held;
}

std::vector<HeldDataset::Source> Storage::look_at_sources(const Place& place, hid_t properties,
                                                          const std::vector<std::size_t>& shape, int depth) {
    std::vector<HeldDataset::Source> sources;
    for (VirtualMapping& mapping : virtual_mappings(properties, shape)) {
        std::shared_ptr<const HeldDataset> source =
            look_at_source(place, mapping.file, mapping.path, depth + 1);
        sources.push_back({std::move(mapping), std::move(source)});
    }
    return sources;
}

std::shared_ptr<const HeldDataset> Storage::look_at_source(const Place& master, const std::string& file,
                                                           const std::string& path, int depth) {
    std::string source = path;
    try {
        if (file == ".") {
            const auto known = looked_.find({master.file_name, path});
            if (known != looked_.end()) return known->second;
            const h5::Handle dataset = h5::open_dataset(master.file, master.file_name, path);
            auto held = look_at({master.file, master.file_name, path}, dataset, depth);
            return looked_[{master.file_name, path}] = std::move(held);
        }
        source = file + "::" + path;
        auto at = open_.find(master.file_name + "\n" + file);
        if (at == open_.end()) {
            const fs::path found = find_virtual_source(file, master.file_name);
            if (h5::has_no_locks(found))
                throw Error(ErrorKind::input,
                            "its file system does not support locks, so HDF5 would read zeros from the file",
                            found.string(), "set HDF5_USE_FILE_LOCKING=FALSE");
            const h5::Reading reading = swmr_ ? h5::Reading::swmr : h5::Reading::ordinary;
            at = open_
                     .emplace(master.file_name + "\n" + file,
                              std::pair(found.string(), h5::open_file(found, reading)))
                     .first;
            needs_swmr_ = needs_swmr_ || (!swmr_ && h5::is_swmr(at->second.second));
            if (named_.insert(found.string()).second) sources_.push_back(found);
            files_.add(found, h5::is_swmr(at->second.second));
        }
        const auto& [found, opened] = at->second;
        const auto known = looked_.find({found, path});
        if (known != looked_.end()) return known->second;
        const h5::Handle dataset = h5::open_dataset(opened, found, path);
        auto held = look_at({opened, found, path}, dataset, depth);
        return looked_[{found, path}] = std::move(held);
    } catch (const NotFollowed&) {
        throw;
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

bool Storage::written(std::size_t frame) const {
    if (frame >= held_->end()) return false;
    if (held_->known_whole()) return true;
    const h5::Lock lock;
    return !held_->held(frame).empty();
}

bool Storage::whole(std::size_t frame) const {
    if (held_->known_whole()) return frame < held_->end();
    const h5::Lock lock;
    return held_->whole(frame);
}

PixelBlocks Storage::held(std::size_t frame) const {
    const h5::Lock lock;
    return held_->held(frame);
}

std::string Storage::why_not_whole(std::size_t frame) const {
    const h5::Lock lock;
    return held_->why_not_whole(frame);
}

void Storage::require_whole() const {
    if (held_->known_whole()) return;
    const h5::Lock lock;
    for (std::size_t frame = 0; frame < held_->frames(); ++frame)
        if (!held_->whole(frame))
            throw Error(ErrorKind::input,
                        fmt::format("{}frame {} {}", held_->held(frame).empty() ? "" : "part of ", frame,
                                    held_->why_not_whole(frame)),
                        where_);
}

}  // namespace ks::io
