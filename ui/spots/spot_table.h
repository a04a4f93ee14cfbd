#pragma once

#include <QCheckBox>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/run/run.h"
#include "core/spots/spot.h"
#include "ui/base/column_filter.h"
#include "ui/base/ordered_table_model.h"
#include "ui/base/tables/filtered_table.h"

namespace ks::ui::spots {

/// The spots of a run, one row each. A spot is an index of spots(); the numeric value of its frames is
/// the first one.
class SpotTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    enum Column {
        NumberColumn,  ///< 1 for spot 0
        FramesColumn,  ///< first to last frame, numbered as in the file
        XColumn,
        YColumn,
        ZColumn,
        PixelsColumn,
        SumColumn,
        PeakColumn,
        BackgroundColumn,
        SignificanceColumn,  ///< see significance()
        DColumn,
        QColumn,
        VarXColumn,
        VarYColumn,
        VarZColumn,
        SaturatedColumn,
        KeptColumn,
        ColumnCount
    };
    explicit SpotTableModel(QObject* parent = nullptr);

    /// @param firstFrame number in the file of frame 0 of the spots. All spots are accepted; the
    /// order is kept.
    /// @param gain counts per photon, > 0
    void setSpots(std::vector<ks::spots::Spot> spots, int firstFrame, double gain = 1);
    const std::vector<ks::spots::Spot>& spots() const { return spots_; }
    int firstFrame() const { return firstFrame_; }
    int spotAt(int row) const { return itemAt(row); }

    double number(int spot, int column) const override;
    double lastFrame(int spot) const;  ///< number in the file
    QString text(int spot, int column) const override;
    std::pair<double, double> range(int spot, int column) const override;
    std::vector<std::string> csvKeys(int column) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    std::vector<ks::spots::Spot> spots_;
    int firstFrame_ = 0;
    double gain_ = 1;
};

/// Counts above the background in units of the counting error of the sum: (sum - n background) / sqrt(gain
/// sum). The error of the background is not included. NaN without a background or counts.
/// @param gain counts per photon: sum / gain photons have an error of sqrt(sum / gain)
double significance(const ks::spots::Spot& spot, double gain = 1);

/// In place of the spots of a result that has none. @param wrong the result
QString noSpotsText(bool wrong);

/// Names for conditions on the columns: their keys, and the reasons for dropping a spot ("ice"). A condition
/// on "frame" holds if it holds for any frame of the spot.
FilterNames spotFilterNames();

/// The table of the spots of one run with a row of filters above. A spot is its index in the result's table;
/// frames are numbered as in the file.
class SpotTable : public FilteredTable {
    Q_OBJECT
  public:
    explicit SpotTable(QWidget* parent = nullptr);

    /// Null: an empty table that says what to do. Filters, order and visible columns are kept. Throws
    /// ks::Error(run) if the result has no complete table of spots; the table is then empty.
    /// @param missing what an empty table says if there is no run; empty: how to get one
    void setResult(std::shared_ptr<const Run> run, const QString& missing = {});
    const std::vector<ks::spots::Spot>& spots() const { return model_->spots(); }
    /// The displayed frame, for "this frame only": spots with a signal pixel there; -1: no frame is
    /// displayed, and those of all frames are listed.
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
    void setSpots(std::vector<ks::spots::Spot> spots, int firstFrame, double gain = 1);
    /// Mentions spots of the run that the table does not have, since they were not saved.
    void showLost(const Run* run);
    bool ofFrame() const { return frameOnly() && frame_ >= 0; }
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
