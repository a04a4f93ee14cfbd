#include "app/cli/request_options.h"

#include <utility>

#include <CLI/CLI.hpp>

namespace ks::cli {

RequestOptions::RequestOptions(CLI::App& command) {
    command
        .add_option(
            "--device", device_,
            "Index or part of a name of `devices`, or `host`; several share a run: `0,1`, `gpu`, `all` "
            "(default: GPU, else CPU, else host)")
        ->type_name("DEVICE")
        ->group("Run");
    command.add_option("--variant", variant_, "Way to compute (default: the best that the device can run)")
        ->type_name("ID")
        ->group("Run");
    command.add_option("--define", defines_, "Set a definition of the kernel; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Run");
    command.add_option("--kernel-source", kernel_source_, "Kernel file to use in place of the variant's own")
        ->type_name("FILE.cl")
        ->group("Run");
    command
        .add_flag("--guarded", guarded_,
                  "Put zones around the buffers of kernels; one that is written to is an error")
        ->group("Run");
    command
        .add_option("--memory-limit", memory_limit_,
                    "Memory to use, of the device or where host.* runs (default: from there)")
        ->type_name("BYTES")
        ->group("Run");
    command.add_option("--check", check_, "Compare with the reference on the host (default none)")
        ->type_name("none|sample|full")
        ->group("Run");
}

Request RequestOptions::request(const AnalysisInfo& info, std::map<std::string, InputRef> inputs,
                                ParameterSet parameters) const {
    Request request;
    request.analysis = info.id;
    request.variant = variant_;
    request.device = device_;
    request.inputs = std::move(inputs);
    request.parameters = std::move(parameters);
    request.defines = parse_pairs(defines_, "--define");
    if (!kernel_source_.empty()) {
        require_shipped(variant_);
        request.kernel_source = read_kernel_source(kernel_source_);
        request.kernel_file = kernel_source_;
    }
    if (!memory_limit_.empty()) request.memory_limit = parse_bytes(memory_limit_);
    request.check = check_mode_from(check_);
    request.guarded = guarded_;
    return request;
}

}  // namespace ks::cli
