#include <cmath>
#include <limits>
#include <set>

#include <QColor>
#include <QTest>

#include "core/base/error.h"
#include "ui/base/colour_map.h"
#include "ui/image/view/level_of_detail.h"
#include "ui/image/view/value_colours.h"

using namespace ks::ui;

class TestColourMap : public QObject {
    Q_OBJECT
  private slots:
    void everyMapRunsFromDarkToLightAndBackwards() {
        for (const char* name : {"viridis", "inferno", "cividis", "grey"}) {
            const ColourMap map = ColourMap::named(name),
                            back = ColourMap::named(QString(name) + " reversed");
            double before = -1;
            for (std::size_t i = 0; i < 256; ++i) {
                QCOMPARE(map.table()[i], back.table()[255 - i]);
                QVERIFY(map.table()[i] != map.invalid());
                const QColor c(map.table()[i]);
                const double luma = 0.299 * c.redF() + 0.587 * c.greenF() + 0.114 * c.blueF();
                QVERIFY2(luma >= before - 0.004, name);
                before = luma;
            }
        }
        QCOMPARE(ColourMap::named("viridis").table()[0], qRgb(68, 1, 84));
        QCOMPARE(ColourMap::named("viridis").table()[255], qRgb(253, 231, 37));
        QVERIFY_EXCEPTION_THROWN(ColourMap::named("jet"), ks::Error);
    }

    void tablesAreThePublishedOnes() {
        const auto entry = [](const ColourMap& map, std::size_t i) { return QColor(map.table()[i]).name(); };
        const ColourMap viridis = ColourMap::named("viridis"), inferno = ColourMap::named("inferno"),
                        cividis = ColourMap::named("cividis"), cyclic = ColourMap::cyclic();
        QCOMPARE(entry(viridis, 64), QString("#3b528b"));
        QCOMPARE(entry(viridis, 128), QString("#21918c"));
        QCOMPARE(entry(viridis, 200), QString("#70cf57"));
        QCOMPARE(entry(inferno, 0), QString("#000004"));
        QCOMPARE(entry(inferno, 128), QString("#bc3754"));
        QCOMPARE(entry(inferno, 192), QString("#f98e09"));
        QCOMPARE(entry(cividis, 0), QString("#00224e"));
        QCOMPARE(entry(cividis, 127), QString("#7c7b78"));
        QCOMPARE(entry(cividis, 255), QString("#fee838"));
        QCOMPARE(entry(cyclic, 0), entry(cyclic, 255));
        for (const ColourMap* map : {&viridis, &inferno, &cividis, &cyclic})
            for (const QRgb one : map->table()) QCOMPARE(qAlpha(one), 255);
    }

    void scalesPlaceValuesByTheirFormula() {
        ColourScale scale;
        scale.low = 1;
        scale.high = 10000;
        QVERIFY(std::abs(scale.position(2500.75) - 0.25) < 1e-12);
        scale.kind = ScaleKind::log;
        QVERIFY(std::abs(scale.position(100) - 0.5) < 1e-12);
        QCOMPARE(scale.position(0), 0.0);
        QCOMPARE(scale.position(-3), 0.0);
        scale.kind = ScaleKind::sqrt;
        scale.low = 0;
        QVERIFY(std::abs(scale.position(2500) - 0.5) < 1e-12);
        QVERIFY(std::isnan(scale.position(std::numeric_limits<double>::quiet_NaN())));
        for (const ScaleKind kind :
             {ScaleKind::linear, ScaleKind::log, ScaleKind::sqrt, ScaleKind::arcsinh}) {
            scale.kind = kind;
            for (const double p : {0.1, 0.5, 0.9})
                QVERIFY(std::abs(scale.position(scale.value(p)) - p) < 1e-9);
        }
    }

    void arcsinhIsLinearBelowItsSofteningAndLogarithmicFarAbove() {
        ColourScale scale;
        scale.kind = ScaleKind::arcsinh;
        scale.low = -50;
        scale.high = 9950;
        QCOMPARE(scale.softening(), 100.0);
        QCOMPARE(scale.position(-50), 0.0);
        QCOMPARE(scale.position(9950), 1.0);
        const double all = std::log(100 + std::sqrt(100.0 * 100 + 1));
        QVERIFY(std::abs(scale.position(50) - std::log(1 + std::sqrt(2.0)) / all) < 1e-12);
        // Small steps are alike around zero, where a logarithm has no value.
        const double first = scale.position(-40) - scale.position(-45),
                     then = scale.position(-30) - scale.position(-35);
        QVERIFY(std::abs(first / then - 1) < 0.03);
        QVERIFY(std::abs((scale.position(8950) - scale.position(4450)) * all - std::log(2)) < 1e-3);
        double before = -1;
        QStringList texts;
        for (const auto& [place, text] : scale.ticks(8)) {
            QVERIFY(place > before);
            before = place;
            texts << text;
        }
        QVERIFY2(texts.contains("0") && texts.contains("100") && texts.contains("1000"),
                 qPrintable(texts.join(' ')));
    }

