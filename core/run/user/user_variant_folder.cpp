#include "core/run/user/user_variant_folder.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/trimmed.h"
#include "core/io/files/file_stamp.h"
#include "core/io/files/file_text.h"
#include "core/run/user/user_includes.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// A file that may be a variant, and the analysis folder it is in.
struct Found {
    std::string analysis;
    fs::path file;
};

bool is_kernel_file(const fs::path& file) {
    return file.extension() == ".cl" && !file.filename().string().starts_with(".");
}

/// Sorted by name. A folder that does not belong to an analysis is not searched.
std::vector<Found> kernel_files_in(const fs::path& folder, const std::set<std::string>& analyses) {
    std::vector<Found> files;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        if (!at->is_directory(ignored)) {
            if (is_kernel_file(at->path())) files.push_back({"", at->path()});
            continue;
        }
        const std::string analysis = at->path().filename().string();
        fs::recursive_directory_iterator inner(at->path(), fs::directory_options::skip_permission_denied,
                                               ignored);
        for (; !ignored && inner != fs::recursive_directory_iterator(); inner.increment(ignored)) {
            if (!analyses.contains(analysis)) inner.disable_recursion_pending();
            std::error_code unknown;
            if (is_kernel_file(inner->path()) && !inner->is_directory(unknown))
                files.push_back({analysis, inner->path()});
        }
    }
    std::ranges::sort(files, {}, [](const Found& found) { return std::tie(found.analysis, found.file); });
    return files;
}

std::string id_of(const fs::path& file) {
    return UserVariant::user_variant_prefix + file.stem().string();
}

/// An unreadable file counts as a variant, so that it is reported.
bool begins_as_variant(const fs::path& file) {
    try {
        constexpr std::size_t enough = 256;
        const io::FileText start = io::TextFile(file, "a kernel's source").text(0, enough);
        if (is_utf16(start.view())) return true;
        return has_variant_header(without_byte_order_mark(start.view()));
    } catch (const Error&) {
        return true;
    }
}

BrokenUserVariant broken(const Found& found, Error error) {
    Variant variant;
    variant.analysis = found.analysis;
    variant.id = id_of(found.file);
    variant.title = found.file.stem().string();
    variant.description = error.what();
    variant.user_file = found.file.string();
    return {std::move(variant), std::move(error)};
}

/// Reads each file of a folder once.
class Reader {
  public:
    Reader(const fs::path& folder, const std::vector<Variant>& shipped)
        : folder_(folder), shipped_(shipped) {}

    void read(const std::vector<Found>& files) {
        std::vector<const Found*> without_header;
        std::map<std::pair<std::string, std::string>, std::vector<const Found*>> by_name;
        for (const Found& found : files) {
            if (!begins_as_variant(found.file))
                without_header.push_back(&found);
            else
                by_name[{found.analysis, in_small_letters(found.file.stem().string())}].push_back(&found);
        }
        for (const auto& [name, same] : by_name)
            if (same.size() == 1)
                take(*same.front());
            else
                refuse_same_names(same);
        for (const Found* found : without_header)
            if (!found->analysis.empty() && !included_.contains(found->file))
                listing_.broken.push_back(broken(
                    *found,
                    Error(ErrorKind::input,
                          fmt::format("its first line is not \"{}\", and it is not included by a variant",
                                      VariantHeader::first_line),
                          found->file.string())));
    }

    UserVariantListing take_listing() { return std::move(listing_); }
    std::vector<fs::path> included() const { return {included_.begin(), included_.end()}; }

  private:
    void take(const Found& found) {
        try {
            if (found.analysis.empty())
                throw Error(ErrorKind::input, "it is not in the folder of an analysis", found.file.string(),
                            "move it into one, such as " + (folder_ / "spots").string());
            UserVariant own = read_user_variant(found.analysis, found.file);
            std::string source = with_own_includes(own.text, own.file,
                                                   {folder_, {folder_ / own.analysis, folder_}}, included_);
            Variant variant = as_variant(own, std::move(source), shipped_);
            listing_.good.push_back({std::move(own), std::move(variant)});
        } catch (const Error& error) {
            listing_.broken.push_back(broken(found, error));
        }
    }

