#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/run/user/user_variant.h"

namespace ks {

/// $KERNELSCOPE_VARIANTS, else $XDG_DATA_HOME/kernelscope/variants, else ~/.local/share/kernelscope/variants;
/// empty without a home folder. It contains one folder per analysis.
std::filesystem::path user_variants_folder();

/// A user's variant that can be run.
struct GoodUserVariant {
    UserVariant own;
    Variant variant;  ///< the variant to run
};

/// A file that is not a valid variant.
struct BrokenUserVariant {
    Variant variant;  ///< analysis, id, title and user_file, for lists; no base
    Error error;
};

struct UserVariantListing {
    std::vector<GoodUserVariant> good;  ///< sorted by analysis and id
    std::vector<BrokenUserVariant> broken;
};

/// The user's variants: the files ANALYSIS/**.cl of a folder that begin with a variant header. A file without
/// a header is meant to be included; if no other file includes it, it is reported as broken. May be used from
/// several threads.
class UserVariantFolder {
  public:
    /// @param folder need not exist @param shipped the variants that can be bases
    UserVariantFolder(std::filesystem::path folder, std::vector<Variant> shipped);

    const std::filesystem::path& path() const { return folder_; }
    const std::vector<Variant>& shipped() const { return shipped_; }
    /// The current content of the folder. If the name, size or time of any file has changed, all files are
    /// read again. Does not throw for faults in the files.
    std::shared_ptr<const UserVariantListing> listing() const;
    /// Throws ks::Error(input) if a kernel of the analysis, in any of its folders, already has the name,
    /// ignoring case. @param but a file that does not count
    void require_free(const std::string& analysis, const std::string& name,
                      const std::filesystem::path& but) const;
    /// A variant from text instead of a file, as in a saved run; its header is evaluated. Throws
    /// ks::Error(input) as as_variant() does.
    GoodUserVariant of_text(const std::string& analysis, const std::string& id,
                            const std::string& text) const;

  private:
    std::filesystem::path folder_;
    std::vector<Variant> shipped_;
    mutable std::mutex guard_;
    mutable std::shared_ptr<const UserVariantListing> last_;
    mutable std::vector<std::filesystem::path> last_included_;
    mutable std::string last_state_;
    mutable std::mutex of_text_guard_;
    /// The last text of each variant, by analysis and id: repeated runs of it are not evaluated again.
    mutable std::map<std::pair<std::string, std::string>, std::optional<GoodUserVariant>> of_text_;
};

}  // namespace ks
