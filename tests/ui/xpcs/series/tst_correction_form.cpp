// Dark and flat field in the window: typed, in the runs, undone, and kept.

#include <QAction>
#include <QLineEdit>
#include <QToolButton>
#include <QtTest>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/array.h"
#include "core/io/files/atomic_file.h"
#include "core/io/npy/npy.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/history.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/drawer.h"
#include "ui/xpcs/series/correction_form.h"
#include "ui/xpcs/series/frames_panel.h"

using namespace ks::ui;
using ks::tests::child;
using ks::ui::xpcs::CorrectionFiles;
using ks::ui::xpcs::XpcsPage;

class CorrectionFormTest : public ks::tests::WindowFixture {
    Q_OBJECT

    XpcsPage& page() { return ks::tests::xpcs_page(*window_); }
    const CorrectionFiles& files() { return page().correction().files(); }
    QLineEdit& line(const QString& name) { return child<QLineEdit>(page().correction(), name); }
    void type(const QString& field, const QString& text) {
        line(field).setFocus();
        line(field).selectAll();
        QTest::keyClicks(&line(field), text);
        QTest::keyClick(&line(field), Qt::Key_Return);
    }
    const ks::Run& ran() {
        ks::tests::run_in(*window_);
        return *window_->runs().rows().front().run;
    }
    QString flat() { return path("flat.npy"); }
    /// A field of 61 rows; one pixel has none.
    void write(const QString& leaf, std::size_t width, float factor = 1) {
        std::vector<float> values(61 * width);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = factor * (1 + static_cast<float>(i % 5));
        values[100] = 0;
        ks::io::AtomicFile file(path(leaf).toStdString(), true);
        ks::io::write_npy(file, ks::Array::of<float>({61, width}, values));
        file.commit();
    }
    QString notice() const { return window_->notices().text(QStringLiteral("input changed on disk")); }
    CurvePlot& counts() { return page().frames().plot(); }
    /// Of the first frame in the panel I(t); nothing: it has no curve.
    std::optional<double> firstCount() {
        if (counts().series().isEmpty()) return std::nullopt;
        return counts().series().front().y.front();
    }

