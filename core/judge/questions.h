#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/judge/judgement.h"

namespace ks {

/// A question that `judge` asks of a kernel, with the words of its answers.
struct Question {
    const char* id;
    const char* good;  ///< "none found"
    const char* bad;   ///< "found"
    bool simulated;    ///< oclgrind answers it
};

/// In the order in which answers are listed.
std::span<const Question> questions();

/// The answer in a few words: "none found", "found", "not known".
std::string word_of(const Finding& finding);

/// What a finding says, without the word of a verdict before it.
std::string without_verdict(std::string_view text);

/// A line for people, without its end: "races: none found", "races: found, FILE:LINE: ...",
/// "races: not known, REASON". It names the runs of a finding that is not good.
std::string line_of(const Finding& finding);

}  // namespace ks
