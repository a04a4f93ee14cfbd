#include "app/cli/kernel_options.h"

#include "app/cli/options.h"
#include "core/run/user/user_includes.h"

namespace ks::cli {

KernelOptions::KernelOptions(CLI::App& command, const Texts& texts) {
    std::vector<CLI::Option*> options{
        command.add_option("--device", device_, texts.device)->type_name("DEVICE"),
        command.add_option("--variant", variant_, texts.variant)
            ->type_name("ID")
            ->required(texts.needs_variant),
        command.add_option("--define", defines_, "Set a definition of the kernel; may be repeated")
            ->type_name("NAME=VALUE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
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

}  // namespace ks::cli
