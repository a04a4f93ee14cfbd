#pragma once

#include <QCheckBox>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/run/run.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/spots/spot_table_model.h"

namespace ks::ui::spots {

/// The table of the spots of one run with a row of filters above. A spot is its index in the result's table;
/// frames are numbered as in the file.
class SpotTable : public FilteredTable {
    Q_OBJECT
  public:
    explicit SpotTable(QWidget* parent = nullptr);

    /// Null: an empty table that says what to do. Filters, order and visible columns are kept. Throws
    /// ks::Error(run) if the result has no complete table of spots; the table is then empty.
    void setResult(std::shared_ptr<const Run> run);
    const std::vector<ks::spots::Spot>& spots() const { return model_->spots(); }
    /// The displayed frame, for "this frame only": spots with a signal pixel there.
    void setFrame(int frame);

    /// Spots that pass the filters, in row order.
    const std::vector<int>& visibleSpots() const { return model_->rows(); }
    void setKeptOnly(bool on) { kept_->setChecked(on); }
    void setFrameOnly(bool on) { here_->setChecked(on); }
    bool keptOnly() const { return kept_->isChecked(); }
    bool frameOnly() const { return here_->isChecked(); }

    nlohmann::json keep() const override;
    void bringBack(const nlohmann::json& kept) override;

    SpotTableModel& model() { return *model_; }
    QSize sizeHint() const override { return {560, 260}; }

  signals:
    /// The set of rows or their order has changed.
    void visibleSpotsChanged();

  private:
    explicit SpotTable(SpotTableModel* model, QWidget* parent);
    void setSpots(std::vector<ks::spots::Spot> spots, int firstFrame);
    std::function<bool(int spot)> accepted() const;  ///< empty: all
    QString noneLeft() const;
    void chooseSpots();
    void countAll();
    void chooseColumns();

    SpotTableModel* model_;
    bool located_ = false, deep_ = false, dropped_ = false, saturated_ = false;  ///< any spot is
    int frame_ = -1;
    QCheckBox *kept_, *here_;
};

}  // namespace ks::ui::spots
