// Two files of one name in two folders, as each scan of a beamline has its folder: their runs, curves and
// proposed names are told apart, and Save and Export take the run of the file that is open.

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QTimer>

#include "tests/ui/shell/xpcs_window.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/run_files.h"
#include "ui/xpcs/fit/fit_form.h"
#include "ui/xpcs/fit/fit_results.h"
#include "ui/xpcs/xpcs_page.h"

using ks::ui::RunTableModel;

namespace {

/// What a save dialog proposes.
struct Proposed {
    QString title, leaf;
};

}  // namespace

class EqualNamesTest : public ks::tests::WindowFixture {
    Q_OBJECT

    void run(int number) const {
        QTRY_VERIFY_WITH_TIMEOUT(window_->action("run")->isEnabled(), 60000);
        window_->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == number && !window_->queue().busy(), 120000);
    }
    QString data(int row) const {
        return window_->runs().index(row, RunTableModel::DataColumn).data().toString();
    }
    QStringList legend() const {
        QStringList runs;
        for (const ks::ui::CurveSeries& one :
             dynamic_cast<ks::ui::xpcs::XpcsPage&>(*window_->page()).curves().series())
            runs << one.run;
        runs.removeDuplicates();
        return runs;
    }
    /// Triggers an action that shows a save dialog, and cancels it.
    Proposed proposed(const char* action) const {
        Proposed found;
        QTimer look;
        connect(&look, &QTimer::timeout, [&] {
            auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            found = {dialog->windowTitle(), QFileInfo(dialog->selectedFiles().value(0)).fileName()};
            dialog->reject();
        });
        look.start(20);
        window_->action(action)->trigger();
        return found;
    }
    QByteArray exported(const QString& leaf) const {
        QSignalSpy saved(&window_->runFiles(), &ks::ui::RunFiles::saved);
        window_->saveCsv(path(leaf), true);
        if (!QTest::qWaitFor([&] { return saved.count() == 1; }, 30000)) return {};
        QFile file(path(leaf));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

  private slots:
    void initTestCase() {
        for (const char* folder : {"a", "b"}) {
            QVERIFY(QDir().mkpath(path(folder)));
            // Of different lengths, so that their results differ.
            ks::tests::generate_xpcs(path(folder) + "/scan.h5", *folder == 'a' ? 20 : 24, 61, 71);
        }
    }
    void init() {
        window_ = firstWindow();
        QVERIFY(window_->setPage("xpcs"));
        window_->action("live")->setChecked(false);
        ks::tests::open_data(*window_, path("b/scan.h5"));
        run(1);
        ks::tests::open_data(*window_, path("a/scan.h5"));
        run(2);
    }
    void cleanup() { window_.reset(); }

    void runsLegendsAndProposalsNameTheFolder() {
        QCOMPARE(data(0), QString("a/scan.h5"));
        QCOMPARE(data(1), QString("of b/scan.h5"));
        window_->runs().setTicked(1, true);
        QCOMPARE(legend(), (QStringList{"run 2", "run 1 of b/scan.h5"}));
        const auto& rows = window_->runs().rows();
        const QString first = QFileInfo(window_->runFiles().proposal(rows[0])).fileName();
        const QString second = QFileInfo(window_->runFiles().proposal(rows[1])).fileName();
        QVERIFY2(first.startsWith("a_scan_xpcs_"), qPrintable(first));
        QVERIFY2(second.startsWith("b_scan_xpcs_"), qPrintable(second));
        const std::vector<ks::ui::NamedPlot> plots = window_->page()->plots();
        const ks::ui::FigureFile figure = window_->runFiles().figureFile(plots.front());
        QVERIFY2(QFileInfo(figure.proposal).fileName().startsWith("a_scan_"), qPrintable(figure.proposal));
        QCOMPARE(figure.text.files, (QStringList{"a/scan.h5", "b/scan.h5"}));
    }

    void figuresAndTablesBeginWithTheDataOfTheRunsThatTheyShow() {
        const auto figure = [this] {
            const std::vector<ks::ui::NamedPlot> plots = window_->page()->plots();
            return QFileInfo(window_->runFiles().figureFile(plots.front()).proposal).fileName();
        };
        // a is open, and run 1 is of b.
        window_->runs().tickOnly({1});
        QCOMPARE(figure(), QString("b_scan_g2"));
        window_->runs().tickOnly({1, 2});
        QCOMPARE(figure(), QString("a_scan_g2"));
        window_->runs().tickOnly({});
        QCOMPARE(figure(), QString("a_scan_g2"));
        // What shows no run is of the open file.
        window_->runs().tickOnly({1});
        for (const ks::ui::NamedPlot& plot : window_->page()->plots())
            if (plot.leaf == "frames") {
                const QString name = QFileInfo(window_->runFiles().figureFile(plot).proposal).fileName();
                QCOMPARE(name, QString("a_scan_frames"));
            }
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*window_->page());
        page.fitForm().setChoice([] {
            ks::ui::xpcs::FitChoice choice;
            choice.take({{"fit", std::string("single")}}, "s");
            return choice;
        }());
        emit page.fitForm().changed();
        const auto table = [&page] {
            return QFileInfo(page.fitResults().table().exportProposal()).fileName();
        };
        QTRY_VERIFY2(table().startsWith("b_scan_fit"), qPrintable(table()));
        window_->runs().tickOnly({2});
        QTRY_VERIFY2(table().startsWith("a_scan_fit"), qPrintable(table()));
    }

    void theRunOfTheOpenFileIsSavedNotANewerOneOfAnother() {
        const QByteArray ofA = exported("a.csv");
        ks::tests::open_data(*window_, path("b/scan.h5"));
        window_->runs().tickOnly({1});
        const QByteArray ofB = exported("b.csv");
        QVERIFY(!ofA.isEmpty() && !ofB.isEmpty() && ofA != ofB);
        window_->runs().tickOnly({1, 2});
        QCOMPARE(exported("both.csv"), ofB);
        for (const char* action : {"save", "csv"}) {
            const Proposed own = proposed(action);
            QVERIFY2(own.title.contains("run 1 of b/scan.h5"), qPrintable(own.title));
            QVERIFY2(own.leaf.startsWith("b_scan_") && own.leaf.contains("_run1."), qPrintable(own.leaf));
        }
        // Where none of the open file is ticked, the title and the proposal name the other one.
        window_->runs().tickOnly({2});
        QString said;
        connect(&window_->messages(), &ks::ui::Messages::said, window_.get(),
                [&said](const QString& text) { said = text; });
        QCOMPARE(exported("other.csv"), ofA);
        QVERIFY2(said.endsWith("other.csv: run 2 of a/scan.h5"), qPrintable(said));
        const Proposed other = proposed("csv");
        QVERIFY2(other.title.endsWith("run 2 of a/scan.h5"), qPrintable(other.title));
        QVERIFY2(other.leaf.startsWith("a_scan_"), qPrintable(other.leaf));
    }
};

QTEST_MAIN(EqualNamesTest)
#include "tst_equal_names.moc"
