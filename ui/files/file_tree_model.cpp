#include "ui/files/file_tree_model.h"

#include <QColor>
#include <QFont>

namespace ks::ui {
namespace {

bool isLabels(const io::FileNode& node) {
    return node.kind == io::FileNode::Kind::dataset && node.shape.size() == 2 &&
           (node.type.starts_with('u') || node.type.starts_with('i'));
}

}  // namespace

QStringList labelPaths(const io::FileNode& node) {
    QStringList paths;
    if (isLabels(node)) paths << QString::fromStdString(node.path);
    for (const auto& child : node.children) paths += labelPaths(child);
    return paths;
}

QString detailOf(const io::FileNode& node) {
    using Kind = io::FileNode::Kind;
    if (node.kind == Kind::missing)
        return FileTreeModel::tr("missing: %1").arg(QString::fromStdString(node.type));
    if (node.kind == Kind::group) return QString::fromStdString(node.nx_class);
    if (!node.value.empty()) return QString::fromStdString(node.value);
    QStringList sizes;
    for (const std::size_t n : node.shape) sizes << QString::number(n);
    const QString type = QString::fromStdString(node.type);
    return sizes.isEmpty() ? type : sizes.join(QStringLiteral(" \u00d7 ")) + ' ' + type;
}

void FileTreeModel::mirror(Node& node) {
    int row = 0;
    for (const auto& child : node.file->children) {
        auto made = std::make_unique<Node>();
        made->file = &child;
        made->parent = &node;
        made->row = row++;
        mirror(*made);
        node.children.push_back(std::move(made));
    }
}

void FileTreeModel::setTree(io::FileNode root, const QString& fileName) {
    beginResetModel();
    root_ = std::make_unique<io::FileNode>(std::move(root));
    top_ = std::make_unique<Node>();
    top_->file = root_.get();
    mirror(*top_);
    fileName_ = fileName;
    endResetModel();
}

void FileTreeModel::clear() {
    beginResetModel();
    top_.reset();
    root_.reset();
    fileName_.clear();
    endResetModel();
}

QModelIndex FileTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    if (!parent.isValid()) return createIndex(row, column, top_.get());
    return createIndex(row, column, nodeOf(parent)->children[static_cast<std::size_t>(row)].get());
}

QModelIndex FileTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    Node* up = nodeOf(child)->parent;
    return up ? createIndex(up->row, 0, up) : QModelIndex{};
}

int FileTreeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return top_ ? 1 : 0;
    return parent.column() == 0 ? static_cast<int>(nodeOf(parent)->children.size()) : 0;
}

int FileTreeModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

QVariant FileTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Node& node = *nodeOf(index);
    const io::FileNode& file = *node.file;
    switch (role) {
        case Qt::DisplayRole:
            if (index.column() == DetailColumn) return detailOf(file);
            return node.parent ? QString::fromStdString(file.name) : fileName_;
        case Qt::ToolTipRole: {
            QStringList lines{QString::fromStdString(file.path), detailOf(file)};
            if (!file.layout.empty()) lines << QString::fromStdString(file.layout);
            if (file.frames) lines << tr("Double-click to open as frames");
            return lines.join('\n');
        }
        case Qt::FontRole: {
            QFont font;
            font.setBold(file.frames);
            return font;
        }
        case Qt::ForegroundRole:
            return file.kind == io::FileNode::Kind::missing ? QVariant(QColor(0xc0, 0x39, 0x2b)) : QVariant();
        case PathRole:
            return QString::fromStdString(file.path);
        case FramesRole:
            return file.frames;
        case LabelsRole:
            return isLabels(file);
        default:
            return {};
    }
}

QVariant FileTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == NameColumn ? tr("Name") : tr("Content");
}

}  // namespace ks::ui
