#include "core/io/hdf5/chunks/chunk_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "core/base/parallel.h"
#include "core/io/files/file_bytes.h"

namespace ks::io::h5 {

std::unique_ptr<ChunkFile> ChunkFile::of(hid_t dataset) {
    const Lock lock;
    const Handle file(H5Iget_file_id(dataset));
    if (!file.valid()) return nullptr;
    const Handle access(H5Fget_access_plist(file)), create(H5Fget_create_plist(file));
    hsize_t before = 0;
    if (H5Pget_driver(access) != H5FD_SEC2 || H5Pget_userblock(create, &before) < 0 || before > 0)
        return nullptr;
    void* handle = nullptr;
    if (H5Fget_vfd_handle(file, access, &handle) < 0 || handle == nullptr) return nullptr;
    // Duplicates HDF5's own descriptor, whatever its path leads to by now; it stays open as long
    // as needed here.
    const int descriptor = ::fcntl(*static_cast<const int*>(handle), F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) return nullptr;
    return std::unique_ptr<ChunkFile>(new ChunkFile(descriptor));
}

bool ChunkFile::worthwhile(std::size_t chunks, std::size_t bytes) {
    // 20 to 90 ns per chunk that is searched (half of them), some GB/s for copying.
    constexpr std::size_t bytes_for_a_chunk = 64;
    return chunks <= bytes / bytes_for_a_chunk;
}

ChunkFile::~ChunkFile() {
    ::close(descriptor_);
}

std::optional<ChunkFile::Place> ChunkFile::find(hid_t dataset, const hsize_t* offset) {
    unsigned skipped = 0;
    haddr_t at = HADDR_UNDEF;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info_by_coord(dataset, offset, &skipped, &at, &bytes) < 0 || at == HADDR_UNDEF ||
        bytes == 0)
        return std::nullopt;
    return Place{at, bytes, skipped};
}

bool ChunkFile::read(std::uint64_t at, std::span<std::byte> into) const {
    return read_at(descriptor_, at, into) == into.size();
}

namespace {

/// Compressed bytes that are read and decoded in parallel, in addition to one chunk per thread.
constexpr std::size_t batch_bytes = std::size_t{64} << 20;

std::size_t chunks_of(hid_t dataset, const StackAxes::Place& extent) {
    const std::vector<std::size_t> shape = shape_of(dataset);
    std::size_t chunks = 1;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        chunks *= (shape[axis] + extent[axis] - 1) / extent[axis];
    return chunks;
}

}  // namespace

