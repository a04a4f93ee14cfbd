#pragma once

#include "core/run/host_backend.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// "host.fft": the sums of products of all delays by Fourier transforms in double precision. Each pair of
/// pixels is one complex series, filled with zeros, and is transformed once; power spectra are summed per bin
/// and transformed back once. Whole counts have whole sums: these are rounded to integers, and so exact,
/// where a bound shows that the error is below one quarter; the fact "exact_sums" is true if it is so in all
/// bins. g2_err needs every pair of frames by itself and is NaN.
Result run_fft(const CorrelationProblem& problem, HostContext& context);

}  // namespace ks::xpcs
