#include "core/ranks/identity.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/io/files/file_bytes.h"

namespace ks {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t head_bytes = std::size_t{1} << 16;

/// Of a file, to the millisecond: the precision that cluster file systems preserve alike.
std::string time_of(const fs::path& file) {
    std::error_code failure;
    const auto written = fs::last_write_time(file, failure);
    if (failure) return failure.message();
    const auto time =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::file_clock::to_sys(written));
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), (time - seconds).count());
}

const IdentityRow* row_named(const Identity& identity, const std::string& what) {
    const auto found = std::ranges::find(identity.rows, what, &IdentityRow::what);
    return found == identity.rows.end() ? nullptr : &*found;
}

[[noreturn]] void throw_difference(const std::vector<Identity>& all, std::size_t rank,
                                   const std::string& what) {
    const auto value = [&](std::size_t of) {
        const IdentityRow* row = row_named(all[of], what);
        return row == nullptr ? std::string("none") : row->value;
    };
    throw Error(ErrorKind::input,
                fmt::format("{} differs: {} for {}, {} for {}", what, value(rank),
                            name_of_rank(rank, all[rank].host), value(0), name_of_rank(0, all[0].host)),
                {}, "all ranks must have the same program, request and files");
}

}  // namespace

IdentityRow version_row() {
    return {"the version of the program", KERNELSCOPE_VERSION};
}

std::vector<IdentityRow> rows_of(const Request& request) {
    Blobs blobs;
    nlohmann::json json = to_json(request, &blobs);
    json["kernel_source"] = request.kernel_source.empty() ? "" : hash_text(hash_of(request.kernel_source));
    std::vector<IdentityRow> rows;
    const nlohmann::json values = json.flatten();
    for (const auto& [path, value] : values.items())
        if (!value.is_null())  // null: an empty list
            rows.push_back({fmt::format("{} of the request", path.substr(1)), dump_json(value)});
    for (std::size_t i = 0; i < blobs.size(); ++i)
        rows.push_back({fmt::format("array {} of the request", i), hash_text(hash_of(blobs[i]))});
    return rows;
}

std::vector<IdentityRow> rows_of(const fs::path& file) {
    std::error_code failure;
    const std::string name = file.string();
    const auto bytes = fs::file_size(file, failure);
    const std::string size = failure ? failure.message() : fmt::format("{} bytes", bytes);
    std::vector<IdentityRow> rows{{"the size of " + name, size}};
    if (failure) return rows;
    rows.push_back({"the time of " + name, time_of(file)});
    rows.push_back({"the hash of the first 64 KiB of " + name,
                    hash_text(hash_of(std::string_view(io::peek_bytes(file, 0, head_bytes))))});
    return rows;
}

void require_alike(const std::vector<Identity>& all) {
    // A series may have very many files.
    std::vector<std::unordered_map<std::string_view, std::string_view>> values(all.size());
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        for (const IdentityRow& row : all[rank].rows) values[rank].try_emplace(row.what, row.value);
    for (std::size_t rank = 1; rank < all.size(); ++rank)
        for (const auto& [of, other] : {std::pair(std::size_t{0}, rank), std::pair(rank, std::size_t{0})})
            for (const IdentityRow& row : all[of].rows) {
                const auto there = values[other].find(row.what);
                if (there == values[other].end() || there->second != row.value)
                    throw_difference(all, rank, row.what);
            }
}

void require_alike(Exchange& exchange, std::vector<IdentityRow> rows) {
    const Identity mine{exchange.host(), std::move(rows)};
    wire::Message message;
    message.header = {{"identity", to_json(mine)}};
    const std::vector<wire::Message> all = exchange.gathered("identity", std::move(message));
    if (exchange.is_first()) {
        std::vector<Identity> identities;
        for (const wire::Message& one : all)
            identities.push_back(from_json<Identity>(one.header.at("identity"), "the identity of a rank"));
        require_alike(identities);
    }
    exchange.told("alike", {});
}

}  // namespace ks
