// Searches in a made table of costs, whose optimum is known.

#include "core/tune/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/base/error.h"

namespace {

using namespace ks;

/// 12 x 12 x 5 values; a valley whose floor is at (9, 3, 1), with ripples, and what cannot be used.
class MadeCosts {
  public:
    MadeCosts() : space_({axis("A", 12), axis("B", 12), axis("C", 5)}, {}, {}) {}

    const TuningSpace& space() const { return space_; }
    CostOf cost_of() {
        return [this](std::size_t configuration) -> std::optional<double> {
            ++asked_[configuration];
            const std::optional<double> cost = at(space_.defines(configuration));
            if (cost && (!best_ || *cost < *best_)) best_ = cost;
            return cost;
        };
    }
    std::optional<double> best() const { return best_; }
    const std::map<std::size_t, int>& asked() const { return asked_; }

    static constexpr double optimum = 2;

  private:
    static TuningAxis axis(const char* name, int values) {
        TuningAxis made{name, {}};
        for (int i = 0; i < values; ++i) made.values.push_back(std::to_string(i));
        return made;
    }
    static std::optional<double> at(const Defines& defines) {
        const int a = std::stoi(defines.at("A")), b = std::stoi(defines.at("B")),
                  c = std::stoi(defines.at("C"));
        if (a == b) return std::nullopt;
        return optimum + 0.3 * std::abs(a - 9) + 0.2 * std::abs(b - 3) + 0.5 * std::abs(c - 1) +
               (a + b) % 2 * 0.15;
    }

    TuningSpace space_;
    std::map<std::size_t, int> asked_;
    std::optional<double> best_;
};

TEST(Search, full_reaches_the_optimum_and_asks_once) {
    MadeCosts made;
    search(made.space(), TuneMethod::full, 1'000'000, 1, 0, made.cost_of());
    EXPECT_EQ(made.asked().size(), made.space().size());
    for (const auto& [configuration, times] : made.asked()) EXPECT_EQ(times, 1) << configuration;
    EXPECT_DOUBLE_EQ(*made.best(), MadeCosts::optimum);
}

TEST(Search, anneal_reaches_the_optimum_in_a_quarter_of_the_space) {
    int reached = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        MadeCosts made;
        search(made.space(), TuneMethod::anneal, 180, seed, 0, made.cost_of());
        EXPECT_EQ(made.asked().size(), 180U);
        for (const auto& [configuration, times] : made.asked()) EXPECT_EQ(times, 1) << configuration;
        reached += *made.best() < MadeCosts::optimum + 0.01 ? 1 : 0;
    }
    EXPECT_GE(reached, 18);  // by chance alone a quarter would
}

TEST(Search, random_asks_for_so_many_and_for_all_where_the_budget_allows) {
    MadeCosts some, all;
    search(some.space(), TuneMethod::random, 100, 1, 0, some.cost_of());
    EXPECT_EQ(some.asked().size(), 100U);
    search(all.space(), TuneMethod::random, 5000, 1, 0, all.cost_of());
    EXPECT_EQ(all.asked().size(), all.space().size());
    EXPECT_DOUBLE_EQ(*all.best(), MadeCosts::optimum);
}

TEST(Search, the_seed_decides_what_is_asked) {
    for (const TuneMethod method : {TuneMethod::random, TuneMethod::anneal}) {
        MadeCosts first, same, other;
        search(first.space(), method, 50, 1, 7, first.cost_of());
        search(same.space(), method, 50, 1, 7, same.cost_of());
        search(other.space(), method, 50, 2, 7, other.cost_of());
        EXPECT_EQ(first.asked(), same.asked());
        EXPECT_NE(first.asked(), other.asked());
    }
}

TEST(Search, ends_where_nothing_can_be_used) {
    MadeCosts made;
    std::set<std::size_t> asked;
    search(made.space(), TuneMethod::anneal, 10'000, 1, 0, [&](std::size_t i) -> std::optional<double> {
        asked.insert(i);
        return std::nullopt;
    });
    EXPECT_EQ(asked.size(), made.space().size());
}

TEST(Search, knows_its_methods_by_name) {
    for (const TuneMethod method : {TuneMethod::full, TuneMethod::random, TuneMethod::anneal})
        EXPECT_EQ(tune_method_from(name_of(method)), method);
    EXPECT_THROW(tune_method_from("genetic"), Error);
}

}  // namespace
