#include <QAbstractItemModelTester>
#include <QtTest>

#include "ui/files/file_tree_model.h"

using ks::io::FileNode;
using ks::ui::FileTreeModel;

namespace {

FileNode dataset(std::string path, std::string type, std::vector<std::size_t> shape) {
    FileNode node;
    node.path = path;
    node.name = path.substr(path.rfind('/') + 1);
    node.kind = FileNode::Kind::dataset;
    node.type = std::move(type);
    node.shape = std::move(shape);
    return node;
}

FileNode sample() {
    FileNode root, entry;
    root.path = "/";
    entry.name = "entry";
    entry.path = "/entry";
    entry.nx_class = "NXentry";
    FileNode frames = dataset("/entry/data", "u8", {500, 201, 241});
    frames.frames = true;
    FileNode lost;
    lost.name = "lost";
    lost.path = "/entry/lost";
    lost.kind = FileNode::Kind::missing;
    lost.type = "elsewhere.h5";
    entry.children = {frames, dataset("/entry/qmask", "i32", {201, 241}),
                      dataset("/entry/dark", "f32", {201, 241}), lost};
    root.children = {entry};
    return root;
}

}  // namespace

class FileTreeModelTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsTheRulesOfItemModels() {
        FileTreeModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTree(sample(), "scan.h5");
        model.setTree(sample(), "other.h5");
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void showsObjectsWithShapeAndType() {
        FileTreeModel model;
        model.setTree(sample(), "scan.h5");
        const QModelIndex top = model.index(0, 0);
        QCOMPARE(top.data().toString(), QString("scan.h5"));
        const QModelIndex entry = model.index(0, 0, top);
        QCOMPARE(entry.data().toString(), QString("entry"));
        QCOMPARE(model.rowCount(entry), 4);
        QCOMPARE(model.index(0, FileTreeModel::DetailColumn, entry).data().toString(),
                 QString::fromUtf8("500 × 201 × 241 u8"));
        QCOMPARE(model.index(3, FileTreeModel::DetailColumn, entry).data().toString(),
                 QString("missing: elsewhere.h5"));
        QVERIFY(model.index(0, 0, entry).data(FileTreeModel::FramesRole).toBool());
        QCOMPARE(model.index(1, 0, entry).data(FileTreeModel::PathRole).toString(), QString("/entry/qmask"));
        QCOMPARE(model.parent(entry), top);
    }

    void onlyPlaneWholeNumbersCanBeLabels() {
        QCOMPARE(ks::ui::labelPaths(sample()), QStringList{"/entry/qmask"});
    }
};

QTEST_APPLESS_MAIN(FileTreeModelTest)
#include "tst_file_tree_model.moc"
