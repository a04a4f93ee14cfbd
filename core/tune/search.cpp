#include "core/tune/search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/run/tables/enum_names.h"

namespace ks {
namespace {

constexpr EnumNames<TuneMethod, 3> tune_methods{{"full", "random", "anneal"}};

std::size_t below(Random& random, std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(n)));
}

std::vector<std::size_t> shuffled(std::size_t n, Random& random) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(random, i)]);
    return order;
}

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) of the logarithm of costs: usually to a
/// neighbour, occasionally to any configuration, since unusable ones may divide the space. Revisiting known
/// configurations is free.
class Annealing {
  public:
    Annealing(const TuningSpace& space, std::size_t budget, std::uint64_t seed, const CostOf& cost_of)
        : space_(space), budget_(budget), random_(seed, 1), cost_of_(cost_of) {}

    void from(std::size_t start) {
        std::size_t here = start, idle = 0;
        double cost = asked(here);
        while (known_.size() < budget_) {
            const std::size_t before = known_.size();
            const bool anywhere = idle > most_idle || random_.uniform() < far;
            const std::size_t next = anywhere ? unknown() : neighbour(here);
            const double other = asked(next);
            idle = known_.size() > before ? 0 : idle + 1;
            if (!(other > cost) || random_.uniform() < std::exp((cost - other) / temperature())) {
                here = next;
                cost = other;
            }
        }
    }

  private:
    static constexpr double far = 0.15, warm = 0.1, cold = 0.005;
    static constexpr std::size_t most_idle = 30;

    std::size_t neighbour(std::size_t here) {
        const std::vector<std::size_t> near = space_.neighbours(here);
        return near.empty() ? unknown() : near[below(random_, near.size())];
    }

    std::size_t unknown() {
        std::size_t one = below(random_, space_.size());
        while (known_.contains(one)) one = (one + 1) % space_.size();
        return one;
    }

    /// Logarithm of the cost; infinite where there is none.
    double asked(std::size_t configuration) {
        if (const auto known = known_.find(configuration); known != known_.end()) return known->second;
        const std::optional<double> cost = cost_of_(configuration);
        return known_[configuration] = cost ? std::log(*cost) : HUGE_VAL;
    }

    /// In logarithms: a step to 10 % slower is often accepted at first, and rarely at the end.
    double temperature() const {
        const double gone = static_cast<double>(known_.size()) / static_cast<double>(budget_);
        return warm * std::pow(cold / warm, gone);
    }

    const TuningSpace& space_;
    std::size_t budget_;
    Random random_;
    const CostOf& cost_of_;
    std::map<std::size_t, double> known_;
};

}  // namespace

const char* name_of(TuneMethod method) {
    return tune_methods.of(method);
}

TuneMethod tune_method_from(const std::string& name) {
    return tune_methods.from(name, ErrorKind::input, "--method");
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
