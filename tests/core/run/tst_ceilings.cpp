#include "core/devices/ceilings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "tests/core/run/own_cache.h"

namespace {

using namespace ks;

Ceilings sample_ceilings() {
    Ceilings ceilings;
    ceilings.device.index = 1;
    ceilings.device.backend = "opencl";
    ceilings.device.platform_name = "Some platform";
    ceilings.device.name = "Fast Graphics 4090";
    ceilings.device.driver = "580.1";
    ceilings.device.compute_units = 132;
    ceilings.started = "2026-01-02T03:04:05Z";
    ceilings.version = "0.1.0";
    ceilings.program_hash = "0123456789abcdef";
    ceilings.values = {{ceiling_ids::copy, "Copy", "B/s", "64 MiB", 134217728, {4e12, 1e12, 3e12, 2e12}},
                       {ceiling_ids::launch, "Launch", "s", "16 launches", 16, {1.25e-6}}};
    return ceilings;
}

TEST(Ceilings, a_value_is_the_median_of_its_samples) {
    const Ceilings ceilings = sample_ceilings();
    EXPECT_DOUBLE_EQ(ceilings.median("copy"), 2.5e12);
    EXPECT_DOUBLE_EQ(ceilings.find("copy")->at_quantile(0.25), 1.75e12);
    EXPECT_DOUBLE_EQ(ceilings.find("copy")->at_quantile(1), 4e12);
    EXPECT_DOUBLE_EQ(ceilings.median("launch"), 1.25e-6);
    EXPECT_EQ(ceilings.find("exp2"), nullptr);
    EXPECT_TRUE(std::isnan(ceilings.median("exp2")));
}

TEST(Ceilings, come_back_from_json_the_same) {
    const Ceilings ceilings = sample_ceilings();
    const nlohmann::json json = to_json(ceilings);
    EXPECT_EQ(json.at("driver"), "580.1");
    EXPECT_EQ(json.at("device").at("compute_units"), 132);
    EXPECT_EQ(json.at("ceilings").at(0).at("samples").size(), 4U);
    EXPECT_EQ(json.at("ceilings").at(0).at("median"), 2.5e12);
    const Ceilings back = ceilings_from(nlohmann::json::parse(json.dump()));
    EXPECT_EQ(to_json(back), json);
    EXPECT_EQ(back.started, ceilings.started);
    EXPECT_EQ(back.values.at(0).samples, ceilings.values.at(0).samples) << "in the order of measuring";
}

TEST(Ceilings, a_median_that_was_written_does_not_overrule_the_samples) {
    nlohmann::json json = to_json(sample_ceilings());
    json["ceilings"][0]["median"] = 1;
    EXPECT_DOUBLE_EQ(ceilings_from(json).median("copy"), 2.5e12);
}

TEST(Ceilings, json_without_sound_samples_is_refused) {
    for (const char* bad : {"[]", "[1e12, -1]", "[0]", "[1e12, \"fast\"]", "[null]", "7"}) {
        nlohmann::json json = to_json(sample_ceilings());
        json["ceilings"][0]["samples"] = nlohmann::json::parse(bad);
        try {
            ceilings_from(json);
            ADD_FAILURE() << bad << " was taken";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::run) << bad;
        }
    }
    nlohmann::json without = to_json(sample_ceilings());
    without.erase("device");
    EXPECT_THROW(ceilings_from(without), Error);
    EXPECT_THROW(ceilings_from(nlohmann::json::parse("[1, 2]")), Error);
}

TEST(KeptCeilings, are_those_of_the_device_with_its_driver) {
    const tests::OwnCache cache;
    const Ceilings ceilings = sample_ceilings();
    EXPECT_FALSE(kept_ceilings(ceilings.device, cache.path()).has_value());
    keep_ceilings(ceilings, cache.path());
    DeviceInfo device = ceilings.device;
    device.index = 0;  // devices came in another order
    const auto kept = kept_ceilings(device, cache.path());
    ASSERT_TRUE(kept.has_value());
    EXPECT_EQ(kept->device.index, 0);
    EXPECT_DOUBLE_EQ(kept->median("copy"), 2.5e12);

    DeviceInfo updated = device, smaller = device;
    updated.driver = "581.0";
    smaller.compute_units = 16;
    for (const DeviceInfo& other : {updated, smaller}) {
        EXPECT_FALSE(kept_ceilings(other, cache.path()).has_value());
        EXPECT_EQ(find_ceilings({*kept}, other), nullptr);
    }
    EXPECT_NE(find_ceilings({*kept}, device), nullptr);

    Ceilings newer = ceilings;
    newer.values[0].samples = {5e12};
    keep_ceilings(newer, cache.path());
    EXPECT_DOUBLE_EQ(kept_ceilings(device, cache.path())->median("copy"), 5e12);
    EXPECT_FALSE(cache.ceilings_file().empty()) << "the newer ones take the place of the older";
}

TEST(KeptCeilings, a_damaged_file_holds_none_and_is_replaced) {
    const tests::OwnCache cache;
    const Ceilings ceilings = sample_ceilings();
    keep_ceilings(ceilings, cache.path());
    const std::filesystem::path file = cache.ceilings_file();
    ASSERT_FALSE(file.empty());
    const std::string whole = to_json(ceilings).dump();
    for (const std::string& text : {std::string(), whole.substr(0, whole.size() / 2), std::string("{}"),
                                    std::string(500, '\xff'), std::string("[[[[")}) {
        std::ofstream(file, std::ios::binary) << text;
        EXPECT_FALSE(kept_ceilings(ceilings.device, cache.path()).has_value()) << text;
    }
    Ceilings other = ceilings;
    other.device.name = "Another device";
    std::ofstream(file, std::ios::binary) << to_json(other).dump();
    EXPECT_FALSE(kept_ceilings(ceilings.device, cache.path()).has_value());
    keep_ceilings(ceilings, cache.path());
    EXPECT_TRUE(kept_ceilings(ceilings.device, cache.path()).has_value());
}

TEST(KeptCeilings, a_folder_that_cannot_be_written_keeps_none) {
    const tests::OwnCache cache;
    const std::filesystem::path file = cache.path() / "a file";
    std::ofstream(file) << "in the way";
    const Ceilings ceilings = sample_ceilings();
    for (const std::filesystem::path& folder : {file, std::filesystem::path()}) {
        keep_ceilings(ceilings, folder);
        EXPECT_FALSE(kept_ceilings(ceilings.device, folder).has_value());
    }
}

}  // namespace
