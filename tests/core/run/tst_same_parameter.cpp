#include <gtest/gtest.h>

#include "core/input/frame_input.h"
#include "core/input/same_parameter.h"

namespace {

using ks::ParameterSpec;

const ParameterSpec& spec_of(const std::vector<ParameterSpec>& all, const std::string& id) {
    return *std::ranges::find(all, id, &ParameterSpec::id);
}

TEST(SameParameter, FramesThatAreLeftOutAreComparedByNumber) {
    const auto all = ks::io::frame_range_parameters();
    const ParameterSpec& leave_out = spec_of(all, "leave_out");
    const auto same = [&](const char* one, const char* other) {
        return ks::io::same_parameter(leave_out, std::string(one), std::string(other));
    };
    EXPECT_TRUE(same("", "none"));
    EXPECT_TRUE(same("  ", "none"));
    EXPECT_TRUE(same("3,4,5", "3-5"));
    EXPECT_TRUE(same("7, 1", "1,7"));
    EXPECT_FALSE(same("3", "none"));
    EXPECT_FALSE(same("3-5", "3-6"));
    EXPECT_FALSE(same("5-3", "3-5"));  // refused
}

TEST(SameParameter, OtherValuesAreComparedAsTheyAre) {
    const auto all = ks::io::frame_range_parameters();
    const ParameterSpec& last = spec_of(all, "last_frame");
    EXPECT_TRUE(ks::io::same_parameter(last, std::int64_t{4}, std::int64_t{4}));
    EXPECT_FALSE(ks::io::same_parameter(last, std::int64_t{4}, ks::ParameterValue()));
}

}  // namespace
