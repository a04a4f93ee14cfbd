#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ks {

/// The one way from text to JSON: arrays and objects nested deeper than `deepest_json` are refused before
/// anything is made of them, since what works on a tree (copies, text, destruction) calls itself for every
/// level.
constexpr std::size_t deepest_json = 64;
/// Throws ks::Error(input) for deeper ones and nlohmann::json::parse_error for what is no JSON.
nlohmann::json parse_json(std::string_view text);
/// Discarded (json.is_discarded()) for both.
nlohmann::json try_parse_json(std::string_view text);
/// From CBOR (RFC 8949), with the same limit of levels; discarded for what is none.
nlohmann::json try_parse_cbor(std::span<const std::byte> bytes);

/// JSON as text for output, always valid: a byte of a text that is no UTF-8 (file names may hold any) becomes
/// the four characters \xNN, and where a text has such four characters of its own, their backslash becomes
/// \x5c. Replacing every \xNN by its byte gives the text back. @param indent as of nlohmann::json::dump, -1:
/// one line
std::string dump_json(const nlohmann::json& json, int indent = -1);

/// What dump_json() was given, of what was read from its text: \xNN in texts become bytes again.
nlohmann::json with_bytes(const nlohmann::json& json);

}  // namespace ks
