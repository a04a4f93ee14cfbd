#include "core/io/hdf5/chunks/chunk_file.h"

#include <fcntl.h>
#include <unistd.h>

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

}  // namespace ks::io::h5
