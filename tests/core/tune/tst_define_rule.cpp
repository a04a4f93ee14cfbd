#include "core/tune/define_rule.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace {

using namespace ks;

const std::vector<std::string> known{"WG", "ITEMS", "work_group"};

bool holds(const std::string& text, const std::string& group = "8", const std::string& items = "3") {
    return DefineRule(text, known).holds({{"WG", group}, {"ITEMS", items}, {"work_group", "24"}});
}

TEST(DefineRule, binds_as_in_c) {
    EXPECT_TRUE(holds("WG * ITEMS <= work_group"));
    EXPECT_FALSE(holds("WG * ITEMS < work_group"));
    EXPECT_TRUE(holds("2 + 3 * WG == 26"));
    EXPECT_TRUE(holds("(2 + 3) * WG == 40"));
    EXPECT_TRUE(holds("20 - 5 - 5 == 10"));
    EXPECT_TRUE(holds("WG % 3 == 2 && WG / 3 == 2"));
    EXPECT_TRUE(holds("1 == 2 || WG > ITEMS && ITEMS != 4"));
    EXPECT_FALSE(holds("(1 == 2 || WG > ITEMS) && ITEMS == 4"));
    EXPECT_TRUE(holds("WG>=8&&ITEMS<=3"));
}

TEST(DefineRule, names_what_it_depends_on) {
    EXPECT_EQ(DefineRule("WG * WG <= work_group", known).names(),
              (std::vector<std::string>{"WG", "work_group"}));
}

TEST(DefineRule, refuses_what_is_no_rule) {
    for (const char* text : {"", "WG *", "WG 3", "(WG", "WG)", "TILE < 3", "3x < WG",
                             "WG < 99999999999999999999", "$", "WG = 3"})
        EXPECT_THROW(DefineRule(text, known), Error) << text;
    EXPECT_THROW(DefineRule(std::string(1000, '('), known), Error);
}

TEST(DefineRule, refuses_values_that_it_cannot_take) {
    EXPECT_THROW(holds("WG < 3", "auto"), Error);
    EXPECT_THROW(holds("WG / (ITEMS - 3) > 0"), Error);
    EXPECT_THROW(holds("WG * WG > 0", "9223372036854775807"), Error);
}

}  // namespace
