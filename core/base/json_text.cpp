#include "core/base/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace ks {
namespace {

/// Counts brackets outside strings without a parser: rejecting invalid JSON is left to the parser.
bool too_deep(std::string_view text) {
    std::size_t depth = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_text) {
            if (c == '\\') ++i;
            in_text = c != '"';
        } else if (c == '"') {
            in_text = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest_json) return true;
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
    return false;
}

/// Parses without keeping anything, up to the allowed depth.
class DepthMeter : public nlohmann::json_sax<nlohmann::json> {
  public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return ++depth_ <= deepest_json; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return left(); }
    bool start_array(std::size_t) override { return ++depth_ <= deepest_json; }
    bool end_array() override { return left(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
        return false;
    }

  private:
    bool left() {
        --depth_;
        return true;
    }
    std::size_t depth_ = 0;
};

bool is_escape(std::string_view text) {
    const auto hex = [&](std::size_t i) {
        return i < text.size() && std::isxdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    return text.starts_with("\\x") && hex(2) && hex(3);
}

std::string valid_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        else if (is_escape(text))
            out += "\\x5c";
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

/// The bytes that were passed to valid_text().
std::string bytes_of(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const bool escaped = is_escape(text);
        unsigned byte = static_cast<unsigned char>(text[0]);
        if (escaped) std::from_chars(text.data() + 2, text.data() + 4, byte, 16);
        out += static_cast<char>(byte);
        text.remove_prefix(escaped ? 4 : 1);
    }
    return out;
}

/// The same JSON with all strings replaced, including names of members.
nlohmann::json with_texts(const nlohmann::json& json, std::string (*text)(std::string_view)) {
    if (json.is_string()) return text(json.get_ref<const std::string&>());
    if (!json.is_structured()) return json;
    nlohmann::json made = json.is_array() ? nlohmann::json::array() : nlohmann::json::object();
    if (json.is_array())
        for (const nlohmann::json& item : json) made.push_back(with_texts(item, text));
    else
        for (const auto& [key, item] : json.items()) made[text(key)] = with_texts(item, text);
    return made;
}

/// C1 controls and DEL as \u00NN: nlohmann leaves them as they are, and the text may be printed
/// to a terminal.
std::string without_controls(const std::string& text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
        if (c == 0xc2 && next < 0xa0) {
            out += fmt::format("\\u{:04x}", next);
            ++i;
        } else if (c == 0x7f) {
            out += "\\u007f";
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace

nlohmann::json parse_json(std::string_view text) {
    if (too_deep(text))
        throw Error(ErrorKind::input,
                    fmt::format("the JSON is nested more than {} levels deep", deepest_json));
    return nlohmann::json::parse(text);
}

nlohmann::json try_parse_json(std::string_view text) {
    if (too_deep(text)) return nlohmann::json(nlohmann::json::value_t::discarded);
    return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::json try_parse_cbor(std::span<const std::byte> bytes) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const auto* last = first + bytes.size();
    DepthMeter meter;
    if (!nlohmann::json::sax_parse(first, last, &meter, nlohmann::json::input_format_t::cbor))
        return nlohmann::json(nlohmann::json::value_t::discarded);
    return nlohmann::json::from_cbor(first, last, true, false);
}

std::string dump_json(const nlohmann::json& json, int indent) {
    return without_controls(with_texts(json, valid_text).dump(indent));
}

std::string dump_json_replacing(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json with_bytes(const nlohmann::json& json) {
    return with_texts(json, bytes_of);
}

}  // namespace ks
