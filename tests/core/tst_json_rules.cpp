// Text of files and names of files may contain any byte: JSON becomes text by the functions of json_text.h
// alone, since nlohmann's dump() throws on bytes that are not UTF-8.

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

constexpr const char* only_place = "core/base/json_text.cpp";

bool dumps(const std::string& line) {
    static const std::regex call(R"((\.|->)dump\()");
    return std::regex_search(line, call);
}

std::vector<std::string> places_that_dump(const fs::path& root) {
    std::vector<std::string> found;
    for (const char* folder : {"core", "gpu", "ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            const std::string file = fs::relative(entry.path(), root).generic_string();
            if ((extension != ".cpp" && extension != ".h") || file == only_place) continue;
            std::ifstream stream(entry.path());
            std::size_t number = 0;
            for (std::string line; std::getline(stream, line);)
                if (++number; dumps(line)) found.push_back(fmt::format("{}:{}: {}", file, number, line));
        }
    return found;
}

TEST(JsonRules, json_becomes_text_in_one_place) {
    EXPECT_TRUE(dumps("return value.dump();"));
    EXPECT_TRUE(dumps("found->dump(2)"));
    EXPECT_FALSE(dumps("dump_json(value)"));
    const fs::path root = KERNELSCOPE_SOURCE_DIR;
    ASSERT_TRUE(fs::is_regular_file(root / only_place));
    const std::vector<std::string> found = places_that_dump(root);
    EXPECT_TRUE(found.empty()) << fmt::format("{}", fmt::join(found, "\n"));
}

}  // namespace
