#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "core/run/bench_baseline.h"
#include "tests/ui/child.h"
#include "tests/ui/lab/faulty_kernels.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/base/elided_label.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/kernels/kernel_panel.h"
#include "ui/kernels/trial/trial_bar.h"
#include "ui/kernels/trial/trial_view.h"
#include "ui/kernels/user_kernels.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/roofline_pane.h"
#include "ui/lab/variant_list.h"
#include "ui/lab/view_choice.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/kernel_window.h"

using namespace ks::ui;
using ks::tests::child;
using ks::ui::lab::LabPage;
using ks::ui::lab::LabTableModel;
using ks::ui::lab::RooflinePane;
using ks::ui::lab::RooflinePlot;
using ks::ui::lab::ViewChoice;

/// How variants and data come to the Lab from the rest of the window, and what the Lab says of kernels of the
/// user's own, with a real worker.
class LabProposalsTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    QString path(const QString& leaf) const { return folder_.filePath(leaf); }
    LabPage& page() { return dynamic_cast<LabPage&>(*window_->page()); }
    bool onLab() { return window_->page()->id() == QLatin1String("lab"); }
    void settle() { QTRY_COMPARE_WITH_TIMEOUT(window_->jobs().running(), 0, 60000); }
    QStringList ticked() {
        QStringList all = page().form().variants().ticked();
        all.sort();
        return all;
    }
    /// A copy of a variant of the page in sight, in the editor, once the worker offers it.
    void copyOf(const QString& variant) {
        KernelPanel& panel = window_->kernels().panel();
        QCOMPARE(panel.analysis(), window_->page()->analysis());
        QVERIFY(panel.setVariant(variant));
        panel.editCopy();
        QTRY_COMPARE_WITH_TIMEOUT(panel.variant(), QString("user.") + panel.userKernels().name(), 60000);
    }
    void copySum() { copyOf("seed.add"); }
    QString own() { return window_->kernels().panel().variant(); }
    void time() {
        page().form().repeats().setValue(5);
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(
            !window_->queue().busy() && !page().compared().empty() && page().compared().front()->complete,
            120000);
        settle();
    }
    /// Behind the id of a kernel of the user's own stands the mark of its text.
    int rowOf(const QString& variant) {
        for (int row = 0; row < page().model().rowCount(); ++row) {
            const QString said = page().model().index(row, LabTableModel::VariantColumn).data().toString();
            if (said.section(QLatin1Char(','), 0, 0) == variant) return row;
        }
        return -1;
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        qputenv("KERNELSCOPE_VARIANTS", path("variants").toUtf8());
    }
    void init() {
        QDir(path("variants")).removeRecursively();
        window_ = ks::tests::new_window(path("test.ini"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("vector_add"));
    }
    void cleanup() { window_.reset(); }

    void theKernelThatIsEditedIsTickedWithItsBaseOnTheDataOfThePage() {
        copySum();
        window_->kernels().measureAction().trigger();
        QVERIFY(onLab());
        QCOMPARE(page().form().analysis(), QString("vector_add"));
        QCOMPARE(ticked(), (QStringList{"seed.add", own()}));
        QCOMPARE(page().form().chosenVariant(), own());
        // The parameters of the page are all of the problem.
        QVERIFY(page().form().plans().front().request.has_value());
        QVERIFY(!window_->queue().busy());
    }

    void onAGeneratedProblemTheLabHasItsSizes() {
        QVERIFY(window_->setPage("xpcs"));
        copyOf("seed.ordered");
        QComboBox& data = window_->kernels().panel().userKernels().bar().data();
        const int small = data.findText("generated, small"),
                  usual = data.findText("generated, as in the Lab");
        QVERIFY(small >= 0 && usual >= 0);
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        const ks::ParameterSet expected = analysis.info().small;
        QVERIFY(!expected.empty());
        for (const int choice : {small, usual}) {
            data.setCurrentIndex(choice);
            window_->kernels().measureAction().trigger();
            QCOMPARE(page().form().analysis(), QString("xpcs"));
            QCOMPARE(ticked(), (QStringList{"seed.ordered", own()}));
            const std::vector<ks::BenchPlan> plans = page().form().plans();
            QVERIFY(!plans.front().request);
            const ks::ParameterSet sizes = ks::bench_points(analysis, plans.front()).front();
            for (const auto& [id, value] : expected) QCOMPARE(sizes.at(id) == value, choice == small);
        }
    }

    void aTrialTakesTheLargestOfTheTypedSizesAndTheyStay() {
        copySum();
        QVERIFY(window_->setPage("lab"));
        page().form().choose("vector_add");
        auto* const field = [this]() -> QLineEdit* {
            for (auto* one : page().form().findChildren<QLineEdit*>())
                if (one->accessibleName() == "Size") return one;
            return nullptr;
        }();
        QVERIFY(field);
        field->selectAll();
        QTest::keyClicks(field, "64, 1300, 200");
        UserKernels& kernels = window_->kernels().panel().userKernels();
        QComboBox& data = kernels.bar().data();
        const auto text = [&kernels] { return kernels.trial().line().text(); };
        data.setCurrentIndex(data.findText("generated, as in the Lab"));
        kernels.run();
        QTRY_VERIFY_WITH_TIMEOUT(text().contains("runs each)"), 60000);
        QVERIFY2(text().contains("on the largest generated problem of the Lab: Size 1300"),
                 qPrintable(text()));
        const auto sizes = [this] { return page().form().plans().front().sizes.at("size").size(); };
        for (const QString& choice : {QString("generated, as in the Lab"), QString("generated, small")}) {
            const int at = data.findText(choice);
            if (at < 0) continue;
            data.setCurrentIndex(at);
            window_->kernels().measureAction().trigger();
            QVERIFY(onLab());
            QCOMPARE(sizes(), 3U);
        }
        // Another size makes another problem.
        page().form().setSizes({{"size", "700"}});
        data.setCurrentIndex(data.findText("generated, as in the Lab"));
        kernels.run();
        QTRY_VERIFY_WITH_TIMEOUT(text().contains("on a generated problem: Size 700"), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && !kernels.trial().isRunning(), 60000);
    }

    void aShippedKernelStandsBesideTheYardstick() {
        QVERIFY(window_->setPage("lab"));
        page().form().choose("vector_add");
        KernelPanel& panel = window_->kernels().panel();
        QStringList baselines, others;
        for (const ks::Offer& offer : page().form().variants().offers())
            (offer.variant.baseline ? baselines : others) << QString::fromStdString(offer.variant.id);
        QCOMPARE(baselines.size(), 1);
        const auto onDevice =
            std::ranges::find_if(others, [](const QString& id) { return !id.startsWith("host."); });
        QVERIFY(onDevice != others.end());
        QVERIFY(panel.setVariant(*onDevice));
        window_->kernels().measureAction().trigger();
        QStringList expected{*onDevice, baselines.front()};
        expected.sort();
        QCOMPARE(ticked(), expected);
    }

    void yoursTicksTheBaseOfEachToo() {
        copySum();
        const QString id = own();
        QVERIFY(window_->setPage("lab"));
        page().form().choose("vector_add");
        page().form().variants().choose(ks::ui::lab::VariantListModel::Choice::own);
        QCOMPARE(ticked(), (QStringList{"seed.add", id}));
    }

    void aNewFileIsNotTimedUntilItIsTicked() {
        QVERIFY(window_->setPage("lab"));
        page().form().choose("matmul");
        ks::tests::write_faulty_kernel(path("variants"), "right", 1);
        QTableView& list = child<ks::ui::lab::VariantList>(page()).table();
        const auto row = [&list] {
            for (int at = 0; at < list.model()->rowCount(); ++at)
                if (list.model()->index(at, 0).data() == QStringLiteral("user.right"))
                    return list.model()->index(at, 0);
            return QModelIndex();
        };
        QTRY_VERIFY_WITH_TIMEOUT(row().isValid() && page().form().variants().offers().size() > 1, 30000);
        const auto isTimed = [this] {
            const std::vector<std::string> all = page().form().plans().front().variants;
            return std::ranges::find(all, "user.right") != all.end();
        };
        QVERIFY(!isTimed());
        list.scrollTo(row());
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                          list.visualRect(row()).topLeft() + QPoint(10, list.visualRect(row()).height() / 2));
        QVERIFY(isTimed());
    }

    void itsCountsAreSaidToBeThoseOfItsBase() {
        copySum();
        const QString id = own();
        window_->kernels().measureAction().trigger();
        time();
        const int row = rowOf(id), base = rowOf("seed.add");
        QVERIFY(row >= 0 && base >= 0);
        for (const int column : {LabTableModel::BytesColumn, LabTableModel::OperationsColumn}) {
            const QModelIndex mine = page().model().index(row, column);
            QVERIFY2(mine.data().toString().startsWith(QChar(0x2020)), qPrintable(mine.data().toString()));
            QVERIFY(mine.data(Qt::ToolTipRole).toString().contains("seed.add"));
            const QModelIndex its = page().model().index(base, column);
            QVERIFY(!its.data().toString().contains(QChar(0x2020)));
            QVERIFY(!its.data(Qt::ToolTipRole).toString().contains("whose launch"));
        }
        QVERIFY(!page().table().view().isColumnHidden(LabTableModel::CountsColumn));
        QVERIFY(QString::fromStdString(page().table().csv()).section('\n', 0, 0).contains(",counts_of,"));
        // The roofline says it in its note, at the point and in its file.
        QVERIFY2(child<QLabel>(child<RooflinePane>(page()), "note")
                     .text()
                     .contains("assumed equal to those of seed.add"),
                 qPrintable(child<QLabel>(child<RooflinePane>(page()), "note").text()));
        for (const ks::ui::lab::RoofPoint& point : child<RooflinePlot>(page()).points())
            QCOMPARE(point.countsOf, point.name.startsWith(id) ? QString("seed.add") : QString());
        QVERIFY(QString::fromStdString(child<RooflinePlot>(page()).csv()).contains(",seed.add,\n"));
        // A report that is kept says it, too, and its speed-up is still that over the base.
        page().saveReport(*page().compared().front(), path("own.json"), true);
        const double speedUp = page().model().number(page().model().itemAt(row), LabTableModel::RatioColumn);
        page().clear();
        QSignalSpy opened(&page(), &LabPage::opened);
        page().openReport(path("own.json"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
        settle();
        const int again = rowOf(id);
        QVERIFY(page()
                    .model()
                    .index(again, LabTableModel::BytesColumn)
                    .data()
                    .toString()
                    .startsWith(QChar(0x2020)));
        QCOMPARE(page().model().number(page().model().itemAt(again), LabTableModel::RatioColumn), speedUp);
    }

    void aPageWithoutOwnKernelsSaysNothingOfCounts() {
        QVERIFY(window_->setPage("lab"));
        page().form().choose("vector_add");
        page().form().setSizes({{"size", "1000"}});
        time();
        QVERIFY(page().table().view().isColumnHidden(LabTableModel::CountsColumn));
        QVERIFY(!QString::fromStdString(page().table().csv()).contains("counts_of"));
        QVERIFY(!child<QLabel>(child<RooflinePane>(page()), "note").text().contains("assumed equal to"));
    }

    void whatIsShownNamesItsProblem() {
        QVERIFY(window_->setPage("lab"));
        QVERIFY(child<ViewChoice>(page()).subject().isEmpty());
        page().form().choose("vector_add");
        page().form().setSizes({{"size", "1000, 4000"}});
        time();
        const QString title = QString::fromStdString(ks::Registry().analysis("vector_add").info().title);
        QCOMPARE(child<ViewChoice>(page()).problems().count(), 3);
        QVERIFY2(child<ViewChoice>(page()).subject().startsWith(title + ": Size 1000 elements, Seed 1;"),
                 qPrintable(child<ViewChoice>(page()).subject()));
        QVERIFY2(child<ViewChoice>(page()).subject().contains("input left on the device"),
                 qPrintable(child<ViewChoice>(page()).subject()));
        child<ViewChoice>(page()).problems().setCurrentIndex(1);
        settle();
        QVERIFY2(child<ViewChoice>(page()).subject().contains("Size 4000 elements"),
                 qPrintable(child<ViewChoice>(page()).subject()));
        // Growth is over all of them, and all rows stand in the table.
        page().tabs().setCurrentIndex(2);
        QCOMPARE(child<ViewChoice>(page()).subject(),
                 dynamic_cast<ElidedLabel&>(child<QLabel>(page(), "tableSubject")).whole());
        page().tabs().setCurrentIndex(0);
        QVERIFY(child<ViewChoice>(page()).subject() !=
                dynamic_cast<ElidedLabel&>(child<QLabel>(page(), "tableSubject")).whole());
        QVERIFY2(dynamic_cast<ElidedLabel&>(child<QLabel>(page(), "tableSubject"))
                     .whole()
                     .contains("2 problems, which differ in Size"),
                 qPrintable(dynamic_cast<ElidedLabel&>(child<QLabel>(page(), "tableSubject")).whole()));
    }

    void aDefineThatNoVariantTakesIsRefusedInOneSentenceBeforeAnythingIsTimed() {
        QVERIFY(window_->setPage("lab"));
        page().form().choose("matmul");
        const auto refusal = [&](const QString& variant, const QString& text) {
            window_->errorBar().dismiss();
            QVERIFY2(page().form().propose({"matmul", {variant}}), "matmul");
            auto* field = page().form().findChild<QLineEdit*>("defines");
            field->setText(text);
            emit field->textEdited(text);
            page().start();
        };
        refusal("registers", "TILE=48");
        const QString value = window_->errorBar().sentence();
        QVERIFY(window_->errorBar().isError() && !window_->queue().busy());
        for (const char* part : {"registers", "TILE", "32, 64, 128", "48", "only these values are supported"})
            QVERIFY2(value.contains(part), qPrintable(value));
        refusal("registers", "TYLE=32");
        const QString name = window_->errorBar().sentence();
        for (const char* part : {"none of the ticked variants", "TYLE", "TILE"})
            QVERIFY2(name.contains(part), qPrintable(name));
        refusal("blocks.16", "BLOCK=8");
        QVERIFY2(window_->errorBar().sentence().contains(
                     "the ticked variants have no definitions that can be set"),
                 qPrintable(window_->errorBar().sentence()));
    }

    void aFileThatIsOpenedOnTheLabIsOfferedAtOnceAndNamed() {
        const QString data = path("frames.h5");
        ks::tests::generate_xpcs(data, 40, 32, 30);
        QVERIFY(window_->setPage("lab"));
        page().form().choose("vector_add");
        QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
        window_->open(data);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QVERIFY(onLab());
        QCOMPARE(page().form().analysis(), QString("xpcs"));
        QTRY_VERIFY_WITH_TIMEOUT(page().form().problem().currentText().contains("frames.h5"), 30000);
        QVERIFY(page().form().plans().front().request.has_value());
        page().form().repeats().setValue(3);
        page().form().variants().choose(ks::ui::lab::VariantListModel::Choice::baseline);
        time();
        QVERIFY2(child<ViewChoice>(page()).subject().contains("frames.h5"),
                 qPrintable(child<ViewChoice>(page()).subject()));
        // F7 has it as well.
        window_->kernels().showKernel(KernelPanel::Tab::edit);
        QVERIFY(window_->kernels().panel().userKernels().bar().data().findText("as on the XPCS page") >= 0);
    }

    void aFileIsOfferedForAnalysesWhosePagesWereNeverShown() {
        const QString data = path("frames.h5");
        ks::tests::generate_xpcs(data, 40, 32, 30);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, data);
        QVERIFY(window_->setPage("lab"));
        page().form().choose("spots");
        QTRY_COMPARE_WITH_TIMEOUT(page().form().problem().count(), 2, 30000);
        QVERIFY(onLab());
        QVERIFY(page().form().problem().itemText(1).contains("frames.h5"));
    }
};

QTEST_MAIN(LabProposalsTest)
#include "tst_lab_proposals.moc"
