// The event whose labels three other programs agree on, and the steps that are recorded on the device.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/clusters/trace/trace.h"
#include "tests/gpu/clusters/clusters_device.h"
#include "tests/reference_data.h"

using namespace ks;
using namespace ks::tests;

namespace {

/// Whole numbers of a CSV file, without its header.
std::vector<std::vector<std::int64_t>> numbers_of(const std::string& file) {
    std::vector<std::vector<std::int64_t>> rows;
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stoll(cell));
    }
    return rows;
}

class ReferenceEvent : public ::testing::TestWithParam<const char*> {};

TEST_P(ReferenceEvent, has_its_labels_ten_times_in_a_row) {
    const auto rows = numbers_of(reference_data("digis_phase1.csv")),
               labels = numbers_of(reference_data("digis_phase1_labels.csv"));
    ASSERT_EQ(rows.size(), labels.size());
    DigiTable digis;
    std::vector<std::int32_t> expected;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        digis.module.push_back(static_cast<std::uint32_t>(rows[i][1]));
        digis.x.push_back(static_cast<std::uint16_t>(rows[i][2]));
        digis.y.push_back(static_cast<std::uint16_t>(rows[i][3]));
        digis.adc.push_back(static_cast<std::uint32_t>(rows[i][4]));
        expected.push_back(static_cast<std::int32_t>(labels[i][2]));
    }
    const auto problem = problem_of(std::move(digis), "phase1");
    for (const auto& device : test_devices()) {
        const ks::Run first = run_on(*device, GetParam(), *problem);
        EXPECT_TRUE(labels_of(first) == expected) << GetParam() << " on " << device->info().name;
        for (int again = 1; again < 10; ++again) {
            const ks::Run other = run_on(*device, GetParam(), *problem);
            ASSERT_EQ(other.result.datasets.size(), first.result.datasets.size());
            for (std::size_t i = 0; i < first.result.datasets.size(); ++i)
                EXPECT_TRUE(other.result.datasets[i].values == first.result.datasets[i].values)
                    << first.result.datasets[i].name << ", run " << again;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceEvent, ::testing::ValuesIn(clusters_ids()), name_of_variant);

class RecordedOnDevice : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedOnDevice, steps_equal_those_of_the_host_and_end_in_the_labels) {
    ClusterSettings settings;
    settings.record = 0;
    for (const char* shape : {"spiral", "comb", "random"}) {
        const auto problem = problem_of(events_of("phase1", shape, 1, 1500), "phase1", settings);
        const clusters::TracedModule module = clusters::traced_module(*problem);
        Result host;
        clusters::add_host_traces(host, *problem);
        for (const auto& device : test_devices()) {
            const ks::Run run = run_on(*device, GetParam(), *problem);
            // one of the two algorithms
            const bool labels = run.result.find("trace_labels") != nullptr;
            EXPECT_NE(labels, run.result.find("trace_parents") != nullptr);
            const std::string name = labels ? "trace_labels" : "trace_parents";
            for (const std::string& dataset : {std::string("trace_digis"), std::string("trace_columns"),
                                               std::string("trace_neighbours"), name})
                EXPECT_TRUE(run.result.at(dataset).values == host.at(dataset).values)
                    << dataset << ", " << shape;
            const auto steps = run.result.at(name).values.as<std::int32_t>();
            const auto last = steps.last(module.size());
            const std::vector<std::int32_t> found = labels_of(run);
            for (std::size_t i = 0; i < module.size(); ++i)
                ASSERT_EQ(module.digis[static_cast<std::size_t>(last[i])],
                          found[static_cast<std::size_t>(module.digis[i])])
                    << shape << ", place " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, RecordedOnDevice, ::testing::ValuesIn(clusters_ids()), name_of_variant);

}  // namespace
