#pragma once

#include <string>

namespace ks::gpu {

/// An error code of OpenCL as text: "CL_OUT_OF_RESOURCES (-5)", "unknown code (-4711)".
std::string code_text(int code);

/// The likely cause behind a code whose name is not clear enough; empty for the others.
std::string code_meaning(int code);

}  // namespace ks::gpu
