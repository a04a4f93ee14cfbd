#include "core/io/hdf5/filters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace ks::io::h5 {
namespace {

/// A filter, and the Debian 12 package with its plugin; none: built into HDF5, or there is no package.
struct Filter {
    H5Z_filter_t id;
    const char* name;
    const char* package = "";
};

constexpr std::array<Filter, 15> filters{{{H5Z_FILTER_DEFLATE, "gzip"},
                                          {H5Z_FILTER_SHUFFLE, "shuffle"},
                                          {H5Z_FILTER_FLETCHER32, "fletcher32"},
                                          {H5Z_FILTER_SZIP, "szip"},
                                          {H5Z_FILTER_NBIT, "nbit"},
                                          {H5Z_FILTER_SCALEOFFSET, "scaleoffset"},
                                          {307, "bzip2", "hdf5-filter-plugin"},
                                          {32000, "LZF", "hdf5-plugin-lzf"},
                                          {32001, "blosc", "hdf5-filter-plugin-blosc-serial"},
                                          {32004, "LZ4", "hdf5-filter-plugin"},
                                          {bitshuffle_filter, "bitshuffle", "bitshuffle"},
                                          {32013, "ZFP", "hdf5-filter-plugin-zfp-serial"},
                                          {zstd_filter, "zstd"},
                                          {32017, "SZ"},
                                          {32026, "blosc2"}}};

const Filter* row_of(H5Z_filter_t filter) {
    const auto row = std::ranges::find(filters, filter, &Filter::id);
    return row == filters.end() ? nullptr : &*row;
}

std::vector<std::string> plugin_folders() {
    unsigned n = 0;
    std::vector<std::string> folders;
    if (H5PLsize(&n) < 0) return folders;
    for (unsigned i = 0; i < n; ++i) {
        const ssize_t length = H5PLget(i, nullptr, 0);
        if (length <= 0) continue;
        std::string folder(static_cast<std::size_t>(length) + 1, '\0');
        H5PLget(i, folder.data(), folder.size());
        folder.pop_back();
        folders.push_back(std::move(folder));
    }
    return folders;
}

/// Memory that HDF5 will free.
using Owned = std::unique_ptr<void, decltype(&std::free)>;

Owned compressed(const void* from, std::size_t bytes, int level, std::size_t& done) {
    const std::size_t most = ZSTD_compressBound(bytes);
    Owned into(std::malloc(most), &std::free);
    done = into ? ZSTD_compress(into.get(), most, from, bytes, level) : 0;
    return into;
}

/// Null if the writer omitted the length of the values, or if it exceeds that of a chunk.
Owned decompressed(const void* from, std::size_t bytes, std::size_t& done) {
    constexpr unsigned long long longest = 0xffffffffULL;
    const unsigned long long size = ZSTD_getFrameContentSize(from, bytes);
    Owned into(size > longest ? nullptr : std::malloc(std::max<std::size_t>(size, 1)), &std::free);
    done = into ? ZSTD_decompress(into.get(), size, from, bytes) : 0;
    return into;
}

/// With HDF5's calling convention for filters: 0 on failure.
std::size_t zstd(unsigned flags, std::size_t count, const unsigned* values, std::size_t bytes,
                 std::size_t* room, void** buffer) {
    constexpr int default_level = 3;
    const int level = count > 0 ? static_cast<int>(values[0]) : default_level;
    std::size_t done = 0;
    Owned made = (flags & H5Z_FLAG_REVERSE) != 0 ? decompressed(*buffer, bytes, done)
                                                 : compressed(*buffer, bytes, level, done);
    if (!made || ZSTD_isError(done) != 0) return 0;
    std::free(*buffer);
    *buffer = made.release();
    *room = done;
    return done;
}

}  // namespace

std::string filter_name(H5Z_filter_t filter) {
    const Filter* row = row_of(filter);
    return row != nullptr ? row->name : fmt::format("filter {}", filter);
}

std::string filter_hint(H5Z_filter_t filter) {
    const Filter* row = row_of(filter);
    const std::string package = row != nullptr ? row->package : "";
    const std::string folders = fmt::format("{}", fmt::join(plugin_folders(), ", "));
    return fmt::format("install {}; plugins are searched for in {}the folders in HDF5_PLUGIN_PATH",
                       package.empty() ? std::string("a plugin for it") : "the package " + package,
                       folders.empty() ? "" : folders + " and in ");
}

void add_plugin_folder() {
#ifdef H5_DEFAULT_PLUGINDIR
    const std::string built_in = H5_DEFAULT_PLUGINDIR;
    const std::vector<std::string> folders = plugin_folders();
    if (std::ranges::find(folders, built_in) != folders.end()) return;
    // HDF5 stops searching at a folder that does not exist.
    const auto absent = std::ranges::find_if(folders, [](const std::string& folder) {
        std::error_code ignored;
        return !std::filesystem::is_directory(folder, ignored);
    });
    if (absent == folders.end())
        H5PLappend(built_in.c_str());
    else
        H5PLinsert(built_in.c_str(), static_cast<unsigned>(absent - folders.begin()));
#endif
}

void add_zstd_filter() {
    // Asking HDF5 first whether it has one would load all plugins.
    static bool added = false;
    if (std::exchange(added, true)) return;
    static const H5Z_class2_t filter{
        H5Z_CLASS_T_VERS, zstd_filter, 1, 1, "zstd", nullptr, nullptr, zstd,
    };
    H5Zregister(&filter);
}

}  // namespace ks::io::h5
