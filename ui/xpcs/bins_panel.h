#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/xpcs/bin_table_model.h"

class QLabel;
class QTableView;

namespace ks::ui::xpcs {

/// The table of bins with its switches; those without a pixel are one line below it.
class BinsPanel : public QWidget {
    Q_OBJECT
  public:
    explicit BinsPanel(QWidget* parent = nullptr);

    BinTableModel& model() { return model_; }
    const BinTableModel& model() const { return model_; }
    QTableView& view() { return *view_; }
    void select(int label);
    /// The column of azimuths, of use with sectors only.
    void setPhiVisible(bool visible);

    /// What is said of bins without pixels beside their number; before the model gets them.
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
