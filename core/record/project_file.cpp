#include "core/record/project_file.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/hash.h"
#include "core/base/json_problem.h"
#include "core/base/json_text.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/regular_file.h"

// The file: Head, JSON text, bytes of the arrays in the order of the JSON's list, nothing else. Numbers are
// little-endian. The JSON is {"arrays": [{"name", "type", "shape", "hash"}, ...], "content": ...}.
namespace ks::io {
namespace {

static_assert(std::endian::native == std::endian::little);

// The first byte is not text, and the line break does not survive a transfer in text mode.
constexpr std::string_view project_magic = "\x89KSPROJ\n";

struct Head {
    char magic[8] = {};
    std::uint32_t version = 0;
    std::uint32_t unused = 0;
    std::uint64_t json_bytes = 0;
    std::uint64_t json_hash = 0;
    std::uint64_t own_hash = 0;  ///< of the fields before it

    std::uint64_t made_hash() const {
        return hash_of(std::as_bytes(std::span(this, 1)).first(offsetof(Head, own_hash)));
    }
};
static_assert(sizeof(Head) == 40);

/// A file whose length is determined once; all reads stay within it.
class Source {
  public:
    explicit Source(const std::filesystem::path& file) : name_(file.string()) {
        require_regular(file, "a project");
        in_.open(file, std::ios::binary | std::ios::ate);
        const std::streamoff end = in_ ? static_cast<std::streamoff>(in_.tellg()) : -1;
        if (end < 0) refuse("the file cannot be read");
        left_ = static_cast<std::uint64_t>(end);
        in_.seekg(0);
    }
    std::uint64_t left() const { return left_; }
    void read(std::span<std::byte> into) {
        if (into.size() > left_) refuse_truncated();
        left_ -= into.size();
        in_.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
        if (!in_) refuse_truncated();
    }
    [[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) const {
        throw Error(ErrorKind::input, message, name_, hint);
    }
    [[noreturn]] void refuse_truncated() const {
        refuse("the project is truncated: bytes at its end are missing");
    }
    [[noreturn]] void refuse_damaged(const std::string& what) const {
        refuse("the project is damaged: " + what);
    }

  private:
    std::string name_;
    std::ifstream in_;
    std::uint64_t left_ = 0;
};

Head read_head(Source& source) {
    Head head;
    if (source.left() < project_magic.size())
        source.refuse("expected a Kernelscope project, found another kind of file");
    source.read(std::as_writable_bytes(std::span(head.magic)));
    if (std::string_view(head.magic, sizeof head.magic) != project_magic)
        source.refuse("expected a Kernelscope project, found another kind of file");
    source.read(std::as_writable_bytes(std::span(&head, 1)).subspan(sizeof head.magic));
    // Before the checksum: a newer version may have another header.
    const auto known = static_cast<std::uint32_t>(formats::project.version);
    if (head.version > known)
        source.refuse(fmt::format("the project has version {}, but this program only reads versions up to {}",
                                  head.version, known),
                      "open it with the version of Kernelscope that wrote it, or a newer one");
    if (head.version < 1 || head.own_hash != head.made_hash()) source.refuse_damaged("its header is wrong");
    return head;
}

nlohmann::json read_json(Source& source, const Head& head) {
    if (head.json_bytes > largest_project_json)
        source.refuse(fmt::format("the project contains {} bytes of JSON, more than the limit of {}",
                                  head.json_bytes, largest_project_json));
    if (head.json_bytes > source.left()) source.refuse_truncated();
    std::string text(static_cast<std::size_t>(head.json_bytes), '\0');
    source.read(std::as_writable_bytes(std::span(text)));
    if (hash_of(text) != head.json_hash) source.refuse_damaged("the checksum of its JSON is wrong");
    nlohmann::json json = try_parse_json(text);
    if (!json.is_object() || !json.contains("arrays") || !json.at("arrays").is_array() ||
        !json.contains("content"))
        source.refuse_damaged("its JSON does not describe a project");
    return json;
}

/// One row of the list of arrays.
struct Row {
    std::string name;
    ElementType type;
    std::vector<std::size_t> shape;
    std::uint64_t bytes, hash;
};

Row row_from(const nlohmann::json& json) {
    Row row{json.at("name").get<std::string>(),
            element_type_from(json.at("type").get<std::string>()),
            {},
            0,
            json.at("hash").get<std::uint64_t>()};
    row.bytes = size_of(row.type);
    bool empty = false;
    if (json.at("shape").size() > highest_project_rank)
        throw Error(ErrorKind::input, "an array has too many dimensions");
    for (const nlohmann::json& extent : json.at("shape")) {
        if (!extent.is_number_unsigned()) throw Error(ErrorKind::input, "an array has no shape");
        row.shape.push_back(extent.get<std::size_t>());
        empty = empty || row.shape.back() == 0;
        // An extent of 0 must not hide an overflow of the others.
        if (row.shape.back() > 0 && row.bytes > largest_project_array / row.shape.back())
            throw Error(ErrorKind::input, "an array is too large");
        if (row.shape.back() > 0) row.bytes *= row.shape.back();
    }
    if (empty) row.bytes = 0;
    return row;
}

std::vector<Row> read_rows(const Source& source, const nlohmann::json& list) {
    if (list.size() > most_project_arrays)
        source.refuse(fmt::format("the project contains {} arrays, more than the limit of {}", list.size(),
                                  most_project_arrays));
    std::vector<Row> rows;
    std::uint64_t all = 0;
    try {
        for (const nlohmann::json& one : list) {
            rows.push_back(row_from(one));
            all += rows.back().bytes;
        }
    } catch (const nlohmann::json::exception& error) {
        source.refuse_damaged(problem_of(error));
    } catch (const Error& error) {
        source.refuse_damaged(error.message());
    }
    if (all > largest_project_array)
        source.refuse(fmt::format("the project contains {} bytes of arrays, more than the limit of {}", all,
                                  largest_project_array));
    if (all > source.left()) source.refuse_truncated();
    if (all < source.left()) source.refuse_damaged("it has more bytes than its arrays need");
    return rows;
}

std::string text_of(const Project& project, const std::string& where) {
    nlohmann::json list = nlohmann::json::array();
    std::uint64_t all = 0;
    for (const auto& [name, array] : project.arrays) {
        list.push_back({{"name", name},
                        {"type", name_of(array.type())},
                        {"shape", array.shape()},
                        {"hash", hash_of(array.bytes())}});
        all += array.bytes().size();
    }
    const std::string text = dump_json_replacing({{"arrays", std::move(list)}, {"content", project.content}});
    if (text.size() > largest_project_json || all > largest_project_array ||
        project.arrays.size() > most_project_arrays)
        throw Error(
            ErrorKind::input,
            fmt::format(
                "a project of {} bytes of JSON and {} arrays with {} bytes in total would be too large to "
                "be read again",
                text.size(), project.arrays.size(), all),
            where);
    return text;
}

}  // namespace

void write_project(const std::filesystem::path& file, const Project& project, bool overwrite) {
    const std::string text = text_of(project, file.string());
    Head head;
    std::memcpy(head.magic, project_magic.data(), sizeof head.magic);
    head.version = static_cast<std::uint32_t>(formats::project.version);
    head.json_bytes = text.size();
    head.json_hash = hash_of(text);
    head.own_hash = head.made_hash();
    AtomicFile out(file, overwrite);
    out.write(std::as_bytes(std::span(&head, 1)));
    out.write(text);
    for (const auto& [name, array] : project.arrays) out.write(array.bytes());
    out.commit();
}

Project read_project(const std::filesystem::path& file) {
    Source source(file);
    nlohmann::json json = read_json(source, read_head(source));
    Project project;
    for (const Row& row : read_rows(source, json.at("arrays"))) {
        Array array(row.type, row.shape);
        source.read(array.bytes());
        if (hash_of(array.bytes()) != row.hash)
            source.refuse_damaged("the checksum of its array " + row.name + " is wrong");
        project.arrays.insert_or_assign(row.name, std::move(array));
    }
    project.content = std::move(json.at("content"));
    return project;
}

bool is_project(const std::filesystem::path& file) {
    return peek_bytes(file, 0, project_magic.size()) == project_magic;
}

}  // namespace ks::io
