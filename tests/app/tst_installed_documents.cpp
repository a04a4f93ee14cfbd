#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "core/io/files/temporary_folder.h"

namespace {

namespace fs = std::filesystem;

/// Targets of [text](target) and of pictures that lie beside the file, without the place in them; code, where
/// brackets mean something else, is left out.
std::vector<std::string> linked_files(const fs::path& file) {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    const std::string prose = std::regex_replace(text.str(), std::regex("```[^`]*```|`[^`\n]*`"), "");
    std::vector<std::string> targets;
    const std::regex link("\\]\\(([^)\\s#]+)(#[^)\\s]*)?\\)");
    for (std::sregex_iterator at(prose.begin(), prose.end(), link), end; at != end; ++at)
        if (const std::string target = (*at)[1]; target.find("://") == std::string::npos)
            targets.push_back(target);
    return targets;
}

TEST(InstalledDocuments, each_relative_link_has_its_target) {
    const ks::io::TemporaryFolder folder("kernelscope-install");
    const fs::path log = folder.path() / "log", build = fs::path(KERNELSCOPE_CLI).parent_path();
    const std::string command = "cmake --install '" + build.string() + "' --component program --prefix '" +
                                (folder.path() / "usr").string() + "' > '" + log.string() + "' 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << std::ifstream(log).rdbuf();
    const fs::path documents = folder.path() / "usr" / "share" / "doc";
    std::size_t files = 0, links = 0;
    bool readme = false;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(documents)) {
        if (entry.path().extension() != ".md") continue;
        ++files;
        readme = readme || entry.path().filename() == "README.md";
        for (const std::string& target : linked_files(entry.path())) {
            ++links;
            EXPECT_TRUE(fs::exists(entry.path().parent_path() / target))
                << fs::relative(entry.path(), documents) << " links to " << target;
        }
    }
    EXPECT_TRUE(readme);
    EXPECT_GT(files, 20U);
    EXPECT_GT(links, 100U);
}

}  // namespace
