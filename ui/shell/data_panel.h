#pragma once

#include <QWidget>

#include "ui/models/file_tree_model.h"
#include "ui/shell/open_file.h"

class QLabel;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace ks::ui {

/// What the open file holds: its tree, the geometry, and below what the page adds (the bins).
class DataPanel : public QWidget {
    Q_OBJECT
  public:
    explicit DataPanel(QWidget* parent = nullptr);

    void setFile(const OpenFile& file);
    void addPageWidget(QWidget* widget);
    /// Null: none of them.
    void showPageWidget(QWidget* widget);
    const FileTreeModel& tree() const { return tree_; }
    QTreeView& view() { return *view_; }

  signals:
    /// Double click or Enter on a dataset.
    void objectChosen(const QString& path, bool frames);

  private:
    FileTreeModel tree_;
    QTreeView* view_;
    QLabel* geometry_;
    QStackedWidget* pages_;
    QSplitter* splitter_;
};

/// The geometry as rows "Wavelength 0.59 angstrom" of rich text; says so where it is unknown.
QString geometryText(const std::optional<Geometry>& geometry);

}  // namespace ks::ui
