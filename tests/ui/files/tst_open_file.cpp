// Files of every format of frames as the window opens them.

#include <sys/inotify.h>
#include <unistd.h>

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/array.h"
#include "core/io/files/atomic_file.h"
#include "core/io/frame_format.h"
#include "core/io/npy/npy.h"
#include "core/io/tiff/tiff.h"
#include "ui/files/file_filters.h"
#include "ui/files/file_tree_model.h"
#include "ui/files/open_file.h"

using namespace ks::ui;

class TestOpenFile : public QObject {
    Q_OBJECT

    /// A file that `write` makes of the values.
    QString made(const char* leaf, void (*write)(ks::io::AtomicFile&, const ks::Array&),
                 const ks::Array& values) const {
        const QString path = folder_.filePath(QLatin1String(leaf));
        ks::io::AtomicFile file(path.toStdString(), true);
        write(file, values);
        file.commit();
        return path;
    }
    QTemporaryDir folder_;

  private slots:
    void aFileWithoutObjectsHasOneEntryThatOpensIt() {
        const ks::Array stack(ks::ElementType::u16, {3, 20, 30}), page(ks::ElementType::u16, {20, 30});
        for (const QString& path :
             {made("stack.npy", ks::io::write_npy, stack), made("page.tif", ks::io::write_tiff, page),
              made("odd.name", ks::io::write_tiff, page)}) {
            const OpenFile file = openAnyFile(path);
            QVERIFY2(file.frames, qPrintable(path));
            QCOMPARE(file.frames->width(), std::size_t{30});
            QVERIFY(!file.geometry && file.faults.empty());
            FileTreeModel tree;
            tree.setTree(file.tree, path);
            const QModelIndex top = tree.index(0, 0);
            QCOMPARE(tree.rowCount(top), 1);
            const QModelIndex entry = tree.index(0, 0, top);
            QVERIFY(entry.data(FileTreeModel::FramesRole).toBool());
            QCOMPARE(entry.data(FileTreeModel::PathRole).toString(), QString());
            QVERIFY(entry.siblingAtColumn(FileTreeModel::DetailColumn).data().toString().endsWith("30 u16"));
        }
        QVERIFY(!openAnyFile(made("rows.npy", ks::io::write_npy, page)).tree.children.front().points);
        const ks::Array rows(ks::ElementType::f64, {9, 4});
        QVERIFY(openAnyFile(made("rows.npy", ks::io::write_npy, rows)).tree.children.front().points);
    }

    void aNameThatIsNotUtf8IsRefusedInOneSentence() {
        const QByteArray name = QFile::encodeName(folder_.path()) + "/b\xe4\xff.npy";
        ks::io::AtomicFile file(name.toStdString(), true);
        ks::io::write_npy(file, ks::Array(ks::ElementType::u16, {3, 20, 30}));
        file.commit();
        QVERIFY(::access(name.constData(), R_OK) == 0);
        try {
            openAnyFile(QFile::decodeName(name));
            QFAIL("it was opened");
        } catch (const ks::Error& error) {
            QVERIFY2(
                QString::fromStdString(error.message()).startsWith("expected a name in UTF-8, found bytes"),
                error.what());
            QVERIFY2(QString::fromStdString(error.hint()).contains("rename"), error.hint().c_str());
        }
    }

    void aSeriesInAFolderWhosePatternIsNotUtf8IsRefused() {
        QVERIFY(QDir().mkpath(folder_.filePath("latin")));
        for (const char* leaf : {"/b\xe4_1.tif", "/b\xe4_2.tif"}) {
            ks::io::AtomicFile file(folder_.filePath("latin").toStdString() + leaf, true);
            ks::io::write_tiff(file, ks::Array(ks::ElementType::u16, {20, 30}));
            file.commit();
        }
        try {
            openAnyFile(folder_.filePath("latin"));
            QFAIL("it was opened");
        } catch (const ks::Error& error) {
            QVERIFY2(QString::fromStdString(error.message()).startsWith("expected a name in UTF-8"),
                     error.what());
        }
    }

    void aTableWithoutColumnsSaysWhatIsMissing() {
        for (const auto& [text, found] : {std::pair("", "an empty file"), std::pair("\n \n", "none")}) {
            const QString path = folder_.filePath("empty.csv");
            QFile file(path);
            QVERIFY(file.open(QFile::WriteOnly));
            file.write(text);
            file.close();
            const OpenFile opened = openAnyFile(path);
            QVERIFY(opened.columns.empty() && opened.noFrames);
            QCOMPARE(QString::fromStdString(opened.noFrames->message()),
                     QStringLiteral("expected a line with the names of columns, found ") + found);
        }
    }

    // The system reports each time that a folder is opened for listing.
    void aSeriesIsListedOnceForItsStateAndItsRecord() {
        const ks::Array page(ks::ElementType::u16, {20, 30});
        QVERIFY(QDir().mkpath(folder_.filePath("series")));
        for (const char* leaf : {"series/img_1.tif", "series/img_2.tif"})
            made(leaf, ks::io::write_tiff, page);
        const int notes = inotify_init1(IN_NONBLOCK);
        QVERIFY(notes >= 0);
        QVERIFY(inotify_add_watch(notes, folder_.filePath("series").toUtf8(), IN_OPEN) >= 0);
        const OpenFile file = openAnyFile(folder_.filePath("series/img_#.tif"));
        QCOMPARE(file.frames->frames(), std::size_t{2});
        int listings = 0;
        alignas(inotify_event) char events[16384];
        for (ssize_t got = 0; (got = read(notes, events, sizeof events)) > 0;)
            for (ssize_t at = 0; at < got;) {
                const auto* one = reinterpret_cast<const inotify_event*>(events + at);
                if (one->len == 0 && (one->mask & IN_ISDIR) != 0) ++listings;
                at += static_cast<ssize_t>(sizeof(inotify_event) + one->len);
            }
        close(notes);
        // Once more each for the frames, for their first file, and twice for the name of the series.
        QCOMPARE(listings, 5);
    }

    void dialogsListEveryFormatOfTheTable() {
        const QString frames = frameFilters().constFirst(), images = imageFilters("Masks"),
                      save = saveFilters();
        QVERIFY(frames.startsWith("Frames (") && images.startsWith("Masks (") && images.endsWith("(*)"));
        for (const ks::io::FrameFormat& format : ks::io::frame_formats()) {
            for (const std::string& suffix : format.suffixes) {
                const QString pattern = QStringLiteral("*") + QString::fromStdString(suffix);
                QVERIFY2(frames.contains(pattern), qPrintable(frames));
                QVERIFY2(images.contains(pattern), qPrintable(images));
                QCOMPARE(tablesFilter("Points", false).contains(pattern), format.tables);
                QCOMPARE(tablesFilter("Digis", true).contains(pattern), format.objects);
            }
            QCOMPARE(
                save.contains(QString::fromStdString(format.title + " (*" + format.suffixes.front() + ")")),
                ks::io::can_write(format));
        }
        QCOMPARE(frameFilters().size(), static_cast<qsizetype>(ks::io::frame_formats().size() + 1));
    }
};

QTEST_MAIN(TestOpenFile)
#include "tst_open_file.moc"
