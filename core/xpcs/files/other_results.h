#pragma once

#include <filesystem>

#include "core/run/run.h"

namespace ks::xpcs {

// g2 that other programs computed, in the layouts of
// - APS 8-ID (boost_corr, pyXpcsViewer): /xpcs/multitau with /xpcs/qmap, and the one of earlier years with
//   /exchange/norm-0-g2, /exchange/tau and /xpcs/dqlist;
// - ESRF (dynamix, XPCSUtilities): /entry_0000/correlations/NAME/g2, and the one of earlier versions with
//   /entry_0000/dynamix/correlations/directions/NAME/correlation.

/// Whether the file has g2 in one of these layouts.
bool is_other_result(const std::filesystem::path& file);

/// Its curves as a run that was made_elsewhere(): "g2" and "g2_err" [bin][delay], "label", "delay" (frames),
/// "delay_time" (s, if known), "q" (1/angstrom) and "phi" (degrees), NaN where unknown. Errors that the file
/// does not have are NaN, and the run says that it lacks them. Values at delay 0 are NaN unless the file has
/// it. "delay_pairs" are the pairs of frames at each delay, of sums of frames where the delays are those of
/// multi-tau; where the file does not say how many frames it is from, of as few as its delays allow, which a
/// warning says. q without a unit is taken as 1/angstrom, which a warning says. Delays in seconds are given
/// in multiples of the smallest one above 0, too. The correlations of several directions are the bins of one
/// run, one after the other, without those that have other delays; a warning names these. Throws
/// ks::Error(input): a part is missing, has another shape or rank, a delay is negative or not a number, or
/// delays do not ascend.
Run read_other_result(const std::filesystem::path& file);

}  // namespace ks::xpcs
