// Every OpenCL variant of every exercise on every device: right at sizes that are 1, a multiple of the
// groups, or none, on a second run too; what does not fit is refused with the size that would.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "tests/gpu/variant_problems.h"

using namespace ks;
using namespace ks::tests;

namespace {

/// Those whose input has a size; the others have tests of their own.
std::vector<std::string> exercises() {
    std::vector<std::string> ids;
    for (const Analysis& analysis : engine().registry().analyses())
        if (analysis.info().group == "Basics" &&
            std::ranges::count(analysis.info().parameters, "size", &ParameterSpec::id) > 0)
            ids.push_back(analysis.info().id);
    return ids;
}

ParameterSet of_size(std::int64_t size) {
    return {{"size", size}};
}

class EveryExercise : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryExercise, is_right_at_every_size_twice_in_a_row) {
    const std::string analysis = GetParam();
    // Larger than several groups of every variant; a product's work is the cube of its size.
    const std::int64_t large = analysis == "matmul" ? 260 : 1000;
    for (const std::int64_t size : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{63},
                                    std::int64_t{64}, std::int64_t{65}, large}) {
        const auto problem = made(analysis, of_size(size));
        for (const DeviceInfo& device : engine().devices()) {
            if (device.type == "host") continue;
            for (const Offer& offer : engine().offers(analysis, device)) {
                if (offer.variant.on_host() || offer.variant.by_name_only || !offer.why_not.empty()) continue;
                SCOPED_TRACE(offer.variant.id + " on " + device.name + ", size " + std::to_string(size));
                Request request = request_of(analysis, offer.variant.id, device);
                request.check = CheckMode::full;
                Progress progress;
                const ks::Run first = engine().run(request, problem, progress);
                EXPECT_EQ(first.verdict.state, Verdict::State::pass) << first.verdict.text;
                const ks::Run second = engine().run(request, problem, progress);
                EXPECT_EQ(second.verdict.state, Verdict::State::pass) << second.verdict.text;
                ASSERT_EQ(first.result.datasets.size(), second.result.datasets.size());
                // Atomic functions come in any order, and floats are rounded by it.
                if (offer.variant.id == "atomics") continue;
                for (std::size_t i = 0; i < first.result.datasets.size(); ++i)
                    EXPECT_EQ(first.result.datasets[i].values, second.result.datasets[i].values);
            }
        }
    }
}

TEST_P(EveryExercise, over_the_memory_limit_names_the_size_that_fits) {
    const std::string analysis = GetParam();
    const auto problem = made(analysis, of_size(600));
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const Offer& offer : engine().offers(analysis, device)) {
            if (offer.variant.on_host() || !offer.why_not.empty()) continue;
            Request request = request_of(analysis, offer.variant.id, device);
            request.memory_limit = 1200;
            Progress progress;
            std::size_t fits = 0;
            try {
                engine().run(request, problem, progress);
                ADD_FAILURE() << offer.variant.id << " ran";
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
                const std::string said = error.what(), before = "at most ";
                const std::size_t found = said.find(before);
                ASSERT_NE(found, std::string::npos) << said;
                fits = std::stoul(said.substr(found + before.size()));
            }
            SCOPED_TRACE(offer.variant.id + " on " + device.name + ", size " + std::to_string(fits));
            const auto smaller = made(analysis, of_size(static_cast<std::int64_t>(fits)));
            const ks::Run run = engine().run(request, smaller, progress);
            EXPECT_LE(run.device_bytes_peak, 1200U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Basics, EveryExercise, ::testing::ValuesIn(exercises()),
                         [](const auto& row) { return row.param; });

TEST(VectorAdd, takes_the_group_size_that_is_given_or_says_what_the_device_takes) {
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const Offer& offer : engine().offers("vector_add", device)) {
            if (offer.variant.on_host() || !offer.why_not.empty()) continue;
            SCOPED_TRACE(offer.variant.id + " on " + device.name);
            for (const std::int64_t local : {1, 7, 64}) {
                const auto problem =
                    made("vector_add", {{"size", std::int64_t{1001}}, {"local_size", local}});
                Request request = request_of("vector_add", offer.variant.id, device);
                request.check = CheckMode::full;
                Progress progress;
                EXPECT_EQ(engine().run(request, problem, progress).verdict.state, Verdict::State::pass);
            }
            const auto too_many = made("vector_add", {{"local_size", std::int64_t{65536}}});
            if (device.largest_work_group >= 65536) continue;
            Progress progress;
            try {
                engine().run(request_of("vector_add", offer.variant.id, device), too_many, progress);
                ADD_FAILURE() << "it ran";
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::input);
                EXPECT_NE(std::string(error.what()).find(std::to_string(device.largest_work_group)),
                          std::string::npos)
                    << error.what();
            }
        }
    }
}

TEST(Matmul, strips_of_long_rows_add_up) {
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        const auto problem = made("matmul", of_size(131));
        for (const char* variant : {"row.private", "column.local"}) {
            Request request = request_of("matmul", variant, device);
            request.defines = {{"STRIP", "64"}};
            request.check = CheckMode::full;
            Progress progress;
            const ks::Run run = engine().run(request, problem, progress);
            EXPECT_EQ(run.verdict.state, Verdict::State::pass) << variant << run.verdict.text;
        }
    }
}

