#include "gpu/runtime/kernel_files.h"

#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/run/user/include_scan.h"

namespace ks::gpu {
namespace {

std::string_view embedded(std::string_view path) {
    for (const KernelFile& file : kernel_files())
        if (file.path == path) return {reinterpret_cast<const char*>(file.bytes), file.size};
    throw Error(ErrorKind::run, "no such kernel file in this program", std::string(path));
}

/// The embedded file that a line includes.
std::string_view included(const std::string& path, const FileLine& from) {
    for (const KernelFile& file : kernel_files())
        if (file.path == path) return {reinterpret_cast<const char*>(file.bytes), file.size};
    throw Error(ErrorKind::build, "there is no kernel file \"" + path + "\" in this program",
                from.file + ":" + std::to_string(from.line));
}

class Resolver {
  public:
    void add(std::string_view text, FileLine at, int depth = 0) {
        if (depth > 8) throw Error(ErrorKind::build, "kernel files include each other without end", at.file);
        out_.lines.add(line_, at);
        const std::map<std::size_t, std::string> includes = include_lines(text);
        std::istringstream in{std::string(text)};
        std::size_t number = 0;
        for (std::string line; std::getline(in, line); ++at.line) {
            if (const auto include = includes.find(++number); include != includes.end()) {
                const std::string& path = include->second;
                add(included(path, at), {path, 1}, depth + 1);
                out_.lines.add(line_, {at.file, at.line + 1});
            } else if (const std::optional<FileLine> next = line_directive_of(line)) {
                at = {next->file.empty() ? at.file : next->file, next->line};
                out_.lines.add(line_, at);
                --at.line;  // the loop goes on to it
            } else {
                out_.text += line;
                out_.text += '\n';
                ++line_;
            }
        }
    }
    ProgramText take() { return std::move(out_); }

  private:
    ProgramText out_;
    std::size_t line_ = 1;  ///< of the text, next
};

}  // namespace

std::string kernel_text(std::string_view path) {
    return std::string(embedded(path));
}

ProgramText program_text(std::string_view text, const std::string& file) {
    Resolver resolver;
    resolver.add(text, {file, 1});
    return resolver.take();
}

std::string resolve_includes(std::string_view text) {
    return program_text(text, {}).text;
}

}  // namespace ks::gpu
