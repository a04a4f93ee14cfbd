// The table of clusters that the device makes, and the ways of digis to it and of results back, against the
// table that the host makes from the labels of the definition.

#include <gtest/gtest.h>

#include <random>

#include "core/clusters/result.h"
#include "core/io/digis/digi_file.h"
#include "tests/gpu/clusters/clusters_device.h"
#include "tests/reference_data.h"

namespace {

using namespace ks;
using namespace ks::tests;
using gpu::clusters::MakeLabeller;
using gpu::clusters::PipelinePlan;

constexpr std::size_t any_rows = std::size_t{1} << 21;

/// Ways that do not depend on the device.
const std::vector<std::pair<const char*, PipelinePlan>>& plans() {
    static const std::vector<std::pair<const char*, PipelinePlan>> all{
        {"packed, two queues",
         {.packed = true, .table_on_device = true, .divides = true, .overlaps = true, .max_rows = 700}},
        {"columns, one queue", {.table_on_device = true, .divides = true, .max_rows = any_rows}},
        {"sums divided by the host",
         {.packed = true, .table_on_device = true, .divides = false, .overlaps = true, .max_rows = any_rows}},
        {"in many parts and launches",
         {.packed = true,
          .table_on_device = true,
          .divides = true,
          .overlaps = true,
          .max_rows = 500,
          .rows_of_part = 129,
          .rows_of_launch = 300}},
        {"packed, table by the host", {.packed = true, .table_on_device = false, .max_rows = 700}}};
    return all;
}

/// Each dataset byte for byte and each fact of the result that the host makes.
void expect_table(const Result& found, const ClusterProblem& problem, const std::string& what) {
    std::vector<Timing> timings;
    const Result expected = clusters::to_result(
        problem, Array::of<std::int32_t>({problem.digis()}, labels_by_definition(problem)), timings);
    ASSERT_EQ(found.datasets.size(), expected.datasets.size());
    for (const Dataset& column : expected.datasets)
        EXPECT_TRUE(found.at(column.name).values == column.values) << column.name << ", " << what;
    for (const auto& [name, value] : expected.facts.items())
        EXPECT_EQ(found.facts.at(name), value) << name << ", " << what;
}

void expect_tables(const ClusterProblem& problem, const std::string& what) {
    for (const auto& device : test_devices())
        for (const auto& [name, plan] : plans())
            for (int again = 0; again < 2; ++again) {
                const ks::Run run = run_as(*device, plan, problem);
                expect_table(run.result, problem, what + ", " + name);
                if (testing::Test::HasFailure()) return;
            }
}

/// Charges from 0 to `charges` - 1.
DigiTable scattered(std::size_t digis, std::uint32_t modules, unsigned extent, std::uint32_t charges,
                    std::uint32_t events = 1) {
    std::mt19937 random(static_cast<unsigned>(digis) + extent);
    std::vector<Digi> all;
    for (std::size_t i = 0; i < digis; ++i) {
        const bool invalid = random() % 9 == 0;
        all.push_back({invalid ? 9999U : static_cast<std::uint32_t>(random() % modules),
                       static_cast<int>(random() % extent), static_cast<int>(random() % extent),
                       static_cast<std::uint32_t>(random() % charges),
                       static_cast<std::uint32_t>(7 + i * events / digis)});
    }
    return table_of(all, events > 1);
}

ClusterSettings with(Duplicates duplicates, std::vector<std::uint32_t> cuts = {}) {
    ClusterSettings settings;
    settings.duplicates = duplicates;
    settings.charge_cuts = std::move(cuts);
    return settings;
}

TEST(TableOnDevice, has_the_bytes_of_the_hosts_at_all_sizes) {
    for (const std::size_t digis : {1U, 2U, 3U, 63U, 64U, 65U, 255U, 256U, 257U, 1000U, 30000U}) {
        const unsigned extent = digis < 1000 ? 9 : 60;
        for (const Duplicates duplicates : {Duplicates::keep, Duplicates::drop})
            expect_tables(*problem_of(scattered(digis, 5, extent, 1000), "phase1", with(duplicates)),
                          std::to_string(digis) + " digis");
    }
    expect_tables(*problem_of(table_of({}), "phase1"), "no digi");
    expect_tables(*problem_of(table_of({{9999, 4, 5}, {65534, 300, 900}}), "phase1"), "all invalid");
}

TEST(TableOnDevice, is_made_in_every_layout_with_cuts_and_events) {
    for (const char* layout : {"free", "timepix", "phase1", "phase2"}) {
        const std::size_t modules = clusters::layout_named(layout).modules;
        const std::vector<std::uint32_t> cuts(modules == 0 ? 1 : modules, 900);
        for (const std::uint32_t events : {1U, 8U})
            for (const Duplicates duplicates : {Duplicates::keep, Duplicates::drop})
                expect_tables(
                    *problem_of(scattered(4000, 6, 40, 1000, events), layout, with(duplicates, cuts)),
                    layout);
    }
}

TEST(TableOnDevice, clusters_without_charge_weigh_their_pixels_alike) {
    expect_tables(*problem_of(scattered(2000, 3, 30, 1), "phase1"), "no charge at all");
    expect_tables(*problem_of(scattered(2000, 3, 60, 2), "phase1"), "half of the digis without");
}

TEST(TableOnDevice, charges_and_pixels_of_all_their_bits_have_exact_sums) {
    DigiTable digis = scattered(3000, 4, 24, 5);
    for (std::size_t i = 0; i < digis.size(); ++i) {
        digis.x[i] = static_cast<std::uint16_t>(65535 - digis.x[i]);
        digis.adc[i] = 0xffffffffU - digis.adc[i];
    }
    const auto problem = problem_of(digis, "free", with(Duplicates::keep, {4000000000U}));
    EXPECT_GT(problem->shared()->moment_bits(), 53U);
    EXPECT_LE(problem->shared()->moment_bits(), 64U);
    expect_tables(*problem, "sums beyond double");
}

TEST(TableOnDevice, sums_beyond_64_bits_are_left_to_the_host) {
    std::vector<Digi> digis;
    for (int i = 0; i < 66000; ++i) digis.push_back({1, 65535 - i / 256, 65535 - i % 256, 0xffffffffU});
    const auto problem = problem_of(table_of(digis));
    ASSERT_GT(problem->shared()->moment_bits(), 64U);
    const ks::Run run = run_as(*test_devices()[0], plans()[0].second, *problem);
    expect_table(run.result, *problem, "sums beyond 64 bits");
    EXPECT_TRUE(std::ranges::any_of(
        run.timings, [](const Timing& row) { return row.stage == "table" && row.kind == StageKind::host; }));
}

TEST(TableOnDevice, follows_each_way_to_make_labels) {
    const auto problem = problem_of(scattered(5000, 9, 50, 900, 11), "phase1",
                                    with(Duplicates::drop, std::vector<std::uint32_t>(1856, 700)));
    const std::pair<const char*, MakeLabeller> makers[] = {{"sparse.sorted", gpu::clusters::make_grouped},
                                                           {"seed.findclus", gpu::clusters::make_staged},
                                                           {"map.cpu", gpu::clusters::make_mapped}};
    for (const auto& device : test_devices())
        for (const auto& [variant, make] : makers)
            for (const auto& [name, plan] : plans())
                expect_table(run_as(*device, plan, *problem, make, variant).result, *problem,
                             std::string(variant) + ", " + name);
}

TEST(TableOnDevice, grows_where_later_events_have_more_clusters) {
    std::vector<Digi> digis;
    for (std::uint32_t event = 0; event < 6; ++event)
        for (int i = 0; i < 900; ++i) digis.push_back({3, i % 100 * (event < 3 ? 1 : 2), i / 100, 5, event});
    expect_tables(*problem_of(table_of(digis, true), "free", with(Duplicates::keep)), "events unalike");
}

TEST(TableOnDevice, finds_digis_that_are_packed_while_others_are_on_their_way) {
    PipelinePlan plan = plans()[0].second;
    plan.rows_of_part = 70000;  // so many that other threads pack them
    const auto problem = problem_of(scattered(330000, 5, 400, 1000), "phase2", with(Duplicates::drop));
    for (const auto& device : test_devices())
        for (int again = 0; again < 2; ++again)
            expect_table(run_as(*device, plan, *problem).result, *problem, "several parts");
}

TEST(TableOnDevice, is_left_to_the_host_where_there_is_no_room_for_it) {
    const auto problem = problem_of(scattered(20000, 40, 100, 900, 40), "phase1");
    bool on_device = false, on_host = false, refused = false;
    for (std::uint64_t limit = 1 << 10; limit <= 1 << 26; limit *= 2) {
        try {
            const ks::Run run = run_as(*test_devices()[0], plans()[0].second, *problem,
                                       gpu::clusters::make_general, "unionfind.global", limit);
            expect_table(run.result, *problem, std::to_string(limit) + " bytes");
            EXPECT_LE(run.device_bytes_peak, 2 * limit);
            const bool host =
                std::ranges::any_of(run.timings, [](const Timing& row) { return row.stage == "table"; });
            (host ? on_host : on_device) = true;
        } catch (const Error&) {
            refused = true;
        }
    }
    EXPECT_TRUE(on_device);
    EXPECT_TRUE(on_host);
    EXPECT_TRUE(refused);
}

TEST(TableOnDevice, reference_data_have_the_hosts_table) {
    const std::pair<const char*, const char*> files[] = {{"digis_phase1.csv", "phase1"},
                                                         {"timepix_sr90_0.00mm.csv", "timepix"},
                                                         {"timepix_sr90_1.46mm.csv", "timepix"}};
    for (const auto& [file, layout] : files) {
        Progress progress;
        expect_tables(*problem_of(io::read_digis(reference_data(file), {}, progress).digis, layout), file);
    }
}

/// Labels that the kernels of no variant would make.
std::vector<std::int32_t> planted;

class PlantedLabels : public gpu::clusters::Labeller {
  public:
    gpu::clusters::ScratchNeeds needs() const override { return {}; }
    void prepare(gpu::LaunchContext&, const std::vector<gpu::clusters::Chunk>&) override {}
    void enqueue(gpu::LaunchContext& context, const gpu::clusters::Chunk& chunk,
                 const gpu::clusters::DigisOnDevice& digis) override {
        context.upload("planted", digis.labels(),
                       std::as_bytes(std::span(planted).subspan(chunk.first_row, chunk.rows)));
    }
    std::size_t limit() const override { return 0; }
};

std::string refusal_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::run);
        return error.what();
    }
    return {};
}

