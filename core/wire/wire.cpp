#include "core/wire/wire.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "core/base/json_text.h"

namespace ks::wire {
namespace {

constexpr std::array<char, 8> magic{'K', 'S', 'W', 'I', 'R', 'E', '0', '2'};
constexpr std::size_t fixed_bytes = magic.size() + 4 + 4;
constexpr std::uint64_t largest_header = std::uint64_t{64} << 20;
constexpr std::uint64_t largest_blobs = std::uint64_t{16} << 30;
constexpr std::uint64_t max_blobs = 100'000;

template <class T>
void append(std::vector<std::byte>& bytes, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
}

template <class T>
T take(std::span<const std::byte> bytes, std::size_t at) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value |= static_cast<T>(std::to_integer<T>(bytes[at + i]) << (8 * i));
    return value;
}

[[noreturn]] void refuse(const std::string& what) {
    throw Error(ErrorKind::run, what, "message between window and worker");
}

void require_at_most(std::uint64_t value, std::uint64_t limit, const char* what) {
    if (value > limit)
        refuse("expected at most " + std::to_string(limit) + " " + what + ", found " + std::to_string(value));
}

}  // namespace

Message headed(const char* type, std::uint64_t job) {
    Message message;
    message.header = {{"type", type}, {"job", job}};
    return message;
}

std::vector<std::byte> encode(const Message& message) {
    const std::vector<std::uint8_t> header = nlohmann::json::to_cbor(message.header);
    require_at_most(header.size(), largest_header, "bytes of header");
    require_at_most(message.blobs.size(), max_blobs, "blobs");
    std::uint64_t blob_bytes = 0;
    for (const auto& blob : message.blobs) blob_bytes += blob.size();
    require_at_most(blob_bytes, largest_blobs, "bytes of blobs");

    std::vector<std::byte> bytes;
    bytes.reserve(fixed_bytes + 8 * message.blobs.size() + header.size() + blob_bytes);
    for (const char c : magic) bytes.push_back(static_cast<std::byte>(c));
    append(bytes, static_cast<std::uint32_t>(header.size()));
    append(bytes, static_cast<std::uint32_t>(message.blobs.size()));
    for (const auto& blob : message.blobs) append(bytes, std::uint64_t{blob.size()});
    const auto text = std::as_bytes(std::span(header));
    bytes.insert(bytes.end(), text.begin(), text.end());
    for (const auto& blob : message.blobs) bytes.insert(bytes.end(), blob.begin(), blob.end());
    return bytes;
}

void Decoder::feed(std::span<const std::byte> bytes) {
    if (begin_ == pending_.size()) {
        pending_.clear();
        begin_ = 0;
    } else if (begin_ > pending_.size() / 2) {
        pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
    }
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
}

std::optional<Message> Decoder::next() {
    const auto rest = std::span<const std::byte>(pending_).subspan(begin_);
    if (rest.empty()) return std::nullopt;
    if (std::memcmp(rest.data(), magic.data(), std::min(rest.size(), magic.size())) != 0)
        refuse("expected the mark KSWIRE02, found other bytes");
    if (rest.size() < fixed_bytes) return std::nullopt;
    const std::uint64_t header_bytes = take<std::uint32_t>(rest, magic.size());
    const std::uint64_t blob_count = take<std::uint32_t>(rest, magic.size() + 4);
    require_at_most(header_bytes, largest_header, "bytes of header");
    require_at_most(blob_count, max_blobs, "blobs");
    const std::size_t table_end = fixed_bytes + 8 * blob_count;
    if (rest.size() < table_end) return std::nullopt;
    std::uint64_t blob_bytes = 0;
    for (std::size_t i = 0; i < blob_count; ++i) {
        const auto length = take<std::uint64_t>(rest, fixed_bytes + 8 * i);
        require_at_most(length, largest_blobs, "bytes in a blob");
        blob_bytes += length;
    }
    require_at_most(blob_bytes, largest_blobs, "bytes of blobs");
    if (rest.size() < table_end + header_bytes + blob_bytes) return std::nullopt;

    Message message;
    message.header = try_parse_cbor(rest.subspan(table_end, header_bytes));
    if (!message.header.is_object())
        refuse(fmt::format("expected a JSON object of at most {} levels as the header, found something else",
                           deepest_json));
    if (message.header.contains("type") && !message.header.at("type").is_string())
        refuse("expected a string as the type of the message, found something else");
    std::size_t at = table_end + header_bytes;
    for (std::size_t i = 0; i < blob_count; ++i) {
        const std::size_t length = take<std::uint64_t>(rest, fixed_bytes + 8 * i);
        const auto blob = rest.subspan(at, length);
        message.blobs.emplace_back(blob.begin(), blob.end());
        at += length;
    }
    begin_ += at;
    return message;
}

}  // namespace ks::wire
