// Every row of gpu/runtime/quirks.cpp has a probe: a small program that shows the fault. Where a driver named
// by the row behaves as it should, the work-around is no longer needed, and the test says so and fails.
// Probes run in a process of their own, which some faults end.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>

#include "core/base/stopwatch.h"
#include "core/io/files/temporary_folder.h"
#include "gpu/runtime/device_query.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/output/captured_output.h"
#include "gpu/runtime/output/quiet_build.h"
#include "gpu/runtime/quirks.h"
#include "tests/core/particles/treecode_points.h"
#include "tests/gpu/particles/particles_device.h"

namespace quirks_test {
namespace {

using namespace ks;
using gpu::FoundDevice;
using gpu::Quirk;

constexpr const char* chosen = "KS_QUIRK";
enum Outcome { behaves = 0, no_such_driver = 5, shows_the_fault = 6 };

/// A program on the device of a probe. Its kernels read 0, 1, 2... and write as many numbers.
class Probed {
  public:
    Probed(const FoundDevice& found, const std::string& text, const std::string& options = "")
        : found_(found), context_(found.device), queue_(context_, found.device), program_(context_, text) {
        program_.build(found.device, options.c_str());
    }

    cl::Kernel kernel(const char* name) const { return {program_, name}; }

    std::vector<cl_uint> output(const char* name, std::size_t items, const cl::NDRange& group) const {
        std::vector<cl_uint> numbers(items);
        std::iota(numbers.begin(), numbers.end(), 0U);
        const cl::Buffer in(context_, numbers.begin(), numbers.end(), true),
            out(context_, CL_MEM_READ_WRITE, items * sizeof(cl_uint));
        cl::Kernel one = kernel(name);
        one.setArg(0, in);
        one.setArg(1, out);
        queue_.enqueueNDRangeKernel(one, cl::NullRange, cl::NDRange(items), group);
        queue_.enqueueReadBuffer(out, CL_TRUE, 0, items * sizeof(cl_uint), numbers.data());
        return numbers;
    }

    const cl::Context& context() const { return context_; }
    const cl::CommandQueue& queue() const { return queue_; }

