#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/particles/treecode/treecode_result.h"
#include "tests/gpu/particles/particles_device.h"

namespace ks::tests {

using namespace ks::particles;

inline SumSettings with_gradient(SumSettings settings, bool gradient = true) {
    settings.gradient = gradient;
    return settings;
}

/// A variant whose sums are compared with the double reference of the host, row by row.
class Rows : public ::testing::TestWithParam<const char*> {
  protected:
    std::string variant() const { return GetParam(); }
    bool floats_only() const { return depends_on(particles_row(variant()).info, "precision"); }
    bool has_gradients() const { return !depends_on(particles_row(variant()).info, "gradient"); }

    /// The devices where the variant takes the problem; on the others it is refused.
    std::vector<gpu::DeviceContext*> devices_for(const SumProblem& problem) const {
        std::vector<gpu::DeviceContext*> devices = devices_of(variant());
        std::erase_if(devices, [&](gpu::DeviceContext* device) {
            if (takes(variant(), problem, *device)) return false;
            EXPECT_THROW(sum_on(*device, variant(), problem), Error);
            return true;
        });
        return devices;
    }

    void expect_right(const SumProblem& problem, const std::map<std::string, std::string>& defines = {}) {
        const bool single = problem.settings().precision == Precision::f32;
        ASSERT_FALSE(test_devices().empty());
        const std::vector<gpu::DeviceContext*> devices = devices_for(problem);
        if (devices.empty()) return;
        const ks::Run exact = host_sum(problem, "host.reference");
        for (gpu::DeviceContext* device : devices) {
            const ks::Run run = sum_on(*device, variant(), problem, defines);
            const SumErrors errors = errors_of(problem, run);
            EXPECT_EQ(errors.targets, problem.n_targets());
            EXPECT_LE(errors.scaled, single ? 1e-6 : 1e-14)
                << problem.n_targets() << " x " << problem.n_sources() << ", " << problem.n_vectors()
                << " vectors, " << stems_of(problem)[errors.stem] << " of target " << errors.worst;
            EXPECT_EQ(run.result.facts.at("skipped_pairs"), exact.result.facts.at("skipped_pairs"));
        }
    }
};

/// A kernel with real or complex weights in a precision, and with how many vectors it is tried.
struct Kind {
    Kernel kernel;
    bool complex_weights;
    Precision precision;
    std::vector<std::size_t> vectors;
};

/// Of variants whose sums are those of the definition: what approximates has tests of its own.
#define KS_FOR_PARTICLE_VARIANTS(suite)                                                                      \
    INSTANTIATE_TEST_SUITE_P(Variants, suite, ::testing::ValuesIn(particles_ids([](const Variant& variant) { \
                                 return !ks::particles::is_approximate(variant);                             \
                             })),                                                                            \
                             name_of_variant)

}  // namespace ks::tests
