#include "core/run/registry.h"

#include <gtest/gtest.h>

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
    for (const auto& analysis : registry.analyses()) {
        EXPECT_TRUE(ids.insert(analysis->info().id).second) << "two analyses of one name";
        EXPECT_NO_THROW(defaults(analysis->info().parameters));
        EXPECT_NO_THROW(defaults(analysis->info().generator));
        EXPECT_NO_THROW(defaults(analysis->info().benchmark));
    }
    for (const HostVariant& row : registry.host_variants()) {
        EXPECT_TRUE(row.info.on_host()) << row.info.id;
        EXPECT_TRUE(ids.contains(row.info.analysis)) << row.info.analysis;
        EXPECT_TRUE(variants.insert({row.info.analysis, row.info.id}).second)
            << row.info.id << " is there twice";
        EXPECT_TRUE(static_cast<bool>(row.launch)) << row.info.id;
    }
    for (const auto& analysis : registry.analyses()) {
        const std::string& reference = analysis->info().reference;
        if (reference.starts_with("host.")) {
            EXPECT_TRUE(variants.contains({analysis->info().id, reference})) << reference;
        }
    }
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
