#include <gtest/gtest.h>

#include <string>

#include "core/run/user/condition_value.h"

namespace condition_value_test {

using namespace ks;

/// ONE is 1, SUM is 1 + 2, LOOP is itself, CALL has a value that is not known, DEVICE is not known; other
/// names are undefined.
MacroState state_of(const std::string& name) {
    if (name == "ONE") return {true, "1"};
    if (name == "SUM") return {true, "1 + 2"};
    if (name == "LOOP") return {true, "LOOP"};
    if (name == "CALL") return {true, {}, "it depends on CALL"};
    if (name == "DEVICE") return {.unclear = "it depends on DEVICE"};
    return {};
}

TEST(ConditionValue, numbers_names_and_operators_have_the_values_of_c) {
    struct Case {
        const char* text;
        int value;
    };
    for (const Case& one : {
             Case{"1", 1},
             {"0x10u", 16},
             {"010", 8},
             {"ONE", 1},
             {"NONE", 0},
             {"LOOP", 0},
             {"SUM * 2", 5},
             {"(SUM) * 2", 6},
             {"2 + 3 * 4 - 1", 13},
             {"10 - 4 - 3", 3},
             {"7 / 2 % 2", 1},
             {"1 << 4 | 1", 17},
             {"-1 < 0", 1},
             {"~0 == -1", 1},
             {"!ONE || 6 > 5 && 4 >= 4", 1},
             {"(5 & 3) == 1 && (5 ^ 1) != 5", 1},
             {"defined ONE && !defined(NONE)", 1},
             {"defined ( NONE ) == 0", 1},
             {"defined(CALL)", 1},
         }) {
        const ConditionValue found = condition_value(one.text, state_of);
        ASSERT_TRUE(found.number) << one.text << ": " << found.why_not;
        EXPECT_EQ(*found.number, one.value) << one.text;
    }
}

TEST(ConditionValue, a_side_that_decides_nothing_need_not_be_known) {
    EXPECT_EQ(condition_value("0 && DEVICE", state_of).number, 0);
    EXPECT_EQ(condition_value("DEVICE > 2 || ONE", state_of).number, 1);
    EXPECT_EQ(condition_value("defined(DEVICE)", state_of).why_not, "it depends on DEVICE");
    EXPECT_EQ(condition_value("1 && DEVICE > 2", state_of).why_not, "it depends on DEVICE");
}

TEST(ConditionValue, what_cannot_be_evaluated_has_no_value) {
    for (const char* text : {"", "1 +", "(1", "1)", "1 2", "1 / NONE", "1 ? 2 : 3", "'a'", "1.5", "defined",
                             "-1 < 0u", "1 << 64", "99999999999999999999", "F(1)"}) {
        const ConditionValue found = condition_value(text, state_of);
        EXPECT_FALSE(found.number) << text;
        EXPECT_FALSE(found.why_not.empty()) << text;
    }
    EXPECT_FALSE(condition_value(std::string(100000, '('), state_of).number);
    EXPECT_FALSE(condition_value(std::string(100000, '!') + "1", state_of).number);
}

}  // namespace condition_value_test
