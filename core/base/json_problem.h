#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace ks {

/// The message of an exception for users: what(), except for exceptions of nlohmann::json. Their text is
/// meant for programmers, so the message says in words what is wrong with the JSON.
std::string problem_of(const std::exception& error);

/// Whether a text that is not valid JSON begins as an object and has this key: a file of ours that is
/// damaged, rather than another file.
bool begins_as_object(std::string_view text, std::string_view key);
/// What is wrong with a text that is not valid JSON: "it is cut off after 812 bytes".
std::string json_damage(std::string_view text);

}  // namespace ks
