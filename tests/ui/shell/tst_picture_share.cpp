#include <QDockWidget>
#include <QMenuBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "tests/ui/shell/xpcs_window.h"

using namespace ks::ui;

/// The picture has most of the window: on every page, also on those that are added later.
class PictureShareTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

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

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        window_ = std::make_unique<MainWindow>(
            std::make_unique<QSettings>(folder_.filePath("test.ini"), QSettings::IniFormat));
        window_->show();
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
        if (window_->page()->demo()) {
            QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
            window_->openDemo();
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 60000);
        }
        QCOMPARE(window_->page()->id(), page);
        if (!window_->page()->analysis().isEmpty()) {
            QTRY_VERIFY_WITH_TIMEOUT(window_->page()->missing().isEmpty(), 30000);
            window_->startRun();
            QTRY_VERIFY_WITH_TIMEOUT(!window_->session().running() && window_->runs().rowCount() > 0, 60000);
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

    /// A page that was left in a large window has its drawer beside the picture still.
    void aHiddenPageAsksForNoRoom() {
        const QStringList pages = window_->pageIds();
        for (const QString& page : pages) {
            QVERIFY(window_->setPage(page));
            window_->resize(2560, 1440);
            QTest::qWait(20);
        }
        const QWidget* stack = window_->page()->parentWidget();
        for (const QString& page : pages) {
            QVERIFY(window_->setPage(page));
            QCOMPARE(stack->minimumSizeHint(), window_->page()->minimumSizeHint());
        }
    }

    void everyPageFitsTheSmallestWindow() {
        QCOMPARE(window_->minimumSize(), QSize(1000, 600));
        for (const QString& page : window_->pageIds()) {
            QVERIFY(window_->setPage(page));
            window_->resize(1000, 600);
            QTest::qWait(20);
            QVERIFY2(window_->size() == QSize(1000, 600), qPrintable(page));
            const auto tabs = window_->findChildren<QTabBar*>();
            const auto pages = std::ranges::find(tabs, QStringLiteral("Pages"), &QTabBar::accessibleName);
            QVERIFY(pages != tabs.end());
            const int right = (*pages)->tabRect((*pages)->count() - 1).right();
            QVERIFY2(right < (*pages)->width(),
                     qPrintable(
                         QStringLiteral("the last tab ends at %1 of %2").arg(right).arg((*pages)->width())));
            // The drawer changes its place once the page has its size.
            const auto fits = [this] {
                const QSize wanted = window_->minimumSizeHint();
                return wanted.width() <= 1000 && wanted.height() <= 600;
            };
            QTRY_VERIFY2(fits(), qPrintable(page + QStringLiteral(": ") + largest(*window_)));
            QVERIFY(window_->rect().contains(
                QRect(window_->page()->mapTo(window_.get(), QPoint()), window_->page()->size())));
        }
    }
};

QTEST_MAIN(PictureShareTest)
#include "tst_picture_share.moc"
