// A run by ranks that are threads, each with an engine of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "core/ranks/shared_run.h"
#include "core/run/host_backend.h"
#include "core/run/registry.h"
#include "tests/core/ranks/thread_ranks.h"
#include "tests/reference_data.h"

namespace ks::tests {
namespace {

std::unique_ptr<Engine> host_engine() {
    auto registry = std::make_shared<const Registry>();
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
    return std::make_unique<Engine>(registry, std::move(backends));
}

Request request_of(const std::string& analysis, const std::string& role, const std::string& file) {
    Request request;
    request.analysis = analysis;
    request.device = "host";
    request.inputs[role] = {reference_data(file)};
    return request;
}

struct SharedRun {
    std::optional<Run> run;
    std::vector<RankOutcome> outcomes;
};

SharedRun run_by(std::size_t ranks, const std::function<Request(std::size_t rank)>& request) {
    SharedRun made;
    made.outcomes = on_ranks(ranks, [&](Exchange& exchange, Progress& progress) {
        const std::unique_ptr<Engine> engine = host_engine();
        auto run = run_over_ranks(*engine, exchange, request(exchange.rank()), progress);
        EXPECT_EQ(run.has_value(), exchange.is_first());
        if (run) made.run = std::move(run);
    });
    return made;
}

void expect_same(const Result& one, const Result& other) {
    ASSERT_EQ(one.datasets.size(), other.datasets.size());
    for (std::size_t i = 0; i < one.datasets.size(); ++i) {
        EXPECT_EQ(one.datasets[i].name, other.datasets[i].name);
        EXPECT_TRUE(std::ranges::equal(one.datasets[i].values.bytes(), other.datasets[i].values.bytes()))
            << one.datasets[i].name;
    }
    EXPECT_EQ(one.warnings, other.warnings);
}

TEST(RunOverRanks, gives_the_bytes_of_one_process_and_tells_what_each_rank_did) {
    const Request particles = request_of("particles", "sources", "particles_50.csv"),
                  spots = request_of("spots", "frames", "spots_rotation.h5");
    for (const Request& request : {particles, spots}) {
        Progress progress;
        const ks::Run alone = host_engine()->run(request, progress);
        EXPECT_EQ(ranks_text(alone), "");
        for (const std::size_t ranks : {1, 2, 3, 5}) {
            SCOPED_TRACE(fmt::format("{} by {}", request.analysis, ranks));
            const SharedRun shared = run_by(ranks, [&](std::size_t) { return request; });
            ASSERT_TRUE(shared.run) << shared.outcomes[0]->what();
            expect_same(alone.result, shared.run->result);
            ASSERT_EQ(shared.run->devices.size(), ranks);
            double sum = 0;
            for (std::size_t i = 0; i < ranks; ++i) {
                const DeviceShare& share = shared.run->devices[i];
                EXPECT_EQ(share.rank, i);
                EXPECT_EQ(share.host, fmt::format("node{}", i % 2));
                sum += share.share;
            }
            EXPECT_NEAR(sum, 1, 1e-12);
            EXPECT_TRUE(ranks_text(*shared.run).starts_with(fmt::format("ranks: {} (", ranks)));
        }
    }
}

TEST(RunOverRanks, what_follows_from_the_results_is_added_once) {
    Request request = request_of("xpcs", "frames", "xpcs_rings_u8.h5");
    request.inputs["frames"].name += "::/entry/data/data";
    request.inputs["partition"] = {reference_data("xpcs_rings_u8.h5") + "::/entry/qmask"};
    request.parameters["fit"] = std::string("single");
    request.parameters["stability"] = std::int64_t{4};
    Progress progress;
    const ks::Run alone = host_engine()->run(request, progress);
    ASSERT_NE(alone.result.find("stability_g2"), nullptr);
    // A single rank has all units.
    for (const std::size_t ranks : {1, 3}) {
        SCOPED_TRACE(ranks);
        const SharedRun shared = run_by(ranks, [&](std::size_t) { return request; });
        ASSERT_TRUE(shared.run) << shared.outcomes[0]->what();
        expect_same(alone.result, shared.run->result);
    }
}

TEST(RunOverRanks, stages_of_ranks_are_told_apart_and_the_longest_counts) {
    const Request request = request_of("particles", "sources", "particles_50.csv");
    const SharedRun shared = run_by(3, [&](std::size_t) { return request; });
    ASSERT_TRUE(shared.run);
    std::map<std::uint32_t, std::uint64_t> of_rank;
    std::uint64_t of_all = 0;
    for (const Timing& timing : shared.run->timings)
        if (timing.kind == StageKind::host)
            (timing.device ? of_rank[*timing.device] : of_all) += timing.nanoseconds;
    ASSERT_EQ(of_rank.size(), 3U);
    std::uint64_t longest = 0;
    for (const auto& [rank, nanoseconds] : of_rank) longest = std::max(longest, nanoseconds);
    EXPECT_EQ(total(shared.run->timings, StageKind::host), of_all + longest);
}

TEST(RunOverRanks, a_check_is_that_of_the_whole) {
    Request request = request_of("particles", "sources", "particles_50.csv");
    request.check = CheckMode::full;
    const SharedRun shared = run_by(4, [&](std::size_t) { return request; });
    ASSERT_TRUE(shared.run);
    EXPECT_EQ(shared.run->verdict.state, Verdict::State::pass);
    EXPECT_EQ(shared.run->request.check, CheckMode::full);
}

TEST(RunOverRanks, another_request_at_one_rank_is_refused_at_rank_0) {
    const Request request = request_of("particles", "sources", "particles_50.csv");
    const SharedRun shared = run_by(3, [&](std::size_t rank) {
        Request own = request;
        if (rank == 2) own.parameters["sigma"] = 0.5;
        return own;
    });
    EXPECT_FALSE(shared.run);
    ASSERT_TRUE(shared.outcomes[0]);
    EXPECT_EQ(shared.outcomes[0]->kind(), ErrorKind::input);
    EXPECT_EQ(shared.outcomes[0]->message(),
              "parameters/sigma of the request differs: 0.5 for rank 2 on node0, none for rank 0 on node0");
}

TEST(RunOverRanks, what_cannot_be_shared_out_is_refused) {
    Request request;
    request.analysis = "vector_add";
    request.device = "host";
    const SharedRun shared = run_by(2, [&](std::size_t) { return request; });
    EXPECT_FALSE(shared.run);
    ASSERT_TRUE(shared.outcomes[0]);
    EXPECT_EQ(shared.outcomes[0]->kind(), ErrorKind::input);
    EXPECT_EQ(shared.outcomes[0]->where(), "vector_add");
}

std::vector<DeviceInfo> node(const std::vector<std::string>& types) {
    std::vector<DeviceInfo> all;
    for (const std::string& type : types) {
        DeviceInfo device;
        device.type = type;
        device.name = type + " of a kind";
        device.index = type == "host" ? -1 : static_cast<int>(all.size());
        all.push_back(device);
    }
    return all;
}

TEST(DeviceOfRank, ranks_of_a_node_take_its_gpus_in_turn_where_none_is_named) {
    const auto devices = node({"CPU", "GPU", "GPU", "host"});
    Request request;
    for (const auto& [local, expected] :
         std::vector<std::pair<std::size_t, std::string>>{{0, "1"}, {1, "2"}, {2, "1"}, {3, "2"}})
        EXPECT_EQ(device_of_rank(devices, request, local), expected);
    request.device = "0,2";
    EXPECT_EQ(device_of_rank(devices, request, 0), "0");
    EXPECT_EQ(device_of_rank(devices, request, 1), "2");
    request.device = "host";
    EXPECT_EQ(device_of_rank(devices, request, 1), "host");
}

TEST(DeviceOfRank, without_a_gpu_all_take_the_processor_or_the_host) {
    EXPECT_EQ(device_of_rank(node({"CPU", "host"}), {}, 3), "0");
    EXPECT_EQ(device_of_rank(node({"host"}), {}, 3), "host");
    Request request;
    request.device = "gpu";
    EXPECT_THROW(device_of_rank(node({"CPU", "host"}), request, 0), Error);
}

}  // namespace
}  // namespace ks::tests
