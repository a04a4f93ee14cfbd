#include "core/io/hdf5/named/named_files.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <system_error>

#include "core/base/error.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/regular_file.h"
#include "core/io/hdf5/virtual_mapping.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t deepest_sources = 16;
constexpr std::size_t most_numbered = 1'000'000;

const char* prefix_variable(NameKind kind) {
    switch (kind) {
        case NameKind::external_link:
            return "HDF5_EXT_PREFIX";
        case NameKind::virtual_source:
            return "HDF5_VDS_PREFIX";
        case NameKind::raw:
            break;
    }
    return "HDF5_EXTFILE_PREFIX";
}

/// Whether HDF5's search ends at this file: pipes and the like, on which it would block, and files with its
/// signature, at 0 or at a power of two from 512 on.
bool is_tried(const fs::path& file) {
    static std::map<fs::path::string_type, FileIdentity> with_signature;  // guarded by the Lock
    const h5::Lock lock;
    const std::optional<FileIdentity> now = identity_of(file);
    if (!now) return false;
    const auto known = with_signature.find(file.native());
    if (known != with_signature.end() && known->second == *now) return true;
    if (!special_kind(file).empty()) return true;
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    std::error_code failure;
    const std::uintmax_t bytes = fs::file_size(file, failure);
    if (failure) return false;
    for (std::uint64_t at = 0; at + signature.size() <= bytes; at = at == 0 ? 512 : 2 * at)
        if (peek_bytes(file, at, signature.size()) == signature) {
            with_signature.insert_or_assign(file.native(), *now);
            return true;
        }
    return false;
}

/// "part_%b.h5" with "%b" replaced by a number; "%%" is a percent sign.
std::string with_number(const std::string& name, std::size_t number) {
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool escapes =
            name[i] == '%' && i + 1 < name.size() && (name[i + 1] == 'b' || name[i + 1] == '%');
        if (!escapes)
            out += name[i];
        else if (name[++i] == 'b')
            out += std::to_string(number);
        else
            out += '%';
    }
    return out;
}

/// HDF5 continues a numbered source until a number has no file.
void take_numbered(const std::string& name, const fs::path& master,
                   const std::function<void(NameKind, const std::string&)>& take) {
    const std::string first = with_number(name, 0);
    if (first == ".") return;
    take(NameKind::virtual_source, first);
    if (with_number(name, 1) == first) return;
    for (std::size_t i = 1; i < most_numbered; ++i) {
        const std::string one = with_number(name, i);
        if (!file_named(NameKind::virtual_source, one, master)) break;
        take(NameKind::virtual_source, one);
    }
}

/// Why one of the files that a dataset names may not be opened.
/// @param named whether it names any
std::optional<Refusal> why_not_named(hid_t dataset, bool& named) {
    std::string master;
    std::optional<Refusal> why;
    for_each_name(dataset, [&](NameKind kind, const std::string& name) {
        named = true;
        if (why) return;
        if (master.empty()) master = h5::file_of(dataset);
        why = why_not_opened(kind, name, master);
    });
    return why;
}

/// Whether HDF5 opens sources of a virtual dataset when its extent is queried.
bool has_endless_source(hid_t dataset) {
    const h5::Handle properties(H5Dget_create_plist(dataset));
    if (H5Pget_layout(properties) != H5D_VIRTUAL) return false;
    std::size_t n = 0;
    H5Pget_virtual_count(properties, &n);
    for (std::size_t i = 0; i < n; ++i) {
        const h5::Handle space(H5Pget_virtual_vspace(properties, i));
        const int rank = H5Sget_simple_extent_ndims(space);
        if (rank <= 0 || H5Sis_regular_hyperslab(space) <= 0) continue;
        std::vector<hsize_t> start(static_cast<std::size_t>(rank)), stride(start), count(start), block(start);
        H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data());
        const auto is_endless = [](hsize_t value) { return value == H5S_UNLIMITED; };
        if (std::ranges::any_of(count, is_endless) || std::ranges::any_of(block, is_endless)) return true;
    }
    return false;
}

void require_sources(hid_t dataset, std::size_t depth) {
    const std::string name = h5::file_of(dataset);
    bool named = false;
    if (const auto why = why_not_named(dataset, named)) throw NotFollowed(*why, name);
    const h5::Handle properties(H5Dget_create_plist(dataset));
    if (H5Pget_layout(properties) != H5D_VIRTUAL) return;
    if (depth >= deepest_sources)
        throw Error(ErrorKind::input, "virtual datasets refer to each other in an endless loop", name);
    std::size_t n = 0;
    H5Pget_virtual_count(properties, &n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto text = [&](auto read) {
            return with_number(
                read_name([&](char* to, std::size_t size) { return read(properties, i, to, size); }), 0);
        };
        const std::string file = text(H5Pget_virtual_filename), path = text(H5Pget_virtual_dsetname);
        const std::optional<fs::path> found =
            file == "." ? fs::path(name) : file_named(NameKind::virtual_source, file, name);
        if (!found) continue;
        try {
            const h5::Handle opened = h5::open_file(*found);
            const h5::Handle source = h5::open_dataset(opened, found->string(), path);
            // Opening a dataset with such sources has already checked them.
            if (!has_endless_source(source)) require_sources(source, depth + 1);
        } catch (const NotFollowed&) {
            throw;
        } catch (const Error&) {
            // HDF5 cannot open it either.
        }
    }
}

}  // namespace

