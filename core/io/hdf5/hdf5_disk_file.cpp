#include "core/io/hdf5/hdf5_disk_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

namespace ks::io::h5 {
namespace {

/// Bytes that were not written to the disk.
struct Kept {
    haddr_t at;
    std::vector<std::byte> bytes;
};

struct DiskFile : H5FD_t {
    int number = -1;
    haddr_t allocated = 0, end = 0;
    std::shared_ptr<DiskState> state;
    std::vector<Kept> kept;  ///< in the order written
};

/// Driver information per file passed to H5FDregister's driver; HDF5 copies it bytewise.
struct Access {
    const std::shared_ptr<DiskState>* state;
};

DiskFile& disk(H5FD_t* file) {
    return *static_cast<DiskFile*>(file);
}
const DiskFile& disk(const H5FD_t* file) {
    return *static_cast<const DiskFile*>(file);
}

extern "C" {

H5FD_t* disk_open(const char* name, unsigned flags, hid_t properties, haddr_t) {
    const auto* access = static_cast<const Access*>(H5Pget_driver_info(properties));
    if (access == nullptr) return nullptr;
    int how = O_CLOEXEC | ((flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY);
    if ((flags & H5F_ACC_CREAT) != 0) how |= O_CREAT;
    if ((flags & H5F_ACC_TRUNC) != 0) how |= O_TRUNC;
    if ((flags & H5F_ACC_EXCL) != 0) how |= O_EXCL;
    auto* file = new (std::nothrow) DiskFile();
    if (file == nullptr) return nullptr;
    file->state = *access->state;
    file->number = ::open(name, how, 0666);
    const off_t size = file->number < 0 ? -1 : ::lseek(file->number, 0, SEEK_END);
    if (size < 0) {
        file->state->error = errno;
        if (file->number >= 0) ::close(file->number);
        delete file;
        return nullptr;
    }
    file->end = static_cast<haddr_t>(size);
    return file;
}

herr_t disk_close(H5FD_t* base) {
    DiskFile& file = disk(base);
    // Some network file systems report a failed write only here.
    if (::close(file.number) != 0 && file.state->error == 0) file.state->error = errno;
    file.state->closed = true;
    delete &file;
    return 0;
}

// As in HDF5's own driver, so that files have the same layout.
herr_t disk_query(const H5FD_t*, unsigned long* features) {
    if (features != nullptr)
        *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                    H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

haddr_t disk_allocated(const H5FD_t* base, H5FD_mem_t) {
    return disk(base).allocated;
}

herr_t disk_allocate(H5FD_t* base, H5FD_mem_t, haddr_t to) {
    disk(base).allocated = to;
    return 0;
}

haddr_t disk_end(const H5FD_t* base, H5FD_mem_t) {
    return disk(base).end;
}

herr_t disk_read(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* to) {
    const DiskFile& file = disk(base);
    auto* bytes = static_cast<std::byte*>(to);
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = ::pread(file.number, bytes + done, size - done, static_cast<off_t>(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    std::memset(bytes + done, 0, size - done);
    for (const Kept& kept : file.kept) {
        const haddr_t first = std::max(at, kept.at);
        const haddr_t last = std::min<haddr_t>(at + size, kept.at + kept.bytes.size());
        if (first < last)
            std::memcpy(bytes + (first - at), kept.bytes.data() + (first - kept.at), last - first);
    }
    return 0;
}

herr_t disk_write(H5FD_t* base, H5FD_mem_t kind, hid_t, haddr_t at, std::size_t size, const void* from) {
    DiskFile& file = disk(base);
    const auto* bytes = static_cast<const std::byte*>(from);
    std::size_t done = 0;
    while (done < size && file.state->error == 0) {
        const ssize_t put = ::pwrite(file.number, bytes + done, size - done, static_cast<off_t>(at + done));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0)
            file.state->error = put < 0 ? errno : ENOSPC;
        else
            done += static_cast<std::size_t>(put);
    }
    if (done < size && kind != H5FD_MEM_DRAW) try {
            file.kept.push_back({at, {bytes, bytes + size}});
        } catch (const std::bad_alloc&) {
            return -1;
        }
    file.end = std::max<haddr_t>(file.end, at + size);
    return 0;
}

herr_t disk_truncate(H5FD_t* base, hid_t, hbool_t) {
    DiskFile& file = disk(base);
    if (file.end == file.allocated) return 0;
    if (file.state->error == 0 && ::ftruncate(file.number, static_cast<off_t>(file.allocated)) != 0)
        file.state->error = errno;
    file.end = file.allocated;
    return 0;
}

}  // extern "C"

H5FD_class_t driver_class() {
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 2)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 1);
#endif
    driver.name = "kernelscope";
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(Access);
    driver.open = disk_open;
    driver.close = disk_close;
    driver.query = disk_query;
    driver.get_eoa = disk_allocated;
    driver.set_eoa = disk_allocate;
    driver.get_eof = disk_end;
    driver.read = disk_read;
    driver.write = disk_write;
    driver.truncate = disk_truncate;
    const H5FD_mem_t kinds[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::ranges::copy(kinds, driver.fl_map);
    return driver;
}

}  // namespace

Handle disk_access(const std::shared_ptr<DiskState>& state) {
    const Lock lock;
    static const H5FD_class_t driver = driver_class();
    static const hid_t id = H5FDregister(&driver);
    Handle properties(H5Pcreate(H5P_FILE_ACCESS));
    const Access access{&state};
    H5Pset_driver(properties, id, &access);
    return properties;
}

}  // namespace ks::io::h5
