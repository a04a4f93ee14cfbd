#include <QtTest>
#include <cmath>
#include <limits>
#include <vector>

#include "ui/base/palette.h"
#include "ui/particles/map_colours.h"

using namespace ks::ui;
using namespace ks::ui::particles;

class MapColoursTest : public QObject {
    Q_OBJECT
    static PlaneValues planes(std::vector<float> a, std::vector<float> b, std::vector<float> c) {
        return {std::move(a), std::move(b), std::move(c)};
    }
    static int distance(QRgb a, QRgb b) {
        return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
    }

  private slots:
    void limitsAreThoseOfAllThreePlanes() {
        const auto [low, high] = automaticLimits(planes({1, 2}, {-3, 0}, {5, 7}));
        QCOMPARE(low, -3.0);
        QCOMPARE(high, 7.0);
        QCOMPARE(automaticLimits(planes({NAN}, {}, {})), (std::pair{0.0, 1.0}));
    }

    void fewValuesThatStickOutDoNotHideTheRest() {
        std::vector<float> flat;
        for (int i = 0; i < 3000; ++i) flat.push_back(static_cast<float>(i % 100) / 100);
        std::vector<float> peaked = flat;
        peaked[7] = 1e6F;
        QVERIFY(automaticLimits(planes(flat, peaked, flat)).second < 1.1);
        // A hill that is part of the field is shown whole.
        std::vector<float> hill;
        for (int i = 0; i < 3000; ++i) hill.push_back(static_cast<float>(std::exp(-i / 300.0)));
        QCOMPARE(automaticLimits(planes(hill, hill, hill)).second, 1.0);
    }

    void valuesBeyondTheLimitsAreNamed() {
        std::vector<float> flat;
        for (int i = 0; i < 3000; ++i) flat.push_back(static_cast<float>(i % 100) / 100);
        std::vector<float> peaked = flat;
        peaked[7] = 1e6F;
        const auto beyond = [](const PlaneValues& values, ScaleKind kind) {
            return coloursFor(values, Part::value, kind, "viridis", std::nullopt).beyond;
        };
        const BeyondLimits peak = beyond(planes(flat, peaked, flat), ScaleKind::linear);
        QCOMPARE(peak.above, std::optional(1e6));
        QVERIFY(!peak.below);
        QVERIFY2(peak.text().contains("1000000") || peak.text().contains("1e+06"), qPrintable(peak.text()));
        QVERIFY(beyond(planes(flat, flat, flat), ScaleKind::linear) == BeyondLimits());
        QVERIFY(BeyondLimits().text().isEmpty());
        // The scale ends at the 2 % quantile of the positive values.
        QCOMPARE(beyond(planes({1e-30F}, {1}, {2}), ScaleKind::log).below, std::optional<double>(1e-30F));
    }

    void bothSignsHaveWhiteAtZero() {
        const MapColours colours =
            coloursFor(planes({-1}, {0}, {4}), Part::real, ScaleKind::linear, "viridis", std::nullopt);
        QCOMPARE(colours.scale.low, -4.0);
        QCOMPARE(colours.scale.high, 4.0);
        QVERIFY(distance(colours.at(0), 0xfff7f7f7) < 12);
        QVERIFY(qBlue(colours.at(-3)) > qRed(colours.at(-3)));
        QVERIFY(qRed(colours.at(3)) > qBlue(colours.at(3)));
    }

    void lockedLimitsStay() {
        const MapColours colours = coloursFor(planes({0}, {50}, {100}), Part::value, ScaleKind::linear,
                                              "inferno", std::pair{10.0, 20.0});
        QCOMPARE(colours.scale.low, 10.0);
        QCOMPARE(colours.scale.high, 20.0);
        QCOMPARE(colours.map.name(), QString("inferno"));
        QCOMPARE(colours.at(15), ColourMap::named("inferno").at(0.5));
        QCOMPARE(colours.at(1e9), ColourMap::named("inferno").at(1));
    }

