#include "core/record/project_file.h"

#include <cstring>
#include <random>

#include <sys/stat.h>

#include "core/base/hash.h"

#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class ProjectFile : public IoTest {
  protected:
    static io::Project made() {
        std::mt19937_64 random(7);
        io::Project project;
        project.content = {{"page", "xpcs"},
                           {"geometry", {{"beam_x", 12.25}, {"beam_y", -3.5}}},
                           {"file", "Größe \"µ\".h5"},
                           {"runs", {{{"number", 3}, {"ticked", true}}, {{"number", 4}, {"ticked", false}}}},
                           {"nothing", nullptr}};
        std::vector<std::uint8_t> mask(7 * 11);
        for (std::uint8_t& one : mask) one = static_cast<std::uint8_t>(random());
        std::vector<double> edges(5);
        for (double& one : edges) one = std::uniform_real_distribution<double>(-1e9, 1e9)(random);
        std::vector<std::int32_t> labels(6);
        for (std::int32_t& one : labels) one = static_cast<std::int32_t>(random());
        project.arrays.emplace("mask", Array::of<std::uint8_t>({7, 11}, mask));
        project.arrays.emplace("edges", Array::of<double>({5}, edges));
        project.arrays.emplace("labels", Array::of<std::int32_t>({1, 2, 3}, labels));
        project.arrays.emplace("empty", Array(ElementType::u32, {4, 0}));
        project.arrays.emplace("scalar", Array::of<float>({}, std::vector<float>{1.5f}));
        return project;
    }
    std::string good() const {
        io::write_project(at("good.ksproj"), made(), true);
        return read_bytes(at("good.ksproj"));
    }
    std::string error_of(const std::string& bytes) const {
        write_bytes(at("bad.ksproj"), bytes);
        return input_error([&] { (void)io::read_project(at("bad.ksproj")); });
    }
    /// A file whose head is right for `json` of any kind, as another program may write it.
    static std::string with_json(const std::string& json, const std::string& rest = {}) {
        std::string bytes("\x89KSPROJ\n", 8);
        const auto put = [&bytes](auto value) {
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        };
        put(std::uint32_t{1});
        put(std::uint32_t{0});
        put(std::uint64_t{json.size()});
        put(hash_of(json));
        put(hash_of(bytes));
        return bytes + json + rest;
    }
    static std::string with_shape(const std::string& shape, const std::string& type = "u8") {
        return with_json(R"({"arrays":[{"name":"a","type":")" + type + R"(","shape":)" + shape +
                             R"(,"hash":0}],"content":{}})",
                         "abc");
    }
};

TEST_F(ProjectFile, comes_back_as_it_was_written) {
    io::write_project(at("a.ksproj"), made(), false);
    EXPECT_EQ(io::read_project(at("a.ksproj")), made());
    EXPECT_TRUE(io::is_project(at("a.ksproj")));
    io::write_project(at("empty.ksproj"), {}, false);
    EXPECT_EQ(io::read_project(at("empty.ksproj")), io::Project());
}

TEST_F(ProjectFile, the_layout_is_that_of_the_document) {
    const std::string bytes = good();
    ASSERT_GT(bytes.size(), 40u);
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x89KSPROJ\n", 8));
    std::uint32_t version = 0;
    std::uint64_t length = 0;
    std::memcpy(&version, bytes.data() + 8, 4);
    std::memcpy(&length, bytes.data() + 16, 8);
    EXPECT_EQ(version, 1u);
    const nlohmann::json json = nlohmann::json::parse(bytes.substr(40, length));
    EXPECT_EQ(json.at("content"), made().content);
    ASSERT_EQ(json.at("arrays").size(), 5u);
    EXPECT_EQ(json.at("arrays")[0].at("name"), "edges");
    const Array edges = made().arrays.at("edges");
    EXPECT_EQ(std::memcmp(bytes.data() + 40 + length, edges.bytes().data(), 5 * 8), 0);
    EXPECT_EQ(bytes.size(), 40 + length + 5 * 8 + 6 * 4 + 7 * 11 + 4);
}

