#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/hdf5/chunks/chunk_encoder.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {

/// Filters of a stack, and their name.
struct StackFilters {
    const char* name;
    void (*set)(hid_t properties);
};
inline const std::vector<StackFilters>& stack_filters() {
    static const std::vector<StackFilters> all{
        {"gzip", [](hid_t p) { H5Pset_deflate(p, 4); }},
        {"bslz4",
         [](hid_t p) {
             const unsigned values[2] = {0, 2};
             H5Pset_filter(p, 32008, H5Z_FLAG_MANDATORY, 2, values);
         }},
        {"zstd",
         [](hid_t p) {
             io::h5::ChunkEncoder({io::h5::Codec::zstd, 1}, 2).set_filters(p);
         }},
    };
    return all;
}

/// Writes u16 [frame][y][x] values, a chunk a frame.
inline void write_stack(TestFile& file, const std::string& path, std::size_t frames, std::size_t height,
                        std::size_t width, const std::vector<std::uint16_t>& values,
                        const StackFilters& filters) {
    file.make(path, H5T_STD_U16LE, {frames, height, width}, values.data(), H5T_NATIVE_UINT16,
              {1, height, width}, filters.set);
}

enum class Damage { overwritten, truncated };
/// Spoils the chunk of one frame of a stack in a file.
inline void damage(const std::string& file, const std::string& path, std::size_t frame, Damage how) {
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                dataset = H5Dopen2(opened, path.c_str(), H5P_DEFAULT);
    const hsize_t offset[3] = {frame, 0, 0};
    hsize_t bytes = 0;
    ASSERT_GE(H5Dget_chunk_storage_size(dataset, offset, &bytes), 0);
    ASSERT_GT(bytes, 40U);
    std::vector<unsigned char> chunk(bytes);
    std::uint32_t mask = 0;
    ASSERT_GE(H5Dread_chunk(dataset, H5P_DEFAULT, offset, &mask, chunk.data()), 0);
    if (how == Damage::truncated)
        bytes = bytes * 2 / 3;
    else  // behind what a header holds
        for (std::size_t i = 12; i < bytes; ++i) chunk[i] = static_cast<unsigned char>(0xa7 * i + 0x5b);
    ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, mask, offset, bytes, chunk.data()), 0);
    H5Dclose(dataset);
    H5Fclose(opened);
}

}  // namespace ks::tests
