#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/run/user/line_map.h"

namespace ks {

/// `#define NAME VALUE` in a kernel's text.
struct TextDefine {
    std::string value;     ///< without comments, enclosing parentheses and number suffixes
    FileLine place;        ///< by the preceding `#line`; the file is empty without one
    bool guarded = false;  ///< within `#ifndef NAME`, so that an option -DNAME=... wins
};

/// The defines by name. Macros with arguments and defines within other conditions are left out; the last
/// define of a name counts.
std::map<std::string, TextDefine> text_defines(std::string_view text);

/// The defines chosen by the author of an edited text: values that differ from the shipped text, and values
/// that no option can replace. Launches use these values as well.
std::map<std::string, TextDefine> chosen_defines(std::string_view edited, std::string_view shipped);

/// The text to compile where values are given separately, by an option or in the header: they replace
/// unguarded values; line numbers do not change.
std::string with_given_defines(std::string_view text, const std::map<std::string, std::string>& given);

}  // namespace ks
