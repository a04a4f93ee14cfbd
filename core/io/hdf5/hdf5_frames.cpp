#include "core/io/hdf5/hdf5_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/data/damaged_frame.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/file_stamp.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/no_count.h"

namespace ks::io {
namespace fs = std::filesystem;

Error still_written(const std::string& where) {
    return Error(ErrorKind::input, "a source of this virtual dataset is still being written", where,
                 "wait until that source is closed");
}

std::optional<std::string> why_not_frames(hid_t dataset, std::optional<std::size_t> scan) {
    const h5::Lock lock;
    const h5::Handle type(H5Dget_type(dataset));
    const std::string found = h5::type_name(type);
    const std::optional<ElementType> element = h5::element_type(type);
    if (!element || found == "enum")
        return fmt::format("expected pixels of type {}, found {}{}", frame_types, found,
                           found == "string" ? "s" : "");
    return h5::StackAxes::why_not(h5::shape_of(dataset), scan);
}

namespace {

/// Opens the dataset with a chunk cache that holds one layer of chunks if chunks span several frames: reading
/// frame by frame then decompresses each chunk once.
h5::Handle open_with_cache(const h5::Handle& file, const std::string& file_name, const h5::ScanName& name) {
    constexpr std::size_t largest_cache = std::size_t{512} << 20;
    constexpr std::size_t max_slots = std::size_t{1} << 20;  // 8 bytes each, allocated at once
    std::size_t layer = 0, chunks = 1;
    {
        const h5::Handle dataset = h5::open_dataset(file, file_name, name.path);
        const h5::Handle properties(H5Dget_create_plist(dataset));
        const auto axes = h5::StackAxes::of(h5::shape_of(dataset), name.scan);
        h5::StackAxes::Place extent{};
        if (H5Pget_layout(properties) != H5D_CHUNKED || !axes ||
            H5Pget_chunk(properties, static_cast<int>(axes->rank()), extent.data()) < 0)
            return h5::open_dataset(file, file_name, name.path);
        const h5::Handle type(H5Dget_type(dataset));
        if (const auto chunk = axes->chunk(extent); chunk && (*chunk)[0] > 1) {
            const auto [frames, rows, columns] = *chunk;
            chunks = ((axes->height() + rows - 1) / rows) * ((axes->width() + columns - 1) / columns);
            layer = chunks * frames * rows * columns * H5Tget_size(type);
        }
    }
    const h5::Handle access(H5Pcreate(H5P_DATASET_ACCESS));
    if (layer > 0 && layer <= largest_cache)
        H5Pset_chunk_cache(access, std::clamp<std::size_t>(10 * chunks + 1, 521, max_slots),
                           layer + (std::size_t{1} << 20), 1.0);
    h5::Handle dataset(H5Dopen2(file, name.path.c_str(), access));
    return dataset.valid() ? std::move(dataset) : h5::open_dataset(file, file_name, name.path);
}

}  // namespace

Hdf5Frames::Hdf5Frames(const h5::Handle& file, const DataName& name)
    : Hdf5Frames(file.share(), name, io::frame_time(file, name)) {}

Hdf5Frames::Hdf5Frames(h5::Handle file, DataName name, FrameTime frame_time)
    : StoredFrames(std::move(name)), file_(std::move(file)), frame_time_(std::move(frame_time)) {
    const std::string file_name = name_.file.string();
    kept_name_ = kept_name(file_name);
    const h5::Lock lock(kept_name_);
    const h5::ScanName name_of_scan = h5::ScanName::of(file_, name_.object);
    dataset_ = open_with_cache(file_, file_name, name_of_scan);
    data_file_ = h5::file_of(dataset_);
    storage_ = std::make_unique<Storage>(file_, file_name, name_of_scan.path, dataset_);
    if (const auto why = why_not_frames(dataset_, name_of_scan.scan))
        throw Error(ErrorKind::input, *why, name_.to_string());
    const h5::Handle type(H5Dget_type(dataset_));
    axes_ = *h5::StackAxes::of(h5::shape_of(dataset_), name_of_scan.scan);
    set_stack(axes_.shape(), *h5::element_type(type));
    const h5::Handle properties(H5Dget_create_plist(dataset_));
    const haddr_t address = H5Dget_offset(dataset_);
    if (H5Pget_layout(properties) == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0 &&
        H5Tequal(type, h5::memory_type(stored())) > 0 && address != HADDR_UNDEF && !data_file_.empty())
        offset_ = address;
    // While another program writes, a chunk may change after its size was read.
    if (!h5::is_swmr(dataset_)) chunks_ = h5::ChunkReader::of(dataset_, axes_);
    identity_ = make_identity();
    files_.add(name_.file, h5::is_swmr(file_));
    if (!data_file_.empty()) files_.add(data_file_, h5::is_swmr(dataset_));
    files_.add(storage_->files());
}

std::string Hdf5Frames::make_identity() const {
    std::string all = file_stamp(name_.file) + "::" + name_.object;
    if (!data_file_.empty() && data_file_ != name_.file.string())
        all.append(1, '\n').append(file_stamp(data_file_));
    for (const fs::path& source : storage_->sources()) all.append(1, '\n').append(file_stamp(source));
    return all;
}

void Hdf5Frames::read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) {
    if (!may_lack_pixels()) return read_whole(first, count, into);
    const std::size_t bytes = into.size() / count;
    const PixelBlocks all{{0, height(), 0, width()}};
    for (std::size_t done = 0; done < count;) {
        const PixelBlocks held = storage_->held(in_storage(first + done));
        std::size_t alike = 1;
        while (done + alike < count && storage_->held(in_storage(first + done + alike)) == held) ++alike;
        const std::span<std::byte> some = into.subspan(done * bytes, alike * bytes);
        if (held == all)
            read_whole(first + done, alike, some);
        else
            read_parts(first + done, alike, held, some);
        done += alike;
    }
}