    void theLogarithmicScaleHasEqualStepsForEqualFactors() {
        const MapColours colours =
            coloursFor(planes({1e-3F}, {1}, {1e3F}), Part::value, ScaleKind::log, "viridis", std::nullopt);
        QVERIFY(std::abs(colours.scale.position(1) - 0.5) < 1e-6);
        QVERIFY(std::abs(colours.scale.position(1e-2) - 1.0 / 6) < 1e-6);
        // A field that falls to nothing keeps eight decades.
        const PlaneValues falling = planes({1e-30F}, {0}, {1});
        QVERIFY(std::abs(automaticLogLimits(falling).first / 1e-8 - 1) < 1e-6);
        QCOMPARE(automaticLogLimits(falling).second, 1.0);
        QCOMPARE(automaticLogLimits(planes({0}, {-1}, {NAN})), (std::pair{0.1, 1.0}));
        // Of a thousand values ten tiny ones do not take the scale.
        std::vector<float> maximum(990, 1e-3F);
        maximum.insert(maximum.end(), 10, 1e-9F);
        QVERIFY(std::abs(automaticLogLimits(planes(maximum, maximum, {1})).first / 1e-3 - 1) < 1e-6);
    }

    void phasesGoRoundWithoutAnEdge() {
        const MapColours colours =
            coloursFor(planes({0}, {1}, {2}), Part::phase, ScaleKind::log, "viridis", std::pair{0.0, 1.0});
        QVERIFY(colours.angles);
        QCOMPARE(colours.scale.low, -M_PI);
        QCOMPARE(colours.scale.high, M_PI);
        QCOMPARE(colours.at(-M_PI), colours.at(M_PI));
        // Neighbours differ little all the way round, opposites much.
        for (int k = 0; k < 255; ++k)
            QVERIFY(distance(colours.map.table()[static_cast<std::size_t>(k)],
                             colours.map.table()[static_cast<std::size_t>(k) + 1]) < 16);
        QVERIFY(distance(colours.at(0), colours.at(M_PI)) > 300);
        QVERIFY(distance(colours.at(-M_PI / 2), colours.at(M_PI / 2)) > 100);
        const ColourTicks ticks = colours.ticks(10);
        QCOMPARE(ticks.front().second, QString::fromUtf8("\u2212\u03c0"));
        QCOMPARE(ticks[2], (std::pair<double, QString>{0.5, "0"}));
    }

    void theImageHasJUpwardsAndTheColoursOfTheValues() {
        // [i][j] of 2 x 2
        const std::vector<float> values{0, 1, 2, NAN};
        const MapColours colours =
            coloursFor({values, values, values}, Part::value, ScaleKind::linear, "grey", std::pair{0.0, 2.0});
        const QImage image = colours.image(values, 2);
        QCOMPARE(image.size(), QSize(2, 2));
        QCOMPARE(image.pixel(0, 1), 0xff000000);
        QVERIFY(distance(image.pixel(0, 0), 0xff808080) < 8);
        QCOMPARE(image.pixel(1, 1), 0xffffffff);
        QCOMPARE(image.pixel(1, 0), colours.map.invalid());
    }

    void levelsAreEvenOnTheScaleOrMultiplesOfAStep() {
        MapColours colours =
            coloursFor(planes({0}, {1}, {1}), Part::value, ScaleKind::linear, "grey", std::pair{0.0, 1.0});
        IsolineChoice choice{true, false, 3, 0.25};
        QCOMPARE(levelsOf(colours, choice), (std::vector<double>{0.25, 0.5, 0.75}));
        choice.byStep = true;
        choice.step = 0.4;
        QCOMPARE(levelsOf(colours, choice), (std::vector<double>{0, 0.4, 0.8}));
        choice.step = 1e-9;
        QCOMPARE(levelsOf(colours, choice).size(), maxLevels);
        choice.step = 0;
        QVERIFY(levelsOf(colours, choice).empty());
        choice = {false, false, 3, 0.25};
        QVERIFY(levelsOf(colours, choice).empty());
        colours = coloursFor(planes({1}, {1}, {1}), Part::value, ScaleKind::log, "grey", std::pair{1.0, 1e4});
        const auto decades = levelsOf(colours, {true, false, 3, 0});
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY(std::abs(decades[k] / std::pow(10.0, static_cast<double>(k) + 1) - 1) < 1e-9);
    }
};

QTEST_APPLESS_MAIN(MapColoursTest)
#include "tst_map_colours.moc"
