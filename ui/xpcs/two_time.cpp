#include "ui/xpcs/two_time.h"

#include <QObject>
#include <algorithm>
#include <cstdint>
#include <utility>

#include "ui/runs/run_source.h"
#include "ui/xpcs/run_curves.h"

namespace ks::ui::xpcs {
namespace {

const std::string mapName = "two_time";

std::shared_ptr<const Run> withMap(const Run& run, const Run& part, int label) {
    const Dataset* found = part.result.find(mapName);
    if (!found)
        throw Error(ErrorKind::run, "the run returned no two-time map of bin " + std::to_string(label), {},
                    "run the default variant");
    if (!sameContents(run, part))
        throw Error(ErrorKind::run, "the data on disk have changed since the run", {}, "run again");
    auto made = std::make_shared<Run>(run);
    made->request.parameters["two_time_bin"] = std::int64_t{label};
    made->verdict = {};
    Result& result = made->result;
    Dataset map = *found;
    map.title = "C(t1, t2) of bin " + std::to_string(label);
    std::erase_if(result.datasets, [](const Dataset& one) { return one.name == mapName; });
    // At the position it has in a run that computed the map directly.
    const auto before = std::ranges::find(result.datasets, "labels", &Dataset::name);
    result.datasets.insert(before, std::move(map));
    result.facts["two_time_bin"] = label;
    made->device_bytes_peak = std::max(run.device_bytes_peak, part.device_bytes_peak);
    return made;
}

std::size_t bytesOf(const TwoTimeMaps::Entry& entry) {
    return entry.map.values.size() * sizeof(double);
}

}  // namespace

bool makesTwoTime(const Variant& variant) {
    // A variant that accepts only runs without a two-time bin.
    return std::ranges::find(variant.takes, "two_time_bin", &Condition::trait) == variant.takes.end();
}

std::optional<Supplement> twoTimeSupplement(const RunRow& row, int label) {
    const Dataset* found = row.run->result.find("labels");
    if (!found || found->values.type() != ElementType::i32) return std::nullopt;
    const auto labels = found->values.as<std::int32_t>();
    std::vector<std::int32_t> alone(labels.size());
    std::ranges::transform(labels, alone.begin(), [label](std::int32_t one) { return one == label ? 1 : 0; });
    if (std::ranges::find(alone, 1) == alone.end()) return std::nullopt;
    Supplement wanted;
    wanted.number = row.number;
    wanted.what = QObject::tr("two-time of bin %1").arg(label);
    wanted.request = row.run->request;
    wanted.request.check = CheckMode::none;
    wanted.request.inputs["partition"] = {
        "bin " + std::to_string(label) + " of run " + std::to_string(row.number),
        Array::of<std::int32_t>(found->values.shape(), alone)};
    wanted.request.parameters["two_time_bin"] = std::int64_t{1};
    wanted.join = [label](const Run& run, const Run& part) { return withMap(run, part, label); };
    return wanted;
}

void TwoTimeMaps::keep(const RunRow& row) {
    const int label = twoTimeBin(*row.run);
    if (label == 0 || find(row.number, label)) return;
    Entry entry{row.number, label, {}, {}};
    std::optional<MapData> map = twoTimeMap(*row.run, &entry.unit);
    if (!map) return;
    entry.map = std::move(*map);
    entries_.push_back(std::move(entry));
    std::size_t bytes = 0;
    for (const Entry& one : entries_) bytes += bytesOf(one);
    while (bytes > limit && entries_.size() > 1) {
        bytes -= bytesOf(entries_.front());
        entries_.pop_front();
    }
}

const TwoTimeMaps::Entry* TwoTimeMaps::find(int number, int label) const {
    const auto at = std::ranges::find_if(
        entries_, [&](const Entry& one) { return one.number == number && one.label == label; });
    return at == entries_.end() ? nullptr : &*at;
}

}  // namespace ks::ui::xpcs