std::unique_ptr<ChunkReader> ChunkReader::of(hid_t dataset, const StackAxes& axes) {
    const Lock lock;
    const Handle properties(H5Dget_create_plist(dataset)), type(H5Dget_type(dataset));
    const std::optional<ElementType> element = element_type(type);
    if (H5Pget_layout(properties) != H5D_CHUNKED || !element || H5Tequal(type, memory_type(*element)) <= 0)
        return nullptr;
    StackAxes::Place extent{};
    if (H5Pget_chunk(properties, static_cast<int>(axes.rank()), extent.data()) < 0) return nullptr;
    const auto chunk = axes.chunk(extent);
    if (!chunk) return nullptr;
    const std::size_t size = size_of(*element), bytes = size * (*chunk)[0] * (*chunk)[1] * (*chunk)[2];
    std::optional<ChunkCodec> codec = ChunkCodec::of(properties, size, bytes);
    if (!codec) return nullptr;
    std::unique_ptr<ChunkReader> made(new ChunkReader(dataset, axes, std::move(*codec)));
    made->element_ = size;
    made->chunk_ = *chunk;
    unsigned options = 0;
    made->partial_unfiltered_ =
        H5Pget_chunk_opts(properties, &options) >= 0 && (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
    if (ChunkFile::worthwhile(chunks_of(dataset, extent), bytes)) made->file_ = ChunkFile::of(dataset);
    return made;
}

std::vector<ChunkReader::Corner> ChunkReader::corners(std::size_t first, std::size_t count) const {
    std::vector<Corner> all;
    for (std::size_t frame = first / chunk_[0] * chunk_[0]; frame < first + count; frame += chunk_[0])
        for (std::size_t y = 0; y < axes_.height(); y += chunk_[1])
            for (std::size_t x = 0; x < axes_.width(); x += chunk_[2]) all.push_back({frame, y, x});
    return all;
}

bool ChunkReader::is_partial(const Corner& corner) const {
    return corner.frame + chunk_[0] > axes_.frames() || corner.y + chunk_[1] > axes_.height() ||
           corner.x + chunk_[2] > axes_.width();
}

/// Under HDF5's lock: finds the bytes of a chunk, or reads them.
ChunkReader::Look ChunkReader::find(const Corner& corner, Chunk& chunk) const {
    const StackAxes::Place offset = axes_.place(corner.frame, corner.y, corner.x);
    chunk.corner = corner;
    if (file_) {
        chunk.place = ChunkFile::find(dataset_, offset.data());
        if (chunk.place) chunk.skipped = chunk.place->skipped;
        return chunk.place ? Look::found : Look::absent;
    }
    hsize_t bytes = 0;
    if (H5Dget_chunk_storage_size(dataset_, offset.data(), &bytes) < 0 || bytes == 0) return Look::absent;
    chunk.stored.make_room(bytes);
    const herr_t done =
        H5Dread_chunk(dataset_, H5P_DEFAULT, offset.data(), &chunk.skipped, chunk.stored.data());
    return done >= 0 ? Look::found : Look::failed;
}

/// Without HDF5's lock.
bool ChunkReader::fetch(Chunk& chunk) const {
    if (!chunk.place) return true;
    chunk.stored.make_room(chunk.place->bytes);
    return file_->read(chunk.place->at, chunk.stored);
}

bool ChunkReader::unpack(const Chunk& chunk, std::size_t first, std::size_t count, std::span<std::byte> into,
                         Room& room) const {
    RawBytes& values = room.values;
    const std::size_t row = chunk_[2] * element_, plane = chunk_[1] * row, height = axes_.height(),
                      width = axes_.width(), frame = height * width * element_;
    const auto [from, y, x] = chunk.corner;
    const std::size_t begin = std::max(from, first), end = std::min(from + chunk_[0], first + count);
    const bool whole = chunk_[1] == height && chunk_[2] == width;
    if (whole && begin == from && end == from + chunk_[0])
        return codec_.decode(chunk.stored, chunk.skipped, room.scratch,
                             into.subspan((from - first) * frame, chunk_[0] * frame));
    values.make_room(chunk_[0] * plane);
    if (!codec_.decode(chunk.stored, chunk.skipped, room.scratch, values)) return false;
    const std::size_t rows = std::min(chunk_[1], height - y),
                      bytes = std::min(chunk_[2], width - x) * element_;
    for (std::size_t t = begin; t < end; ++t)
        for (std::size_t i = 0; i < rows; ++i)
            std::memcpy(into.data() + (t - first) * frame + ((y + i) * width + x) * element_,
                        values.data() + (t - from) * plane + i * row, bytes);
    return true;
}

std::unique_ptr<ChunkReader::Room> ChunkReader::room() const {
    const std::lock_guard lock(guard_);
    if (rooms_.empty()) return std::make_unique<Room>();
    std::unique_ptr<Room> taken = std::move(rooms_.back());
    rooms_.pop_back();
    return taken;
}

bool ChunkReader::read(std::size_t first, std::size_t count, std::span<std::byte> into, Absent absent) const {
    const std::vector<Corner> all = corners(first, count);
    const std::size_t threads = std::max(compute_threads(), 1U);
    std::atomic<bool> sound = true;
    for (std::size_t next = 0; next < all.size() && sound;) {
        std::vector<Chunk> batch;
        {
            const Lock lock;
            for (std::size_t bytes = 0; next < all.size() && (batch.size() < threads || bytes < batch_bytes);
                 ++next) {
                Chunk& chunk = batch.emplace_back();
                const Look look = find(all[next], chunk);
                if (look == Look::failed || (look == Look::absent && absent == Absent::refused)) return false;
                if (look == Look::absent) {
                    batch.pop_back();
                    continue;
                }
                bytes += chunk.place ? chunk.place->bytes : chunk.stored.size();
            }
        }
        parallel_for(batch.size(), compute_threads(), [&](std::size_t i) {
            if (!sound) return;
            std::unique_ptr<Room> own = room();
            // The file does not record this per chunk.
            if (partial_unfiltered_ && is_partial(batch[i].corner)) batch[i].skipped = ~std::uint32_t{0};
            if (!fetch(batch[i]) || !unpack(batch[i], first, count, into, *own)) sound = false;
            const std::lock_guard lock(guard_);
            rooms_.push_back(std::move(own));
        });
    }
    return sound;
}

const PackedFrames* ChunkReader::packed() const {
    constexpr std::size_t largest_element = 4;  // larger values are not used as pixels directly
    const bool frames = chunk_ == std::array<std::size_t, 3>{1, axes_.height(), axes_.width()};
    return file_ && frames && element_ <= largest_element && codec_.is_bits_lz4(element_) ? this : nullptr;
}

std::optional<PackedFrames::Place> ChunkReader::find_packed(std::size_t frame) const {
    const Lock lock;
    const auto place = ChunkFile::find(dataset_, axes_.place(frame, 0, 0).data());
    if (!place || place->skipped != 0) return std::nullopt;
    return Place{place->at, place->bytes};
}

bool ChunkReader::read_packed(std::size_t /*frame*/, const Place& place, std::span<std::byte> into) const {
    return file_->read(place.at, into);
}

}  // namespace ks::io::h5
