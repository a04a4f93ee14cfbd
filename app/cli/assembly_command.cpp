#include <map>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/apart/apart_worker.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_options.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/devices/device_id.h"
#include "core/io/files/atomic_file.h"
#include "core/kernels/build_source.h"
#include "core/kernels/private_memory.h"
#include "gpu/runtime/resources/assembly.h"

namespace ks::cli {
namespace {

struct AssemblyOptions {
    explicit AssemblyOptions(CLI::App& command) : kernels(command, {}) {
        add_text(command, "--out", out, "File to write to (default: standard output)", "FILE");
        command.add_flag("--overwrite", overwrite, "Replace an existing file");
    }
    KernelOptions kernels;
    std::string out;
    bool overwrite = false;
};

/// Runs the smallest problem of the analysis to learn which programs the variant compiles, and how.
Run small_run(Session& session, const Analysis& analysis, const Request& request) {
    return run_own_apart(session, request, analysis.benchmark_sizes(analysis.info().small));
}

std::string line_of(const KernelResources& kernel, const DeviceInfo& device) {
    const auto known = [](const std::optional<std::uint64_t>& value) {
        return value ? fmt::format("{}", *value) : std::string("not reported");
    };
    const auto bytes = [](const std::optional<std::uint64_t>& value) {
        return value ? fmt::format("{} B", *value) : std::string("not reported");
    };
    return fmt::format(
        "// kernel {}: registers {}, spills {}, local {} B, private {}, groups up to {} in multiples of {}\n",
        kernel.entry_point, known(kernel.registers), bytes(kernel.spill_bytes), kernel.local_bytes,
        bytes(private_memory_of(kernel, device)), kernel.work_group, kernel.multiple);
}

std::string text_of_build(const Run& run, const BuildLog& build,
                          const std::map<std::string, std::string>& files) {
    std::string text = fmt::format("// program {}\n// options {}\n", build.source_file, build.options);
    const std::optional<ResolvedSource> source = source_of_build(run, build, files);
    if (!source) return text + "// source not available: it starts with a part that depends on the problem\n";
    const Assembly made =
        gpu::assemble({DeviceId(run.device).text(), build.source_file, source->text(), build.options});
    for (const KernelResources& kernel : made.resources) text += line_of(kernel, run.device);
    return text + (made.language.empty() ? "// " : "") + made.text + "\n";
}

int run_assembly(Session& session, const Analysis& analysis, const AssemblyOptions& options) {
    const InterruptCancels guard(session.progress());
    Request request;
    request.analysis = analysis.info().id;
    options.kernels.add_to(request);
    if (!options.out.empty()) {
        require_no_kernel("--out", options.out, request.kernel_file, request.defines);
        require_output(options.out, options.overwrite);
    }
    const Run run = small_run(session, analysis, request);
    session.terminal().clear();
    if (run.builds.empty())
        throw Error(ErrorKind::input, run.variant.id + " compiles no kernel", analysis.info().id);
    const std::map<std::string, std::string> files = session.engine().kernel_files();
    std::string text;
    for (const BuildLog& build : run.builds) text += text_of_build(run, build, files);
    if (options.out.empty())
        fmt::print("{}", text);
    else
        io::write_text(options.out, text, options.overwrite);
    return 0;
}

}  // namespace

void add_assembly(CLI::App& root, const Registry& registry, Commands& commands) {
    CLI::App* assembly = add_group(root, commands, "assembly",
                                   "Print the instructions that a driver generates for a variant's kernels");
    for (const Analysis& analysis : registry.analyses()) {
        const AnalysisInfo& info = analysis.info();
        if (!analysis.has_benchmark()) continue;
        CLI::App* command = assembly->add_subcommand(info.id, "Kernels of " + info.title);
        auto options = std::make_shared<AssemblyOptions>(*command);
        commands.push_back({command, [options, &analysis](Session& session) {
                                return run_assembly(session, analysis, *options);
                            }});
    }
}

}  // namespace ks::cli
