#include "ui/runs/run_choice.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ks::ui {

bool RunChoice::setTicked(std::vector<RunRow> rows) {
    const bool newer = !rows.empty() && (ticked_.empty() || rows.front().number > ticked_.front().number);
    ticked_ = std::move(rows);
    return newer;
}

void RunChoice::replace(const RunRow& row) {
    const auto at = std::ranges::find(ticked_, row.number, &RunRow::number);
    if (at != ticked_.end()) *at = row;
}

std::vector<RunRow> RunChoice::ofData() const {
    std::vector<RunRow> own;
    std::ranges::copy_if(ticked_, std::back_inserter(own),
                         [this](const RunRow& row) { return isOfData(row); });
    return own;
}

bool RunChoice::setPreview(std::shared_ptr<const Run> run) {
    if (!run && !preview_) return false;
    preview_ = std::move(run);
    return true;
}

std::vector<RunRow> RunChoice::shown() const {
    std::vector<RunRow> rows = ofData();
    if (preview_ && ofData_(*preview_)) rows.insert(rows.begin(), RunRow{0, preview_, true, false});
    return rows;
}

}  // namespace ks::ui
