// The kernels under oclgrind, which simulates a device and reports bad accesses, reads of uninitialised
// memory and data races between work-items.

#include <gtest/gtest.h>

#include <algorithm>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "core/run/registry.h"
#include "gpu/runtime/opencl_backend.h"
#include "tests/app/cli_process.h"

namespace {

using ks::tests::read_file;
using ks::tests::TemporaryFolder;

/// What oclgrind logs while the program runs; the program's exit code.
struct Simulated {
    int code;
    std::string log;
};

/// @param options of the program, quoted for a shell @param more options of oclgrind
Simulated simulate(const TemporaryFolder& folder, const std::string& options, const std::string& more = {}) {
    const std::string log = folder / "log";
    const std::string command = "KERNELSCOPE_CACHE='" + (folder / "cache") + "' oclgrind --log '" + log +
                                "' --data-races " + more + " '" + KERNELSCOPE_CLI + "' " + options +
                                " > /dev/null 2>&1";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(log)};
}

bool no_oclgrind() {
    return std::system("command -v oclgrind > /dev/null") != 0;
}

class Oclgrind : public ::testing::Test {
  protected:
    void SetUp() override {
        if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
        ASSERT_EQ(ks::tests::run_cli({"generate", "xpcs", "--frames", "18", "--height", "17", "--width", "19",
                                      "--ring-width", "3", "--out", folder / "small.h5"})
                      .code,
                  0);
    }

    /// Correlates a small stack.
    Simulated run(const std::string& options) {
        const std::string stack = folder / "small.h5";
        return simulate(folder, "xpcs '" + stack + "' --qmask '" + stack +
                                    "::/entry/qmask' --overwrite --out '" + (folder / "run.h5") +
                                    "' --check full --device 0 " + options);
    }

    void expect_clean(const std::string& options) {
        const Simulated simulated = run(options);
        EXPECT_EQ(simulated.code, 0) << options;
        EXPECT_EQ(simulated.log, "") << options;
    }

    TemporaryFolder folder;
};

TEST_F(Oclgrind, gram_tiled_is_clean) {
    expect_clean("--variant gram.tiled --define TILE=16 --define WG=64");
}
TEST_F(Oclgrind, gram_tiled_with_one_item_a_tile_is_clean) {
    expect_clean("--variant gram.tiled --define TILE=16 --define WG=1");
}
TEST_F(Oclgrind, gram_tiled_finished_by_the_host_is_clean) {
    expect_clean("--variant gram.tiled --define TILE=16 --define FP64=0");
}
TEST_F(Oclgrind, gram_tiled_in_pieces_is_clean) {
    expect_clean("--variant gram.tiled --define TILE=16 --memory-limit 40000");
}
TEST_F(Oclgrind, gram_vector_is_clean) {
    expect_clean("--variant gram.vector --define TILE=16 --define WG=64");
}
TEST_F(Oclgrind, seed_naive_is_clean) {
    expect_clean("--variant seed.naive");
}
TEST_F(Oclgrind, seed_ordered_is_clean) {
    expect_clean("--variant seed.ordered --define WG=32");
}

TEST_F(Oclgrind, multitau_band_is_clean) {
    expect_clean("--variant multitau.band --channels 4 --define WG=32 --define VW=1 --define PIECE=256");
    expect_clean("--variant multitau.band --channels 4 --define WG=1 --memory-limit 60000");
}
TEST_F(Oclgrind, fft_stockham_is_clean) {
    // Through memory, and in registers: WG / ITEMS series at a time.
    expect_clean("--variant fft.stockham --define WG=32 --define VW=1");
    expect_clean("--variant fft.stockham --define WG=64 --define VW=1");
    expect_clean("--variant fft.stockham --define WG=1 --define VW=8");
}

