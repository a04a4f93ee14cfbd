#include "core/run/parameters/parameter_names.h"

#include <gtest/gtest.h>

#include "core/run/parameter_rows.h"

namespace {

using namespace ks;

const std::vector<ParameterSpec> parameters{parameter::words("map_expression", "Map", "", "x[i]", "Value"),
                                            parameter::words("leave_out", "Leave out", "", "", "Frames")};

TEST(ParameterNames, a_place_is_named_as_the_user_sees_it) {
    const auto named = [](const char* where) {
        const Error error(ErrorKind::build, "line 1 does not compile", where, "see --leave-out 3", "log");
        const Error field = with_fields(error, parameters), option = with_options(error, parameters);
        EXPECT_EQ(field.kind(), ErrorKind::build);
        EXPECT_EQ(field.message(), "line 1 does not compile");
        EXPECT_EQ(field.hint(), "see \"Leave out\" = 3");
        EXPECT_EQ(option.hint(), "see --leave-out 3");
        EXPECT_EQ(option.details(), "log");
        return std::pair(field.where(), option.where());
    };
    using Places = std::pair<std::string, std::string>;
    EXPECT_EQ(named("map_expression"), Places("Map", "--map-expression"));
    EXPECT_EQ(named("parameter map_expression"), Places("Map", "--map-expression"));
    EXPECT_EQ(named("Run 3 (map.reduce): map_expression"),
              Places("Run 3 (map.reduce): Map", "Run 3 (map.reduce): --map-expression"));
    for (const char* other : {"", "map", "scan.h5::/map_expression", "map_expression: file.h5"})
        EXPECT_EQ(named(other), Places(other, other));
}

TEST(ParameterNames, options_in_a_text_become_fields) {
    EXPECT_EQ(with_fields("give --leave-out, or --leave-out 7; not --leave-outs", parameters),
              "give \"Leave out\", or \"Leave out\" = 7; not --leave-outs");
}

}  // namespace
