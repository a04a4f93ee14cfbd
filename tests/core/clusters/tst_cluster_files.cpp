// Files that a run of clusters writes, and digis that it reads again only where it must.

#include <gtest/gtest.h>

#include <string>

#include "core/clusters/analysis.h"
#include "core/clusters/result.h"
#include "core/io/open_frames.h"
#include "tests/core/clusters/cluster_fixture.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::tests;

namespace {

using ClusterFile = IoTest;

TEST_F(ClusterFile, labels_and_table_as_csv) {
    const auto problem =
        problem_of(table_of({{4, 10, 20, 1}, {9999, 0, 0, 7}, {4, 11, 21, 3}, {5, 1, 1, 1}, {5, 1, 1, 1}}),
                   "phase1", {8, Duplicates::drop, {}});
    const ks::Run run = host_run(*problem, "host.reference");
    clusters::write_run(run, at("labels.csv"), false, quiet);
    clusters::write_table(run, at("table.csv"), false, quiet);
    EXPECT_EQ(read_bytes(at("labels.csv")), "index,module,label\n0,4,0\n1,9999,-1\n2,4,0\n3,5,-2\n4,5,-2\n");
    EXPECT_EQ(read_bytes(at("table.csv")),
              "label,module,size,charge,x,y,xmin,xmax,ymin,ymax\n0,4,2,4,11.25,21.25,10,11,20,21\n");
}

TEST_F(ClusterFile, events_stand_behind_the_other_columns) {
    const ks::Run run =
        host_run(*problem_of(table_of({{4, 1, 1, 2, 8}, {4, 1, 1, 2, 9}}, true)), "host.reference");
    clusters::write_run(run, at("labels.csv"), false, quiet);
    clusters::write_table(run, at("table.csv"), false, quiet);
    EXPECT_EQ(read_bytes(at("labels.csv")), "index,module,label,event\n0,4,0,8\n1,4,1,9\n");
    EXPECT_EQ(read_bytes(at("table.csv")),
              "label,module,size,charge,x,y,xmin,xmax,ymin,ymax,event\n0,4,1,2,1.5,1.5,1,1,1,1,8\n"
              "1,4,1,2,1.5,1.5,1,1,1,1,9\n");
}

TEST_F(ClusterFile, what_is_stopped_leaves_no_file) {
    Progress stopped;
    stopped.cancel();
    const ks::Run run = host_run(*problem_of(table_of({{4, 10, 20, 1}, {4, 11, 21, 3}})), "host.reference");
    for (const char* name : {"labels.csv", "run.h5"})
        EXPECT_THROW(clusters::write_run(run, at(name), false, stopped), Error);
    EXPECT_THROW(clusters::write_table(run, at("table.csv"), false, stopped), Error);
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(ClusterFile, hdf5_holds_the_columns_and_the_run_comes_back) {
    const auto problem = problem_of(events_of("phase1", "random", 20, 500, 2, 10, 10), "phase1");
    const ks::Run run = host_run(*problem, "host.unionfind");
    clusters::write_run(run, at("run.h5"), false, quiet);
    const auto column = [&](const std::string& path) {
        return io::read_array(at("run.h5") + "::" + path, 1).to_doubles();
    };
    EXPECT_EQ(column("/entry/digis/label"), run.result.at("label").values.to_doubles());
    EXPECT_EQ(column("/entry/modules/start"), run.result.at("module_start").values.to_doubles());
    EXPECT_EQ(column("/entry/modules/digis"), run.result.at("module_digis").values.to_doubles());
    EXPECT_EQ(column("/entry/modules/clusters"), run.result.at("module_clusters").values.to_doubles());
    const auto clusters = clusters::clusters_of(run.result);
    const auto modules = column("/entry/clusters/module"), events = column("/entry/clusters/event");
    ASSERT_EQ(modules.size(), clusters.size());
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        EXPECT_EQ(modules[i], static_cast<double>(clusters[i].module));
        EXPECT_EQ(events[i], clusters[i].event);
    }
    const ks::Run back = clusters::read_run(at("run.h5"));
    EXPECT_EQ(clusters::clusters_of(back.result), clusters);
    EXPECT_EQ(back.result.facts, run.result.facts);
}

TEST_F(ClusterFile, other_parameters_do_not_read_the_digis_again) {
    write_bytes(at("digis.csv"), "index,module,x,y,adc\n0,3,1,1,5\n1,3,2,2,5\n");
    const Analysis analysis = clusters::make_analyses().front();
    Request request;
    request.inputs["digis"].name = at("digis.csv");
    Progress progress;
    const auto load = [&](std::shared_ptr<const Problem> previous) {
        return std::dynamic_pointer_cast<const ClusterProblem>(
            analysis.load(request, progress, std::move(previous)));
    };
    const auto first = load(nullptr);
    request.parameters["connectivity"] = std::string("4");
    const auto second = load(first);
    EXPECT_EQ(second->shared(), first->shared());
    EXPECT_EQ(second->connectivity(), 4);
    request.parameters["layout"] = std::string("timepix");
    EXPECT_NE(load(second)->shared(), first->shared());
    write_bytes(at("digis.csv"), "index,module,x,y,adc\n0,3,1,1,5\n");
    EXPECT_EQ(load(second)->digis(), 1U);
}

}  // namespace
