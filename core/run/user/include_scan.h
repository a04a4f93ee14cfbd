#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// A directive by which a compiler would read another file: #include, #import, #include_next, #embed, in any
/// spelling (`%:include`, `# include`, with comments or a line break within).
struct IncludeDirective {
    std::size_t line = 1;      ///< where it begins, from 1
    std::size_t lines = 1;     ///< that it takes
    std::string word;          ///< "include"
    std::string path;          ///< of `#include "PATH"`; empty where it is written otherwise
    std::string rest;          ///< what stands behind the word
    bool conditional = false;  ///< within #if, #ifdef or #ifndef: a compiler may leave it out
};

/// Those of a text of C, in its order; none of comments.
std::vector<IncludeDirective> includes_in(std::string_view text);

/// The paths of lines `#include "PATH"`, for which the program puts files of its own, by line from 1; none of
/// comments.
std::map<std::size_t, std::string> include_lines(std::string_view text);

/// Whether a file guards itself against being read twice: all of it lies within `#ifndef NAME`, `#define
/// NAME`, or it says `#pragma once`.
bool guards_itself(std::string_view text);

}  // namespace ks
