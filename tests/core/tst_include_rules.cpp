// The rules of the house about who may include whom, read from the source tree itself.

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

/// Shared folders of core/ in their order: each may include itself and those before it. Analyses come after
/// them.
constexpr std::array core_order{"base",  "fit",  "data",  "io",   "devices", "run",  "kernels",
                                "judge", "tune", "input", "wire", "record",  "ranks"};
/// The same of ui/.
constexpr std::array ui_order{"base", "files", "plots", "runs", "kernels", "image", "shell", "tools"};
/// The folder of gpu/ that all analyses share.
constexpr std::string_view shared_gpu = "runtime";
constexpr std::array folders{"core", "gpu", "ui", "app", "tests"};
/// What a reader takes in at a glance.
constexpr std::size_t max_files_in_a_folder = 40;

struct Include {
    std::string name;
    bool quoted;
};

/// The include directive of a line; an empty name where there is none.
Include include_of(std::string_view line) {
    const auto skip_blanks = [&line] {
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0)
            line.remove_prefix(1);
    };
    skip_blanks();
    if (!line.starts_with('#')) return {};
    line.remove_prefix(1);
    skip_blanks();
    if (!line.starts_with("include")) return {};
    line.remove_prefix(7);
    skip_blanks();
    if (line.empty() || (line.front() != '"' && line.front() != '<')) return {};
    const bool quoted = line.front() == '"';
    line.remove_prefix(1);
    return {std::string(line.substr(0, line.find(quoted ? '"' : '>'))), quoted};
}

bool is_qt(const std::string& name) {
    return (name.size() > 1 && name[0] == 'Q' && std::isupper(static_cast<unsigned char>(name[1])) != 0) ||
           name.starts_with("Qt") || name.starts_with("qcustomplot");
}
bool is_opencl(const std::string& name) {
    return name.starts_with("CL/") || name.starts_with("OpenCL/");
}
bool is_of(const std::string& name, const std::string& folder) {
    return name.starts_with(folder + "/") || name == "collected_" + folder + ".h";
}

/// The analysis whose folder "core/xpcs/..." names, or an empty string.
std::string analysis_of(const std::string& path) {
    for (const std::string folder : {"core/", "gpu/", "ui/"}) {
        const std::size_t end = path.find('/', folder.size());
        if (!path.starts_with(folder) || end == std::string::npos) continue;
        const std::string name = path.substr(folder.size(), end - folder.size());
        const auto among = [&name](const auto& names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        const bool shared = folder == "core/"  ? among(core_order)
                            : folder == "gpu/" ? name == shared_gpu
                                               : among(ui_order);
        if (!shared) return name;
    }
    return {};
}

/// Place in `order` of the folder that "core/io/..." names; behind the last one for an analysis.
std::size_t place_of(const std::string& path, const auto& order) {
    const std::size_t begin = path.find('/') + 1;
    const std::string folder = path.substr(begin, path.find('/', begin) - begin);
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), folder) - order.begin());
}
/// Whether both are of the same part of the house, and `name` of a folder that comes after that of `file`.
bool comes_later(const std::string& file, const std::string& name) {
    const auto both = [&](const char* part) { return file.starts_with(part) && name.starts_with(part); };
    return (both("core/") && place_of(name, core_order) > place_of(file, core_order)) ||
           (both("ui/") && place_of(name, ui_order) > place_of(file, ui_order));
}

std::string forbidden(const std::string& file, const Include& include, const fs::path& root) {
    const std::string& name = include.name;
    const bool no_qt = file.starts_with("core/") || file.starts_with("gpu/") || file.starts_with("app/cli");
    const bool no_opencl = !file.starts_with("gpu/") && !file.starts_with("tests/gpu/");
    const bool no_gpu = file.starts_with("core/") || file.starts_with("ui/");
    if (no_qt && is_qt(name)) return "Qt";
    if (no_opencl && is_opencl(name)) return "OpenCL";
    if (no_gpu && is_of(name, "gpu")) return "gpu";
    if (no_qt && is_of(name, "ui")) return "ui";
    const bool no_app = !file.starts_with("app/") && !file.starts_with("tests/app/");
    if (no_app && is_of(name, "app")) return "app";
    if (comes_later(file, name)) return "a folder that comes later";
    const std::string mine = analysis_of(file), other = analysis_of(name);
    if (!mine.empty() && !other.empty() && mine != other) return "another analysis";
    const bool generated =
        name.starts_with("collected_") || name.ends_with(".moc") || name.starts_with("moc_");
    if (include.quoted && !generated && !fs::is_regular_file(root / name))
        return "a project file without its folder path";
    return {};
}

/// Includes between subfolders of one folder of core/, gpu/, ui/ or app/, neither of which lies in the other:
/// by (from, to), the first place.
using Ties = std::map<std::pair<std::string, std::string>, std::string>;

