#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <filesystem>

#include "core/data/partition/q_partition.h"
#include "core/data/regions/region_shapes.h"
#include "core/io/labels/label_file.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/base/parameter_form.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/particles/particles_page.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/general/general_page.h"
#include "ui/shell/general/result_view.h"
#include "ui/shell/run_files.h"
#include "ui/xpcs/xpcs_page.h"

using ks::tests::child;
using namespace ks::ui;

/// A data file that is replaced or written to under an open window.
class ChangedFilesTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<MainWindow> window_;
    const QString notice_ = QStringLiteral("changed on disk");

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    xpcs::XpcsPage& page() const { return dynamic_cast<xpcs::XpcsPage&>(*window_->page()); }
    /// So that the bins are made again.
    void moveDetector() {
        ks::Geometry where = page().imagePanel().geometry();
        where.distance = 1.5;
        page().imagePanel().geometryForm().session().setGeometry(where, true);
    }
    QString noticed() const { return window_->notices().text(notice_); }

    static void generate(const char* id, const QString& file, const ks::ParameterSet& given) {
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis(id);
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        for (const auto& [name, value] : given) parameters[name] = value;
        ks::Progress progress;
        analysis.generate(parameters, file.toStdString(), true, progress);
    }
    static void frames(const QString& file, std::int64_t count, std::int64_t seed) {
        generate(
            "xpcs", file,
            {{"frames", count}, {"height", std::int64_t{61}}, {"width", std::int64_t{71}}, {"seed", seed}});
    }
    /// As "mv other name" does.
    void moveOver(const QString& other, const QString& name) const {
        QVERIFY(QFile::remove(path(name)) && QFile::rename(path(other), path(name)));
    }
    /// As a program does that writes to the file itself.
    void writeOver(const QString& other, const QString& name) const {
        QFile from(path(other)), to(path(name));
        QVERIFY(from.open(QIODevice::ReadOnly) && to.open(QIODevice::ReadWrite));
        const QByteArray bytes = from.readAll();
        QVERIFY(to.resize(0) && to.write(bytes) == bytes.size() && to.flush());
    }
    bool ran(int count) const {
        return QTest::qWaitFor(
            [&] { return window_->runs().rowCount() == count && !window_->queue().busy(); }, 120000);
    }
    void pressRun(int count) {
        QTRY_VERIFY_WITH_TIMEOUT(window_->action("run")->isEnabled(), 60000);
        window_->action("run")->trigger();
        QVERIFY2(ran(count), qPrintable(window_->errorBar().sentence()));
    }
    /// Of the drawer: whether the result is of the present inputs.
    QString mark() const {
        for (const QLabel* label : window_->findChildren<QLabel*>())
            if (label->accessibleName() == "Whether the result matches the current inputs" &&
                !label->isHidden())
                return label->toolTip();
        return {};
    }
    QString cell(int row, RunTableModel::Column column) const {
        return window_->runs().index(row, column).data().toString();
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        window_ = ks::tests::new_window(path("test.ini"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }
    void cleanup() { window_.reset(); }

    void aReplacedFileIsNoticedAndOpenedAnewForTheNextRun() {
        frames(path("live.h5"), 20, 1);
        frames(path("next.h5"), 20, 2);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        QTRY_VERIFY(page().imagePanel().frame());
        RegionEditor& editor = page().imagePanel().editor();
        editor.apply(ks::rectangle_region(61, 71, {10, 10}, {19, 29}), true, "Box");
        page().imagePanel().slider().setFrame(7);
        const std::vector<std::uint8_t> mask = editor.mask().values();
        pressRun(1);
        QTRY_COMPARE(page().imagePanel().shownFrame(), 7);
        const ks::Array before = *page().imagePanel().frame();
        QVERIFY(noticed().isEmpty());

        moveOver("next.h5", "live.h5");
        QTRY_VERIFY_WITH_TIMEOUT(noticed().contains("live.h5 changed on disk"), 10000);
        QVERIFY(*page().imagePanel().frame() == before);
        pressRun(2);
        QTRY_VERIFY_WITH_TIMEOUT(page().imagePanel().frame() && *page().imagePanel().frame() != before,
                                 30000);
        QVERIFY(noticed().isEmpty());
        QCOMPARE(page().imagePanel().shownFrame(), 7);
        QVERIFY(editor.mask().values() == mask);
        QCOMPARE(cell(0, RunTableModel::DataColumn), QString("live.h5"));
        QVERIFY2(cell(1, RunTableModel::DataColumn).startsWith("live.h5 as it was at "),
                 qPrintable(cell(1, RunTableModel::DataColumn)));

        // Ticked again, the run of the former contents is drawn as one of other data.
        window_->runs().setTicked(1, true);
        bool own = false, former = false;
        for (const CurveSeries& curve : page().curves().series()) {
            own = own || (!curve.foreign && curve.run == "run 2");
            former = former || (curve.foreign && curve.run.startsWith("run 1 of live.h5 as it was at "));
            QVERIFY(curve.foreign == curve.run.startsWith("run 1"));
        }
        QVERIFY(own && former);
    }

    void whatCouldNotBeReadWhileAFileWasGoneIsReadFromACopyOfIt() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(QFile::copy(path("live.h5"), path("copy.h5")));
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        pressRun(1);
        QVERIFY(QFile::rename(path("live.h5"), path("aside.h5")));
        QTRY_VERIFY_WITH_TIMEOUT(noticed().contains("no longer exists"), 10000);
        moveDetector();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->missing().isEmpty(), 10000);
        QVERIFY(QFile::rename(path("copy.h5"), path("live.h5")));
        QTRY_VERIFY_WITH_TIMEOUT(noticed().contains("live.h5 changed on disk"), 10000);
        pressRun(2);
        QVERIFY(noticed().isEmpty());
        QVERIFY(!window_->errorBar().isError());
    }

    void whatCouldNotBeReadWhileAFileWasGoneIsReadOnceItIsBack() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        const std::shared_ptr<const OpenFile> opened = window_->file();
        const std::vector<std::int32_t> labels = page().partition()->labels();
        QVERIFY(QFile::rename(path("live.h5"), path("aside.h5")));
        QTRY_VERIFY_WITH_TIMEOUT(noticed().contains("no longer exists"), 10000);
        moveDetector();
        QTRY_VERIFY_WITH_TIMEOUT(window_->missing().startsWith("no bins"), 10000);
        QVERIFY(QFile::rename(path("aside.h5"), path("live.h5")));
        QTRY_VERIFY_WITH_TIMEOUT(noticed().isEmpty(), 10000);
        QTRY_VERIFY2_WITH_TIMEOUT(window_->missing().isEmpty(), qPrintable(window_->missing()), 10000);
        QVERIFY(page().partition()->labels() == labels);
        QVERIFY2(!window_->errorBar().isError(), qPrintable(window_->errorBar().sentence()));
        // It was not opened again, which would lose what is being done.
        QCOMPARE(window_->file(), opened);
        QCOMPARE(page().imagePanel().geometry().distance, std::optional(1.5));
        pressRun(1);
    }

    // While the bins are still being made, and before the system has reported it.
    void aRunThatIsPressedAsSoonAsTheFileIsBackIsMade() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        QVERIFY(QFile::rename(path("live.h5"), path("aside.h5")));
        QTRY_VERIFY_WITH_TIMEOUT(noticed().contains("no longer exists"), 10000);
        moveDetector();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->missing().isEmpty(), 10000);
        QVERIFY(QFile::rename(path("aside.h5"), path("live.h5")));
        window_->startRun();
        QVERIFY2(ran(1), qPrintable(window_->errorBar().sentence()));
    }

    void labelsOfAFileThatIsBackAreReadAgain() {
        frames(path("live.h5"), 20, 1);
        frames(path("labels.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        page().importLabels(path("labels.h5::/entry/qmask"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->missing().isEmpty(), 30000);
        QVERIFY(QFile::rename(path("labels.h5"), path("aside.h5")));
        moveDetector();
        QTRY_VERIFY_WITH_TIMEOUT(window_->missing().startsWith("no bins"), 10000);
        QVERIFY(QFile::rename(path("aside.h5"), path("labels.h5")));
        QTRY_VERIFY2_WITH_TIMEOUT(window_->missing().isEmpty(), qPrintable(window_->missing()), 10000);
        pressRun(1);
    }

    void theNoticeOpensTheFileAnewOnItsPage() {
        frames(path("live.h5"), 20, 1);
        frames(path("next.h5"), 26, 2);
        QVERIFY(window_->setPage("spots"));
        ks::tests::open_data(*window_, path("live.h5"));
        moveOver("next.h5", "live.h5");
        QTRY_VERIFY_WITH_TIMEOUT(!noticed().isEmpty(), 10000);
        QVERIFY(window_->notices().act(notice_, "Reopen"));
        QTRY_COMPARE_WITH_TIMEOUT(window_->file()->frames->frames(), std::size_t{26}, 30000);
        QVERIFY(noticed().isEmpty());
        QCOMPARE(window_->page()->id(), QString("spots"));
    }

    void aFileThatGrowsIsRunAsItIsThen() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        for (int run = 1; run <= 2; ++run) {
            frames(path("more.h5"), 20 + run, 1);
            writeOver("more.h5", "live.h5");
            pressRun(run);
            QVERIFY(!window_->errorBar().isError());
            QCOMPARE(window_->file()->frames->frames(), static_cast<std::size_t>(20 + run));
            QCOMPARE(window_->runs().rows().front().run->result.facts.value("frames", 0), 20 + run);
        }
    }

    void eachStateOnDiskIsNoticed() {
        frames(path("live.h5"), 20, 1);
        frames(path("next.h5"), 20, 2);
        frames(path("last.h5"), 26, 3);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        QVERIFY(QFile::rename(path("live.h5"), path("aside.h5")));
        QTRY_VERIFY_WITH_TIMEOUT(noticed().contains("no longer exists"), 10000);
        QVERIFY(QFile::rename(path("next.h5"), path("live.h5")));
        QTRY_VERIFY2_WITH_TIMEOUT(noticed().contains("live.h5 changed on disk"), qPrintable(noticed()),
                                  10000);
        // Also once the notice has been closed.
        window_->notices().remove(notice_);
        QVERIFY(QFile::remove(path("live.h5")));
        QTRY_VERIFY2_WITH_TIMEOUT(noticed().contains("no longer exists"), qPrintable(noticed()), 10000);
        window_->notices().remove(notice_);
        QVERIFY(QFile::copy(path("last.h5"), path("live.h5")));
        QTRY_VERIFY2_WITH_TIMEOUT(noticed().contains("live.h5 changed on disk"), qPrintable(noticed()),
                                  10000);
        // The file that was opened is back.
        QVERIFY(QFile::remove(path("live.h5")) && QFile::rename(path("aside.h5"), path("live.h5")));
        QTRY_VERIFY2_WITH_TIMEOUT(noticed().isEmpty(), qPrintable(noticed()), 10000);
        writeOver("last.h5", "live.h5");
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().act(notice_, "Reopen"), 10000);
        QTRY_COMPARE_WITH_TIMEOUT(window_->file()->frames->frames(), std::size_t{26}, 30000);
    }

    void aLinkThatLeadsElsewhereIsNoticed_data() {
        QTest::addColumn<QString>("link");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("opened");
        QTest::newRow("of the file") << "latest.h5"
                                     << "first/a.h5"
                                     << "second/a.h5"
                                     << "latest.h5";
        QTest::newRow("of its folder") << "current"
                                       << "first"
                                       << "second"
                                       << "current/a.h5";
        QTest::newRow("of a link") << "second.link"
                                   << "first/a.h5"
                                   << "second/a.h5"
                                   << "outer.h5";
    }

    /// As "ln -sfn" does it, with nobody asking for the contents.
    void aLinkThatLeadsElsewhereIsNoticed() {
        QFETCH(QString, link);
        QFETCH(QString, target);
        QFETCH(QString, other);
        QFETCH(QString, opened);
        for (const char* folder : {"first", "second"}) QVERIFY(QDir(folder_->path()).mkdir(folder));
        frames(path("first/a.h5"), 20, 1);
        frames(path("second/a.h5"), 20, 2);
        QVERIFY(QFile::link(target, path(link)));
        if (!QFileInfo::exists(path(opened))) QVERIFY(QFile::link(link, path(opened)));
        ks::tests::open_data(*window_, path(opened));
        QVERIFY(noticed().isEmpty());
        QVERIFY(QFile::link(other, path("new.link")));
        std::filesystem::rename(path("new.link").toStdString(), path(link).toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(noticed().contains("changed on disk"), 5000);
    }

    void aFileThatIsGoneIsNoRunOfSomethingElse() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        QVERIFY(QFile::remove(path("live.h5")));
        QTRY_VERIFY_WITH_TIMEOUT(noticed().contains("live.h5 no longer exists on disk"), 10000);
        window_->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 30000);
        QVERIFY(window_->errorBar().sentence().contains("live.h5"));
        QVERIFY(!window_->queue().busy());
        QCOMPARE(window_->runs().rowCount(), 0);
    }

    void labelsOfAnotherFileAreReadAnewForTheNextRun() {
        const auto labels = [this](const QString& leaf, std::int32_t bins) {
            std::vector<std::int32_t> all(61 * 71);
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = 1 + static_cast<std::int32_t>(i) % bins;
            ks::io::write_labels(path(leaf).toStdString(),
                                 {ks::QPartition(61, 71, all, "labels"), {}, {}, {}}, true);
        };
        frames(path("live.h5"), 20, 1);
        labels("labels.npy", 2);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        page().importLabels(path("labels.npy"));
        QTRY_VERIFY_WITH_TIMEOUT(page().partition() && page().partition()->bins() == 2, 30000);
        pressRun(1);
        labels("next.npy", 3);
        moveOver("next.npy", "labels.npy");
        QTRY_VERIFY_WITH_TIMEOUT(
            window_->notices().text("input changed on disk").startsWith("labels.npy changed on disk"), 10000);
        pressRun(2);
        QCOMPARE(page().partition()->bins(), std::size_t{3});
        QCOMPARE(window_->runs().rows().front().run->result.at("g2").values.shape()[0], std::size_t{3});
    }

    void whatWasWrongWithBinsGoesOnceThereAreOthers() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        page().importLabels(path("nothing.npy"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 30000);
        QVERIFY(window_->errorBar().sentence().contains("nothing.npy"));
        page().importLabels(path("live.h5::/entry/qmask"));
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        QVERIFY2(!window_->errorBar().isError(), qPrintable(window_->errorBar().sentence()));
    }

    void aRunThatIsPressedWhileBinsAreReadStartsAfterwards() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        QTRY_VERIFY(page().imagePanel().frame());
        page().importLabels(path("live.h5::/entry/qmask"));
        // Newer bins take the place of these, which are still being read.
        page().imagePanel().editor().apply(ks::rectangle_region(61, 71, {10, 10}, {19, 29}), true, "Box");
        QVERIFY(!page().missing().isEmpty());
        QVERIFY(window_->action("run")->isEnabled());
        window_->action("run")->trigger();
        QVERIFY(!window_->errorBar().isError());
        QVERIFY2(ran(1), qPrintable(window_->errorBar().sentence()));
        QVERIFY(window_->runs().rows().front().run->request.inputs.contains("mask"));
        QCOMPARE(mark(), QString());

        page().importLabels(path("nothing.npy"));
        window_->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 30000);
        // That run is given up.
        page().importLabels(path("live.h5::/entry/qmask"));
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        QTest::qWait(300);
        QVERIFY(!window_->queue().busy());
        QCOMPARE(window_->runs().rowCount(), 1);
    }

    void anEmptiedFieldOfFramesIsNoneOfThem() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        window_->action("live")->setChecked(false);
        pressRun(1);
        auto* const field = qobject_cast<QLineEdit*>(window_->parameters().field("leave_out"));
        QVERIFY(field);
        field->setFocus();
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(mark(), QString());
        QTest::keyClicks(field, "3");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY2(mark().contains("Leave out"), qPrintable(mark()));
    }

    void anExportSaysWhichRunItHolds() {
        frames(path("live.h5"), 20, 1);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("live.h5"));
        QTRY_VERIFY(page().imagePanel().frame());
        pressRun(1);
        QString said;
        connect(&window_->messages(), &Messages::said, window_.get(),
                [&said](const QString& text) { said = text; });
        const auto exported = [&](const QString& leaf) {
            said.clear();
            QSignalSpy saved(&window_->runFiles(), &RunFiles::saved);
            window_->saveCsv(path(leaf), true);
            return QTest::qWaitFor([&] { return saved.count() == 1; }, 30000);
        };
        QVERIFY(exported("a.csv"));
        QVERIFY2(said.endsWith("a.csv: run 1"), qPrintable(said));
        QVERIFY(!window_->errorBar().isVisible());

        RegionEditor& editor = page().imagePanel().editor();
        editor.apply(ks::rectangle_region(61, 71, {10, 10}, {19, 29}), true, "Box");
        QTRY_VERIFY_WITH_TIMEOUT(page().curves().note().contains("live"), 60000);
        QVERIFY(exported("b.csv"));
        QVERIFY2(said.contains("b.csv: run 1, outdated (Mask)"), qPrintable(said));
        QTRY_VERIFY(window_->errorBar().isVisible());
        QVERIFY2(window_->errorBar().sentence().contains("press Run (F5)"),
                 qPrintable(window_->errorBar().sentence()));
        const std::vector<NamedPlot> plots = page().plots();
        QCOMPARE(window_->runFiles().figureFile(plots.front()).text.runs, QStringList("none (live preview)"));

        pressRun(2);
        QVERIFY(exported("c.csv"));
        QVERIFY2(said.endsWith("c.csv: run 2"), qPrintable(said));
        QCOMPARE(window_->runFiles().figureFile(plots.front()).text.runs, QStringList("2"));
    }

    void aSavedRunInPlaceOfTheFramesIsNeitherOpenedNorRun() {
        frames(path("other.h5"), 20, 2);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, path("other.h5"));
        pressRun(1);
        QSignalSpy written(&window_->runFiles(), &RunFiles::saved);
        window_->saveRun(path("run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        frames(path("live.h5"), 20, 1);
        ks::tests::open_data(*window_, path("live.h5"));
        moveOver("run.h5", "live.h5");
        QSignalSpy refused(&window_->files(), &FileSession::notOpened);
        QTRY_VERIFY_WITH_TIMEOUT(window_->action("run")->isEnabled(), 60000);
        window_->action("run")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 1, 30000);
        QTest::qWait(200);  // a file that the run names would be opened by a further job
        QVERIFY2(window_->errorBar().sentence().contains("is now a saved run"),
                 qPrintable(window_->errorBar().sentence()));
        QCOMPARE(window_->file()->path, path("live.h5"));
        QCOMPARE(window_->runs().rowCount(), 1);
        QVERIFY(!window_->queue().busy());
        // Opened by the user it is a run like any other.
        QSignalSpy opened(&window_->files(), &FileSession::runOpened);
        window_->open(path("live.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
    }

    void aRepeatedSumOfOtherSourcesIsNotShownOverThoseThatWereRead() {
        generate("particles", path("points.csv"), {{"points", std::int64_t{40}}});
        generate("particles", path("next.csv"), {{"points", std::int64_t{40}}, {"seed", std::int64_t{5}}});
        QVERIFY(window_->setPage("particles"));
        ks::tests::open_data(*window_, path("points.csv"));
        pressRun(1);
        auto& particles = dynamic_cast<particles::ParticlesPage&>(*window_->page());
        QTRY_COMPARE(child<QComboBox>(particles, "shown").itemText(0), QString("Run 1"));
        moveOver("next.csv", "points.csv");
        window_->repeat(1);
        QVERIFY(ran(2));
        QVERIFY(!noticed().isEmpty());
        QCOMPARE(child<QComboBox>(particles, "shown").itemText(0), QString("Run 1"));
        QVERIFY(window_->notices().act(notice_, "Reopen"));
        QTRY_COMPARE_WITH_TIMEOUT(child<QComboBox>(particles, "shown").itemText(0), QString("Run 2"), 30000);
    }

    void aRepeatThatSucceedsReplacesTheErrorOfTheOneBefore() {
        generate("particles", path("points.csv"), {{"points", std::int64_t{40}}});
        generate("particles", path("next.csv"), {{"points", std::int64_t{40}}, {"seed", std::int64_t{5}}});
        QVERIFY(window_->setPage("particles"));
        ks::tests::open_data(*window_, path("points.csv"));
        pressRun(1);
        QVERIFY(QFile::rename(path("points.csv"), path("away.csv")));
        window_->repeat(1);
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 60000);
        QVERIFY(window_->errorBar().sentence().contains("no such file"));
        QVERIFY(QFile::copy(path("next.csv"), path("points.csv")));
        window_->repeat(1);
        QVERIFY(ran(2));
        QTRY_VERIFY2(window_->errorBar().sentence().startsWith("Since run 1 the data have changed"),
                     qPrintable(window_->errorBar().sentence()));
        QVERIFY(!window_->errorBar().isError());
    }

    void aPictureInTheFieldIsWatched() {
        const auto write = [this](const char* leaf, int grey) {
            QImage image(71, 61, QImage::Format_Grayscale8);
            image.fill(grey);
            QVERIFY(image.save(path(leaf)));
        };
        write("chosen.png", 20);
        QVERIFY(window_->setPage("images"));
        const auto fields = window_->page()->inputWidget()->findChildren<QLineEdit*>();
        QVERIFY(!fields.isEmpty());
        const QString notice = QStringLiteral("input changed on disk");
        fields.front()->setFocus();
        QTest::keyClicks(fields.front(), path("chosen.png"));
        pressRun(1);
        QCOMPARE(mark(), QString());
        write("next.png", 200);
        moveOver("next.png", "chosen.png");
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().text(notice).startsWith("chosen.png changed on disk"),
                                 10000);
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString("Run 1 is outdated (Picture)"), 10000);
        // Run would not read it for another exercise, nor on another page.
        for (const char* other : {"vector_add", "particles"}) {
            QVERIFY(window_->setPage(other));
            QCOMPARE(window_->notices().text(notice), QString());
            QVERIFY(window_->setPage("images"));
            QVERIFY(window_->notices().text(notice).startsWith("chosen.png changed on disk"));
        }
        pressRun(2);
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString(), 10000);
        QVERIFY(window_->notices().text(notice).isEmpty());
        write("next.png", 100);
        moveOver("next.png", "chosen.png");
        QTRY_VERIFY_WITH_TIMEOUT(!window_->notices().text(notice).isEmpty(), 10000);
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString("Run 2 is outdated (Picture)"), 10000);
        // No run has read what was there last.
        QVERIFY(QFile::remove(path("chosen.png")));
        QTRY_COMPARE_WITH_TIMEOUT(window_->notices().text(notice),
                                  QString("chosen.png no longer exists on disk"), 10000);
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString("Run 2 is outdated (the picture's file is gone)"), 10000);
        write("chosen.png", 30);
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().text(notice).startsWith("chosen.png changed on disk"),
                                 10000);
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString("Run 2 is outdated (Picture)"), 10000);
    }

    void picturesOfFormerContentsAreNamed() {
        for (const auto& [leaf, grey] : {std::pair("live.png", 20), {"next.png", 200}}) {
            QImage image(71, 61, QImage::Format_Grayscale8);
            image.fill(grey);
            QVERIFY(image.save(path(leaf)));
        }
        QVERIFY(window_->setPage("images"));
        ks::tests::open_data(*window_, path("live.png"));
        QCOMPARE(window_->page()->analysis(), QString("images"));
        pressRun(1);
        ResultView& result = dynamic_cast<GeneralPage&>(*window_->page()).result();
        QVERIFY(!result.facts().contains("as it was at"));
        moveOver("next.png", "live.png");
        pressRun(2);
        QVERIFY(!result.facts().contains("as it was at"));
        window_->runs().setTicked(1, true);
        QVERIFY2(result.facts().contains("Run 1 of live.png as it was at "), qPrintable(result.facts()));
    }
};

QTEST_MAIN(ChangedFilesTest)
#include "tst_changed_files.moc"
