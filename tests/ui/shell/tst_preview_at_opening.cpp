#include <QAction>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/shell/session_window.h"
#include "ui/plots/curve_plot.h"

using namespace ks::ui;

/// What is to be seen of a file before anything was done to it.
class PreviewAtOpeningTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    QString path(const QString& leaf) const { return folder_.filePath(leaf); }
    QString note() { return ks::tests::xpcs_page(*window_).curves().note(); }
    bool previewed() {
        return QTest::qWaitFor(
            [&] {
                return note().contains("live") && !ks::tests::xpcs_page(*window_).curves().series().empty();
            },
            60000);
    }
    bool idle() {
        return QTest::qWaitFor(
            [&] {
                return window_->worker().ready() && window_->missing().isEmpty() &&
                       window_->jobs().running() == 0 && !window_->session().previewing() &&
                       !window_->session().busy();
            },
            60000);
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        ks::tests::generate_xpcs(path("a.h5"), 40, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 40, 61, 71);
    }
    void init() {
        QFile::remove(path("test.ini"));
        window_ = ks::tests::session_window(path("test.ini"));
        QVERIFY(window_->setPage("xpcs"));
    }
    void cleanup() { window_.reset(); }

    void comesWithTheFile() {
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        window_->open(path("a.h5"));
        QVERIFY2(previewed(), qPrintable(note()));
    }

    void comesWithTheWorker() {
        window_->open(path("a.h5"));
        QVERIFY2(previewed(), qPrintable(note()));
        QVERIFY(idle());
        // Asked for while there is none.
        window_->page()->setPreview(nullptr);
        QVERIFY(note().isEmpty());
        window_->worker().restart();
        QVERIFY2(previewed(), qPrintable(note()));
    }

    void doesNotComeWithoutLive() {
        window_->action("live")->setChecked(false);
        window_->open(path("a.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->file() != nullptr, 30000);
        QVERIFY(idle());
        QTest::qWait(200);
        QVERIFY(ks::tests::xpcs_page(*window_).curves().series().empty());
    }

    void givesWayToRunsOfTheFileAlone() {
        window_->open(path("a.h5"));
        QVERIFY(previewed());
        ks::tests::run_in(*window_);
        QVERIFY(!note().contains("live"));
        window_->open(path("a.h5"));
        QTest::qWait(300);
        QVERIFY(idle());
        QVERIFY2(!note().contains("live"), qPrintable(note()));
        window_->open(path("b.h5"));
        QVERIFY2(previewed(), qPrintable(note()));
        // It stays beside runs of another file.
        window_->runs().setTicked(1, false);
        QVERIFY2(previewed(), qPrintable(note()));
        window_->runs().setTicked(1, true);
        QVERIFY2(previewed(), qPrintable(note()));
    }

    void goesWhenRunsComeBackWithASession() {
        const QString sessions = path("sessions");
        window_->kept().begin(sessions, WindowSession::Begin::bySetting);
        window_->open(path("a.h5"));
        QVERIFY(previewed());
        ks::tests::run_in(*window_);
        window_->close();
        window_.reset();
        window_ = ks::tests::session_window(path("test.ini"));
        window_->kept().begin(sessions, WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->file() != nullptr, 60000);
        QVERIFY(idle());
        QTest::qWait(300);
        QVERIFY(idle());
        QVERIFY2(!note().contains("live"), qPrintable(note()));
        QVERIFY(!ks::tests::xpcs_page(*window_).curves().series().empty());
    }
};

QTEST_MAIN(PreviewAtOpeningTest)
#include "tst_preview_at_opening.moc"
