#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "gpu/runtime/device_context.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/launch_context.h"
#include "tests/gpu/runtime/on_first_device.h"

namespace {

constexpr const char* source = "kernel void twice(global int* v) { v[get_global_id(0)] *= FACTOR; }\n";

class ProgramCacheOnDisk : public ks::tests::OnFirstDevice {
  protected:
    void SetUp() override {
        OnFirstDevice::SetUp();
        if (IsSkipped()) return;
        folder = std::filesystem::temp_directory_path() / ("kernelscope-cache-" + std::to_string(getpid()));
        std::filesystem::remove_all(folder);
    }
    void TearDown() override {
        if (!folder.empty()) std::filesystem::remove_all(folder);
    }
    ks::gpu::ProgramCache cache() { return {context, found[0].device, found[0].info, folder}; }
    int run(const cl::Program& program) {
        cl::CommandQueue queue(context, found[0].device);
        int value = 21;
        cl::Buffer buffer(context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, sizeof(value), &value);
        cl::Kernel kernel(program, "twice");
        kernel.setArg(0, buffer);
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1));
        queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof(value), &value);
        return value;
    }
    std::filesystem::path folder;
};

TEST_F(ProgramCacheOnDisk, a_program_is_built_once_then_comes_from_memory_then_from_disk) {
    auto first = cache();
    int told = 0;
    const auto building = [&told] { ++told; };
    EXPECT_EQ(first.get("a.cl", source, "-DFACTOR=2", building).log.cache, "built");
    EXPECT_EQ(first.get("a.cl", source, "-DFACTOR=2", building).log.cache, "memory");
    auto second = cache();
    const auto& entry = second.get("a.cl", source, "-DFACTOR=2", building);
    EXPECT_EQ(entry.log.cache, "disk");
    EXPECT_EQ(told, 1) << "only where the compiler is called";
    EXPECT_EQ(run(entry.program), 42);
}

TEST_F(ProgramCacheOnDisk, a_kernel_is_lent_to_one_at_a_time) {
    auto all = cache();
    auto& entry = all.get("a.cl", source, "-DFACTOR=2");
    const cl::Kernel first = entry.lend("twice"), second = entry.lend("twice");
    EXPECT_NE(first(), second());
    entry.idle["twice"].push_back(first);
    EXPECT_EQ(entry.lend("twice")(), first());
    EXPECT_THROW(entry.lend("thrice"), cl::Error);
}

TEST_F(ProgramCacheOnDisk, other_options_are_another_program) {
    auto all = cache();
    all.get("a.cl", source, "-DFACTOR=2");
    const auto& entry = all.get("a.cl", source, "-DFACTOR=3");
    EXPECT_EQ(entry.log.cache, "built");
    EXPECT_EQ(run(entry.program), 63);
}

TEST_F(ProgramCacheOnDisk, a_damaged_file_is_built_anew) {
    cache().get("a.cl", source, "-DFACTOR=2");
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
        if (file.is_regular_file()) std::filesystem::resize_file(file.path(), file.file_size() / 2);
    auto again = cache();
    EXPECT_EQ(run(again.get("a.cl", source, "-DFACTOR=2").program), 42);
}

TEST_F(ProgramCacheOnDisk, a_build_that_fails_keeps_its_log) {
    auto all = cache();
    try {
        all.get("broken.cl", "kernel void f(global int* v) { v[0] = nothing_of_that_name; }", "");
        FAIL() << "no error";
    } catch (const ks::Error& error) {
        EXPECT_EQ(error.kind(), ks::ErrorKind::build);
        EXPECT_NE(std::string(error.what()).find("broken.cl"), std::string::npos);
        EXPECT_NE(error.details().find("nothing_of_that_name"), std::string::npos) << error.details();
    }
}

TEST_F(ProgramCacheOnDisk, what_the_compiler_says_stands_in_the_log_and_not_on_standard_error) {
    std::FILE* const outer = std::tmpfile();
    std::fflush(stderr);
    const int before = dup(STDERR_FILENO);
    dup2(fileno(outer), STDERR_FILENO);
    auto all = cache();
    const std::string log =
        all.get("loud.cl", "#warning mind_this\nkernel void f(global int* v) { v[0] = 1; }\n", "").log.log;
    std::fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    EXPECT_NE(log.find("mind_this"), std::string::npos) << log;
    std::fseek(outer, 0, SEEK_END);
    EXPECT_EQ(std::ftell(outer), 0);
    std::fclose(outer);
}

TEST_F(ProgramCacheOnDisk, a_warning_about_a_users_text_has_its_line_though_another_had_other_comments) {
    // The number makes the text one that no driver has in its own cache.
    const std::string text =
        "kernel void f(global int* v) {\n    if (v[0] = " +
        std::to_string(std::chrono::steady_clock::now().time_since_epoch().count() % 1000000007) +
        ") v[1] = 2;\n}\n";
    auto all = cache();
    const auto log_of = [&](const std::string& of) {
        return all.get("mine.cl", of, std::string("-cl-std=CL1.2 ") + ks::gpu::argument_info).log.log;
    };
    const std::string first = log_of(text), second = log_of("// a\n// b\n" + text);
    if (first.empty()) GTEST_SKIP() << "this compiler does not warn";
    EXPECT_NE(first.find("mine.cl:2:"), std::string::npos) << first;
    EXPECT_NE(second.find("mine.cl:4:"), std::string::npos) << second;
}