  private slots:
    void initTestCase() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71);
        write("flat.npy", 71);
        write("narrow.npy", 70);
    }
    void init() {
        window_ = firstWindow({1280, 800});
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        ks::tests::open_data(*window_, path("a.h5"));
        window_->action("live")->setChecked(false);
        window_->history().clear();
    }
    void cleanup() { window_.reset(); }

    void theNextRunIsCorrected() {
        const std::vector<double> before = ran().result.at("g2").values.to_doubles();
        type("flatField", flat());
        const ks::Run& run = ran();
        QCOMPARE(QString::fromStdString(run.request.inputs.at("flat").name), flat());
        QVERIFY(!run.request.inputs.contains("dark"));
        QCOMPARE(run.result.facts["masked_by_flat"].get<int>(), 1);
        QVERIFY(run.result.at("g2").values.to_doubles() != before);
        // The run is no longer that of the page once the field is gone.
        QVERIFY(page().curves().note().isEmpty());
        window_->action("undo")->trigger();
        QVERIFY(files() == CorrectionFiles());
        QTRY_VERIFY2(page().curves().note().contains("Flat field"), qPrintable(page().curves().note()));
    }

    void aFieldThatChangesOnDiskIsNoticed() {
        const QString leaf = QStringLiteral("changing.npy");
        write(leaf, 71);
        type("flatField", path(leaf));
        page().drawer().raise(&page().frames());
        QTRY_VERIFY_WITH_TIMEOUT(firstCount(), 60000);
        ran();
        const double before = *firstCount();
        QVERIFY(notice().isEmpty() && page().curves().note().isEmpty());
        write(leaf, 71, 2);
        QTRY_COMPARE_WITH_TIMEOUT(
            notice(), "changing.npy changed on disk; press Run (F5) to use it as it is now", 10000);
        QTRY_VERIFY2_WITH_TIMEOUT(page().curves().note().contains("Flat field"),
                                  qPrintable(page().curves().note()), 10000);
        // The sums of the frames are of the field as it is now.
        QTRY_VERIFY_WITH_TIMEOUT(firstCount() && std::abs(*firstCount() - before / 2) < 1e-3 * before, 60000);
        ran();
        QCOMPARE(page().curves().note(), QString());
        QVERIFY(notice().isEmpty());
        window_->runs().setTicked(1, true);
        QVERIFY2(!page().curves().note().contains("other bins"), qPrintable(page().curves().note()));

        QVERIFY(QFile::remove(path(leaf)));
        QTRY_COMPARE_WITH_TIMEOUT(notice(), "changing.npy no longer exists on disk", 10000);
        QTRY_VERIFY2_WITH_TIMEOUT(page().curves().note().contains("the flat field's file is gone"),
                                  qPrintable(page().curves().note()), 10000);
        QCOMPARE(page().drawer().mark(), QString("Run 2 is outdated (the flat field's file is gone)"));
    }

    void aRepeatNamesOnlyTheFieldWhoseContentsAreOthers() {
        write("dk.npy", 71, 0.1F);
        write("fl.npy", 71);
        type("darkField", path("dk.npy"));
        type("flatField", path("fl.npy"));
        ran();
        QTest::qWait(20);  // the time of a file has steps
        write("dk.npy", 71, 0.2F);
        write("fl.npy", 71);
        QStringList warnings;
        connect(&window_->messages(), &Messages::warned, window_.get(),
                [&warnings](const QString& sentence) { warnings << sentence; });
        QSignalSpy repeated(&window_->pageRuns(), &PageRuns::repeated);
        window_->repeat(1);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 120000);
        QVERIFY2(warnings.join('\n').contains("the data have changed (dk.npy)"),
                 qPrintable(warnings.join('\n')));
    }

    // A dark field that a run has read, with the contents that it had.
    void aFieldThatIsRemovedMakesItsRunsOutdated() {
        const QString leaf = QStringLiteral("removed.npy");
        write(leaf, 71);
        type("darkField", path(leaf));
        ran();
        QVERIFY(page().curves().note().isEmpty());
        QVERIFY(QFile::rename(path(leaf), path("elsewhere.npy")));
        QTRY_COMPARE_WITH_TIMEOUT(page().drawer().mark(),
                                  QString("Run 1 is outdated (the dark field's file is gone)"), 10000);
        QVERIFY2(page().curves().note().contains("the dark field's file is gone"),
                 qPrintable(page().curves().note()));
        // It is there again.
        QVERIFY(QFile::rename(path("elsewhere.npy"), path(leaf)));
        QTRY_COMPARE_WITH_TIMEOUT(page().drawer().mark(), QString(), 10000);
        QVERIFY2(page().curves().note().isEmpty(), qPrintable(page().curves().note()));
    }

    void aFieldThatIsWrittenLaterIsRead() {
        page().drawer().raise(&page().frames());
        QTRY_VERIFY_WITH_TIMEOUT(firstCount(), 60000);
        type("darkField", path("later.npy"));
        QTRY_VERIFY2_WITH_TIMEOUT(counts().whyEmpty().contains("no such file"),
                                  qPrintable(counts().whyEmpty()), 60000);
        write("later.npy", 71);
        QTRY_VERIFY2_WITH_TIMEOUT(firstCount(), qPrintable(counts().whyEmpty()), 60000);
    }

    void anErrorOfAPreviewGoesOnceTheFileOfItsFieldIsBack() {
        const ErrorBar& bar = window_->errorBar();
        window_->action("live")->setChecked(true);
        type("darkField", path("preview.npy"));
        QTRY_VERIFY_WITH_TIMEOUT(bar.isError(), 60000);
        QVERIFY2(bar.sentence().contains("no such file"), qPrintable(bar.sentence()));
        QTest::qWait(1500);  // it stays as long as that is so
        QVERIFY(bar.isError());
        write("preview.npy", 71);
        QTRY_VERIFY2_WITH_TIMEOUT(!bar.isError(), qPrintable(bar.sentence()), 60000);
    }

    void anErrorOfARunGoesOnceTheFileOfItsFieldIsBack() {
        const ErrorBar& bar = window_->errorBar();
        window_->action("live")->setChecked(false);
        type("darkField", path("run.npy"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready() && window_->missing().isEmpty(), 60000);
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(bar.isError(), 60000);
        QVERIFY2(bar.sentence().contains("run.npy"), qPrintable(bar.sentence()));
        QTest::qWait(3500);  // two looks: it stays as long as that is so
        QVERIFY(bar.isError());
        write("run.npy", 71);
        QTRY_VERIFY2_WITH_TIMEOUT(!bar.isError(), qPrintable(bar.sentence()), 20000);
    }

    void filesAreUndoneAndTheFieldsFollow() {
        type("darkField", flat());
        type("flatField", path("other.npy"));
        QCOMPARE(window_->history().undoText(), QString("change of the flat field"));
        window_->action("undo")->trigger();
        QCOMPARE(files().flat, QString());
        QCOMPARE(line("flatField").text(), QString());
        QCOMPARE(files().dark, flat());
        window_->action("undo")->trigger();
        QVERIFY(!window_->action("undo")->isEnabled());
        window_->action("redo")->trigger();
        window_->action("redo")->trigger();
        QCOMPARE(line("flatField").text(), path("other.npy"));
        // The button in the field.
        auto* clear = line("flatField").findChild<QToolButton*>();
        QVERIFY(clear);
        QTest::mouseClick(clear, Qt::LeftButton);
        QCOMPARE(files().flat, QString());
        QCOMPARE(files().dark, flat());
    }

    void aFieldOfAnotherShapeIsSaidWithBothShapes() {
        QString why;
        connect(&window_->queue(), &RunQueue::notRun, this,
                [&why](int, const ks::Error& error) { why = QString::fromUtf8(error.what()); });
        type("flatField", path("narrow.npy"));
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(!why.isEmpty(), 60000);
        QVERIFY2(why.contains("narrow.npy") && why.contains("61 x 71 of the frames") &&
                     why.contains("found 61 x 70"),
                 qPrintable(why));
    }

    void eachFileHasItsOwnFieldsAndTheNextStartHasThem() {
        const auto begin = [this] {
            window_->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        };
        begin();
        type("flatField", flat());
        ks::tests::open_data(*window_, path("b.h5"));
        QVERIFY(files() == CorrectionFiles());
        ks::tests::open_data(*window_, path("a.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(files().flat, flat(), 30000);
        window_->close();
        window_ = ks::tests::session_window(path("other.ini"));
        begin();
        QTRY_COMPARE_WITH_TIMEOUT(files().flat, flat(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        QCOMPARE(line("flatField").text(), flat());
    }
};

QTEST_MAIN(CorrectionFormTest)
#include "tst_correction_form.moc"
