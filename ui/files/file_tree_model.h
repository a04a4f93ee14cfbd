#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <QStringList>
#include <memory>

#include "core/io/open_frames.h"

namespace ks::ui {

/// The objects of one file as a tree: name and content ("500 x 201 x 241 u8", "0.59 angstrom", "->
/// missing.h5"). The tree is immutable; setTree replaces it as a whole.
class FileTreeModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Column { NameColumn, DetailColumn, ColumnCount };
    enum Role { PathRole = Qt::UserRole, FramesRole, LabelsRole };

    explicit FileTreeModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

    /// @param fileName shown as the only top-level row
    void setTree(io::FileNode root, const QString& fileName);
    void clear();

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    // io::FileNode has no parent link; these nodes mirror it with parent and row.
    struct Node {
        const io::FileNode* file = nullptr;
        Node* parent = nullptr;
        int row = 0;
        std::vector<std::unique_ptr<Node>> children;
    };
    static void mirror(Node& node);
    static Node* nodeOf(const QModelIndex& index) { return static_cast<Node*>(index.internalPointer()); }

    std::unique_ptr<io::FileNode> root_;
    std::unique_ptr<Node> top_;
    QString fileName_;
};

/// Paths of the datasets of a tree that can be a partition: integers of rank 2.
QStringList labelPaths(const io::FileNode& node);
/// "500 x 201 x 241 u8" for a dataset, the value of a scalar, the target of a dangling link.
QString detailOf(const io::FileNode& node);

}  // namespace ks::ui
