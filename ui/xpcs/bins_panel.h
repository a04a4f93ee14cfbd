#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/xpcs/bin_table_model.h"

class QLabel;
class QTableView;

namespace ks::ui::xpcs {

/// The table of bins with their on/off states; one line below it lists bins without pixels.
class BinsPanel : public QWidget {
    Q_OBJECT
  public:
    explicit BinsPanel(QWidget* parent = nullptr);

    BinTableModel& model() { return model_; }
    const BinTableModel& model() const { return model_; }
    QTableView& view() { return *view_; }
    void select(int label);
    /// The column of azimuths, useful only with sectors.
    void setPhiVisible(bool visible);

    /// Explanations for bins without pixels, shown with their number. Call before the model gets the bins.
    void setWhyEmpty(const QStringList& reasons) { whyEmpty_ = reasons; }

  signals:
    void picked(int label);

  private:
    BinTableModel model_;
    void hideEmpty();

    QTableView* view_;
    QLabel* empty_;
    QStringList whyEmpty_;
};

}  // namespace ks::ui::xpcs
