#include "core/tune/search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.h"

namespace {

using namespace ks;

Variant variant() {
    Variant row;
    row.id = "tiled";
    row.defines = {{"WG", "64", {"32", "64", "128"}, "items"},
                   {"ITEMS", "1", {"1", "2", "4"}, "each"},
                   {"LIMIT", "100", {}, "any number"}};
    row.rules = {"WG * ITEMS <= work_group"};
    return row;
}

DeviceInfo device(std::uint64_t largest) {
    DeviceInfo info;
    info.largest_work_group = largest;
    return info;
}

TEST(TuningSpace, holds_the_allowed_values_that_fulfil_the_rules_of_the_row) {
    const TuningSpace space = space_of(variant(), {}, {}, device(128));
    EXPECT_EQ(space.combinations(), 9U);
    ASSERT_EQ(space.size(), 6U);  // 32: 1 2 4, 64: 1 2, 128: 1
    for (std::size_t i = 0; i < space.size(); ++i) {
        const Defines defines = space.defines(i);
        EXPECT_LE(std::stoi(defines.at("WG")) * std::stoi(defines.at("ITEMS")), 128);
        EXPECT_FALSE(defines.contains("LIMIT"));  // any number: it stays as it is
    }
}

TEST(TuningSpace, takes_given_values_and_further_rules) {
    const TuningSpace space = space_of(variant(), {{"LIMIT", {"10", "20"}}, {"WG", {"64"}}},
                                       {"LIMIT > 10 || ITEMS == 1"}, device(128));
    ASSERT_EQ(space.size(), 3U);  // (1, 10), (1, 20), (2, 20)
    EXPECT_EQ(space.defines(2), (Defines{{"ITEMS", "2"}, {"LIMIT", "20"}, {"WG", "64"}}));
}

TEST(TuningSpace, neighbours_differ_by_one_step_of_one_define) {
    const TuningSpace space = space_of(variant(), {}, {}, device(128));
    const std::size_t middle = space.nearest({{"WG", "64"}, {"ITEMS", "1"}});
    std::vector<Defines> near;
    for (const std::size_t i : space.neighbours(middle)) near.push_back(space.defines(i));
    std::ranges::sort(near);
    EXPECT_EQ(near, (std::vector<Defines>{{{"ITEMS", "1"}, {"WG", "128"}},
                                          {{"ITEMS", "1"}, {"WG", "32"}},
                                          {{"ITEMS", "2"}, {"WG", "64"}}}));
}

TEST(TuningSpace, says_what_is_wrong_in_one_sentence) {
    const auto why = [](const std::map<std::string, std::vector<std::string>>& given,
                        const std::vector<std::string>& rules, std::uint64_t largest) -> std::string {
        try {
            space_of(variant(), given, rules, device(largest));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            return error.what();
        }
        return "accepted";
    };
    EXPECT_NE(why({}, {}, 16).find("none of the 9 combinations"), std::string::npos);
    EXPECT_NE(why({{"TILE", {"1"}}}, {}, 128).find("unknown definition TILE"), std::string::npos);
    EXPECT_NE(why({{"WG", {"48"}}}, {}, 128).find("expected one of"), std::string::npos);
    EXPECT_NE(why({}, {"TILE > 1"}, 128).find("unknown name TILE"), std::string::npos);
    Variant none = variant();
    none.defines.clear();
    none.rules.clear();
    EXPECT_THROW(space_of(none, {}, {}, device(128)), Error);
}

}  // namespace
