// Kernels of the user's own in the place of shipped ones of matmul: a launch is one, and what stands in the
// text is what is compiled.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/run/engine.h"
#include "core/run/host_backend.h"
#include "core/run/user/shown_variant.h"
#include "gpu/runtime/opencl_backend.h"
#include "tests/core/run/own_cache.h"
#include "tests/core/run/user/own_variants.h"

namespace own_matmul_test {

using namespace ks;

/// Blocks of 16 x 16 by the numbers of groups, as people write it; the range may end within a block.
const std::string by_groups = R"(
kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {
    local float of_a[16][16], of_b[16][16];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint column = get_group_id(0) * 16 + x, row = get_group_id(1) * 16 + y;
    float sum = 0;
    for (uint from = 0; from < n; from += 16) {
        of_a[y][x] = row < n && from + x < n ? a[row * n + from + x] : 0;
        of_b[y][x] = from + y < n && column < n ? b[(from + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; ++k) sum += of_a[y][k] * of_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n) c[row * n + column] = sum;
}
)";

class OwnMatmul : public testing::Test {
  protected:
    void SetUp() override {
        registry = std::make_shared<const Registry>();
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(gpu::make_opencl_backend());
        backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
        engine = std::make_unique<Engine>(registry, std::move(backends), own.path());
        if (engine->devices().front().type == "host") GTEST_SKIP() << "no OpenCL device";
    }
    void write(const std::string& base, const std::string& text, const std::string& more = {}) {
        own.write("matmul/mine.cl", "// kernelscope variant\n// base: " + base + "\n" + more + "\n" + text);
    }
    Request request(std::int64_t size) const {
        Request request;
        request.analysis = "matmul";
        request.variant = "user.mine";
        request.device = "0";
        request.parameters["size"] = size;
        request.check = CheckMode::full;
        return request;
    }
    ks::Run run(std::int64_t size, const std::map<std::string, std::string>& defines = {}) {
        Request wanted = request(size);
        wanted.defines = defines;
        return engine->run(wanted, progress);
    }
    static std::uint64_t launches(const ks::Run& run) {
        for (const Timing& row : run.timings)
            if (row.stage == "multiply") return row.launches;
        return 0;
    }
    /// The shipped text of `registers` with other values in its lines.
    std::string registers(const std::vector<std::pair<std::string, std::string>>& lines) const {
        std::string text = engine->kernel_files().at("gpu/basics/matmul/registers.cl");
        for (const auto& [from, to] : lines) {
            const std::size_t at = text.find(from);
            EXPECT_NE(at, std::string::npos) << from;
            text.replace(at, from.size(), to);
        }
        return text;
    }

