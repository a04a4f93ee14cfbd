// What the documents show is true: commands run, options are those of the program with their defaults, links
// and files that are named are there.

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/run/registry.h"
#include "gpu/runtime/opencl_backend.h"
#include "tests/app/cli_process.h"
#include "tests/app/markdown.h"
#include "tests/core/run/own_cache.h"

namespace {

namespace fs = std::filesystem;
using ks::tests::CodeBlock;
using ks::tests::Markdown;
using ks::tests::Outcome;
using ks::tests::read_markdown;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

const fs::path root = KERNELSCOPE_SOURCE_DIR;
constexpr const char* program = "kernelscope-cli";

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream stream(line.substr(0, line.find(" #")));
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// The current folder while it lives.
class InFolder {
  public:
    explicit InFolder(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }
    ~InFolder() { fs::current_path(before_); }
    InFolder(const InFolder&) = delete;
    InFolder& operator=(const InFolder&) = delete;

  private:
    fs::path before_;
};

/// Runs a line of a document in the current folder; an empty text where it did what it should.
std::string failure_of(const std::string& line) {
    if (line.find_first_of("\"'`$|<>;&*?~") != std::string::npos)
        return "only plain words can be run, without a shell";
    std::vector<std::string> words = words_of(line);
    if (words.empty()) return {};
    if (words[0] == "cp" && words.size() == 3) {
        std::error_code failed;
        fs::copy_file(root / words[1], words[2], failed);
        return failed ? failed.message() : "";
    }
    if (words[0] != program) return "the test cannot run " + words[0];
    words.erase(words.begin());
    const Outcome outcome = run_cli(words);
    return outcome.code == 0 ? "" : "exit code " + std::to_string(outcome.code) + ": " + outcome.err;
}

void expect_commands_run(const std::string& name) {
    const Markdown document = read_markdown(name);
    const TemporaryFolder folder;
    const InFolder inside(folder.path());
    const ks::tests::OwnCache variants("KERNELSCOPE_VARIANTS");
    std::size_t commands = 0;
    for (const CodeBlock& block : document.blocks)
        for (const std::string& line : block.lines) {
            if (block.language == "sh") {
                EXPECT_EQ(failure_of(line), "") << name << ", block of line " << block.line << ": " << line;
                ++commands;
            } else {
                EXPECT_FALSE(line.starts_with(program))
                    << name << ", line " << block.line << ": a block of commands begins with ```sh";
            }
        }
    EXPECT_GT(commands, 4U) << name;
}

/// Options of a command, each with its default where the help names one: {"--sigma-b", "6"}.
using Options = std::map<std::string, std::string>;

/// The first words of a command that are its name: bench and xpcs.
std::vector<std::string> name_of(const std::vector<std::string>& words) {
    const bool two =
        words.size() > 1 && !words[1].starts_with("--") &&
        (words[0] == "bench" || words[0] == "generate" || words[0] == "batch" || words[0] == "tune" ||
         words[0] == "judge" || (words[0] == "variants" && words[1] == "new"));
    return {words.begin(), words.begin() + std::min<std::ptrdiff_t>(std::ssize(words), two ? 2 : 1)};
}

const Options& options_of(std::vector<std::string> command) {
    static std::map<std::vector<std::string>, Options> known;
    const auto [place, is_new] = known.try_emplace(command);
    if (!is_new) return place->second;
    command.push_back("--help");
    std::istringstream help(run_cli(command).out);
    const std::regex option("--[a-z0-9-]+"), standard("\\(default:? ([^)]*)\\)");
    std::vector<std::string> names;
    for (std::string line; std::getline(help, line);) {
        std::smatch found;
        if (line.starts_with("  -")) {
            names.clear();
            const std::string first = line.substr(2, line.find(' ', 2) - 2);
            for (std::sregex_iterator at(first.begin(), first.end(), option), end; at != end; ++at)
                names.push_back(at->str());
        }
        const bool shown = std::regex_search(line, found, standard);
        for (const std::string& name : names) {
            std::string& value = place->second[name];
            if (shown) value = found[1];
        }
    }
    return place->second;
}

/// The rows of the tables of options in some lines: options of the first column, and defaults of the third.
Options documented(const std::vector<std::string>& lines) {
    Options all;
    const std::regex option("--[a-z0-9-]+"), cell(" \\| ");
    for (const std::string& line : lines) {
        if (!line.starts_with("| `-")) continue;
        const std::string row = line.substr(2, line.size() - 4) + " ";  // without the bars at both ends
        std::vector<std::string> cells(std::sregex_token_iterator(row.begin(), row.end(), cell, -1), {});
        std::vector<std::string> names, values;
        for (std::sregex_iterator at(cells[0].begin(), cells[0].end(), option), end; at != end; ++at)
            if (std::ranges::find(names, at->str()) == names.end()) names.push_back(at->str());
        std::string value = cells.size() > 2 ? cells[2] : "";
        while (value.ends_with(' ')) value.pop_back();
        const std::regex comma(", ");
        values.assign(std::sregex_token_iterator(value.begin(), value.end(), comma, -1), {});
        for (std::size_t i = 0; i < names.size(); ++i)
            all[names[i]] = values.size() == names.size() ? values[i] : value;
    }
    return all;
}

/// As the help has it: flags are true or false there.
std::string in_help(const std::string& value) {
    return value == "on" ? "true" : value == "off" ? "false" : value;
}

/// @param common options that the document describes elsewhere
void expect_same_options(const std::vector<std::string>& command, const Options& documented,
                         const Options& common) {
    const Options& real = options_of(command);
    std::string title;
    for (const std::string& word : command) title += word + " ";
    ASSERT_GT(real.size(), 2U) << title;
    for (const auto& [name, value] : documented) {
        const auto found = real.find(name);
        if (found == real.end()) {
            ADD_FAILURE() << "docs/cli.md tells of " << name << ", which " << title << "does not have";
            continue;
        }
        const bool same = value == found->second || in_help(value) == found->second;
        EXPECT_TRUE(found->second.empty() || same)
            << title << name << " has the default " << found->second << ", docs/cli.md says " << value;
    }
    for (const auto& [name, value] : real)
        EXPECT_TRUE(documented.contains(name) || common.contains(name))
            << "docs/cli.md does not tell of " << title << name;
}

/// "bench xpcs --repeat 5 ..." of an inline command; empty where it is none.
std::vector<std::string> inline_command(const std::string& span) {
    std::vector<std::string> words = words_of(span);
    const auto at = std::ranges::find(words, program);
    if (at != words.end())
        words.erase(words.begin(), at + 1);
    else if (words.size() < 3 || words[0] != "bench" || words[2].substr(0, 2) != "--")
        return {};
    return words;
}

void expect_known_variants(const std::vector<std::string>& command, const std::string& list) {
    const std::string known = run_cli({command[0], command[1], "--variants", "nothing"}).err;
    std::istringstream ids(list);
    const std::regex placeholder("[A-Z]");
    for (std::string id; std::getline(ids, id, ',');)
        EXPECT_TRUE(id == "all" || std::regex_match(id, placeholder) ||
                    known.find(" " + id) != std::string::npos)
            << id << " is no variant of " << command[1] << ": " << known;
}

void expect_parses(const std::string& document, const std::vector<std::string>& words) {
    const std::vector<std::string> command = name_of(words);
    const Options& known = options_of(command);
    for (std::size_t i = 0; i < words.size() && words[i] != "&&"; ++i) {
        if (words[i].starts_with("--")) {
            EXPECT_TRUE(known.contains(words[i])) << document << ": " << words[0] << " has no " << words[i];
        }
        if (words[i] == "--variants" && i + 1 < words.size() && command.size() == 2)
            expect_known_variants(command, words[i + 1]);
    }
}

/// tests/bench/bench_ui_live.cpp, or of test_ui_shell and tst_jobs tests/ui/base/tst_jobs.cpp.
bool is_test_program(std::string program_name, const std::string& file) {
    if (file.empty()) return fs::exists(root / "tests/bench" / (program_name + ".cpp"));
    std::ranges::replace(program_name, '_', '/');  // test/ui/shell
    return fs::exists(root / ("tests" + program_name.substr(4)) / (file + ".cpp"));
}

}  // namespace

