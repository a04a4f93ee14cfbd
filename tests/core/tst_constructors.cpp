// Constructors of widgets, and functions that do their work, read from the source tree.

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace {

TEST(Constructors, FitOnAScreen) {
    constexpr std::size_t screen = 80;  // lines
    const std::regex begins(R"(^(\w+)::\1\(.*|^void \w+::build\(\).*)");
    std::size_t read = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(KERNELSCOPE_SOURCE_DIR) + "/ui")) {
        if (entry.path().extension() != ".cpp") continue;
        std::ifstream file(entry.path());
        std::string name;
        std::size_t lines = 0;
        for (std::string line; std::getline(file, line); ++lines) {
            if (std::regex_match(line, begins)) {
                name = line;
                lines = 0;
                ++read;
            } else if (line == "}" && !name.empty()) {
                EXPECT_LE(lines + 1, screen) << entry.path() << ": " << name;
                name.clear();
            }
        }
    }
    EXPECT_GT(read, 100u);
}

}  // namespace
