// The completion of a shell offers what --help lists, in bash itself.

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/run/registry.h"
#include "tests/app/cli_process.h"

namespace {

using ks::tests::Outcome;
using ks::tests::run_cli;
using Words = std::vector<std::string>;

class Completion : public testing::Test {
  protected:
    /// What bash offers for the last of `words`, which follow kernelscope-cli.
    std::set<std::string> offered(const Words& words) {
        if (!std::filesystem::exists(folder_ / "completion")) {
            const Outcome made = run_cli({"completion", "bash"});
            EXPECT_EQ(made.code, 0) << made.err;
            std::ofstream(folder_ / "completion") << made.out;
        }
        std::ofstream script(folder_ / "script");
        script << "set -u\nsource '" << (folder_ / "completion") << "'\nCOMP_WORDS=(kernelscope-cli";
        for (const std::string& word : words) script << " '" << word << "'";
        script << ")\nCOMP_CWORD=" << words.size() << "\n"
               << "compopt() { echo \"[$*]\"; }\n"
               << "_kernelscope_cli && printf '%s\\n' \"${COMPREPLY[@]}\"\n";
        script.close();
        const std::string out = folder_ / "out";
        EXPECT_EQ(std::system(("bash '" + (folder_ / "script") + "' > '" + out + "'").c_str()), 0);
        std::set<std::string> found;
        std::istringstream lines(ks::tests::read_file(out));
        for (std::string line; std::getline(lines, line);)
            if (!line.empty()) found.insert(line);
        return found;
    }

    /// The names that start the lines of `--help`.
    static std::set<std::string> listed(Words command) {
        command.push_back("--help");
        const Outcome help = run_cli(command);
        EXPECT_EQ(help.code, 0) << help.err;
        std::set<std::string> names;
        const std::regex option("^  (-h,)?(--[a-z0-9-]+)(?:,(--[a-z0-9-]+))?");
        std::istringstream lines(help.out);
        for (std::string line; std::getline(lines, line);) {
            std::smatch match;
            if (!std::regex_search(line, match, option)) continue;
            for (const std::size_t i : {2u, 3u})
                if (match[i].matched) names.insert(match[i]);
        }
        return names;
    }

    ks::tests::TemporaryFolder folder_;
};

TEST_F(Completion, offers_every_option_that_the_help_lists) {
    std::vector<Words> commands{
        {},         {"devices"},  {"info"},          {"convert"},      {"generate", "spots"},
        {"repeat"}, {"ceilings"}, {"bench", "xpcs"}, {"tune", "xpcs"}, {"completion"}};
    const ks::Registry registry;
    for (const auto& analysis : registry.analyses()) commands.push_back({analysis.info().id});
    for (Words& command : commands) {
        const std::set<std::string> expected = listed(command);
        EXPECT_GE(expected.size(), 2u);
        command.push_back("--");
        EXPECT_EQ(offered(command), expected) << testing::PrintToString(command);
    }
}

TEST_F(Completion, offers_commands_choices_and_files_where_each_is_due) {
    std::set<std::string> generators, benchmarks;
    const ks::Registry registry;
    for (const auto& analysis : registry.analyses()) {
        if (analysis.has_generator()) generators.insert(analysis.info().id);
        if (analysis.has_benchmark()) benchmarks.insert(analysis.info().id);
    }
    EXPECT_EQ(offered({"generate", ""}), generators);
    EXPECT_EQ(offered({"bench", ""}), benchmarks);
    EXPECT_EQ(offered({"xp"}), (std::set<std::string>{"xpcs"}));
    EXPECT_EQ(offered({"xpcs", "a.h5", "--check", ""}), (std::set<std::string>{"none", "sample", "full"}));
    EXPECT_EQ(offered({"xpcs", ""}), (std::set<std::string>{"[-o default]"}));
    EXPECT_EQ(offered({"xpcs", "a.h5", "--qmask", ""}), (std::set<std::string>{"[-o default]"}));
    EXPECT_EQ(offered({"xpcs", "a.h5", "--frames", ""}).count("--qmask"), 0u);
}

TEST_F(Completion, other_shells_get_scripts_with_the_same_options) {
    for (const char* shell : {"zsh", "fish"}) {
        const std::string script = run_cli({"completion", shell}).out;
        for (std::string name : listed({"xpcs"})) {
            if (shell == std::string("fish")) name = "-l " + name.substr(2);
            EXPECT_NE(script.find(name), std::string::npos) << shell << " has no " << name;
        }
    }
    const Outcome other = run_cli({"completion", "tcsh"});
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("tcsh"), std::string::npos) << other.err;
}

}  // namespace
