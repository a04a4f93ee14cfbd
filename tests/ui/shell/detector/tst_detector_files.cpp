// What belongs to a detector: a geometry saved and loaded by the form's buttons, and mask and geometry
// offered for the next file of the same shape.

#include <QAbstractButton>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMap>
#include <QSettings>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/data/regions/region_shapes.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/shell/bars/detector_offer.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/settings/settings_dialog.h"
#include "ui/xpcs/xpcs_page.h"

using ks::Geometry;
using ks::ui::MainWindow;

class DetectorFilesTest : public ks::tests::WindowFixture {
    Q_OBJECT
    static constexpr const char* notice = "same detector";

    ks::ui::ImagePanel& panel() const {
        return dynamic_cast<ks::ui::xpcs::XpcsPage&>(*window_->page()).imagePanel();
    }
    ks::ui::SessionGeometry& session() const { return panel().geometryForm().session(); }
    ks::ui::RegionEditor& editor() const { return panel().editor(); }
    ks::ui::NoticeBar& notices() const { return *window_->findChild<ks::ui::NoticeBar*>(); }
    std::size_t ignored() const {
        const std::vector<std::uint8_t> mask = editor().pixelMask().ignore;
        return static_cast<std::size_t>(
            std::count_if(mask.begin(), mask.end(), [](auto one) { return one != 0; }));
    }
    QAbstractButton* buttonOf(QWidget& parent, const QString& text) const {
        for (auto* one : parent.findChildren<QAbstractButton*>())
            if (one->text() == text && one->isVisible()) return one;
        return nullptr;
    }
    /// Clicks a button of the geometry that shows a file dialog, and answers it.
    void clickAndChoose(const QString& button, const QString& file) const {
        QTimer look;
        connect(&look, &QTimer::timeout, [&] {
            auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            look.stop();
            // selectFile() leaves the field as it is once that has the focus.
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
            QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
        });
        look.start(20);
        QAbstractButton* const found = buttonOf(panel().geometryForm(), button);
        QVERIFY2(found, qPrintable(button));
        QVERIFY(found->isEnabled());
        QTest::mouseClick(found, Qt::LeftButton);
    }
    void clickNotice(const QString& text) const {
        QAbstractButton* const found = buttonOf(notices(), text);
        QVERIFY2(found, qPrintable(text + " in: " + notices().text(notice)));
        QTest::mouseClick(found, Qt::LeftButton);
    }
    void open(const QString& leaf) const { ks::tests::open_data(*window_, path(leaf)); }
    void draw() const {
        editor().apply(ks::rectangle_region(61, 71, {10, 10}, {20, 30}), true, "Box");
        QCOMPARE(ignored(), std::size_t{200});
    }

  private slots:
    void initTestCase() {
        for (const char* leaf : {"a.h5", "b.h5", "c.h5"})
            ks::tests::generate_xpcs(path(leaf), 20, 61, 71, true);
        ks::tests::generate_xpcs(path("large.h5"), 20, 81, 71, true);
        ks::tests::generate_xpcs(path("plain.h5"), 20, 61, 71, false);
    }
    void init() {
        window_ = firstWindow();
        open("a.h5");
    }
    void cleanup() { window_.reset(); }

