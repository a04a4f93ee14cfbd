// Which parameters of a page decide what is judged.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/judge/judged_choices.h"
#include "core/run/parameter_rows.h"

namespace judged_choices_test {

using namespace ks;
using Words = std::vector<std::string>;

AnalysisInfo info_of(const std::string& id) {
    using namespace parameter;
    AnalysisInfo info;
    info.id = id;
    info.benchmark = {whole("size", "", "", 1000, 1, 1e6, ""),
                      optional_whole("local_size", "", "", "left to the driver", 1, 1024, ""),
                      whole("dimensions", "", "", 2, 1, 3, ""),
                      choice("read_by", "", {"rows", "columns"}, ""),
                      flag("mirrored", "", true, ""),
                      number("shift", "", "", 0, -9, 9, ""),
                      words("window", "", "", "3,3", "")};
    return info;
}

TEST(JudgedChoices, those_of_a_page_that_select_what_a_kernel_does_are_passed_on) {
    const AnalysisInfo info = info_of("vector_add");
    const ParameterSet page{{"size", std::int64_t{70000}},
                            {"local_size", std::int64_t{64}},
                            {"dimensions", std::int64_t{3}},
                            {"read_by", std::string("columns")},
                            {"mirrored", false},
                            {"shift", -1.5},
                            {"window", std::string("-1,2")},
                            {"of_the_page_alone", std::string("x")}};
    EXPECT_EQ(judge_arguments(info, choices_among(info, page)),
              (Words{"--local-size=64", "--dimensions=3", "--read-by=columns", "--no-mirrored",
                     "--shift=-1.5", "--window=-1,2"}));
}

TEST(JudgedChoices, those_that_judge_has_anyway_are_not) {
    const AnalysisInfo info = info_of("vector_add");
    EXPECT_EQ(judge_arguments(info, choices_among(info, defaults(info.benchmark))), Words());
    AnalysisInfo small = info;
    small.small = {{"window", std::string("1,1")}};
    EXPECT_EQ(judge_arguments(small, choices_among(small, defaults(small.benchmark))), Words{"--window=3,3"});
}

TEST(JudgedChoices, a_size_of_groups_that_judge_varies_stays_varied_unless_another_was_chosen) {
    AnalysisInfo info = info_of("synchronise");
    info.benchmark = {parameter::whole("local_size", "", "", 8, 1, 4096, "")};
    EXPECT_EQ(judge_arguments(info, {{"local_size", std::int64_t{8}}}), Words());
    EXPECT_EQ(judge_arguments(info, {{"local_size", std::int64_t{16}}}), Words{"--local-size=16"});
}

TEST(JudgedChoices, one_place_says_which_are_sizes_of_groups) {
    for (const char* id : {"local_size", "local_x", "local_y", "local_z"}) EXPECT_TRUE(is_launch_size(id));
    for (const char* id : {"size", "global_x", "groups"}) EXPECT_FALSE(is_launch_size(id));
}

}  // namespace judged_choices_test
