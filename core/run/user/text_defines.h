#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/run/user/line_map.h"

namespace ks {

/// `#define NAME VALUE` as it stands in a kernel's text.
struct TextDefine {
    std::string value;     ///< without comments, parentheses around all of it, and the suffix of a number
    FileLine place;        ///< by the `#line` before it; its file is empty where there is none
    bool guarded = false;  ///< between `#ifndef NAME` and its end, so that an option -DNAME=... wins
};

/// By their names. Macros with arguments and those within other conditions are left out; of several of a name
/// the last one counts.
std::map<std::string, TextDefine> text_defines(std::string_view text);

/// Of those in an edited text what its author chose: a value that the shipped text does not have, or one that
/// no option can replace. Launches take these values, too.
std::map<std::string, TextDefine> chosen_defines(std::string_view edited, std::string_view shipped);

/// The text that is compiled where values were given beside it, by an option or in the header: they take the
/// place of values that nothing guards, in lines of the same number.
std::string with_given_defines(std::string_view text, const std::map<std::string, std::string>& given);

}  // namespace ks
