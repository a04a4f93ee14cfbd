// Launches that are recorded and repeated: on small kernels whose arithmetic tells how often they ran, and on
// the variants of the program.

#include "gpu/runtime/recorded/launch_recorder.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "gpu/runtime/launch_context.h"
#include "tests/gpu/test_devices.h"
#include "tests/gpu/variant_problems.h"

namespace {

using namespace ks;
using gpu::Buffer;
using gpu::LaunchContext;
using gpu::LaunchRecorder;

constexpr std::size_t n = 1000;
constexpr const char* source = R"(
kernel void add(global int* a, int by) { a[get_global_id(0)] += by; }
kernel void twice(global const int* a, global int* b) { b[get_global_id(0)] = 2 * a[get_global_id(0)]; }
)";

/// A run of kernels of that source, recorded.
struct Recording {
    Recording(gpu::DeviceContext& device, const std::function<void(LaunchContext&)>& launches)
        : recorder(device) {
        run.variant.id = "made";
        run.variant.source_file = "made.cl";
        run.variant.source = source;
        Progress progress;
        LaunchContext context(device, run, progress);
        context.record_to(recorder);
        launches(context);
        context.finish();
    }
    /// Why the run cannot be repeated, or was not repeated rightly; empty: it was.
    std::string refusal() {
        try {
            recorder.end("made");
        } catch (const Error& error) {
            return error.what();
        }
        Progress progress;
        times = recorder.repeat(5, progress);
        return recorder.why_not_the_same();
    }
    Run run;
    LaunchRecorder recorder;
    RepeatedLaunches times;
};

void launch(LaunchContext& context, const cl::Kernel& kernel) {
    context.launch("made", kernel, cl::NDRange(n), cl::NullRange, {});
}

std::vector<cl_int> counting() {
    std::vector<cl_int> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<cl_int>(i * i % 97);
    return values;
}

TEST(LaunchRecorder, repeats_launches_with_the_arguments_of_each) {
    for (const auto& device : ks::tests::test_devices()) {
        Buffer sums;
        Recording made(*device, [&](LaunchContext& context) {
            sums = context.buffer(n * sizeof(cl_int));
            context.fill("clear", sums, cl_int{7}, n * sizeof(cl_int));
            cl::Kernel kernel = context.kernel("add", {});
            for (const cl_int by : {1, 10, 100}) {  // one kernel object whose argument changes
                gpu::set_arguments(kernel, sums, by);
                launch(context, kernel);
            }
            EXPECT_EQ(context.downloaded<cl_int>("get", sums, n), std::vector<cl_int>(n, 118));
        });
        EXPECT_EQ(made.refusal(), "");
        EXPECT_EQ(made.recorder.commands(), 4U);
        ASSERT_EQ(made.times.device_nanoseconds.size(), 5U);
        for (const double nanoseconds : made.times.device_nanoseconds) EXPECT_GT(nanoseconds, 0);
        EXPECT_GT(made.times.wall_nanoseconds, 0);
        std::vector<cl_int> left(n);
        device->queue().enqueueReadBuffer(sums.cl(), CL_TRUE, 0, n * sizeof(cl_int), left.data());
        EXPECT_EQ(left, std::vector<cl_int>(n, 118));  // 229 without the fill
    }
}

TEST(LaunchRecorder, keeps_buffers_that_the_run_has_let_go) {
    const std::vector<cl_int> values = counting();
    for (const auto& device : ks::tests::test_devices()) {
        Recording made(*device, [&](LaunchContext& context) {
            const Buffer from = context.uploaded("put", std::span(values));
            const Buffer to = context.buffer(n * sizeof(cl_int));
            cl::Kernel kernel = context.kernel("twice", {});
            gpu::set_arguments(kernel, from, to);
            launch(context, kernel);
            context.downloaded<cl_int>("get", to, n);
        });
        {  // a run in between would take the same buffers
            ks::Run run;
            Progress progress;
            LaunchContext context(*device, run, progress);
            for (int i = 0; i < 4; ++i) context.zeros(n * sizeof(cl_int));
            context.finish();
        }
        EXPECT_EQ(made.refusal(), "");
    }
}

