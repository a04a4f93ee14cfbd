#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/base/error.h"
#include "tests/gpu/variant_problems.h"

// Runs of the exercises that have parameters of their own, on every OpenCL device.
namespace ks::tests {

/// The problem of a request with these parameters; the others by default.
inline std::shared_ptr<const Problem> problem_with(const std::string& analysis,
                                                   const ParameterSet& parameters) {
    Request request;
    request.analysis = analysis;
    request.parameters = parameters;
    Progress progress;
    return engine().registry().analysis(analysis).load(request, progress, nullptr);
}

inline ks::Run run_with(const std::string& analysis, const std::string& variant, const DeviceInfo& device,
                        const ParameterSet& parameters) {
    Request request = request_of(analysis, variant, device);
    request.parameters = parameters;
    request.check = CheckMode::full;
    Progress progress;
    return engine().run(request, problem_with(analysis, parameters), progress);
}

inline void on_each_device(const std::function<void(const DeviceInfo&)>& call) {
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        SCOPED_TRACE(device.name);
        call(device);
    }
}

/// The sentence of the ks::Error(input) that a run of these parameters ends with.
inline std::string refusal_of(const std::string& analysis, const std::string& variant,
                              const DeviceInfo& device, const ParameterSet& parameters) {
    try {
        run_with(analysis, variant, device, parameters);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

}  // namespace ks::tests
