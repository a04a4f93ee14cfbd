#include <algorithm>
#include <memory>
#include <optional>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWindow>
#include <QtTest>

#include "ui/base/appearance.h"
#include "ui/base/jobs.h"
#include "ui/image/colours/image_controls.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/mask/tool_card.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/tools/beam_tools.h"
#include "ui/image/tools/line_tool.h"
#include "ui/image/view/detector_view.h"

using ks::Array;
using namespace ks::ui;

namespace {

/// A panel in a window with a field beside it and a shortcut of its own on Esc.
struct Stage {
    Jobs jobs;
    SessionMask mask{jobs};
    QWidget window;
    SessionGeometry geometry;
    ImagePanel* panel = new ImagePanel(jobs, mask, geometry);
    QLineEdit* field = new QLineEdit;
    QAction cancel;
    int cancelled = 0;
    std::shared_ptr<const OpenFile> file;

    explicit Stage(std::size_t frames = 3) {
        auto* row = new QHBoxLayout(&window);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(panel, 1);
        row->addWidget(field);
        cancel.setShortcut(QKeySequence(Qt::Key_Escape));
        window.addAction(&cancel);
        QObject::connect(&cancel, &QAction::triggered, &window, [this] { ++cancelled; });
        window.resize(1000, 600);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        open(frames);
    }

    void open(std::size_t frames) {
        constexpr std::size_t height = 120, width = 120;
        auto made = std::make_shared<OpenFile>();
        Array stack(ks::ElementType::u16, {frames, height, width});
        for (std::size_t i = 0; i < stack.size(); ++i)
            stack.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(i % 50);
        made->frames = std::make_shared<ks::MemoryFrames>("made", std::move(stack));
        file = made;
        panel->setFile(file);
        QTRY_VERIFY(panel->frame() != nullptr);
        QCoreApplication::processEvents();
    }
    ColourStrip& strip() const { return *panel->view().findChild<ColourStrip*>(); }
    /// Where the parts lie, in the panel.
    QRect place(QWidget& part) const { return {part.mapTo(panel, QPoint()), part.size()}; }
    void click(QWidget& part, const QPoint& at) {
        QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {}, part.mapTo(&window, at));
    }
};

}  // namespace

class TestImagePanelLayout : public QObject {
    Q_OBJECT
  private slots:
    void thePictureHasAllButTheToolsAndOneRow() {
        Stage stage;
        const QRect tools = stage.place(stage.panel->maskBar()), view = stage.place(stage.panel->view()),
                    row = stage.place(stage.panel->slider());
        QCOMPARE(tools.topLeft(), QPoint());
        QVERIFY(tools.width() <= 34);
        QCOMPARE(tools.bottom(), stage.panel->height() - 1);
        QCOMPARE(view.topLeft(), QPoint(tools.right() + 1, 0));
        QCOMPARE(view.right(), stage.panel->width() - 1);
        QVERIFY(row.top() > view.bottom());
        QVERIFY(stage.panel->height() - view.height() <= 36);
        QVERIFY(stage.place(stage.panel->combinedFrames()).top() > view.bottom());
    }

    void itFitsInto380By240() {
        Stage stage;
        const QSize least = stage.panel->minimumSizeHint();
        QVERIFY2(least.width() <= 380 && least.height() <= 240,
                 qPrintable(QString("%1 x %2").arg(least.width()).arg(least.height())));
        stage.field->hide();
        stage.window.resize(380, 240);
        QCoreApplication::processEvents();
        QCOMPARE(stage.panel->size(), QSize(380, 240));
        for (QWidget* part : stage.panel->findChildren<QWidget*>()) {
            if (!part->isVisible() || part->window() != &stage.window) continue;
            QVERIFY2(part->parentWidget()->rect().contains(part->geometry()),
                     part->metaObject()->className());
        }
    }

    void onlyAFileCanLackAGeometry() {
        SessionGeometry geometry;
        GeometryForm form(geometry);
        const auto labels = form.findChildren<QLabel*>();
        const auto note = std::ranges::find(labels, "Geometry note", &QWidget::accessibleName);
        QVERIFY(note != labels.end());
        QVERIFY((*note)->text().isEmpty() && (*note)->isHidden());
        Stage stage;
        geometry.setFile(stage.file);
        QVERIFY((*note)->text().contains("no geometry") && !(*note)->isHidden());
    }

    void theNoteSaysWhatOfTheGeometryIsOnlyAssumed() {
        Stage stage;
        SessionGeometry& session = stage.panel->geometryForm().session();
        const auto note = [&] { return stage.panel->geometryForm().note(); };
        QVERIFY2(note().contains("middle of the frame"), qPrintable(note()));
        ks::Geometry known{1, 1000, session.geometry().beam_x, session.geometry().beam_y, 75, 75};
        session.setGeometry(known, true);
        QVERIFY2(note().contains("middle of the frame") && !note().contains("Fill in"), qPrintable(note()));
        known.beam_x += 1;
        session.setGeometry(known, true);
        QCOMPARE(note(), QString());
        known.distance = 0;
        session.setGeometry(known, true);
        QVERIFY2(note().contains("Fill in") && !note().contains("middle"), qPrintable(note()));
    }

