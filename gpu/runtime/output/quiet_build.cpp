#include "gpu/runtime/output/quiet_build.h"

#include <optional>

#include "core/base/error.h"
#include "gpu/runtime/output/captured_output.h"

namespace ks::gpu {

std::string build_quietly(cl::Program& program, const cl::Device& device, const std::string& options) {
    std::optional<CapturedOutput> errors;
    try {
        errors.emplace(StandardStream::errors);
    } catch (const Error&) {
        errors.reset();  // better extra output on the terminal than no program
    }
    program.build(device, options.c_str());
    return errors ? errors->finish() : std::string();
}

}  // namespace ks::gpu
