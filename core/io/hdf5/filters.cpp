#include "core/io/hdf5/filters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <vector>

namespace ks::io::h5 {
namespace {

/// A filter, and the package of Debian 12 that holds its plugin; none: HDF5 has it, or no package does.
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
                                          {32008, "bitshuffle", "bitshuffle"},
                                          {32013, "ZFP", "hdf5-filter-plugin-zfp-serial"},
                                          {32015, "zstd"},
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

}  // namespace

std::string filter_name(H5Z_filter_t filter) {
    const Filter* row = row_of(filter);
    return row != nullptr ? row->name : fmt::format("filter {}", filter);
}

std::string filter_hint(H5Z_filter_t filter) {
    const Filter* row = row_of(filter);
    const std::string package = row != nullptr ? row->package : "";
    const std::string folders = fmt::format("{}", fmt::join(plugin_folders(), ", "));
    return fmt::format(
        "install {}; plugins are looked for in {}, and in the folders that HDF5_PLUGIN_PATH names",
        package.empty() ? std::string("a plugin for it") : "the package " + package,
        folders.empty() ? "no folder" : folders);
}

void add_plugin_folder() {
#ifdef H5_DEFAULT_PLUGINDIR
    const std::string built_in = H5_DEFAULT_PLUGINDIR;
    const std::vector<std::string> folders = plugin_folders();
    if (std::ranges::find(folders, built_in) != folders.end()) return;
    // HDF5 looks no further than a folder that is not there.
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

}  // namespace ks::io::h5
