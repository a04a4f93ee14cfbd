#include "core/spots/parameters.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/spots/analysis.h"

using namespace ks;
using namespace ks::spots;

namespace {

const std::vector<ParameterSpec>& specs() {
    static const AnalysisInfo info = analysis_info();
    return info.parameters;
}

std::string refusal(const ParameterSet& given) {
    try {
        const ParameterSet set = checked(specs(), given);
        thresholds_from(set);
        grouping_from(set);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
        return error.what();
    }
    return "(no error)";
}

}  // namespace

TEST(SpotsParameters, the_defaults_are_those_of_dials) {
    const ParameterSet set = defaults(specs());
    const Thresholds t = thresholds_from(set);
    EXPECT_EQ(t.algorithm, Algorithm::dispersion);
    EXPECT_EQ(t.kernel_x, 3);
    EXPECT_EQ(t.kernel_y, 3);
    EXPECT_EQ(t.sigma_b, 6);
    EXPECT_EQ(t.sigma_s, 3);
    EXPECT_EQ(t.min_local, 2);
    EXPECT_EQ(t.global_threshold, 0);
    EXPECT_EQ(t.gain, 1);
    const Grouping g = grouping_from(set);
    EXPECT_FALSE(g.stills);
    EXPECT_EQ(g.min_size, 3u);
    EXPECT_EQ(g.max_size, 1000u);
    EXPECT_EQ(g.max_separation, 2);
    EXPECT_FALSE(g.d_min);
    EXPECT_FALSE(g.d_max);
    EXPECT_FALSE(g.ice_width);
}

TEST(SpotsParameters, stand_in_the_order_of_the_command_line) {
    const std::vector<std::string> wanted{
        "algorithm",  "sigma_b",    "sigma_s",       "kernel",   "extended_rule",  "min_local", "threshold",
        "gain",       "stills",     "min_size",      "max_size", "max_separation", "d_min",     "d_max",
        "ice_width",  "saturation", "file_mask",     "modules",  "save_signal",    "all_spots", "first_frame",
        "last_frame", "leave_out",  "file_geometry", "swap_xy",  "wavelength",     "distance",  "beam_x",
        "beam_y",     "pixel_size", "pixel_size_y"};
    std::vector<std::string> found;
    for (const ParameterSpec& spec : specs()) found.push_back(spec.id);
    EXPECT_EQ(found, wanted);
}

TEST(SpotsParameters, a_kernel_is_one_half_width_or_two) {
    EXPECT_EQ(kernel_from("4,2").x, 4);
    EXPECT_EQ(kernel_from("4,2").y, 2);
    EXPECT_EQ(kernel_from("5").x, 5);
    EXPECT_EQ(kernel_from("5").y, 5);
    EXPECT_EQ(kernel_from("15,15").y, 15);
    for (const char* text : {"", ",", "3,", ",3", "0,3", "3,0", "16,3", "3,16", "3;3", "3,3,3", "3, 3",
                             "-1,3", "three", "3.5,3", "99999999999,3"}) {
        const std::string why = refusal({{"kernel", std::string(text)}});
        EXPECT_NE(why.find("kernel"), std::string::npos) << text << ": " << why;
        EXPECT_NE(why.find("\"" + std::string(text) + "\""), std::string::npos) << why;
    }
}

TEST(SpotsParameters, what_is_out_of_its_range_is_refused_by_name) {
    const std::vector<std::pair<std::string, ParameterValue>> wrong{{"sigma_b", -0.5},
                                                                    {"sigma_s", -1.0},
                                                                    {"min_local", std::int64_t{1}},
                                                                    {"gain", 0.0},
                                                                    {"gain", -1.0},
                                                                    {"min_size", std::int64_t{0}},
                                                                    {"max_size", std::int64_t{0}},
                                                                    {"max_separation", -1.0},
                                                                    {"d_min", -1.0},
                                                                    {"ice_width", -0.1},
                                                                    {"saturation", -5.0},
                                                                    {"sigma_b", std::nan("")},
                                                                    {"algorithm", std::string("radial")},
                                                                    {"stills", std::string("yes")},
                                                                    {"first_frame", std::int64_t{-1}}};
    for (const auto& [id, value] : wrong) {
        const std::string why = refusal({{id, value}});
        EXPECT_NE(why.find(id), std::string::npos) << id << ": " << why;
        EXPECT_NE(why.find("expected"), std::string::npos) << why;
    }
}

TEST(SpotsParameters, limits_that_exclude_each_other_are_refused) {
    const std::string sizes = refusal({{"min_size", std::int64_t{9}}, {"max_size", std::int64_t{8}}});
    EXPECT_NE(sizes.find("found 9 and 8"), std::string::npos) << sizes;
    const std::string d = refusal({{"d_min", 3.0}, {"d_max", 2.0}});
    EXPECT_NE(d.find("found 3 and 2"), std::string::npos) << d;
    EXPECT_EQ(refusal({{"d_min", 3.0}}), "(no error)") << "without d_max there is no such limit";
}

TEST(SpotsParameters, reach_thresholds_and_grouping) {
    const ParameterSet set = checked(specs(), {{"algorithm", std::string("dispersion_extended")},
                                               {"kernel", std::string("5,4")},
                                               {"sigma_b", 5.5},
                                               {"sigma_s", 2.5},
                                               {"extended_rule", std::string("older")},
                                               {"min_local", std::int64_t{7}},
                                               {"threshold", 11.0},
                                               {"gain", 1.5},
                                               {"stills", true},
                                               {"min_size", std::int64_t{2}},
                                               {"max_size", std::int64_t{77}},
                                               {"max_separation", 4.0},
                                               {"d_min", 1.5},
                                               {"d_max", 20.0},
                                               {"ice_width", 0.004}});
    Thresholds t;
    t.algorithm = Algorithm::dispersion_extended;
    t.kernel_x = 5;
    t.kernel_y = 4;
    t.sigma_b = 5.5;
    t.sigma_s = 2.5;
    t.min_local = 7;
    t.global_threshold = 11;
    t.gain = 1.5;
    t.extended_rule = ExtendedRule::older;
    EXPECT_EQ(thresholds_from(set), t);
    EXPECT_EQ(grouping_from(set), (Grouping{.stills = true,
                                            .min_size = 2,
                                            .max_size = 77,
                                            .max_separation = 4,
                                            .d_min = 1.5,
                                            .d_max = 20,
                                            .ice_width = 0.004}));
}
