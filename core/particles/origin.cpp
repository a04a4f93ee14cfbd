#include "core/particles/origin.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/particles/check.h"
#include "core/particles/reference.h"

namespace ks::particles {
namespace {

constexpr std::size_t some_targets = 16, some_sources = 1024, some_centres = 8;

double largest_difference(const Place& a, const Place& b) {
    return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Points evenly spaced among the rows of a problem, in double.
class Sample {
  public:
    explicit Sample(const SumProblem& problem) : problem_(problem) {
        const PointSet& sources = problem.sources();
        const std::size_t step = (sources.size() + some_sources - 1) / some_sources;
        for (std::size_t j = 0; j < sources.size(); j += step) {
            places_.push_back({sources.x[j], sources.y[j], sources.z[j]});
            double size = 0;
            for (std::size_t vector = 0; vector < sources.n_vectors(); ++vector)
                size = std::max(size, std::hypot(sources.re(vector)[j],
                                                 sources.im(vector).empty() ? 0 : sources.im(vector)[j]));
            sizes_.push_back(size);
        }
        const std::size_t targets = problem.n_targets();
        for (std::size_t i = 0; i < std::min(targets, some_targets); ++i)
            targets_.push_back(problem.target(i * targets / std::min(targets, some_targets)));
    }

    /// @param centre of the coordinates
    double loss(const Place& centre) const {
        double largest = 0;
        for (const Place& target : targets_) {
            const double of_target = largest_difference(target, centre);
            double error = 0, terms = 0;
            bool matters = false;
            for (std::size_t j = 0; j < places_.size(); ++j) {
                double r2 = 0;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    r2 += (target[axis] - places_[j][axis]) * (target[axis] - places_[j][axis]);
                if (r2 == 0) continue;
                const TermSizes term = term_sizes(problem_.settings(), r2);
                error += sizes_[j] * term.slope * (of_target + largest_difference(places_[j], centre));
                terms += sizes_[j] * term.size;
                matters |= problem_.settings().singular() || term.size > 1e-3;
            }
            // Rounding error is at most half a unit in the last place, and half of that on average.
            if (matters && terms > 0) largest = std::max(largest, error * 0x1p-25 / terms);
        }
        return largest;
    }

    std::vector<Place> centres() const {
        std::vector<Place> centres = {median_target()};
        const std::size_t count = std::min(targets_.size(), some_centres);
        for (std::size_t i = 0; i < count; ++i) centres.push_back(targets_[i * targets_.size() / count]);
        return centres;
    }

    /// Median distance from a centre, of sources or of targets, whichever is larger.
    double reach(const Place& centre) const {
        double larger = 0;
        for (const std::vector<Place>* points : {&places_, &targets_}) {
            std::vector<double> distances;
            for (const Place& place : *points) distances.push_back(largest_difference(place, centre));
            larger = std::max(larger, median(std::move(distances)));
        }
        return larger;
    }

  private:
    Place median_target() const {
        Place centre{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::vector<double> values;
            for (const Place& target : targets_) values.push_back(target[axis]);
            centre[axis] = median(std::move(values));
        }
        return centre;
    }

    const SumProblem& problem_;
    std::vector<Place> places_, targets_;
    std::vector<double> sizes_;  ///< absolute weights of the sources
};

}  // namespace

Origin local_origin(const SumProblem& problem) {
    const Sample sample(problem);
    Origin best{problem.centre(), problem.half_extent(), sample.loss(problem.centre())};
    if (best.loss <= acceptable_loss / 10) return best;
    for (const Place& centre : sample.centres()) {
        const double loss = sample.loss(centre);
        // Squares of the farthest coordinates must stay finite.
        if (loss < best.loss / 4)
            best = {centre,
                    std::clamp(sample.reach(centre), problem.half_extent() * 0x1p-60, problem.half_extent()),
                    loss};
    }
    return best;
}

}  // namespace ks::particles