TEST(Documents, commands_of_the_readme_run) {
    expect_commands_run("README.md");
}

TEST(Documents, commands_of_the_command_line_run) {
    expect_commands_run("docs/cli.md");
}

TEST(Documents, commands_of_the_lecture_run) {
    expect_commands_run("docs/lecture.md");
}

TEST(Documents, the_readme_has_at_most_150_lines) {
    EXPECT_LE(read_markdown("README.md").lines, 150U);
}

TEST(Documents, commands_that_measured_figures_have_options_and_variants_that_exist) {
    std::size_t commands = 0;
    for (const std::string name : {"README.md", "docs/benchmarks.md", "docs/lecture.md",
                                   "docs/dev/add-a-variant.md", "docs/dev/numerics.md", "CONTRIBUTING.md"}) {
        const Markdown document = read_markdown(name);
        std::vector<std::string> all = document.code_spans();
        if (name != "CONTRIBUTING.md" && name != "docs/dev/add-a-variant.md")
            for (const CodeBlock& block : document.blocks)
                all.insert(all.end(), block.lines.begin(), block.lines.end());
        for (const std::string& span : all)
            if (const std::vector<std::string> words = inline_command(span); !words.empty()) {
                expect_parses(name, words);
                ++commands;
            }
    }
    EXPECT_GT(commands, 30U);
}

