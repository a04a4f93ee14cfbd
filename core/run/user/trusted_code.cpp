#include "core/run/user/trusted_code.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/io/files/data_name.h"
#include "core/io/files/followed_files.h"
#include "core/io/files/trust_list.h"
#include "core/io/series/series.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

constexpr const char *code_kind = "kernel", *text_kind = "text", *input_kind = "file";

/// "TILE" and "32": such a define selects a size or a branch and adds no code.
bool is_plain_define(const std::string& name, const std::string& value) {
    constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", digits = "0123456789";
    const auto is_name = [&](char c) {
        return capitals.find(c) != std::string_view::npos || digits.find(c) != std::string_view::npos ||
               c == '_';
    };
    return !name.empty() && capitals.find(name[0]) != std::string_view::npos &&
           std::ranges::all_of(name, is_name) && !value.empty() &&
           value.find_first_not_of(digits) == std::string::npos;
}

fs::path without_links_in(const fs::path& file) {
    std::error_code failure;
    fs::path made = fs::weakly_canonical(fs::absolute(file, failure), failure);
    return failure ? file : made;
}

}  // namespace

std::string code_in(const Analysis& analysis, const Request& request) {
    std::string code = request.kernel_source;
    if (!code.empty())
        for (const auto& [name, value] : request.defines)
            if (!is_plain_define(name, value)) code += fmt::format("\n#define {} {}", name, value);
    const std::string expressions = analysis.code_of(request.parameters);
    if (!code.empty() && !expressions.empty()) code += '\n';
    return code + expressions;
}

std::string title_of_code(const Request& request) {
    return request.kernel_source.empty() ? "expressions" : shown_variant(request.variant, request);
}

bool is_known_code(const std::string& code, const std::map<std::string, std::string>& shipped) {
    return code.empty() ||
           std::ranges::any_of(shipped, [&code](const auto& file) { return file.second == code; }) ||
           io::user_trust().has(code_kind, code);
}

void know_code(const std::string& code) {
    if (!code.empty()) io::user_trust().add(code_kind, code);
}

void know_kernel_text(const std::string& text) {
    if (!text.empty()) io::user_trust().add(text_kind, text);
}

// Most requests have no code besides the text. Hashing it takes as long as a short run.
void know_code_of(const Analysis& analysis, const Request& request) {
    const std::string code = code_in(analysis, request);
    know_code(code);
    if (code != request.kernel_source) know_kernel_text(request.kernel_source);
}

void require_known_kernel_text(const Request& request) {
    const std::string& text = request.kernel_source;
    if (!request.unasked || text.empty()) return;
    if (io::TrustList& known = io::user_trust(); known.has(code_kind, text) || known.has(text_kind, text))
        return;
    throw Error(ErrorKind::input,
                fmt::format("the text of {} has changed outside the program; it is compiled when you run it",
                            request.variant),
                request.kernel_file, "press Run (F5) to run the text as it is now");
}

std::vector<fs::path> files_named_by(const AnalysisInfo& info, const Request& request) {
    std::vector<fs::path> files;
    for (const InputSpec& spec : info.inputs) {
        const auto input = request.inputs.find(spec.role);
        if (input == request.inputs.end() || !spec.names_file(input->second)) continue;
        files.push_back(io::DataName::parse(input->second.name).file);
    }
    return files;
}

void know_input(const fs::path& file) {
    io::user_trust().add(input_kind, without_links_in(file).string());
}

namespace {

/// Why the inputs of a request from a file may not be read; nothing: they may.
std::optional<io::Refusal> why_unknown_inputs(const AnalysisInfo& info, const Request& request) {
    std::vector<fs::path> unknown;
    for (const fs::path& file : files_named_by(info, request)) {
        if (io::user_trust().has(input_kind, without_links_in(file).string())) continue;
        // The first file of a series stands for all.
        const std::vector<fs::path> named = io::files_named(file);
        const auto refused = std::ranges::find_if(named, [&request](const fs::path& one) {
            return io::why_not_followed(one, request.from_file).has_value();
        });
        if (refused != named.end()) unknown.push_back(*refused);
    }
    return io::why_not_followed(unknown, request.from_file);
}

}  // namespace

void require_known_inputs(const AnalysisInfo& info, const Request& request) {
    if (request.from_file.empty()) return;
    if (const auto why = why_unknown_inputs(info, request)) throw io::NotFollowed(*why, request.from_file);
}

void require_known_code(const Analysis& analysis, const Request& request,
                        const std::map<std::string, std::string>& shipped) {
    if (request.from_file.empty() || io::follows_all_names()) return;
    const std::string code = code_in(analysis, request);
    if (is_known_code(code, shipped)) return;
    const std::string message = fmt::format("it contains code that has never run here: {}, {}",
                                            analysis.info().id, title_of_code(request));
    if (const auto inputs = why_unknown_inputs(analysis.info(), request)) {
        const std::string files = inputs->untrusted.empty() ? "" : " and " + joined(inputs->untrusted);
        throw Error(ErrorKind::input, message + "; " + inputs->why, request.from_file,
                    "nothing was compiled or read; use --trust if you trust the code" + files, code);
    }
    throw Error(ErrorKind::input, message, request.from_file,
                "nothing was compiled; use --trust if you trust the code", code);
}

}  // namespace ks
