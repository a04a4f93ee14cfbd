#include "core/run/tables/shown_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ks {
namespace {

struct RateUnit {
    std::string_view key, unit;
};
constexpr std::array rate_units{
    RateUnit{"gigabytes_per_second", "GB/s"}, RateUnit{"gflop_per_second", "GFLOP/s"},
    RateUnit{"frames_per_second", "frames/s"}, RateUnit{"digis_per_second", "digis/s"}};

}  // namespace

std::vector<ShownFact> shown_facts(const Result& result) {
    std::vector<ShownFact> shown;
    for (const auto& [key, value] : result.facts.items()) {
        ShownFact fact{key, value, {}};
        for (const RateUnit& rate : rate_units)
            if (key.ends_with(rate.key)) {
                fact.unit = rate.unit;
                fact.name.resize(key.size() - rate.key.size());  // "private_" or nothing
                fact.name = fact.name.empty() ? "rate" : fact.name.substr(0, fact.name.size() - 1);
            }
        std::ranges::replace(fact.name, '_', ' ');
        shown.push_back(std::move(fact));
    }
    return shown;
}

}  // namespace ks
