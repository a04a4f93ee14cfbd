#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QtTest>
#include <algorithm>

#include "tests/ui/shell/xpcs_window.h"

using namespace ks::ui;

/// The picture has most of the window: on every page, also on those that are added later.
class PictureShareTest : public ks::tests::WindowFixture {
    Q_OBJECT

    static double areaOf(const QRectF& rect) { return rect.isValid() ? rect.width() * rect.height() : 0; }
    double share() const {
        double area = 0;
        for (const PicturePlace& one : window_->page()->pictures()) area += areaOf(one.viewport);
        return area / (double(window_->width()) * window_->height());
    }
    /// Two opposite edges of its viewport, as far as whole cells allow.
    static bool touches(const PicturePlace& one) {
        const double slackX = 0.05 * one.viewport.width(), slackY = 0.05 * one.viewport.height();
        return one.picture.width() >= one.viewport.width() - slackX ||
               one.picture.height() >= one.viewport.height() - slackY;
    }

    /// What the window wants, and the parts of it that want most.
    static QString largest(const QWidget& window) {
        const auto size = [](const QWidget& one) {
            return QStringLiteral("%1 \"%2\" %3 x %4")
                .arg(QLatin1String(one.metaObject()->className()), one.accessibleName())
                .arg(one.minimumSizeHint().width())
                .arg(one.minimumSizeHint().height());
        };
        QStringList parts{size(window)};
        for (const QWidget* one : window.findChildren<QWidget*>())
            if (one->isVisible() &&
                (one->minimumSizeHint().width() > 320 || one->minimumSizeHint().height() > 240))
                parts << size(*one);
        return parts.join(QStringLiteral(", "));
    }

    /// Whether a control, or the area in which it can be scrolled to, has its whole size up to the window.
    static bool isWhole(const QWidget& control) {
        if (const auto* box = qobject_cast<const QAbstractSpinBox*>(&control)) {
            const auto* line = box->findChild<const QLineEdit*>();
            if (line->width() < line->fontMetrics().horizontalAdvance(line->text())) return false;
        } else {
            // Layouts may take a few pixels of the frame, but not of the text.
            const int least = control.minimumWidth() > 0
                                  ? control.minimumWidth()
                                  : std::min(control.minimumSizeHint().width(), control.maximumWidth());
            if (control.width() < least || control.height() < control.fontMetrics().height()) return false;
        }
        QRect rect = control.rect();
        for (const QWidget* one = &control; !one->isWindow(); one = one->parentWidget()) {
            rect.translate(one->pos());
            const QWidget& around = *one->parentWidget();
            const auto* scroll = qobject_cast<const QAbstractScrollArea*>(around.parentWidget());
            if (scroll && scroll->viewport() == &around) {
                if (rect.left() < 0 || rect.right() >= around.width()) return false;
                rect = around.rect();
            } else if (!around.rect().contains(rect)) {
                return false;
            }
        }
        return true;
    }

    /// The visible controls that are cut off, on all tabs of a widget and its parts.
    static QStringList cutOff(QWidget& part) {
        QStringList cut;
        const auto look = [&] {
            QTest::qWait(20);
            for (QWidget* one : part.findChildren<QWidget*>()) {
                const bool isControl = qobject_cast<QAbstractButton*>(one) || qobject_cast<QComboBox*>(one) ||
                                       qobject_cast<QAbstractSpinBox*>(one) ||
                                       qobject_cast<QLineEdit*>(one) || qobject_cast<QAbstractSlider*>(one);
                // Parts of controls; lists and tab bars have their own scroll bars and buttons.
                const QWidget* const around = one->parentWidget();
                const bool isPart =
                    qobject_cast<QScrollBar*>(one) || qobject_cast<const QAbstractItemView*>(around) ||
                    qobject_cast<const QTabBar*>(around) || qobject_cast<const QAbstractSpinBox*>(around) ||
                    qobject_cast<const QComboBox*>(around) || qobject_cast<const QLineEdit*>(around);
                if (isControl && !isPart && one->isVisible() && !isWhole(*one))
                    cut << QStringLiteral("%1 \"%2\" %3 x %4 of %5 x %6")
                               .arg(QLatin1String(one->metaObject()->className()),
                                    one->accessibleName().isEmpty() ? one->objectName()
                                                                    : one->accessibleName())
                               .arg(one->width())
                               .arg(one->height())
                               .arg(one->minimumSizeHint().width())
                               .arg(one->minimumSizeHint().height());
            }
        };
        look();
        QList<QTabWidget*> all = part.findChildren<QTabWidget*>();
        if (auto* itself = qobject_cast<QTabWidget*>(&part)) all << itself;
        for (QTabWidget* tabs : all) {
            const int before = tabs->currentIndex();
            for (int tab = 0; tab < tabs->count(); ++tab) {
                if (tab == before || !tabs->isTabVisible(tab) || !tabs->isVisible()) continue;
                tabs->setCurrentIndex(tab);
                look();
            }
            tabs->setCurrentIndex(before);
        }
        cut.removeDuplicates();
        return cut;
    }

  private slots:
    void initTestCase() {
        window_ = window();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }
    void cleanupTestCase() { window_.reset(); }

