// What was done with data belongs to them, whatever the name under which they are opened, and to frames of
// that size.

#include <QDir>
#include <QFile>
#include <QLabel>

#include "core/base/array.h"
#include "core/data/regions/region_shapes.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/tiff/tiff.h"
#include "tests/ui/shell/session_window.h"
#include "ui/files/data_identity.h"
#include "ui/runs/run_source.h"
#include "ui/runs/run_table_model.h"

using namespace ks::ui;
using ks::tests::open_data;
using ks::tests::xpcs_page;

class SameDataTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<MainWindow> window_;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    std::unique_ptr<MainWindow> window() const { return ks::tests::session_window(path("settings.ini")); }
    RegionEditor& editor() const { return xpcs_page(*window_).imagePanel().editor(); }
    std::size_t masked() const { return editor().pixels(RegionEditor::maskTarget); }
    void open(const QString& name) {
        open_data(*window_, name);
        QTRY_VERIFY_WITH_TIMEOUT(xpcs_page(*window_).imagePanel().frame() != nullptr, 30000);
    }
    void draw(const ks::ImagePoint& from, const ks::ImagePoint& to) {
        editor().apply(ks::rectangle_region(editor().height(), editor().width(), from, to), true, "Box");
    }
    SessionGeometry& geometry() const { return xpcs_page(*window_).imagePanel().geometryForm().session(); }
    void setWavelength(double value) {
        ks::Geometry now = geometry().geometry();
        now.wavelength = value;
        geometry().setGeometry(now, true);
    }
    bool told(const QString& text) const {
        for (const QLabel* one : window_->errorBar().findChildren<QLabel*>())
            if (one->text().contains(text)) return true;
        return false;
    }
    QString dataCell(int row) const {
        return window_->runs()
            .data(window_->runs().index(row, RunTableModel::DataColumn), Qt::DisplayRole)
            .toString();
    }
    void writeSeries(const QString& folder) {
        QVERIFY(QDir().mkpath(path(folder)));
        for (int number = 1; number <= 12; ++number) {
            std::vector<std::uint16_t> counts(20 * 30);
            for (std::size_t i = 0; i < counts.size(); ++i)
                counts[i] = static_cast<std::uint16_t>((i * 7 + static_cast<std::size_t>(number) * 3) % 11);
            ks::io::AtomicFile file(
                path(QString("%1/img_%2.tif").arg(folder).arg(number, 5, 10, QLatin1Char('0'))).toStdString(),
                true);
            ks::io::write_tiff(file, ks::Array::of({20, 30}, counts));
            file.commit();
        }
    }
    /// Three datasets: two of one size, one of another.
    void writeSeveral(const QString& leaf) {
        ks::io::h5::Writer file(path(leaf).toStdString(), path(leaf).toStdString());
        const auto put = [&file](const char* name, std::size_t height, std::size_t width) {
            std::vector<std::uint16_t> counts(12 * height * width);
            for (std::size_t i = 0; i < counts.size(); ++i)
                counts[i] = static_cast<std::uint16_t>(i * 13 % 17);
            file.array(name, ks::Array::of({12, height, width}, counts));
        };
        put("/entry1/saxs/data", 40, 50);
        put("/entry1/waxs/data", 30, 45);
        put("/entry1/xtra/data", 40, 50);
        file.close();
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        window_ = window();
        QVERIFY(window_->setPage("xpcs"));
    }
    void cleanup() { window_.reset(); }

    void aSeriesHasItsMaskAndRunsUnderEachSpelling() {
        writeSeries("sc");
        open(path("sc/img_*.tif"));
        draw({3, 4}, {9, 9});
        setWavelength(2.25);
        const std::size_t drawn = masked();
        QVERIFY(drawn > 0);
        ks::tests::run_in(*window_);
        for (const char* name : {"sc/img_#####.tif", "sc", "sc/img_*.tif"}) {
            open(path(name));
            QTRY_COMPARE(masked(), drawn);
            QCOMPARE(geometry().geometry().wavelength, 2.25);
            QVERIFY(window_->runs().isOfFile(window_->runs().rows().front()));
            QVERIFY(readFrom(*window_->runs().rows().front().run, "frames", *window_->file()));
            QCOMPARE(xpcs_page(*window_).drawer().mark(), QString());
        }
        QVERIFY(editor().canUndo());
    }

    void aLinkIsTheFileThatItLeadsTo() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71);
        QVERIFY(QDir().mkpath(path("links")) && QFile::link(path("a.h5"), path("links/link.h5")));
        open(path("a.h5"));
        draw({3, 4}, {9, 9});
        const std::size_t drawn = masked();
        open(path("b.h5"));
        QCOMPARE(masked(), std::size_t{0});
        open(path("links/link.h5"));
        QTRY_COMPARE(masked(), drawn);
        draw({20, 20}, {29, 29});
        const std::size_t more = masked();
        QVERIFY(more > drawn);
        open(path("a.h5"));
        QTRY_COMPARE(masked(), more);
    }

    void hiddenCurvesAreThoseOfTheData() {
        for (const char* leaf : {"a.h5", "b.h5"}) ks::tests::generate_xpcs(path(leaf), 20, 61, 71);
        open(path("a.h5"));
        CurvePlot& curves = xpcs_page(*window_).curves();
        curves.holdHidden({{2}, {}});
        window_->files().reopen();
        QTRY_VERIFY(xpcs_page(*window_).imagePanel().frame() != nullptr);
        QCOMPARE(curves.hidden().bins, QSet<int>{2});
        open(path("b.h5"));
        QVERIFY(curves.hidden().bins.isEmpty());
    }

    void theyAreTheSameAfterARestart() {
        writeSeries("sc");
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71);
        window_->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        open(path("sc/img_*.tif"));
        draw({3, 4}, {9, 9});
        setWavelength(2.25);
        const std::size_t drawn = masked();
        open(path("b.h5"));
        QVERIFY(window_->close());
        window_ = window();
        QSignalSpy back(&window_->kept(), &WindowSession::broughtBack);
        window_->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        open(path("sc/img_#####.tif"));
        QTRY_COMPARE(masked(), drawn);
        QCOMPARE(geometry().geometry().wavelength, 2.25);
    }

    void aLinkThatLeadsElsewhereMeanwhileKeepsBothMasks() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71);
        QVERIFY(QFile::link(path("a.h5"), path("latest.h5")));
        open(path("b.h5"));
        draw({30, 30}, {49, 39});
        const std::size_t ofB = masked();
        open(path("latest.h5"));
        QCOMPARE(masked(), std::size_t{0});
        draw({3, 4}, {9, 9});
        const std::size_t ofA = masked();
        QVERIFY(QFile::remove(path("latest.h5")) && QFile::link(path("b.h5"), path("latest.h5")));
        open(path("latest.h5"));
        QTRY_COMPARE(masked(), ofB);
        open(path("a.h5"));
        QTRY_COMPARE(masked(), ofA);
    }

    void framesOfAnotherSizeUnderTheSameNameDoNotTakeTheWork() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("other.h5"), 20, 48, 55);
        open(path("a.h5"));
        draw({3, 4}, {9, 9});
        editor().setTarget(1);
        draw({30, 30}, {39, 49});
        const std::size_t drawn = masked(), binned = editor().pixels(1);
        QVERIFY(drawn > 0 && binned > 0);
        QVERIFY(QFile::rename(path("a.h5"), path("kept.h5")) &&
                QFile::rename(path("other.h5"), path("a.h5")));
        window_->files().reopen();
        QTRY_COMPARE_WITH_TIMEOUT(editor().height(), std::size_t{48}, 30000);
        QCOMPARE(masked(), std::size_t{0});
        QVERIFY(told("the drawn mask is kept but not used here"));
        QVERIFY(told("61 x 71 pixels") && told("48 x 55 pixels"));
        draw({10, 10}, {19, 19});
        const std::size_t ofOther = masked();
        QVERIFY(QFile::rename(path("a.h5"), path("other.h5")) &&
                QFile::rename(path("kept.h5"), path("a.h5")));
        window_->files().reopen();
        QTRY_COMPARE_WITH_TIMEOUT(editor().height(), std::size_t{61}, 30000);
        QTRY_COMPARE(masked(), drawn);
        QCOMPARE(editor().pixels(1), binned);
        QVERIFY(QFile::rename(path("a.h5"), path("kept.h5")) &&
                QFile::rename(path("other.h5"), path("a.h5")));
        window_->files().reopen();
        QTRY_COMPARE_WITH_TIMEOUT(editor().height(), std::size_t{48}, 30000);
        QTRY_COMPARE(masked(), ofOther);
    }

    void eachDatasetOfAFileHasItsOwnMask() {
        writeSeveral("multi.h5");
        const QString saxs = path("multi.h5") + "::/entry1/saxs/data",
                      waxs = path("multi.h5") + "::/entry1/waxs/data",
                      xtra = path("multi.h5") + "::/entry1/xtra/data";
        window_->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        open(saxs);
        draw({3, 4}, {9, 9});
        const std::size_t drawn = masked();
        open(waxs);
        QCOMPARE(masked(), std::size_t{0});
        QVERIFY(told("/entry1/saxs/data") && told("40 x 50 pixels"));
        open(saxs);
        QTRY_COMPARE(masked(), drawn);
        open(xtra);  // of the same size
        QCOMPARE(masked(), std::size_t{0});
        QVERIFY(told("the drawn mask is kept but not used here, because it was drawn on /entry1/saxs/data"));
        QVERIFY(window_->close());
        window_ = window();
        QSignalSpy back(&window_->kept(), &WindowSession::broughtBack);
        window_->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QCOMPARE(window_->file()->name, xtra);
        QCOMPARE(masked(), std::size_t{0});
        open(saxs);
        QTRY_COMPARE(masked(), drawn);
    }

    void theDatasetThatIsOpenAnywayIsNoOtherFile() {
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71, true);
        open(path("b.h5"));
        const QString named = QString::fromStdString(window_->file()->frames->name());
        QVERIFY2(named.startsWith(path("b.h5") + "::/"), qPrintable(named));
        draw({3, 4}, {9, 9});
        setWavelength(3.125);
        window_->parameters().setValue(QStringLiteral("max_delay"), std::int64_t{9});
        ks::tests::run_in(*window_);
        const std::size_t drawn = masked();
        open(named);
        QCOMPARE(geometry().geometry().wavelength, 3.125);
        QCOMPARE(ks::integer(window_->parameters().values(), "max_delay"), 9);
        QCOMPARE(masked(), drawn);
        QVERIFY(editor().canUndo());
        QCOMPARE(dataCell(0), QString("b.h5"));
        QCOMPARE(xpcs_page(*window_).drawer().mark(), QString());
    }

    void runsOfSeveralDatasetsOfAFileAreNamedByThem() {
        writeSeveral("multi.h5");
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        const auto run = [](const QString& name) {
            auto made = std::make_shared<ks::Run>();
            made->request.analysis = "xpcs";
            made->request.inputs["frames"] = {name.toStdString(), {}};
            return made;
        };
        const QString saxs = path("multi.h5") + "::/entry1/saxs/data",
                      waxs = path("multi.h5") + "::/entry1/waxs/data";
        RunTableModel table;
        table.addRun(run(path("a.h5") + "::/entry/data/data"), false);
        table.addRun(run(saxs), false);
        const auto cell = [&table](int row) {
            return table.data(table.index(row, RunTableModel::DataColumn), Qt::DisplayRole).toString();
        };
        table.setFile(path("a.h5"), {}, path("a.h5") + "::/entry/data/data");
        QCOMPARE(cell(0), QString("of multi.h5"));
        table.addRun(run(waxs), false);
        QCOMPARE(cell(0), QString("of multi.h5::/entry1/waxs/data"));
        QCOMPARE(cell(1), QString("of multi.h5::/entry1/saxs/data"));
        QCOMPARE(cell(2), QString("a.h5"));
        OpenFile beside;
        beside.name = beside.path = path("a.h5");
        const std::vector<RunRow> rows = table.rows();
        QCOMPARE(sourceText(*rows[0].run, "frames", beside, rows), QString("multi.h5::/entry1/waxs/data"));
        QCOMPARE(sourceText(*rows[1].run, "frames", beside, rows), QString("multi.h5::/entry1/saxs/data"));
        QCOMPARE(sourceText(*rows[1].run, "frames", beside, {rows[1], rows[2]}), QString("multi.h5"));
    }
};

QTEST_MAIN(SameDataTest)
#include "tst_same_data.moc"