    void whatWasSaidOfAGeometryLeavesWithIt() {
        Stage stage;
        GeometryForm& form = stage.panel->geometryForm();
        for (const double wavelength : {0.0, 1.5}) {
            form.setNote("Loaded from fine.poni");
            ks::Geometry changed = form.session().geometry();
            changed.wavelength = wavelength;
            changed.beam_x += 1;
            form.session().setGeometry(changed, true);
            QVERIFY2(!form.note().contains("fine.poni"), qPrintable(form.note()));
        }
    }

    void aLinkInTheNoteFollowsTheTheme() {
        Stage stage;
        GeometryForm& form = stage.panel->geometryForm();
        const auto labels = form.findChildren<QLabel*>();
        const auto note = std::ranges::find(labels, "Geometry note", &QWidget::accessibleName);
        QVERIFY(note != labels.end());
        applyAppearance(*qApp, Appearance::light);
        QCoreApplication::processEvents();
        form.setNote("Rings are sharper.", true);
        const QString light = qApp->palette().color(QPalette::Link).name();
        QVERIFY2((*note)->text().contains(light), qPrintable((*note)->text()));
        applyAppearance(*qApp, Appearance::dark);
        QCoreApplication::processEvents();
        const QString dark = qApp->palette().color(QPalette::Link).name();
        QVERIFY(dark != light);
        QVERIFY2((*note)->text().contains(dark) && !(*note)->text().contains(light),
                 qPrintable((*note)->text()));
        applyAppearance(*qApp, Appearance::light);
    }

    void aFileOfOneFrameHasNoSliderAndTheRowKeepsWhatWasAdded() {
        Stage stage(1);
        QVERIFY(!stage.panel->slider().isVisible());
        QVERIFY(!stage.panel->combinedFrames().isVisible());
        QCOMPARE(stage.panel->view().height(), stage.panel->height());
        auto* button = new QPushButton("Boxes");
        stage.panel->addToBottomRow(button);
        QCoreApplication::processEvents();
        QVERIFY(button->isVisible());
        QVERIFY(stage.place(*button).right() >= stage.panel->width() - 8);
        QVERIFY(stage.place(*button).width() < 200);
        stage.open(5);
        QVERIFY(stage.panel->slider().isVisible());
        QVERIFY(stage.panel->combinedFrames().isVisible());
        QVERIFY(stage.place(*button).right() >= stage.panel->width() - 8);
        QVERIFY(stage.place(*button).left() > stage.place(stage.panel->combinedFrames()).right());
        stage.panel->combinedFrames().setValue(3);
        QVERIFY(stage.panel->combination().isVisible());
        stage.open(1);
        QVERIFY(!stage.panel->slider().isVisible() && !stage.panel->combination().isVisible());
        QVERIFY(button->isVisible());
    }

    void escLeavesAnyToolWhereverTheFocusIs() {
        Stage stage;
        QAction* const pointer = stage.panel->maskBar().action("pointer");
        QWidget* const places[] = {&stage.panel->view(), stage.field, &stage.panel->combinedFrames(),
                                   stage.panel->maskBar().targets()};
        int cancelled = 0;
        for (QWidget* focus : places) {
            for (int kind = 0; kind < 3; ++kind) {
                if (kind == 0) stage.panel->maskBar().setTool("ellipse");
                if (kind == 1) stage.panel->view().setTool(&stage.panel->beamTool());
                if (kind == 2) stage.panel->view().setTool(&stage.panel->ringFitTool());
                QVERIFY(!pointer->isChecked());
                if (kind > 0 && focus == places[3]) continue;  // not in sight
                focus->setFocus();
                QTest::keyClick(stage.window.windowHandle(), Qt::Key_Escape);
                QVERIFY(pointer->isChecked() && !stage.panel->view().tool());
                QCOMPARE(stage.cancelled, cancelled);
            }
            stage.panel->view().setTool(nullptr);
            // Without a tool it is the window's.
            stage.panel->view().setFocus();
            QTest::keyClick(stage.window.windowHandle(), Qt::Key_Escape);
            QCOMPARE(stage.cancelled, ++cancelled);
        }
        // The default tool is not left.
        LineTool line;
        stage.panel->view().setDefaultTool(&line);
        QTest::keyClick(stage.window.windowHandle(), Qt::Key_Escape);
        QCOMPARE(stage.cancelled, ++cancelled);
        QCOMPARE(stage.panel->view().tool(), &line);
        stage.panel->maskBar().setTool("brush");
        QTest::keyClick(stage.window.windowHandle(), Qt::Key_Escape);
        QCOMPARE(stage.cancelled, cancelled);
        QCOMPARE(stage.panel->view().tool(), &line);
        stage.panel->view().setDefaultTool(nullptr);
    }

