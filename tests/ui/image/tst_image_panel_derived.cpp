#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
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

/// Frames of which one is missing.
class WithAHole : public ks::MemoryFrames {
  public:
    explicit WithAHole(std::size_t missing)
        : MemoryFrames("made", Array(ks::ElementType::u16, {3, 12, 16})), missing_(missing) {}
    bool written(std::size_t frame) const override { return frame != missing_; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        if (first <= missing_ && missing_ < first + count)
            throw ks::Error(ks::ErrorKind::input, "frame 1 has no data", "made");
        std::ranges::fill(into, std::byte{1});
    }
    std::size_t missing_;
};

/// Frames of which rows 2 and 3 are not in the file, as those of a virtual dataset without one of its
/// sources.
class WithAGap : public ks::MemoryFrames {
  public:
    WithAGap() : MemoryFrames("made", full()) {}
    ks::PixelBlocks lacking(std::size_t) const override { return {{2, 4, 0, 16}}; }
    bool may_lack_pixels() const override { return true; }

  private:
    static Array full() {
        Array stack(ks::ElementType::u32, {2, 12, 16});
        std::ranges::fill(stack.as<std::uint32_t>(), 4294967295u);
        return stack;
    }
};

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
        QCOMPARE(panel.settings().at("colours/high").get<double>(), 40.0);
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
        QCOMPARE(panel.view().frame(), panel.frame());
    }

    void aFrameThatCannotBeReadDoesNotShowAnother() {
        ks::ui::SessionMask mask(jobs_);
        SessionGeometry geometry;
        ImagePanel panel(jobs_, mask, geometry);
        panel.resize(400, 300);
        auto opened = std::make_shared<OpenFile>();
        opened->frames = std::make_shared<WithAHole>(1);
        panel.setFile(opened);
        QTRY_VERIFY(panel.frame() != nullptr);
        QSignalSpy failed(&panel, &ImagePanel::failed), shown(&panel, &ImagePanel::frameShown),
            cursor(&panel, &ImagePanel::cursorMoved);
        panel.slider().setFrame(1);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(panel.frame() == nullptr && panel.view().frame() == nullptr);
        QCOMPARE(shown.count(), 1);
        QCOMPARE(panel.shownFrame(), 1);
        QCOMPARE(cursor.last().front().toString(), QString());
        QVERIFY(panel.editor().height() == 12);  // what was drawn stays
        panel.slider().setFrame(2);
        QTRY_VERIFY(panel.view().frame() != nullptr);
        QCOMPARE(panel.shownFrame(), 2);
    }

    void aPixelThatTheFileLacksIsCalledMissing() {
        ks::ui::SessionMask mask(jobs_);
        SessionGeometry geometry;
        ImagePanel panel(jobs_, mask, geometry);
        panel.resize(400, 300);
        panel.show();
        auto opened = std::make_shared<OpenFile>();
        opened->frames = std::make_shared<WithAGap>();
        panel.setFile(opened);
        QTRY_VERIFY(panel.frame() != nullptr);
        QSignalSpy cursor(&panel, &ImagePanel::cursorMoved);
        const auto over = [&](double row) {
            QTest::mouseMove(&panel.view(), panel.view().toWidget({8.5, row}).toPoint());
            QCoreApplication::processEvents();
            return cursor.isEmpty() ? QString() : cursor.last().front().toString();
        };
        QTRY_VERIFY2(over(2.5).contains("missing in the file"), qPrintable(over(2.5)));
        QVERIFY(!over(2.5).contains("4294967295"));
        QVERIFY2(over(6.5).contains("invalid (4294967295)"), qPrintable(over(6.5)));
    }

    void framesAreNotCombinedByThemselvesInAnotherFile() {
        ks::ui::SessionMask mask(jobs_);
        SessionGeometry geometry;
        ImagePanel panel(jobs_, mask, geometry);
        const auto named = [](const QString& path) {
            auto made = std::make_shared<OpenFile>(*file(12));
            made->path = made->name = path;
            return made;
        };
        panel.setFile(named("a.h5"));
        const QList<QSpinBox*> boxes = panel.findChildren<QSpinBox*>();
        const auto found = std::ranges::find(boxes, QString("Number of combined frames"),
                                             [](const QSpinBox* one) { return one->accessibleName(); });
        QVERIFY(found != boxes.end());
        QSpinBox* const count = *found;
        count->setValue(2);
        panel.setFile(named("a.h5"));  // read anew
        QCOMPARE(count->value(), 2);
        panel.setFile(named("b.h5"));
        QCOMPARE(count->value(), 1);
        count->setValue(2);
        auto other = std::make_shared<OpenFile>(*named("b.h5"));
        other->name += "::/other";
        panel.setFile(other);
        QCOMPARE(count->value(), 1);
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
