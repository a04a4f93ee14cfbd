#include "core/xpcs/correlators/multitau_sums.h"

#include <algorithm>

namespace ks::xpcs {

MultiTauSums::MultiTauSums(const MultiTau& tau, double pixels)
    : tau_(tau), pixels_(pixels), sums_(tau.levels * tau.channels), levels_(tau.levels) {
    for (Level& level : levels_) level.s.assign(tau.channels, 0);
}

void MultiTauSums::take(std::size_t level, std::span<const double> values) {
    Level& at = levels_[level];
    at.s[at.taken % tau_.channels] = values[0];
    const std::size_t first = tau_.first_steps(level);
    for (std::size_t steps = first; steps <= std::min(at.taken, tau_.channels - 1); ++steps) {
        const double product = values[0] * at.s[(at.taken - steps) % tau_.channels];
        sums_[level * tau_.channels + steps].add(values[1 + steps], product, pixels_);
    }
    ++at.taken;
}

Correlation correlation_of(const CorrelationProblem& problem, const MultiTau& tau,
                           std::span<const MultiTauSums> sums) {
    const QPartition& partition = problem.partition();
    const std::vector<MultiTau::Point> points = tau.points(problem.frames(), problem.delays());
    Correlation out;
    out.bins = partition.bins();
    out.frames = problem.frames();
    for (const MultiTau::Point& point : points) out.delays.push_back(point.delay());
    for (std::size_t bin = 0; bin < out.bins; ++bin)
        for (const MultiTau::Point& point : points) {
            const bool empty = partition.bin_size(bin) == 0;
            out.g2.push_back(empty ? nan_value : sums[bin].at(point).g2());
            out.g2_err.push_back(empty ? nan_value : sums[bin].at(point).g2_err());
        }
    return out;
}

}  // namespace ks::xpcs