bool any_named(NameKind kind, const std::string& name, const fs::path& master,
               const std::function<bool(const fs::path&)>& take) {
    const fs::path written = name;
    const fs::path relative = written.is_absolute() ? written.filename() : written;
    const auto takes = [&](const fs::path& place) {
        std::error_code ignored;
        return fs::exists(place, ignored) && take(place);
    };
    if (written.is_absolute() && takes(written)) return true;
    std::error_code ignored;
    const fs::path folder = fs::absolute(master, ignored).parent_path();
    if (const char* prefixes = std::getenv(prefix_variable(kind))) {
        std::istringstream in(prefixes);
        for (std::string prefix; std::getline(in, prefix, ':');) {
            if (prefix.starts_with("${ORIGIN}")) prefix = folder.string() + prefix.substr(9);
            if (takes(fs::path(prefix) / relative)) return true;
        }
    }
    // a link to the master is followed only if no file is next to it
    if (kind != NameKind::raw &&
        (takes(folder / relative) || takes(fs::weakly_canonical(master, ignored).parent_path() / relative)))
        return true;
    return (kind != NameKind::raw || !written.is_absolute()) && takes(relative);
}

std::optional<fs::path> file_named(NameKind kind, const std::string& name, const fs::path& master) {
    std::optional<fs::path> found;
    any_named(kind, name, master, [&](const fs::path& place) {
        found = place;
        return true;
    });
    return found;
}

std::optional<Refusal> why_not_opened(NameKind kind, const std::string& name, const fs::path& master) {
    std::optional<Refusal> why;
    any_named(kind, name, master, [&](const fs::path& file) {
        if (kind != NameKind::raw && !is_tried(file)) return false;
        why = why_not_followed(file, master);
        return true;
    });
    return why;
}

void for_each_name(hid_t dataset, const std::function<void(NameKind, const std::string&)>& take) {
    const h5::Lock lock;
    const h5::Handle properties(H5Dget_create_plist(dataset));
    if (!properties.valid()) return;
    for (int i = 0; i < H5Pget_external_count(properties); ++i) {
        std::string name(4096, '\0');
        off_t offset = 0;
        hsize_t size = 0;
        const auto index = static_cast<unsigned>(i);
        if (H5Pget_external(properties, index, name.size() - 1, name.data(), &offset, &size) < 0) continue;
        take(NameKind::raw, name.c_str());
    }
    if (H5Pget_layout(properties) != H5D_VIRTUAL) return;
    const std::string master = h5::file_of(dataset);
    std::string last;
    std::size_t n = 0;
    H5Pget_virtual_count(properties, &n);
    for (std::size_t i = 0; i < n; ++i) {
        std::string name = read_name(
            [&](char* to, std::size_t size) { return H5Pget_virtual_filename(properties, i, to, size); });
        if (name == last) continue;
        take_numbered(name, master, take);
        last = std::move(name);
    }
}

namespace h5 {
namespace {

/// Why one of the files that sources name, and that HDF5 opens for the extent of an endless virtual dataset,
/// may not be opened.
std::optional<Refusal> why_not_beyond(hid_t dataset) {
    static std::set<std::string> looked_at;  // datasets on the path to here; guarded by the Lock
    if (looked_at.size() >= deepest_sources)
        return Refusal{"virtual datasets refer to each other in an endless loop", {}};
    const std::string id = object_id(dataset);
    if (!looked_at.insert(id).second) return std::nullopt;
    std::optional<Refusal> why;
    try {
        require_sources(dataset, 0);
    } catch (const NotFollowed& error) {
        why = Refusal{error.message(), error.hint()};
    } catch (const Error&) {
        // Reading it will report that.
    }
    looked_at.erase(id);
    return why;
}

}  // namespace

std::optional<Refusal> why_not_used(hid_t dataset) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds lasts(1);
    // Datasets that name files, and when all of these were allowed: code that opens a file queries the
    // same dataset with a thousand names again and again. HDF5 opens those files later than this check
    // in any case.
    static std::map<std::string, Clock::time_point> allowed;  // guarded by the Lock
    const Lock lock;
    const auto here = [&] { return file_of(dataset) + ' ' + object_id(dataset); };
    const Clock::time_point now = Clock::now();
    std::erase_if(allowed, [&](const auto& one) { return now - one.second >= lasts; });
    if (!allowed.empty() && allowed.contains(here())) return std::nullopt;
    bool named = false;
    if (const auto why = why_not_named(dataset, named)) return why;
    if (!named) return std::nullopt;
    if (has_endless_source(dataset)) return why_not_beyond(dataset);
    allowed.emplace(here(), now);
    return std::nullopt;
}

bool values_followed(hid_t dataset) try {
    const Lock lock;
    require_sources(dataset, 0);
    return true;
} catch (const Error&) {
    return false;
}

}  // namespace h5

}  // namespace ks::io