TEST(Documents, every_command_is_described) {
    std::string table;
    for (const std::string& line : read_markdown("docs/cli.md").section("# ", "## ")) table += line + '\n';
    std::istringstream help(run_cli({"--help"}).out);
    std::size_t commands = 0;
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
        if (line.starts_with("Subcommands")) listed = true;
        if (!listed || !line.starts_with("  ") || line[2] == ' ') continue;
        const std::string name = words_of(line).front();
        EXPECT_NE(table.find(name), std::string::npos) << "docs/cli.md does not tell of " << name;
        ++commands;
    }
    EXPECT_GE(commands, 10U);
}

TEST(Documents, options_of_commands_are_all_described_with_their_defaults) {
    const Markdown cli = read_markdown("docs/cli.md");
    Options general = documented(cli.section("## Options of every command", "## Exit codes"));
    general["--help"] = "";
    const Options of_analyses = documented(cli.section("## Options of every analysis", "## xpcs"));
    Options common = general;
    common.insert(of_analyses.begin(), of_analyses.end());
    const ks::Registry registry;
    for (const auto& analysis : registry.analyses()) {
        const std::string& id = analysis.info().id;
        const Options own = documented(cli.section("## " + id, "## "));
        expect_same_options({id}, own, common);
        for (const auto& [name, value] : of_analyses)
            EXPECT_TRUE(options_of({id}).contains(name)) << id << " has no " << name;
        if (!analysis.has_generator()) continue;
        const Options made =
            documented(cli.section("`generate " + id, id == "particles" ? "## " : "`generate "));
        Options elsewhere = general;
        elsewhere["--out"] = "";
        expect_same_options({"generate", id}, made, elsewhere);
    }
    expect_same_options({"convert"}, documented(cli.section("## Convert", "## ")), general);
    expect_same_options({"repeat"}, documented(cli.section("## Repeat", "## ")), general);
    expect_same_options({"variants"}, documented(cli.section("## Variants", "## ")), general);
    expect_same_options({"variants", "new"}, {}, general);
    expect_same_options({"ceilings"}, documented(cli.section("`ceilings` ", "`bench ")), general);
    const auto expect_each_has = [&](const std::string& command, const Options& options) {
        EXPECT_GT(options.size(), 5U);
        for (const auto& [name, value] : options)
            for (const auto& analysis : registry.analyses()) {
                if (!analysis.has_benchmark()) continue;
                const std::string& id = analysis.info().id;
                EXPECT_TRUE(options_of({command, id}).contains(name))
                    << command << " " << id << " has no " << name;
            }
    };
    expect_each_has("bench", documented(cli.section("`bench ANALYSIS`", "## ")));
    expect_each_has("tune", documented(cli.section("`tune ANALYSIS`", "| option of")));
    expect_same_options({"tune"}, documented(cli.section("| option of `tune`", "## ")), general);
    for (const auto& [name, value] : documented(cli.section("## Judge", "## ")))
        EXPECT_TRUE(options_of({"judge", "xpcs"}).contains(name)) << "judge xpcs has no " << name;
}

