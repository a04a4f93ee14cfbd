#include "app/cli/kernel_options.h"

#include <algorithm>
#include <utility>

#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/input/input_files.h"
#include "core/run/user/user_includes.h"
#include "core/run/user/user_variant_folder.h"

namespace ks::cli {

KernelOptions::KernelOptions(CLI::App& command, const Texts& texts) {
    std::vector<CLI::Option*> options{
        command.add_option("--device", device_, texts.device)->type_name("DEVICE"),
        command.add_option("--variant", variant_, texts.variant)
            ->type_name("ID")
            ->required(texts.needs_variant),
        add_texts(command, "--define", defines_, "Set a definition of the kernel; may be repeated",
                  "NAME=VALUE"),
        command.add_option("--kernel-source", kernel_source_, texts.kernel_source)->type_name("FILE.cl")};
    if (texts.group.empty()) return;
    for (CLI::Option* option : options) option->group(texts.group);
}

void KernelOptions::add_to(Request& request) const {
    request.device = device_;
    request.variant = variant_;
    request.defines = parse_pairs(defines_, "--define");
    if (kernel_source_.empty()) return;
    require_shipped(variant_);
    request.kernel_source = read_kernel_source(kernel_source_, request.defines);
    request.kernel_file = kernel_source_;
}

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

void require_no_kernel(const std::string& option, const std::filesystem::path& output,
                       const std::filesystem::path& kernel_file,
                       const std::map<std::string, std::string>& defines, const std::string& role) {
    namespace fs = std::filesystem;
    std::error_code failure;
    if (!fs::exists(output, failure)) return;
    const fs::path own = fs::weakly_canonical(user_variants_folder(), failure);
    const fs::path replaced = fs::weakly_canonical(output, failure);
    if (!own.empty() && std::ranges::mismatch(own, replaced).in1 == own.end())
        throw Error(ErrorKind::input, option + " would replace a file in the folder of your kernels",
                    output.string(), "choose another name");
    if (kernel_file.empty()) return;
    std::map<std::string, std::string> read;
    for (const fs::path& file : files_of_kernel_source(kernel_file, defines))
        read[file == kernel_file ? role : role + ": " + file.string()] = file.string();
    io::require_not_read(option, output, read);
}

}  // namespace ks::cli
