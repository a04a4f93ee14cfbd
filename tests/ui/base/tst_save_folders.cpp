#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>
#include <string>
#include <vector>

#include "ui/base/save_folders.h"

namespace ks::ui::save_folders_test {

using std::string_literals::operator""s;

class SaveFoldersTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString made(const char* leaf) const {
        QDir(folder_.path()).mkpath(leaf);
        return folder_.filePath(leaf);
    }

  private slots:
    void eachKindHasItsFolder() {
        const QString runs = made("runs"), figures = made("figures");
        QSettings settings(folder_.filePath("a.ini"), QSettings::IniFormat);
        QWidget window;
        SaveFolders folders(settings, &window);
        folders.setData(made("data") + "/scan_012.h5");
        QCOMPARE(folders.proposal("run", "run.h5"), folder_.filePath("data/scan_012_run.h5"));
        folders.remember("run", runs + "/scan_011_run.h5");
        folders.remember("figure", figures + "/g2.png");
        QCOMPARE(folders.proposal("run", "run.h5"), runs + "/scan_012_run.h5");
        QCOMPARE(folders.proposal("figure", "g2.png"), figures + "/scan_012_g2.png");
        QCOMPARE(QFileInfo(folders.proposal("mask", "mask.h5")).path(), folder_.filePath("data"));
        // The next window remembers; a folder that is gone is not proposed.
        SaveFolders next(settings, &window);
        QCOMPARE(next.proposal("run", "run.h5"), runs + "/run.h5");
        QVERIFY(QDir(runs).removeRecursively());
        QVERIFY(!next.proposal("run", "run.h5").startsWith(runs));
    }

    void resultsOfDataInTheCacheGoHome() {
        QSettings settings(folder_.filePath("b.ini"), QSettings::IniFormat);
        SaveFolders folders(settings, nullptr);
        const QString cache = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
        folders.setData(cache + "/demo-xpcs-1.0.h5");
        const QString proposed = folders.proposal("csv", "g2.csv");
        QVERIFY2(!proposed.startsWith(cache), qPrintable(proposed));
        QVERIFY(QFileInfo(QFileInfo(proposed).path()).isDir());
        QCOMPARE(QFileInfo(proposed).fileName(), QString("demo-xpcs-1.0_g2.csv"));
        // Once anything was saved, that is where they go.
        folders.remember("figure", made("paper") + "/g2.png");
        QCOMPARE(folders.proposal("csv", "g2.csv"), folder_.filePath("paper/demo-xpcs-1.0_g2.csv"));
    }

    void resultsOfFilesOfOneNameAreToldApart() {
        QSettings settings(folder_.filePath("d.ini"), QSettings::IniFormat);
        SaveFolders folders(settings, nullptr);
        const QString a = made("x/a") + "/scan.h5", b = made("x/b") + "/scan.h5";
        folders.remember("csv", made("results") + "/any.csv");
        folders.setData(b);
        QCOMPARE(folders.proposal("csv", "g2.csv"), folder_.filePath("results/scan_g2.csv"));
        folders.setNamed([&] { return std::vector{a.toStdString(), b.toStdString(), "/y/x/a/scan.h5"s}; });
        QCOMPARE(folders.proposal("csv", "g2.csv"), folder_.filePath("results/b_scan_g2.csv"));
        const QString deep = QFileInfo(folder_.path()).fileName();
        QCOMPARE(folders.proposal("csv", "g2.csv", a),
                 folder_.filePath(QStringLiteral("results/%1_x_a_scan_g2.csv").arg(deep)));
    }

    void partsFindTheFoldersOfTheirWindow() {
        QSettings settings(folder_.filePath("c.ini"), QSettings::IniFormat);
        QWidget window, alone;
        auto* part = new QWidget(new QWidget(&window));
        new SaveFolders(settings, &window);
        const QString kept = made("kept");
        rememberSaved(part, "mask", kept + "/m.h5");
        QCOMPARE(savePath(part, "mask", "mask.h5"), kept + "/mask.h5");
        QCOMPARE(savePath(&alone, "mask", "mask.h5"), QString("mask.h5"));
        rememberSaved(part, "mask", {});  // given up
        QCOMPARE(savePath(part, "mask", "mask.h5"), kept + "/mask.h5");
    }
};

}  // namespace ks::ui::save_folders_test

using ks::ui::save_folders_test::SaveFoldersTest;
QTEST_MAIN(SaveFoldersTest)
#include "tst_save_folders.moc"
