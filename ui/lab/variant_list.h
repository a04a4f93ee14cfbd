#pragma once

#include <QWidget>
#include <vector>

#include "ui/lab/variant_list_model.h"

class QLayout;
class QTableView;

namespace ks::ui::lab {

/// The variants of an analysis with ticks, and with buttons and a menu that tick several at once. Space ticks
/// or unticks all selected rows.
class VariantList : public QWidget {
    Q_OBJECT
  public:
    explicit VariantList(QWidget* parent = nullptr);
    ~VariantList() override;

    VariantListModel& model() { return *model_; }
    QTableView& table() { return *table_; }

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    void buildTable();
    QLayout* makeButtons();
    std::vector<int> selected() const;

    VariantListModel* model_;
    QTableView* table_;
};

}  // namespace ks::ui::lab
