#include <QTemporaryDir>

#include "core/data/regions/region_shapes.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/image_panel.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;

/// Pages that hold files of their own: back on one, all of it is that of its file.
class FilesOfPagesTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

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
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toLocal8Bit());
        ks::tests::generate_xpcs(folder_.filePath("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(folder_.filePath("b.h5"), 20, 91, 81);
        window_ = ks::tests::new_window(folder_.filePath("test.ini"));
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
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->session().busy(), 120000);
        QVERIFY(!window_->errorBar().isError());
        QCOMPARE(window_->runs().rows().front().run->request.inputs.count("mask"), std::size_t{1});
    }
};

QTEST_MAIN(FilesOfPagesTest)
#include "tst_files_of_pages.moc"
