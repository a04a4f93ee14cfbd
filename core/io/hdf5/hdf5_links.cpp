#include "core/io/hdf5/hdf5_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <system_error>

namespace ks::io::h5 {
namespace {

constexpr std::size_t deepest = 256;

struct Listing {
    std::vector<Link> links;
    std::exception_ptr failure;
};

extern "C" herr_t add_link(hid_t, const char* name, const H5L_info_t* info, void* into) {
    auto& listing = *static_cast<Listing*>(into);
    try {
        listing.links.push_back({name, info->type == H5L_TYPE_HARD});
        return 0;
    } catch (...) {  // HDF5 is C: no exception may pass through it
        listing.failure = std::current_exception();
        return -1;
    }
}

/// The same id for every name of a group. HDF5 renumbers files whenever it opens them, and closes those
/// behind external links in between, so these are identified by their paths.
class GroupIds {
  public:
    explicit GroupIds(hid_t root) : root_(object_id(root)) { root_.resize(root_.find(':') + 1); }

    std::string of(hid_t group) const {
        const std::string id = object_id(group);
        if (id.starts_with(root_)) return id;
        std::string file(4096, '\0');
        const ssize_t length = H5Fget_name(group, file.data(), file.size());
        file.resize(length > 0 ? std::min(file.size() - 1, static_cast<std::size_t>(length)) : 0);
        std::error_code ignored;
        const std::filesystem::path canonical = std::filesystem::weakly_canonical(file, ignored);
        return canonical.string() + id.substr(std::min(id.find(':'), id.size()));
    }

  private:
    std::string root_;  ///< "file number:"
};

class Walk {
  public:
    Walk(hid_t root, const std::string& path, const std::function<bool(const Met&)>& meet)
        : ids_(root), meet_(meet) {
        entered_.emplace(ids_.of(root), path);
    }

    void below(hid_t group, const std::string& path, std::size_t depth) {
        for (const Link& link : links_in(group)) {
            const Handle object = follow(group, link.name);
            const bool is_group_here = object.valid() && is_group(object);
            std::string here = (path == "/" ? "" : path) + "/" + link.name;
            std::string id, note;
            if (is_group_here) {
                id = ids_.of(object);
                if (const auto first = entered_.find(id); first != entered_.end())
                    note = "same as " + first->second;
                else if (depth == deepest)
                    note = fmt::format("deeper than {} groups", deepest);
            }
            std::string target = link.hard ? "" : link_target(group, link.name).value_or("");
            const bool enter = meet_({here, link.name, std::move(target), object, is_group_here, note});
            if (!enter || !is_group_here || !note.empty()) continue;
            entered_.emplace(std::move(id), here);
            below(object, here, depth + 1);
        }
    }

  private:
    GroupIds ids_;
    const std::function<bool(const Met&)>& meet_;
    std::map<std::string, std::string> entered_;  ///< path of the first name, by id
};

}  // namespace

std::vector<Link> links_in(hid_t group) {
    const Lock lock;
    Listing listing;
    H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add_link, &listing);
    if (listing.failure) std::rethrow_exception(listing.failure);
    std::ranges::sort(listing.links, {}, &Link::name);
    return std::move(listing.links);
}

std::vector<std::string> names_in(hid_t group) {
    std::vector<std::string> names;
    for (Link& link : links_in(group)) names.push_back(std::move(link.name));
    return names;
}

void walk(hid_t group, const std::string& path, const std::function<bool(const Met&)>& meet) {
    const Lock lock;
    Walk(group, path, meet).below(group, path, 1);
}

}  // namespace ks::io::h5
