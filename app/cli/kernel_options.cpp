#include "app/cli/kernel_options.h"

#include <algorithm>

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
