#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/base/progress.h"
#include "core/data/partition/partition_builder.h"
#include "core/io/labels/label_file.h"
#include "core/io/open_frames.h"
#include "core/run/registry.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/profile_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/tools/beam_tools.h"
#include "ui/image/tools/edge_tool.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_figure.h"
#include "ui/shell/drawer.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::BinTableModel;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::XpcsPage;

class XpcsPageTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    Jobs jobs_;
    std::optional<PageContext> context_;  ///< of each test its own, as the mask is in it
    std::shared_ptr<const OpenFile> file_;

    static void place(XpcsPage& page, double x, double y) {
        ks::Geometry geometry = page.imagePanel().geometry();
        geometry.beam_x = x;
        geometry.beam_y = y;
        page.imagePanel().geometryForm().session().setGeometry(geometry, true);
    }

    /// Edges of the bins on the screen are those of the form when nothing is under way.
    static bool settled(XpcsPage& page, int bins) {
        return QTest::qWaitFor([&] { return page.missing().isEmpty() && page.bins().rowCount() == bins; },
                               10000);
    }

    std::unique_ptr<XpcsPage> pageWithRings() {
        auto page = std::make_unique<XpcsPage>(*context_);
        page->inputWidget()->setParent(page.get());
        page->setFile(file_);
        place(*page, 30, 30);
        PartitionChoice rings;
        rings.recipe.geometry = page->imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(2, 14, 3);
        page->partitionForm().setChoice(rings);
        return page;
    }

    /// As far as maps need it: published kernels have no place for one.
    static ks::Variant variantOf(const std::string& id) {
        ks::Variant variant;
        variant.id = id;
        if (id.starts_with("seed."))
            variant.takes = {
                {.trait = "two_time_bin", .what = "the bin of a two-time map to be", .values = {""}}};
        return variant;
    }

    /// A run of the bins as they are now, as far as maps need it.
    static RunRow ranWith(const XpcsPage& page, int number, const char* variant) {
        ks::Run run;
        run.request.analysis = "xpcs";
        page.fill(run.request);
        run.variant = variantOf(variant);
        run.result.datasets.push_back(
            {"labels", "bins", "", ks::DataKind::overlay,
             ks::Array::of<std::int32_t>({page.partition()->height(), page.partition()->width()},
                                         page.partition()->labels())});
        return {number, std::make_shared<const ks::Run>(run), true, false};
    }

  private slots:
    void initTestCase() {
        const QString path = folder_.filePath("frames.h5");
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{20};
        ks::Progress progress;
        analysis.generate(parameters, path.toStdString(), true, progress);
        file_ = std::make_shared<const OpenFile>(openFile(path));
    }

    void init() { context_.emplace(jobs_); }

    void withoutDataItSaysWhatIsMissing() {
        XpcsPage page(*context_);
        page.inputWidget()->setParent(&page);
        QVERIFY(page.missing().contains("open a file"));
    }

    void ringsBecomeBinsOfTheRightSize() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        QTRY_VERIFY(page->image().frame() != nullptr);
        // Pixel centres with 6 <= r < 10 around (30, 30), counted here anew.
        std::size_t expected = 0;
        for (std::size_t y = 0; y < file_->frames->height(); ++y)
            for (std::size_t x = 0; x < file_->frames->width(); ++x) {
                const double dx = static_cast<double>(x) + 0.5 - 30, dy = static_cast<double>(y) + 0.5 - 30;
                const double r2 = dx * dx + dy * dy;
                expected += r2 >= 36 && r2 < 100;
            }
        QVERIFY(expected > 0);
        QCOMPARE(page->bins().bins()[1].pixels, expected);
        ks::Request request;
        page->fill(request);
        QCOMPARE(request.inputs.at("partition").name.substr(0, 6), std::string("rings:"));
        QVERIFY(!request.inputs.at("partition").values.has_value());
    }

    void aBinThatIsOffLeavesTheRequest() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        const auto& bins = page->bins();
        page->bins().setData(bins.index(1, BinTableModel::OnColumn), Qt::Unchecked, Qt::CheckStateRole);
        ks::Request request;
        page->fill(request);
        const auto labels = request.inputs.at("partition").values->as<std::int32_t>();
        QCOMPARE(static_cast<std::size_t>(std::count(labels.begin(), labels.end(), 2)), std::size_t{0});
        QCOMPARE(static_cast<std::size_t>(std::count(labels.begin(), labels.end(), 3)),
                 bins.bins()[2].pixels);
        page->bins().setAll(false);
        QVERIFY(page->missing().contains("turned off"));
    }

    void aPickedBinIsInTheNextRequest() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        // There is no run yet: the next one brings it.
        QSignalSpy asked(page.get(), &AnalysisPage::supplementWanted),
            runs(page.get(), &AnalysisPage::runRequested);
        page->pickBin(3);
        QCOMPARE(asked.count() + runs.count(), 0);
        ks::Request request;
        page->fill(request);
        QCOMPARE(ks::integer(request.parameters, "two_time_bin"), 3);
    }

    void aVariantThatMakesNoMapIsNotAskedForOne() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        page->pickBin(3);
        ks::Request request;
        page->fill(request);
        QCOMPARE(ks::integer(request.parameters, "two_time_bin"), 3);
        const ks::Variant seed = variantOf("seed.naive");
        emit context_->desk->offered("xpcs", {}, &seed);
        page->fill(request);
        QVERIFY(!ks::optional_integer(request.parameters, "two_time_bin"));
        page->setRuns({ranWith(*page, 1, "seed.naive")});
        QVERIFY2(page->noMapText().contains("seed.naive does not compute two-time maps"),
                 qPrintable(page->noMapText()));
        QSignalSpy asked(page.get(), &AnalysisPage::supplementWanted);
        page->pickBin(3);
        QCOMPARE(asked.count(), 0);
        QVERIFY2(page->noMapText().contains("seed.naive does not compute two-time maps"),
                 qPrintable(page->noMapText()));
    }

    void thePlaceOfAnErrorIsShownWithoutAMapWhereTheRunsMakeNone() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        page->setRuns({ranWith(*page, 1, "gram.tiled")});
        QVERIFY(page->showPlace({{"bin", 2}, {"delay", 5}}));
        QVERIFY2(page->drawer().raised().contains("Two-time"), qPrintable(page->drawer().raised().join(' ')));
        page->setRuns({ranWith(*page, 2, "seed.naive")});
        QVERIFY(page->showPlace({{"bin", 3}, {"delay", 5}}));
        const QStringList raised = page->drawer().raised();
        QVERIFY2(raised.contains("Error of g\u2082") && !raised.contains("Two-time"),
                 qPrintable(raised.join(' ')));
    }

    void theMapComesFromARunThatCanMakeIt() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        page->setRuns({ranWith(*page, 2, "seed.naive"), ranWith(*page, 1, "gram.tiled")});
        std::optional<Supplement> wanted;
        connect(page.get(), &AnalysisPage::supplementWanted, this,
                [&](const Supplement& one) { wanted = one; });
        page->pickBin(3);
        QVERIFY(wanted && wanted->number == 1);
        QVERIFY2(page->noMapText().contains("Computing the two-time map"), qPrintable(page->noMapText()));
        // The job is given up.
        wanted->ended(ks::Error(ks::ErrorKind::cancelled, "it was cancelled"));
        QTRY_VERIFY2(page->noMapText().contains("No two-time map of bin 3"), qPrintable(page->noMapText()));
        // One that brings no map says why.
        page->pickBin(3);
        QVERIFY(wanted && page->noMapText().contains("Computing the two-time map"));
        try {
            wanted->join(ks::Run(), ks::Run());
            QFAIL("a run without a map was taken");
        } catch (const ks::Error& error) {
            wanted->ended(error);
        }
        QTRY_VERIFY2(page->noMapText().contains("the run returned no two-time map of bin 3"),
                     qPrintable(page->noMapText()));
    }

    void maskedPixelsLeaveTheirBinsAndComeBackByUndo() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        QTRY_VERIFY(page->image().frame() != nullptr);
        const std::size_t before = page->partition()->selected();
        std::vector<ks::PixelSpan> spans;
        for (std::uint32_t y = 20; y < 30; ++y) spans.push_back({y, 25, 35});
        auto& editor = page->imagePanel().editor();
        editor.apply(ks::PixelRegion(editor.height(), editor.width(), spans), true, "Box");
        QTRY_VERIFY(page->partition() && page->partition()->selected() < before);
        for (std::size_t y = 20; y < 30; ++y)
            for (std::size_t x = 25; x < 35; ++x)
                QCOMPARE(page->partition()->labels()[y * page->partition()->width() + x], 0);
        ks::Request request;
        page->fill(request);
        // The run gets bins and mask apart, so that it can count what is masked.
        QVERIFY(request.inputs.at("partition").name.starts_with("rings:"));
        QCOMPARE(request.inputs.at("mask").values->shape(), (std::vector<std::size_t>{10, 2}));
        editor.undo();
        QTRY_VERIFY(page->partition() && page->partition()->selected() == before);
        ks::Request without;
        page->fill(without);
        QVERIFY(!without.inputs.contains("mask"));
    }

    void labelsThatGoWithARequestHoldTheMaskedPixels() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        QTRY_VERIFY(page->image().frame() != nullptr);
        PartitionChoice choice = page->partitionForm().choice();
        choice.recipe.sectors = 2;
        page->partitionForm().setChoice(choice);
        QVERIFY(settled(*page, 6));
        const std::vector<std::int32_t> labels = page->partition()->labels();
        auto& editor = page->imagePanel().editor();
        editor.apply(ks::PixelRegion(editor.height(), editor.width(), {{33, 20, 40}}), true, "Box");
        QTRY_VERIFY(page->partition() && page->partition()->labels() != labels);
        ks::Request request;
        page->fill(request);
        const auto sent = request.inputs.at("partition").values->as<std::int32_t>();
        QVERIFY(std::equal(labels.begin(), labels.end(), sent.begin(), sent.end()));
    }

    void sectorsAreLabelledRingByRing() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        PartitionChoice choice = page->partitionForm().choice();
        choice.recipe.sectors = 4;
        page->partitionForm().setChoice(choice);
        QVERIFY(settled(*page, 12));
        // Below and right of the beam: azimuth between 0 and 90 degrees, the first sector of its ring.
        const auto label = [&](double x, double y) {
            return page->partition()->labels()[static_cast<std::size_t>(y) * page->partition()->width() +
                                               static_cast<std::size_t>(x)];
        };
        QCOMPARE(label(32.5, 32.5), 1);   // r = 3.5, ring 1
        QCOMPARE(label(27.5, 32.5), 2);   // 90 to 180 degrees
        QCOMPARE(label(35.5, 35.5), 5);   // r = 7.8, ring 2
        QCOMPARE(label(38.5, 22.5), 12);  // r = 11.3, ring 3, -90 to 0 degrees
    }

    void anEdgeDraggedOnTheImageMovesTheBins() {
        const auto page = pageWithRings();
        page->resize(1000, 800);
        page->show();
        QVERIFY(QTest::qWaitForWindowExposed(page.get()));
        QVERIFY(settled(*page, 3));
        QTRY_VERIFY(page->image().frame() != nullptr);
        DetectorView& view = page->image();
        QCOMPARE(view.tool(), static_cast<ImageTool*>(&page->edgeTool()));
        QSignalSpy previews(page.get(), &AnalysisPage::previewWanted);
        const QPoint from = view.toWidget({40, 30}).toPoint(), to = view.toWidget({42, 30}).toPoint();
        QTest::mouseMove(&view, from);
        QTest::mousePress(&view, Qt::LeftButton, {}, from);
        QTest::mouseMove(&view, to);
        const double radius = view.toImage(to).x() - 30;
        QTRY_VERIFY(!previews.isEmpty());
        QTest::mouseRelease(&view, Qt::LeftButton, {}, to);
        const auto edges = ks::edges(page->partitionForm().choice().recipe);
        QCOMPARE(edges.size(), std::size_t{4});
        QVERIFY2(std::abs(edges[2] - radius) < 0.02, qPrintable(QString::number(edges[2])));
        QCOMPARE(edges[1], 6.0);
        std::size_t expected = 0;
        for (std::size_t y = 0; y < page->partition()->height(); ++y)
            for (std::size_t x = 0; x < page->partition()->width(); ++x) {
                const double r =
                    std::hypot(static_cast<double>(x) + 0.5 - 30, static_cast<double>(y) + 0.5 - 30);
                expected += r >= 6 && r < edges[2];
            }
        QTRY_COMPARE(page->bins().bins()[1].pixels, expected);
        // Escape in the middle of a drag puts the edge back.
        const QPoint third = view.toWidget({30 + edges[2], 30}).toPoint();
        QTest::mousePress(&view, Qt::LeftButton, {}, third);
        QTest::mouseMove(&view, view.toWidget({37, 30}).toPoint());
        QTest::keyClick(&view, Qt::Key_Escape);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, third);
        QVERIFY(std::abs(ks::edges(page->partitionForm().choice().recipe)[2] - edges[2]) < 1e-6);
    }

    void theBeamFollowsTheMouseAndRingsFollowTheBeam() {
        const auto page = pageWithRings();
        page->resize(1000, 800);
        page->show();
        QVERIFY(QTest::qWaitForWindowExposed(page.get()));
        QVERIFY(settled(*page, 3));
        QTRY_VERIFY(page->image().frame() != nullptr);
        DetectorView& view = page->image();
        page->imagePanel().geometryForm().setPicking(true, false);
        const QPoint at = view.toWidget({50, 41}).toPoint();
        QTest::mouseClick(&view, Qt::LeftButton, {}, at);
        QCOMPARE(page->imagePanel().geometry().beam_x, view.toImage(at).x());
        QCOMPARE(page->imagePanel().geometry().beam_y, view.toImage(at).y());
        QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(std::abs(page->imagePanel().geometry().beam_x - view.toImage(at).x() - 1) < 1e-9);
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(view.tool(), static_cast<ImageTool*>(&page->edgeTool()));
        QTRY_VERIFY(page->partition() &&
                    page->partition()->labels()[41 * page->partition()->width() + 58] == 2);  // r about 7.5
    }

    void aRingThroughClickedPointsGivesTheBeam() {
        const auto page = pageWithRings();
        page->resize(1000, 800);
        page->show();
        QVERIFY(QTest::qWaitForWindowExposed(page.get()));
        QTRY_VERIFY(page->image().frame() != nullptr);
        DetectorView& view = page->image();
        page->imagePanel().geometryForm().setPicking(true, true);
        for (const double angle : {0.1, 1.3, 2.9, 4.4}) {
            const QPointF point(60 + 20 * std::cos(angle), 52 + 20 * std::sin(angle));
            QTest::mouseClick(&view, Qt::LeftButton, {}, view.toWidget(point).toPoint());
            QTest::qWait(QApplication::doubleClickInterval() + 20);  // clicks, no double click
        }
        QCOMPARE(page->imagePanel().ringFitTool().points().size(), std::size_t{4});
        QTest::keyClick(&view, Qt::Key_Return);
        // Clicks fall on whole pixels of the widget.
        const double pixel = 1 / view.zoom();
        QVERIFY(std::abs(page->imagePanel().geometry().beam_x - 60) < pixel);
        QVERIFY(std::abs(page->imagePanel().geometry().beam_y - 52) < pixel);
        QVERIFY2(page->imagePanel().geometryForm().note().contains("Circle of radius "),
                 qPrintable(page->imagePanel().geometryForm().note()));
        QVERIFY(page->imagePanel().ringFitTool().points().empty());
    }

    void linesAndBandsOfRingsAreWhereTheirQIsAlsoWithOblongPixels() {
        const auto page = pageWithRings();
        page->resize(1000, 800);
        page->show();
        QVERIFY(QTest::qWaitForWindowExposed(page.get()));
        QTRY_VERIFY(page->image().frame() != nullptr);
        page->imagePanel().geometryForm().session().setGeometry({1.5, 2000, 30, 30, 50, 100}, true);
        // 0.6 mm and 1 mm from the beam: 12 and 20 pixels across, 6 and 10 down.
        const auto qAt = [](double length) {
            return 4 * std::numbers::pi / 1.5 * std::sin(0.5 * std::atan(length / 2000));
        };
        PartitionChoice rings;
        rings.recipe.geometry = page->imagePanel().geometry();
        rings.recipe.in_q = true;
        rings.recipe.radial = ks::edge_levels({qAt(0.6), qAt(1.0)});
        page->partitionForm().setChoice(rings);
        QVERIFY(settled(*page, 1));
        const auto edges = [&] { return page->profile().plot().figure().content().edges(); };
        QTRY_VERIFY(page->profile().inQ() && edges().size() == 2);
        QVERIFY(std::abs(edges()[0] / qAt(0.6) - 1) < 1e-6 && std::abs(edges()[1] / qAt(1.0) - 1) < 1e-6);
        DetectorView& view = page->image();
        const QImage with = view.grab().toImage();
        view.setRingsVisible(false);
        const QImage without = view.grab().toImage();
        view.setRingsVisible(true);
        for (const double length : {0.6, 1.0})
            for (int angle = 3; angle < 360; angle += 15) {
                const double turn = angle * std::numbers::pi / 180;
                const QPoint at =
                    view.toWidget({30 + length / 0.05 * std::cos(turn), 30 + length / 0.1 * std::sin(turn)})
                        .toPoint();
                QVERIFY2(with.pixel(at) != without.pixel(at), qPrintable(QString::number(angle)));
            }
        // Circles in pixels have no single q there.
        rings.recipe.in_q = false;
        rings.recipe.radial = ks::edge_levels({6, 12});
        page->partitionForm().setChoice(rings);
        QVERIFY(settled(*page, 1));
        QTRY_VERIFY(edges().isEmpty());
        page->imagePanel().geometryForm().session().setGeometry({1.5, 2000, 30, 30, 50, 50}, true);
        QTRY_COMPARE(edges().size(), 2);
        QVERIFY(std::abs(edges()[1] / qAt(0.6) - 1) < 1e-6);
    }

    void exportedLabelsComeBackTheSame() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        page->bins().setData(page->bins().index(1, BinTableModel::LabelColumn), "halo", Qt::EditRole);
        const std::vector<std::int32_t> labels = page->partition()->labels();
        for (const char* leaf : {"bins.h5", "bins.npy", "bins.tif"}) {
            QSignalSpy written(page.get(), &XpcsPage::labelsExported);
            page->exportLabels(folder_.filePath(leaf), true);
            QTRY_COMPARE(written.count(), 1);
            const auto other = std::make_unique<XpcsPage>(*context_);
            other->inputWidget()->setParent(other.get());
            other->setFile(file_);
            other->importLabels(folder_.filePath(leaf));
            QTRY_VERIFY(other->partition() && other->partition()->labels() == labels);
            if (QString(leaf).endsWith("h5")) QCOMPARE(other->bins().bins()[1].name, QString("halo"));
        }
    }

    // The mask of the moment is no part of the bins: another one may cover less.
    void exportedLabelsKeepThePixelsOfTheMask() {
        const auto page = pageWithRings();
        QVERIFY(settled(*page, 3));
        const std::vector<std::int32_t> all = page->partition()->labels();
        ks::PixelMask mask{file_->frames->height(), file_->frames->width(),
                           std::vector<std::uint8_t>(all.size())};
        std::size_t covered = 0;
        for (std::size_t pixel = 0; pixel < all.size(); ++pixel)
            if (all[pixel] == 2 && covered < 10) {
                mask.ignore[pixel] = 1;
                ++covered;
            }
        QTRY_COMPARE(page->imagePanel().editor().height(), mask.height);
        page->imagePanel().editor().load(mask);
        QTRY_VERIFY(page->partition() && page->partition()->labels() != all);
        QSignalSpy written(page.get(), &XpcsPage::labelsExported);
        page->exportLabels(folder_.filePath("masked.h5"), true);
        QTRY_COMPARE(written.count(), 1);
        const ks::io::LabelFile file = ks::io::read_labels(folder_.filePath("masked.h5").toStdString());
        QVERIFY(file.labels.labels() == all);
    }

    void labelsOfAFileThatIsNotThereAreRefusedByName() {
        const auto page = pageWithRings();
        QString told;
        connect(page.get(), &Page::failed, this, [&](const ks::Error& error) { told = error.what(); });
        page->partitionForm().setDataset(folder_.filePath("absent.h5") + "::/entry/qmask");
        QTRY_VERIFY(told.contains("absent.h5"));
        QVERIFY(!page->missing().isEmpty());
    }
};

QTEST_MAIN(XpcsPageTest)
#include "tst_xpcs_page.moc"