namespace {

/// Fills the place of missing values.
void fill_with_no_count(ElementType stored, std::span<std::byte> into) {
    visit_element(stored, [&]<class T>(T) {
        std::fill_n(reinterpret_cast<T*>(into.data()), into.size() / sizeof(T), no_count<T>());
    });
}

}  // namespace

/// Reads frames that all have the same parts.
void Hdf5Frames::read_parts(std::size_t first, std::size_t count, const PixelBlocks& held,
                            std::span<std::byte> into) const {
    fill_with_no_count(stored(), into);
    if (chunks_) {
        const std::size_t bytes = into.size() / count;
        for (std::size_t i = 0; i < count; ++i)
            if (!chunks_->read(first + i, 1, into.subspan(i * bytes, bytes), h5::ChunkReader::Absent::left))
                throw DamagedFrame(first + i, "a chunk is damaged", name());
        return;
    }
    const h5::Lock lock(kept_name_);
    for (const PixelBlock& block : held) {
        if (try_block(first, count, block, into)) continue;
        const std::string why = h5::last_failure();
        require_filters(dataset_, name(), true);
        throw DamagedFrame(first, why, name());
    }
}

void Hdf5Frames::read_whole(std::size_t first, std::size_t count, std::span<std::byte> into) const {
    if (offset_)
        read_directly(first, into);
    else if (!chunks_ || !chunks_->suits(count))
        read_slab(first, count, into);
    else if (!chunks_->read(first, count, into))
        read_one_by_one(first, count, into);
}

/// Reads frames one by one after some chunks could not be read together. HDF5 is not used for them: its
/// filters trust lengths stored in a chunk, and some read beyond its end.
void Hdf5Frames::read_one_by_one(std::size_t first, std::size_t count, std::span<std::byte> into) const {
    const std::size_t bytes = into.size() / count;
    for (std::size_t i = 0; i < count; ++i)
        if (count == 1 || !chunks_->read(first + i, 1, into.subspan(i * bytes, bytes)))
            throw DamagedFrame(first + i, "a chunk is damaged", name());
}

bool Hdf5Frames::written(std::size_t frame) const {
    return frame < frames() && storage_->written(in_storage(frame));
}

PixelBlocks Hdf5Frames::lacking(std::size_t frame) const {
    if (!may_lack_pixels() || !written(frame)) return {};
    return disjoint({{0, height(), 0, width()}}, storage_->held(in_storage(frame)));
}

void Hdf5Frames::require_written(std::size_t first, std::size_t count) const {
    if (storage_->all_written()) return;
    for (std::size_t frame = first; frame < first + count; ++frame)
        if (!storage_->written(in_storage(frame)))
            throw Error(ErrorKind::input,
                        fmt::format("frame {} {}", frame, storage_->why_not_whole(in_storage(frame))),
                        name());
}

void Hdf5Frames::read_directly(std::size_t first, std::span<std::byte> into) const {
    const std::uint64_t before = std::uint64_t{axes_.frames_before()} + first;
    read_bytes_at(data_file_, *offset_ + before * pixels() * size_of(stored()), into, name());
}

/// @param into complete frames
bool Hdf5Frames::try_block(std::size_t first, std::size_t count, const PixelBlock& part,
                           std::span<std::byte> into) const {
    const h5::Handle space(H5Dget_space(dataset_));
    const h5::StackAxes::Place start = axes_.place(first, part.top, part.left),
                               block = axes_.extent(count, part.bottom - part.top, part.right - part.left);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
    const hsize_t extent[] = {count, height(), width()}, at[] = {0, part.top, part.left},
                  some[] = {count, part.bottom - part.top, part.right - part.left};
    const h5::Handle memory(H5Screate_simple(3, extent, nullptr));
    H5Sselect_hyperslab(memory, H5S_SELECT_SET, at, nullptr, some, nullptr);
    return H5Dread(dataset_, h5::memory_type(stored()), memory, space, H5P_DEFAULT, into.data()) >= 0;
}

bool Hdf5Frames::try_slab(std::size_t first, std::size_t count, std::span<std::byte> into) const {
    const h5::Handle space(H5Dget_space(dataset_));
    const h5::StackAxes::Place start = axes_.place(first, 0, 0),
                               block = axes_.extent(count, height(), width());
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
    const h5::Handle memory(H5Screate_simple(static_cast<int>(axes_.rank()), block.data(), nullptr));
    return H5Dread(dataset_, h5::memory_type(stored()), memory, space, H5P_DEFAULT, into.data()) >= 0;
}

void Hdf5Frames::read_slab(std::size_t first, std::size_t count, std::span<std::byte> into) const {
    std::string why;
    {
        const h5::Lock lock(kept_name_);
        if (try_slab(first, count, into)) return;
        why = h5::last_failure();
    }
    // HDF5 may lack a filter that chunks_ supports.
    if (chunks_) return read_one_by_one(first, count, into);
    require_filters(dataset_, name(), true);
    const h5::Lock lock(kept_name_);
    const std::size_t bytes = into.size() / count;
    for (std::size_t i = 0; i < count; ++i)
        if (count == 1 || !try_slab(first + i, 1, into.subspan(i * bytes, bytes)))
            throw DamagedFrame(first + i, why, name());
}

}  // namespace ks::io