  private:
    const FoundDevice& found_;
    cl::Context context_;
    cl::CommandQueue queue_;
    cl::Program program_;
};

/// What the compiler says about a faulty program.
std::string log_of(const FoundDevice& found, const std::string& text) {
    cl::Program program(cl::Context(found.device), text);
    try {
        program.build(found.device, "");
    } catch (const cl::Error&) {
        return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(found.device);
    }
    return {};
}

constexpr const char* unknown_member =
    "#define F(x) ((x).nope)\nkernel void k(global float* a) { a[0] = F(a[1]); }";

bool unites_twice(const FoundDevice& found) {
    const std::string text = gpu::resolve_includes(R"(#define SPACE local
#include "gpu/clusters/forest.cl"
kernel void k(global const uint* in, global uint* out) {
    local int parent[64];
    const int i = get_local_id(0);
    parent[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i > 0) unite(parent, i, (int)in[i - 1]);
    if (i > 1) unite(parent, i, (int)in[i - 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = root_of(parent, i);
}
)");
    return Probed(found, text, "-cl-std=CL1.2").output("k", 64, 64) == std::vector<cl_uint>(64, 0);
}

/// The treecode's kernel, with the branch that processors take also where work-items share tiles.
bool branches_between_barriers(const FoundDevice& found) {
    gpu::ClVariant row = tests::particles_row("treecode");
    std::string text = gpu::kernel_text(row.info.source_file);
    for (const std::string from : {"#if EXPLICIT && ITEMS >= 2", "#if EXPLICIT && ITEMS >= 4"}) {
        const std::size_t at = text.find(from);
        if (at == std::string::npos) return true;
        text.replace(at, from.size(), "#if" + from.substr(from.find("&&") + 2));
    }
    const auto settings = tests::settings_of(particles::Kernel::laplace, particles::Precision::f32, 0.2, 8);
    const particles::SumProblem problem(tests::points_in("cube", 1500, 1), tests::points_in("cube", 500, 2),
                                        settings);
    Run run;
    run.request.analysis = "particles";
    run.request.kernel_source = text;
    run.request.defines = {{"EXPLICIT", "0"}, {"WG", "64"}, {"LEAF", "128"}};
    run.variant = row.info;
    gpu::DeviceContext device(found);
    Progress progress;
    gpu::LaunchContext context(device, run, progress, row.tuning);
    run.result = row.launch(problem, context);
    context.finish();
    return particles::check_sums(problem, run, CheckMode::full, progress).state == Verdict::State::pass;
}

bool evaluates_conditions_of_each_item(const FoundDevice& found) {
    const Probed probed(found, R"(kernel void k(global const uint* in, global uint* out) {
    uint left = in[get_local_id(0)], n = 0;
    for (int i = 0; i < 3; ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        while (left > 0) { --left; ++n; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_local_id(0)] = n;
})",
                        "-cl-opt-disable");
    return probed.output("k", 4, 4) == std::vector<cl_uint>{0, 1, 2, 3};
}

bool survives_oversized_groups(const FoundDevice& found) {
    const Probed probed(found, R"(kernel void k(global const uint* in, global uint* out) {
    local uchar all[BYTES];
    all[BYTES - 1 - get_local_id(0)] = in[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = all[BYTES - 8 + get_local_id(0)];
})",
                        fmt::format("-DBYTES={}", found.info.local_bytes + (1 << 20)));
    try {
        probed.output("k", 8, 8);
    } catch (const cl::Error&) {  // refused: as it should be
    }
    return true;
}

/// Compares the first launches of groups of several sizes with the second ones. The number makes the text one
/// that no cache has: comments would not.
bool compiles_once(const FoundDevice& found) {
    Stopwatch watch;
    const Probed probed(
        found, fmt::format("kernel void k(global const uint* in, global uint* out) {{\n"
                           "    out[get_global_id(0)] = in[get_global_id(0)] + {}u;\n}}",
                           std::chrono::steady_clock::now().time_since_epoch().count() % 1000000007));
    std::uint64_t first = 0, second = 0;
    for (const std::size_t group : {3U, 6U, 12U, 24U}) {
        watch.lap();
        probed.output("k", 48, group);
        first += watch.lap();
        probed.output("k", 48, group);
        second += watch.lap();
    }
    return first < 5 * second;
}

/// Reads layer 1 of three, whose pixels are 0, 1 and 2.
bool addresses_layers_by_number(const FoundDevice& found) {
    const Probed probed(found, R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_array_t picture, global uint* out) {
    out[0] = (uint)read_imagef(picture, nearest, (float4)(0.5f, 0.5f, 1, 0)).x;
})");
    std::vector<cl_float> values(3 * 4 * 4);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<cl_float>(i / 16);
    const cl::Image2DArray picture(probed.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                   cl::ImageFormat(CL_RGBA, CL_FLOAT), 3, 2, 2, 0, 0, values.data());
    const cl::Buffer out(probed.context(), CL_MEM_READ_WRITE, sizeof(cl_uint));
    cl::Kernel kernel = probed.kernel("k");
    kernel.setArg(0, picture);
    kernel.setArg(1, out);
    probed.queue().enqueueNDRangeKernel(kernel, cl::NullRange, 1, 1);
    cl_uint layer = 0;
    probed.queue().enqueueReadBuffer(out, CL_TRUE, 0, sizeof layer, &layer);
    return layer == 1;
}

bool reports_private_memory(const FoundDevice& found) {
    const Probed probed(found, R"(kernel void small(global float* a) { a[get_global_id(0)] *= 2; }
kernel void large(global uint* a) {
    uint kept[1000];
    for (uint i = 0; i < 1000; ++i) kept[i] = a[i];
    for (uint i = 0; i < 1000; ++i) a[i] = kept[a[0] * i % 1000];
})");
    const auto bytes = [&](const char* name) {
        return probed.kernel(name).getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(found.device);
    };
    return bytes("small") != bytes("large");
}

bool begins_messages_with_their_place(const FoundDevice& found) {
    return !log_of(found, unknown_member).starts_with("error: ");
}

bool names_no_spelling(const FoundDevice& found) {
    return log_of(found, unknown_member).find("<Spelling=") == std::string::npos;
}

bool repeats_its_messages(const FoundDevice& found) {
    return log_of(found, unknown_member) == log_of(found, unknown_member);
}

bool builds_silently(const FoundDevice& found) {
    gpu::CapturedOutput errors(gpu::StandardStream::errors);
    log_of(found, unknown_member);
    return errors.finish().empty();
}

/// Builds a text, then the same with a comment before it: the line of the warning has to follow. The number
/// makes the text one that no cache has.
bool tells_lines_of_this_text(const FoundDevice& found) {
    const std::string text =
        fmt::format("kernel void k(global int* a) {{\n    if (a[0] = {}) a[1] = 2;\n}}\n",
                    std::chrono::steady_clock::now().time_since_epoch().count() % 1000000007);
    const auto log_of_warnings = [&](const std::string& of) {
        cl::Program program(cl::Context(found.device), of);
        gpu::build_quietly(program, found.device, "-cl-std=CL1.2");
        return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(found.device);
    };
    return log_of_warnings(text).find(":2:") != std::string::npos &&
           log_of_warnings("// a\n// b\n" + text).find(":4:") != std::string::npos;
}

bool chooses_groups_of_several(const FoundDevice& found) {
    const Probed probed(found,
                        "kernel void k(global const uint* in, global uint* out) {\n"
                        "    out[get_global_id(0)] = get_local_size(0);\n}");
    return probed.output("k", 64, cl::NullRange).front() > 1;
}

/// True if the driver behaves as it should.
const std::map<std::string_view, std::function<bool(const FoundDevice&)>> probes{
    {"two_unites", unites_twice},
    {"branch_between_barriers", branches_between_barriers},
    {"conditions_once_per_group", evaluates_conditions_of_each_item},
    {"oversized_group_ends_process", survives_oversized_groups},
    {"program_per_group_size", compiles_once},
    {"normalised_layers", addresses_layers_by_number},
    {"constant_private_memory", reports_private_memory},
    {"kind_before_place", begins_messages_with_their_place},
    {"spelling_of_macros", names_no_spelling},
    {"temporary_names", repeats_its_messages},
    {"counts_on_stderr", builds_silently},
    {"log_of_equal_text", tells_lines_of_this_text},
    {"groups_of_one", chooses_groups_of_several}};

/// Faults that may end the process.
const std::set<std::string_view> ends_process{"two_unites", "oversized_group_ends_process"};

Outcome outcome_of(const std::string& name) {
    for (const FoundDevice& found : gpu::find_devices())
        if (gpu::has_quirk(found.info, name)) return probes.at(name)(found) ? behaves : shows_the_fault;
    return no_such_driver;
}

TEST(QuirkAlone, is_probed) {
    const char* const name = std::getenv(chosen);
    if (name == nullptr) GTEST_SKIP() << "runs in a process of its own only";
    std::_Exit(outcome_of(name));
}

class EveryQuirk : public testing::TestWithParam<Quirk> {};

TEST_P(EveryQuirk, shows_on_the_driver_that_it_names) {
    const Quirk& quirk = GetParam();
    ASSERT_TRUE(probes.contains(quirk.name)) << quirk.name << " has no probe";
    const bool simulated = quirk.driver == "Oclgrind";
    if (simulated && std::system("command -v oclgrind > /dev/null") != 0)
        GTEST_SKIP() << "there is no such driver";
    const io::TemporaryFolder folder("quirk");
    const std::string command =
        fmt::format("TMPDIR='{}' {}={} {} '{}' --gtest_filter=QuirkAlone.is_probed > /dev/null 2>&1",
                    folder.path().string(), chosen, quirk.name, simulated ? "oclgrind" : "",
                    std::filesystem::read_symlink("/proc/self/exe").string());
    const int status = std::system(command.c_str());
    for (const auto& left : std::filesystem::directory_iterator(folder.path()))
        EXPECT_FALSE(left.path().filename().string().starts_with("kernelscope-tests")) << left.path();
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    if (code == no_such_driver) GTEST_SKIP() << "there is no such driver";
    EXPECT_NE(code, behaves) << "a driver of the name " << quirk.driver << " here no longer " << quirk.fault
                             << ": narrow the row " << quirk.name
                             << ", or remove it with what is done about it in " << quirk.places;
    const bool ended = code >= 128 && ends_process.contains(quirk.name);  // a shell's code of a signal
    EXPECT_TRUE(code == behaves || code == shows_the_fault || ended) << "the probe ended with " << code;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryQuirk, testing::ValuesIn(gpu::quirks().begin(), gpu::quirks().end()),
                         [](const auto& quirk) { return std::string(quirk.param.name); });

std::string text_of(const std::filesystem::path& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

const std::filesystem::path source{KERNELSCOPE_SOURCE_DIR};

TEST(Quirks, are_named_where_code_works_around_them_and_nowhere_else) {
    std::set<std::string> in_table, in_code;
    for (const Quirk& quirk : gpu::quirks()) {
        std::istringstream places{std::string(quirk.places)};
        for (std::string place; places >> place;) in_table.insert(fmt::format("{} in {}", quirk.name, place));
    }
    const std::regex mention("quirk ([a-z_]+)");
    for (const char* folder : {"core", "gpu"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(source / folder)) {
            if (!entry.is_regular_file() || entry.path().stem() == "quirks") continue;
            const std::string text = text_of(entry.path());
            for (std::sregex_iterator at(text.begin(), text.end(), mention), end; at != end; ++at)
                in_code.insert(fmt::format("{} in {}", (*at)[1].str(),
                                           std::filesystem::relative(entry.path(), source).string()));
        }
    EXPECT_EQ(in_code, in_table);
}

TEST(Quirks, are_rows_of_the_developers_table) {
    const std::string page = text_of(source / "docs/dev/quirks.md");
    for (const Quirk& quirk : gpu::quirks()) {
        const std::string row = fmt::format("| `{}` | {} {} | {} | {} |\n", quirk.name, quirk.driver,
                                            quirk.version, quirk.fault, quirk.workaround);
        EXPECT_NE(page.find(row), std::string::npos) << row;
    }
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(page, '\n')),
              static_cast<std::size_t>(std::ranges::count(page.substr(0, page.find("|---")), '\n')) + 1 +
                  gpu::quirks().size());
}

}  // namespace
}  // namespace quirks_test