void add_tie(Ties& ties, const std::string& file, std::size_t line, const Include& include) {
    const std::string from = fs::path(file).parent_path().generic_string(),
                      to = fs::path(include.name).parent_path().generic_string();
    const bool one_is_in_the_other = (from + "/").starts_with(to + "/") || (to + "/").starts_with(from + "/");
    const auto part = [](const std::string& folder) {
        return folder.substr(0, folder.find('/', folder.find('/') + 1));
    };
    if (!include.quoted || part(from) != part(to) || one_is_in_the_other || file.starts_with("tests/"))
        return;
    ties.try_emplace({from, to}, fmt::format("{}:{} includes {}", file, line, include.name));
}

/// Each pair once, at the place in the folder whose name comes first.
std::vector<std::string> ties_both_ways(const Ties& ties) {
    std::vector<std::string> found;
    for (const auto& [folders_of_tie, place] : ties) {
        const auto& [from, to] = folders_of_tie;
        if (from < to && ties.contains({to, from}))
            found.push_back(fmt::format("{}: {} and {} include each other", place, from, to));
    }
    return found;
}

/// "FILE:LINE includes X: WHAT", or a folder with too many files; empty in a house that is in order.
std::vector<std::string> violations(const fs::path& root) {
    std::vector<std::string> found;
    std::map<std::string, std::size_t> files;
    Ties ties;
    for (const char* folder : folders) {
        if (!fs::is_directory(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".cpp" && extension != ".h" && extension != ".cl") continue;
            const std::string file = fs::relative(entry.path(), root).generic_string();
            std::ifstream stream(entry.path());
            std::size_t lines = 0;
            for (std::string line; std::getline(stream, line);) {
                ++lines;
                const Include include = include_of(line);
                if (include.name.empty()) continue;
                add_tie(ties, file, lines, include);
                if (const std::string what = forbidden(file, include, root); !what.empty())
                    found.push_back(fmt::format("{}:{} includes {}: {}", file, lines, include.name, what));
            }
            ++files[fs::path(file).parent_path().generic_string()];
        }
    }
    for (std::string& tie : ties_both_ways(ties)) found.push_back(std::move(tie));
    for (const auto& [folder, number] : files)
        if (number > max_files_in_a_folder) found.push_back(fmt::format("{} has {} files", folder, number));
    return found;
}

/// A made-up tree in a folder of its own.
class MadeUpTree : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "kernelscope-rules-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        root_ = pattern;
        write("core/base/array.h", "#include <vector>\n");
        write("core/xpcs/problem.h", "#include \"core/base/array.h\"\n");
        write("core/spots/problem.h", "#include \"core/base/array.h\"\n");
        write("gpu/xpcs/variants.cpp", "#include <CL/opencl.hpp>\n#include \"core/xpcs/problem.h\"\n");
        write("ui/xpcs/page.cpp",
              "#include <QWidget>\n#include \"core/xpcs/problem.h\"\n#include \"page.moc\"\n");
    }
    void TearDown() override { fs::remove_all(root_); }
    void write(const std::string& file, const std::string& text) {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text;
    }
    /// The only violation after `line` was added in `file`.
    std::string after(const std::string& file, const std::string& line) {
        write(file, line + "\n");
        const std::vector<std::string> found = violations(root_);
        EXPECT_EQ(found.size(), 1U) << fmt::format("{}", fmt::join(found, "\n"));
        return found.empty() ? "" : found.front();
    }
    fs::path root_;
};

TEST(IncludeRules, hold_in_this_tree) {
    const fs::path root = KERNELSCOPE_SOURCE_DIR;
    ASSERT_TRUE(fs::is_regular_file(root / "core/base/array.h"));
    const std::vector<std::string> found = violations(root);
    EXPECT_TRUE(found.empty()) << fmt::format("{}", fmt::join(found, "\n"));
}

/// Virtual functions that a header declares first; destructors are not counted.
std::size_t virtuals(const fs::path& header) {
    std::ifstream in(header);
    std::size_t count = 0;
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find_first_not_of(' ');
        if (first != std::string::npos && line.compare(first, 8, "virtual ") == 0 &&
            line.compare(first + 8, 1, "~") != 0)
            ++count;
    }
    return count;
}

TEST(IncludeRules, a_page_declares_few_virtual_functions) {
    const fs::path shell = fs::path(KERNELSCOPE_SOURCE_DIR) / "ui/shell";
    for (const auto& [header, maximum] : {std::pair{"page.h", 25U}, std::pair{"analysis_page.h", 20U}}) {
        const std::size_t count = virtuals(shell / header);
        EXPECT_GT(count, 0U) << header;
        EXPECT_LE(count, maximum) << header;
    }
}

