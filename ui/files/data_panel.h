#pragma once

#include <QWidget>

#include "ui/files/file_tree_model.h"
#include "ui/files/open_file.h"

class QSplitter;
class QTreeView;
class QVBoxLayout;

namespace ks::ui {

/// What the open file holds: its tree, and below what the page adds (geometry, bins).
class DataPanel : public QWidget {
    Q_OBJECT
  public:
    explicit DataPanel(QWidget* parent = nullptr);

    void setFile(const OpenFile& file);
    /// No file is shown.
    void clear();
    /// Stands above the tree.
    void addHeader(QWidget* widget);
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
    QWidget* pages_;
    QVBoxLayout* pageRows_;
    QSplitter* splitter_;
};

}  // namespace ks::ui
