#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/user/user_variant.h"

namespace ks {

/// $KERNELSCOPE_VARIANTS, else $XDG_DATA_HOME/kernelscope/variants, else
/// ~/.local/share/kernelscope/variants; empty where there is no home. It holds a folder an analysis.
std::filesystem::path user_variants_folder();

/// A variant of the user's that can be run.
struct GoodUserVariant {
    UserVariant own;
    Variant variant;  ///< as the program runs it
};

/// A file that is none.
struct BrokenUserVariant {
    Variant variant;  ///< analysis, id, title and user_file: for lists; it has no base
    Error error;
};

struct UserVariantListing {
    std::vector<GoodUserVariant> good;  ///< by analysis and id
    std::vector<BrokenUserVariant> broken;
};

/// The user's variants: the files ANALYSIS/**.cl of a folder that begin with the header of a variant. A file
/// without header is one to include; where none includes it, it is told as broken. May be used from several
/// threads.
class UserVariantFolder {
  public:
    /// @param folder may be missing, or become missing @param shipped the variants that can be bases
    UserVariantFolder(std::filesystem::path folder, std::vector<Variant> shipped);

    const std::filesystem::path& path() const { return folder_; }
    const std::vector<Variant>& shipped() const { return shipped_; }
    /// What it holds now. Names, sizes and times of the files are compared, and they are read again where
    /// one differs. Throws nothing for what the files are.
    std::shared_ptr<const UserVariantListing> listing() const;
    /// Throws ks::Error(input) where a kernel of the analysis, in whichever of its folders, has the name
    /// already, be it in other letters: capital ones or small ones. @param but a file that does not count
    void require_free(const std::string& analysis, const std::string& name,
                      const std::filesystem::path& but) const;
    /// A text in the place of a file, as a saved run has it: its header says what it is. Throws
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
};

}  // namespace ks
