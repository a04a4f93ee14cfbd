#include "core/run/variant.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/run/build_log.h"
#include "core/wire/wire.h"
#include "tests/core/run/fake_analysis.h"

using namespace ks;

namespace {

Variant picky() {
    Variant variant = fake::variant("picky", 20);
    variant.takes = {
        {"algorithm", "the algorithm", {"plain", "basic"}},
        {"half", "windows whose half-width is", {}, 1, 8},
        {"modules", "modules:", {}, {}, 3},
        {.trait = "precision", .what = "precision", .values = {"f32"}, .without_fp64_only = true}};
    variant.shared_sources = {"gpu/shared.cl"};
    variant.constraints.work_group = 800;
    return variant;
}

TEST(Variant, takes_what_its_conditions_say_and_tells_what_it_found) {
    const Variant variant = picky();
    EXPECT_EQ(why_not(variant, {}, true), "") << "what is not known excludes nothing";
    EXPECT_EQ(why_not(variant, {{"algorithm", std::string("basic")}, {"half", std::int64_t{8}}}, true), "");
    EXPECT_EQ(why_not(variant, {{"algorithm", std::string("extended")}}, true),
              "picky requires the algorithm plain or basic, found extended");
    EXPECT_EQ(why_not(variant, {{"half", std::int64_t{9}}}, true),
              "picky requires windows whose half-width is 1 to 8, found 9");
    EXPECT_EQ(why_not(variant, {{"half", 0.5}}, true),
              "picky requires windows whose half-width is 1 to 8, found 0.5");
    EXPECT_EQ(why_not(variant, {{"modules", std::int64_t{4}}}, true),
              "picky requires modules: at most 3, found 4");
}

TEST(Variant, a_condition_of_double_precision_is_asked_of_devices_without_it) {
    const Traits doubles{{"precision", std::string("f64")}};
    EXPECT_EQ(why_not(picky(), doubles, true), "");
    EXPECT_EQ(why_not(picky(), doubles, false),
              "picky requires precision f32 on a device without double precision, found f64");
}

TEST(Variant, comes_over_the_wire_as_it_is) {
    const Variant back = ks::from_json<ks::Variant>(ks::to_json(picky()), "a variant");
    EXPECT_EQ(back.shared_sources, picky().shared_sources);
    EXPECT_EQ(back.constraints.work_group, 800u);
    ASSERT_EQ(back.takes.size(), 4u);
    EXPECT_EQ(back.takes[0].values, picky().takes[0].values);
    EXPECT_EQ(back.takes[1].minimum, 1);
    EXPECT_EQ(back.takes[1].maximum, 8);
    EXPECT_EQ(back.takes[2].minimum, std::nullopt);
    EXPECT_TRUE(back.takes[3].without_fp64_only);
    EXPECT_EQ(why_not(back, {{"half", std::int64_t{9}}}, true),
              why_not(picky(), {{"half", std::int64_t{9}}}, true));
}

TEST(Variant, one_that_an_older_version_saved_is_read) {
    nlohmann::json old = ks::to_json(fake::variant("plain", 1));
    for (const char* newer : {"takes", "shared_sources", "work_group"})
        ASSERT_EQ(old.erase(newer), 1u) << newer;
    const Variant read = ks::from_json<ks::Variant>(old, "a variant");
    EXPECT_EQ(read.id, "plain");
    EXPECT_TRUE(read.takes.empty());
}

TEST(Programs, have_one_hash_for_texts_and_options_together) {
    const BuildLog one{"a.cl", "-DN=1", "", true, "built", "0000000000000001"};
    BuildLog other_options = one, other_text = one, other_log = one;
    other_options.options = "-DN=2";
    other_text.text_hash = "0000000000000002";
    other_log.log = "a warning";
    EXPECT_EQ(program_hash({}), "");
    EXPECT_EQ(program_hash({one}).size(), 16u);
    EXPECT_EQ(program_hash({one}), program_hash({other_log}));
    EXPECT_NE(program_hash({one}), program_hash({other_options}));
    EXPECT_NE(program_hash({one}), program_hash({other_text}));
    EXPECT_NE(program_hash({one}), program_hash({one, other_text}));
}

}  // namespace
