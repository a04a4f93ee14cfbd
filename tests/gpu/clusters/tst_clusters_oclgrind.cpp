// The clusters' kernels under oclgrind, which simulates a device and reports bad accesses and data races
// between work-items: this program calls itself there, once for each variant.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "tests/gpu/clusters/clusters_device.h"

using namespace ks;
using namespace ks::tests;

namespace {

constexpr const char* inside = "KS_UNDER_OCLGRIND";

/// Runs the test below for one variant there; what oclgrind logs.
std::string simulated_log(const std::string& variant) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                         ("clusters_oclgrind_" + variant + "_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = std::string(inside) + "=" + variant + " KERNELSCOPE_CACHE='" +
                                (folder / "cache").string() + "' oclgrind --log '" +
                                (folder / "log").string() + "' --data-races '" + program +
                                "' --gtest_filter=InsideOclgrind.* > /dev/null 2>&1";
    const int status = std::system(command.c_str());
    EXPECT_EQ(status, 0) << command;
    std::stringstream text;
    text << std::ifstream(folder / "log").rdbuf();
    std::filesystem::remove_all(folder);
    return text.str();
}

class ClustersOnOclgrind : public ::testing::TestWithParam<const char*> {};

TEST_P(ClustersOnOclgrind, the_kernels_are_clean) {
    if (std::getenv(inside) != nullptr) GTEST_SKIP() << "is there already";
    if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
    EXPECT_EQ(simulated_log(GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Variants, ClustersOnOclgrind,
                         ::testing::Values("seed.findclus", "propagate.fused", "unionfind.local",
                                           "unionfind.global", "sparse.sorted", "map.cpu"));

TEST(InsideOclgrind, the_variant_makes_the_labels_of_the_definition) {
    const char* variant = std::getenv(inside);
    if (variant == nullptr) GTEST_SKIP() << "runs under oclgrind only";
    ASSERT_FALSE(clusters_devices().empty());
    std::vector<Digi> digis;
    for (std::uint32_t i = 0, random = 1; i < 150; ++i, random = random * 1103515245U + 12345U)
        digis.push_back({i % 4 == 0 ? 9999U : i % 5, static_cast<int>(random >> 20 & 7),
                         static_cast<int>(random >> 26 & 7), 100 + i % 7, i / 75});
    const std::string id = variant;
    Defines defines;
    if (id != "map.cpu") defines = {{"ATOMIC_READS", "1"}, {"WG", "16"}};
    if (id != "map.cpu" && id != "unionfind.global") defines.insert({"LIMIT", "16"});
    if (defines.contains("LIMIT") && id != "seed.findclus")
        defines.insert({{"SMALL", "4"}, {"LARGE_WG", "8"}});
    for (const bool drop : {false, true}) {
        ClusterSettings settings;
        settings.duplicates = drop ? Duplicates::drop : Duplicates::keep;
        settings.charge_cuts.assign(1856, drop ? 150 : 300);
        settings.record = 1;
        expect_definition(id, *problem_of(table_of(digis, true), "phase1", settings),
                          drop ? "dropped" : "kept", defines);
    }
}

}  // namespace
