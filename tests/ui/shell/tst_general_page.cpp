#include <qcustomplot.h>

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextLayout>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "tests/ui/child.h"
#include "tests/ui/lab/faulty_kernels.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/elided_label.h"
#include "ui/base/parameter_form.h"
#include "ui/kernels/source_view.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_keys.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/stages_view.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/drawer.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/general/exhibits.h"
#include "ui/shell/general/general_page.h"
#include "ui/shell/general/result_view.h"
#include "ui/shell/general/size_list.h"
#include "ui/shell/general/sweep_panel.h"
#include "ui/shell/report.h"
#include "ui/shell/session/window_session.h"

using ks::tests::child;
using namespace ks::ui;

/// The page of analyses that have none of their own.
class GeneralPageTest : public ks::tests::WindowFixture {
    Q_OBJECT

    const ks::Registry registry_;

    QLineEdit* sizeField(const QString& label) {
        for (auto* field : page().sweep().findChildren<QLineEdit*>())
            if (field->accessibleName() == label && field->isVisibleTo(&page().sweep())) return field;
        return nullptr;
    }
    GeneralPage& page() { return dynamic_cast<GeneralPage&>(*window_->page()); }
    QList<QAction*> variantActions() {
        QList<QAction*> all = page().sweep().findChild<QMenu*>()->actions();
        all.removeIf([](const QAction* one) { return !one->isCheckable(); });
        return all;
    }
    bool ran() {
        const int before = window_->runs().rowCount();
        window_->startRun();
        return QTest::qWaitFor(
            [&] { return window_->runs().rowCount() > before && !window_->queue().busy(); }, 120000);
    }
    void choose(const QString& variant) {
        auto* const button = window_->variants().findChild<QAbstractButton*>(variant);
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(window_->variants().variant(), variant);
    }
    static ks::Dataset dataset(const char* name, ks::DataKind kind, std::vector<std::size_t> shape,
                               std::vector<double> values, std::vector<std::string> axes) {
        return {name, std::string("Title of ") + name, "s", kind, ks::Array::of<double>(shape, values), axes};
    }

  private slots:
    void init() {
        window_ = firstWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }
    void cleanup() { window_.reset(); }

    void everyAnalysisIsOnSomePage() {
        const ks::Registry registry;
        for (const ks::Analysis& one : registry.analyses()) {
            const QString id = QString::fromStdString(one.info().id);
            QVERIFY2(window_->setPage(id), qPrintable(id));
            QCOMPARE(window_->page()->analysis(), id);
        }
        QVERIFY(!window_->setPage("no such analysis"));
    }

    void aMapIsSquareUnlessItIsALine() {
        const auto ratio = [](std::size_t rows, std::size_t columns) {
            ResultView view;
            view.resize(400, 600);
            view.show();
            ks::Run run;
            run.result.datasets = {dataset("c", ks::DataKind::image, {rows, columns},
                                           std::vector<double>(rows * columns, 2.5), {"", ""})};
            view.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
            QTest::qWait(50);
            const auto* const map = view.findChild<MapPlot*>();
            if (!map) return 0.0;
            const QRect frame = map->findChild<QCustomPlot*>()->axisRect()->rect();
            return static_cast<double>(frame.height()) / frame.width();
        };
        for (const std::size_t side : {1, 2, 30})
            QVERIFY2(std::abs(ratio(side, side) - 1) < 0.02, qPrintable(QString::number(side)));
        // One row of values would be a line.
        QVERIFY(ratio(1, 30) > 0.5);
    }

    void theListIsAsWideAsItsTitles() {
        window_->resize(1280, 800);
        QVERIFY(window_->setPage("vector_add"));
        const QListWidget& list = page().list();
        const auto room = [&list] { return list.viewport()->width(); };
        QTRY_VERIFY2(room() >= list.sizeHintForColumn(0), qPrintable(QString::number(room())));
        QVERIFY(!list.horizontalScrollBar()->isVisible());
        QFont larger = page().list().font();
        larger.setPointSizeF(1.5 * QFontInfo(larger).pointSizeF());
        page().list().setFont(larger);
        QTRY_VERIFY2(room() >= list.sizeHintForColumn(0), qPrintable(QString::number(room())));
    }

    void anExerciseRunsAndShowsKernelAndResult() {
        QVERIFY(window_->setPage("matmul"));
        QVERIFY(window_->missing().isEmpty());
        QVERIFY(page().list().count() >= 2);
        window_->parameters().setValues({{"size", std::int64_t{65}}});
        QVERIFY(window_->variants().setVariant("blocks.16"));
        QCOMPARE(page().sources(), QStringList("gpu/basics/matmul/blocks_16.cl"));
        QVERIFY(page().source().toPlainText().contains("kernel"));
        QVERIFY(ran());
        const ks::Run& run = *window_->runs().rows().front().run;
        QCOMPARE(run.variant.id, std::string("blocks.16"));
        QVERIFY(run.verdict.state == ks::Verdict::State::sampled ||
                run.verdict.state == ks::Verdict::State::pass);
        QVERIFY(page().result().tabs().count() >= 1);
        QVERIFY2(!page().result().facts().isEmpty(), "no facts");
        QVERIFY(window_->setPage("vector_add"));
        QCOMPARE(page().result().tabs().count(), 0);
        // What was chosen comes back with the exercise.
        QVERIFY(window_->setPage("matmul"));
        QCOMPARE(window_->variants().variant(), QString("blocks.16"));
        QCOMPARE(ks::integer(window_->parameters().values(), "size"), 65);
        QVERIFY(page().result().tabs().count() >= 1);
    }

    void theSourceOfExpressionsIsTheTextThatRan() {
        QVERIFY(window_->setPage("expression"));
        QVERIFY(window_->variants().setVariant("map.reduce"));
        window_->parameters().setValues({{"map_expression", std::string("x[i] - 2*y[i]")}});
        QVERIFY(!page().source().toPlainText().contains("x[i]"));
        QVERIFY(ran());
        const QString shown = page().source().toPlainText();
        QVERIFY2(shown.contains("x[i] - 2*y[i]"), qPrintable(shown));
        QVERIFY(shown.contains("a+b"));
        QVERIFY(shown.contains("kernel void map_values"));
    }

    void theWarningOfARunNamesItAndGoesWithItsExercise() {
        window_->show();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QVERIFY(window_->setPage("expression"));
        QVERIFY(window_->variants().setVariant("map.reduce"));
        window_->parameters().setValues({{"map_expression", std::string("1/x[i]")}});
        QVERIFY(ran());
        const ErrorBar& bar = window_->errorBar();
        QTRY_VERIFY2(bar.isVisible() && bar.sentence().startsWith("Run 1: the reduction of all values is"),
                     qPrintable(bar.sentence()));
        // Another exercise of the same page.
        QVERIFY(window_->setPage("vector_add"));
        QVERIFY(!bar.isVisible());
    }

    void anErrorNamesTheFieldsAsTheWindowShowsThem() {
        QVERIFY(window_->setPage("expression"));
        QVERIFY(window_->variants().setVariant("map.reduce"));
        const ErrorBar& bar = window_->errorBar();
        window_->parameters().setValues({{"map_expression", std::string("x[i] *")}});
        window_->startRun();
        QTRY_VERIFY2_WITH_TIMEOUT(bar.sentence().contains(": Map: line 1 does not compile"),
                                  qPrintable(bar.sentence()), 60000);
        window_->parameters().setValues(
            {{"map_expression", std::string("x[i]")}, {"reduce_expression", std::string(" ")}});
        window_->startRun();
        QVERIFY(window_->setPage("vector_add"));  // whose fields have other names
        QTRY_VERIFY2_WITH_TIMEOUT(
            bar.sentence().contains(": Reduction: expected an expression, found nothing"),
            qPrintable(bar.sentence()), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }

    void theTableOfAnOutdatedRunSaysSo() {
        QVERIFY(window_->setPage("vector_add"));
        window_->parameters().setValues({{"size", std::int64_t{5}}});
        QVERIFY(ran());
        const QTemporaryDir folder;
        const auto csv = [&](const char* leaf) {
            QFile file(folder.filePath(leaf));
            window_->saveCsv(file.fileName(), true);
            const bool isWritten =
                QTest::qWaitFor([&] { return file.exists() && file.open(QIODevice::ReadOnly); }, 30000);
            return isWritten ? QString::fromUtf8(file.readAll()) : QString();
        };
        QVERIFY2(csv("now.csv").startsWith("index,c\n"), qPrintable(csv("again.csv")));
        window_->parameters().setValues({{"size", std::int64_t{6}}});
        const QString outdated = csv("outdated.csv");
        QVERIFY2(outdated.startsWith("index,c,note\n"), qPrintable(outdated));
        QCOMPARE(outdated.count(",outdated (Size)\n"), 5);
    }

    void theTextOfAUsersKernelIsNamedByItsFile() {
        const QTemporaryDir own;
        const QByteArray before = qgetenv("KERNELSCOPE_VARIANTS");
        qputenv("KERNELSCOPE_VARIANTS", own.path().toUtf8());
        const QScopeGuard back([&] { qputenv("KERNELSCOPE_VARIANTS", before); });
        ks::tests::write_faulty_kernel(own.path(), "right", 1);
        window_ = firstWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("matmul"));
        QVERIFY(window_->variants().setVariant("user.right"));
        QVERIFY2(page().sources().front().endsWith("/right.cl"), qPrintable(page().sources().join(' ')));
        QFile text(page().sources().front());
        QVERIFY(text.open(QIODevice::ReadOnly));
        QCOMPARE(page().source().toPlainText().trimmed(), QString::fromUtf8(text.readAll()).trimmed());
        QCOMPARE(page().source().file(), page().sources().front());
        // Sizes times it only once it is ticked.
        const auto isTimed = [this] {
            const std::vector<std::string> all = page().sweep().plan().variants;
            return std::ranges::find(all, "user.right") != all.end();
        };
        const auto entry = [this] {
            const QList<QAction*> all = variantActions();
            return *std::ranges::find(all, QStringLiteral("user.right"), &QAction::text);
        };
        QVERIFY(!isTimed());
        entry()->trigger();
        QVERIFY(isTimed());
        const nlohmann::json kept = page().sweep().keep();
        entry()->trigger();
        QVERIFY(!isTimed());
        page().sweep().bringBack(kept);
        QVERIFY(isTimed());
    }

