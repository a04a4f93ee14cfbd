#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/user/variant_header.h"
#include "core/run/variant.h"

namespace ks {

/// A kernel of the user's own as a variant: one file ANALYSIS/NAME.cl that begins with a header.
struct UserVariant : VariantHeader {
    std::string analysis;        ///< id: the name of its folder
    std::string name;            ///< of the file, without ".cl"; the title where the header has none
    std::string text;            ///< of the file, with its header
    std::filesystem::path file;  ///< where it lies, or is to lie

    /// "user.NAME"
    std::string id() const { return user_variant_prefix + name; }
    static constexpr const char* user_variant_prefix = "user.";
};

/// Whether an id is that of a kernel of the user's own.
bool is_user_variant(const std::string& id);

/// Reads what the header says. Throws ks::Error(input) naming file and line.
/// @param file its stem is the name
UserVariant user_variant_of_text(std::string analysis, std::filesystem::path file, std::string text);
/// Of a file; throws as the former does, and where it cannot be read, is over 4 MiB or no text.
UserVariant read_user_variant(std::string analysis, const std::filesystem::path& file);

/// A copy of a variant for the user to change, under a name of its own: the text of its kernel behind a
/// header. Nothing is written. Throws ks::Error(input) where the name is none, or the variant has no kernel.
/// @param folder of the user's variants
UserVariant copy_for_user(const UserVariant& of, const std::string& name,
                          const std::filesystem::path& folder);
UserVariant copy_for_user(const Variant& of, const std::string& name, const std::filesystem::path& folder);
/// Writes `text` to `file`, whose folders are made. Throws as io::write_text() does.
void save_user_variant(const UserVariant& variant, bool overwrite);

/// The name of a variant: letters, digits, '.', '_' and '-', at most 64, the first a letter or a digit.
/// Throws ks::Error(input).
void require_variant_name(const std::string& name, const std::string& where);

/// What the program runs: all of its base but the text, and what the header says otherwise. Throws
/// ks::Error(input) naming file and line where it has no such base, or a define that the base does not take.
/// @param source its text with its own included files in their places
Variant as_variant(const UserVariant& own, std::string source, const std::vector<Variant>& shipped);

}  // namespace ks
