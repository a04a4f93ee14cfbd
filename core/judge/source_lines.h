#pragma once

#include <map>
#include <string>
#include <vector>

namespace ks {

/// A line of a file, counted from 1.
struct SourceLine {
    std::string file;
    std::size_t line;
    bool operator==(const SourceLine&) const = default;
};

/// Where each line of the text comes from that a compiler gets of `text`, whose lines `#include "gpu/..."`
/// are replaced by the files of the program: [line - 1].
/// @param files texts by path, as Engine::kernel_files() has them; what is not among them is a line of its
/// own
std::vector<SourceLine> lines_for_compiler(const std::string& file, const std::string& text,
                                           const std::map<std::string, std::string>& files);

}  // namespace ks
