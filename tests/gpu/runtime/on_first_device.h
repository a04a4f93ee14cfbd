#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "gpu/runtime/device_query.h"

namespace ks::tests {

/// Tests with a context of the first device; skipped where there is none.
class OnFirstDevice : public testing::Test {
  protected:
    void SetUp() override {
        found = gpu::find_devices();
        if (found.empty()) GTEST_SKIP() << "no OpenCL device";
        context = cl::Context(found[0].device);
    }
    std::vector<gpu::FoundDevice> found;
    cl::Context context;
};

}  // namespace ks::tests