    void aKernelWithBytesThatAreNoUtf8IsMeasured() {
        const QTemporaryDir own;
        const QByteArray before = qgetenv("KERNELSCOPE_VARIANTS");
        qputenv("KERNELSCOPE_VARIANTS", own.path().toUtf8());
        const QScopeGuard back([&] { qputenv("KERNELSCOPE_VARIANTS", before); });
        ks::tests::write_faulty_kernel(own.path(), "latin", 1);
        QFile file(own.filePath("matmul/latin.cl"));
        QVERIFY(file.open(QIODevice::Append));
        file.write("// f\xf6r\n");
        file.close();
        window_ = firstWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        window_->kept().begin(folder_.filePath("latin"), WindowSession::Begin::empty);
        QVERIFY(window_->setPage("matmul"));
        for (QAction* one : variantActions())
            if (one->isChecked() != (one->text() == "user.latin")) one->trigger();
        SweepPanel& sweep = page().sweep();
        sweep.setSizes({{"size", "16, 32"}});
        sweep.measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!sweep.running() && !window_->queue().busy(), 120000);
        QVERIFY2(sweep.made().startsWith("Measured: "), qPrintable(sweep.made()));
        QVERIFY(!window_->kept().document().work.empty());
    }

    void fieldsOfTheExerciseBeforeAreGoneAtOnce() {
        QVERIFY(window_->setPage("index_space"));
        QVERIFY(window_->setPage("reduce"));
        const auto* const sweep = page().findChild<SweepPanel*>();
        QVERIFY(sweep);
        const auto shown = [sweep] {
            QStringList names;
            for (const QLineEdit* field : sweep->findChildren<QLineEdit*>())
                if (field->isVisibleTo(sweep) && !field->accessibleName().isEmpty())
                    names << field->accessibleName();
            return names;
        };
        const QStringList atOnce = shown();
        QVERIFY2(atOnce.isEmpty() || atOnce == QStringList{"Size"}, qPrintable(atOnce.join(' ')));
        QTRY_COMPARE(shown(), QStringList{"Size"});  // a layout shows what is new when the loop comes to it
    }

    void imagesTakesNoFileOfFramesThatIsOpen() {
        QVERIFY(window_->setPage("images"));
        OpenFile frames, picture;
        frames.path = "/d/frames.h5";
        frames.tree.children.resize(1);
        QVERIFY(!page().accepts(frames));
        picture.name = picture.path = "/d/picture.png";
        QVERIFY(page().accepts(picture));
        page().setFile(std::make_shared<const OpenFile>(picture));
        const auto placeholders = [this] {
            QStringList all;
            for (const QLineEdit* field : page().inputWidget()->findChildren<QLineEdit*>())
                all << field->placeholderText();
            return all;
        };
        QVERIFY2(placeholders().contains("the open file, picture.png"), qPrintable(placeholders().join(';')));
        page().setFile(nullptr);
        QVERIFY2(placeholders().contains("no file"), qPrintable(placeholders().join(';')));
    }

    void whatAPictureMakesUselessIsDisabledAndSizesSayWhatIsMeasured() {
        const QTemporaryDir folder;
        QImage image(71, 61, QImage::Format_Grayscale8);
        image.fill(20);
        QVERIFY(image.save(folder.filePath("chosen.png")));
        QVERIFY(window_->setPage("images"));
        const auto enabled = [this](const char* id) { return window_->parameters().field(id)->isEnabled(); };
        const auto said = [this] {
            QStringList all;
            for (const ElidedLabel* one : page().sweep().findChildren<ElidedLabel*>())
                if (one->isVisibleTo(&page().sweep())) all << one->whole();
            return all.join('|');
        };
        QTRY_VERIFY(enabled("width") && enabled("height") && !said().contains("chosen.png"));
        const auto fields = page().inputWidget()->findChildren<QLineEdit*>();
        QVERIFY(!fields.isEmpty());
        fields.front()->setFocus();
        QTest::keyClicks(fields.front(), folder.filePath("chosen.png"));
        QTRY_VERIFY(!enabled("width") && !enabled("height") && !enabled("seed") && enabled("filter"));
        QVERIFY2(window_->parameters().field("width")->toolTip().contains("the picture is read from a file"),
                 qPrintable(window_->parameters().field("width")->toolTip()));
        QTRY_VERIFY2(said().contains("Measurements use generated data of these sizes, not chosen.png"),
                     qPrintable(said()));
        fields.front()->selectAll();
        QTest::keyClick(fields.front(), Qt::Key_Delete);
        QTRY_VERIFY(enabled("width") && !said().contains("chosen.png"));
    }

    void aSizeWithoutEffectIsDisabledAndNotMeasured() {
        QVERIFY(window_->setPage("images"));
        QTRY_VERIFY(window_->parameters().field("kind"));
        window_->parameters().setValue("kind", std::string("3d"));
        QTRY_VERIFY(sizeField("Depth") && sizeField("Depth")->isEnabled());
        QLineEdit& depth = *sizeField("Depth");
        const QString tip = depth.toolTip();
        depth.setFocus();
        QTest::keyClicks(&depth, "2, 8");
        QCOMPARE(page().sweep().plan().sizes.at("depth").size(), std::size_t{2});
        window_->parameters().setValue("kind", std::string("2d"));
        QTRY_VERIFY(!depth.isEnabled());
        QVERIFY2(depth.toolTip().contains("Not used: only the kinds 3d and 2d_array have slices"),
                 qPrintable(depth.toolTip()));
        QVERIFY(page().sweep().plan().sizes.at("depth").empty());
        QVERIFY(sizeField("Width")->isEnabled());
        window_->parameters().setValue("kind", std::string("2d_array"));
        QTRY_VERIFY(depth.isEnabled());
        QCOMPARE(depth.toolTip(), tip);
        QCOMPARE(depth.text(), QString("2, 8"));

        // The value that decides may itself be a size.
        QVERIFY(window_->setPage("index_space"));
        QTRY_VERIFY(sizeField("Dimensions"));
        const auto last = [this] {
            for (const ks::ParameterSpec& spec : registry_.analysis("index_space").info().benchmark)
                if (spec.id == "global_z") return sizeField(QString::fromStdString(spec.label));
            return static_cast<QLineEdit*>(nullptr);
        };
        QVERIFY(last());
        sizeField("Dimensions")->setText("1, 2");
        QTRY_VERIFY(!last()->isEnabled());
        sizeField("Dimensions")->setText("1, 3");
        QTRY_VERIFY(last()->isEnabled());
    }

    void aReportOfAnExerciseNeedsNoFile() {
        QVERIFY(window_->setPage("printf"));
        const QTemporaryDir folder;
        QVERIFY(!writeReport(*window_, {}, QDir(folder.filePath("report"))).isEmpty());
        QVERIFY(QFile::exists(folder.filePath("report/report.txt")));
    }

    void aRunThatIsWantedWhileTheWorkerRestartsWaitsForIt() {
        QVERIFY(window_->setPage("vector_add"));
        QVERIFY(ran());
        QSignalSpy restarted(&window_->worker(), &WorkerClient::workerRestarted);
        window_->worker().restart();
        QTRY_COMPARE_WITH_TIMEOUT(restarted.count(), 1, 20000);
        QVERIFY(!window_->worker().ready());
        QVERIFY(window_->action("run")->isEnabled());
        window_->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 2 && !window_->queue().busy(), 60000);
    }

    void aReportShowsTheRunOfWhichItHasTheData() {
        QVERIFY(window_->setPage("atomics"));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->variants().variant().isEmpty(), 60000);
        const QString chosen = window_->variants().variant();
        const QTemporaryDir folder;
        QVERIFY(!writeReport(*window_, {}, QDir(folder.filePath("report"))).isEmpty());
        QCOMPARE(window_->runs().rowCount(), 2);
        const RunRow& newest = window_->runs().rows().front();
        QCOMPARE(QString::fromStdString(newest.run->variant.id), chosen);
        QCOMPARE(page().drawer().mark(), QString());
        // The other one is of the reference.
        QVERIFY2(!page().result().facts().contains(QString("Run %1 computed").arg(newest.number)),
                 qPrintable(page().result().facts()));
        QFile file(folder.filePath("report/report.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY2(text.contains(QString("pictures and figures: run %1 (%2), compared with run %3")
                                   .arg(newest.number)
                                   .arg(chosen)
                                   .arg(window_->runs().rows().back().number)),
                 qPrintable(text));
        QVERIFY2(text.contains(QString("\nrun %1: %2 on ").arg(newest.number).arg(chosen)), qPrintable(text));
    }

    void aReportIsWholeIfTheResultIsNoTable() {
        QVERIFY(window_->setPage("synchronise"));
        const QTemporaryDir folder;
        const QStringList files = writeReport(*window_, {}, QDir(folder.filePath("report")));
        QFile file(folder.filePath("report/report.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY2(text.contains("no CSV: group [32] and queue [8] have different axes"), qPrintable(text));
        for (const char* leaf : {"window.png", "dark.png", "run.h5", "report.txt"})
            QVERIFY2(files.contains(QDir(folder.filePath("report")).filePath(leaf)) &&
                         QFile::exists(folder.filePath(QString("report/") + leaf)),
                     leaf);
        QVERIFY(QDir(folder.filePath("report")).entryList({"*.csv"}).isEmpty());
    }

    void aResultOfOtherParametersSaysSo() {
        ResultView view;
        ks::Run run;
        run.result.facts = {{"size", 512}};
        view.setNote("Run 1 computed with other settings (Size)", {});
        QVERIFY(view.facts().isEmpty());
        view.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
        QVERIFY2(view.facts().startsWith("Run 1 computed with other settings (Size)"),
                 qPrintable(view.facts()));
        QVERIFY(view.facts().contains("512"));
        view.setNote({}, {});
        QVERIFY(view.facts().startsWith("size"));
    }

    void curvesThatShareAPlotHaveATitleBesideTheirUnit() {
        auto speeds = std::make_shared<ks::Run>();
        for (const char* name : {"local", "global"}) {
            speeds->result.datasets.push_back(
                dataset(name, ks::DataKind::curves, {2}, {4000, 5000}, {"bytes"}));
            speeds->result.datasets.back().unit = "GB/s";
        }
        speeds->result.datasets.push_back(dataset("bytes", ks::DataKind::axis, {2}, {1, 2}, {}));
        ResultView view;
        view.setRuns({{1, speeds, true, false}});
        const auto* const plot = view.findChild<ks::ui::CurvePlot*>();
        QVERIFY(plot);
        QCOMPARE(plot->figure().content().series.size(), 2);
        QCOMPARE(plot->figure().content().yTitle, QString("Rate"));
    }

    void noFactIsBrokenWithinItsUnit() {
        ResultView view;
        ks::Run run;
        run.result.facts = {{"made", "44.49 GB/s"}, {"of", "3 a/b"}};
        view.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
        QVERIFY2(view.facts().contains("44.49 GB/s"), qPrintable(view.facts()));
        QLabel* facts = nullptr;
        for (QLabel* one : view.findChildren<QLabel*>())
            if (one->accessibleName() == "Facts about the result") facts = one;
        QVERIFY(facts);
        QTextLayout layout(facts->text().section("     ", 0, 0), facts->font());
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(1);
        QVERIFY(!layout.createLine().isValid());
        layout.endLayout();
    }

    void ofManyOutdatedRunsTwoAreNamedAndTheTipNamesAll() {
        QVERIFY(window_->setPage("vector_add"));
        auto& page = dynamic_cast<GeneralPage&>(*window_->page());
        std::vector<RunRow> rows;
        for (int number = 12; number >= 1; --number) {
            ks::Run run;
            run.request.analysis = "vector_add";
            rows.push_back({number, std::make_shared<const ks::Run>(run), true, false});
        }
        page.setComparison([](const ks::Run&) { return QStringList{"Size"}; });
        page.setRuns(rows);
        const QLabel* facts = nullptr;
        for (const QLabel* one : page.findChildren<QLabel*>())
            if (one->toolTip().contains("computed with other settings")) facts = one;
        QVERIFY(facts);
        const auto noted = [&page] { return page.result().facts(); };
        QVERIFY2(noted().startsWith("Run 12 computed with other settings (Size), run 11 computed with "
                                    "other settings (Size) and 10 more"),
                 qPrintable(noted()));
        for (int number = 1; number <= 12; ++number)
            QVERIFY(facts->toolTip().contains(QString("un %1 computed").arg(number)));
        page.setRuns({rows.begin(), rows.begin() + 2});
        QVERIFY2(noted().startsWith("Run 12 computed with other settings (Size), run 11 computed with "
                                    "other settings (Size)") &&
                     !noted().contains("more"),
                 qPrintable(noted()));
    }

    void aResultThatCannotBeCheckedSaysWhy() {
        ResultView view;
        ks::Run run;
        run.variant.id = "map.reduce";
        view.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
        QVERIFY2(!view.made().contains("check"), qPrintable(view.made()));  // it follows
        run.verdict.text = "the host can only evaluate expressions";
        view.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
        QVERIFY2(view.made().endsWith("; not checked: the host can only evaluate expressions"),
                 qPrintable(view.made()));
        run.verdict.state = ks::Verdict::State::pass;
        run.verdict.text =
            "pass: 2 values agree; the reduction of the values is inf, which is not finite, and was not "
            "compared";
        run.result.facts = {{"reduced", "inf"}};
        view.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
        QVERIFY2(view.made().endsWith(
                     "; the check passed; the reduction of the values is inf, which is not finite, and was "
                     "not compared"),
                 qPrintable(view.made()));
        QVERIFY2(view.facts().contains("reduced: inf"), qPrintable(view.facts()));
    }

    void aResultNamesItsVariantAndIsMarkedWhereAnotherOneIsChosen() {
        QVERIFY(window_->setPage("matmul"));
        window_->parameters().setValues({{"size", std::int64_t{65}}});
        QVERIFY(window_->variants().setVariant("blocks.16"));
        QVERIFY(page().result().made().isEmpty());
        QVERIFY(ran());
        const auto mark = [this] { return page().drawer().mark(); };
        QVERIFY2(page().result().made().contains("blocks.16"), qPrintable(page().result().made()));
        // The check comes after the run.
        QTRY_VERIFY_WITH_TIMEOUT(page().result().made().contains("the check passed"), 30000);
        QCOMPARE(mark(), QString());
        choose("row.item");
        QCOMPARE(mark(), QString("Run 1 is outdated (Variant)"));
        window_->parameters().setValues({{"size", std::int64_t{66}}});
        QTRY_COMPARE(mark(), QString("Run 1 is outdated (Size, Variant)"));
        window_->parameters().setValues({{"size", std::int64_t{65}}});
        QTRY_COMPARE(mark(), QString("Run 1 is outdated (Variant)"));
        // It is seen in a small window, too, and with the drawer folded.
        window_->resize(840, 500);
        page().setDrawerOpen(false);
        const auto seen = [this] {
            for (const QLabel* one : window_->statusBar()->findChildren<QLabel*>())
                if (one->text() == "Run 1 outdated" && one->isVisible())
                    return window_->rect().contains(QRect(one->mapTo(window_.get(), QPoint()), one->size()));
            return false;
        };
        QTRY_VERIFY(seen());
        QVERIFY(window_->setPage("devices"));
        QVERIFY2(!seen(), "the run is of another page");
        QVERIFY(window_->setPage("matmul"));
        QTRY_VERIFY(seen());
        page().setDrawerOpen(true);
        QVERIFY2(page().result().facts().contains("(Variant)"), qPrintable(page().result().facts()));
        QVERIFY(page().result().made().contains("blocks.16"));
        choose("blocks.16");
        QCOMPARE(mark(), QString());
        QComboBox& devices = window_->devices();
        const int before = devices.currentIndex();
        devices.setFocus();
        QTest::keyClick(&devices, Qt::Key_End);  // the host
        QVERIFY(devices.currentIndex() != before);
        QVERIFY2(mark().startsWith("Run 1 is outdated"), qPrintable(mark()));
        devices.setCurrentIndex(before);
        QVERIFY(window_->variants().setVariant("blocks.16"));
        QCOMPARE(mark(), QString());
    }

    // They cannot be set on the page: its next run would compile another kernel.
    void aRunWithDefinitionsNamesThemAndIsMarked() {
        QVERIFY(window_->setPage("matmul"));
        window_->parameters().setValues({{"size", std::int64_t{65}}});
        QVERIFY(window_->variants().setVariant("registers"));
        ks::Request request = window_->pageRuns().makeRequest();
        request.defines = {{"DEPTH", "8"}};
        window_->queue().run(request, true);
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->queue().busy(), 60000);
        const auto mark = [this] { return page().drawer().mark(); };
        QCOMPARE(mark(), QString("Run 1 is outdated (Definitions)"));
        const RunTableModel& runs = window_->runs();
        QVERIFY(window_->pageRuns().exported(runs.rows().front()).text.endsWith("outdated (Definitions)"));
        QVERIFY2(page().result().made().startsWith("Run 1: registers, DEPTH = 8 on"),
                 qPrintable(page().result().made()));
        const QString tip = runs.index(0, RunTableModel::VariantColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.startsWith("registers, DEPTH = 8\n"), qPrintable(tip));
        const QTemporaryDir folder;
        const QString file = folder.filePath("run.h5");
        ks::Progress progress;
        registry_.analysis("matmul").save(*runs.rows().front().run, file.toStdString(), false, progress);
        window_ = firstWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        window_->open(file);
        const auto message = [this] { return window_->statusBar()->currentMessage(); };
        QTRY_VERIFY_WITH_TIMEOUT(message().startsWith("Parameters set to those of run"), 30000);
        QVERIFY2(message().endsWith("; its definitions (DEPTH = 8) apply only if it is repeated"),
                 qPrintable(message()));
        QCOMPARE(window_->variants().variant(), QString("registers"));
        QTRY_VERIFY_WITH_TIMEOUT(mark().endsWith("is outdated (Definitions)"), 10000);
        QVERIFY(ran());
        QCOMPARE(mark(), QString());
    }

    void aWrongResultIsSaidWhereItIsLookedAt() {
        ResultView view;
        ks::Run run;
        run.variant.id = run.request.variant = "some.variant";
        run.device.name = "Some device";
        run.verdict.state = ks::Verdict::State::fail;
        run.verdict.text = "12 of 64 values differ";
        view.setRuns({{7, std::make_shared<const ks::Run>(run), true, false}});
        view.resize(900, 400);
        view.show();
        QLabel* const shown = [&] {
            for (QLabel* one : view.findChildren<QLabel*>())
                if (one->isVisible() && one->text().contains("wrong")) return one;
            return static_cast<QLabel*>(nullptr);
        }();
        QVERIFY(shown);
        for (const char* part : {"Run 7", "some.variant", "Some device", "12 of 64 values differ"})
            QVERIFY2(shown->text().contains(part), qPrintable(shown->text()));
        QVERIFY(shown->palette().windowText() != view.palette().windowText());
        view.resize(220, 400);  // too narrow for a name of a kernel
        QTRY_COMPARE(shown->text(), QString("Run 7: wrong result"));
        // Then the reason is below the result, in as many lines as it takes.
        const auto reason = [&]() -> const QLabel* {
            for (const QLabel* one : view.findChildren<QLabel*>())
                if (one->isVisible() && one->text().contains("12 of 64 values differ")) return one;
            return nullptr;
        };
        QTRY_VERIFY(reason());
        QVERIFY(reason()->height() >= reason()->heightForWidth(reason()->width()) &&
                reason()->heightForWidth(reason()->width()) > 2 * reason()->fontMetrics().height());
        QVERIFY(reason()->geometry().right() < view.width() && reason()->geometry().bottom() < view.height());
        QVERIFY(reason()->palette().windowText() != view.palette().windowText());
        view.resize(900, 400);
        QTRY_VERIFY(reason() == shown);
    }

    void figuresSayThatARunIsWrongOrOutdated() {
        const auto noted = [this] {
            const QTabWidget& tabs = page().result().tabs();
            for (int i = 0; i < tabs.count(); ++i) {
                if (const auto* map = qobject_cast<MapPlot*>(tabs.widget(i))) return map->title();
                if (const auto* curves = qobject_cast<CurvePlot*>(tabs.widget(i))) return curves->note();
            }
            return QStringLiteral("no plot");
        };
        QVERIFY(window_->setPage("matmul"));
        window_->parameters().setValues({{"size", std::int64_t{300}}});
        QVERIFY(window_->variants().setVariant("as_published.column.local"));
        QVERIFY(ran());
        QTRY_COMPARE_WITH_TIMEOUT(noted(), QString("Run 1 is wrong"), 30000);
        // The picture is of the newest run alone, whichever runs are ticked besides.
        QVERIFY(window_->variants().setVariant("registers"));
        QVERIFY(ran());
        window_->runs().tickOnly({1, 2});
        QTRY_VERIFY_WITH_TIMEOUT(
            page().result().facts().contains("Run 1 computed with other settings (Variant), run 1 is wrong"),
            10000);
        QCOMPARE(noted(), QString());
        QVERIFY(window_->setPage("vector_add"));
        window_->parameters().setValues({{"size", std::int64_t{5}}});
        QVERIFY(ran());
        QCOMPARE(noted(), QString());
        window_->parameters().setValues({{"size", std::int64_t{6}}});
        QCOMPARE(noted(), QString("Run 3 computed with other settings (Size)"));
        QVERIFY(ran());
        QCOMPARE(noted(), QString());
        // The run that is shown is named, which is not the newest one.
        window_->runs().tickOnly({3});
        QTRY_COMPARE_WITH_TIMEOUT(noted(), QString("Run 3 computed with other settings (Size)"), 10000);
    }

    void everyTickedRunOfOtherInputsIsMarked() {
        QVERIFY(window_->setPage("dot"));
        window_->action("live")->setChecked(false);
        for (const std::int64_t size : {777, 1000}) {
            window_->parameters().setValues({{"size", size}});
            QVERIFY(ran());
        }
        window_->runs().tickOnly({1, 2});
        const auto line = [this](const QString& run) {
            for (const auto* text : page().result().findChildren<QPlainTextEdit*>())
                for (const QString& one : text->toPlainText().split('\n'))
                    if (one.startsWith(run + ": ")) return one;
            return QString();
        };
        const auto stage = [this](int i) { return window_->stages().timing().runs().value(i).mark; };
        QTRY_VERIFY_WITH_TIMEOUT(line("run 1").endsWith("   outdated (Size)"), 10000);
        QVERIFY2(!line("run 2").contains("outdated"), qPrintable(line("run 2")));
        QCOMPARE(page().drawer().mark(), QString());
        QVERIFY2(page().result().facts().contains("Run 1 computed with other settings (Size)"),
                 qPrintable(page().result().facts()));
        QCOMPARE(stage(0), QString());
        QCOMPARE(stage(1), QString("outdated (Size)"));
        window_->parameters().setValues({{"size", std::int64_t{777}}});
        QTRY_COMPARE(line("run 1").contains("outdated"), false);
        QVERIFY(line("run 2").endsWith("   outdated (Size)"));
        QCOMPARE(stage(0), QString("outdated (Size)"));
        QCOMPARE(stage(1), QString());
        // Another reason besides, which the size does not lead to.
        QVERIFY(window_->variants().setVariant("sequential"));
        QTRY_VERIFY_WITH_TIMEOUT(line("run 1").endsWith("   outdated (Variant)"), 10000);
        QVERIFY(line("run 2").endsWith("   outdated (Size, Variant)"));
    }

    void aVariantThatIsNoLongerChosenIsAReasonBesidesTheSize() {
        QVERIFY(window_->setPage("dot"));
        window_->parameters().setValues({{"size", std::int64_t{777}}});
        ks::Request request = window_->pageRuns().makeRequest();
        QVERIFY(request.variant != "tree");
        request.variant = "tree";
        window_->queue().run(request, true);
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->queue().busy(), 60000);
        QTRY_COMPARE(page().drawer().mark(), QString("Run 1 is outdated (Variant)"));
        window_->parameters().setValues({{"size", std::int64_t{778}}});
        QTRY_COMPARE(page().drawer().mark(), QString("Run 1 is outdated (Size, Variant)"));
    }

    void theMarkIsThereAgainAfterARestart() {
        const QString sessions = folder_.filePath("marked");
        window_->kept().begin(sessions, WindowSession::Begin::empty);
        QVERIFY(window_->setPage("vector_add"));
        window_->parameters().setValues({{"size", std::int64_t{1000}}});
        QVERIFY(ran());
        QTRY_COMPARE_WITH_TIMEOUT(window_->kept().document().runs.size(), std::size_t{1}, 20000);
        window_->action("live")->trigger();
        window_->parameters().setValue("size", std::int64_t{1200});
        QCOMPARE(page().drawer().mark(), QString("Run 1 is outdated (Size)"));
        const auto onDisk = [&] {
            QFile file(window_->kept().sessionFile());
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QTRY_VERIFY_WITH_TIMEOUT(onDisk().contains("1200"), 20000);
        window_.reset();
        // With the same settings.
        window_ = window();
        window_->kept().begin(sessions, WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(window_->page()->drawer().mark(), QString("Run 1 is outdated (Size)"),
                                  60000);
        QVERIFY(!window_->action("live")->isChecked());
    }

    void aMeasurementOutlivesALookAtAnotherExerciseAndARestart() {
        const QString sessions = folder_.filePath("measured");
        window_->kept().begin(sessions, WindowSession::Begin::empty);
        QVERIFY(window_->setPage("vector_add"));
        page().sweep().setSizes({{"size", "1000, 2000"}});
        page().sweep().measure().click();
        QVERIFY(page().sweep().running());
        // What comes while another exercise is looked at is not drawn there.
        const auto choose = [this](const QString& analysis) {
            const QListWidget& list = page().list();
            const auto row = static_cast<int>(page().analyses().indexOf(analysis));
            QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                              list.visualItemRect(list.item(row)).center());
            QCOMPARE(page().analysis(), analysis);
        };
        choose("matmul");
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running() && !window_->queue().busy(), 120000);
        QVERIFY(page().sweep().times().series().isEmpty());
        choose("vector_add");
        const auto measured = page().sweep().times().series();
        QVERIFY(measured.size() >= 2);
        QCOMPARE(measured[0].x, (QVector<double>{1000, 2000}));
        QVERIFY(window_->close());
        window_ = ks::tests::new_window(folder_.filePath("next.ini"));
        window_->kept().begin(sessions, WindowSession::Begin::bySetting);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready() && window_->page()->analysis() == "vector_add",
                                 60000);
        QTRY_COMPARE(page().sweep().times().series().size(), measured.size());
        for (qsizetype i = 0; i < measured.size(); ++i) {
            QCOMPARE(page().sweep().times().series()[i].x, measured[i].x);
            QCOMPARE(page().sweep().times().series()[i].y, measured[i].y);
        }
    }

    static ks::BenchRow row(const char* variant, double milliseconds) {
        ks::BenchRow made;
        made.variant.id = variant;
        made.samples.resize(1);
        made.samples.front().kernel = 1e6 * milliseconds;
        return made;
    }
    void begin(SweepPanel& panel) {
        panel.setAnalysis(registry_.analysis("reduce"));
        panel.setSizes({{"size", "64, 128"}});
        panel.measure().click();
        panel.setRunning(true);
    }

    void thePointsOfAStoppedMeasurementAreKept() {
        SweepPanel panel;
        begin(panel);
        panel.addRow(0, {{"size", std::int64_t{64}}}, row("serial", 3));
        // The window may be closed before the measurement has ended, or after it was stopped.
        for (const bool running : {true, false}) {
            if (!running) panel.setRunning(false);
            SweepPanel next;
            next.setAnalysis(registry_.analysis("reduce"));
            next.bringBack(panel.keep());
            QCOMPARE(next.times().series().size(), 1);
            QCOMPARE(next.times().series().front().x, QVector<double>{64});
            QCOMPARE(next.times().series().front().y, QVector<double>{3});
            // Another one replaces it, even if it is stopped as well.
            begin(next);
            next.addRow(0, {{"size", std::int64_t{128}}}, row("serial", 5));
            next.setRunning(false);
            QCOMPARE(next.times().series().front().x, QVector<double>{128});
        }
    }

    void listsOfSizesTakeNumbersAsFieldsDo() {
        SweepPanel panel;
        panel.setAnalysis(registry_.analysis("reduce"));
        panel.setSizes({{"size", "1e3, 2 000, 1000, 3.5e3"}});
        QCOMPARE(
            panel.plan().sizes.at("size"),
            (std::vector<ks::ParameterValue>{std::int64_t{1000}, std::int64_t{2000}, std::int64_t{3500}}));
        for (const char* bad : {"1e-3", "20.000", "1e400", "1e"}) {
            panel.setSizes({{"size", bad}});
            QVERIFY_THROWS_EXCEPTION(ks::Error, panel.plan());
        }
    }

    void fieldsButtonsAndDiagramsOfSizesNeverLieOverEachOther() {
        for (const double scale : {1.0, 1.5})
            for (const ks::Analysis& analysis : registry_.analyses()) {
                if (!analysis.has_benchmark()) continue;
                SweepPanel panel;
                QFont font = panel.font();
                font.setPointSizeF(font.pointSizeF() * scale);
                panel.setFont(font);
                panel.setAnalysis(analysis);
                panel.resize(574, 174);
                panel.show();
                QVERIFY(QTest::qWaitForWindowExposed(&panel));
                std::vector<std::pair<QRect, QWidget*>> places;
                for (QWidget* one : panel.findChildren<QWidget*>()) {
                    const bool counts = qobject_cast<QLineEdit*>(one) || qobject_cast<QLabel*>(one) ||
                                        qobject_cast<QToolButton*>(one) || qobject_cast<QSpinBox*>(one) ||
                                        qobject_cast<CurvePlot*>(one);
                    if (!counts || !one->isVisible() || qobject_cast<QSpinBox*>(one->parentWidget()))
                        continue;
                    bool within = false;
                    for (QWidget* up = one->parentWidget(); up && up != &panel; up = up->parentWidget())
                        within = within || qobject_cast<CurvePlot*>(up);
                    if (!within) places.emplace_back(QRect(one->mapTo(&panel, QPoint()), one->size()), one);
                }
                QVERIFY(places.size() > 3);
                for (std::size_t i = 0; i < places.size(); ++i)
                    for (std::size_t k = 0; k < i; ++k)
                        QVERIFY2(!places[i].first.intersects(places[k].first),
                                 qPrintable(QString("%1: %2 and %3")
                                                .arg(QString::fromStdString(analysis.info().id),
                                                     places[i].second->accessibleName(),
                                                     places[k].second->accessibleName())));
                for (const QLineEdit* field : panel.findChildren<QLineEdit*>())
                    if (!qobject_cast<QSpinBox*>(field->parentWidget()))
                        QVERIFY2(field->width() >= field->fontMetrics().horizontalAdvance(
                                                       field->text().isEmpty() ? field->placeholderText()
                                                                               : field->text()) ||
                                     field->width() >= 250,
                                 qPrintable(field->accessibleName()));
            }
    }

    void curvesOfAWrongVariantAreMarked() {
        SweepPanel panel;
        begin(panel);
        ks::BenchRow wrong = row("mine", 1);
        wrong.verdict.state = ks::Verdict::State::fail;
        for (const std::int64_t size : {64, 128}) {
            const std::size_t point = size == 64 ? 0 : 1;
            panel.addRow(point, {{"size", size}}, row("serial", 3));
            panel.addRow(point, {{"size", size}}, point == 0 ? row("mine", 1) : wrong);
        }
        const auto& series = panel.times().series();
        QCOMPARE(series.size(), 2);
        QVERIFY(!series[0].label.contains("wrong"));
        QVERIFY2(series[1].label.startsWith("mine") && series[1].label.contains("(wrong)"),
                 qPrintable(series[1].label));
        const std::string csv = panel.times().csv();
        QVERIFY2(csv.find("(wrong)") != std::string::npos, csv.c_str());
    }

    void closingAsksAboutWorkInProgress() {
        QVERIFY(window_->setPage("vector_add"));
        QStringList asked;
        bool answer = false;
        window_->kept().questions().stop = [&](const QStringList& jobs) {
            asked << jobs.join(QStringLiteral(", "));
            return answer;
        };
        window_->startRun();
        window_->startRun();
        QVERIFY(window_->queue().running() && window_->queue().waiting() == 1);
        window_->action("quit")->trigger();  // no shortcut on the platform "offscreen"
        QCOMPARE(asked, QStringList("a run in progress, 1 waiting run"));
        QVERIFY(window_->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 2 && !window_->queue().busy(), 120000);
        page().sweep().setSizes({{"size", "1000, 2000"}});
        page().sweep().measure().click();
        QVERIFY(!window_->close());
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked.back(), QString("a measurement in progress"));
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running() && !window_->queue().busy(), 120000);
        QVERIFY(window_->close());
        QCOMPARE(asked.size(), 2);
    }

    void runsThatWereRemovedComeBackByUndo() {
        QVERIFY(window_->setPage("vector_add"));
        window_->parameters().setValues({{"size", std::int64_t{1000}}});
        QVERIFY(ran());
        QVERIFY(ran());
        window_->runs().setTicked(1, true);
        const auto before = window_->runs().rows();
        QMenu menu;
        child<RunsPanel>(*window_).fillMenu(menu, 2);
        QCOMPARE(menu.actions().last()->text(), QString("Remove runs 2 and 1 of vector_add from the table"));
        menu.actions().last()->trigger();
        QCOMPARE(window_->runs().rowCount(), 0);
        QVERIFY2(window_->action("undo")->text().contains("runs 2 and 1"),
                 qPrintable(window_->action("undo")->text()));
        window_->action("undo")->trigger();
        QCOMPARE(window_->runs().rowCount(), 2);
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(window_->runs().rows()[i].number, before[i].number);
            QCOMPARE(window_->runs().rows()[i].run, before[i].run);
            QVERIFY(window_->runs().rows()[i].ticked);
        }
        window_->action("redo")->trigger();
        QCOMPARE(window_->runs().rowCount(), 0);
    }

    void clickingTheListChoosesAnotherAnalysis() {
        QVERIFY(window_->setPage("matmul"));
        const int other = static_cast<int>(page().analyses().indexOf("vector_add"));
        page().list().setCurrentRow(other);
        QCOMPARE(page().analysis(), QString("vector_add"));
        QCOMPARE(window_->runs().analysis(), QString("vector_add"));
        QVERIFY(window_->parameters().field("size") != nullptr);
        QVERIFY(!window_->variants().variant().isEmpty());
    }

    void sizesAreTimedAndDrawnWithTheirSlope() {
        QVERIFY(window_->setPage("vector_add"));
        page().sweep().setSizes({{"size", "1000, 10000, 100000, 10000"}});
        QCOMPARE(page().sweep().plan().sizes.at("size").size(), std::size_t{3});
        page().sweep().measure().click();
        QVERIFY(page().sweep().running());
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running(), 120000);
        const auto& curves = page().sweep().times().series();
        QVERIFY(curves.size() >= 2);
        for (const CurveSeries& one : curves) {
            QCOMPARE(one.x, (QVector<double>{1000, 10000, 100000}));
            QVERIFY2(one.label.contains("slope"), qPrintable(one.label));
        }
        // One legend for both diagrams, which says so.
        const CurveKeys& keys = page().sweep().keys();
        QVERIFY(!keys.isHidden());
        QCOMPARE(keys.count(), static_cast<int>(curves.size()));
        for (int i = 0; i < keys.count(); ++i) QVERIFY(keys.item(i)->text().contains("slope"));
        keys.item(0)->setCheckState(Qt::Unchecked);
        QVERIFY(!page().sweep().times().binVisible(curves[0].bin));
        QVERIFY(!page().sweep().rates().binVisible(curves[0].bin));
        QVERIFY(!page().sweep().rates().series().isEmpty());
        QVERIFY(!window_->queue().busy());
    }

    void sizesOverTheDimensionsAreOneCurvePerVariant() {
        QVERIFY(window_->setPage("index_space"));
        page().sweep().setSizes({{"dimensions", "1, 2, 3"}, {"global_x", "64"}, {"global_y", "8"}});
        page().sweep().measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running(), 120000);
        const auto& curves = page().sweep().times().series();
        QVERIFY(!curves.isEmpty());
        for (const CurveSeries& one : curves) {
            QCOMPARE(one.x, (QVector<double>{1, 2, 3}));
            QVERIFY2(!one.label.contains("global"), qPrintable(one.label));
        }
    }

    void sizesStateTheRateThatResultsState() {
        // 2 n^3 operations of a matrix product, and the bytes of a sum, in the units that are beside the
        // result.
        for (const auto& [analysis, unit, work] : {std::tuple("matmul", "GFLOP/s", 2.0 * 64 * 64 * 64),
                                                   std::tuple("vector_add", "GB/s", 12.0 * 64)}) {
            QVERIFY(window_->setPage(analysis));
            QTRY_VERIFY(!variantActions().isEmpty());
            page().sweep().setSizes({{"size", "64"}});
            page().sweep().measure().click();
            QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running(), 120000);
            QCOMPARE(page().sweep().rates().findChild<QCustomPlot*>()->yAxis->label(),
                     QString("Rate (%1)").arg(unit));
            const auto& times = page().sweep().times().series();
            const auto& rates = page().sweep().rates().series();
            QCOMPARE(rates.size(), times.size());
            // Medians of an odd number of samples; ms.
            for (qsizetype i = 0; i < rates.size(); ++i) {
                const double expected = work / (times[i].y[0] * 1e6);
                QVERIFY2(std::abs(rates[i].y[0] / expected - 1) < 1e-6, qPrintable(rates[i].label));
            }
        }
    }

    void theMenuOfVariantsStaysOpenAndTicksAllOrNone() {
        QVERIFY(window_->setPage("matmul"));
        QTRY_VERIFY(variantActions().size() > 2);
        auto* const menu = page().sweep().findChild<QMenu*>();
        menu->popup(window_->mapToGlobal(QPoint(10, 10)));
        QVERIFY(QTest::qWaitForWindowExposed(menu));
        const auto click = [menu](QAction* action) {
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        };
        const auto named = [menu](const QString& text) {
            const QList<QAction*> all = menu->actions();
            return *std::ranges::find(all, text, &QAction::text);
        };
        click(named("None"));
        QVERIFY(menu->isVisible());
        for (const QAction* one : variantActions()) QVERIFY(!one->isChecked());
        click(variantActions()[1]);
        QVERIFY(menu->isVisible());
        QCOMPARE(page().sweep().plan().variants,
                 std::vector<std::string>{variantActions()[1]->text().toStdString()});
        // The end of a click that began elsewhere: on the button, over which a long menu lies.
        QTest::mouseRelease(menu, Qt::LeftButton, {}, menu->actionGeometry(variantActions()[2]).center());
        QVERIFY(menu->isVisible() && !variantActions()[2]->isChecked());
        menu->setActiveAction(variantActions()[2]);
        QTest::keyClick(menu, Qt::Key_Space);
        QVERIFY(menu->isVisible() && variantActions()[2]->isChecked());
        click(named("All"));
        QCOMPARE(page().sweep().plan().variants.size(), static_cast<std::size_t>(variantActions().size()));
        menu->close();
    }

    void sizesAreMeasuredWithTheSetUpAndMarkedWhereThatOrTheDeviceChanges() {
        const QString sessions = folder_.filePath("of set-ups");
        window_->kept().begin(sessions, WindowSession::Begin::empty);
        const auto key = [](QWidget* widget, Qt::Key pressed) {
            widget->setFocus();
            QTest::keyClick(widget, pressed);
        };
        QVERIFY(window_->setPage("reduce"));
        QComboBox& devices = window_->devices();
        key(&devices, Qt::Key_End);  // the host
        const QString host = devices.currentText();
        auto* const operation = qobject_cast<QComboBox*>(window_->parameters().field("operation"));
        QVERIFY(operation);
        const auto set = [&](const QString& wanted) {
            while (operation->currentText() != wanted && operation->currentIndex() + 1 < operation->count())
                key(operation, Qt::Key_Down);
            while (operation->currentText() != wanted && operation->currentIndex() > 0)
                key(operation, Qt::Key_Up);
            QCOMPARE(operation->currentText(), wanted);
        };
        set("max");
        QVERIFY(page().sweep().made().isEmpty());
        page().sweep().setSizes({{"size", "1000, 2000"}});
        QTest::mouseClick(&page().sweep().measure(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running() && !window_->queue().busy(), 120000);
        const nlohmann::json points = page().sweep().keep().at("reduce").at("measured").at("points");
        QCOMPARE(points.size(), std::size_t{2});
        for (const nlohmann::json& point : points)
            QVERIFY2(point.at("sizes").dump().find("\"max\"") != std::string::npos,
                     point.at("sizes").dump().c_str());
        const auto starts = [this](const QString& text) { return page().sweep().made().startsWith(text); };
        const auto said = [this] { return page().sweep().made().toStdString(); };
        QVERIFY2(starts("Measured: ") && page().sweep().made().contains("max"), said().c_str());
        set("sum");
        QVERIFY2(starts("Outdated (Operation): measured with "), said().c_str());
        QVERIFY(page().sweep().made().contains("max"));
        set("max");
        QVERIFY2(starts("Measured: "), said().c_str());
        key(&devices, Qt::Key_Home);
        QVERIFY(devices.currentText() != host);
        QVERIFY2(starts("Outdated (Device): measured with "), said().c_str());
        set("min");
        QVERIFY2(starts("Outdated (Device, Operation): "), said().c_str());
        // The same of curves that a session brings back.
        QVERIFY(window_->close());
        window_ = ks::tests::new_window(folder_.filePath("next.ini"));
        window_->kept().begin(sessions, WindowSession::Begin::bySetting);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready() && window_->page()->analysis() == "reduce", 60000);
        QTRY_VERIFY2_WITH_TIMEOUT(starts("Outdated (Device, Operation): "), said().c_str(), 20000);
    }

    void wholeNumbersThatAreNotSweptAreThoseOfTheSetUp() {
        QVERIFY(window_->setPage("index_space"));
        const auto shown = [this] {
            QList<QLineEdit*> all = page().sweep().findChildren<QLineEdit*>();
            all.removeIf([this](const QLineEdit* one) {
                return !one->isVisibleTo(&page().sweep()) || one->accessibleName().isEmpty();
            });
            return all;
        };
        QTRY_VERIFY(shown().size() >= 2);
        const QList<QLineEdit*> fields = shown();
        QVERIFY(!fields[0]->text().isEmpty());
        for (qsizetype i = 1; i < fields.size(); ++i) {
            QVERIFY(fields[i]->text().isEmpty());
            QVERIFY2(!fields[i]->placeholderText().isEmpty(), qPrintable(fields[i]->accessibleName()));
        }
    }

    void whileAnotherExerciseIsMeasuredItsNameIsSaid() {
        const auto says = [this](const QString& text) {
            const QList<QLabel*> labels = page().sweep().findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* one) { return one->text() == text; });
        };
        QVERIFY(window_->setPage("matmul"));
        const QString title = page().list().currentItem()->text();
        page().sweep().setSizes({{"size", "64, 1024, 4096"}});
        QTest::mouseClick(&page().sweep().measure(), Qt::LeftButton);
        QVERIFY(page().sweep().running());
        QVERIFY(window_->setPage("vector_add"));
        QVERIFY(says("Measuring " + title));
        QVERIFY(page().sweep().measure().toolTip().contains(title));
        QTest::mouseClick(&page().sweep().measure(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running() && !window_->queue().busy(), 60000);
        QVERIFY(!says("Measuring " + title));
        QVERIFY(window_->setPage("vectors"));
        QVERIFY(says(page().list().currentItem()->text() +
                     " has no size to vary: its variants are timed with the values of the Set-up tab"));
    }

    void rowsOfATableHaveTheirNames_data() {
        QTest::addColumn<QString>("exercise");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("first");
        QTest::newRow("vectors") << "vectors"
                                 << "Operation"
                                 << "a + b";
        QTest::newRow("buffers") << "buffers"
                                 << "Kind"
                                 << "READ_ONLY | USE_HOST_PTR";
    }
    void rowsOfATableHaveTheirNames() {
        QFETCH(QString, exercise);
        QFETCH(QString, title);
        QFETCH(QString, first);
        QVERIFY(window_->setPage(exercise));
        if (exercise == "buffers") window_->parameters().setValues({{"elements", std::int64_t{100}}});
        QVERIFY(ran());
        const QTableView* table = nullptr;
        for (const QTableView* one : page().result().findChildren<QTableView*>())
            if (one->model()) table = one;
        QVERIFY(table);
        QVERIFY(table->model()->headerData(0, Qt::Horizontal).toString().contains(title));
        QStringList names;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            names << table->model()->index(row, 0).data().toString();
        QVERIFY2(names.contains(first), qPrintable(names.join('\n')));
        for (int i = 0; i < page().result().tabs().count(); ++i)
            QVERIFY(page().result().tabs().tabText(i) != title);
    }

    void sizesThatDoNotFitHaveNoValue() {
        QVERIFY(window_->setPage("memory_spaces"));
        window_->parameters().setValues(
            {{"largest", std::int64_t{1 << 20}}, {"items", std::int64_t{64}}, {"repeats", std::int64_t{1}}});
        QVERIFY(ran());
        CurvePlot* const plot = page().result().findChild<CurvePlot*>();
        QVERIFY(plot);
        QCOMPARE(plot->figure().content().undrawn(), QString());
        const QTableView* table = nullptr;
        for (const QTableView* one : page().result().findChildren<QTableView*>())
            if (one->model() && one->model()->rowCount() > 0) table = one;
        QVERIFY(table);
        const auto cell = [table](int row, const QString& title) {
            for (int column = 0; column < table->model()->columnCount(); ++column)
                if (table->model()->headerData(column, Qt::Horizontal).toString().contains(title))
                    return table->model()->index(row, column).data().toString();
            return QStringLiteral("no column");
        };
        const int last = table->model()->rowCount() - 1;
        QCOMPARE(cell(last, "Sum: Private"), QString());
        QVERIFY(cell(last, "Sum: Global").toULongLong() > 0);
        QCOMPARE(cell(0, "Sum: Private"), cell(0, "Sum: Global"));
    }

    void aListThatIsNoneIsRefused() {
        QVERIFY(window_->setPage("vector_add"));
        for (const char* list : {"", "many", "10, -3", "0"}) {
            page().sweep().setSizes({{"size", list}});
            page().sweep().measure().click();
            QVERIFY2(window_->errorBar().isError(), list);
            QVERIFY(!page().sweep().running());
            window_->errorBar().dismiss();
        }
    }

    void aRefusalOfSizesGoesWithItsExerciseAndWithTheEditedField() {
        QVERIFY(window_->setPage("vector_add"));
        const auto refuse = [this] {
            page().sweep().setSizes({{"size", "abc"}});
            page().sweep().measure().click();
            QVERIFY(window_->errorBar().isError());
            QVERIFY(window_->errorBar().sentence().contains("abc"));
        };
        refuse();
        page().list().setCurrentRow(static_cast<int>(page().analyses().indexOf("matmul")));
        QCOMPARE(page().analysis(), QString("matmul"));
        QVERIFY(!window_->errorBar().isError());
        refuse();
        page().sweep().setSizes({{"size", "64"}});
        QVERIFY(!window_->errorBar().isError());
    }

    void anErrorOfARunGoesWithWhatTheRunWasMadeOf() {
        const auto refuse = [this] {
            QVERIFY(window_->setPage("atomics"));
            window_->parameters().setValues(
                {{"items", std::int64_t{1 << 20}}, {"calls", std::int64_t{1000}}});
            window_->startRun();
            QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 60000);
            QVERIFY2(window_->errorBar().sentence().contains("are too many"),
                     qPrintable(window_->errorBar().sentence()));
            QTRY_VERIFY(!window_->queue().busy());
            QTest::qWait(50);
            QVERIFY(window_->errorBar().isError());
        };
        refuse();
        page().list().setCurrentRow(static_cast<int>(page().analyses().indexOf("matmul")));
        QCOMPARE(page().analysis(), QString("matmul"));
        QTRY_VERIFY(!window_->errorBar().isError());
        refuse();
        choose(window_->variants().variant() == "local.atomics" ? "global.atomics" : "local.atomics");
        QTRY_VERIFY(!window_->errorBar().isError());
        refuse();
        window_->parameters().setValue("calls", std::int64_t{3});
        QTRY_VERIFY(!window_->errorBar().isError());
        refuse();
        QVERIFY(window_->setPage("spots"));
        QTRY_VERIFY(!window_->errorBar().isError());
    }

    void anErrorThatArrivesAtAnotherExerciseStays() {
        QVERIFY(window_->setPage("atomics"));
        window_->parameters().setValues({{"items", std::int64_t{1 << 20}}, {"calls", std::int64_t{1000}}});
        window_->startRun();
        QVERIFY(window_->setPage("matmul"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 60000);
        window_->parameters().setValues({{"size", std::int64_t{64}}});
        QTest::qWait(100);
        QVERIFY(window_->errorBar().sentence().contains("are too many"));
    }

    void aMeasurementIsStopped() {
        QVERIFY(window_->setPage("matmul"));
        page().sweep().setSizes({{"size", "64, 1024, 4096"}});
        page().sweep().measure().click();
        QVERIFY(page().sweep().running());
        page().sweep().measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running() && !window_->queue().busy(), 30000);
        QVERIFY(window_->setPage("vector_add"));
        QVERIFY(ran());
    }

    void aMeasurementStoppedBeforeItsFirstRowLeavesTheOneBefore() {
        QVERIFY(window_->setPage("vector_add"));
        page().sweep().setSizes({{"size", "1000, 10000"}});
        page().sweep().measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running(), 120000);
        const QVector<double> before = page().sweep().times().series().constFirst().x;
        QCOMPARE(before, (QVector<double>{1000, 10000}));
        page().sweep().setSizes({{"size", "100000000, 200000000"}});
        page().sweep().measure().click();
        QVERIFY(page().sweep().running());
        page().sweep().measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!page().sweep().running() && !window_->queue().busy(), 60000);
        QVERIFY(!page().sweep().times().series().isEmpty());
        QCOMPARE(page().sweep().times().series().constFirst().x, before);
    }

    void aMeasurementStoppedHalfwayLeavesTheCompleteOneBefore() {
        QVERIFY(window_->setPage("vector_add"));
        SweepPanel& sweep = page().sweep();
        sweep.setSizes({{"size", "1000, 10000"}});
        QTest::mouseClick(&sweep.measure(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!sweep.running() && !window_->queue().busy(), 120000);
        const QVector<CurveSeries> before = sweep.times().series();
        QCOMPARE(before.constFirst().x, (QVector<double>{1000, 10000}));
        sweep.setSizes({{"size", "2000, 100000000, 200000000"}});
        QTest::mouseClick(&sweep.measure(), Qt::LeftButton);
        // What arrives is shown, and the earlier curves return when it is stopped.
        QTRY_VERIFY_WITH_TIMEOUT(sweep.times().series().constFirst().x == QVector<double>{2000}, 60000);
        QVERIFY(sweep.measure().toolTip().contains("shown again"));
        QTest::mouseClick(&sweep.measure(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!sweep.running() && !window_->queue().busy(), 60000);
        QCOMPARE(sweep.times().series().size(), before.size());
        for (qsizetype i = 0; i < before.size(); ++i) {
            QCOMPARE(sweep.times().series()[i].x, before[i].x);
            QCOMPARE(sweep.times().series()[i].y, before[i].y);
        }
    }

    void aFailedVariantIsNamedOnOneLineUntilItsTextChanges() {
        QVERIFY(window_->setPage("vector_add"));
        SweepPanel& sweep = page().sweep();
        ks::BenchReport report;
        report.plan.analysis = "vector_add";
        ks::BenchRow wrong;
        wrong.variant.id = "user.mine";
        wrong.text_mark = "123abc";
        wrong.verdict.state = ks::Verdict::State::fail;
        wrong.verdict.text = "fail: " + std::string(400, 'x');
        wrong.samples.resize(2);
        report.points = {{{{"size", std::int64_t{1000}}}, {wrong}}};
        sweep.bringBack({{"vector_add", {{"measured", ks::to_json(report)}}}});
        sweep.setTexts({{"user.mine", "123abc"}});
        const auto line = [&]() -> const QLabel* {
            for (const QLabel* one : sweep.findChildren<QLabel*>())
                if (one->accessibleName() == "Measurement result") return one;
            return nullptr;
        };
        QVERIFY(line() && line()->isVisibleTo(&sweep));
        QVERIFY(line()->toolTip().startsWith("user.mine is wrong: xxx"));
        QVERIFY(line()->height() < 3 * line()->fontMetrics().height());
        QVERIFY2(sweep.made().startsWith("Measured: "), qPrintable(sweep.made()));
        sweep.setTexts({{"user.mine", "456def"}});
        QVERIFY(!line()->isVisibleTo(&sweep));
        QVERIFY2(sweep.made().startsWith("Outdated (text of user.mine): measured with "),
                 qPrintable(sweep.made()));
        sweep.setTexts({{"tiled", ""}});
        QVERIFY2(sweep.made().startsWith("Outdated (file of user.mine is gone): measured with "),
                 qPrintable(sweep.made()));
        sweep.setTexts({});  // not known
        QVERIFY2(sweep.made().startsWith("Measured: "), qPrintable(sweep.made()));
    }

    void itComesBackWithTheSession() {
        const QString sessions = folder_.filePath("sessions");
        window_->kept().begin(sessions, WindowSession::Begin::empty);
        QVERIFY(window_->setPage("matmul"));
        QVERIFY(window_->variants().setVariant("row.item"));
        window_->parameters().setValues({{"size", std::int64_t{33}}});
        QTRY_VERIFY(!variantActions().isEmpty());
        page().sweep().setSizes({{"size", "96, 160"}});
        const QString off = variantActions().front()->text();
        variantActions().front()->trigger();
        const std::size_t ticked = page().sweep().plan().variants.size();
        QVERIFY(window_->setPage("vector_add"));
        page().sweep().setSizes({{"size", "1000, 5000"}});
        QVERIFY(window_->setPage("matmul"));
        QCOMPARE(page().sweep().plan().sizes.at("size").size(), std::size_t{2});
        QVERIFY(window_->close());
        window_ = ks::tests::new_window(folder_.filePath("next.ini"));
        QSignalSpy back(&window_->kept(), &WindowSession::broughtBack);
        window_->kept().begin(sessions, WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QCOMPARE(window_->page()->analysis(), QString("matmul"));
        QTRY_COMPARE(window_->variants().variant(), QString("row.item"));
        QCOMPARE(ks::integer(window_->parameters().values(), "size"), 33);
        QTRY_VERIFY(!variantActions().isEmpty());
        const auto sizesNow = [this] { return page().sweep().plan().sizes.at("size"); };
        QCOMPARE(sizesNow(), (std::vector<ks::ParameterValue>{std::int64_t{96}, std::int64_t{160}}));
        QCOMPARE(page().sweep().plan().variants.size(), ticked);
        for (const QAction* one : variantActions()) QCOMPARE(one->isChecked(), one->text() != off);
        QVERIFY(window_->setPage("vector_add"));
        QCOMPARE(sizesNow(), (std::vector<ks::ParameterValue>{std::int64_t{1000}, std::int64_t{5000}}));
    }

    void aSavedRunOpensOnItsPage() {
        QVERIFY(window_->setPage("matmul"));
        window_->parameters().setValues({{"size", std::int64_t{20}}});
        QVERIFY(ran());
        const QString path = folder_.filePath("product.h5");
        QSignalSpy saved(&window_->runFiles(), &RunFiles::saved);
        window_->saveRun(path, true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        window_->runs().removeRun(1);
        QVERIFY(window_->setPage("xpcs"));
        QSignalSpy opened(&window_->files(), &FileSession::runOpened);
        window_->open(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QCOMPARE(window_->page()->analysis(), QString("matmul"));
        QVERIFY(page().result().tabs().count() >= 1);
    }

    void undoReturnsToTheExerciseOfTheStep() {
        const auto field = [this](const char* id) {
            return dynamic_cast<QAbstractSpinBox*>(window_->parameters().field(id));
        };
        const auto type = [](QAbstractSpinBox& box, const QString& text) {
            box.setFocus();
            box.selectAll();
            QTest::keyClicks(&box, text);
            QTest::keyClick(&box, Qt::Key_Return);
        };
        const auto value = [this](const char* id) { return ks::integer(window_->parameters().values(), id); };
        QVERIFY(window_->setPage("vector_add"));
        const std::int64_t sizeOfSum = value("size"), seedOfSum = value("seed");
        QVERIFY(window_->setPage("matmul"));
        const std::int64_t size = value("size"), seed = value("seed");
        QVERIFY(size != sizeOfSum);
        type(*field("seed"), "7");
        QCOMPARE(value("seed"), 7);
        // By a click in the list.
        QListWidget& list = page().list();
        const auto click = [&](const char* title) {
            QListWidgetItem* const item = list.findItems(title, Qt::MatchExactly).value(0);
            QVERIFY2(item, title);
            QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(item).center());
        };
        const QString product = list.currentItem()->text();
        QVERIFY(window_->setPage("vector_add"));
        const QString sum = list.currentItem()->text();
        type(*field("seed"), "9");
        click(qPrintable(product));
        QCOMPARE(page().analysis(), QString("matmul"));
        // Two fields of one name, edited at once: two steps.
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(page().analysis(), QString("vector_add"));
        QCOMPARE(value("seed"), seedOfSum);
        QCOMPARE(value("size"), sizeOfSum);
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(page().analysis(), QString("matmul"));
        QCOMPARE(value("seed"), seed);
        QCOMPARE(value("size"), size);
        click(qPrintable(sum));
        QCOMPARE(value("size"), sizeOfSum);
        QTest::keyClick(window_.get(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(page().analysis(), QString("matmul"));
        QCOMPARE(value("seed"), 7);
        QTest::keyClick(window_.get(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(page().analysis(), QString("vector_add"));
        QCOMPARE(value("seed"), 9);
        QCOMPARE(value("size"), sizeOfSum);
    }

    void filesOfHiddenExercisesComeBack_data() {
        QTest::addColumn<bool>("opened");
        QTest::addColumn<QString>("last");  // the page in view at the end
        QTest::newRow("opened, another exercise") << true << "vector_add";
        QTest::newRow("opened, the same exercise") << true << "images";
        QTest::newRow("opened, another page with another file") << true << "xpcs";
        QTest::newRow("chosen in the field, another exercise") << false << "vector_add";
        QTest::newRow("chosen in the field, the same exercise") << false << "images";
    }
    void filesOfHiddenExercisesComeBack() {
        QFETCH(bool, opened);
        QFETCH(QString, last);
        const QString picture = path("rose.png");
        QImage image(24, 16, QImage::Format_RGB888);
        image.fill(Qt::red);
        QVERIFY(image.save(picture));
        QTemporaryDir sessions;
        window_->kept().begin(sessions.path(), WindowSession::Begin::bySetting);
        QVERIFY(window_->setPage("images"));
        const auto pictureField = [this] { return page().inputWidget()->findChild<QLineEdit*>(); };
        if (opened) {
            ks::tests::open_data(*window_, picture);
        } else {
            QVERIFY(pictureField());
            QTest::keyClicks(pictureField(), picture);
        }
        QVERIFY(ran());
        QVERIFY(window_->setPage(last));
        if (last == "xpcs") {
            ks::tests::generate_xpcs(path("other.h5"), 12, 40, 50);
            ks::tests::open_data(*window_, path("other.h5"));
        }
        QVERIFY(window_->close());
        window_ = window();
        QSignalSpy back(&window_->kept(), &WindowSession::broughtBack);
        window_->kept().begin(sessions.path(), WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QVERIFY(!window_->errorBar().isError());
        QCOMPARE(window_->page()->analysis(), last);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("images"));
        const auto read = [this] {
            ks::Request request;
            window_->analysisPage()->fill(request);
            return request.inputs.empty() ? QString()
                                          : QString::fromStdString(request.inputs.begin()->second.name);
        };
        QTRY_COMPARE_WITH_TIMEOUT(read(), picture, 30000);
        QTRY_COMPARE(page().drawer().mark(), QString());
        QCOMPARE(window_->runs().rowCount(), 1);
    }

    void aRunOfAPictureIsOutdatedWithoutIt() {
        const QString picture = path("blue.png");
        QImage image(24, 16, QImage::Format_RGB888);
        image.fill(Qt::blue);
        QVERIFY(image.save(picture));
        QVERIFY(window_->setPage("images"));
        auto* const field = page().inputWidget()->findChild<QLineEdit*>();
        QVERIFY(field);
        QTest::keyClicks(field, picture);
        QVERIFY(ran());
        QCOMPARE(page().drawer().mark(), QString());
        field->setFocus();
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTRY_VERIFY2(page().drawer().mark().contains("outdated"), qPrintable(page().drawer().mark()));
    }

    void aSavedRunBringsItsParameters() {
        QVERIFY(window_->setPage("matmul"));
        window_->parameters().setValues({{"size", std::int64_t{20}}});
        QVERIFY(ran());
        const QString path = folder_.filePath("brings.h5");
        QSignalSpy saved(&window_->runFiles(), &RunFiles::saved);
        window_->saveRun(path, true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        window_->parameters().setValue("size", std::int64_t{48});
        QVERIFY(window_->close());
        window_ = window();
        window_->open(path);  // before there is a worker, as the command line does
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(ks::integer(window_->parameters().values(), "size"), 20, 30000);
        QCOMPARE(page().drawer().mark(), QString());
    }

    void runsOfOneCurveEachHaveAColourEach() {
        auto one = std::make_shared<ks::Run>();
        one->result.datasets.push_back(dataset("f", ks::DataKind::curves, {3}, {1, 2, 3}, {""}));
        std::vector<RunRow> runs;
        for (int number = 1; number <= 8; ++number) runs.push_back({number, one, true, false});
        const auto exhibit = [&] { return std::get<CurvesExhibit>(exhibitsOf(runs)[0].content); };
        CurvePlot plot;
        plot.setSeries(exhibit().series);
        QSet<QRgb> drawn, listed;
        for (int i = 0; i < 8; ++i) drawn.insert(plot.figure().graph(i)->pen().color().rgb());
        QCOMPARE(drawn.size(), 8);
        // The legend shows the same colours, dashed as the curves are.
        const auto& legend = *plot.findChild<QListWidget*>();
        for (int i = 0; i < 8; ++i) {
            const QImage icon = legend.item(i)->icon().pixmap(24, 12).toImage();
            for (int x = 0; x < icon.width(); ++x)
                if (const QColor colour = icon.pixelColor(x, icon.height() / 2); colour.alpha() == 255)
                    listed.insert(colour.rgb());
        }
        QVERIFY(listed.contains(drawn));
        runs.resize(1);
        QVERIFY(!exhibit().series[0].hue);
        // The colours of several curves stay those of their positions.
        one->result.datasets[0] = dataset("f", ks::DataKind::curves, {2, 3}, {1, 2, 3, 4, 5, 6}, {"", ""});
        runs.push_back({2, one, true, false});
        for (const CurveSeries& curve : exhibit().series) QVERIFY(!curve.hue);
    }

    void resultsAreShownByKind() {
        auto run = std::make_shared<ks::Run>();
        ks::Result& result = run->result;
        result.datasets.push_back(dataset("t", ks::DataKind::axis, {3}, {1, 2, 4}, {}));
        result.datasets.push_back(dataset("f", ks::DataKind::curves, {2, 3}, {1, 2, 3, 4, 5, 6}, {"", "t"}));
        result.datasets.push_back(dataset("picture", ks::DataKind::image, {2, 3}, {1, 2, 3, 4, 5, 6}, {}));
        result.datasets.push_back(dataset("a", ks::DataKind::table, {2}, {7, 8}, {""}));
        result.datasets.push_back(dataset("b", ks::DataKind::table, {2}, {9, 10}, {""}));
        result.datasets.push_back(ks::text_dataset("said", "Said", "hello\n"));
        result.facts["rate"] = 12.5;
        const std::vector<RunRow> runs{{1, run, true, false}, {2, run, true, false}};
        const std::vector<Exhibit> shown = exhibitsOf(runs);
        QCOMPARE(shown.size(), std::size_t{4});
        const auto& curves = std::get<CurvesExhibit>(shown[0].content);
        QCOMPARE(curves.series.size(), 4);
        QCOMPARE(curves.series[0].x, (QVector<double>{1, 2, 4}));
        QVERIFY(!curves.logX);
        QCOMPARE(curves.series[1].y, (QVector<double>{4, 5, 6}));
        QCOMPARE(curves.series[2].bin, curves.series[0].bin);
        QVERIFY(curves.series[2].run != curves.series[0].run);
        QCOMPARE(std::get<MapExhibit>(shown[1].content).map.rows, std::size_t{2});
        const auto& table = std::get<TableExhibit>(shown[2].content);
        QCOMPARE(table.columns.size(), std::size_t{2});
        QCOMPARE(std::get<TextExhibit>(shown[3].content).text, QString("hello\n"));
        QCOMPARE(factLines(result), QStringList("rate: 12.5"));
        result.facts = {{"reduced", 21253400.0}};
        QCOMPARE(factLines(result), QStringList("reduced: 21,253,400"));
        result.facts = {{"above", 9'007'199'254'740'993ULL}, {"below", -9'007'199'254'740'993LL}};
        QCOMPARE(factLines(result),
                 QStringList({"above: 9,007,199,254,740,993", "below: -9,007,199,254,740,993"}));
        result.facts = {{"gigabytes_per_second", 7.98912}, {"private_gigabytes_per_second", 250.0}};
        QCOMPARE(factLines(result), QStringList({"rate: 7.989 GB/s", "private: 250 GB/s"}));
        result.facts = {{"calls_per_us_on_buses", 3}};
        QCOMPARE(factLines(result), QStringList("calls per \u00b5s on buses: 3"));
        ks::Dataset rate = dataset("calls", ks::DataKind::curves, {3}, {1, 2, 3}, {});
        rate.unit = "1/us";
        auto rates = std::make_shared<ks::Run>();
        rates->result.datasets.push_back(rate);
        QCOMPARE(std::get<CurvesExhibit>(exhibitsOf({{1, rates, true, false}})[0].content).yUnit,
                 QString("1/\u00b5s"));
        auto other = std::make_shared<ks::Run>();
        other->result.datasets.push_back(dataset("t", ks::DataKind::axis, {3}, {1, 16, 256}, {}));
        other->result.datasets.push_back(dataset("f", ks::DataKind::curves, {3}, {1, 2, 3}, {"t"}));
        QVERIFY(std::get<CurvesExhibit>(exhibitsOf({{1, other, true, false}})[0].content).logX);
        // Of one unit over one axis: one plot. A single number is text.
        auto speeds = std::make_shared<ks::Run>();
        std::vector<ks::Dataset>& all = speeds->result.datasets;
        all.push_back(dataset("bytes", ks::DataKind::axis, {2}, {1, 2}, {}));
        all.push_back(dataset("local", ks::DataKind::curves, {2}, {4000, 5000}, {"bytes"}));
        all.push_back(dataset("count", ks::DataKind::curves, {2}, {3, 4}, {"bytes"}));
        all.push_back(dataset("global", ks::DataKind::curves, {2}, {5, 6}, {"bytes"}));
        all.push_back(dataset("sum", ks::DataKind::curves, {1}, {0.25}, {""}));
        for (const std::size_t i : {1, 3}) all[i].unit = "GB/s";
        const std::vector<Exhibit> together =
            exhibitsOf({{1, speeds, true, false}, {2, speeds, true, false}});
        QCOMPARE(together.size(), std::size_t{3});
        QCOMPARE(together[0].title, QString("Curves, GB/s"));
        const auto& both = std::get<CurvesExhibit>(together[0].content);
        QCOMPARE(both.series.size(), 4);
        QCOMPARE(both.series[3].y, (QVector<double>{5, 6}));
        QVERIFY(both.logY && both.yTitle.isEmpty());
        QCOMPARE(both.series[3].bin, 2);
        QCOMPARE(std::get<CurvesExhibit>(together[1].content).series.size(), 2);
        QCOMPARE(std::get<TextExhibit>(together[2].content).text,
                 QString("Title of sum\nrun 1: 0.25 s\nrun 2: 0.25 s"));
        ResultTableModel model(table.columns);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.index(1, 0).data().toString(), QString("8"));
        model.sort(0, Qt::DescendingOrder);
        QCOMPARE(model.index(0, 1).data().toString(), QString("10"));
        model.setAccepted([](int item) { return item == 1; });
        QCOMPARE(model.rowCount(), 1);
        model.setAccepted({});
        ResultView view;
        view.setRuns(runs);
        QCOMPARE(view.tabs().count(), 4);
        QCOMPARE(view.plots().size(), std::size_t{2});
        view.setRuns({});
        QCOMPARE(view.tabs().count(), 0);
    }

    void includedFilesAreLinks() {
        SourceView view;
        view.resize(600, 300);
        view.setSource("a.cl",
                       "#include \"gpu/runtime/polynomial.cl\"\nkernel void f() {} // x\n/* a\n b */\n");
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy clicked(&view, &SourceView::includeClicked);
        QTextCursor cursor(view.document());
        cursor.setPosition(15);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cursorRect(cursor).center());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].toString(), QString("gpu/runtime/polynomial.cl"));
        cursor.setPosition(45);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cursorRect(cursor).center());
        QCOMPARE(clicked.count(), 1);
        view.showLine(3);
        QCOMPARE(view.textCursor().blockNumber(), 2);
        view.grab();
    }
};

QTEST_MAIN(GeneralPageTest)
#include "tst_general_page.moc"