    void viewport_data() {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QSize>("size");
        for (const QString& page : window_->pageIds())
            for (const QSize size : {QSize(1280, 800), QSize(1920, 1080), QSize(2560, 1440)})
                QTest::addRow("%s at %d x %d", qPrintable(page), size.width(), size.height()) << page << size;
    }
    void viewport() {
        QFETCH(QString, page);
        QFETCH(QSize, size);
        QVERIFY(window_->setPage(page));
        window_->resize(size);
        QCOMPARE(window_->size(), size);
        window_->restoreDefaultLayout();
        if (const AnalysisPage* const shown = window_->analysisPage(); shown && !shown->demos().empty()) {
            QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
            window_->openDemo();
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 60000);
        }
        QCOMPARE(window_->page()->id(), page);
        if (!window_->page()->analysis().isEmpty()) {
            QTRY_VERIFY_WITH_TIMEOUT(window_->page()->missing().isEmpty(), 30000);
            window_->startRun();
            QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().running() && window_->runs().rowCount() > 0, 60000);
        }
        const auto pictured = [this] {
            const std::vector<PicturePlace> places = window_->page()->pictures();
            return !places.empty() && std::ranges::all_of(places, [](const PicturePlace& one) {
                return areaOf(one.picture) > 0;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(pictured(), 30000);
        const auto say = [&](const char* what) {
            return QStringLiteral("%1: %2 %").arg(QLatin1String(what)).arg(100 * share(), 0, 'f', 1);
        };
        for (const PicturePlace& one : window_->page()->pictures()) {
            QVERIFY(window_->page()->rect().toRectF().contains(one.viewport));
            QVERIFY(one.viewport.contains(one.picture));
            QVERIFY2(touches(one), qPrintable(QStringLiteral("%1 x %2 in %3 x %4")
                                                  .arg(one.picture.width())
                                                  .arg(one.picture.height())
                                                  .arg(one.viewport.width())
                                                  .arg(one.viewport.height())));
        }
        QTRY_VERIFY2(share() >= 0.35, qPrintable(say("open")));
        qInfo("%s", qPrintable(say("open")));
        window_->page()->setDrawerOpen(false);
        QTest::qWait(50);
        QTRY_VERIFY2(share() >= 0.55, qPrintable(say("folded")));
        qInfo("%s", qPrintable(say("folded")));
        window_->page()->setDrawerOpen(true);
    }

    /// Also a page that was left in a large window, whose drawer is beside the picture still.
    void everyPageCanBeUsedInTheSmallestWindow() {
        constexpr QSize least(840, 500);
        QVERIFY(window_->minimumSize().width() <= least.width() &&
                window_->minimumSize().height() <= least.height());
        for (const QString& page : window_->pageIds()) {
            QVERIFY(window_->setPage(page));
            window_->resize(2560, 1440);
            QTest::qWait(20);
        }
        QStringList faults;
        for (const QString& page : window_->pageIds()) {
            QVERIFY(window_->setPage(page));
            // Rows of buttons have most to show once there are data.
            if (const AnalysisPage* const shown = window_->analysisPage(); shown && !shown->demos().empty()) {
                QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
                window_->openDemo();
                QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 60000);
            }
            window_->resize(least);
            QTest::qWait(20);
            QVERIFY2(window_->size() == least, qPrintable(page));
            const auto tabs = window_->findChildren<QTabBar*>();
            const auto pages = std::ranges::find(tabs, QStringLiteral("Pages"), &QTabBar::accessibleName);
            QVERIFY(pages != tabs.end());
            const QRect tab = (*pages)->tabRect((*pages)->currentIndex());
            QVERIFY2((*pages)->rect().contains(tab), qPrintable(page));
            // The drawer changes its place once the page has its size.
            const auto fits = [&] {
                const QSize wanted = window_->minimumSizeHint();
                return wanted.width() <= least.width() && wanted.height() <= least.height();
            };
            QTRY_VERIFY2(fits(), qPrintable(page + QStringLiteral(": ") + largest(*window_)));
            // Whatever of the page is not in the window can be scrolled to.
            QWidget& shown = *window_->page();
            const QWidget& port = *shown.parentWidget();
            QVERIFY(window_->rect().contains(QRect(port.mapTo(window_.get(), QPoint()), port.size())));
            const auto* scroll = qobject_cast<QScrollArea*>(port.parentWidget());
            QVERIFY(scroll);
            QCOMPARE(scroll->verticalScrollBar()->maximum(), std::max(shown.height() - port.height(), 0));
            if (!qEnvironmentVariableIsEmpty("KERNELSCOPE_PICTURES"))
                window_->grab().save(qEnvironmentVariable("KERNELSCOPE_PICTURES") + "/least-" + page +
                                     ".png");
            if (scroll->horizontalScrollBar()->maximum() > 0)
                faults << QStringLiteral("%1 is %2 wide in %3: %4")
                              .arg(page)
                              .arg(shown.width())
                              .arg(port.width())
                              .arg(largest(*window_));
            QStringList cut = cutOff(shown);
            if (auto* side = window_->findChild<QTabWidget*>(QStringLiteral("side")); side->isVisible())
                cut += cutOff(*side);
            if (!cut.isEmpty()) faults << page + QStringLiteral(": ") + cut.join(QStringLiteral("; "));
        }
        for (const QString& fault : faults) qWarning("%s", qPrintable(fault));
        QVERIFY(faults.isEmpty());
    }
};

QTEST_MAIN(PictureShareTest)
#include "tests/ui/window_fixture.h"
#include "tst_picture_share.moc"
