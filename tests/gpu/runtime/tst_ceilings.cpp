#include "gpu/runtime/ceilings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/launch_context.h"
#include "tests/gpu/test_devices.h"

namespace {

using namespace ks;
using gpu::DeviceContext;

constexpr std::uint64_t limit = std::uint64_t{64} << 20;

class CeilingsOnDevices : public testing::Test {
  protected:
    void SetUp() override {
        if (tests::test_devices().empty()) GTEST_SKIP() << "no OpenCL device";
    }
};

constexpr const char* of_floats = "-DREAL=float -DV=float -DINT=int -DVI=int -DPOLYNOMIAL=1";

/// A kernel of ceilings.cl for scalars, groups of 4 and 8 chains, 3 reads within 4 vectors each.
cl::Kernel kernel_of(DeviceContext& device, const char* entry_point, const char* type = of_floats) {
    const auto& entry = device.programs().get(
        "ceilings.cl", gpu::kernel_text("gpu/runtime/ceilings.cl"),
        std::string("-cl-std=CL1.2 -DLANES=1 -DWG=4 -DEACH=8 -DCHAINS=8 -DREADS=3 -DWINDOW=4 ") + type);
    return {entry.program, entry_point};
}

template <class... Arguments>
void run(DeviceContext& device, cl::Kernel kernel, std::size_t items, const Arguments&... arguments) {
    gpu::set_arguments(kernel, arguments...);
    device.queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(4));
    device.queue().finish();
}

// What is counted must be done: the chains' ends tell how many steps they went.
TEST_F(CeilingsOnDevices, each_chain_takes_as_many_steps_as_are_counted) {
    struct Expected {
        const char* entry_point;
        int unroll;
        std::function<double(double)> step;
    };
    const double turn = 2 * M_PI;
    const std::vector<Expected> all{
        {"multiply_adds", 16, [](double x) { return 0.75 * x + 0.25; }},
        {"powers", 2, [](double x) { return std::exp2(-x); }},
        {"polynomial_powers", 2, [](double x) { return std::exp2(-x); }},
        {"inverse_roots", 2, [](double x) { return 1 / std::sqrt(x); }},
        {"cosines", 2, [](double x) { return std::cos(x); }},
        {"polynomial_cosines", 2, [turn](double x) { return std::cos(turn * x) + std::sin(turn * x); }}};
    for (const auto& device : tests::test_devices())
        for (const Expected& one : all)
            for (const cl_uint rounds : {0U, 1U, 2U}) {
                // Chain c begins at a + b c, so that the steps show before the fixed point is reached.
                std::vector<float> ends(8);
                const cl::Buffer out(device->context(), CL_MEM_READ_WRITE, sizeof(float) * ends.size());
                run(*device, kernel_of(*device, one.entry_point), ends.size(), out, 0.75F, 0.25F, rounds);
                device->queue().enqueueReadBuffer(out, CL_TRUE, 0, sizeof(float) * ends.size(), ends.data());
                double expected = 0;
                for (int chain = 0; chain < 8; ++chain) {
                    double x = 0.75 + 0.25 * chain;
                    for (cl_uint step = 0; step < rounds * static_cast<cl_uint>(one.unroll); ++step)
                        x = one.step(x);
                    expected += x;
                }
                // The last chain grows errors of float by up to 2 pi sqrt(2) a step.
                for (const float end : ends)
                    EXPECT_NEAR(end, expected, 0.02) << one.entry_point << ", " << rounds << " rounds";
            }
}

TEST_F(CeilingsOnDevices, each_chain_of_integers_takes_as_many_steps_as_are_counted) {
    for (const auto& device : tests::test_devices())
        for (const cl_uint rounds : {0U, 1U, 3U}) {
            std::vector<cl_uint> ends(8);
            const cl::Buffer out(device->context(), CL_MEM_READ_WRITE, sizeof(cl_uint) * ends.size());
            run(*device, kernel_of(*device, "multiply_adds", "-DREAL=uint -DV=uint -DINTEGERS=1"),
                ends.size(), out, cl_uint{3}, cl_uint{1}, rounds);
            device->queue().enqueueReadBuffer(out, CL_TRUE, 0, sizeof(cl_uint) * ends.size(), ends.data());
            cl_uint expected = 0;
            for (cl_uint chain = 0; chain < 8; ++chain) {
                cl_uint x = 3 + chain;
                for (cl_uint step = 0; step < 16 * rounds; ++step) x = x * x + 1;
                expected += x;
            }
            for (const cl_uint end : ends) EXPECT_EQ(end, expected) << rounds << " rounds";
        }
}

/// The sum of what a work-item reads that begins at `first` of the window.
float sum_of_reads(const std::vector<float>& data, cl_uint first, cl_uint rounds, cl_uint step) {
    float sum = 0;
    for (cl_uint k = 1; k <= 4 * rounds; ++k)
        for (std::size_t read = 0; read < 3; ++read) sum += data[(first + k * step) % 4 + 4 * read];
    return sum;
}

