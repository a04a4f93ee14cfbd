#include "app/cli/request_options.h"

#include <utility>

#include <CLI/CLI.hpp>

#include "app/cli/options.h"

namespace ks::cli {

RequestOptions::RequestOptions(CLI::App& command)
    : kernels_(command,
               {.group = "Run",
                .device = "Index of a device or part of its name, as listed by `devices`; or `host`; "
                          "or several devices that share the run, such as `0,1`, `gpu` or `all` "
                          "(default: GPU, else CPU, else host)"}) {
    command
        .add_flag("--guarded", guarded_, "Put guard zones around kernel buffers; a write to one is an error")
        ->group("Run");
    add_text(command, "--memory-limit", memory_limit_,
             "Maximum memory to use on the device or, for host.* variants, on the host (default: what "
             "the device or host has)",
             "BYTES")
        ->group("Run");
    add_text(command, "--check", check_,
             "How the result is compared with the reference on the host (default none)", "none|sample|full")
        ->group("Run");
}

Request RequestOptions::request(const AnalysisInfo& info, std::map<std::string, InputRef> inputs,
                                ParameterSet parameters) const {
    Request request;
    request.analysis = info.id;
    kernels_.add_to(request);
    request.inputs = std::move(inputs);
    request.parameters = std::move(parameters);
    if (!memory_limit_.empty()) request.memory_limit = parse_bytes(memory_limit_);
    request.check = check_mode_from(check_);
    request.guarded = guarded_;
    return request;
}

}  // namespace ks::cli