TEST(Matmul, tiles_of_every_shape_are_right_beyond_which_a_matrix_ends) {
    using Defines = std::map<std::string, std::string>;
    const std::vector<std::pair<const char*, Defines>> shapes = {
        {"registers", {{"TILE", "32"}, {"ITEM", "8"}, {"DEPTH", "8"}}},
        {"registers", {{"TILE", "128"}, {"ITEM", "8"}, {"DEPTH", "32"}}},
        {"registers.buffered", {{"TILE_M", "64"}, {"DEPTH", "16"}}},
        {"registers.buffered", {{"TILE_N", "64"}}},
        {"panels.cpu", {{"LANES", "8"}, {"ROWS", "14"}, {"VECTORS", "1"}, {"PANELS_A", "1"}}},
        {"panels.cpu", {{"LANES", "4"}, {"DEPTH", "128"}, {"PANELS_A", "4"}, {"PANELS_B", "1"}}},
    };
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const std::int64_t size : {65, 68, 128, 261})
            for (const auto& [variant, defines] : shapes) {
                SCOPED_TRACE(std::string(variant) + " on " + device.name + ", size " + std::to_string(size));
                Request request = request_of("matmul", variant, device);
                request.defines = defines;
                request.check = CheckMode::full;
                Progress progress;
                const ks::Run run = engine().run(request, made("matmul", of_size(size)), progress);
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
            }
    }
}

/// The verdict on a published rung.
Verdict published(const char* variant, const DeviceInfo& device, std::int64_t size) {
    Request request = request_of("matmul", variant, device);
    request.check = CheckMode::full;
    Progress progress;
    return engine().run(request, made("matmul", of_size(size)), progress).verdict;
}

TEST(Matmul, published_rungs_fail_on_a_second_run_and_beyond_the_rows_that_they_have_room_for) {
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const char* variant : {"as_published.accumulate", "as_published.private.sum"})
            for (const std::int64_t size : {1, 64, 100})
                EXPECT_EQ(published(variant, device, size).state, Verdict::State::fail) << variant << size;
        const std::pair<const char*, std::int64_t> rooms[] = {{"as_published.row.private", 1024},
                                                              {"as_published.column.local", 256}};
        for (const auto& [variant, room] : rooms) {
            EXPECT_EQ(published(variant, device, room).state, Verdict::State::pass) << variant;
            EXPECT_EQ(published(variant, device, room + 1).state, Verdict::State::fail) << variant;
        }
    }
}

TEST(Reduce, every_operation_and_type_is_right_and_at_a_size_of_several_launches) {
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const char* operation : {"sum", "min", "max"})
            for (const char* type : {"f32", "u32"})
                for (const std::int64_t size : {1, 65, 1000, 3'000'017}) {
                    const auto problem = made(
                        "reduce",
                        {{"size", size}, {"operation", std::string(operation)}, {"type", std::string(type)}});
                    for (const Offer& offer : engine().offers("reduce", device)) {
                        if (offer.variant.on_host() || !offer.why_not.empty()) continue;
                        SCOPED_TRACE(offer.variant.id + " on " + device.name + ", " + operation + " of " +
                                     type + ", size " + std::to_string(size));
                        Request request = request_of("reduce", offer.variant.id, device);
                        request.check = CheckMode::full;
                        Progress progress;
                        const ks::Run run = engine().run(request, problem, progress);
                        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
                    }
                }
    }
}

TEST(Scan, of_many_blocks_and_of_every_size_of_a_block_is_exact) {
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        const auto problem = made("scan", {{"size", std::int64_t{3'000'017}}});
        for (const auto& [items, group] : {std::pair{"4", "1"}, {"4", "256"}, {"16", "64"}, {"32", "16"}}) {
            if (device.largest_work_group < std::stoul(group)) continue;
            Request request = request_of("scan", "three_passes", device);
            request.defines = {{"ITEMS", items}, {"WG", group}};
            request.check = CheckMode::full;
            Progress progress;
            const ks::Run run = engine().run(request, problem, progress);
            EXPECT_EQ(run.verdict.state, Verdict::State::pass) << items << run.verdict.text;
        }
    }
}

TEST(Map, takes_coefficients_of_any_sign_and_of_very_different_sizes) {
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const auto& [k1, k2] : {std::pair{0.0, 0.0}, {1.0, -1.0}, {1e30, -1e-30}, {-2.5, 1e6}}) {
            const auto problem = made("map", {{"size", std::int64_t{1001}}, {"k1", k1}, {"k2", k2}});
            for (const char* variant : {"seed.scalar", "wide"}) {
                Request request = request_of("map", variant, device);
                request.check = CheckMode::full;
                Progress progress;
                const ks::Run run = engine().run(request, problem, progress);
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << variant << run.verdict.text;
            }
        }
    }
}

}  // namespace
