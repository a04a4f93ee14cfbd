#include "ui/spots/spot_table.h"

#include <algorithm>
#include <cmath>

#include "core/spots/results/spot_columns.h"
#include "ui/base/json_read.h"

namespace ks::ui::spots {

SpotTable::SpotTable(QWidget* parent) : SpotTable(new SpotTableModel, parent) {}

SpotTable::SpotTable(SpotTableModel* model, QWidget* parent)
    : FilteredTable(*model, spotFilterNames(),
                    {tr("Spots"), tr("spots"),
                     tr("Conditions separated by commas; a row must meet all of them. Example: sum > 500, 2 "
                        "< d < 3, frame 10..20, ice.\nFrames are counted from 0. The tooltip of a column "
                        "gives the name to use here."),
                     QStringLiteral("spots"), tr("spot")},
                    parent),
      model_(model),
      kept_(new QCheckBox(tr("&Kept only"), this)),
      here_(new QCheckBox(tr("This &frame"), this)) {
    // After the view among the children, so that it is destroyed later.
    model_->setParent(this);
    kept_->setChecked(true);
    kept_->setToolTip(tr("Hide spots that were dropped (too small, too large, on an ice ring, ...)"));
    here_->setToolTip(tr("Only spots with a signal pixel in the displayed frame"));
    addChoice(kept_);
    addChoice(here_);
    chooseSpots();
    chooseColumns();
    setResult(nullptr);
    connect(this, &FilteredTable::rowsChanged, this, &SpotTable::visibleSpotsChanged);
    connect(kept_, &QCheckBox::toggled, this, [this] {
        chooseColumns();  // reason for dropping a spot
        countAll();
        chooseSpots();
        remember();
    });
    connect(here_, &QCheckBox::toggled, this, [this] {
        chooseSpots();
        remember();
    });
}

nlohmann::json SpotTable::keep() const {
    nlohmann::json kept = FilteredTable::keep();
    if (!keptOnly()) kept["dropped"] = true;
    if (frameOnly()) kept["frame"] = true;
    return kept;
}

void SpotTable::bringBack(const nlohmann::json& kept) {
    FilteredTable::bringBack(kept);
    setKeptOnly(!jsonBoolean(kept, "dropped"));
    setFrameOnly(jsonBoolean(kept, "frame"));
}

void SpotTable::setResult(std::shared_ptr<const Run> run) {
    std::vector<ks::spots::Spot> found;
    int first = 0;
    const QString missing = tr("Press Run (F5) to search for spots.");
    try {
        if (run) {
            found = ks::spots::spots_of(run->result);
            first = run->result.facts.value("first_frame", 0);
        }
    } catch (const Error&) {
        setSpots({}, 0);
        refresh(missing);
        throw;
    }
    setSpots(std::move(found), first);
    refresh(run ? tr("No spots found: lower the thresholds or the minimum size.") : missing, run != nullptr);
}

void SpotTable::setSpots(std::vector<ks::spots::Spot> spots, int firstFrame) {
    using Spot = ks::spots::Spot;
    const auto any = [&](const auto& holds) { return std::any_of(spots.begin(), spots.end(), holds); };
    located_ = any([](const Spot& s) { return std::isfinite(s.d); });
    deep_ = any([](const Spot& s) { return s.z1 > s.z0 + 1; });
    dropped_ = any([](const Spot& s) { return s.dropped != ks::spots::Dropped::kept; });
    saturated_ = any([](const Spot& s) { return s.saturated > 0; });
    model_->setSpots(std::move(spots), firstFrame);
    holdAccepted(accepted(), noneLeft());
    countAll();
}

// Dropped spots cannot be chosen while they are hidden.
void SpotTable::countAll() {
    const auto& all = spots();
    const auto kept = [](const ks::spots::Spot& s) { return s.dropped == ks::spots::Dropped::kept; };
    setTotal(keptOnly() ? std::optional(static_cast<std::size_t>(std::ranges::count_if(all, kept)))
                        : std::nullopt);
}

QString SpotTable::noneLeft() const {
    return keptOnly() || frameOnly() ? tr("No spot passes the filters.") : QString();
}

std::function<bool(int)> SpotTable::accepted() const {
    if (!keptOnly() && !frameOnly()) return {};
    return [this](int spot) {
        const ks::spots::Spot& s = spots()[static_cast<std::size_t>(spot)];
        if (keptOnly() && s.dropped != ks::spots::Dropped::kept) return false;
        const std::int64_t frame = std::int64_t{frame_} - model_->firstFrame();
        return !frameOnly() || (frame >= s.z0 && frame < s.z1);
    };
}

void SpotTable::chooseSpots() {
    setAccepted(accepted(), noneLeft());
}

void SpotTable::chooseColumns() {
    setShownColumns([this](int column) {
        switch (column) {
            case SpotTableModel::DColumn:
                return located_;
            case SpotTableModel::QColumn:  // equivalent to d
                return false;
            case SpotTableModel::ZColumn:
            case SpotTableModel::VarZColumn:
                return deep_;
            case SpotTableModel::KeptColumn:
                return dropped_ && !keptOnly();
            case SpotTableModel::SaturatedColumn:
                return saturated_;
            default:
                return true;
        }
    });
}

void SpotTable::setFrame(int frame) {
    if (frame_ == frame) return;
    frame_ = frame;
    if (frameOnly()) chooseSpots();
}

}  // namespace ks::ui::spots