TEST(LaunchRecorder, refuses_kernels_that_work_in_place_on_uploads) {
    const std::vector<cl_int> values = counting();
    for (const auto& device : ks::tests::test_devices()) {
        Recording made(*device, [&](LaunchContext& context) {
            const Buffer sums = context.uploaded("put", std::span(values));
            cl::Kernel kernel = context.kernel("add", {});
            gpu::set_arguments(kernel, sums, cl_int{1});
            launch(context, kernel);
            context.downloaded<cl_int>("get", sums, n);
        });
        EXPECT_NE(made.refusal().find("change what was uploaded"), std::string::npos);
    }
}

TEST(LaunchRecorder, refuses_what_adds_to_what_it_left) {
    for (const auto& device : ks::tests::test_devices()) {
        Recording made(*device, [&](LaunchContext& context) {
            const Buffer sums = context.buffer(n * sizeof(cl_int));  // never filled: a mistake of the variant
            cl::Kernel kernel = context.kernel("add", {});
            gpu::set_arguments(kernel, sums, cl_int{1});
            launch(context, kernel);
            context.downloaded<cl_int>("get", sums, n);
        });
        EXPECT_NE(made.refusal().find("a different result"), std::string::npos);
    }
}

TEST(LaunchRecorder, refuses_pieces_and_commands_that_it_does_not_see) {
    const std::vector<cl_int> values = counting();
    for (const auto& device : ks::tests::test_devices()) {
        Recording pieces(*device, [&](LaunchContext& context) {
            const Buffer from = context.buffer(n * sizeof(cl_int)), to = context.buffer(n * sizeof(cl_int));
            cl::Kernel kernel = context.kernel("twice", {});
            gpu::set_arguments(kernel, from, to);
            for (int i = 0; i < 2; ++i) {
                context.upload("put", from, std::as_bytes(std::span(values)));
                launch(context, kernel);
            }
            context.downloaded<cl_int>("get", to, n);
        });
        EXPECT_NE(pieces.refusal().find("piece by piece"), std::string::npos);
        Recording unseen(*device, [&](LaunchContext& context) {
            const Buffer sums = context.zeros(n * sizeof(cl_int));
            cl::Kernel kernel = context.kernel("add", {});
            gpu::set_arguments(kernel, sums, cl_int{1});
            cl::Event event;
            device->queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n), cl::NullRange,
                                                 nullptr, &event);
            context.track("add", StageKind::kernel, event, {});
            context.downloaded<cl_int>("get", sums, n);
        });
        EXPECT_NE(unseen.refusal().find("its own commands"), std::string::npos);
    }
}

/// The best variant of each analysis on a processor and on a GPU leaves the same result when it is repeated.
TEST(LaunchRecorder, the_best_variants_can_be_repeated) {
    Engine& engine = ks::tests::engine();
    Progress progress;
    for (const DeviceInfo& device : engine.devices()) {
        if (device.type == "host") continue;
        for (const char* analysis : {"xpcs", "spots", "clusters", "particles", "matmul", "scan"}) {
            const auto problem = ks::tests::problems_of(analysis).front().second;
            const Offer best =
                engine.offers(analysis, device, engine.registry().analysis(analysis).traits(*problem))
                    .front();
            SCOPED_TRACE(std::string(analysis) + ", " + best.variant.id + " on " + device.name);
            ASSERT_FALSE(best.variant.on_host());
            Engine::Recorded made =
                engine.record(ks::tests::request_of(analysis, best.variant.id, device), *problem, progress);
            EXPECT_EQ(made.launches->repeat(3, progress).device_nanoseconds.size(), 3U);
            EXPECT_EQ(made.launches->why_not_the_same(), "");
        }
    }
}

}  // namespace
