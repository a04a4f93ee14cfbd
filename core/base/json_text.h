#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ks {

/// The only way from text to JSON. Arrays and objects nested deeper than `deepest_json` are rejected before
/// anything is built, since whatever works on a tree (copies, text, destruction) recurses once per level.
constexpr std::size_t deepest_json = 64;
/// Throws ks::Error(input) if it is nested deeper, and nlohmann::json::parse_error if it is not JSON.
nlohmann::json parse_json(std::string_view text);
/// Discarded (json.is_discarded()) in both cases.
nlohmann::json try_parse_json(std::string_view text);
/// From CBOR (RFC 8949), with the same depth limit; discarded if it is not CBOR.
nlohmann::json try_parse_cbor(std::span<const std::byte> bytes);

/// JSON as text for output, always valid. A byte that is not part of valid UTF-8 (file names may contain any
/// byte) becomes the four characters \xNN. If a string already contains text of this form, its backslash
/// becomes \x5c. So replacing every \xNN by its byte restores the text.
/// @param indent as for nlohmann::json::dump, -1: one line
std::string dump_json(const nlohmann::json& json, int indent = -1);

/// The same for what is read back without with_bytes(): such a byte becomes U+FFFD, all other text is kept as
/// it is.
std::string dump_json_replacing(const nlohmann::json& json);

/// The inverse of dump_json() for JSON parsed from its text: each \xNN in its strings becomes its byte again.
nlohmann::json with_bytes(const nlohmann::json& json);

}  // namespace ks
