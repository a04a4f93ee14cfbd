#pragma once

#include <QWidget>

#include "ui/files/file_tree_model.h"
#include "ui/files/open_file.h"

class QSplitter;
class QTreeView;
class QVBoxLayout;

namespace ks::ui {

/// Contents of the open file: its tree, and below it the forms of the page (geometry, bins).
class DataPanel : public QWidget {
    Q_OBJECT
  public:
    explicit DataPanel(QWidget* parent = nullptr);

    void setFile(const OpenFile& file);
    /// Shown if there is no file.
    void clear();
    /// Placed above the tree.
    void addHeader(QWidget* widget);
    void addPageWidget(QWidget* widget);
    /// Null: none of them.
    void showPageWidget(QWidget* widget);
    const FileTreeModel& tree() const { return tree_; }
    QTreeView& view() { return *view_; }

  signals:
    /// Double-click or Enter on a dataset.
    void objectChosen(const QString& path, bool frames);

  private:
    FileTreeModel tree_;
    QTreeView* view_;
    QWidget* pages_;
    QVBoxLayout* pageRows_;
    QSplitter* splitter_;
};

}  // namespace ks::ui
