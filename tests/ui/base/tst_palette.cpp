#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <qcustomplot.h>
#include <QSet>
#include <QTest>

#include "ui/base/palette.h"
#include "ui/plots/order_colour.h"

using namespace ks::ui;

namespace {

/// Contrast of WCAG 2: 1 to 21.
double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& c) {
        const auto linear = [](double x) {
            return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// What a dichromat sees, by Machado, Oliveira and Fernandes (2009): a matrix for linear RGB.
struct Vision {
    const char* name;
    std::array<std::array<double, 3>, 3> of;
};
constexpr std::array<Vision, 4> visions{{
    {"trichromat", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanope",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranope",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanope",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
}};

/// CIELAB, white point D65.
std::array<double, 3> seen(const QColor& colour, const Vision& vision) {
    const auto linear = [](double x) {
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    const std::array<double, 3> all{linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
    std::array<double, 3> rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) rgb[i] += vision.of[i][j] * all[j];
        rgb[i] = std::clamp(rgb[i], 0.0, 1.0);
    }
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047);
    const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

class TestPalette : public QObject {
    Q_OBJECT
  private slots:
    void coloursOfAnOrderDifferAndCanBeSeen() {
        for (const bool dark : {false, true})
            for (const std::size_t count : {1, 2, 20}) {
                QSet<QRgb> seen;
                for (std::size_t i = 0; i < count; ++i) {
                    const QColor colour = orderColour(i, count, dark);
                    seen.insert(colour.rgb());
                    const double readable = contrast(colour, dark ? QColor(28, 28, 30) : QColor(Qt::white));
                    QVERIFY2(readable > (dark ? 2.0 : 1.9), qPrintable(colour.name()));
                }
                QCOMPARE(seen.size(), static_cast<qsizetype>(count));
            }
    }

    void binsHaveFixedAndDifferentColours() {
        QCOMPARE(binColour(1), QColor(0x00, 0x72, 0xb2));
        for (const bool dark : {false, true}) {
            QSet<QRgb> seen;
            for (int label = 1; label <= 31; ++label) {
                const QColor colour = binColour(label, dark);
                QVERIFY2(!seen.contains(colour.rgb()), qPrintable(QString::number(label)));
                seen.insert(colour.rgb());
                const double readable = contrast(colour, dark ? QColor(28, 28, 30) : QColor(Qt::white));
                QVERIFY2(readable > (dark ? 3.0 : 1.9),
                         qPrintable(QString("%1: %2").arg(label).arg(readable)));
            }
        }
        QVERIFY(binColour(100000).isValid());
    }

    void noTwoOfTheFirstSixteenLookAlike() {
        for (const bool dark : {false, true}) {
            for (int a = 1; a <= 16; ++a) {
                for (int b = 1; b < a; ++b) {
                    const QColor x = binColour(a, dark), y = binColour(b, dark);
                    const int distance = std::abs(x.red() - y.red()) + std::abs(x.green() - y.green()) +
                                         std::abs(x.blue() - y.blue());
                    QVERIFY2(distance >= 40,
                             qPrintable(QString("%1 and %2: %3").arg(b).arg(a).arg(distance)));
                }
            }
        }
    }

    void eightRunsLookDifferentToEverybody() {
        constexpr int runs = 8;
        for (const bool dark : {false, true})
            for (const Vision& vision : visions)
                for (int a = 0; a < runs; ++a) {
                    const QColor x = runColour(a, dark);
                    const double readable = contrast(x, dark ? QColor(30, 31, 34) : QColor(Qt::white));
                    QVERIFY2(readable > (dark ? 3.0 : 2.2), qPrintable(x.name()));
                    for (int b = 0; b < a; ++b) {
                        const double apart = distance(seen(x, vision), seen(runColour(b, dark), vision));
                        QVERIFY2(apart > 12, qPrintable(QString("%1 %2 and %3: %4")
                                                            .arg(QLatin1String(vision.name))
                                                            .arg(a)
                                                            .arg(b)
                                                            .arg(apart)));
                    }
                }
        QCOMPARE(runColour(runs), runColour(0));
    }

    void siPrefixes() {
        QCOMPARE(formatSi(0.0382, "s"), QString("38.2 ms"));
        QCOMPARE(formatSi(1.78, "s"), QString("1.78 s"));
        QCOMPARE(formatSi(999.7, "Hz"), QString("1.00 kHz"));
        QCOMPARE(formatSi(-2.5e9, "B/s"), QString("-2.50 GB/s"));
        QCOMPARE(formatSi(0, "s"), QString("0 s"));
        QCOMPARE(formatSi(std::nan(""), "s"), QString("-"));
        QCOMPARE(formatDuration(250), QString("250 ns"));
        QCOMPARE(formatDuration(725e9), QString("12 min 5 s"));
        QCOMPARE(formatBytes(24'000'000), QString("24.0 MB"));
        QCOMPARE(formatBytes(12), QString("12 B"));
    }

    void errorsSetTheNumberOfDigits() {
        QCOMPARE(formatWithError(0.2134, 0.01), QString("0.21(1)"));
        QCOMPARE(formatWithError(0.2134, 0.0096), QString("0.21(1)"));
        QCOMPARE(formatWithError(3.42, 0.2), QString("3.4(2)"));
        QCOMPARE(formatWithError(3412, 240), QString("3400(200)"));
        QCOMPARE(formatWithError(1.5, 0), QString("1.5"));
        QCOMPARE(formatWithError(std::nan(""), 0.1), QString("-"));
    }

    void numbersAreAsShortAsTheyCanBe() {
        QCOMPARE(formatNumber(100), QString("100"));
        QCOMPARE(formatNumber(0.25), QString("0.25"));
        QCOMPARE(formatNumber(4294967295.0), QString("4294967295"));
        QCOMPARE(formatNumber(1.0 / 3), QString("0.333333"));
        QCOMPARE(formatNumber(2.5e-7), QString("2.5e-07"));
    }

    void thePlotFollowsThePalette() {
        QCustomPlot plot;
        QPalette dark;
        dark.setColor(QPalette::Base, QColor(20, 20, 20));
        dark.setColor(QPalette::Text, QColor(230, 230, 230));
        applyPalette(plot, dark);
        QVERIFY(isDark(dark));
        QVERIFY(!isDark(printPalette()));
        QCOMPARE(plot.xAxis->tickLabelColor(), QColor(230, 230, 230));
        QCOMPARE(plot.toPixmap(100, 80).toImage().pixelColor(1, 1), QColor(20, 20, 20));
    }
};

QTEST_MAIN(TestPalette)
#include "tst_palette.moc"
