#include "core/tune/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/run/tables/enum_names.h"
#include "core/run/user/define_words.h"
#include "core/tune/define_rule.h"

namespace ks {
namespace {

constexpr std::size_t most_combinations = 1'000'000;

std::vector<DefineRule> rules_of(const std::vector<std::string>& texts, const std::vector<TuningAxis>& axes,
                                 const Defines& fixed) {
    std::vector<std::string> known;
    for (const TuningAxis& axis : axes) known.push_back(axis.name);
    for (const auto& [name, value] : fixed)
        if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    std::vector<DefineRule> rules;
    rules.reserve(texts.size());
    for (const std::string& text : texts) rules.emplace_back(text, known);
    return rules;
}

/// Advances to the next combination, the last axis first; false after the last one.
bool advance(std::vector<std::size_t>& point, const std::vector<TuningAxis>& axes) {
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        if (++point[axis] < axes[axis].values.size()) return true;
        point[axis] = 0;
    }
    return false;
}

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

TuningSpace::TuningSpace(std::vector<TuningAxis> axes, const std::vector<std::string>& texts,
                         const Defines& fixed)
    : axes_(std::move(axes)) {
    for (const TuningAxis& axis : axes_) {
        if (axis.values.empty()) throw Error(ErrorKind::input, "there are no values to try", axis.name);
        combinations_ *= axis.values.size();
        if (combinations_ > most_combinations)
            throw Error(ErrorKind::input,
                        fmt::format("there are more than {} combinations", most_combinations), "tuning space",
                        "give fewer values with --space");
    }
    const std::vector<DefineRule> rules = rules_of(texts, axes_, fixed);
    std::vector<std::size_t> point(axes_.size());
    do {
        Defines values;
        for (std::size_t i = 0; i < axes_.size(); ++i) values[axes_[i].name] = axes_[i].values[point[i]];
        values.insert(fixed.begin(), fixed.end());
        if (std::ranges::all_of(rules, [&](const DefineRule& rule) { return rule.holds(values); }))
            points_.push_back(point);
    } while (advance(point, axes_));
    if (points_.empty())
        throw Error(
            ErrorKind::input,
            fmt::format("none of the {} combinations satisfies {}", combinations_, fmt::join(texts, ", ")),
            "tuning space", "give other values with --space");
}

Defines TuningSpace::defines(std::size_t configuration) const {
    Defines values;
    for (std::size_t i = 0; i < axes_.size(); ++i)
        values[axes_[i].name] = axes_[i].values[points_.at(configuration)[i]];
    return values;
}

std::vector<std::size_t> TuningSpace::neighbours(std::size_t configuration) const {
    std::vector<std::size_t> found;
    const auto take = [&](const std::vector<std::size_t>& point) {
        const auto at = std::ranges::lower_bound(points_, point);
        if (at != points_.end() && *at == point)
            found.push_back(static_cast<std::size_t>(at - points_.begin()));
    };
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        std::vector<std::size_t> point = points_.at(configuration);
        const std::size_t here = point[i];
        if (here > 0) {
            point[i] = here - 1;
            take(point);
        }
        if (here + 1 < axes_[i].values.size()) {
            point[i] = here + 1;
            take(point);
        }
    }
    return found;
}

std::size_t TuningSpace::nearest(const Defines& wanted) const {
    std::size_t best = 0, most = 0;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        std::size_t same = 0;
        for (const auto& [name, value] : defines(k)) {
            const auto found = wanted.find(name);
            same += found != wanted.end() && found->second == value ? 1 : 0;
        }
        if (same > most) {
            most = same;
            best = k;
        }
    }
    return best;
}

TuningSpace space_of(const Variant& variant, const std::map<std::string, std::vector<std::string>>& given,
                     const std::vector<std::string>& further_rules, const DeviceInfo& device) {
    for (const auto& [name, values] : given)
        for (const std::string& value : values) require_define(variant, name, value);
    std::vector<TuningAxis> axes;
    Defines fixed = limits_of(device);
    for (const DefineSpec& define : variant.defines) {
        const auto own = given.find(define.name);
        const std::vector<std::string>& values = own != given.end() ? own->second : define.allowed;
        std::vector<std::string> shown;
        for (const std::string& value : values) shown.push_back(value_in_words(define, value));
        if (!shown.empty())
            axes.push_back({define.name, std::move(shown)});
        else
            fixed.emplace(define.name, define.default_value);
    }
    if (axes.empty())
        throw variant.defines.empty()
            ? Error(ErrorKind::input, "it has no definitions, so there is nothing to tune", variant.id)
            : Error(ErrorKind::input, "none of its definitions has a list of values", variant.id,
                    "give values with --space NAME=V,V,V");
    std::vector<std::string> rules = variant.rules;
    rules.insert(rules.end(), further_rules.begin(), further_rules.end());
    return TuningSpace(std::move(axes), rules, fixed);
}

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
