// One mask for all pages of the window: drawn on one, shown and used on the others, gone with its file.

#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <memory>
#include <optional>

#include "core/base/progress.h"
#include "core/data/partition/partition_builder.h"
#include "core/run/registry.h"
#include "core/xpcs/problem.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/view/detector_view.h"
#include "ui/spots/spots_page.h"
#include "ui/xpcs/partition_maker.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::spots::SpotsPage;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::XpcsPage;

class SessionMaskTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    Jobs jobs_;
    ks::Registry registry_;

    /// Both pages as the window holds them: one in sight, the file given to a page when it is shown.
    struct Window {
        explicit Window(Jobs& jobs)
            : context(jobs),
              stack(std::make_unique<QStackedWidget>()),
              spots(new SpotsPage(context)),
              xpcs(new XpcsPage(context)) {
            for (Page* page : pages()) {
                stack->addWidget(page);
                for (QWidget* dock : {page->dataWidget(), page->inputWidget()}) {
                    if (!dock) continue;
                    dock->setParent(page);
                    dock->hide();
                }
            }
            stack->resize(1000, 800);
            stack->show();
        }
        std::vector<Page*> pages() const { return {spots, xpcs}; }
        void show(Page* page) {
            stack->setCurrentWidget(page);
            if (given[page] != file) page->setFile(given[page] = file);
        }
        void open(std::shared_ptr<const OpenFile> opened, Page* page) {
            file = std::move(opened);
            show(page);
        }
        RegionEditor& editor() { return context.mask->editor(); }
        void draw(const std::vector<ks::PixelSpan>& spans) {
            editor().apply(ks::PixelRegion(editor().height(), editor().width(), spans), true, "Box");
        }
        bool frameOf(SpotsPage* page) const { return shownBy(page->image()); }
        bool frameOf(XpcsPage* page) const { return shownBy(page->image()); }
        bool shownBy(DetectorView& view) const {
            const std::vector<std::size_t> shape{file->frames->height(), file->frames->width()};
            return view.frame() && view.frame()->shape() == shape;
        }

        PageContext context;
        std::unique_ptr<QStackedWidget> stack;
        SpotsPage* spots;
        XpcsPage* xpcs;
        std::shared_ptr<const OpenFile> file;
        QHash<Page*, std::shared_ptr<const OpenFile>> given;
    };

    std::shared_ptr<const OpenFile> made(const char* leaf, std::int64_t height = 40) {
        const QString path = folder_.filePath(leaf);
        const ks::Analysis& analysis = registry_.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{12};
        parameters["height"] = height;
        parameters["width"] = std::int64_t{50};
        ks::Progress progress;
        analysis.generate(parameters, path.toStdString(), true, progress);
        return std::make_shared<const OpenFile>(openFile(path));
    }
    static void chooseRings(XpcsPage& page) {
        PartitionChoice rings;
        rings.recipe.geometry = page.imagePanel().geometry();
        rings.recipe.geometry.beam_x = 25;
        rings.recipe.geometry.beam_y = 20;
        rings.recipe.radial = ks::linear_levels(2, 14, 3);
        page.partitionForm().setChoice(rings);
    }
    /// On the screen, of a pixel of the image.
    static QRgb colourAt(XpcsPage& page, double x, double y) {
        DetectorView& view = page.image();
        return view.grab().toImage().pixel(
            (view.toWidget({x + 0.5, y + 0.5}) * view.devicePixelRatio()).toPoint());
    }
    static std::uint32_t pixelsOf(const ks::Request& request) {
        const auto mask = request.inputs.find("mask");
        if (mask == request.inputs.end()) return 0;
        const auto runs = mask->second.values->as<std::uint32_t>();
        std::uint32_t sum = 0;
        for (std::size_t i = 1; i < runs.size(); i += 2) sum += runs[i];
        return sum;
    }

  private slots:
    void aMaskDrawnOnOnePageIsShownAndUsedOnTheOther() {
        Window window(jobs_);
        window.open(made("a.h5"), window.xpcs);
        QTRY_VERIFY(window.frameOf(window.xpcs));
        chooseRings(*window.xpcs);
        QTRY_VERIFY(window.xpcs->missing().isEmpty());
        const std::size_t before = window.xpcs->partition()->selected();
        const QRgb plain = colourAt(*window.xpcs, 5, 2);
        window.show(window.spots);
        QTRY_VERIFY(window.frameOf(window.spots));
        // Some in a bin, some in a corner without.
        window.draw({{2, 0, 10}, {20, 20, 30}});
        QCOMPARE(window.xpcs->partition()->selected(), before);  // it waits until it is shown
        window.show(window.xpcs);
        QTRY_VERIFY(window.xpcs->partition() && window.xpcs->partition()->selected() < before);
        QVERIFY(colourAt(*window.xpcs, 5, 2) != plain);
        QVERIFY(window.xpcs->imagePanel().maskBar().countText().startsWith("20 "));
        ks::Request request;
        request.analysis = "xpcs";
        window.xpcs->fill(request);
        QCOMPARE(pixelsOf(request), 20u);
        ks::Progress progress;
        const auto problem = std::dynamic_pointer_cast<const ks::xpcs::CorrelationProblem>(
            registry_.analysis("xpcs").load(request, progress, nullptr));
        QCOMPARE(problem->ignored->masked, std::size_t{20});
        QCOMPARE(problem->masked_in_bins, before - window.xpcs->partition()->selected());
        QCOMPARE(problem->partition().labels(), window.xpcs->partition()->labels());
        // Undone on this page it is gone on the other, too.
        window.editor().undo();
        QTRY_COMPARE(window.xpcs->partition()->selected(), before);
        QCOMPARE(colourAt(*window.xpcs, 5, 2), plain);
        window.show(window.spots);
        ks::Request spots;
        window.spots->fill(spots);
        QCOMPARE(pixelsOf(spots), 0u);
    }

    void binsWaitForTheMaskThatComesBack() {
        const std::shared_ptr<const OpenFile> file = made("back.h5");
        MaskState state;
        state.height = 40;
        state.width = 50;
        state.mask = ks::Array::of({1, 2}, std::vector<std::uint32_t>{20 * 50, 50});  // row 20
        Window window(jobs_);
        QSignalSpy made(window.xpcs->findChild<xpcs::PartitionMaker*>(), &xpcs::PartitionMaker::made);
        window.open(file, window.xpcs);
        window.context.mask->bringBack(state);
        QVERIFY(window.context.mask->awaited());
        chooseRings(*window.xpcs);
        QCOMPARE(window.xpcs->missing(), QStringLiteral("the bins are being computed"));
        QTRY_VERIFY(window.frameOf(window.xpcs));
        QTRY_VERIFY(window.xpcs->missing().isEmpty());
        QVERIFY(!window.context.mask->awaited());
        QCOMPARE(made.count(), 2);  // when the file was opened, and of the rings with the mask
        QCOMPARE(made.back().front().value<xpcs::Partitioned>().masked.empty(), false);
    }

    void thePageThatWasHiddenAsksForAPreviewOfWhatWasDrawn() {
        Window window(jobs_);
        window.open(made("a.h5"), window.spots);
        QTRY_VERIFY(window.frameOf(window.spots));
        window.show(window.xpcs);
        QTRY_VERIFY(window.frameOf(window.xpcs));
        QTRY_VERIFY(window.xpcs->missing().isEmpty());
        QSignalSpy wanted(window.spots, &AnalysisPage::previewWanted);
        window.draw({{3, 4, 9}});
        QCOMPARE(wanted.count(), 0);
        window.show(window.spots);
        QTRY_COMPARE(wanted.count(), 1);
        window.show(window.xpcs);
        window.show(window.spots);
        QTest::qWait(50);
        QCOMPARE(wanted.count(), 1);  // nothing was drawn in between
    }

    void anotherFileBeginsWithoutTheMask() {
        Window window(jobs_);
        const auto first = made("a.h5");
        window.open(first, window.spots);
        QTRY_VERIFY(window.frameOf(window.spots));
        window.draw({{20, 20, 30}});
        window.open(made("b.h5"), window.xpcs);  // of the same shape
        QTRY_VERIFY(window.frameOf(window.xpcs));
        QTRY_VERIFY(window.xpcs->missing().isEmpty());
        QCOMPARE(window.editor().pixels(RegionEditor::maskTarget), std::size_t{0});
        QVERIFY(!window.editor().canUndo());
        ks::Request request;
        window.xpcs->fill(request);
        QCOMPARE(pixelsOf(request), 0u);
        // The same file read again keeps it.
        window.draw({{1, 0, 7}});
        window.open(std::make_shared<const OpenFile>(openFile(window.file->path)), window.xpcs);
        QTRY_VERIFY(window.frameOf(window.xpcs));
        QCOMPARE(window.editor().pixels(RegionEditor::maskTarget), std::size_t{7});
    }

    void aPageOfAFileThatIsNoLongerOpenLeavesTheMaskAlone() {
        Window window(jobs_);
        window.open(made("a.h5"), window.spots);
        QTRY_VERIFY(window.frameOf(window.spots));
        window.open(made("c.h5", 30), window.xpcs);
        QTRY_VERIFY(window.frameOf(window.xpcs));
        window.draw({{20, 20, 30}});
        // As the window does: the page is in sight before it gets the file.
        window.stack->setCurrentWidget(window.spots);
        QCOMPARE(window.editor().height(), std::size_t{30});
        QCOMPARE(window.editor().pixels(RegionEditor::maskTarget), std::size_t{10});
        window.show(window.spots);
        QTRY_VERIFY(window.frameOf(window.spots));
        QCOMPARE(window.editor().pixels(RegionEditor::maskTarget), std::size_t{10});
        QCOMPARE(window.editor().height(), std::size_t{30});
    }

    void theFilesOwnMaskIsOnAllPages() {
        const QString path = folder_.filePath("rotation.h5");
        const ks::Analysis& analysis = registry_.analysis("spots");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{2};
        parameters["height"] = std::int64_t{200};
        parameters["width"] = std::int64_t{220};
        ks::Progress progress;
        analysis.generate(parameters, path.toStdString(), true, progress);
        Window window(jobs_);
        QSignalSpy loaded(window.context.mask.get(), &SessionMask::maskLoaded);
        window.open(std::make_shared<const OpenFile>(openFile(path)), window.xpcs);
        QTRY_COMPARE(loaded.count(), 1);
        QVERIFY(window.context.mask->fileMaskLoaded());
        const std::size_t own = window.editor().pixels(RegionEditor::maskTarget);
        QVERIFY(own > 0);
        chooseRings(*window.xpcs);
        QTRY_VERIFY(window.xpcs->missing().isEmpty());
        ks::Request request;
        window.xpcs->fill(request);
        QCOMPARE(std::size_t{pixelsOf(request)}, own);
        QCOMPARE(ks::boolean(request.parameters, "file_mask"), false);  // it may have been changed by hand
        window.show(window.spots);
        QTRY_VERIFY(window.frameOf(window.spots));
        QCOMPARE(loaded.count(), 1);
        ks::Request spots;
        window.spots->fill(spots);
        QCOMPARE(std::size_t{pixelsOf(spots)}, own);
    }

    void aMaskOfAnotherShapeIsNotAppliedInSilence() {
        auto file = std::make_shared<OpenFile>(*made("a.h5"));
        ks::io::FileNode mask, detector;
        mask.name = "pixel_mask";
        mask.path = "/detector/pixel_mask";
        mask.kind = ks::io::FileNode::Kind::dataset;
        mask.type = "u32";
        mask.shape = {40, 51};
        detector.name = "detector";
        detector.path = "/detector";
        detector.children = {mask};
        file->tree.children.push_back(detector);
        Window window(jobs_);
        QString told;
        connect(window.xpcs, &Page::failed, this, [&](const ks::Error& error) { told = error.what(); });
        window.open(file, window.xpcs);
        for (const char* part : {"a.h5::/detector/pixel_mask", "40 x 50", "40 x 51"})
            QVERIFY2(told.contains(part), qPrintable(told));
        QTRY_VERIFY(window.frameOf(window.xpcs));
        chooseRings(*window.xpcs);
        QTRY_VERIFY(window.xpcs->missing().isEmpty());
        QCOMPARE(window.editor().pixels(RegionEditor::maskTarget), std::size_t{0});
        ks::Request request;
        window.xpcs->fill(request);
        QCOMPARE(pixelsOf(request), 0u);
        QCOMPARE(ks::boolean(request.parameters, "file_mask"), false);
        QCOMPARE(window.context.mask->maskAt("/detector/pixel_mask"), QString());
    }

    void binsDrawnByHandAreKeptApart() {
        Window window(jobs_);
        window.open(made("a.h5"), window.xpcs);
        QTRY_VERIFY(window.frameOf(window.xpcs));
        window.draw({{2, 0, 5}});
        window.editor().setTarget(1);
        window.draw({{8, 0, 6}});
        QCOMPARE(window.editor().pixels(1), std::size_t{6});
        window.show(window.spots);
        QCOMPARE(window.editor().target(), RegionEditor::maskTarget);  // there are no bins on that page
        QTRY_VERIFY(window.frameOf(window.spots));
        window.open(made("b.h5"), window.spots);
        QTRY_VERIFY(window.frameOf(window.spots));
        QCOMPARE(window.editor().pixels(RegionEditor::maskTarget), std::size_t{0});
        QCOMPARE(window.editor().pixels(1), std::size_t{0});  // those are bins of a.h5
        QVERIFY(!window.editor().canUndo());
        window.open(made("a.h5"), window.spots);
        QTRY_COMPARE(window.editor().pixels(1), std::size_t{6});
        QCOMPARE(window.editor().pixels(RegionEditor::maskTarget), std::size_t{5});
    }
};

QTEST_MAIN(SessionMaskTest)
#include "tst_session_mask.moc"
