#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/io/files/followed_files.h"
#include "core/io/hdf5/hdf5_frames.h"
#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/hdf5/series/way_to_frames.h"
#include "core/io/hdf5/series_parts.h"

namespace ks::io {
namespace {

std::string parent_of(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

/// Path below a group of the dataset that a NeXus file shows by default: follows the attributes `default`
/// from the root down, else the first NXentry and NXdata; then @signal of the NXdata, else its dataset with
/// @signal = 1.
std::optional<std::string> named_signal(const SearchedFile& in, const std::string& path) {
    WayToFrames way(in, path);
    do {
        if (h5::is_dataset(way.object())) return way.path();
        if (const std::string signal = way.signal(); !signal.empty()) return join(way.path(), signal);
    } while (way.go_on(WayToFrames::UsualNames::no));
    return std::nullopt;
}

/// Throws if the frames that the file designates cannot be used.
/// @param what the role of the dataset: "the signal"
void require_usable(const SearchedFile& in, const std::string& path, const std::string& signal,
                    const char* what) {
    const std::string begin = fmt::format("{} {}", what, signal);
    h5::Handle object;
    try {
        object = h5::open_object(in.file, in.name, signal);
    } catch (const NotFollowed&) {
        throw;
    } catch (const Error& error) {
        throw in.wrong(fmt::format("{} cannot be used: {}", begin, error.message()), path);
    }
    if (!h5::is_dataset(object))
        throw in.wrong(begin + " is a group, not a dataset of 2 or 3 dimensions", path);
    if (const auto why = why_not_frames(object))
        throw in.wrong(fmt::format("{} cannot be used: {}", begin, *why), path);
}

/// True if the dataset at the usual place is the intended one: not if it is a curve or text.
bool means_usual(const SearchedFile& in, const std::string& usual) {
    const h5::Handle root(H5Oopen(in.file, "/", H5P_DEFAULT));
    if (!h5::exists(root, usual)) return false;
    h5::Handle object = child(child(root, "entry"), "data");
    object = child(object, "data");
    if (!object.valid()) return true;
    if (!h5::is_dataset(object)) return false;
    const h5::Handle type(H5Dget_type(object));
    return h5::element_type(type) && h5::shape_of(object).size() >= 2;
}

/// Throws if a broken link may have been the frames: one in an NXdata group or next to a candidate, or one
/// named data or data_000001, like the parts of an Eiger series.
void require_no_lost_frames(const SearchedFile& in, const std::string& path,
                            const std::vector<std::string>& candidates) {
    std::set<std::string> groups;
    for (const std::string& candidate : candidates) groups.insert(parent_of(candidate));
    const h5::Handle top = h5::open_object(in.file, in.name, path);
    if (h5::nx_class(top) == "NXdata") groups.insert(path == "/" ? "" : path);
    std::optional<std::string> lost;
    h5::walk(top, path, [&](const h5::Met& met) {
        if (lost) return false;
        if (met.group && (met.name == "data" || h5::nx_class(met.object) == "NXdata"))
            groups.insert(met.path);
        if (!met.object.valid() && (groups.contains(parent_of(met.path)) || is_name_of_data(met.name)))
            lost = met.path;
        return met.group;
    });
    if (!lost) return;
    try {
        h5::open_object(in.file, in.name, *lost);
    } catch (const NotFollowed&) {
        throw;
    } catch (const Error& error) {
        throw in.wrong(
            fmt::format("{} could be the frames, but it cannot be opened: {}", *lost, error.message()), path);
    }
}

std::string first_few(const std::vector<std::string>& all) {
    constexpr std::size_t maximum = 8;
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), maximum));
    return fmt::format("{}{}", fmt::join(all.begin(), end, ", "), all.size() > maximum ? ", ..." : "");
}

/// Nothing if no datasets are numbered. Throws if there is more than one such series.
std::optional<NumberedDatasets> only_numbered(const SearchedFile& in, const std::string& path,
                                              const std::vector<std::string>& found) {
    std::vector<NumberedDatasets> all = numbered_datasets(in.file, found);
    if (all.size() < 2) return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
    std::vector<std::string> shown;
    shown.reserve(all.size());
    for (const NumberedDatasets& one : all) shown.push_back(one.to_string());
    throw Error(ErrorKind::input,
                fmt::format("{} series of numbered datasets could be the frames: {}", all.size(),
                            fmt::join(std::span(shown).first(2), "; ")),
                in.where(path), "name the group of one series as FILE::/group",
                fmt::format("{}", fmt::join(shown, "\n")));
}

}  // namespace

DefaultFrames default_frames(const h5::Handle& file, const std::string& file_name, const std::string& path) {
    const h5::Lock lock;
    const SearchedFile in{file, file_name};
    if (const auto signal = named_signal(in, path)) {
        require_usable(in, path, *signal, "the signal");
        return *signal;
    }
    const std::string usual = "/entry/data/data";
    if (path == "/" && means_usual(in, usual)) {
        require_usable(in, path, usual, "the dataset");
        return usual;
    }
    const h5::Handle group = h5::open_object(file, file_name, path);
    std::vector<std::string> found = numeric_datasets(group, path, 3);
    std::optional<NumberedDatasets> numbered;
    if (found.empty()) {
        found = numeric_datasets(group, path, 2);
        numbered = only_numbered(in, path, found);
    }
    require_no_lost_frames(in, path,
                           numbered ? std::vector{join(numbered->group, numbered->names[0])} : found);
    if (numbered) return std::move(*numbered);
    if (found.size() == 1) return found.front();
    if (found.size() > 1)
        throw Error(ErrorKind::input,
                    fmt::format("{} datasets could be the frames: {}", found.size(), first_few(found)),
                    in.where(path), "name one as FILE::/path", fmt::format("{}", fmt::join(found, "\n")));
    std::vector<std::string> all;
    for (const std::size_t rank : {std::size_t{0}, std::size_t{1}, std::size_t{4}})
        for (const std::string& name : numeric_datasets(group, path, rank)) all.push_back(name);
    throw Error(ErrorKind::input, "no numeric dataset of 2 or 3 dimensions was found", in.where(path),
                all.empty() ? "" : "there are numeric datasets of other dimensions: " + first_few(all));
}

}  // namespace ks::io
