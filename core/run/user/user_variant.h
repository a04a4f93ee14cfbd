#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/run/user/variant_header.h"
#include "core/run/variant.h"

namespace ks {

/// A user's kernel as a variant: a file ANALYSIS/NAME.cl that begins with a header.
struct UserVariant : VariantHeader {
    std::string analysis;        ///< id, which is the name of its folder
    std::string name;            ///< file name without ".cl"; the title if the header has none
    std::string text;            ///< content of the file, with the header, without a byte-order mark
    std::filesystem::path file;  ///< its existing or future location

    /// "user.NAME"
    std::string id() const { return user_variant_prefix + name; }
    static constexpr const char* user_variant_prefix = "user.";
};

/// Whether an id belongs to a user's variant.
bool is_user_variant(const std::string& id);
/// The NAME of "user.NAME"; any other id is returned unchanged.
std::string without_user_prefix(const std::string& id);

/// Parses the header. Throws ks::Error(input) naming file and line.
/// @param file its stem is the name
UserVariant user_variant_of_text(std::string analysis, std::filesystem::path file, std::string text);
/// Reads a file; throws as user_variant_of_text() does, and where the file cannot be read, is over 4 MiB or
/// is not text.
UserVariant read_user_variant(std::string analysis, const std::filesystem::path& file);

/// An editable copy of a variant under a new name: the text of its kernel after a header. Nothing is written.
/// Throws ks::Error(input) if the name is invalid, or the variant has no kernel.
/// @param folder of the user's variants
UserVariant copy_for_user(const UserVariant& of, const std::string& name,
                          const std::filesystem::path& folder);
UserVariant copy_for_user(const Variant& of, const std::string& name, const std::filesystem::path& folder);
/// Writes `text` to `file`, creating its folders. Throws as io::write_text() does.
void save_user_variant(const UserVariant& variant, bool overwrite);

/// Checks the name of a variant: letters, digits, '.', '_' and '-', at most 64, starting with a letter or a
/// digit. Throws ks::Error(input).
void require_variant_name(const std::string& name, const std::string& where);

/// Definitions of a text that its base does not have: whole numbers that an option can replace.
std::vector<DefineSpec> own_defines(std::string_view text, const std::vector<DefineSpec>& of_base);

/// The variant to run: its base, with the new text and the overrides in the header. Throws ks::Error(input)
/// naming file and line where the base is unknown, or a define is not accepted by the base.
/// @param source its text with the user's included files inserted
Variant as_variant(const UserVariant& own, std::string source, const std::vector<Variant>& shipped);

}  // namespace ks
