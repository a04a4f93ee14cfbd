#pragma once

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/app/cli_process.h"

namespace ks::tests {

/// Lines between two fences of a Markdown file.
struct CodeBlock {
    std::string language;
    std::vector<std::string> lines;  ///< those that end in a backslash are joined with the next
    std::size_t line = 0;            ///< of the first fence, from 1
};

/// What the tests of documents need of a Markdown file.
struct Markdown {
    std::string name;  ///< relative to the source tree
    std::vector<CodeBlock> blocks;
    std::vector<std::string> prose;  ///< lines outside of code blocks, each with its place in the file
    std::size_t lines = 0;

    /// `this`, also over the end of a line.
    std::vector<std::string> code_spans() const {
        std::string all;
        for (const std::string& line : prose) all += line + '\n';
        std::vector<std::string> spans;
        const std::regex span("`([^`]+)`");
        for (std::sregex_iterator at(all.begin(), all.end(), span), end; at != end; ++at)
            spans.push_back(std::regex_replace((*at)[1].str(), std::regex("\n"), " "));
        return spans;
    }
    /// Targets of [text](target).
    std::vector<std::string> links() const {
        std::vector<std::string> targets;
        const std::regex link("\\]\\(([^)]+)\\)"), span("`[^`]*`");
        for (const std::string& line : prose) {
            const std::string text = std::regex_replace(line, span, "");
            for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at)
                targets.push_back((*at)[1]);
        }
        return targets;
    }
    /// What links to headings are called: "## Exit codes" is exit-codes.
    std::set<std::string> anchors() const {
        std::set<std::string> found;
        for (const std::string& line : prose) {
            if (!line.starts_with("#")) continue;
            std::string anchor;
            for (const char c : line.substr(line.find_first_not_of("# "))) {
                const auto letter = static_cast<unsigned char>(c);
                if (std::isalnum(letter) != 0 || c == '_' || c == '-')
                    anchor += static_cast<char>(std::tolower(letter));
                if (c == ' ') anchor += '-';
            }
            found.insert(anchor);
        }
        return found;
    }
    /// The lines from that of `first` up to that of `end`, both as they begin; to the end where there is
    /// none.
    std::vector<std::string> section(const std::string& first, const std::string& end) const {
        std::vector<std::string> found;
        bool inside = false;
        for (const std::string& line : prose) {
            if (inside && line.starts_with(end)) break;
            if (line.starts_with(first)) inside = true;
            if (inside) found.push_back(line);
        }
        if (found.empty()) throw std::runtime_error(name + " has no \"" + first + "\"");
        return found;
    }
};

inline Markdown read_markdown(const std::string& name) {
    Markdown file{name, {}, {}, 0};
    std::istringstream text(read_file(std::filesystem::path(KERNELSCOPE_SOURCE_DIR) / name));
    bool inside = false, joined = false;
    for (std::string line; std::getline(text, line);) {
        ++file.lines;
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside) file.blocks.push_back({line.substr(3), {}, file.lines});
        } else if (!inside) {
            file.prose.push_back(line);
        } else {
            std::vector<std::string>& lines = file.blocks.back().lines;
            const bool goes_on = line.ends_with('\\');
            if (goes_on) line.pop_back();
            if (joined)
                lines.back() += line;
            else
                lines.push_back(line);
            joined = goes_on;
        }
    }
    if (file.lines == 0) throw std::runtime_error("there is no " + name);
    return file;
}

/// All Markdown files of the source tree, but those of builds.
inline std::vector<std::string> markdown_files() {
    namespace fs = std::filesystem;
    const fs::path root = KERNELSCOPE_SOURCE_DIR;
    std::vector<std::string> files;
    for (fs::recursive_directory_iterator at(root), end; at != end; ++at) {
        const std::string name = at->path().filename().string();
        if (at->is_directory() &&
            (name.starts_with('.') || (at.depth() == 0 && (name == "build" || name == "out"))))
            at.disable_recursion_pending();
        else if (at->path().extension() == ".md")
            files.push_back(fs::relative(at->path(), root).generic_string());
    }
    return files;
}

}  // namespace ks::tests
