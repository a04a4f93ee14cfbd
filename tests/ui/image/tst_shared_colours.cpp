#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/image/colours/image_controls.h"
#include "ui/image/colours/shared_colours.h"
#include "ui/image/view/detector_view.h"

using namespace ks;
using namespace ks::ui;

class TestSharedColours : public QObject {
    Q_OBJECT
  private slots:
    void aChangeInOneViewReachesAll() {
        SharedColours shared;
        DetectorView a, b, alone;
        ImageControls controls;
        shared.attach(&a);
        shared.attach(&b);
        controls.attach(&b);
        a.setColourMap(ColourMap::named("inferno"));
        QCOMPARE(b.colourMap().name(), QString("inferno"));
        QCOMPARE(shared.map().name(), QString("inferno"));
        QCOMPARE(controls.colourMap(), QString("inferno"));
        QCOMPARE(alone.colourMap().name(), QString("viridis"));

        ColourScale scale;
        scale.kind = ScaleKind::arcsinh;
        scale.automatic = false;
        scale.low = 3;
        scale.high = 44;
        QSignalSpy changes(&shared, &SharedColours::scaleChanged);
        b.setColourScale(scale);
        QCOMPARE(a.colourScale(), scale);
        QCOMPARE(changes.count(), 1);
        a.setReduction(Reduction::mean);
        QCOMPARE(b.reduction(), Reduction::mean);
        QCOMPARE(controls.reduction(), Reduction::mean);

        shared.detach(&a);
        b.setColourMap(ColourMap::named("grey"));
        QCOMPARE(a.colourMap().name(), QString("inferno"));
    }

    void automaticLimitsAreEachViewsOwn() {
        SharedColours shared;
        DetectorView dim, bright;
        shared.attach(&dim);
        shared.attach(&bright);
        const auto flat = [](std::uint16_t maximum) {
            std::vector<std::uint16_t> pixels(10000);
            for (std::size_t i = 0; i < pixels.size(); ++i)
                pixels[i] = static_cast<std::uint16_t>(i % (maximum + 1U));
            return std::make_shared<Array>(Array::of<std::uint16_t>({100, 100}, pixels));
        };
        dim.setFrame(flat(10));
        bright.setFrame(flat(1000));
        QCOMPARE(dim.colourScale().high, 10.0);
        QVERIFY(bright.colourScale().high > 900);
        QVERIFY(shared.scale().automatic);
    }

    void settingsSurviveARestart() {
        nlohmann::json settings;
        ColourScale scale;
        scale.kind = ScaleKind::sqrt;
        scale.automatic = false;
        scale.low = -2.5;
        scale.high = 1e5;
        scale.percentile = 98.25;
        {
            SharedColours shared;
            shared.setMap(ColourMap::named("cividis reversed"));
            shared.setScale(scale);
            shared.setReduction(Reduction::min);
            settings = shared.settings("image/");
        }
        SharedColours shared;
        DetectorView view;
        shared.attach(&view);
        shared.setSettings(settings, "image/");
        QCOMPARE(shared.scale(), scale);
        QCOMPARE(view.colourMap().name(), QString("cividis reversed"));
        QCOMPARE(view.reduction(), Reduction::min);

        // A file from elsewhere changes only what makes sense.
        settings["image/map"] = "jet";
        settings["image/kind"] = "cube";
        settings["image/low"] = 7;
        settings["image/high"] = 6;
        settings["image/percentile"] = std::nan("");
        settings["image/reduction"] = "median";
        shared.setSettings(settings, "image/");
        QCOMPARE(shared.scale(), scale);
        QCOMPARE(shared.map().name(), QString("cividis reversed"));
        QCOMPARE(shared.reduction(), Reduction::min);
    }
};

QTEST_MAIN(TestSharedColours)
#include "tst_shared_colours.moc"
