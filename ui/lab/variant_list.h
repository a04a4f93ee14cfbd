#pragma once

#include <QWidget>
#include <vector>

#include "ui/lab/variant_list_model.h"

class QAction;
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
    /// Entries of the menu: ticks for the selected rows first, then the choices of the buttons.
    const QList<QAction*>& menuActions() const { return menu_; }

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    void buildTable();
    QWidget* makeButtons();
    std::vector<int> selected() const;

    VariantListModel* model_;
    QTableView* table_;
    QList<QAction*> menu_;
};

}  // namespace ks::ui::lab
