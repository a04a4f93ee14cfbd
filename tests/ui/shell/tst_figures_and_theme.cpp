#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QtTest>

#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/palette.h"
#include "ui/plots/export_dialog.h"
#include "ui/runs/stages_view.h"

using ks::ui::Appearance;
using ks::ui::MainWindow;

class FiguresAndThemeTest : public ks::tests::WindowFixture {
    Q_OBJECT

  private slots:
    void initTestCase() { ks::tests::generate_xpcs(folder_.filePath("scan_012.h5"), 20, 61, 71); }
    void cleanupTestCase() { ks::ui::applyAppearance(*qApp, Appearance::light); }

    void aFigureIsNamedByItsDataAndSaysWhatItShows() {
        const auto shown = window();
        shown->show();
        ks::tests::open_data(*shown, folder_.filePath("scan_012.h5"));
        QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        const ks::ui::FigureFile file = shown->runFiles().figureFile(shown->page()->plots().front());
        QCOMPARE(file.proposal, folder_.filePath("scan_012_g2"));
        QCOMPARE(file.text.runs, QStringList{"1"});
        QCOMPARE(file.text.files, QStringList{"scan_012.h5"});
        QCOMPARE(file.text.variants.size(), 1);
        const ks::DeviceInfo& device = shown->runs().find(1)->run->device;
        QCOMPARE(file.text.devices, QStringList{QString::fromStdString(device.name)});
        QCOMPARE(file.read.at("the open file"), folder_.filePath("scan_012.h5").toStdString());
        const ks::ui::FigureFile stages = shown->runFiles().figureFile({"Stages", &shown->stages().timing()});
        QCOMPARE(stages.proposal, folder_.filePath("scan_012_timing"));
        const QString variant = file.text.variants.front();
        QCOMPARE(shown->runFiles().proposal(*shown->runs().find(1)),
                 folder_.filePath("scan_012_xpcs_" + variant + "_run1.h5"));
    }

    void theThemeIsKept() {
        const auto shown = window();
        shown->action("theme-dark")->trigger();
        QTRY_VERIFY(ks::ui::isDark(shown->palette()));
        QCOMPARE(shown->settings().value("theme").toString(), QString("dark"));
        QVERIFY(window()->action("theme-dark")->isChecked());
        shown->action("theme-light")->trigger();
        QTRY_VERIFY(!ks::ui::isDark(shown->palette()));
        QVERIFY(!shown->action("theme-dark")->isChecked());
        QCOMPARE(shown->settings().value("theme").toString(), QString("light"));
    }
};

QTEST_MAIN(FiguresAndThemeTest)
#include "tst_figures_and_theme.moc"
