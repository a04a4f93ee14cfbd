#include "core/kernels/compiler_message.h"

#include <array>
#include <regex>
#include <utility>

#include "core/base/trimmed.h"
#include "core/kernels/resolved_source.h"

namespace ks {
namespace {

using Kind = CompilerMessage::Kind;

Kind kind_of(const std::string& word) {
    const std::string name = in_small_letters(word);
    if (name.ends_with("error")) return Kind::error;
    if (name == "warning") return Kind::warning;
    if (name == "note") return Kind::note;
    return Kind::other;
}

/// The form of a line, with the numbers of the groups in its expression; 0: it has no such group.
struct Form {
    std::regex expression;
    std::size_t kind, file, line, column, text;
};

const std::array<Form, 3>& forms() {
    static const std::array<Form, 3> all{
        {{std::regex(R"(^(.*?):(\d{1,9}):(\d{1,9}): (fatal error|error|warning|note): (.*)$)"), 4, 1, 2, 3,
          5},
         {std::regex(R"(^(fatal error|error|warning|note): (.*?):(\d{1,9}):(\d{1,9}): (.*)$)"), 1, 2, 3, 4,
          5},
         {std::regex(R"(^([^()]*)\((\d{1,9})\): (Error|Warning|error|warning): (.*)$)"), 3, 1, 2, 0, 4}}};
    return all;
}

CompilerMessage message_of(std::string line) {
    constexpr std::size_t longest = 2000;  // std::regex recurses with the length of the line
    CompilerMessage message;
    message.text = message.whole = std::move(line);
    if (message.whole.size() > longest) return message;
    for (const Form& form : forms()) {
        std::smatch match;
        if (!std::regex_match(message.whole, match, form.expression)) continue;
        message.kind = kind_of(match[form.kind].str());
        message.file = match[form.file].str();
        message.line = std::stoul(match[form.line].str());
        if (form.column != 0) message.column = std::stoul(match[form.column].str());
        message.text = match[form.text].str();
        return message;
    }
    return message;
}

}  // namespace

std::string text_with_kind(const CompilerMessage& message) {
    switch (message.kind) {
        case Kind::warning:
            return "warning: " + message.text;
        case Kind::note:
            return "note: " + message.text;
        case Kind::error:
        case Kind::other:
            break;
    }
    return message.text;
}

std::vector<CompilerMessage> compiler_messages(std::string_view log) {
    std::vector<CompilerMessage> all;
    for (std::string& line : lines_of(log))
        if (!line.empty()) all.push_back(message_of(std::move(line)));
    return all;
}

}  // namespace ks
