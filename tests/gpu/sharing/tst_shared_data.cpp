#include <gtest/gtest.h>

#include "tests/gpu/sharing/shared_results.h"
#include "tests/reference_data.h"

namespace ks::tests {
namespace {

struct DataCase {
    const char* analysis;
    std::map<std::string, std::string> inputs;  ///< by role, names of files of tests/data
    ParameterSet parameters;
};

std::vector<DataCase> data_cases() {
    const auto word = [](const char* text) { return ParameterValue{std::string(text)}; };
    return {
        {"xpcs",
         {{"frames", "xpcs_rings_u8.h5"}, {"partition", "xpcs_rings_u8.h5::/entry/qmask"}},
         {{"two_time_bin", std::int64_t{3}}}},
        {"spots", {{"frames", "spots_rotation.h5"}}, {}},
        {"spots", {{"frames", "spots_rotation.h5"}}, {{"algorithm", word("dispersion_extended")}}},
        {"spots", {{"frames", "eiger4m_bitshuffle.h5"}}, {}},
        {"clusters", {{"digis", "digis_phase1.csv"}}, {{"layout", word("phase1")}}},
        {"clusters", {{"digis", "timepix_sr90_0.00mm.csv"}}, {{"layout", word("timepix")}}},
        {"clusters", {{"digis", "timepix_sr90_1.46mm.csv"}}, {{"layout", word("timepix")}}},
        {"particles", {{"sources", "particles_50.csv"}}, {{"sigma", 0.3}}},
        {"particles", {{"sources", "particles_50.csv"}}, {{"kernel", word("helmholtz")}}},
    };
}

}  // namespace

class SharedData : public testing::TestWithParam<std::size_t> {};

TEST_P(SharedData, any_number_of_shares_gives_the_bytes_of_one_device) {
    const DataCase one = data_cases()[GetParam()];
    Request request;
    request.analysis = one.analysis;
    request.device = "0";
    request.parameters = one.parameters;
    for (const auto& [role, name] : one.inputs) {
        const std::size_t file_end = name.find("::");
        const std::string inside = file_end == std::string::npos ? "" : name.substr(file_end);
        request.inputs[role].name = reference_data(name.substr(0, file_end)) + inside;
    }
    Progress progress;
    const Result expected = engine().run(request, progress).result;
    for (const char* shares : {"0,0", "0,0,0", "0,0,0,0"}) {
        request.device = shares;
        const ks::Run run = engine().run(request, progress);
        expect_same_bytes(expected, run.result, std::string(one.analysis) + " shared as " + shares);
        double sum = 0;
        for (const DeviceShare& share : run.devices) sum += share.share;
        EXPECT_NEAR(sum, 1, 1e-9);
        // Threads of a busy machine wait to begin and to end.
        EXPECT_GE(covered(run.timings) + std::max<std::uint64_t>(50'000'000, run.wall_nanoseconds / 4),
                  run.wall_nanoseconds)
            << stages_text(run.timings);
    }
}

INSTANTIATE_TEST_SUITE_P(Data, SharedData, testing::Range<std::size_t>(0, data_cases().size()));

}  // namespace ks::tests