TEST_F(ProjectFile, an_existing_file_stays_without_overwrite) {
    write_bytes(at("a.ksproj"), "old");
    EXPECT_TRUE(
        contains(input_error([&] { io::write_project(at("a.ksproj"), made(), false); }), {"already exists"}));
    EXPECT_EQ(read_bytes(at("a.ksproj")), "old");
}

TEST_F(ProjectFile, other_files_are_refused_by_what_they_are) {
    EXPECT_TRUE(contains(error_of(""), {"bad.ksproj", "expected a Kernelscope project"}));
    EXPECT_TRUE(contains(error_of("\x89HDF\r\n\x1a\n and more of it"), {"another kind of file"}));
    EXPECT_FALSE(io::is_project(at("bad.ksproj")));
    EXPECT_FALSE(io::is_project(at("none.ksproj")));
    EXPECT_FALSE(io::is_project(folder));
    EXPECT_TRUE(contains(input_error([&] { (void)io::read_project(at("none.ksproj")); }), {"no such file"}));
    EXPECT_TRUE(contains(input_error([&] { (void)io::read_project(folder); }), {"found a directory"}));
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    EXPECT_TRUE(contains(input_error([&] { (void)io::read_project(at("pipe")); }), {"a pipe"}));
}

TEST_F(ProjectFile, a_newer_version_says_which_ones) {
    std::string bytes = good();
    bytes[8] = 2;
    EXPECT_TRUE(contains(error_of(bytes), {"has version 2", "reads versions up to 1"}));
}

TEST_F(ProjectFile, every_cut_is_found) {
    const std::string bytes = good();
    for (std::size_t length = 8; length < bytes.size(); ++length)
        EXPECT_TRUE(contains(error_of(bytes.substr(0, length)), {"truncated"})) << length;
    EXPECT_TRUE(contains(error_of(bytes + "x"), {"damaged", "more bytes"}));
}

TEST_F(ProjectFile, a_wrong_checksum_names_the_part) {
    std::string bytes = good();
    bytes[60] ^= 1;
    EXPECT_TRUE(contains(error_of(bytes), {"damaged", "JSON"}));
    bytes = good();
    bytes.back() ^= 1;
    EXPECT_TRUE(contains(error_of(bytes), {"damaged", "its array scalar"}));
}

TEST_F(ProjectFile, JSON_of_1_GB_is_refused_before_it_is_read) {
    {
        std::string head = with_json("");
        const std::uint64_t length = std::uint64_t{1} << 30;
        std::memcpy(head.data() + 16, &length, 8);
        const std::uint64_t own = hash_of(std::string_view(head).substr(0, 32));
        std::memcpy(head.data() + 32, &own, 8);
        write_bytes(at("huge.ksproj"), head);
    }
    fs::resize_file(at("huge.ksproj"), 40 + (std::uintmax_t{1} << 30));
    EXPECT_TRUE(contains(input_error([&] { (void)io::read_project(at("huge.ksproj")); }),
                         {"1073741824 bytes of JSON", "more than the limit of"}));
}

TEST_F(ProjectFile, arrays_that_the_file_has_no_bytes_for_are_refused) {
    EXPECT_TRUE(contains(error_of(with_shape("[4]")), {"truncated"}));
    EXPECT_TRUE(contains(error_of(with_shape("[2]")), {"more bytes"}));
    EXPECT_TRUE(contains(error_of(with_shape("[3]")), {"checksum of its array a"}));
    EXPECT_TRUE(contains(error_of(with_shape("[4294967296,4294967296]")), {"too large"}));
    EXPECT_TRUE(contains(error_of(with_shape("[0,4294967296,4294967296,4294967296]")), {"too large"}));
    EXPECT_TRUE(contains(error_of(with_shape("[18446744073709551615]", "f64")), {"too large"}));
    EXPECT_TRUE(contains(error_of(with_shape("[1,1,1,1,1,1,1,1,3]")), {"too many dimensions"}));
    for (const char* shape : {"[-3]", "[1.5]", "\"3\"", "3", "null", "[null]"})
        EXPECT_TRUE(contains(error_of(with_shape(shape)), {"damaged"})) << shape;
    EXPECT_TRUE(contains(error_of(with_shape("[3]", "f80")), {"damaged", "f80"}));
}

