#include "core/run/tuning_table.h"

#include <utility>

namespace ks {
namespace {

bool is_type(const std::string& device) {
    return device == "CPU" || device == "GPU" || device == "accelerator" || device == "host";
}

/// -1: no match; more is more specific: name 4, type 2, any 0; plus 1 where the element type is given.
int specificity(const TuningRow& row, const DeviceInfo& device, ElementType element,
                const std::string& work) {
    if (!row.work.empty() && row.work != work) return -1;
    int score = 0;
    if (is_type(row.device)) {
        if (row.device != device.type) return -1;
        score = 2;
    } else if (!row.device.empty()) {
        if (!device.name_contains(row.device)) return -1;
        score = 4;
    }
    if (row.element.empty()) return score;
    return row.element == name_of(element) ? score + 1 : -1;
}

}  // namespace

std::map<std::string, std::string> tuned(const TuningTable& rows, const DeviceInfo& device,
                                         ElementType element, const std::string& work) {
    std::map<std::string, std::pair<int, std::string>> best;
    for (const TuningRow& row : rows) {
        const int score = specificity(row, device, element, work);
        if (score < 0) continue;
        for (const auto& [name, value] : row.defines) {
            const auto [place, is_new] = best.try_emplace(name, score, value);
            if (!is_new && score >= place->second.first) place->second = {score, value};
        }
    }
    std::map<std::string, std::string> defines;
    for (const auto& [name, scored] : best) defines[name] = scored.second;
    return defines;
}

}  // namespace ks
