// Masks of a correlation as a user calls it: the file's own, one more, none.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace masks_test {

namespace {

using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

constexpr std::size_t frames = 20, height = 12, width = 14;

/// Pixels 20 and 21 hold 65535 in every frame.
std::uint16_t count_at(std::size_t i) {
    const std::size_t pixel = i % (height * width);
    return pixel == 20 || pixel == 21 ? 65535 : static_cast<std::uint16_t>(3 + i * 2654435761U % 7);
}

class Masks : public testing::Test {
  protected:
    Masks() {
        file_ = folder_ / "scan.h5";
        Hdf5Fixture file(file_);
        file.counts("data", {frames, height, width}, count_at);
        file.counts("qmask", {height, width}, [](std::size_t) { return std::uint16_t{1}; });
        file.group("detector");
        file.counts("detector/pixel_mask", {height, width},
                    [](std::size_t i) { return static_cast<std::uint16_t>(i == 20); });
        file.counts("other", {height, width},
                    [](std::size_t i) { return static_cast<std::uint16_t>(i == 21); });
        file.counts("narrow", {height, width - 1}, [](std::size_t) { return std::uint16_t{0}; });
    }
    Outcome xpcs(const Arguments& more) const {
        Arguments all{"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--device", "host"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    nlohmann::json record(Arguments more) const {
        more.push_back("--json");
        const Outcome outcome = xpcs(more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out);
    }
    TemporaryFolder folder_;
    std::string file_;
};

TEST_F(Masks, the_files_own_mask_and_one_more_are_applied_and_counted) {
    const auto own = record({});
    EXPECT_EQ(own.at("facts").at("masked_pixels"), 1);
    EXPECT_EQ(own.at("facts").at("max_count"), 65535);
    ASSERT_EQ(own.at("warnings").size(), 1u);
    EXPECT_NE(own.at("warnings")[0].get<std::string>().find("1 pixel in bins has a count of 65535"),
              std::string::npos);
    const auto both = record({"--mask", file_ + "::/other", "--check", "full"});
    EXPECT_EQ(both.at("facts").at("masked_pixels"), 2);
    EXPECT_EQ(both.at("facts").at("masked_in_bins"), 2);
    EXPECT_EQ(both.at("facts").at("max_count"), 9);
    EXPECT_TRUE(both.at("warnings").empty());
    const auto none = record({"--no-file-mask"});
    EXPECT_EQ(none.at("facts").at("masked_pixels"), 0);
    EXPECT_NE(none.at("warnings")[0].get<std::string>().find("2 pixels in bins"), std::string::npos);
    EXPECT_EQ(record({"--no-file-mask", "--saturation", "65535"}).at("facts").at("saturated_pixels"), 2);
}

TEST_F(Masks, what_is_printed_says_how_many_and_a_mask_of_another_shape_is_refused) {
    const Outcome told = xpcs({"--mask", file_ + "::/other"});
    EXPECT_NE(told.out.find("2 masked pixels (1 by the file's mask, 1 by the input mask), 2 of them in bins"),
              std::string::npos)
        << told.out;
    const Outcome narrow = xpcs({"--mask", file_ + "::/narrow"});
    EXPECT_EQ(narrow.code, 2);
    for (const char* part : {"scan.h5::/narrow", "12 x 14", "12 x 13"})
        EXPECT_NE(narrow.err.find(part), std::string::npos) << narrow.err;
}

TEST_F(Masks, one_that_ignores_most_pixels_and_modules_that_leave_some_out_are_told) {
    const std::string turned = folder_ / "turned.h5";
    {
        Hdf5Fixture file(turned);
        file.counts("mask", {height, width},
                    [](std::size_t i) { return static_cast<std::uint16_t>(i % 34 != 20); });
    }
    const Outcome odd = xpcs({"--mask", turned});
    EXPECT_EQ(odd.code, 0) << odd.err;
    EXPECT_NE(odd.err.find("warning: "), std::string::npos) << odd.err;
    EXPECT_NE(odd.err.find("turned.h5: the mask excludes 163 of 168 pixels (97 %)"), std::string::npos)
        << odd.err;
    const Outcome cut = run_cli({"spots", file_ + "::/data", "--modules", "12,9,0,0", "--device", "host"});
    EXPECT_EQ(cut.code, 0) << cut.err;
    EXPECT_NE(cut.err.find("warning: modules of 12 x 9 pixels do not fill"), std::string::npos) << cut.err;
    const Outcome plain = xpcs({"--saturation", "65535"});
    EXPECT_EQ(plain.err.find("excludes"), std::string::npos) << plain.err;
}

}  // namespace

}  // namespace masks_test