    void paintedColoursAreThoseOfTheScale() {
        const ColourMap map;
        for (const ScaleKind kind :
             {ScaleKind::linear, ScaleKind::log, ScaleKind::sqrt, ScaleKind::arcsinh}) {
            for (const auto& [low, high] :
                 {std::pair(0.0, 65535.0), std::pair(0.002, 0.9), std::pair(-3.0, 40.0)}) {
                ColourScale scale;
                scale.kind = kind;
                scale.low = low;
                scale.high = high;
                std::vector<float> values;
                for (int i = -100; i < 3000; ++i)
                    values.push_back(static_cast<float>(low + (high - low) * i / 2900));
                std::vector<QRgb> painted(values.size());
                const ValueColours colours(map, scale, 0);
                colours.paint(values.data(), values.size(), painted.data());
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const double at = scale.position(static_cast<double>(values[i])) * 255;
                    const auto index = static_cast<std::size_t>(std::lround(at));
                    // Between two colours either is right.
                    const bool between = std::abs(at - std::floor(at) - 0.5) < 0.01;
                    const QRgb other =
                        map.table()[std::min<std::size_t>(static_cast<std::size_t>(at) + 1, 255)];
                    QVERIFY2(
                        painted[i] == map.table()[index] ||
                            (between && (painted[i] == other ||
                                         painted[i] == map.table()[static_cast<std::size_t>(at)])),
                        qPrintable(QString("kind %1, value %2").arg(static_cast<int>(kind)).arg(values[i])));
                }
                const float marks[] = {LevelOfDetail::invalid, LevelOfDetail::outside};
                QRgb marked[2];
                ValueColours(map, scale, 0xff123456).paint(marks, 2, marked);
                QCOMPARE(marked[0], map.invalid());
                QCOMPARE(marked[1], QRgb(0xff123456));
            }
        }
    }

    void automaticLimitsArePercentiles() {
        std::vector<double> values;
        for (int i = 1000; i >= 0; --i) values.push_back(i);
        values.push_back(std::numeric_limits<double>::quiet_NaN());
        ColourScale scale;
        scale.percentile = 99;
        const ColourScale fitted = scale.fitted(values);
        QCOMPARE(fitted.high, 990.0);
        QCOMPARE(fitted.low, 10.0);
        // One bright pixel among zeros is what the limits must reach.
        std::vector<double> sparse(10000, 0.0);
        sparse[5] = 77;
        QCOMPARE(scale.fitted(sparse).high, 77.0);
        QVERIFY(scale.fitted({4, 4, 4}).high > scale.fitted({4, 4, 4}).low);
        QVERIFY(scale.fitted({}).high > scale.fitted({}).low);
        scale.automatic = false;
        scale.low = 3;
        scale.high = 8;
        QCOMPARE(scale.fitted(values).high, 8.0);
    }

    void ticksAreRoundAndInOrder() {
        ColourScale scale;
        scale.low = 0;
        scale.high = 65535;
        QStringList texts;
        for (const auto& tick : scale.ticks(7)) texts << tick.second;
        QCOMPARE(texts, QStringList({"0", "10000", "20000", "30000", "40000", "50000", "60000"}));
        scale.kind = ScaleKind::log;
        scale.low = 1;
        scale.high = 1000;
        texts.clear();
        for (const auto& tick : scale.ticks(6)) texts << tick.second;
        QCOMPARE(texts, QStringList({"1", "10", "100", "1000"}));
    }

    void numbersOfThingsHaveNoTicksBetweenWholeNumbers() {
        for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::sqrt}) {
            ColourScale scale{.kind = kind, .high = 2, .automatic = false};
            QVERIFY(scale.ticks(12).size() > 3);
            scale.whole = true;
            QStringList texts;
            for (const auto& tick : scale.ticks(12)) texts << tick.second;
            QCOMPARE(texts, QStringList({"0", "1", "2"}));
        }
    }
};

QTEST_APPLESS_MAIN(TestColourMap)
#include "tst_colour_map.moc"
