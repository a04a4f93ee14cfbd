#include "core/io/hdf5/hdf5_format.h"

#include <cstdint>
#include <string_view>

#include "core/io/files/file_bytes.h"
#include "core/io/frame_format.h"
#include "core/io/hdf5/hdf5_read.h"

namespace ks::io {

bool is_hdf5(const std::filesystem::path& file) {
    // At byte 0, 512, 1024, 2048, ...: a user block may precede it.
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(file, failure);
    if (failure) return false;
    for (std::uintmax_t at = 0; at + signature.size() <= size; at = at == 0 ? 512 : 2 * at)
        if (peek_bytes(file, at, signature.size()) == signature) return true;
    return false;
}

FrameFormat hdf5_format() {
    FrameFormat format;
    format.id = "hdf5";
    format.title = "HDF5";
    format.noun = "an HDF5 file";
    format.suffixes = {".h5", ".hdf5", ".hdf", ".he5", ".nxs", ".nx", ".nx5", ".cxi"};
    format.objects = true;
    format.tables = true;
    format.sniff = is_hdf5;
    format.open = open_hdf5_frames;
    format.tree = [](const std::filesystem::path& file) { return read_hdf5_tree(file); };
    format.describe = describe_hdf5;
    format.geometry = read_hdf5_geometry;
    format.pixels = read_hdf5_pixels;
    format.rotation = read_hdf5_rotation;
    return format;
}

}  // namespace ks::io
