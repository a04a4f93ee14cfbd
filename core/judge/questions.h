#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/judge/judgement.h"

namespace ks {

/// A question that `judge` answers about a kernel, with the words for the answers.
struct Question {
    const char* id;
    const char* good;  ///< "none found"
    const char* bad;   ///< "found"
    bool simulated;    ///< answered by oclgrind
};

/// All questions, in display order.
std::span<const Question> questions();

/// The answer in a few words: "none found", "found", "not known".
std::string word_of(const Finding& finding);

/// The text of a finding without a leading verdict.
std::string without_verdict(std::string_view text);

/// One line for users, without line end: "races: none found", "races: found, FILE:LINE: ...", "races: not
/// known, REASON". For findings other than good ones it names the runs.
std::string line_of(const Finding& finding);

}  // namespace ks
