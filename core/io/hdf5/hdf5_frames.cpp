#include "core/io/hdf5/hdf5_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/file_stamp.h"
#include "core/io/hdf5/nexus.h"

namespace ks::io {
namespace fs = std::filesystem;

std::optional<std::string> why_not_frames(hid_t dataset) {
    const h5::Lock lock;
    const h5::Handle type(H5Dget_type(dataset));
    const std::string found = h5::type_name(type);
    const std::optional<ElementType> element = h5::element_type(type);
    if (!element || found == "enum")
        return fmt::format("expected pixels of type {}, found {}{}", frame_types, found,
                           found == "string" ? "s" : "");
    return why_not_stack(h5::shape_of(dataset));
}

namespace {

/// Opens the dataset with a chunk cache that holds one layer of chunks, where chunks span several frames:
/// reading frame by frame then unpacks each chunk once.
h5::Handle open_with_cache(const h5::Handle& file, const std::string& file_name, const std::string& path) {
    constexpr std::size_t largest_cache = std::size_t{512} << 20;
    constexpr std::size_t max_slots = std::size_t{1} << 20;  // of 8 bytes, taken at once
    std::size_t layer = 0, chunks = 1;
    {
        const h5::Handle dataset = h5::open_dataset(file, file_name, path);
        const h5::Handle properties(H5Dget_create_plist(dataset));
        const std::vector<std::size_t> shape = h5::shape_of(dataset);
        if (H5Pget_layout(properties) != H5D_CHUNKED || shape.size() != 3)
            return h5::open_dataset(file, file_name, path);
        std::vector<hsize_t> chunk(3);
        H5Pget_chunk(properties, 3, chunk.data());
        chunks = ((shape[1] + chunk[1] - 1) / chunk[1]) * ((shape[2] + chunk[2] - 1) / chunk[2]);
        const h5::Handle type(H5Dget_type(dataset));
        if (chunk[0] > 1) layer = chunks * chunk[0] * chunk[1] * chunk[2] * H5Tget_size(type);
    }
    const h5::Handle access(H5Pcreate(H5P_DATASET_ACCESS));
    if (layer > 0 && layer <= largest_cache)
        H5Pset_chunk_cache(access, std::clamp<std::size_t>(10 * chunks + 1, 521, max_slots),
                           layer + (std::size_t{1} << 20), 1.0);
    h5::Handle dataset(H5Dopen2(file, path.c_str(), access));
    return dataset.valid() ? std::move(dataset) : h5::open_dataset(file, file_name, path);
}

std::string file_of(hid_t object) {
    const ssize_t length = H5Fget_name(object, nullptr, 0);
    if (length <= 0) return {};
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    H5Fget_name(object, name.data(), name.size());
    name.pop_back();
    return name;
}

}  // namespace

Hdf5Frames::Hdf5Frames(h5::Handle file, DataName name)
    : StoredFrames(std::move(name)), file_(std::move(file)) {
    const h5::Lock lock;
    const std::string file_name = name_.file.string();
    dataset_ = open_with_cache(file_, file_name, name_.object);
    data_file_ = file_of(dataset_);
    storage_ = std::make_unique<Storage>(file_, file_name, name_.object, dataset_);
    if (const auto why = why_not_frames(dataset_)) throw Error(ErrorKind::input, *why, name_.to_string());
    const h5::Handle type(H5Dget_type(dataset_));
    const std::vector<std::size_t> shape = h5::shape_of(dataset_);
    set_stack(shape, *h5::element_type(type));
    rank_ = shape.size();
    frame_time_ = io::frame_time(file_);
    const h5::Handle properties(H5Dget_create_plist(dataset_));
    const haddr_t address = H5Dget_offset(dataset_);
    if (H5Pget_layout(properties) == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0 &&
        H5Tequal(type, h5::memory_type(stored())) > 0 && address != HADDR_UNDEF && !data_file_.empty())
        offset_ = address;
    // Beside a program that writes, chunks may change between their size and their reading.
    if (!h5::is_swmr(dataset_)) chunks_ = h5::ChunkReader::of(dataset_);
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
    if (offset_)
        read_directly(first, into);
    else if (!chunks_ || !chunks_->suits(count) || !chunks_->read(first, count, into))
        read_slab(first, count, into);
}

bool Hdf5Frames::written(std::size_t frame) const {
    return frame < frames() && storage_->written(frame);
}

void Hdf5Frames::read_directly(std::size_t first, std::span<std::byte> into) const {
    read_bytes_at(data_file_, *offset_ + std::uint64_t{first} * pixels() * size_of(stored()), into, name());
}

void Hdf5Frames::read_slab(std::size_t first, std::size_t count, std::span<std::byte> into) const {
    const h5::Lock lock;
    const h5::Handle space(H5Dget_space(dataset_));
    const hsize_t start[3] = {first, 0, 0}, block[3] = {count, height(), width()};
    if (rank_ == 3) H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
    const h5::Handle memory(H5Screate_simple(3, block, nullptr));
    if (H5Dread(dataset_, h5::memory_type(stored()), memory, space, H5P_DEFAULT, into.data()) >= 0) return;
    const std::string why = h5::last_failure();
    require_filters(dataset_, name(), true);
    throw Error(ErrorKind::input,
                count == 1 ? fmt::format("frame {} cannot be read: {}", first, why)
                           : fmt::format("frames {} to {} cannot be read: {}", first, first + count - 1, why),
                name(), "the file may be truncated or damaged");
}

}  // namespace ks::io