TEST_F(ProgramCacheOnDisk, a_folder_that_cannot_be_written_costs_a_sentence) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "programs") << "a file in the place of the folder";
    auto all = cache();
    EXPECT_EQ(all.get("a.cl", source, "-DFACTOR=2").log.cache, "built");
    const std::string complaint = all.take_complaint();
    EXPECT_NE(complaint.find((folder / "programs").string()), std::string::npos) << complaint;
    EXPECT_TRUE(all.take_complaint().empty()) << "said once";
    std::filesystem::remove(folder / "programs");
    all.get("a.cl", source, "-DFACTOR=3");
    EXPECT_TRUE(all.take_complaint().empty());
}

TEST_F(ProgramCacheOnDisk, a_binary_that_was_cut_short_is_built_again) {
    cache().get("a.cl", source, "-DFACTOR=2");
    for (const auto& file : std::filesystem::directory_iterator(folder / "programs"))
        std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) / 2);
    auto again = cache();
    EXPECT_EQ(again.get("a.cl", source, "-DFACTOR=2").log.cache, "built");
    EXPECT_TRUE(again.take_complaint().empty());
}

/// What of one run of one kernel is not the overhead of calling.
std::vector<ks::Timing> timings_of_a_run(ks::gpu::DeviceContext& device, const std::string& factor) {
    ks::Run run;
    run.variant.source_file = "twice.cl";
    run.variant.source = source;
    ks::Progress progress;
    ks::gpu::LaunchContext context(device, run, progress);
    context.kernel("twice", {{"FACTOR", factor}});
    context.finish();
    std::erase_if(run.timings, [](const ks::Timing& row) { return row.kind == ks::StageKind::overhead; });
    return run.timings;
}

TEST_F(ProgramCacheOnDisk, a_run_times_the_build_of_its_kernels_where_they_were_built) {
    const char* const before = std::getenv("KERNELSCOPE_CACHE");
    const std::string kept = before ? before : "";
    setenv("KERNELSCOPE_CACHE", folder.c_str(), 1);
    {
        ks::gpu::DeviceContext device(found[0]);
        const auto first = timings_of_a_run(device, "5");
        ASSERT_EQ(first.size(), 1u);
        EXPECT_EQ(first[0].stage, "build kernels");
        EXPECT_EQ(first[0].kind, ks::StageKind::host);
        EXPECT_EQ(first[0].launches, 1u);
        EXPECT_GT(first[0].nanoseconds, 0u);
        EXPECT_TRUE(timings_of_a_run(device, "5").empty()) << "from memory";
        EXPECT_EQ(timings_of_a_run(device, "7").size(), 1u) << "another program";
        ks::gpu::DeviceContext another(found[0]);
        EXPECT_TRUE(timings_of_a_run(another, "5").empty()) << "from disk";
    }
    before ? setenv("KERNELSCOPE_CACHE", kept.c_str(), 1) : unsetenv("KERNELSCOPE_CACHE");
}

TEST(KernelFiles, includes_are_put_in_place) {
    const std::string text =
        ks::gpu::resolve_includes("#include \"gpu/xpcs/gram_combine.cl\"\nkernel void f() {}\n");
    EXPECT_NE(text.find("kernel void gram_combine"), std::string::npos);
    EXPECT_EQ(text.find("#include"), std::string::npos);
    EXPECT_THROW(ks::gpu::resolve_includes("#include \"gpu/no/such.cl\"\n"), ks::Error);
}

TEST(Devices, each_tells_what_a_choice_needs) {
    for (const auto& found : ks::gpu::find_devices()) {
        EXPECT_FALSE(found.info.name.empty());
        EXPECT_FALSE(found.info.platform_name.empty());
        EXPECT_FALSE(found.info.driver.empty());
        EXPECT_GT(found.info.compute_units, 0u);
        EXPECT_GT(found.info.global_bytes, 0u);
        EXPECT_GT(found.info.largest_allocation, 0u);
        EXPECT_GT(found.info.largest_work_group, 0u);
    }
}

TEST(Resident, the_oldest_data_go_first) {
    const auto found = ks::gpu::find_devices();
    if (found.empty()) GTEST_SKIP() << "no OpenCL device";
    ks::gpu::DeviceContext device(found[0]);
    const auto keep = [&](const char* key) {
        device.keep_resident(key, ks::gpu::Buffer(device.memory(), 1000));
    };
    keep("a");
    keep("b");
    keep("c");
    EXPECT_NE(device.find_resident("a"), nullptr);  // now the most recent
    device.shrink_resident(2000);
    EXPECT_EQ(device.find_resident("b"), nullptr);
    EXPECT_NE(device.find_resident("a"), nullptr);
    EXPECT_EQ(device.memory()->held(), 2000u);
    device.shrink_resident(0);
    EXPECT_EQ(device.memory()->held(), 0u);
}

TEST(Resident, who_holds_data_has_them_after_they_were_dropped) {
    const auto found = ks::gpu::find_devices();
    if (found.empty()) GTEST_SKIP() << "no OpenCL device";
    ks::gpu::DeviceContext device(found[0]);
    const std::vector<std::uint32_t> numbers{3, 1, 4, 1, 5};
    const std::size_t bytes = numbers.size() * sizeof(numbers[0]);
    device.keep_resident("a", ks::gpu::Buffer(device.memory(), bytes));
    const std::shared_ptr<const ks::gpu::Buffer> held = device.find_resident("a");
    device.queue().enqueueWriteBuffer(held->cl(), CL_TRUE, 0, bytes, numbers.data());
    device.shrink_resident(0);
    EXPECT_EQ(device.find_resident("a"), nullptr);
    device.keep_resident("b", ks::gpu::Buffer(device.memory(), bytes));
    std::vector<std::uint32_t> back(numbers.size());
    device.queue().enqueueReadBuffer(held->cl(), CL_TRUE, 0, bytes, back.data());
    EXPECT_EQ(back, numbers);
    EXPECT_EQ(device.memory()->held(), 2 * bytes) << "what is held still takes memory";
}

}  // namespace
