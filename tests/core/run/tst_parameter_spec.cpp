#include "core/run/parameter_spec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/run/parameters/unit_text.h"

namespace {

using namespace ks;

std::vector<ParameterSpec> specs() {
    return {{.id = "frames",
             .label = "Frames",
             .unit = "frames",
             .type = ParameterType::integer,
             .default_value = std::int64_t{10},
             .minimum = 1.0,
             .maximum = 100.0},
            {.id = "sigma",
             .label = "Sigma",
             .unit = "",
             .type = ParameterType::real,
             .default_value = 2.5,
             .minimum = 0.0},
            {.id = "stills",
             .label = "Stills",
             .unit = "",
             .type = ParameterType::boolean,
             .default_value = false},
            {.id = "mode",
             .label = "Mode",
             .unit = "",
             .type = ParameterType::choice,
             .default_value = std::string("a"),
             .choices = {"a", "b"}},
            {.id = "note",
             .label = "Note",
             .unit = "",
             .type = ParameterType::text,
             .default_value = std::string()}};
}

std::vector<ParameterSpec> specs_from(const nlohmann::json& json) {
    return from_json<std::vector<ParameterSpec>>(json, "parameters");
}

ParameterSpec last_frame() {
    return {.id = "last_frame",
            .label = "Last frame",
            .unit = "frames",
            .type = ParameterType::integer,
            .default_value = {},
            .minimum = 0.0,
            .help = "Inclusive",
            .absent = "to the last"};
}

std::string message_of(const ParameterSet& given) {
    try {
        checked(specs(), given);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        return error.what();
    }
    return "accepted";
}

TEST(ParameterSpec, WhatIsAbsentTakesItsDefault) {
    const ParameterSet set = checked(specs(), {{"sigma", 4.0}});
    EXPECT_EQ(set.size(), 5U);
    EXPECT_EQ(integer(set, "frames"), 10);
    EXPECT_EQ(real(set, "sigma"), 4.0);
    EXPECT_FALSE(boolean(set, "stills"));
    EXPECT_EQ(text(set, "mode"), "a");
}

TEST(ParameterSpec, AWholeNumberIsAValidReal) {
    EXPECT_EQ(real(checked(specs(), {{"sigma", std::int64_t{3}}}), "sigma"), 3.0);
}

TEST(ParameterSpec, ErrorsNameTheParameterWhatWasExpectedAndWhatWasFound) {
    EXPECT_EQ(message_of({{"frames", std::int64_t{0}}}),
              "parameter frames: expected a whole number from 1 to 100 frames, found 0");
    EXPECT_EQ(message_of({{"frames", 2.0}}),
              "parameter frames: expected a whole number from 1 to 100 frames, found 2");
    EXPECT_EQ(message_of({{"sigma", -1.0}}), "parameter sigma: expected a number of at least 0, found -1");
    EXPECT_EQ(message_of({{"sigma", std::nan("")}}),
              "parameter sigma: expected a number of at least 0, found nan");
    EXPECT_EQ(message_of({{"mode", std::string("c")}}), "parameter mode: expected one of a, b, found \"c\"");
    EXPECT_EQ(message_of({{"stills", std::int64_t{1}}}), "parameter stills: expected true or false, found 1");
    EXPECT_NE(message_of({{"frame", std::int64_t{1}}}).find("parameter frame: there is no such parameter"),
              std::string::npos);
    EXPECT_EQ(message_of({{"frames", std::int64_t{1}}}), "accepted");
    EXPECT_EQ(message_of({{"frames", std::int64_t{100}}}), "accepted");
}

TEST(ParameterSpec, UnitsAreInTheSingularAfterOne) {
    EXPECT_EQ(unit_after(1, "frames"), "frame");
    EXPECT_EQ(unit_after(2, "frames"), "frames");
    EXPECT_EQ(unit_after(0, "frames"), "frames");
    EXPECT_EQ(unit_after(1, "points per decade"), "point per decade");
    EXPECT_EQ(unit_after(1, "counts/photon"), "count/photon");
    for (const char* unit : {"px", "mm", "s", "1/angstrom", "rowship", ""})
        EXPECT_EQ(unit_after(1, unit), unit);
    ParameterSpec stride = specs().front();
    stride.maximum.reset();
    try {
        checked({stride}, {{"frames", std::int64_t{0}}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "parameter frames: expected a whole number of at least 1 frame, found 0");
    }
}

TEST(ParameterSpec, TextIsParsedWholeOrRefused) {
    const auto all = specs();
    EXPECT_EQ(std::get<std::int64_t>(parse_value(all[0], "42")), 42);
    EXPECT_EQ(std::get<std::int64_t>(parse_value(all[0], "+42")), 42);
    EXPECT_EQ(std::get<std::int64_t>(parse_value(all[0], "4.2e1")), 42);
    EXPECT_EQ(std::get<std::int64_t>(parse_value(all[0], "+1e2")), 100);
    EXPECT_EQ(std::get<double>(parse_value(all[1], "1e-3")), 1e-3);
    EXPECT_EQ(std::get<bool>(parse_value(all[2], "yes")), true);
    EXPECT_EQ(std::get<bool>(parse_value(all[2], "0")), false);
    EXPECT_EQ(std::get<std::string>(parse_value(all[3], "b")), "b");
    EXPECT_EQ(std::get<std::string>(parse_value(all[4], "any thing")), "any thing");
    for (const char* bad : {"", "4x", "4.5", "101", "+-4", "+", " 4", "99999999999999999999", "1e3", "1e",
                            "4.25e1", "20.000", "nan", "1e400"})
        EXPECT_THROW(parse_value(all[0], bad), Error) << bad;
    for (const char* bad : {"", "1,5", "-1", "nan", "1e"})
        EXPECT_THROW(parse_value(all[1], bad), Error) << bad;
    EXPECT_THROW(parse_value(all[2], "maybe"), Error);
    EXPECT_THROW(parse_value(all[3], "c"), Error);
}

TEST(ParameterSpec, ToTextAndBackGivesTheSameValue) {
    const auto all = specs();
    for (const double value : {0.1, 3.0, 1e300, 5e-324, 123456789.123456789})
        EXPECT_EQ(std::get<double>(parse_value(all[1], to_text(value))), value);
    EXPECT_EQ(to_text(true), "true");
}

TEST(ParameterSpec, TypedAccessRefusesAnotherType) {
    const ParameterSet set = defaults(specs());
    EXPECT_THROW(integer(set, "sigma"), Error);
    EXPECT_THROW(real(set, "frames"), Error);
    EXPECT_THROW(text(set, "absent"), Error);
}

TEST(ParameterSpec, JsonKeepsTypesAndNumbersThatJsonDoesNotKnow) {
    const double inf = std::numeric_limits<double>::infinity();
    const ParameterSet set{
        {"a", true}, {"b", std::int64_t{-5}},   {"c", 3.0},
        {"d", -inf}, {"e", std::string("nan")}, {"f", std::numeric_limits<std::int64_t>::max()}};
    EXPECT_EQ(parameter_set_from(nlohmann::json::parse(to_json(set).dump())), set);
    const ParameterSet nan =
        parameter_set_from(nlohmann::json::parse(to_json(ParameterSet{{"n", std::nan("")}}).dump()));
    EXPECT_TRUE(std::isnan(real(nan, "n")));
    EXPECT_THROW(parameter_set_from(nlohmann::json::array()), Error);
    EXPECT_THROW(parameter_set_from(nlohmann::json::parse(R"({"a": [1]})")), Error);
}

TEST(ParameterSpec, SpecsSurviveJson) {
    const auto before = specs();
    const auto after = specs_from(nlohmann::json::parse(JsonWriter(nullptr).write(before).dump()));
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(after[i].id, before[i].id);
        EXPECT_EQ(after[i].label, before[i].label);
        EXPECT_EQ(after[i].unit, before[i].unit);
        EXPECT_EQ(after[i].type, before[i].type);
        EXPECT_EQ(after[i].default_value, before[i].default_value);
        EXPECT_EQ(after[i].minimum, before[i].minimum);
        EXPECT_EQ(after[i].maximum, before[i].maximum);
        EXPECT_EQ(after[i].choices, before[i].choices);
    }
    EXPECT_THROW(specs_from(nlohmann::json::parse(R"([{"id": 3}])")), Error);
}

TEST(ParameterSpec, an_absent_value_has_a_word_and_0_is_a_value) {
    const ParameterSpec spec = last_frame();
    EXPECT_FALSE(optional_integer(defaults({spec}), "last_frame"));
    EXPECT_TRUE(is_absent(parse_value(spec, "to the last")));
    EXPECT_TRUE(is_absent(parse_value(spec, "to-the-last")));
    EXPECT_EQ(to_text(spec, {}), "to the last");
    EXPECT_EQ(optional_integer(checked({spec}, {{"last_frame", parse_value(spec, "0")}}), "last_frame"), 0);
    EXPECT_THROW(parse_value(spec, "-1"), Error);
    EXPECT_THROW(parse_value(spec, "off"), Error);
    EXPECT_THROW(integer(defaults({spec}), "last_frame"), Error);
}

TEST(ParameterSpec, a_parameter_that_is_needed_cannot_be_absent) {
    EXPECT_EQ(message_of({{"frames", {}}}),
              "parameter frames: expected a whole number from 1 to 100 frames, found no value");
    EXPECT_EQ(message_of({{"stills", {}}}), "parameter stills: expected true or false, found no value");
}

TEST(ParameterSpec, an_absent_value_is_null_in_json) {
    const ParameterSet set{{"last_frame", {}}, {"first_frame", std::int64_t{0}}};
    EXPECT_EQ(to_json(set).dump(), R"({"first_frame":0,"last_frame":null})");
    EXPECT_EQ(parameter_set_from(to_json(set)), set);
    const auto after = specs_from(JsonWriter(nullptr).write(std::vector{last_frame()}));
    EXPECT_EQ(after.at(0).absent, "to the last");
    EXPECT_FALSE(after.at(0).slider);
    EXPECT_TRUE(is_absent(after.at(0).default_value));
}

TEST(ParameterSpec, what_the_window_shows_of_it_travels_as_json) {
    ParameterSpec spec = specs()[3];
    spec.choice_labels = {"the first", "the second"};
    spec.section = "Thresholds";
    spec.slider = SliderHints{.reach = 30, .step = 0.1, .decimals = 4, .scale = SliderScale::logarithmic};
    const ParameterSpec after = specs_from(JsonWriter(nullptr).write(std::vector{spec})).at(0);
    EXPECT_EQ(after.choice_labels, spec.choice_labels);
    EXPECT_EQ(after.section, "Thresholds");
    EXPECT_EQ(after.slider, spec.slider);
    EXPECT_THROW(slider_scale_from("cubic"), Error);
}

}  // namespace
