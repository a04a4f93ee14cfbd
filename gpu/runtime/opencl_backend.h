#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/run/backend.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu {

/// A row of an analysis' table of OpenCL variants. A folder of gpu/ with a variants.h declares
/// `std::vector<ks::gpu::ClVariant> cl_variants()` in namespace ks::gpu::FOLDER; the build collects them.
struct ClVariant {
    Variant info;
    OfProblem<Result(LaunchContext&)> launch;
    /// Defines that suit a device better than the defaults.
    TuningTable tuning = {};
    /// A program that must build, if the variant needs something that no device property reports; empty:
    /// none.
    std::string probe = {};
    /// Versions of OpenCL C, in the form of -cl-std=. The variant is compiled in the first of these versions
    /// in which its probe builds.
    std::vector<std::string> languages = {opencl_c_12};
    /// What a device lacks if the probe does not build, in a sentence after its name: "has no 8-bit tensor
    /// cores"; empty: the sentence only says that a program does not build.
    std::string lacks = {};
};

/// The OpenCL devices of this machine. If there are none, it offers none, and the host remains.
/// @param before_drivers called once, before the drivers are loaded
std::unique_ptr<Backend> make_opencl_backend(std::function<void()> before_drivers = {});

}  // namespace ks::gpu