TEST_F(MadeUpTree, in_order_has_no_violation) {
    const std::vector<std::string> found = violations(root_);
    EXPECT_TRUE(found.empty()) << fmt::format("{}", fmt::join(found, "\n"));
}
TEST_F(MadeUpTree, core_must_not_include_qt) {
    EXPECT_EQ(after("core/run/x.cpp", "#include <QString>"), "core/run/x.cpp:1 includes QString: Qt");
}
TEST_F(MadeUpTree, core_must_not_include_qt_by_module_and_with_blanks) {
    EXPECT_EQ(after("core/run/x.cpp", "  #  include <QtCore/QString>"),
              "core/run/x.cpp:1 includes QtCore/QString: Qt");
}
TEST_F(MadeUpTree, core_must_not_include_opencl) {
    EXPECT_EQ(after("core/run/x.cpp", "#include <CL/cl.h>"), "core/run/x.cpp:1 includes CL/cl.h: OpenCL");
}
TEST_F(MadeUpTree, core_must_not_include_gpu_or_ui) {
    EXPECT_EQ(after("core/run/x.cpp", "#include \"gpu/xpcs/variants.cpp\""),
              "core/run/x.cpp:1 includes gpu/xpcs/variants.cpp: gpu");
    EXPECT_EQ(after("core/run/x.cpp", "#include \"ui/xpcs/page.cpp\""),
              "core/run/x.cpp:1 includes ui/xpcs/page.cpp: ui");
}
TEST_F(MadeUpTree, ui_must_not_include_opencl_or_gpu) {
    EXPECT_EQ(after("ui/shell/x.cpp", "#include <CL/opencl.hpp>"),
              "ui/shell/x.cpp:1 includes CL/opencl.hpp: OpenCL");
    EXPECT_EQ(after("ui/shell/x.cpp", "#include \"collected_gpu.h\""),
              "ui/shell/x.cpp:1 includes collected_gpu.h: gpu");
}
TEST_F(MadeUpTree, gpu_must_not_include_qt_or_ui) {
    EXPECT_EQ(after("gpu/runtime/x.cpp", "#include <QObject>"), "gpu/runtime/x.cpp:1 includes QObject: Qt");
    EXPECT_EQ(after("gpu/runtime/x.cpp", "#include \"ui/xpcs/page.cpp\""),
              "gpu/runtime/x.cpp:1 includes ui/xpcs/page.cpp: ui");
}
TEST_F(MadeUpTree, an_analysis_must_not_include_another) {
    EXPECT_EQ(after("gpu/xpcs/x.cpp", "#include \"core/spots/problem.h\""),
              "gpu/xpcs/x.cpp:1 includes core/spots/problem.h: another analysis");
}
TEST_F(MadeUpTree, a_project_file_is_included_by_its_folder_path) {
    write("core/run/y.h", "");
    EXPECT_EQ(after("core/run/x.cpp", "#include \"y.h\""),
              "core/run/x.cpp:1 includes y.h: a project file without its folder path");
}
TEST_F(MadeUpTree, the_folders_of_core_have_an_order) {
    write("core/io/csv/csv.h", "");
    write("core/run/run.h", "#include \"core/io/csv/csv.h\"\n");
    EXPECT_EQ(after("core/io/csv/x.cpp", "#include \"core/run/run.h\""),
              "core/io/csv/x.cpp:1 includes core/run/run.h: a folder that comes later");
}
TEST_F(MadeUpTree, what_is_shared_knows_no_analysis) {
    EXPECT_EQ(after("core/run/x.cpp", "#include \"core/xpcs/problem.h\""),
              "core/run/x.cpp:1 includes core/xpcs/problem.h: a folder that comes later");
}
TEST_F(MadeUpTree, subfolders_do_not_include_each_other) {
    write("core/io/csv/csv.h", "#include \"core/io/files/names.h\"\n");
    write("core/io/files/names.h", "");
    write("core/io/csv.h", "#include \"core/io/csv/csv.h\"\n");
    write("core/io/csv/rows.h", "#include \"core/io/csv.h\"\n");  // a folder and one of its own may
    EXPECT_TRUE(violations(root_).empty());
    EXPECT_EQ(
        after("core/io/files/x.cpp", "#include \"core/io/csv/csv.h\""),
        "core/io/csv/csv.h:1 includes core/io/files/names.h: core/io/csv and core/io/files include each "
        "other");
}
TEST_F(MadeUpTree, a_folder_has_at_most_40_files) {
    for (int i = 0; i < 40; ++i) write(fmt::format("gpu/xpcs/lib/k{}.cl", i), "");
    EXPECT_TRUE(violations(root_).empty());
    write("gpu/xpcs/lib/one_more.cl", "");
    EXPECT_EQ(violations(root_), std::vector<std::string>{"gpu/xpcs/lib has 41 files"});
}

}  // namespace