TEST_F(CeilingsOnDevices, memory_on_the_chip_is_read_as_often_as_is_counted) {
    constexpr cl_uint rounds = 5, step = 3;
    std::vector<float> data(3 * 4);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(1U << i);
    for (const auto& device : tests::test_devices())
        for (const char* entry_point : {"read_local", "read_private", "read_constant"}) {
            const bool own_place = std::string(entry_point) == "read_local";
            const cl::Buffer in(device->context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                sizeof(float) * data.size(), data.data());
            const auto writes = [&](float never) {
                float written = -1;
                const cl::Buffer out(device->context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     sizeof(float), &written);
                run(*device, kernel_of(*device, entry_point), 4, in, out, rounds, step, never);
                device->queue().enqueueReadBuffer(out, CL_TRUE, 0, sizeof(float), &written);
                return written;
            };
            for (cl_uint item = 0; item < (own_place ? 4U : 1U); ++item) {
                const float sum = sum_of_reads(data, item, rounds, step);
                EXPECT_EQ(writes(sum), sum) << entry_point;
            }
            EXPECT_EQ(writes(1), -1) << entry_point << ": no sum is 1";
        }
}

TEST_F(CeilingsOnDevices, a_copy_moves_what_is_counted_and_nothing_else) {
    for (const auto& device : tests::test_devices()) {
        std::vector<float> from(4 * 8 * 4), to(from.size(), -1);
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
        const std::size_t bytes = sizeof(float) * from.size();
        const cl::Buffer in(device->context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, from.data());
        const cl::Buffer out(device->context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, to.data());
        run(*device, kernel_of(*device, "copy"), 2 * 4, in, out,
            cl_ulong{32});  // the middle two of four groups
        device->queue().enqueueReadBuffer(out, CL_TRUE, 0, bytes, to.data());
        for (std::size_t i = 0; i < to.size(); ++i) EXPECT_EQ(to[i], i >= 32 && i < 96 ? from[i] : -1) << i;
    }
}

TEST_F(CeilingsOnDevices, are_physically_possible_and_within_the_memory_limit) {
    for (const auto& device : tests::test_devices()) {
        Progress progress;
        const Ceilings found = gpu::measure_ceilings(*device, {3, limit}, progress);
        for (const Ceiling& one : found.values) {
            ASSERT_EQ(one.samples.size(), 3U) << one.id;
            for (const double sample : one.samples)
                EXPECT_TRUE(std::isfinite(sample) && sample > 0) << one.id;
            EXPECT_GT(one.amount, 0) << one.id;
            EXPECT_FALSE(one.label.empty() || one.unit.empty() || one.sample.empty()) << one.id;
        }
        EXPECT_EQ(found.find(ceiling_ids::fma_f64) != nullptr, device->info().fp64);
        EXPECT_EQ(found.find(ceiling_ids::fma_f16) != nullptr, device->info().has_extension("cl_khr_fp16"));
        for (const char* id :
             {ceiling_ids::mad_u32, ceiling_ids::local, ceiling_ids::private_array, ceiling_ids::constant})
            EXPECT_GT(found.median(id), 0) << id;
        // Wide: other programs may have the machine during any of them.
        EXPECT_LT(found.median(ceiling_ids::copy), 20 * found.median(ceiling_ids::read));
        EXPECT_LT(found.median(ceiling_ids::exp2), found.median(ceiling_ids::fma_f32));
        EXPECT_LT(found.median(ceiling_ids::rsqrt), found.median(ceiling_ids::fma_f32));
        EXPECT_LT(found.median(ceiling_ids::sin), found.median(ceiling_ids::fma_f32));
        EXPECT_LT(found.median(ceiling_ids::launch), found.median(ceiling_ids::round_trip));
        EXPECT_LE(device->memory()->peak(), limit);
        EXPECT_EQ(device->memory()->held(), 0U) << "nothing stays on the device";
        EXPECT_EQ(found.program_hash.size(), 16U);
    }
}

TEST_F(CeilingsOnDevices, cancel_is_heard_and_the_device_works_on) {
    DeviceContext& device = *tests::test_devices().front();
    Progress* own = nullptr;
    std::vector<std::string> stages;
    Progress progress([&](double, const std::string& stage) {
        stages.push_back(stage);
        if (stages.size() == 3) own->cancel();
    });
    own = &progress;
    try {
        gpu::measure_ceilings(device, {2, limit}, progress);
        ADD_FAILURE() << "it was not cancelled";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
    EXPECT_EQ(stages.size(), 3U) << "nothing begins after it";
    EXPECT_EQ(device.memory()->held(), 0U);
    Progress again;
    EXPECT_GT(gpu::measure_ceilings(device, {1, limit}, again).median(ceiling_ids::exp2), 0);
}

TEST_F(CeilingsOnDevices, too_little_memory_is_refused) {
    Progress progress;
    try {
        gpu::measure_ceilings(*tests::test_devices().front(), {1, 1000}, progress);
        ADD_FAILURE() << "it was measured";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
    }
}

}  // namespace