    void savedOpacityAndRingsApplyToTheImage() {
        Stage stage;
        nlohmann::json kept = stage.panel->settings();
        kept["overlayOpacity"] = 0.5;
        kept["rings"] = false;
        stage.panel->setSettings(kept);
        QCOMPARE(stage.panel->view().overlayOpacity(), 0.5);
        QVERIFY(!stage.panel->view().ringsVisible());
    }

    void theColoursFloatAtTheLowerRightAndUnfold() {
        Stage stage;
        ColourStrip& strip = stage.strip();
        ImageControls& controls = stage.panel->controls();
        DetectorView& view = stage.panel->view();
        QVERIFY(controls.folded() && strip.isVisible());
        const auto inItsCorner = [&] {
            const QRectF area = view.imageArea();
            return area.contains(strip.geometry()) && area.right() - strip.geometry().right() < 12 &&
                   area.bottom() - strip.geometry().bottom() < 12;
        };
        QVERIFY(inItsCorner());
        QVERIFY(strip.height() < 48);
        const int bottom = strip.geometry().bottom();
        // The button.
        auto* button = controls.findChild<QToolButton*>();
        stage.click(*button, button->rect().center());
        QCoreApplication::processEvents();
        QVERIFY(!controls.folded() && inItsCorner());
        QVERIFY(strip.height() > 150);
        QCOMPARE(strip.geometry().bottom(), bottom);
        for (QWidget* part : controls.findChildren<QWidget*>()) {
            if (part->isVisible() && part->window() == &stage.window)
                QVERIFY(part->parentWidget()->rect().contains(part->geometry()));
        }
        // A click on it does nothing to the picture, one into the picture folds it.
        QSignalSpy clicks(&view, &DetectorView::clicked);
        stage.click(strip, {3, 3});
        QVERIFY(!controls.folded());
        QCOMPARE(clicks.count(), 0);
        stage.click(view, {40, 300});
        QVERIFY(controls.folded());
        QCOMPARE(clicks.count(), 1);
        // The colour bar, and Esc.
        stage.click(view, {view.width() - 10, 200});
        QVERIFY(!controls.folded());
        stage.field->setFocus();
        QTest::keyClick(stage.window.windowHandle(), Qt::Key_Escape);
        QVERIFY(controls.folded());
        QCOMPARE(stage.cancelled, 0);
        QTest::keyClick(stage.window.windowHandle(), Qt::Key_Escape);
        QCOMPARE(stage.cancelled, 1);
    }

    void theScaleBarStaysInSight_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(380, 240), QSize(520, 400), QSize(760, 500), QSize(1300, 500)})
            QTest::addRow("%d x %d", size.width(), size.height()) << size;
    }
    void theScaleBarStaysInSight() {
        QFETCH(QSize, size);
        Stage stage;
        stage.field->hide();
        stage.window.resize(size);
        DetectorView& view = stage.panel->view();
        view.setQScale(1.234e-3);
        QCoreApplication::processEvents();
        const auto without = [&](bool bar) {
            view.setScaleBarVisible(bar);
            return stage.window.grab(stage.strip().geometry().translated(view.mapTo(&stage.window, QPoint())))
                .toImage();
        };
        for (int look = 0; look < 3; ++look) {
            // The strip looks the same with and without the bar, which lies beside it.
            QCOMPARE(without(true), without(false));
            view.setScaleBarVisible(true);
            const QImage shown = view.grab().toImage();
            view.setScaleBarVisible(false);
            const QImage hidden = view.grab().toImage();
            QRect bar;
            for (int y = 0; y < shown.height(); ++y) {
                for (int x = 0; x < shown.width(); ++x)
                    if (shown.pixel(x, y) != hidden.pixel(x, y)) bar |= QRect(x, y, 1, 1);
            }
            QVERIFY(!bar.isEmpty() || look > 0);  // a small image has no room for it
            QVERIFY(!bar.intersects(stage.strip().geometry()));
            view.zoomBy(look ? 0.2 : 2.5, {100, 100});
        }
    }

    void whetherTheColoursAreFoldedIsKept() {
        for (const bool folded : {false, true}) {
            Stage before, after;
            before.panel->controls().setFolded(folded);
            after.panel->controls().setFolded(!folded);
            after.panel->setSettings(before.panel->settings());
            QCOMPARE(after.panel->controls().folded(), folded);
        }
    }

    /// Pictures to look at: PICTURES=folder tst_image_panel_layout pictures
    void pictures() {
        const QString folder = qEnvironmentVariable("PICTURES");
        for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
            applyAppearance(*qApp, appearance);
            Stage stage;
            stage.panel->editor().valueRange(7, 9);
            stage.panel->maskBar().setTool("flood");
            stage.panel->controls().setFolded(false);
            QCoreApplication::processEvents();
            const QPixmap picture = stage.window.grab();
            QVERIFY(!picture.isNull());
            const QString name = appearance == Appearance::dark ? "panel_dark.png" : "panel_light.png";
            if (!folder.isEmpty()) QVERIFY(picture.save(QDir(folder).filePath(name)));
        }
        applyAppearance(*qApp, Appearance::light);
    }
};

QTEST_MAIN(TestImagePanelLayout)
#include "tst_image_panel_layout.moc"
