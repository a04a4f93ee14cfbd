#include <QAction>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMap>
#include <QMenu>
#include <QSignalSpy>
#include <QUndoView>
#include <QtTest>
#include <cmath>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/number_box.h"
#include "ui/base/parameter_form.h"
#include "ui/base/value_slider.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/view/detector_view.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::BinTableModel;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::XpcsPage;

/// Ctrl+Z over mask, bins, geometry and parameters, by mouse and keys.
class UndoTest : public ks::tests::WindowFixture {
    Q_OBJECT

    XpcsPage& page() { return dynamic_cast<XpcsPage&>(*window_->page()); }
    DetectorView& view() { return page().image(); }
    GeometryForm& geometry() { return page().imagePanel().geometryForm(); }
    History& history() { return window_->history(); }
    std::vector<double> ringEdges() { return ks::edges(page().partitionForm().choice().recipe); }

    void undo() { QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier); }
    void redo() { QTest::keyClick(window_.get(), Qt::Key_Y, Qt::ControlModifier); }
    void drag(const QPointF& from, const QPointF& to) {
        const QPoint a = view().toWidget(from).toPoint(), b = view().toWidget(to).toPoint();
        QTest::mouseMove(&view(), a);
        QTest::mousePress(&view(), Qt::LeftButton, {}, a);
        for (int part = 1; part <= 4; ++part) QTest::mouseMove(&view(), a + (b - a) * part / 4);
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, b);
    }
    /// The third edge of the rings, to the right of the beam, outwards by this many pixels of the image.
    void dragRing(double by) {
        const ks::Geometry where = page().imagePanel().geometry();
        const QPointF at(where.beam_x + ringEdges()[2], where.beam_y);
        drag(at, at + QPointF(by, 0));
    }
    QDoubleSpinBox& box(const QString& name) {
        for (QDoubleSpinBox* one : geometry().findChildren<QDoubleSpinBox*>())
            if (one->accessibleName() == name) return *one;
        qFatal("no such field");
    }
    void type(QAbstractSpinBox& field, const QString& text) {
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
    }
    QAbstractSpinBox& firstFrame() {
        return dynamic_cast<QAbstractSpinBox&>(*window_->parameters().field("first_frame"));
    }
    std::int64_t firstFrameValue() { return ks::integer(window_->parameters().values(), "first_frame"); }
    std::size_t masked() { return page().imagePanel().editor().pixels(RegionEditor::maskTarget); }
    void drawMask(const QPointF& from = {5, 5}, const QPointF& to = {15, 12}) {
        page().imagePanel().maskBar().setTool("rectangle");
        drag(from, to);
        page().imagePanel().maskBar().setTool({});
    }
    bool settled() {
        return QTest::qWaitFor(
            [&] { return window_->missing().isEmpty() && page().image().frame() != nullptr; }, 30000);
    }

  private slots:
    void initTestCase() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 81, 91);
        ks::tests::generate_xpcs(path("b.h5"), 20, 81, 91);
        // With a geometry.
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("spots");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{2};
        parameters["height"] = std::int64_t{161};
        parameters["width"] = std::int64_t{191};
        ks::Progress progress;
        analysis.generate(parameters, path("spots.h5").toStdString(), true, progress);
    }
    void init() {
        window_ = firstWindow();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        ks::tests::open_data(*window_, path("a.h5"));
        window_->action("live")->setChecked(false);
        PartitionChoice rings = page().partitionForm().choice();
        rings.source = PartitionChoice::Rings;
        rings.recipe.geometry = page().imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(6, 30, 3);
        page().partitionForm().setChoice(rings);
        QTRY_COMPARE_WITH_TIMEOUT(page().bins().rowCount(), 3, 30000);
        QVERIFY(settled());
        history().clear();
    }
    void cleanup() { window_.reset(); }

    void nothingIsToBeUndoneAtFirst() {
        QVERIFY(!window_->action("undo")->isEnabled() && !window_->action("redo")->isEnabled());
    }

    void aDraggedRingGoesBack() {
        const std::vector<double> before = ringEdges();
        dragRing(4);
        const std::vector<double> after = ringEdges();
        QVERIFY(std::abs(after[2] - before[2] - 4) < 1);
        // All moves of the mouse are one step.
        QCOMPARE(history().count(), 1);
        QCOMPARE(window_->action("undo")->text(), QString("&Undo drag of ring 2"));
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(ringEdges(), before);
        QVERIFY(!window_->action("undo")->isEnabled());
        QCOMPARE(window_->action("redo")->text(), QString("&Redo drag of ring 2"));
        redo();
        QVERIFY(std::abs(ringEdges()[2] - after[2]) < 1e-6);
        // The bins follow.
        undo();
        QTRY_COMPARE_WITH_TIMEOUT(page().bins().bins()[1].pixels > 0 && settled(), true, 10000);
        QCOMPARE(ringEdges(), before);
    }

    void aRingThatIsPutBackByEscapeIsNoStep() {
        const ks::Geometry where = page().imagePanel().geometry();
        const QPoint from = view().toWidget({where.beam_x + ringEdges()[2], where.beam_y}).toPoint();
        QTest::mouseMove(&view(), from);
        QTest::mousePress(&view(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&view(), from + QPoint(9, 0));
        QTest::keyClick(&view(), Qt::Key_Escape);
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, from);
        QCOMPARE(history().count(), 0);
    }

    void oneOrderHoldsOverAllParts() {
        const std::vector<double> edges = ringEdges();
        const double wavelength = geometry().session().geometry().wavelength;
        drawMask();
        QVERIFY(masked() > 0);
        type(box("Wavelength"), "1.5");
        QCOMPARE(geometry().session().geometry().wavelength, 1.5);
        dragRing(4);
        type(firstFrame(), "3");
        QCOMPARE(firstFrameValue(), 3);
        QTRY_VERIFY(settled());
        page().bins().setData(page().bins().index(1, BinTableModel::OnColumn), Qt::Unchecked,
                              Qt::CheckStateRole);
        QStringList steps;
        for (int i = 0; i < history().count(); ++i) steps << history().text(i);
        QCOMPARE(steps, (QStringList{"rectangle", "wavelength", "drag of ring 2", "First frame",
                                     "toggling of bin 2"}));
        undo();
        QVERIFY(page().bins().labelsOff().empty());
        QCOMPARE(firstFrameValue(), 3);
        undo();
        QCOMPARE(firstFrameValue(), 0);
        QVERIFY(ringEdges() != edges);
        undo();
        QCOMPARE(ringEdges(), edges);
        QCOMPARE(geometry().session().geometry().wavelength, 1.5);
        undo();
        QCOMPARE(geometry().session().geometry().wavelength, wavelength);
        QVERIFY(masked() > 0);
        undo();
        QCOMPARE(masked(), std::size_t{0});
        QVERIFY(!window_->action("undo")->isEnabled());
        QTRY_VERIFY(settled());
        for (int i = 0; i < 5; ++i) {
            redo();
            QTRY_VERIFY(settled());
        }
        QVERIFY(masked() > 0);
        QCOMPARE(geometry().session().geometry().wavelength, 1.5);
        QVERIFY(ringEdges() != edges);
        QCOMPARE(firstFrameValue(), 3);
        QCOMPARE(page().bins().labelsOff(), std::vector<int>{2});
        // Another change ends what could be done again.
        undo();
        undo();
        type(box("Wavelength"), "2.5");
        QVERIFY(!window_->action("redo")->isEnabled());
    }

    void swappedAxesAndAPickedBeamGoBack() {
        ks::tests::open_data(*window_, path("spots.h5"));
        QVERIFY(window_->setPage("xpcs"));
        QVERIFY(settled());
        const SessionGeometry::State before = geometry().session().state();
        geometry().session().setSwapped(true);
        QVERIFY(geometry().session().geometry().beam_x == before.geometry.beam_y);
        geometry().setPicking(true, false);
        drag({20, 20}, {26, 24});
        QVERIFY(std::abs(geometry().session().geometry().beam_x - 26) < 1);
        geometry().setPicking(false, false);
        QCOMPARE(history().count(), 2);
        QCOMPARE(history().undoText(), QString("beam centre"));
        undo();
        QVERIFY(geometry().session().state().swapped);
        undo();
        QVERIFY(geometry().session().state() == before);
        redo();
        QVERIFY(geometry().session().state().swapped &&
                geometry().session().geometry().beam_x == before.geometry.beam_y);
    }

    void typingInAFieldIsOneStepAndItsKeysAreTheWindows() {
        QAbstractSpinBox& field = firstFrame();
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, "12");
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(firstFrameValue(), 12);
        QCOMPARE(history().count(), 1);
        // The field has the focus still.
        QTest::keyClick(field.findChild<QLineEdit*>(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(firstFrameValue(), 0);
        QTest::keyClick(field.findChild<QLineEdit*>(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(firstFrameValue(), 12);
    }

    void exportIsTheWindowsInAFieldToo() {
        QAbstractSpinBox& field = firstFrame();
        field.setFocus();
        QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_E, Qt::ControlModifier);
        key.ignore();
        QCoreApplication::sendEvent(field.findChild<QLineEdit*>(), &key);
        QVERIFY(!key.isAccepted());
        QKeyEvent other(QEvent::ShortcutOverride, Qt::Key_A, Qt::ControlModifier);
        other.ignore();
        QCoreApplication::sendEvent(field.findChild<QLineEdit*>(), &other);
        QVERIFY(other.isAccepted());
    }

    void theWavelengthMayBeTypedAsAnEnergy() {
        type(box("Wavelength"), "12.398419843 keV");
        QVERIFY(std::abs(box("Wavelength").value() - 1) < 1e-9);
        type(box("Wavelength"), "8048eV");
        QVERIFY(std::abs(box("Wavelength").value() - 1.5406) < 1e-4);
        type(box("Wavelength"), "0.9");
        QCOMPARE(box("Wavelength").value(), 0.9);
    }

    void aStrokeIsNotCut() {
        drawMask();
        page().imagePanel().maskBar().setTool("brush");
        const QPoint at = view().toWidget({30, 20}).toPoint();
        QTest::mousePress(&view(), Qt::LeftButton, {}, at);
        QTest::mouseMove(&view(), at + QPoint(20, 0));
        const std::size_t during = masked();
        QVERIFY(!window_->action("undo")->isEnabled());
        undo();
        QCOMPARE(masked(), during);
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, at + QPoint(20, 0));
        QCOMPARE(history().count(), 2);
        undo();
        QVERIFY(masked() < during && masked() > 0);
    }

    void theBarOfTheMaskTakesTheNewestStepWhateverItIs() {
        drawMask();
        type(box("Wavelength"), "1.5");
        QAction* button = page().imagePanel().maskBar().action("undo");
        QCOMPARE(button->text(), QString("Undo wavelength"));
        button->trigger();
        QVERIFY(geometry().session().geometry().wavelength != 1.5);
        QVERIFY(masked() > 0);
        button->trigger();
        QCOMPARE(masked(), std::size_t{0});
    }

    void theListGoesBackToAStep() {
        drawMask();
        type(box("Wavelength"), "1.5");
        type(firstFrame(), "3");
        window_->action("history")->trigger();
        auto* steps = window_->findChild<QUndoView*>();
        QVERIFY(steps && steps->isVisible());
        QUndoView& list = *steps;
        QCOMPARE(list.model()->rowCount(), 4);
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                          list.visualRect(list.model()->index(1, 0)).center());
        QCOMPARE(firstFrameValue(), 0);
        QVERIFY(geometry().session().geometry().wavelength != 1.5);
        QVERIFY(masked() > 0);
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                          list.visualRect(list.model()->index(3, 0)).center());
        QCOMPARE(firstFrameValue(), 3);
    }

    void aStepOfAnotherPageShowsThatPage() {
        type(firstFrame(), "3");
        type(box("Wavelength"), "1.5");
        QVERIFY(window_->setPage("spots"));
        auto& spots = dynamic_cast<spots::SpotsPage&>(*window_->page());
        QTRY_VERIFY_WITH_TIMEOUT(spots.image().frame() != nullptr, 30000);
        const double before = spots.form().value("sigma_s").value();
        type(*spots.form().value("sigma_s").field(), "7");
        QCOMPARE(spots.form().value("sigma_s").value(), 7.0);
        undo();
        QCOMPARE(window_->page()->analysis(), QString("spots"));
        QCOMPARE(spots.form().value("sigma_s").value(), before);
        // The geometry is that of both pages.
        undo();
        QCOMPARE(window_->page()->analysis(), QString("spots"));
        QVERIFY(spots.imagePanel().geometry().wavelength != 1.5);
        redo();
        QCOMPARE(window_->page()->analysis(), QString("spots"));
        QVERIFY(window_->setPage("particles"));
        undo();
        QCOMPARE(window_->page()->analysis(), QString("xpcs"));
        QVERIFY(geometry().session().geometry().wavelength != 1.5);
        QVERIFY(window_->setPage("spots"));
        undo();
        QCOMPARE(window_->page()->analysis(), QString("xpcs"));
        QCOMPARE(firstFrameValue(), 0);
    }

    void aMaskIsTakenBackOnAnyPageThatShowsIt() {
        drawMask();
        QVERIFY(window_->setPage("spots"));
        undo();
        QCOMPARE(window_->page()->analysis(), QString("spots"));
        QVERIFY(window_->setPage("xpcs"));
        QCOMPARE(masked(), std::size_t{0});
    }

    void anotherFileBeginsANewHistory() {
        type(box("Wavelength"), "1.5");
        drawMask();
        ks::tests::open_data(*window_, path("b.h5"));
        QCOMPARE(history().count(), 0);
        QVERIFY(!window_->action("undo")->isEnabled());
    }

    void keysOfTheShownPageAreNotAmbiguous() {
        for (const QString& analysis : window_->pageIds()) {
            QVERIFY(window_->setPage(analysis));
            QMap<QString, QString> taken;
            for (const QAction* one : window_->findChildren<QAction*>()) {
                if (!one->isVisible() || one->shortcutContext() != Qt::WindowShortcut) continue;
                const auto seen = [](const QObject* owner) {
                    const auto* widget = qobject_cast<const QWidget*>(owner);
                    return widget && (qobject_cast<const QMenu*>(widget) || widget->isVisible());
                };
                if (!std::ranges::any_of(one->associatedObjects(), seen)) continue;
                for (const QKeySequence& key : one->shortcuts()) {
                    const QString text = key.toString();
                    QVERIFY2(!taken.contains(text) || taken[text] == one->objectName(),
                             qPrintable(analysis + ": " + text + " of " + one->objectName() + " and " +
                                        taken.value(text)));
                    taken[text] = one->objectName();
                }
            }
            QVERIFY(taken.contains("Ctrl+Z"));
        }
    }

    void theKeysOfTheMaskWorkWhereverTheFocusIs() {
        QAction* load = page().imagePanel().maskBar().action("load");
        // Without its dialog.
        disconnect(load, &QAction::triggered, nullptr, nullptr);
        QSignalSpy triggered(load, &QAction::triggered);
        firstFrame().setFocus();
        QTest::keyClick(&firstFrame(), Qt::Key_M, Qt::ControlModifier);
        QCOMPARE(triggered.count(), 1);
    }
};

QTEST_MAIN(UndoTest)
#include "tst_undo.moc"
