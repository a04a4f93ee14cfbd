#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/error.h"
#include "ui/base/jobs.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/view/detector_view.h"

using ks::Array;
using namespace ks::ui;

class ImagePanelDerivedTest : public QObject {
    Q_OBJECT
    Jobs jobs_;

    static std::shared_ptr<const OpenFile> file(std::size_t height) {
        auto made = std::make_shared<OpenFile>();
        Array stack(ks::ElementType::u16, {3, height, 16});
        for (std::size_t i = 0; i < stack.size(); ++i)
            stack.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(i % 50);
        made->frames = std::make_shared<ks::MemoryFrames>("made", std::move(stack));
        return made;
    }
    static std::shared_ptr<const Array> values(float value, std::size_t height = 12) {
        auto made = std::make_shared<Array>(ks::ElementType::f32, std::vector<std::size_t>{height, 16});
        for (float& one : made->as<float>()) one = value;
        return made;
    }

  private slots:
    void eachKindHasAScaleOfItsOwn() {
        ks::ui::SessionMask mask(jobs_);
        SessionGeometry geometry;
        ImagePanel panel(jobs_, mask, geometry);
        panel.setFile(file(12));
        QTRY_VERIFY(panel.frame() != nullptr);
        ColourScale counts = panel.view().colourScale();
        counts.automatic = false;
        counts.kind = ScaleKind::log;
        counts.low = 2;
        counts.high = 40;
        panel.colours().setScale(counts);
        panel.setDerived({values(3), "Mean"});
        QVERIFY(panel.view().colourScale().automatic);
        QCOMPARE(panel.view().colourScale().kind, ScaleKind::linear);
        ColourScale mean = panel.view().colourScale();
        mean.automatic = false;
        mean.low = 1;
        mean.high = 9;
        panel.colours().setScale(mean);
        panel.setDerived(
            {std::make_shared<Array>(ks::ElementType::u8, std::vector<std::size_t>{12, 16}), "Test", true});
        QCOMPARE(panel.view().colourMap().name(), QString("grey"));
        QCOMPARE(panel.view().colourScale().low, 0.0);
        QCOMPARE(panel.view().colourScale().high, 1.0);
        panel.setDerived({values(4), "Mean"});
        QCOMPARE(panel.view().colourScale().high, 9.0);
        QCOMPARE(panel.view().colourMap().name(), QString("viridis"));
        // What is kept for the next start is the scale of the counts.
        QTemporaryDir folder;
        QSettings settings(folder.filePath("panel.ini"), QSettings::IniFormat);
        panel.save(settings);
        QCOMPARE(settings.value("colours/high").toDouble(), 40.0);
        panel.setDerived({});
        QCOMPARE(panel.view().colourScale().high, 40.0);
        QCOMPARE(panel.view().colourScale().kind, ScaleKind::log);
        QCOMPARE(panel.view().frame(), panel.frame());
    }

    void theFrameIsStillTheCountsAndTheNextOneDoesNotFlash() {
        ks::ui::SessionMask mask(jobs_);
        SessionGeometry geometry;
        ImagePanel panel(jobs_, mask, geometry);
        panel.setFile(file(12));
        QTRY_VERIFY(panel.frame() != nullptr);
        const auto mean = values(3);
        panel.setDerived({mean, "Mean"});
        QVERIFY(panel.frame()->type() == ks::ElementType::u16);
        QSignalSpy shown(&panel, &ImagePanel::frameShown);
        panel.slider().setFrame(2);
        QTRY_COMPARE(shown.count(), 1);
        QCOMPARE(panel.shownFrame(), 2);
        QCOMPARE(panel.view().frame(), mean);
        panel.setDerived({});
        QCOMPARE(panel.view().frame(), panel.frame());
        // Frames of another shape end it.
        panel.setDerived({mean, "Mean"});
        panel.setFile(file(14));
        QTRY_VERIFY(panel.view().frame() && panel.view().frame()->shape()[0] == 14);
        QVERIFY(panel.derivedTitle().isEmpty());
    }

    void anImageOfAnotherShapeIsRefused() {
        ks::ui::SessionMask mask(jobs_);
        SessionGeometry geometry;
        ImagePanel panel(jobs_, mask, geometry);
        QVERIFY_THROWS_EXCEPTION(ks::Error, panel.setDerived({values(1), "Mean"}));
        panel.setFile(file(12));
        QTRY_VERIFY(panel.frame() != nullptr);
        QVERIFY_THROWS_EXCEPTION(ks::Error, panel.setDerived({values(1, 11), "Mean"}));
        QCOMPARE(panel.view().frame(), panel.frame());
    }
};

QTEST_MAIN(ImagePanelDerivedTest)
#include "tst_image_panel_derived.moc"