    void aGeometryIsSavedAndLoadedByItsButtons() {
        const Geometry saved{1.25, 4321.5, -3.25, 40.75, 75, 50};
        session().setGeometry(saved, true);
        clickAndChoose("Save", path("detector.poni"));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("detector.poni")), 30000);
        // Written out by pyFAI's definition: lengths in m, 1 is y.
        QFile file(path("detector.poni"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QMap<QByteArray, double> values;
        for (const QByteArray& line : file.readAll().split('\n'))
            if (const qsizetype colon = line.indexOf(':'); colon > 0)
                values[line.left(colon)] = line.mid(colon + 1).trimmed().toDouble();
        const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
        QVERIFY(near(values["Distance"], 4.3215));
        QVERIFY(near(values["Poni1"], 40.75 * 50e-6));
        QVERIFY(near(values["Poni2"], -3.25 * 75e-6));
        QVERIFY(near(values["Wavelength"], 1.25e-10));

        session().reset();
        QVERIFY(session().geometry() != saved);
        clickAndChoose("Load", path("detector.poni"));
        QTRY_VERIFY_WITH_TIMEOUT(near(session().geometry().distance, 4321.5), 30000);
        const Geometry& now = session().geometry();
        QVERIFY(near(now.wavelength, 1.25) && near(now.beam_x, -3.25) && near(now.beam_y, 40.75));
        QVERIFY(near(now.pixel_size_x, 75) && near(now.pixel_size_y, 50));
        QVERIFY(panel().geometryForm().note().contains("detector.poni"));
        window_->action("undo")->trigger();
        QVERIFY(!near(session().geometry().distance, 4321.5));
    }

    void aTiltedDetectorIsRefusedWithTheReason() {
        QFile file(path("tilted.poni"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "poni_version: 2\nDetector: Detector\nDetector_config: {\"pixel1\": 1e-4, \"pixel2\": 1e-4}\n"
            "Distance: 0.01\nPoni1: 0\nPoni2: 0\nRot1: 0.3\nRot2: 0\nRot3: 0\n");
        file.close();
        const Geometry before = session().geometry();
        clickAndChoose("Load", path("tilted.poni"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 30000);
        QVERIFY2(window_->errorBar().sentence().contains("tilted by 17.2 degrees"),
                 qPrintable(window_->errorBar().sentence()));
        QCOMPARE(session().geometry(), before);
    }

    void theNextFileOfTheDetectorIsOfferedBothByOneClick() {
        draw();
        Geometry moved = session().geometry();
        moved.beam_x += 3;
        session().setGeometry(moved, true);
        open("b.h5");
        QTRY_VERIFY_WITH_TIMEOUT(notices().ids().contains(notice), 30000);
        QVERIFY(notices().text(notice).contains("b.h5") && notices().text(notice).contains("a.h5"));
        QCOMPARE(ignored(), std::size_t{0});
        clickNotice("Use mask and geometry of a.h5");
        QCOMPARE(ignored(), std::size_t{200});
        QCOMPARE(session().geometry(), moved);
        QVERIFY(!notices().ids().contains(notice));
        // One more file: what b has is what is offered.
        open("c.h5");
        QTRY_VERIFY_WITH_TIMEOUT(notices().ids().contains(notice), 30000);
        QVERIFY(notices().text(notice).contains("b.h5"));
        // Back at a file that has both, nothing is offered.
        open("a.h5");
        QTRY_COMPARE_WITH_TIMEOUT(ignored(), std::size_t{200}, 30000);
        QTest::qWait(200);
        QVERIFY(!notices().ids().contains(notice));
    }

    void onlyWhatWasSetIsOffered() {
        draw();
        open("b.h5");
        QTRY_VERIFY_WITH_TIMEOUT(notices().ids().contains(notice), 30000);
        const Geometry own = session().geometry();
        clickNotice("Use mask of a.h5");
        QCOMPARE(ignored(), std::size_t{200});
        QCOMPARE(session().geometry(), own);
    }

    void anotherShapeOrNothingSetIsNoReasonToAsk() {
        open("b.h5");
        QTest::qWait(300);
        QVERIFY(!notices().ids().contains(notice));
        draw();
        open("large.h5");
        QTest::qWait(300);
        QVERIFY(!notices().ids().contains(notice));
        QCOMPARE(ignored(), std::size_t{0});
        // It is still remembered for the detector that it belongs to.
        open("c.h5");
        QTRY_VERIFY_WITH_TIMEOUT(notices().ids().contains(notice), 30000);
    }

    void alwaysUsesBothWithoutAQuestion() {
        draw();
        Geometry moved = session().geometry();
        moved.distance += 100;
        session().setGeometry(moved, true);
        open("b.h5");
        QTRY_VERIFY_WITH_TIMEOUT(notices().ids().contains(notice), 30000);
        clickNotice("Always");
        QCOMPARE(ignored(), std::size_t{200});
        open("plain.h5");
        QTRY_COMPARE_WITH_TIMEOUT(ignored(), std::size_t{200}, 30000);
        QCOMPARE(session().geometry(), moved);
        QVERIFY(!notices().ids().contains(notice));
        // The setting says so, and ends it.
        ks::ui::SettingsDialog settings(*window_);
        settings.show();
        QVERIFY(settings.detector().isChecked());
        QTest::mouseClick(&settings.detector(), Qt::LeftButton, {}, {8, settings.detector().height() / 2});
        QVERIFY(!window_->settings().value(ks::ui::detectorAlwaysKey).toBool());
    }
};

QTEST_MAIN(DetectorFilesTest)
#include "tst_detector_files.moc"