TEST(Documents, links_lead_to_files_and_headings) {
    std::size_t links = 0;
    for (const std::string& name : ks::tests::markdown_files())
        for (const std::string& link : read_markdown(name).links()) {
            if (link.starts_with("http")) continue;
            const std::size_t hash = std::min(link.find('#'), link.size());
            const std::string file = link.substr(0, hash);
            const fs::path target =
                file.empty() ? fs::path(name) : (fs::path(name).parent_path() / file).lexically_normal();
            EXPECT_TRUE(fs::exists(root / target)) << name << " links to " << link;
            if (hash < link.size() && fs::exists(root / target)) {
                EXPECT_TRUE(read_markdown(target.generic_string()).anchors().contains(link.substr(hash + 1)))
                    << name << " links to " << link;
            }
            ++links;
        }
    EXPECT_GT(links, 50U);
}

TEST(Documents, files_of_the_tree_that_are_named_exist) {
    std::size_t files = 0;
    const std::regex path("(core|gpu|ui|app|tests|cmake|docs|bench|resources)/[A-Za-z0-9_./-]+"),
        test("build/release/tests/([a-z_]+) ?(tst_[a-z_]+)?( [^*]*)?");
    for (const std::string& name : ks::tests::markdown_files())
        for (const std::string& span : read_markdown(name).code_spans()) {
            std::smatch found;
            if (std::regex_match(span, path)) {
                EXPECT_TRUE(fs::exists(root / span)) << name << " names " << span;
                ++files;
            } else if (std::regex_match(span, found, test)) {
                EXPECT_TRUE(is_test_program(found[1], found[2])) << name << " names " << span;
                ++files;
            }
        }
    EXPECT_GT(files, 60U);
}

TEST(Documents, scripts_and_presets_that_are_shown_exist) {
    const std::string presets = ks::tests::read_file(root / "CMakePresets.json");
    const std::regex preset("--preset ([a-z]+)");
    std::size_t shown = 0;
    for (const std::string& name : ks::tests::markdown_files())
        for (const CodeBlock& block : read_markdown(name).blocks)
            for (const std::string& line : block.lines) {
                for (const char* script : {"app/run", "tests/run"})
                    if (line.starts_with(script)) {
                        EXPECT_EQ(access((root / script).c_str(), X_OK), 0) << name << ": " << line;
                        ++shown;
                    }
                for (std::sregex_iterator at(line.begin(), line.end(), preset), end; at != end; ++at) {
                    EXPECT_NE(presets.find("\"" + (*at)[1].str() + "\""), std::string::npos)
                        << name << ": " << line;
                    ++shown;
                }
            }
    EXPECT_GT(shown, 4U);
}

TEST(Documents, variants_that_run_by_default_are_those_of_the_highest_rank) {
    std::map<std::string, std::pair<const ks::Variant*, const ks::Variant*>>
        best;  // on a GPU, on a processor
    const auto backend = ks::gpu::make_opencl_backend();
    const auto rank_on_cpu = [](const ks::Variant& row) { return row.cpu_rank.value_or(row.rank); };
    for (const ks::Variant& row : backend->variants()) {
        if (row.by_name_only) continue;
        auto& [gpu, cpu] = best[row.analysis];
        if (!gpu || row.rank > gpu->rank) gpu = &row;
        if (!cpu || rank_on_cpu(row) > rank_on_cpu(*cpu)) cpu = &row;
    }
    ASSERT_GE(best.size(), 4U);
    const std::vector<std::string> lines =
        read_markdown("docs/dev/architecture.md").section("### Which variant runs", "### Where");
    for (const auto& [analysis, pair] : best) {
        const std::string row =
            "| `" + analysis + "` | `" + pair.first->id + "` | `" + pair.second->id + "` |";
        EXPECT_NE(std::ranges::find(lines, row), lines.end())
            << "docs/dev/architecture.md, which variant runs: no line " << row;
    }
}
