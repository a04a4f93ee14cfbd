#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QTabBar>
#include <QTimer>
#include <QtTest>

#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/appearance.h"
#include "ui/base/palette.h"
#include "ui/plots/export_dialog.h"
#include "ui/runs/stages_view.h"

using ks::ui::Appearance;
using ks::ui::MainWindow;

class FiguresAndThemeTest : public ks::tests::WindowFixture {
    Q_OBJECT

    /// Clicks a tab of the page.
    static bool click(const ks::ui::MainWindow& window, const QString& title) {
        for (QTabBar* const bar : window.page()->findChildren<QTabBar*>())
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == title && bar->isVisible()) {
                    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
                    return true;
                }
        return false;
    }

    /// Name of the file that Ctrl+E proposes.
    static QString proposed(ks::ui::MainWindow& window) {
        QString leaf;
        window.activateWindow();
        if (!QTest::qWaitForWindowActive(&window)) return leaf;
        QTimer::singleShot(300, &window, [&leaf] {
            auto* const dialog = dynamic_cast<ks::ui::ExportDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            leaf = QFileInfo(dialog->proposal()).fileName();
            dialog->reject();
        });
        QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier);
        return leaf;
    }

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

    void aFigureOfWhatWasGeneratedNamesNoFileAndOneOfAMeasurementNoRun() {
        const auto shown = window();
        shown->show();
        ks::tests::open_data(*shown, folder_.filePath("scan_012.h5"));
        QVERIFY(shown->setPage("vector_add"));
        QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        const std::vector<ks::ui::NamedPlot> plots = shown->page()->plots();
        const ks::ui::FigureFile result = shown->runFiles().figureFile(plots.front());
        QCOMPARE(result.text.files, QStringList());
        QCOMPARE(result.text.runs, QStringList{"1"});
        const ks::ui::FigureFile sizes = shown->runFiles().figureFile(plots.back());
        QCOMPARE(plots.back().title, QString("Rate against size"));
        QCOMPARE(sizes.text.runs + sizes.text.variants + sizes.text.files, QStringList());
    }

    void whatIsProposedForExportIsOnTheScreen() {
        const auto shown = window({900, 700});
        ks::tests::open_data(*shown, folder_.filePath("scan_012.h5"));
        QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        QVERIFY(click(*shown, QStringLiteral("g\u2082")));
        QCOMPARE(proposed(*shown), QString("scan_012_g2"));
        auto* const curves =
            dynamic_cast<QWidget*>(const_cast<ks::ui::ExportablePlot*>(shown->page()->plots().front().plot));
        QVERIFY(curves && curves->isVisible());
        QTest::mouseClick(curves->childAt(curves->rect().center()), Qt::LeftButton);
        QVERIFY(click(*shown, "Two-time"));
        QVERIFY(!curves->isVisible());
        QCOMPARE(proposed(*shown), QString("scan_012_twotime"));
        QVERIFY(click(*shown, QStringLiteral("g\u2082")));
        QCOMPARE(proposed(*shown), QString("scan_012_g2"));
    }

    void theTabOpenedLastIsProposedBesideAnotherPlot() {
        const auto shown = window({1280, 800});
        ks::tests::open_data(*shown, folder_.filePath("scan_012.h5"));
        QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        QVERIFY(click(*shown, QStringLiteral("Error of g\u2082")));
        auto* const curves =
            dynamic_cast<QWidget*>(const_cast<ks::ui::ExportablePlot*>(shown->page()->plots().front().plot));
        QVERIFY(curves && curves->isVisible());
        QCOMPARE(proposed(*shown), QString("scan_012_g2_error"));
        QTest::mouseClick(curves->childAt(curves->rect().center()), Qt::LeftButton);
        QCOMPARE(proposed(*shown), QString("scan_012_g2"));
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
