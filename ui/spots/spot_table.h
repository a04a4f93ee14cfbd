#pragma once

#include <memory>
#include <vector>

#include "core/run/run.h"
#include "ui/base/filtered_table.h"
#include "ui/spots/spot_table_model.h"

class QCheckBox;

namespace ks::ui::spots {

/// The table of the spots of one run with a row of filters above. A spot is its index in the result's table;
/// frames are numbers in the file.
class SpotTable : public FilteredTable {
    Q_OBJECT
  public:
    explicit SpotTable(QWidget* parent = nullptr);

    /// Null: an empty table that says what to do. Filters, order and shown columns stay. Throws
    /// ks::Error(run) where the result has no whole table of spots; the table is empty then.
    void setResult(std::shared_ptr<const Run> run);
    const std::vector<ks::spots::Spot>& spots() const { return model_->spots(); }
    /// The frame on the screen, for "this frame only": spots that have a signal pixel there.
    void setFrame(int frame);

    /// Spots that pass the filters, in the order of the rows.
    const std::vector<int>& visibleSpots() const { return model_->rows(); }
    void setKeptOnly(bool on);
    void setFrameOnly(bool on);
    bool keptOnly() const;
    bool frameOnly() const;

    SpotTableModel& model() { return *model_; }
    QSize sizeHint() const override { return {560, 260}; }

  signals:
    /// The set of rows is another one, or their order.
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
