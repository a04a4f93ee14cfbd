#include "ui/clusters/steps/step_trace.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/run/parameter_spec.h"

namespace ks::ui::clusters {
namespace {

[[noreturn]] void unfit(const char* name, const char* message) {
    throw Error(ErrorKind::run, message, name);
}

/// Places [state][digi] of a dataset; empty if it is absent.
std::span<const std::int32_t> states(const Result& result, const char* name, std::size_t digis) {
    const Dataset* found = result.find(name);
    if (!found) return {};
    if (found->values.rank() != 2 || found->values.shape()[1] != digis || found->values.shape()[0] == 0)
        unfit(name, "expected one index per digi and step");
    const auto values = found->values.as<std::int32_t>();
    for (const std::int32_t place : values)
        if (place < 0 || static_cast<std::size_t>(place) >= digis)
            unfit(name, "expected indices of digis, less than the number of digis");
    return values;
}

}  // namespace

bool StepTrace::in(const Run& run) {
    return run.result.find("trace_digis") && optional_integer(run.request.parameters, "record");
}

StepTrace::StepTrace(std::shared_ptr<const Run> run) : run_(std::move(run)) {
    const Result& result = run_->result;
    slot_ = static_cast<std::size_t>(integer(run_->request.parameters, "record"));
    digis_ = result.at("trace_digis").values.as<std::int64_t>();
    const std::size_t n = digis_.size();
    if (n > 0) {
        labels_ = states(result, "trace_labels", n);
        parents_ = states(result, "trace_parents", n);
    }
    prefix_ = result.at("trace_columns").values.as<std::uint32_t>();
    if (prefix_.empty() || prefix_.back() != n || !std::is_sorted(prefix_.begin(), prefix_.end()))
        unfit("trace_columns", "expected cumulative sums that end with the number of digis");
    const Array& lists = result.at("trace_neighbours").values;
    if (lists.rank() != 2 || lists.shape()[0] != n) unfit("trace_neighbours", "expected one list per digi");
    width_ = lists.shape()[1];
    neighbours_ = lists.as<std::int32_t>();
    for (const std::int32_t place : neighbours_)
        if (place < -1 || place >= static_cast<std::int64_t>(n))
            unfit("trace_neighbours", "expected -1 or indices of digis, less than the number of digis");
    for (std::size_t i = 0; i < n; ++i) places_.emplace_back(digis_[i], static_cast<int>(i));
    std::sort(places_.begin(), places_.end());
}

int StepTrace::placeOf(std::int64_t row) const {
    const auto at = std::lower_bound(places_.begin(), places_.end(), std::pair(row, 0));
    return at == places_.end() || at->first != row ? -1 : at->second;
}

std::vector<std::uint32_t> StepTrace::changed(std::size_t round) const {
    std::vector<std::uint32_t> places;
    if (round == 0 || round > rounds()) return places;
    const auto before = labels(round - 1), now = labels(round);
    for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i] != before[i]) places.push_back(static_cast<std::uint32_t>(i));
    return places;
}

std::vector<std::uint32_t> StepTrace::depths(std::size_t step) const {
    constexpr std::uint32_t unknown = 0xffffffff;
    const auto parent = parents(step);
    std::vector<std::uint32_t> depth(parent.size(), unknown);
    std::vector<std::size_t> path;
    for (std::size_t i = 0; i < parent.size(); ++i) {
        path.clear();
        std::size_t at = i;
        while (depth[at] == unknown && static_cast<std::size_t>(parent[at]) != at) {
            path.push_back(at);
            if (path.size() > parent.size()) unfit("trace_parents", "the parents form a cycle");
            at = static_cast<std::size_t>(parent[at]);
        }
        if (depth[at] == unknown) depth[at] = 0;
        std::uint32_t below = depth[at];
        for (auto back = path.rbegin(); back != path.rend(); ++back) depth[*back] = ++below;
    }
    return depth;
}

std::size_t StepTrace::columnOf(std::size_t place) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(prefix_, place) - prefix_.begin()) - 1;
}

std::vector<std::uint32_t> StepTrace::neighbours(std::size_t place) const {
    std::vector<std::uint32_t> touching;
    for (std::size_t other = 0; other < size(); ++other) {
        const auto list = neighbours_.subspan(other * width_, width_);
        if (other == place) {
            for (const std::int32_t one : list)
                if (one >= 0) touching.push_back(static_cast<std::uint32_t>(one));
        } else if (other < place &&
                   std::find(list.begin(), list.end(), static_cast<std::int32_t>(place)) != list.end()) {
            touching.push_back(static_cast<std::uint32_t>(other));
        }
    }
    return touching;
}

}  // namespace ks::ui::clusters