    tests::OwnCache cache;
    tests::OwnVariants own;
    std::shared_ptr<const Registry> registry;
    std::unique_ptr<Engine> engine;
    Progress progress;
};

TEST_F(OwnMatmul, a_kernel_that_asks_for_its_group_is_right_at_every_size) {
    write("blocks.16", by_groups);
    for (const std::int64_t size : {128, 256, 512, 1000}) {
        const ks::Run made = run(size);
        EXPECT_EQ(made.verdict.state, Verdict::State::pass) << size << ": " << made.verdict.text;
        EXPECT_EQ(launches(made), 1U) << size;
    }
}

TEST_F(OwnMatmul, a_kernel_source_in_the_place_of_a_shipped_one_is_one_launch) {
    Request wanted = request(512);
    wanted.variant = "blocks.16";
    wanted.kernel_source = by_groups;
    wanted.kernel_file = "/k/mine.cl";
    const ks::Run made = engine->run(wanted, progress);
    EXPECT_EQ(made.verdict.state, Verdict::State::pass) << made.verdict.text;
    EXPECT_EQ(launches(made), 1U);
}

TEST_F(OwnMatmul, a_header_may_allow_pieces) {
    const std::string text = engine->kernel_files().at("gpu/basics/matmul/blocks_16.cl");
    write("blocks.16", text, "// pieces: yes\n");
    const ks::Run made = run(1000);
    EXPECT_EQ(made.verdict.state, Verdict::State::pass) << made.verdict.text;
    // a GPU is fast enough for one piece
    if (made.device.type == "CPU") {
        EXPECT_GT(launches(made), 1U);
    }
    write("blocks.16", text, "// pieces: maybe\n");
    try {
        run(16);
        ADD_FAILURE() << "taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what())
                      .find("expected \"pieces: yes\" or \"pieces: no\", found \"pieces: maybe\""),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(OwnMatmul, what_a_copy_says_is_what_is_compiled_and_how_it_is_launched) {
    write("registers",
          registers({{"#define TILE 64", "#define TILE 32"}, {"#define DEPTH 16", "#define DEPTH 8"}}));
    const ks::Run guarded = run(100);
    EXPECT_EQ(guarded.verdict.state, Verdict::State::pass) << guarded.verdict.text;
    EXPECT_EQ(compiled_defines(guarded).at("TILE"), "32");
    EXPECT_EQ(compiled_defines(guarded).at("DEPTH"), "8");

    write("registers", registers({{"#ifndef TILE\n#define TILE 64\n#endif", "#define TILE (32u) // rows"}}));
    const ks::Run without_guard = run(100);
    EXPECT_EQ(without_guard.verdict.state, Verdict::State::pass) << without_guard.verdict.text;
    EXPECT_EQ(compiled_defines(without_guard).at("TILE"), "32");
    EXPECT_TRUE(without_guard.result.warnings.empty());
}

TEST_F(OwnMatmul, a_define_within_conditions_sets_the_value_of_the_launch) {
    const std::string tile = "#ifndef TILE\n#define TILE 64\n#endif";
    for (const char* lines :
         {"#ifdef USE_LARGE\n#define TILE 128\n#else\n#define TILE 32\n#endif",
          "#if 1\n#undef TILE\n#define TILE 32\n#endif",
          "#ifndef TILE\n#if 1\n#define TILE 32\n#else\n#define TILE 128\n#endif\n#endif"}) {
        write("registers", registers({{tile, lines}}));
        const ks::Run made = run(100);
        EXPECT_EQ(made.verdict.state, Verdict::State::pass) << lines << made.verdict.text;
        EXPECT_EQ(compiled_defines(made).at("TILE"), "32") << lines;
        EXPECT_TRUE(made.result.warnings.empty()) << lines;
    }
}

TEST_F(OwnMatmul, a_define_whose_condition_only_the_compiler_knows_is_refused_unless_its_value_is_given) {
    const std::string tile = "#ifndef TILE\n#define TILE 64\n#endif";
    write("registers",
          registers({{tile, "#ifdef __ENDIAN_LITTLE__\n#define TILE 32\n#else\n#define TILE 64\n#endif"}}));
    try {
        run(100);
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_NE(error.message().find("define TILE"), std::string::npos) << error.message();
        EXPECT_NE(error.message().find("__ENDIAN_LITTLE__"), std::string::npos) << error.message();
        EXPECT_NE(error.where().find("mine.cl:"), std::string::npos) << error.where();
    }
    const ks::Run given = run(100, {{"TILE", "128"}});
    EXPECT_EQ(given.verdict.state, Verdict::State::pass) << given.verdict.text;
    EXPECT_EQ(compiled_defines(given).at("TILE"), "128");
}

TEST_F(OwnMatmul, a_define_that_depends_on_a_macro_of_a_built_in_file_is_refused) {
    const std::string file = "#include \"gpu/basics/matmul/fours.cl\"\n";
    write("registers", registers({{file, ""},
                                  {"#ifndef TILE\n#define TILE 64\n#endif",
                                   file + "#ifdef EDGES\n#define TILE 32\n#else\n#define TILE 64\n#endif"}}));
    try {
        run(100);
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_NE(error.message().find("the compiler may read 32 here, but the kernel is launched with 64"),
                  std::string::npos)
            << error.message();
        EXPECT_NE(error.where().find("mine.cl:"), std::string::npos) << error.where();
    }
}

TEST_F(OwnMatmul, what_is_given_wins_over_the_text_and_is_said) {
    for (const char* line : {"#define TILE 32", "#ifndef TILE\n#define TILE 32\n#endif"}) {
        write("registers", registers({{"#ifndef TILE\n#define TILE 64\n#endif", line}}));
        const ks::Run made = run(100, {{"TILE", "128"}});
        EXPECT_EQ(made.verdict.state, Verdict::State::pass) << made.verdict.text;
        EXPECT_EQ(compiled_defines(made).at("TILE"), "128");
        ASSERT_EQ(made.result.warnings.size(), 1U);
        EXPECT_NE(made.result.warnings[0].find("TILE is 128"), std::string::npos) << made.result.warnings[0];
        EXPECT_NE(made.result.warnings[0].find("mine.cl:"), std::string::npos) << made.result.warnings[0];
    }
}

TEST_F(OwnMatmul, a_value_that_the_launch_does_not_take_is_refused_with_its_line) {
    write("registers", "// first\n" + registers({{"#define TILE 64", "#define TILE 48"}}));
    try {
        run(100);
        ADD_FAILURE() << "taken";
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("define TILE: expected one of 32, 64, 128, found \"48\""),
                  std::string::npos)
            << error.message();
        EXPECT_NE(error.where().find("mine.cl:12"), std::string::npos) << error.where();
    }
}

TEST_F(OwnMatmul, a_value_that_the_launch_does_not_take_is_refused_with_the_line_of_the_header) {
    write("registers", registers({}), "// define: TILE=48\n");
    try {
        run(100);
        ADD_FAILURE() << "taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.message(), "define TILE: expected one of 32, 64, 128, found \"48\"");
        EXPECT_TRUE(error.where().ends_with("mine.cl:3")) << error.where();
        EXPECT_EQ(error.hint().find("usable variants"), std::string::npos) << error.hint();
    }
}

}  // namespace own_matmul_test
