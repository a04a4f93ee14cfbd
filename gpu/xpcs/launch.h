#pragma once

#include <optional>
#include <vector>

#include "core/xpcs/problem.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/xpcs/frames_on_device.h"
#include "gpu/xpcs/gram_plan.h"

namespace ks::gpu::xpcs {

/// The rows of the table of variants.
std::vector<ClVariant> cl_variants();

/// The published correlators.
Result launch_seed_naive(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);
Result launch_seed_ordered(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);
Result launch_gram_tiled(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);
/// The same, with a product that the device and the counts must have.
OfProblem<Result(LaunchContext&)> launch_gram(GramShape::Product product);
/// The same, but frames are uploaded in the way that `frames` says, not in the way that suits the device.
/// @param only the product; absent: the define PRODUCT or the device decides
Result launch_gram_by_plan(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context,
                           const FramesPlan& frames, std::optional<GramShape::Product> only = {});

/// Multi-tau, as host.multitau; the same bytes for whole counts whose sums are below 2^53.
Result launch_multitau_band(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);
/// Power spectra on the device; their transforms back, and what follows from them, as by host.fft.
Result launch_fft_stockham(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::xpcs
