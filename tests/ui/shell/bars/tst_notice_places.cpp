#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QStatusBar>
#include <QTabBar>
#include <map>
#include <utility>

#include "tests/ui/window_fixture.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/drawer.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/general/result_view.h"
#include "ui/shell/page.h"

using namespace ks::ui;

namespace {

using Places = std::map<const QWidget*, QRect>;

/// Of what can be clicked, in coordinates of the window. Tabs have places of their own in their bar.
Places placesIn(const QWidget& window) {
    Places found;
    for (const QWidget* const one : window.findChildren<QWidget*>()) {
        const bool isControl =
            qobject_cast<const QAbstractButton*>(one) || qobject_cast<const QLineEdit*>(one) ||
            qobject_cast<const QComboBox*>(one) || qobject_cast<const QAbstractSpinBox*>(one) ||
            qobject_cast<const QAbstractItemView*>(one) || qobject_cast<const QTabBar*>(one);
        bool ofNotice = false;
        for (const QWidget* in = one; in; in = in->parentWidget())
            ofNotice = ofNotice || qobject_cast<const NoticeBar*>(in) || qobject_cast<const ErrorBar*>(in);
        if (!isControl || ofNotice || !one->isVisible()) continue;
        QRect place(one->mapTo(&window, QPoint()), one->size());
        if (const auto* bar = qobject_cast<const QTabBar*>(one); bar && bar->count() > 0)
            place = bar->tabRect(bar->count() - 1).translated(place.topLeft());
        found[one] = place;
    }
    return found;
}

/// The first control that is not where it was; empty: none.
QString moved(const QWidget& window, const Places& before) {
    QTest::qWait(30);
    const Places now = placesIn(window);
    for (const auto& [one, place] : before) {
        const auto at = now.find(one);
        if (at == now.end() || at->second == place) continue;
        return QString("%1 \"%2\" moved from %3, %4 to %5, %6")
            .arg(QString(one->metaObject()->className()), one->accessibleName())
            .arg(place.x())
            .arg(place.y())
            .arg(at->second.x())
            .arg(at->second.y());
    }
    return now.size() == before.size() ? QString() : QString("controls came or went");
}

}  // namespace

/// What a window says of its own accord moves nothing that could be under the cursor.
class NoticePlacesTest : public ks::tests::WindowFixture {
    Q_OBJECT

  private slots:
    void cleanup() { window_.reset(); }