TEST(TableOnDevice, labels_that_are_none_are_refused_with_the_hosts_sentence) {
    const auto problem = problem_of(
        table_of({{0, 0, 0, 1, 4}, {0, 1, 0, 1, 4}, {1, 0, 0, 1, 4}, {9999, 0, 0, 1, 4}, {0, 0, 0, 1, 5}},
                 true),
        "phase1");
    const std::vector<std::vector<std::int32_t>> wrong{
        {1, 1, 2, -1, 4}, {-3, 0, 2, -1, 4},          {0, 0, 0, -1, 4},          {0, 0, 2, 2, 4},
        {0, 0, 2, 3, 4},  {0, -1, 2, -1, 4},          {0, 0, 2147483647, -1, 4}, {0, -4, 2, -1, 4},
        {0, 0, 2, -1, 0}, {0, 0, 2, -1, -2147483647}, {0, 0, 2, -1, 2147483647}};
    const auto make = [](const ClusterProblem&,
                         gpu::LaunchContext&) -> std::unique_ptr<gpu::clusters::Labeller> {
        return std::make_unique<PlantedLabels>();
    };
    for (const auto& device : test_devices())
        for (const auto& [name, plan] : plans()) {
            PipelinePlan by_event = plan;
            by_event.max_rows = 4;
            planted = {0, 0, 2, -1, 4};
            EXPECT_EQ(refusal_of([&] { run_as(*device, by_event, *problem, make); }), "") << name;
            for (std::size_t i = 0; i < wrong.size(); ++i) {
                planted = wrong[i];
                const std::string by_host = refusal_of([&] {
                    clusters::table_of(*problem, Array::of<std::int32_t>({planted.size()}, planted));
                });
                EXPECT_NE(by_host, "") << i;
                EXPECT_EQ(refusal_of([&] { run_as(*device, by_event, *problem, make); }), by_host)
                    << name << ", labels " << i;
            }
        }
}

}  // namespace
