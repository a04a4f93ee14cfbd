#include "core/tune/search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/random.h"

namespace ks {
namespace {

std::size_t below(Random& random, std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(n)));
}

std::vector<std::size_t> shuffled(std::size_t n, Random& random) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(random, i)]);
    return order;
}

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) of the logarithm of costs. Where all neighbours
/// are known, it goes on from a configuration that is not.
class Annealing {
  public:
    Annealing(const TuningSpace& space, std::size_t budget, std::uint64_t seed, const CostOf& cost_of)
        : space_(space), budget_(budget), random_(seed, 1), cost_of_(cost_of) {}

    void from(std::size_t start) {
        std::size_t here = start;
        double cost = asked(here);
        while (known_.size() < budget_) {
            const std::size_t next = step(here);
            const double other = asked(next);
            if (!(other > cost) || random_.uniform() < std::exp((cost - other) / temperature())) {
                here = next;
                cost = other;
            }
        }
    }

  private:
    /// A neighbour that is not known yet, where there is one; else any that is not known.
    std::size_t step(std::size_t here) {
        std::vector<std::size_t> fresh;
        for (const std::size_t one : space_.neighbours(here))
            if (!known_.contains(one)) fresh.push_back(one);
        if (!fresh.empty()) return fresh[below(random_, fresh.size())];
        for (std::size_t one = below(random_, space_.size());; one = (one + 1) % space_.size())
            if (!known_.contains(one)) return one;
    }

    /// Of the cost; infinite where there is none.
    double asked(std::size_t configuration) {
        const std::optional<double> cost = cost_of_(configuration);
        return known_[configuration] = cost ? std::log(*cost) : HUGE_VAL;
    }

    /// In logarithms: half again as slow is often taken at first, and 1 % at the end.
    double temperature() const {
        const double gone = static_cast<double>(known_.size()) / static_cast<double>(budget_);
        return 0.4 * std::pow(0.01 / 0.4, gone);
    }

    const TuningSpace& space_;
    std::size_t budget_;
    Random random_;
    const CostOf& cost_of_;
    std::map<std::size_t, double> known_;
};

}  // namespace

const char* name_of(TuneMethod method) {
    switch (method) {
        case TuneMethod::full:
            return "full";
        case TuneMethod::random:
            return "random";
        case TuneMethod::anneal:
            break;
    }
    return "anneal";
}

TuneMethod tune_method_from(const std::string& name) {
    for (const TuneMethod method : {TuneMethod::full, TuneMethod::random, TuneMethod::anneal})
        if (name == name_of(method)) return method;
    throw Error(ErrorKind::input, "expected full, random or anneal, found \"" + name + "\"", "--method");
}

void search(const TuningSpace& space, TuneMethod method, std::size_t budget, std::uint64_t seed,
            std::size_t start, const CostOf& cost_of) {
    const std::size_t most = std::min(budget, space.size());
    if (method == TuneMethod::anneal && most > 0) {
        Annealing(space, most, seed, cost_of).from(start);
        return;
    }
    Random random(seed, 0);
    std::vector<std::size_t> order(space.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (method == TuneMethod::random) order = shuffled(space.size(), random);
    for (std::size_t i = 0; i < most; ++i) cost_of(order[i]);
}

}  // namespace ks
