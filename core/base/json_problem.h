#pragma once

#include <exception>
#include <string>

namespace ks {

/// The message of an exception for users: what() of most; for an exception of nlohmann::json, whose text is
/// meant for programmers, what is wrong with the JSON in words.
std::string problem_of(const std::exception& error);

}  // namespace ks
