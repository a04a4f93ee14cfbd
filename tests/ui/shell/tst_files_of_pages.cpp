#include <QComboBox>

#include "core/data/regions/region_shapes.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/view/detector_view.h"
#include "ui/spots/spots_page.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;

/// Pages that hold files of their own: back on one, all of it is that of its file.
class FilesOfPagesTest : public ks::tests::WindowFixture {
    Q_OBJECT

    bool opened(const QString& page, const QString& name) {
        QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
        if (!window_->setPage(page)) return false;
        if (name.isEmpty())
            window_->openDemo();
        else
            window_->open(name);
        return QTest::qWaitFor([&] { return opened.count() == 1; }, 60000) && window_->page()->id() == page &&
               QTest::qWaitFor([&] { return window_->page()->missing().isEmpty(); }, 60000);
    }

  private slots:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toLocal8Bit());
        ks::tests::generate_xpcs(folder_.filePath("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(folder_.filePath("b.h5"), 20, 91, 81);
        ks::tests::generate_xpcs(folder_.filePath("c.h5"), 20, 61, 71);
        window_ = firstWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }
    void cleanupTestCase() { window_.reset(); }

    void theMaskComesBackWithTheFileOfThePage() {
        QVERIFY(opened("xpcs", folder_.filePath("a.h5")));
        auto& page = dynamic_cast<xpcs::XpcsPage&>(*window_->page());
        QTRY_VERIFY(page.imagePanel().frame());
        RegionEditor& editor = page.imagePanel().editor();
        editor.apply(ks::rectangle_region(61, 71, {10, 10}, {19, 29}), true, "Box");
        const std::vector<std::uint8_t> drawn = editor.mask().values();
        const std::size_t pixels = editor.pixels(RegionEditor::maskTarget);
        QVERIFY(pixels > 100);
        QVERIFY(opened("spots", folder_.filePath("b.h5")));
        QTRY_COMPARE(editor.height(), std::size_t{91});
        QCOMPARE(editor.pixels(RegionEditor::maskTarget), std::size_t{0});
        QVERIFY(opened("particles", {}));
        QVERIFY(window_->setPage("xpcs"));
        QCOMPARE(window_->file()->path, folder_.filePath("a.h5"));
        QTRY_COMPARE(editor.height(), std::size_t{61});
        QTRY_VERIFY(editor.mask().values() == drawn);
        QTRY_VERIFY_WITH_TIMEOUT(window_->missing().isEmpty(), 30000);
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->queue().busy(), 120000);
        QVERIFY(!window_->errorBar().isError());
        QCOMPARE(window_->runs().rows().front().run->request.inputs.count("mask"), std::size_t{1});
    }

    void binsDrawnByHandStayWithTheirFile() {
        QVERIFY(opened("xpcs", folder_.filePath("a.h5")));
        auto& page = dynamic_cast<xpcs::XpcsPage&>(*window_->page());
        QTRY_VERIFY(page.imagePanel().frame());
        RegionEditor& editor = page.imagePanel().editor();
        QTest::keyClick(page.imagePanel().maskBar().targets(), Qt::Key_Down);
        QCOMPARE(editor.target(), 1);
        QCOMPARE(page.partitionForm().choice().source, xpcs::PartitionChoice::Drawn);
        editor.apply(ks::rectangle_region(61, 71, {30, 30}, {39, 49}), true, "Box");
        const std::vector<std::int32_t> drawn = editor.bins().values();
        QVERIFY(opened("xpcs", folder_.filePath("c.h5")));
        QTRY_VERIFY(page.imagePanel().frame());
        QVERIFY(editor.bins().values() == std::vector<std::int32_t>(61 * 71));
        QCOMPARE(editor.target(), RegionEditor::maskTarget);
        QCOMPARE(page.imagePanel().maskBar().targets()->count(), 2);  // mask, new bin
        QVERIFY(opened("xpcs", folder_.filePath("a.h5")));
        QTRY_VERIFY(editor.bins().values() == drawn);
    }

    void aBinThatIsNotVisibleIsNotDrawn() {
        QVERIFY(opened("xpcs", folder_.filePath("c.h5")));
        auto& page = dynamic_cast<xpcs::XpcsPage&>(*window_->page());
        QTRY_VERIFY(page.imagePanel().frame());
        RegionEditor& editor = page.imagePanel().editor();
        const auto drag = [](ImagePanel& panel) {
            DetectorView& view = panel.view();
            panel.maskBar().setTool("rectangle");
            const QPoint from(view.width() / 2 - 10, view.height() / 2 - 10);
            QTest::mousePress(&view, Qt::LeftButton, {}, from);
            QTest::mouseMove(&view, from + QPoint(20, 20));
            QTest::mouseRelease(&view, Qt::LeftButton, {}, from + QPoint(20, 20));
            panel.maskBar().setTool({});
        };
        QComboBox& source = *page.partitionForm().findChildren<QComboBox*>().front();
        QTest::keyClick(page.imagePanel().maskBar().targets(), Qt::Key_Down);
        QCOMPARE(source.currentIndex(), static_cast<int>(xpcs::PartitionChoice::Drawn));
        drag(page.imagePanel());
        const std::vector<std::int32_t> bins = editor.bins().values();
        QVERIFY(bins != std::vector<std::int32_t>(61 * 71));
        QCOMPARE(editor.pixels(RegionEditor::maskTarget), std::size_t{0});

        // Rings take the place of the bins.
        QTest::keyClick(&source, Qt::Key_Home);
        QCOMPARE(source.currentIndex(), static_cast<int>(xpcs::PartitionChoice::Rings));
        drag(page.imagePanel());
        QVERIFY(editor.bins().values() == bins);
        const std::size_t masked = editor.pixels(RegionEditor::maskTarget);
        QVERIFY(masked > 0);

        // So does another page, which shows no bins.
        QTest::keyClick(&source, Qt::Key_End);
        QTest::keyClick(page.imagePanel().maskBar().targets(), Qt::Key_Down);
        QCOMPARE(editor.target(), 1);
        QVERIFY(window_->setPage("spots"));
        auto& spots = dynamic_cast<spots::SpotsPage&>(*window_->page());
        QTRY_VERIFY(spots.imagePanel().frame());
        QCOMPARE(editor.target(), RegionEditor::maskTarget);
        drag(spots.imagePanel());
        QVERIFY(editor.bins().values() == bins);
    }
};

QTEST_MAIN(FilesOfPagesTest)
#include "tst_files_of_pages.moc"
