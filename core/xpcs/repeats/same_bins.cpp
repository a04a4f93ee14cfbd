#include "core/xpcs/repeats/same_bins.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ks::xpcs {
namespace {

constexpr double sameness = 1e-3;  // of q, relative

std::span<const std::int32_t> labels_in(const Result& result) {
    const Dataset* const found = result.find("labels");
    if (!found || found->values.type() != ElementType::i32) return {};
    return found->values.as<std::int32_t>();
}

std::vector<double> q_of(const Result& result) {
    const Dataset* const found = result.find("q");
    return found ? found->values.to_doubles() : std::vector<double>();
}

bool is_same(double q, double other) {
    return std::abs(q - other) <= sameness * std::max(std::abs(q), std::abs(other));
}

bool has_other_map(const Result& first, const Result& other) {
    const auto mine = first.facts.find(bins_hash), its = other.facts.find(bins_hash);
    return mine != first.facts.end() && its != other.facts.end() && *mine != *its;
}

std::string why_other_pixels(std::span<const std::int32_t> first, std::span<const std::int32_t> other) {
    if (first.empty() || first.size() != other.size()) return {};
    // [bin]: pixels of the first one, of the other one, of both
    struct Pixels {
        std::size_t first = 0, other = 0, both = 0;
    };
    std::vector<Pixels> bins;
    const auto bin = [&bins](std::int32_t label) -> Pixels& {
        const auto at = static_cast<std::size_t>(std::max(label, 0));
        if (at >= bins.size()) bins.resize(at + 1);
        return bins[at];
    };
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] > 0 && other[i] > 0 && first[i] != other[i])
            return fmt::format("a pixel of its bin {} is in bin {} of the first repeat", other[i], first[i]);
        ++bin(first[i]).first;
        ++bin(other[i]).other;
        if (first[i] == other[i]) ++bin(first[i]).both;
    }
    for (std::size_t i = 1; i < bins.size(); ++i)
        if (bins[i].first > 0 && bins[i].other > 0 && bins[i].both == 0)
            return fmt::format("its bin {} has no pixel of that bin of the first repeat", i);
    return {};
}

}  // namespace

std::string why_other_bins(const Result& first, const Result& other) {
    if (std::string why = why_other_pixels(labels_in(first), labels_in(other)); !why.empty()) return why;
    if (has_other_map(first, other)) return "its map of bins is not that of the first repeat";
    const std::vector<double> mine = q_of(first), its = q_of(other);
    for (std::size_t i = 0; i < std::min(mine.size(), its.size()); ++i)
        if (std::isfinite(mine[i]) && std::isfinite(its[i]) && !is_same(mine[i], its[i]))
            return fmt::format(
                "its bin {} is at q {:.6g} 1/angstrom, that of the first repeat at {:.6g} 1/angstrom", i + 1,
                its[i], mine[i]);
    return {};
}

bool has_same_q(const Result& first, const Result& other) {
    const std::vector<double> mine = q_of(first), its = q_of(other);
    return !mine.empty() && !has_other_map(first, other) &&
           std::ranges::equal(mine, its, [](double q, double one) {
               return std::isfinite(q) && std::isfinite(one) && is_same(q, one);
           });
}

}  // namespace ks::xpcs
