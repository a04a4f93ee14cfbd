#pragma once

#include <exception>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace ks {

/// The message of an exception for users: what(), except for exceptions of nlohmann::json. Their text is
/// meant for programmers, so the message says in words what is wrong with the JSON.
std::string problem_of(const std::exception& error);

/// A report of this program: the JSON of a text that has been read from a file.
/// @param what "benchmark report", for messages
/// @param keys of its object. A text that is not valid JSON, but begins as an object and has the first of
///     them, is a damaged report; any other text is not a report.
/// @param hint what to do where the file is not a report
/// @throws Error of kind input, which names the file
nlohmann::json parse_report(std::string_view text, const std::filesystem::path& file, std::string_view what,
                            std::initializer_list<const char*> keys, std::string hint);

}  // namespace ks