    void noNoticeMovesAControl_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize& size : {QSize(840, 500), QSize(1280, 800), QSize(2560, 1440)})
            QTest::addRow("%d x %d", size.width(), size.height()) << size;
    }
    void noNoticeMovesAControl() {
        QFETCH(QSize, size);
        window_ = firstWindow(size);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        const QString sentence =
            "measurement_of_the_night_before.h5 changed on disk since it was opened; its "
            "earlier contents are still shown";
        const Notice shorter{"short", "There are no data for 3 frames", {}, [] {}};
        const Notice longer{"long",
                            sentence + "; " + sentence,
                            {{"Reopen", [] {}}, {"Use mask and geometry of a.h5", [] {}}, {"Always", [] {}}},
                            [] {}};
        for (const QString& name : window_->pageIds()) {
            QVERIFY(window_->setPage(name));
            Places before;
            const auto settled = [&] {
                const Places last = std::exchange(before, placesIn(*window_));
                return before == last;
            };
            QTRY_VERIFY(settled());
            const auto verify = [&](const char* what) {
                const QString wrong = moved(*window_, before);
                QVERIFY2(wrong.isEmpty(), qPrintable(name + ", " + what + ": " + wrong));
            };
            window_->notices().put(shorter);
            verify("a notice");
            window_->notices().put(longer);
            verify("a long notice");
            window_->notices().remove("short");
            window_->notices().remove("long");
            verify("no notice");
            window_->errorBar().showWarning("Frames 50 to 52 were left out");
            verify("a warning");
            QVERIFY(!window_->page()->geometry().isEmpty());
            // One line covers no part of the page.
            const auto onPage = [this] {
                const QWidget& bar = window_->errorBar();
                const QWidget& page = *window_->page();
                return QRect(page.mapTo(window_.get(), QPoint()), page.size())
                    .intersects({bar.mapTo(window_.get(), QPoint()), bar.size()});
            };
            QVERIFY(window_->errorBar().isVisible() && !onPage());
            window_->notices().put(shorter);
            QTest::qWait(30);
            QVERIFY(window_->errorBar().isVisible() && onPage());
            window_->notices().remove("short");
            window_->statusBar()->showMessage("Saved", 100);
            QVERIFY(onPage());
            QTRY_VERIFY(!onPage());
            window_->errorBar().showError(
                {ks::ErrorKind::input, QString(sentence + "; ").repeated(5).toStdString()});
            verify("a long error");
            QVERIFY(onPage());
            window_->errorBar().dismiss();
            verify("no error");
            const QString mark = "Run 3 is outdated (Mask, Bins, Leave out, Variant)";
            window_->page()->drawer().setMark(mark, "Run 3 outdated");
            emit window_->pageRuns().marked("Run 3 outdated", mark);
            verify("a mark");
            window_->page()->drawer().setMark({});
            emit window_->pageRuns().marked({}, {});
            verify("no mark");
            if (QTest::currentTestFailed()) return;
        }
    }

    void noControlTakesTheKeyOfAMenu() {
        window_ = firstWindow({1280, 800});
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QSet<QKeySequence> menus;
        for (const QMenuBar* bar : window_->findChildren<QMenuBar*>())
            for (const QAction* one : bar->actions()) menus << QKeySequence::mnemonic(one->text());
        QVERIFY(menus.contains(QKeySequence(Qt::ALT | Qt::Key_F)) && menus.size() >= 6);
        for (const QString& name : window_->pageIds()) {
            QVERIFY(window_->setPage(name));
            for (const QWidget* one : window_->findChildren<QWidget*>()) {
                QString text;
                if (const auto* button = qobject_cast<const QAbstractButton*>(one)) text = button->text();
                if (const auto* label = qobject_cast<const QLabel*>(one); label && label->buddy())
                    text = label->text();
                const QKeySequence key = QKeySequence::mnemonic(text);
                QVERIFY2(key.isEmpty() || one->window() != window_.get() || !menus.contains(key),
                         qPrintable(name + ": " + text));
            }
        }
    }

    void noTwoEntriesOfAMenuShareAKey() {
        window_ = firstWindow({1280, 800});
        int menus = 0;
        for (const QString& name : window_->pageIds()) {
            QVERIFY(window_->setPage(name));
            for (const QMenuBar* bar : window_->findChildren<QMenuBar*>())
                for (const QAction* one : bar->actions()) {
                    QMap<QKeySequence, QString> keys;
                    for (const QAction* entry : one->menu()->actions()) {
                        const QKeySequence key = QKeySequence::mnemonic(entry->text());
                        if (key.isEmpty() || !entry->isVisible()) continue;
                        QVERIFY2(!keys.contains(key), qPrintable(keys[key] + " and " + entry->text()));
                        keys[key] = entry->text();
                    }
                    ++menus;
                }
        }
        QVERIFY(menus >= 6);
    }

    void ofSeveralNoticesEachCanBeReached() {
        NoticeBar bar;
        bar.resize(800, bar.height());
        bar.show();
        const int height = bar.height();
        QVERIFY(height <= bar.fontMetrics().height() + 8);
        auto* const others = bar.findChild<QToolButton*>("otherNotices");
        for (const char* id : {"a", "b", "c"}) bar.put({id, QString("Text of %1").arg(id), {}, [] {}});
        QCOMPARE(bar.shown(), QString("c"));
        QVERIFY(others->isVisible());
        QCOMPARE(others->text(), QString("1 of 3"));
        others->click();
        QCOMPARE(bar.shown(), QString("b"));
        QCOMPARE(others->text(), QString("2 of 3"));
        bar.put({"a", "Another text", {}, [] {}});
        QCOMPARE(bar.shown(), QString("b"));
        others->click();
        QCOMPARE(bar.shown(), QString("a"));
        others->click();
        QCOMPARE(bar.shown(), QString("c"));
        bar.remove("c");
        QCOMPARE(bar.shown(), QString("b"));
        bar.remove("a");
        QVERIFY(!others->isVisible());
        bar.remove("b");
        QVERIFY(bar.shown().isEmpty());
        QCOMPARE(bar.height(), height);
    }

    void noNoteOrVerdictMovesAResult() {
        ResultView view;
        view.resize(500, 400);
        view.show();
        ks::Run run;
        run.variant.id = "one";
        run.device.name = "A device with quite a long name, as drivers give it";
        run.result.facts = {{"size", 512}};
        RunRow row{1, std::make_shared<const ks::Run>(run), true, false};
        view.setRuns({row});
        const auto top = [&view] {
            QTest::qWait(30);
            return view.tabs().isVisible() ? view.tabs().mapTo(&view, QPoint()).y() : 0;
        };
        const auto facts = [&view] {
            QTest::qWait(30);
            for (const QLabel* one : view.findChildren<QLabel*>())
                if (one->accessibleName() == "Facts about the result") return one->geometry();
            return QRect();
        };
        const QRect before = facts();
        const int topBefore = top();
        QVERIFY(before.isValid());
        view.setNote("Run 1 computed with other settings (Size, Seed, Repeats, Work-group size)", {});
        QCOMPARE(facts().top(), before.top());
        QCOMPARE(top(), topBefore);
        run.verdict.state = ks::Verdict::State::fail;
        run.verdict.text = "312 of 512 values differ by more than the tolerance, the first one at 13";
        row.run = std::make_shared<const ks::Run>(run);
        view.setChecked(row);
        QVERIFY2(view.made().contains("its result is wrong: 312 of 512"), qPrintable(view.made()));
        QCOMPARE(facts().top(), before.top());
        QCOMPARE(top(), topBefore);
    }
};

QTEST_MAIN(NoticePlacesTest)
#include "tst_notice_places.moc"