    void refuse_same_names(const std::vector<const Found*>& same) {
        std::vector<std::string> names;
        for (const Found* found : same) names.push_back(found->file.string());
        const bool alike = std::ranges::all_of(
            same, [&](const Found* found) { return id_of(found->file) == id_of(same.front()->file); });
        std::set<std::string> told;
        for (const Found* found : same)
            if (told.insert(id_of(found->file)).second)
                listing_.broken.push_back(
                    broken(*found, Error(ErrorKind::input,
                                         fmt::format("{} have the same name{}", fmt::join(names, " and "),
                                                     alike ? "" : " except for upper and lower case"),
                                         id_of(found->file), "rename one of them")));
    }

    const fs::path& folder_;
    const std::vector<Variant>& shipped_;
    UserVariantListing listing_;
    std::set<fs::path> included_;
};

}  // namespace

fs::path user_variants_folder() {
    if (const std::string own = environment("KERNELSCOPE_VARIANTS"); !own.empty())
        return fs::absolute(own).lexically_normal();
    if (const std::string xdg = environment("XDG_DATA_HOME"); !xdg.empty())
        return fs::path(xdg) / "kernelscope" / "variants";
    if (const std::string home = environment("HOME"); !home.empty())
        return fs::path(home) / ".local" / "share" / "kernelscope" / "variants";
    return {};
}

UserVariantFolder::UserVariantFolder(fs::path folder, std::vector<Variant> shipped)
    : folder_(std::move(folder)),
      shipped_(std::move(shipped)),
      last_(std::make_shared<const UserVariantListing>()) {}

std::shared_ptr<const UserVariantListing> UserVariantFolder::listing() const {
    const std::lock_guard lock(guard_);
    if (folder_.empty()) return last_;
    std::set<std::string> analyses;
    for (const Variant& variant : shipped_) analyses.insert(variant.analysis);
    const std::vector<Found> files = kernel_files_in(folder_, analyses);
    const auto add_state = [](std::string& state, const fs::path& file) {
        state += file.string() + "|" + io::file_state(file) + "\n";
    };
    std::string of_files;
    for (const Found& found : files) add_state(of_files, found.file);
    std::string state = of_files;
    for (const fs::path& file : last_included_) add_state(state, file);
    if (state == last_state_) return last_;
    Reader reader(folder_, shipped_);
    reader.read(files);
    last_included_ = reader.included();
    last_state_ = std::move(of_files);
    for (const fs::path& file : last_included_) add_state(last_state_, file);
    last_ = std::make_shared<const UserVariantListing>(reader.take_listing());
    return last_;
}

void UserVariantFolder::require_free(const std::string& analysis, const std::string& name,
                                     const fs::path& but) const {
    for (const Found& found : kernel_files_in(folder_, {analysis}))
        if (found.analysis == analysis && found.file != but &&
            in_small_letters(found.file.stem().string()) == in_small_letters(name) &&
            begins_as_variant(found.file))
            throw Error(ErrorKind::input, id_of(found.file) + " already exists", found.file.string(),
                        "choose another name");
}

GoodUserVariant UserVariantFolder::of_text(const std::string& analysis, const std::string& id,
                                           const std::string& text) const {
    const std::lock_guard lock(of_text_guard_);
    std::optional<GoodUserVariant>& known = of_text_[{analysis, id}];
    if (known && known->variant.source == text) return *known;
    UserVariant own =
        user_variant_of_text(analysis, folder_ / analysis / (without_user_prefix(id) + ".cl"), text);
    Variant variant = as_variant(own, text, shipped_);
    known = {std::move(own), std::move(variant)};
    return *known;
}

}  // namespace ks