TEST_F(Oclgrind, buffers_that_the_host_or_a_kernel_wrote_count_as_written) {
    // global.accumulate reads what a fill wrote, panels.cpu what a kernel before it wrote.
    for (const char* variant : {"global.accumulate", "panels.cpu"}) {
        const Simulated simulated = simulate(
            folder,
            std::string("bench matmul --size 5 --device 0 --repeat 1 --warmup 0 --variants ") + variant,
            "--uninitialized");
        EXPECT_EQ(simulated.code, 0) << variant;
        EXPECT_EQ(simulated.log, "") << variant;
    }
}

TEST_F(Oclgrind, a_kernel_that_writes_past_its_buffer_is_reported) {
    std::ofstream(folder / "bad.cl")
        << "kernel void correlate(global const uchar* frames, global const uint* offsets,\n"
           "    global const uint* pixels, global double* g2, global double* g2_err,\n"
           "    const uint frame_count, const uint frame_pixels) {\n"
           "    g2[1000000 + get_global_id(0)] = 1;\n}\n";
    const Simulated simulated = run("--variant seed.naive --kernel-source '" + (folder / "bad.cl") + "'");
    EXPECT_NE(simulated.log.find("Invalid write"), std::string::npos) << simulated.log;
}

/// Options that make an exercise small, and such that the variant takes it.
std::string small_form(const std::string& analysis, const std::string& variant) {
    if (variant == "read.write") return "--width 19 --height 5 --mirrored --zoom 1";
    static const std::map<std::string, std::string> of_its_own = {
        {"index_space", "--global-x 19 --global-y 3"},
        {"vectors", ""},
        {"printf", "--items 16"},
        {"buffers", "--elements 19 --repeats 1 --no-write-to-read-only"},
        {"copy", "--depth 3 --height 13 --width 19"},
        {"memory_spaces", "--largest 1024 --items 70 --passes 3 --repeats 1"},
        {"images", "--width 19 --height 5"},
        {"atomics", "--items 19 --calls 2 --repeats 1"},
        {"synchronise", "--groups 3 --local-size 7"},
        {"expression", "--x range:19 --y range:19"},
    };
    const auto found = of_its_own.find(analysis);
    return found == of_its_own.end() ? "--size 19" : found->second;
}

TEST(OclgrindOfExercises, every_variant_is_clean_at_a_size_that_no_group_divides) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const TemporaryFolder folder;
    const ks::Registry registry;
    const std::unique_ptr<ks::Backend> backend = ks::gpu::make_opencl_backend();
    std::size_t ran = 0;
    for (const ks::Variant& variant : backend->variants()) {
        if (registry.analysis(variant.analysis).info().group != "Basics" || variant.by_name_only) continue;
        if (std::ranges::count(variant.constraints.extensions, "cl_nv_compiler_options") > 0)
            continue;  // PTX
        const Simulated simulated =
            simulate(folder, variant.analysis + " " + small_form(variant.analysis, variant.id) +
                                 " --check full --device 0 --variant " + variant.id);
        EXPECT_EQ(simulated.code, 0) << variant.id;
        EXPECT_EQ(simulated.log, "") << variant.id;
        ++ran;
    }
    EXPECT_GE(ran, 22U);
}

TEST(OclgrindOfExercises, images_of_every_kind_are_clean) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const TemporaryFolder folder;
    for (const char* options :
         {"--kind 1d --channel-type signed_int32", "--kind 3d --filter linear", "--kind 1d_array",
          "--kind 2d_array --channel-type unsigned_int16", "--transposed", "--channel-type unorm_int8",
          "--kind 3d --define INTO_BUFFER=1", "--kind 1d --define INTO_BUFFER=1",
          "--transposed --define INTO_BUFFER=1"}) {
        const Simulated simulated =
            simulate(folder, std::string("images --width 19 --height 5 --check full --device 0 ") + options);
        EXPECT_EQ(simulated.code, 0) << options;
        EXPECT_EQ(simulated.log, "") << options;
    }
}

}  // namespace
