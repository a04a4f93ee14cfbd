#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <limits>
#include <vector>

class QLabel;
class QTableView;

namespace ks::ui::xpcs {

/// One bin of a partition.
struct BinRow {
    int label = 0;  ///< 1..n
    double q = 0;   ///< 1/angstrom; NaN if unknown
    std::size_t pixels = 0;
    QColor colour;
    bool on = true;
    double phi = 0;  ///< degrees; NaN if unknown
    double counts =
        std::numeric_limits<double>::quiet_NaN();  ///< mean of the displayed frame; NaN if unknown
    QString name = {};                             ///< set by the user; empty: none
    bool operator==(const BinRow&) const = default;
};

/// The bins of a partition: colour and label (or name), q, azimuth, number of pixels, mean counts, and
/// whether the bin is included in the run.
class BinTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { LabelColumn, QColumn, PhiColumn, PixelsColumn, CountsColumn, OnColumn, ColumnCount };

    explicit BinTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Names and on/off states of bins with the same label are kept if `keepSwitches`.
    void setBins(std::vector<BinRow> rows, bool keepSwitches);
    const std::vector<BinRow>& bins() const { return rows_; }
    std::vector<int> labelsOff() const;
    void setAll(bool on);
    /// Turns these labels off and all others on.
    void setOff(const std::vector<int>& labels);
    /// counts[b] belongs to label b + 1.
    void setCounts(const std::vector<double>& counts);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  signals:
    void switched();

  private:
    std::vector<BinRow> rows_;
};

/// The table of bins with their on/off states; one line below it lists bins without pixels.
class BinsPanel : public QWidget {
    Q_OBJECT
  public:
    explicit BinsPanel(QWidget* parent = nullptr);

    BinTableModel& model() { return model_; }
    const BinTableModel& model() const { return model_; }
    QTableView& view() { return *view_; }
    /// 0: none.
    void select(int label);
    /// The column of azimuths, useful only with sectors.
    void setPhiVisible(bool visible);

    /// Explanations for bins without pixels, shown with their number. Call before the model gets the bins.
    void setWhyEmpty(const QStringList& reasons) { whyEmpty_ = reasons; }

  signals:
    /// The user has selected this bin.
    void picked(int label);

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    BinTableModel model_;
    void hideEmpty();
    void pick(int row);
    void follow();

    QTableView* view_;
    QLabel* empty_;
    QStringList whyEmpty_;
    int picked_ = 0;  ///< label; 0: none
    bool pressed_ = false, selecting_ = false;
};

}  // namespace ks::ui::xpcs
