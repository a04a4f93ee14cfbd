#include "core/judge/questions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ks {
namespace {

constexpr std::array all_questions{Question{"builds", "yes", "no", false},
                                   Question{"guards", "intact", "damaged", false},
                                   Question{"ends", "yes", "no", false},
                                   Question{"survives", "yes", "no", false},
                                   Question{"values", "right", "wrong", false},
                                   Question{"races", "none found", "found", true},
                                   Question{"accesses", "none found", "found", true},
                                   Question{"uninitialised", "none found", "found", true},
                                   Question{"barriers", "none found", "found", true}};

}  // namespace

/// A verdict starts with pass or fail.
std::string without_verdict(std::string_view text) {
    for (const std::string_view verdict : {"pass: ", "fail: "})
        if (text.starts_with(verdict)) return std::string(text.substr(verdict.size()));
    return std::string(text);
}

std::span<const Question> questions() {
    return all_questions;
}

std::string word_of(const Finding& finding) {
    if (finding.state == Finding::State::unknown) return "not known";
    const bool good = finding.state == Finding::State::yes;
    const auto asked = std::ranges::find(all_questions, finding.id,
                                         [](const Question& question) { return std::string(question.id); });
    if (asked == all_questions.end()) return good ? "yes" : "no";
    return good ? asked->good : asked->bad;
}

std::string line_of(const Finding& finding) {
    std::string line = fmt::format("{}: {}", finding.id, word_of(finding));
    if (const std::string text = without_verdict(finding.text); !text.empty()) line += ", " + text;
    if (finding.count > 1) line += fmt::format(" ({} times)", finding.count);
    if (finding.state != Finding::State::yes && !finding.at.empty())
        line += fmt::format(" (at {})", fmt::join(finding.at, "; "));
    return line;
}

}  // namespace ks
