#pragma once

#include <exception>
#include <string>

namespace ks {

/// The message of an exception for users: what(), except for exceptions of nlohmann::json. Their text is
/// meant for programmers, so the message says in words what is wrong with the JSON.
std::string problem_of(const std::exception& error);

}  // namespace ks
