#pragma once

#include <string>

namespace ks::gpu {

/// A code that a function of OpenCL returned: "CL_OUT_OF_RESOURCES (-5)", "unknown code (-4711)".
std::string code_text(int code);

/// What may be behind a code whose name does not tell a person; empty for the others.
std::string code_meaning(int code);

}  // namespace ks::gpu
