#include "gpu/runtime/resources/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "gpu/runtime/codes/opencl_code.h"
#include "gpu/runtime/device_query.h"
#include "gpu/runtime/output/quiet_build.h"
#include "gpu/runtime/resources/kernel_resources.h"

namespace ks::gpu {
namespace {

std::vector<DeviceInfo> infos_of(const std::vector<FoundDevice>& found) {
    std::vector<DeviceInfo> infos;
    for (const FoundDevice& one : found) {
        infos.push_back(one.info);
        infos.back().index = static_cast<int>(infos.size()) - 1;
    }
    return infos;
}

/// NVIDIA's compiler reports lines and registers, but its driver caches what it compiled: the log is empty if
/// text and options are those of an earlier build, so one of them must be new.
std::string more_options(const DeviceInfo& device) {
    if (!device.has_extension("cl_nv_compiler_options")) return {};
    return fmt::format(" -nv-line-info {} -DKERNELSCOPE_ASSEMBLY_{}", verbose_option,
                       std::chrono::steady_clock::now().time_since_epoch().count());
}

bool is_text(const std::vector<unsigned char>& bytes) {
    return !bytes.empty() && std::ranges::all_of(bytes, [](unsigned char c) {
        return (c >= 32 && c < 127) || c == '\n' || c == '\t' || c == '\r';
    });
}

std::vector<KernelResources> all_resources(const cl::Program& program, const cl::Device& device,
                                           const std::string& log) {
    std::vector<cl::Kernel> kernels;
    cl::Program(program).createKernels(&kernels);
    std::vector<KernelResources> all;
    for (const cl::Kernel& kernel : kernels) {
        all.push_back(kernel_resources(kernel, device, trimmed(kernel.getInfo<CL_KERNEL_FUNCTION_NAME>())));
        take_registers(log, all.back());
    }
    return all;
}

Assembly assembled(const AssemblyRequest& request, const FoundDevice& found) {
    const cl::Context context(found.device);
    cl::Program program(context, request.text);
    try {
        build_quietly(program, found.device, request.options + more_options(found.info));
    } catch (const cl::Error& error) {
        throw Error(ErrorKind::build, fmt::format("the kernel does not build: {}", code_text(error.err())),
                    request.source_file, {}, program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(found.device));
    }
    Assembly made{request.source_file, request.options, {}, {}, {}};
    made.resources =
        all_resources(program, found.device, program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(found.device));
    std::vector<std::vector<unsigned char>> binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (!binaries.empty())
        while (!binaries[0].empty() && binaries[0].back() == 0) binaries[0].pop_back();
    if (binaries.empty() || !is_text(binaries[0])) {
        made.text = fmt::format(
            "{} provides programs only as machine code, so there is no text of instructions to show; "
            "NVIDIA's driver, for example, provides PTX.",
            found.info.platform_name);
        return made;
    }
    made.text.assign(binaries[0].begin(), binaries[0].end());
    made.language = made.text.find(".target") != std::string::npos ? "PTX" : "text";
    return made;
}

}  // namespace

Assembly assemble(const AssemblyRequest& request) {
    const std::vector<FoundDevice> found = find_devices();
    const std::vector<DeviceInfo> infos = infos_of(found);
    if (infos.empty()) throw Error(ErrorKind::device, "there is no OpenCL device");
    const DeviceInfo& device = choose_device(infos, request.device);
    try {
        return assembled(request, found[static_cast<std::size_t>(device.index)]);
    } catch (const cl::Error& error) {
        throw to_error(error, fmt::format("{} on {}", request.source_file, device.name));
    }
}

}  // namespace ks::gpu
