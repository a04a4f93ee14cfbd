// Real and reference data: labels that three independent programs agree on, and clusters that an experiment's
// own software found.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/clusters/analysis.h"
#include "core/clusters/result.h"
#include "core/io/csv/csv.h"
#include "tests/core/clusters/cluster_fixture.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::tests;

namespace {

std::shared_ptr<const ClusterProblem> load(const std::string& file, const std::string& layout) {
    Request request;
    request.analysis = "clusters";
    request.inputs["digis"].name = file;
    request.parameters["layout"] = layout;
    Progress progress;
    return std::dynamic_pointer_cast<const ClusterProblem>(
        clusters::make_analyses().front().load(request, progress, nullptr));
}

TEST(ClusterData, an_event_of_phase_1_has_the_labels_of_the_reference) {
    const std::string data = reference_data("digis_phase1.csv");
    std::vector<std::int32_t> expected;
    io::CsvReader in(reference_data("digis_phase1_labels.csv"), {"label"});
    while (in.next()) expected.push_back(static_cast<std::int32_t>(in.integer(0)));
    ASSERT_EQ(expected.size(), 50398U);
    for (const char* layout : {"phase1", "free"}) {
        const auto problem = load(data, layout);
        EXPECT_TRUE(problem->warnings.empty());
        for (const char* variant : {"host.reference", "host.unionfind"})
            EXPECT_TRUE(labels_of(host_run(*problem, variant)) == expected) << variant << ", " << layout;
    }
}

TEST(ClusterData, every_cluster_that_the_experiment_lists_is_found_with_its_box_and_size) {
    const std::string data = reference_data("timepix_sr90_1.46mm.csv");
    const auto problem = load(data, "timepix");
    EXPECT_EQ(problem->digis(), 15508U);
    const ks::Run run = host_run(*problem, "host.unionfind");
    std::map<std::tuple<int, int, int, int, int>, int> ours;
    for (const clusters::Cluster& c : clusters::clusters_of(run.result))
        ++ours[{c.xmin, c.xmax, c.ymin, c.ymax, static_cast<int>(c.size)}];
    io::CsvReader in(reference_data("timepix_sr90_1.46mm_clusters.csv"),
                     {"xmin", "xmax", "ymin", "ymax", "size"});
    std::size_t listed = 0, missing = 0;
    for (; in.next(); ++listed) {
        const auto value = [&in](std::size_t column) { return static_cast<int>(in.integer(column)); };
        // each of ours answers for one of theirs
        missing += --ours[{value(0), value(1), value(2), value(3), value(4)}] < 0 ? 1U : 0U;
    }
    EXPECT_GT(listed, 1000U);
    EXPECT_EQ(missing, 0U);
}

TEST(ClusterData, six_hundred_frames_of_a_timepix_in_one_run) {
    const std::string data = reference_data("timepix_sr90_0.00mm.csv");
    const auto problem = load(data, "timepix");
    EXPECT_EQ(problem->digis(), 269369U);
    EXPECT_TRUE(labels_of(host_run(*problem, "host.unionfind")) == labels_by_definition(*problem));
}

}  // namespace
