#include <qcustomplot.h>
#include <QApplication>
#include <QComboBox>
#include <QSignalSpy>
#include <QTimer>
#include <QWheelEvent>
#include <QtTest>

#include "tests/ui/shell/xpcs_window.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/run_queue.h"
#include "ui/shell/drawer.h"
#include "ui/xpcs/two_time/counts_strip.h"
#include "ui/xpcs/two_time/two_time_panel.h"
#include "ui/xpcs/xpcs_page.h"

using ks::ui::xpcs::XpcsPage;

/// Which plot Ctrl+E proposes.
class UsedPlotTest : public ks::tests::WindowFixture {
    Q_OBJECT

    QString proposed() {
        QString title;
        QTimer look;
        connect(&look, &QTimer::timeout, [&] {
            auto* const dialog = qobject_cast<ks::ui::ExportDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            look.stop();
            title = dialog->findChild<QComboBox*>()->currentText();
            dialog->reject();
        });
        look.start(20);
        window_->exportPlot();
        return title;
    }
    static void wheel(QWidget& on) {
        const QPointF at = QRectF(on.rect()).center();
        QWheelEvent event(at, on.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&on, &event);
    }

  private slots:
    void isThatOnWhichTheMouseWorked() {
        ks::tests::generate_xpcs(path("data.h5"), 30, 60, 60, true);
        window_ = firstWindow({1600, 1000});
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        ks::tests::open_data(*window_, path("data.h5"));
        auto& page = dynamic_cast<XpcsPage&>(*window_->page());
        QSignalSpy added(&window_->queue(), &ks::ui::RunQueue::runAdded);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        page.drawer().raise(&page.twoTimePanel());
        QTRY_VERIFY_WITH_TIMEOUT(page.twoTime().isVisible() && page.twoTime().whyEmpty().isEmpty(), 30000);
        auto& curves = const_cast<ks::ui::CurveFigure&>(page.curves().figure());
        QVERIFY(curves.isVisible());

        const auto click = [](QWidget& on) {
            QTest::mouseClick(&on, Qt::LeftButton, {}, on.rect().center());
        };
        click(curves);
        QCOMPARE(proposed(), QString("Correlation curves"));
        QCustomPlot& map = page.twoTime().plot();
        click(map);
        QCOMPARE(proposed(), QString("Two-time map"));
        click(curves);
        wheel(map);
        QCOMPARE(proposed(), QString("Two-time map"));
        click(curves);
        const QPoint middle = map.rect().center();
        QTest::mousePress(&map, Qt::LeftButton, {}, middle);
        QTest::mouseMove(&map, middle + QPoint(9, 9));
        QTest::mouseRelease(&map, Qt::LeftButton, {}, middle + QPoint(9, 9));
        QCOMPARE(proposed(), QString("Two-time map"));
        click(page.image());
        QCOMPARE(proposed(), QString("Detector image"));
        wheel(curves);
        QCOMPARE(proposed(), QString("Correlation curves"));
        // Whatever else is on the screen.
        int tried = 0;
        for (const ks::ui::NamedPlot& one : window_->exportable()) {
            auto* const plot = const_cast<QWidget*>(dynamic_cast<const QWidget*>(one.plot));
            if (!plot || !plot->isVisible() || plot->size().isEmpty() || !one.plot->whyEmpty().isEmpty())
                continue;
            wheel(*plot);
            QCOMPARE(proposed(), one.title);
            ++tried;
        }
        QVERIFY2(tried >= 3, qPrintable(QString::number(tried)));
        window_.reset();
    }
};

QTEST_MAIN(UsedPlotTest)
#include "tst_used_plot.moc"
