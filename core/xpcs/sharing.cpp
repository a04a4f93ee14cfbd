#include "core/xpcs/sharing.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ks::xpcs {
namespace {

/// Where the bins of each unit begin, and where the last ones end.
std::vector<std::size_t> begins_of_units(const CorrelationProblem& problem) {
    std::vector<std::size_t> begins{0};
    const std::size_t bins = problem.partition().bins();
    for (std::size_t bin = 0; bin < bins; ++bin)
        if (problem.partition().bin_size(bin) > 0) begins.push_back(bin + 1);
    if (begins.size() > 1) begins.back() = bins;
    return begins;
}

/// Whether every part reads the frames anew.
bool reads_again(const CorrelationProblem& problem) {
    return problem.resident().empty();
}

}  // namespace

ShareUnits units_of(const CorrelationProblem& problem) {
    ShareUnits units{.name = "bins", .rounded = true, .reads_all = reads_again(problem)};
    const std::vector<std::size_t> begins = begins_of_units(problem);
    units.count = begins.size() - 1;
    for (std::size_t unit = 0; unit < units.count; ++unit) {
        const auto& offsets = problem.partition().offsets();
        units.work.push_back(static_cast<double>(offsets[begins[unit + 1]] - offsets[begins[unit]]));
    }
    return units;
}

std::shared_ptr<const Problem> part_of(const std::shared_ptr<const CorrelationProblem>& whole,
                                       std::size_t first, std::size_t end) {
    const std::vector<std::size_t> begins = begins_of_units(*whole);
    return whole->part(begins[first], begins[end]);
}

Result part_result(const Correlation& correlation) {
    Result result;
    const auto put = [&](const char* name, const std::vector<double>& values, std::size_t rows) {
        result.datasets.push_back(
            {name, name, "", DataKind::overlay, Array::of<double>({rows, correlation.frames}, values)});
    };
    put("g2", correlation.g2, correlation.bins);
    put("g2_err", correlation.g2_err, correlation.bins);
    if (!correlation.two_time.empty()) put("two_time", correlation.two_time, correlation.frames);
    return result;
}

Result joined_bins(const CorrelationProblem& whole, std::vector<PartResult> parts, std::vector<Timing>&) {
    if (parts.size() == 1) return std::move(parts.front().result);
    Correlation all{
        .bins = whole.partition().bins(), .frames = whole.frames(), .g2 = {}, .g2_err = {}, .two_time = {}};
    const auto append = [](std::vector<double>& to, const Dataset& dataset) {
        const auto values = dataset.values.as<double>();
        to.insert(to.end(), values.begin(), values.end());
    };
    all.g2.reserve(all.bins * all.frames);
    all.g2_err.reserve(all.bins * all.frames);
    for (const PartResult& part : parts) {
        append(all.g2, part.result.at("g2"));
        append(all.g2_err, part.result.at("g2_err"));
        if (const Dataset* map = part.result.find("two_time")) append(all.two_time, *map);
    }
    Result result = to_result(all, whole);
    if (const auto product = parts.front().result.facts.find("product");
        product != parts.front().result.facts.end())
        result.facts["product"] = *product;
    if (reads_again(whole))
        result.warnings.push_back(fmt::format(
            "the frames, which do not stay in memory, were read {} times: once by each part", parts.size()));
    return result;
}

}  // namespace ks::xpcs
