#include "gpu/runtime/kernel_files.h"

#include <sstream>

#include "core/base/error.h"

namespace ks::gpu {
namespace {

std::string_view embedded(std::string_view path) {
    for (const KernelFile& file : kernel_files())
        if (file.path == path) return {reinterpret_cast<const char*>(file.bytes), file.size};
    throw Error(ErrorKind::run, "no such kernel file in this program", std::string(path));
}

/// The path of a line `#include "gpu/..."`, or empty.
std::string included(const std::string& line) {
    constexpr std::string_view start = "#include \"";
    if (!line.starts_with(start)) return {};
    const std::size_t end = line.find('"', start.size());
    return end == std::string::npos ? std::string() : line.substr(start.size(), end - start.size());
}

void append_resolved(std::string_view text, std::string& out, int depth) {
    if (depth > 8) throw Error(ErrorKind::build, "kernel files include each other without end");
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) {
        const std::string path = included(line);
        if (path.empty()) {
            out += line;
            out += '\n';
        } else {
            append_resolved(embedded(path), out, depth + 1);
        }
    }
}

}  // namespace

std::string kernel_text(std::string_view path) {
    return std::string(embedded(path));
}

std::string resolve_includes(std::string_view text) {
    std::string out;
    append_resolved(text, out, 0);
    return out;
}

}  // namespace ks::gpu
