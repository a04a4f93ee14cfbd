#include "gpu/runtime/kernel_files.h"

#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/kernels/resolved_source.h"

namespace ks::gpu {
namespace {

std::string_view embedded(std::string_view path) {
    for (const KernelFile& file : kernel_files())
        if (file.path == path) return {reinterpret_cast<const char*>(file.bytes), file.size};
    throw Error(ErrorKind::run, "no such kernel file in this program", std::string(path));
}

/// All embedded files, by path.
const std::map<std::string, std::string>& kernel_texts() {
    static const std::map<std::string, std::string> all = [] {
        std::map<std::string, std::string> texts;
        for (const KernelFile& file : kernel_files())
            texts.emplace(file.path, std::string(reinterpret_cast<const char*>(file.bytes), file.size));
        return texts;
    }();
    return all;
}

Error refusal_of(const UnreadFile& file) {
    return Error(ErrorKind::build, file.why, fmt::format("{}:{}", file.place.file, file.place.line));
}

}  // namespace

std::string kernel_text(std::string_view path) {
    return std::string(embedded(path));
}

ProgramText program_text(std::string_view text, const std::string& file) {
    const ResolvedSource source = resolve_source(file, text, kernel_texts());
    if (source.unclear) throw refusal_of(*source.unclear);
    for (const UnreadFile& unread : source.unread)
        if (!unread.conditional) throw refusal_of(unread);
    ProgramText program{source.text(), {}};
    std::optional<SourcePlace> expected;
    for (const SourceLine& line : source.lines) {
        if (!line.compiled) continue;
        if (line.place != expected) program.lines.add(*line.compiled, {line.place.file, line.place.line});
        expected = {line.place.file, line.place.line + 1};
    }
    return program;
}

const std::string& kernel_text_with_files(const std::string& path) {
    static std::mutex guard;
    static std::map<std::string, std::string> known;
    const std::lock_guard lock(guard);
    const auto at = known.find(path);
    return at == known.end() ? known.emplace(path, program_text(kernel_text(path), path).text).first->second
                             : at->second;
}

std::string resolve_includes(std::string_view text) {
    return program_text(text, {}).text;
}

}  // namespace ks::gpu
