// Every item model of the window is held to Qt's rules by a test of its own, read from the source tree
// itself.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace ks::tests {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> texts_in(const fs::path& folder, const std::string& ending) {
    std::vector<std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ending) texts.push_back(text_of(entry.path()));
    return texts;
}

/// Classes that a header declares as models; those that others are made of are tested by them.
std::vector<std::string> models_in(const std::string& header) {
    static const std::regex model(
        R"(class (\w+) (?:final )?: public (?:QAbstract\w*Model|QSortFilterProxyModel|QStandardItemModel|OrderedTableModel)\b)");
    std::vector<std::string> names;
    for (std::sregex_iterator at(header.begin(), header.end(), model), end; at != end; ++at)
        if (const std::string name = (*at)[1]; name != "OrderedTableModel") names.push_back(name);
    return names;
}

/// Whether a test makes a model of that class and gives it to QAbstractItemModelTester.
bool is_tested(const std::string& name, const std::string& test) {
    if (test.find("QAbstractItemModelTester") == std::string::npos) return false;
    const std::regex made("\\b" + name + R"( (\w+)[;({])");
    for (std::sregex_iterator at(test.begin(), test.end(), made), end; at != end; ++at)
        if (std::regex_search(test, std::regex("Tester \\w+\\(&" + (*at)[1].str() + ",\\s"))) return true;
    return false;
}

}  // namespace

TEST(ItemModels, each_has_a_test_that_holds_it_to_the_rules) {
    const fs::path root = KERNELSCOPE_SOURCE_DIR;
    const std::vector<std::string> tests = texts_in(root / "tests/ui", ".cpp");
    std::vector<std::string> models, untested;
    for (const std::string& header : texts_in(root / "ui", ".h"))
        for (const std::string& name : models_in(header)) {
            models.push_back(name);
            if (std::ranges::none_of(tests, [&](const std::string& test) { return is_tested(name, test); }))
                untested.push_back(name);
        }
    EXPECT_GE(models.size(), 14U) << fmt::format("{}", fmt::join(models, ", "));
    EXPECT_TRUE(untested.empty()) << fmt::format("{}", fmt::join(untested, ", "));
}

TEST(ItemModels, a_model_that_is_only_named_beside_a_tester_is_not_tested) {
    EXPECT_EQ(
        models_in("class One : public QAbstractListModel {\nclass Two final : public OrderedTableModel {"),
        (std::vector<std::string>{"One", "Two"}));
    EXPECT_TRUE(models_in("class View : public QTableView {").empty());
    const std::string test = "One model; Two other(3); QAbstractItemModelTester tester(&model, QtTest);";
    EXPECT_TRUE(is_tested("One", test));
    EXPECT_FALSE(is_tested("Two", test));
}

}  // namespace ks::tests
