#include "core/run/registry.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace {

using namespace ks;

TEST(Registry, HoldsTheAnalysesOfTheProgramWithVariantsAndReference) {
    const Registry registry;
    ASSERT_FALSE(registry.analyses().empty());
    EXPECT_EQ(registry.analysis("xpcs").info().id, "xpcs");
    std::set<std::string> ids;
    std::set<std::pair<std::string, std::string>> variants;
    for (const Analysis& analysis : registry.analyses()) {
        EXPECT_TRUE(ids.insert(analysis.info().id).second) << "two analyses of one name";
        EXPECT_NO_THROW(defaults(analysis.info().parameters));
        EXPECT_NO_THROW(defaults(analysis.info().generator));
        EXPECT_NO_THROW(defaults(analysis.info().benchmark));
        EXPECT_TRUE(analysis.has_generator() || analysis.info().generator.empty())
            << "options of a generator that is not there";
        EXPECT_TRUE(analysis.has_benchmark() || analysis.info().benchmark.empty())
            << "sizes of a benchmark that is not there";
    }
    for (const HostVariant& row : registry.host_variants()) {
        EXPECT_TRUE(row.info.on_host()) << row.info.id;
        EXPECT_TRUE(ids.contains(row.info.analysis)) << row.info.analysis;
        EXPECT_TRUE(variants.insert({row.info.analysis, row.info.id}).second)
            << row.info.id << " is there twice";
        EXPECT_TRUE(static_cast<bool>(row.launch)) << row.info.id;
        const std::string& description = row.info.description;
        ASSERT_FALSE(description.empty()) << row.info.id;
        EXPECT_TRUE(std::isupper(static_cast<unsigned char>(description.front())) != 0 &&
                    description.ends_with('.'))
            << row.info.id << ": expected a sentence, found " << description;
    }
    for (const Analysis& analysis : registry.analyses()) {
        const std::string& reference = analysis.info().reference;
        if (reference.starts_with("host.")) {
            EXPECT_TRUE(variants.contains({analysis.info().id, reference})) << reference;
        }
    }
}

TEST(Registry, WhatARunWasAskedForIsSaidInAFewWords) {
    const Registry registry;
    const auto said = [&](const char* analysis, const ParameterSet& given, const char* partition = "") {
        ks::Run run;
        run.request.parameters = checked(registry.analysis(analysis).info().parameters, given);
        if (*partition != 0) run.request.inputs["partition"] = {partition, {}};
        if (*partition != 0) run.result.facts = {{"bins", 8}, {"empty_bins", 2}};
        return registry.analysis(analysis).setup_text(run);
    };
    EXPECT_EQ(said("xpcs", {}, "rings:10,10,2,3,8"), "8 rings, 2 empty");
    EXPECT_EQ(said("xpcs", {}, "labels.h5"), "8 bins, 2 empty");
    EXPECT_EQ(said("spots", {{"gain", 4.0}}), "gain 4, sigma 6/3");
    EXPECT_EQ(said("spots", {{"kernel", std::string("5,2")}, {"threshold", 20.0}}),
              "gain 1, sigma 6/3, window 5,2, above 20");
    EXPECT_EQ(said("clusters", {{"charge_cut", std::string("4000")}}), "free, 8 neighbours, cut 4000");
    EXPECT_EQ(said("particles", {}), "rbf, width 0.1");
    for (const Analysis& analysis : registry.analyses()) EXPECT_NO_THROW(analysis.setup_text(ks::Run{}));
}

TEST(Registry, AnUnknownAnalysisIsRefusedWithTheKnownOnes) {
    try {
        Registry().analysis("xcps");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_NE(std::string(error.what()).find("xpcs"), std::string::npos) << error.what();
    }
}

}  // namespace
