#include <QApplication>
#include <QLabel>
#include <QScopeGuard>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QtTest>

#include "tests/ui/window_fixture.h"
#include "ui/shell/drawer.h"

/// The mark of a drawer says that its plots are outdated. It covers nothing.
class MarkBesideTabsTest : public ks::tests::WindowFixture {
    Q_OBJECT

    static QLabel* markOf(ks::ui::Drawer& drawer) {
        for (QLabel* const one : drawer.findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
            if (one->accessibleName() == "Whether the plots match the current inputs") return one;
        return nullptr;
    }

    /// That each tab can be clicked, perhaps after clicks on the arrows.
    void verifyTabs(ks::ui::Drawer& drawer, const QString& where) {
        const QLabel* const mark = markOf(drawer);
        QVERIFY(mark);
        QVERIFY2(mark->isVisible() && !mark->text().isEmpty(), qPrintable(where));
        const QRect covered(mark->mapTo(&drawer, QPoint()), mark->size());
        QVERIFY2(drawer.rect().contains(covered), qPrintable(where));
        for (const QTabWidget* const pane : drawer.findChildren<QTabWidget*>()) {
            const QTabBar& bar = *pane->tabBar();
            if (!bar.isVisible() || pane->parentWidget()->parentWidget() != &drawer) continue;
            QList<QToolButton*> arrows;
            for (QToolButton* const one : bar.findChildren<QToolButton*>(Qt::FindDirectChildrenOnly))
                if (one->isVisible()) arrows << one;
            for (const QToolButton* const one : std::as_const(arrows))
                QVERIFY2(!covered.intersects({one->mapTo(&drawer, QPoint()), one->size()}),
                         qPrintable(where + ": an arrow"));
            int reached = 0;
            const auto reach = [&](int tab) {
                const QRect seen = bar.tabRect(tab) & bar.rect();
                QRect at(bar.mapTo(&drawer, seen.topLeft()), seen.size());
                return seen.width() >= std::min(bar.tabRect(tab).width(), 20) &&
                       !covered.contains(at.center()) && (covered & at).width() <= at.width() / 2;
            };
            for (int tab = 0; tab < bar.count(); ++tab) {
                for (int pressed = 0; pressed < 2 * bar.count() && !reach(tab) && arrows.size() == 2;
                     ++pressed)
                    arrows[1]->click();
                QVERIFY2(reach(tab), qPrintable(where + ": tab " + bar.tabText(tab)));
                ++reached;
            }
            for (int i = 0; i < 2 * bar.count() && arrows.size() == 2; ++i) arrows[0]->click();
            QVERIFY(reached > 0 || bar.count() == 0);
        }
    }

  private slots:
    void noTabIsCoveredOnAnyPage_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("font");
        QTest::newRow("usual") << QSize(1280, 800) << 1.0;
        QTest::newRow("large font") << QSize(1280, 800) << 140.0 / 96;
        QTest::newRow("low") << QSize(840, 500) << 1.0;
        QTest::newRow("low, large font") << QSize(840, 500) << 140.0 / 96;
        QTest::newRow("scaled") << QSize(853, 533) << 1.0;
    }
    void noTabIsCoveredOnAnyPage() {
        QFETCH(QSize, size);
        QFETCH(double, font);
        const QFont before = QApplication::font();
        const auto restored = qScopeGuard([&before] { QApplication::setFont(before); });
        QFont larger = before;
        larger.setPointSizeF(before.pointSizeF() * font);
        QApplication::setFont(larger);
        window_ = firstWindow(size);
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        int drawers = 0;
        for (const QString& id : window_->pageIds()) {
            QVERIFY(window_->setPage(id));
            QTest::qWait(20);
            auto* const found = window_->page()->findChild<ks::ui::Drawer*>();
            if (!found || !found->isVisible()) continue;
            ks::ui::Drawer& drawer = *found;
            ++drawers;
            for (const char* shorter : {"Run 3 outdated", "Preview; run 2 outdated"}) {
                const QString mark = QString(shorter) +
                                     ", with labels that are much longer than any line of tabs is, "
                                     "however wide the window is that shows them all";
                // The page itself removes its mark whenever it finds that nothing is outdated.
                for (int i = 0; i < 20 && drawer.mark() != mark; ++i) {
                    drawer.setMark(mark, shorter);
                    QTest::qWait(20);
                }
                verifyTabs(drawer, id);
                if (QTest::currentTestFailed()) return;
            }
            drawer.setMark({});
            QTest::qWait(20);
            QVERIFY(!markOf(drawer)->isVisible());
        }
        QVERIFY2(drawers >= 3, qPrintable(QString::number(drawers)));
        window_.reset();
    }
};

QTEST_MAIN(MarkBesideTabsTest)
#include "tst_mark_beside_tabs.moc"
