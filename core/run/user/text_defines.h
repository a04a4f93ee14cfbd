#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/user/line_map.h"
#include "core/run/variant.h"

namespace ks {

/// `#define NAME VALUE` in a kernel's text.
struct TextDefine {
    std::string value;         ///< without comments, enclosing parentheses and number suffixes
    FileLine place;            ///< by the preceding `#line`; the file is empty without one
    bool guarded = false;      ///< within `#ifndef NAME`, so that an option -DNAME=... wins
    bool conditional = false;  ///< within another condition, include guards not counted
    /// Why it is not known whether the compiler reads this line; nothing: it does.
    std::optional<std::string> unclear = {};
};

/// Names that are defined outside of the text when it is compiled.
struct HostDefines {
    std::map<std::string, std::string> given = {};  ///< values from an option or the header
    std::set<std::string> open = {};                ///< names whose value depends on device and problem

    bool operator==(const HostDefines&) const = default;
};

/// The definition of a variant that has this name in the variant's own file, or in the text that replaces it;
/// null: there is none.
const DefineSpec* define_in_text(const std::vector<DefineSpec>& of_variant, std::string_view name);

/// Values of a variant's definitions by their names in its own file; those for other programs are left out.
/// Names that the variant does not have are kept.
std::map<std::string, std::string> values_in_text(const std::vector<DefineSpec>& of_variant,
                                                  const std::map<std::string, std::string>& values);

/// The definitions of a variant that its launch sets in its own file, with given values; by their names
/// there.
/// @param given by the names of the variant; takes precedence over values in the text, see
/// with_given_defines()
HostDefines host_defines(const std::vector<DefineSpec>& of_variant,
                         const std::map<std::string, std::string>& given = {});

/// How a DefineSpec describes a definition that only the user's text has.
inline constexpr const char* own_define_help = "Defined in the kernel source.";
/// Whether only the user's text has it: no option of the shipped variant changes it.
inline bool is_own_define(const DefineSpec& define) {
    return define.help == own_define_help;
}

/// The defines by name, as the preprocessor reads them: `#undef` and conditions are taken into account.
/// Macros with arguments are left out; the last define of a name counts. Names that neither the text nor the
/// host defines are undefined, except those of the compiler and the device, which are not known.
std::map<std::string, TextDefine> text_defines(std::string_view text, const HostDefines& host = {});

/// Whether the text has an unguarded define of one of the names within a condition, true or not.
bool has_conditional_define(std::string_view text, const std::set<std::string>& names);

/// The defines that the author of an edited text has chosen: those whose values differ from the shipped text,
/// and those that no option can replace. Launches have to use these values, too, and have to refuse unclear
/// ones.
/// @param shipped with the included files, whose lines may have been copied into the edited text
std::map<std::string, TextDefine> chosen_defines(std::string_view edited, std::string_view shipped,
                                                 const HostDefines& host = {});

/// Throws ks::Error(input) naming file and line if the define is unclear and no value is given for it.
/// @param file of a define whose place names none
void require_clear(const std::string& name, const TextDefine& define, const HostDefines& host,
                   const std::string& file);

/// The text to compile if values are given separately, by an option or in the header. They replace unguarded
/// values in the text; line numbers do not change.
/// @param given by their names in the text, see values_in_text()
std::string with_given_defines(std::string_view text, const std::map<std::string, std::string>& given);

}  // namespace ks
