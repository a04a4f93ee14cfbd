#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <functional>

#include "tests/ui/child.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/value_slider.h"
#include "ui/shell/drawer.h"
#include "ui/shell/file_session.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"

using ks::tests::child;
using ks::ui::MainWindow;
using ks::ui::WindowSession;

/// What the user does while a session comes back wins over the session.
class SessionMeanwhileTest : public ks::tests::WindowFixture {
    Q_OBJECT
    int count_ = 0;

    std::unique_ptr<MainWindow> window() {
        const QString ini = path(QStringLiteral("%1.ini").arg(++count_));
        {
            QSettings settings(ini, QSettings::IniFormat);
            ks::ui::setSessionStart(settings, ks::ui::SessionStart::restore);
        }
        return ks::tests::session_window(ini);
    }
    QString sessions() const {
        return path(
            QStringLiteral("sessions-%1-%2").arg(QTest::currentTestFunction(), QTest::currentDataTag()));
    }
    void begin(MainWindow& window) { window.kept().begin(sessions(), WindowSession::Begin::bySetting); }
    /// Begins, does something once meanwhile, and waits for the end.
    /// @param when "reading": the session is being read; "opening": its file is being opened; "opened": the
    /// file is open
    void bringBack(MainWindow& window, const QString& when, const std::function<void()>& meanwhile) {
        QSignalSpy back(&window.kept(), &WindowSession::broughtBack);
        bool done = false, inTime = false;
        const auto once = [&] {
            if (std::exchange(done, true)) return;
            inTime = back.count() == 0;
            meanwhile();
        };
        QObject here;
        if (when == "opening")
            connect(&window.files(), &ks::ui::FileSession::message, &here, [&](const QString& text) {
                if (text.startsWith("Opening ")) QTimer::singleShot(0, &here, once);
            });
        if (when == "opened")
            connect(&window, &MainWindow::fileOpened, &here, [&] { QTimer::singleShot(0, &here, once); });
        begin(window);
        if (when == "reading") once();
        QTRY_VERIFY_WITH_TIMEOUT(done, 60000);
        QVERIFY(inTime);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window.jobs().running() == 0, 30000);
    }
    /// As with a mouse.
    static void chooseTab(QTabBar& bar, const QString& title) {
        for (int i = 0; i < bar.count(); ++i)
            if (bar.tabText(i) == title)
                return QTest::mouseClick(&bar, Qt::LeftButton, {}, bar.tabRect(i).center());
        QTest::qFail(qPrintable("no tab " + title), __FILE__, __LINE__);
    }

  private slots:
    void initTestCase() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71);
    }

    void aPageThatTheUserChoseStays_data() {
        QTest::addColumn<QString>("when");
        QTest::addColumn<QString>("page");
        for (const char* when : {"reading", "opening", "opened"})
            for (const char* page : {"spots", "clusters", "lab"})
                QTest::addRow("%s %s", when, page) << when << page;
    }
    void aPageThatTheUserChoseStays() {
        QFETCH(QString, when);
        QFETCH(QString, page);
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            ks::tests::xpcs_page(*shown).imagePanel().slider().setFrame(7);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        QVERIFY(shown->setPage("xpcs"));
        QStringList seen;
        bringBack(*shown, when, [&] {
            QVERIFY(shown->setPage(page));
            connect(&child<QTabBar>(*shown), &QTabBar::currentChanged, shown.get(),
                    [&] { seen << shown->page()->id(); });
        });
        QCOMPARE(shown->page()->id(), page);
        QCOMPARE(seen, QStringList());
        QVERIFY(shown->file());
        QCOMPARE(shown->file()->path, path("a.h5"));
        // The page of the session is as it was, too.
        QVERIFY(shown->setPage("xpcs"));
        QTRY_COMPARE_WITH_TIMEOUT(ks::tests::xpcs_page(*shown).imagePanel().slider().frame(), 7, 30000);
    }

    void fieldsAndTabsThatTheUserChangedStay() {
        // The one with the most tabs.
        const auto drawerBar = [](MainWindow& window) -> QTabBar& {
            const QList<QTabWidget*> panes = window.page()->drawer().findChildren<QTabWidget*>();
            return *(*std::ranges::max_element(panes, {}, &QTabWidget::count))->tabBar();
        };
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            shown->parameters().setValue(QStringLiteral("max_delay"), std::int64_t{5});
            shown->parameters().setValue(QStringLiteral("first_frame"), std::int64_t{2});
            QVERIFY(drawerBar(*shown).count() > 2);
            chooseTab(drawerBar(*shown), drawerBar(*shown).tabText(1));
            QVERIFY(shown->close());
        }
        const auto shown = window();
        QVERIFY(shown->setPage("xpcs"));
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        const QString third = drawerBar(*shown).tabText(2);
        bringBack(*shown, QStringLiteral("reading"), [&] {
            shown->parameters().setValue(QStringLiteral("max_delay"), std::int64_t{9});
            chooseTab(drawerBar(*shown), third);
        });
        const ks::ParameterSet now = shown->parameters().values();
        QCOMPARE(std::get<std::int64_t>(now.at("max_delay")), 9);
        QCOMPARE(std::get<std::int64_t>(now.at("first_frame")), 2);
        QCOMPARE(drawerBar(*shown).tabText(drawerBar(*shown).currentIndex()), third);
    }

    void fieldsOfThePageStay_data() {
        QTest::addColumn<QString>("when");
        QTest::addRow("reading") << "reading";
        QTest::addRow("opening") << "opening";
        QTest::addRow("opened") << "opened";
    }
    void fieldsOfThePageStay() {
        QFETCH(QString, when);
        const auto form = [](MainWindow& window) -> ks::ui::spots::ThresholdForm& {
            return child<ks::ui::spots::ThresholdForm>(*window.page());
        };
        {
            const auto shown = window();
            begin(*shown);
            QVERIFY(shown->setPage("spots"));
            ks::tests::open_data(*shown, path("a.h5"));
            form(*shown).apply({{"gain", 1.5}, {"sigma_b", 4.0}});
            QVERIFY(shown->close());
        }
        const auto shown = window();
        QVERIFY(shown->setPage("spots"));
        bringBack(*shown, when, [&] { form(*shown).apply({{"gain", 2.5}}); });
        const ks::ParameterSet now = form(*shown).values();
        QCOMPARE(std::get<double>(now.at("gain")), 2.5);
        QCOMPARE(std::get<double>(now.at("sigma_b")), 4.0);
    }

    void aFileThatTheUserOpenedStays_data() {
        QTest::addColumn<QString>("when");
        QTest::addRow("reading") << "reading";
        QTest::addRow("opening") << "opening";
    }
    void aFileThatTheUserOpenedStays() {
        QFETCH(QString, when);
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            ks::tests::work_in(*shown);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        QVERIFY(shown->setPage("xpcs"));
        bringBack(*shown, when, [&] { shown->open(path("b.h5")); });
        QVERIFY(shown->file());
        QCOMPARE(shown->file()->path, path("b.h5"));
        QVERIFY(shown->errorBar().isHidden());
        // What was done with the session's file is there as soon as that is open.
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        shown->open(path("a.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        auto& page = ks::tests::xpcs_page(*shown);
        QTRY_VERIFY_WITH_TIMEOUT(page.partition() && page.partition()->bins() == 10, 30000);
        QCOMPARE(page.imagePanel().geometry().beam_x, 30.25);
    }
};

QTEST_MAIN(SessionMeanwhileTest)
#include "tst_session_meanwhile.moc"