TEST_F(ProjectFile, JSON_of_another_kind_is_refused) {
    for (const char* json : {"", "[]", "null", "{}", R"({"arrays":{},"content":1})", R"({"arrays":[]})",
                             R"({"arrays":[1],"content":{}})", R"({"arrays":[],"content":{}} x)"})
        EXPECT_TRUE(contains(error_of(with_json(json)), {"damaged"})) << json;
    const std::string deep(100000, '[');
    EXPECT_TRUE(contains(error_of(with_json(R"({"arrays":[],"content":)" + deep)), {"damaged"}));
}

TEST_F(ProjectFile, what_could_not_be_read_again_is_not_written) {
    io::Project project;
    project.content = std::string(io::largest_project_json, 'x');
    EXPECT_TRUE(contains(input_error([&] { io::write_project(at("a.ksproj"), project, false); }),
                         {"too large to be read again"}));
    EXPECT_FALSE(fs::exists(at("a.ksproj")));
}

/// One mutant of a file: flipped bits, cuts, other bytes, swapped and repeated parts, other lengths.
std::string mutant(std::string bytes, std::mt19937_64& random) {
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    for (std::size_t changes = 1 + below(3); changes > 0 && bytes.size() > 2; --changes) {
        const std::size_t at = below(bytes.size()), other = below(bytes.size());
        const std::size_t length = 1 + below(std::min<std::size_t>(64, bytes.size() - std::max(at, other)));
        switch (below(8)) {
            case 0:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
                break;
            case 1:
                bytes.resize(at);
                break;
            case 2:
                bytes[at] = static_cast<char>(random());
                break;
            case 3: {
                const std::size_t first = std::min(at, other), second = std::max(at, other);
                const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(first);
                const auto count = static_cast<std::ptrdiff_t>(std::min(length, second - first));
                std::swap_ranges(from, from + count, bytes.begin() + static_cast<std::ptrdiff_t>(second));
                break;
            }
            case 4:
                bytes.erase(at, length);
                break;
            case 5:
                bytes.insert(at, bytes.substr(other, length));
                break;
            case 6: {  // a number of the head
                const std::uint64_t value = below(2) == 0 ? random() >> below(64) : below(1 << 16);
                const std::size_t field = 8 + 4 * below(8);
                if (bytes.size() >= field + 8) std::memcpy(bytes.data() + field, &value, 8);
                break;
            }
            default:
                bytes.append(length, static_cast<char>(random()));
        }
    }
    return bytes;
}

/// The checksums set right, so that what is behind them is reached.
void mend(std::string& bytes) {
    if (bytes.size() < 40) return;
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + 16, 8);
    length = std::min<std::uint64_t>(length, bytes.size() - 40);
    const std::uint64_t json = hash_of(std::string_view(bytes).substr(40, length));
    std::memcpy(bytes.data() + 24, &json, 8);
    const std::uint64_t own = hash_of(std::string_view(bytes).substr(0, 32));
    std::memcpy(bytes.data() + 32, &own, 8);
}

TEST_F(ProjectFile, ten_thousand_mutants_do_no_harm) {
    const std::string whole = good();
    const io::Project content = made();
    std::mt19937_64 random(20240917);
    std::size_t refused = 0;
    for (int i = 0; i < 10000; ++i) {
        std::string bytes = mutant(whole, random);
        const bool mended = i % 2 == 1;
        if (mended) mend(bytes);
        // Writing over a file would wait for the disk.
        fs::remove(at("mutant.ksproj"));
        write_bytes(at("mutant.ksproj"), bytes);
        try {
            const io::Project read = io::read_project(at("mutant.ksproj"));
            EXPECT_TRUE(mended || read == content) << "mutant " << i;
        } catch (const Error& error) {
            ++refused;
            EXPECT_EQ(error.kind(), ErrorKind::input) << "mutant " << i << ": " << error.what();
        }
    }
    EXPECT_GT(refused, 7000u);
}

}  // namespace
}  // namespace ks::tests
