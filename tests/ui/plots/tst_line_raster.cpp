#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/base/threads.h"
#include "ui/plots/crowd/line_raster.h"

using ks::ui::PixelScale;
using ks::ui::RasterLine;

namespace {

constexpr double noValue = std::numeric_limits<double>::quiet_NaN();
constexpr QRgb red = 0xffff0000, blue = 0xff0000ff;
const PixelScale pixels{0, 1, false};

/// Rows of a column that have this colour.
QVector<int> rows(const QImage& image, int column, QRgb colour) {
    QVector<int> found;
    for (int row = 0; row < image.height(); ++row)
        if (image.pixel(column, row) == colour) found << row;
    return found;
}

}  // namespace

class LineRasterTest : public QObject {
    Q_OBJECT
  private slots:
    void aLineFillsTheRowsThatItPassesInEachColumn() {
        const QVector<double> x{0.5, 2.5, 2.75, 5.5}, y{1.5, 5.5, 0.5, 0.5};
        const QImage image = ks::ui::rasterLines({8, 8}, pixels, pixels, {{&x, &y, red}});
        QCOMPARE(rows(image, 0, red), QVector<int>({1, 2}));              // 1.5 to 2.5
        QCOMPARE(rows(image, 1, red), QVector<int>({2, 3, 4}));           // 2.5 to 4.5
        QCOMPARE(rows(image, 2, red), QVector<int>({0, 1, 2, 3, 4, 5}));  // up to 5.5 and back
        QCOMPARE(rows(image, 3, red), QVector<int>({0}));
        QCOMPARE(rows(image, 5, red), QVector<int>({0}));
        QCOMPARE(image.pixel(6, 0), QRgb(0));
        QCOMPARE(image.pixel(3, 1), QRgb(0));
    }

    void gapsAndSinglePoints() {
        const QVector<double> x{1.5, 2.5, 3.5, 4.5, 5.5, 6.5}, y{2.5, noValue, 3.5, 3.5, noValue, 7.5};
        const QImage image = ks::ui::rasterLines({9, 9}, pixels, pixels, {{&x, &y, red}});
        for (const auto& [column, row] : {std::pair(1, 2), {3, 3}, {4, 3}, {6, 7}})
            QCOMPARE(rows(image, column, red), QVector<int>({row}));
        for (const int column : {0, 2, 5, 7, 8}) QVERIFY(rows(image, column, red).isEmpty());
        // Without lines, every point stands for itself.
        const QVector<double> apart{1.5, 4.5}, high{1.5, 7.5};
        const QImage points = ks::ui::rasterLines({9, 9}, pixels, pixels, {{&apart, &high, red, false}});
        QCOMPARE(rows(points, 1, red), QVector<int>({1}));
        QCOMPARE(rows(points, 4, red), QVector<int>({7}));
        QVERIFY(rows(points, 2, red).isEmpty());
    }

    void theLastLineCoversTheOthers() {
        const QVector<double> x{0.5, 3.5}, flat{2.5, 2.5}, steep{0.5, 3.5};
        const QImage image =
            ks::ui::rasterLines({4, 5}, pixels, pixels, {{&x, &flat, red, true, 1}, {&x, &steep, blue}});
        QCOMPARE(rows(image, 0, red), QVector<int>({2, 3}));  // one more pixel on each side, of 2
        QCOMPARE(rows(image, 0, blue), QVector<int>({0, 1}));
        QCOMPARE(rows(image, 2, blue), QVector<int>({2, 3}));
        QCOMPARE(rows(image, 2, red), QVector<int>({1}));
    }

    void dashesAndTheEdgesOfThePicture() {
        const QVector<double> x{-1e9, 1e9}, y{3.5, 3.5}, far{-1e300, 1e300};
        const QImage dashed = ks::ui::rasterLines({12, 8}, pixels, pixels, {{&x, &y, red, true, 0, 2, 5}});
        for (int column = 0; column < 12; ++column)
            QCOMPARE(rows(dashed, column, red).size(), column % 5 < 2 ? 1 : 0);
        const QVector<double> within{5.5, 6.5};
        const QImage image = ks::ui::rasterLines({12, 8}, pixels, pixels, {{&within, &far, red}});
        QCOMPARE(rows(image, 5, red).size() + rows(image, 6, red).size(), 9);  // 8 rows, one in both columns
    }

    void axesMayBeLogarithmicAndUpsideDown() {
        // 1 to 100 over 10 columns, and 0 to 4 from the bottom to the top of 8 rows.
        const PixelScale decades{0, 10 / std::log(100.0), true}, up{8, -2, false};
        const QVector<double> x{1.01, 10.1}, y{0.75, 0.75};
        const QImage image = ks::ui::rasterLines({10, 8}, decades, up, {{&x, &y, red}});
        for (int column = 0; column < 10; ++column)
            QCOMPARE(rows(image, column, red), column <= 5 ? QVector<int>({6}) : QVector<int>());
    }

    void manyLinesAreTheSameForAnyNumberOfThreads() {
        std::mt19937 random(5);
        std::uniform_real_distribution<double> places(-30, 330), heights(-50, 250);
        std::vector<QVector<double>> xs(200), ys(200);
        std::vector<RasterLine> lines;
        for (std::size_t i = 0; i < xs.size(); ++i) {
            for (int k = 0; k < 90; ++k) {
                xs[i] << places(random);
                ys[i] << (random() % 17 == 0 ? noValue : heights(random));
            }
            std::sort(xs[i].begin(), xs[i].end());
            lines.push_back({&xs[i], &ys[i], 0xff000000U | static_cast<QRgb>(random() & 0xffffffU),
                             i % 9 != 0, i % 5 == 0 ? 1 : 0});
        }
        const QImage all = ks::ui::rasterLines({300, 200}, pixels, pixels, lines);
        // As if each line was drawn by itself, one after the other, over the picture.
        QImage oneByOne({300, 200}, QImage::Format_ARGB32_Premultiplied);
        oneByOne.fill(0);
        for (const RasterLine& line : lines) {
            const QImage one = ks::ui::rasterLines({300, 200}, pixels, pixels, {line});
            for (int row = 0; row < 200; ++row)
                for (int column = 0; column < 300; ++column)
                    if (one.pixel(column, row) != 0) oneByOne.setPixel(column, row, one.pixel(column, row));
        }
        QVERIFY(all == oneByOne);
        ks::limit_threads(1);
        QVERIFY(all == ks::ui::rasterLines({300, 200}, pixels, pixels, lines));
    }

    void rowsAgreeWithManyPointsOfTheLine() {
        std::mt19937 random(11);
        std::uniform_real_distribution<double> step(0.05, 4), heights(0, 60);
        QVector<double> x{0.3}, y{20};
        while (x.last() < 90) {
            x << x.last() + step(random);
            y << heights(random);
        }
        const QImage image = ks::ui::rasterLines({90, 64}, pixels, pixels, {{&x, &y, red}});
        for (qsizetype i = 0; i + 1 < x.size(); ++i)
            for (int k = 0; k <= 400; ++k) {
                const double share = k / 400.0, at = x[i] + share * (x[i + 1] - x[i]),
                             high = y[i] + share * (y[i + 1] - y[i]);
                if (at < 90) QCOMPARE(image.pixel(static_cast<int>(at), static_cast<int>(high)), red);
            }
        // Nothing else is set: no column has rows beyond the extent of the line within it.
        for (int column = 0; column < 90; ++column) {
            double low = 1e9, high = -1e9;
            for (qsizetype i = 0; i + 1 < x.size(); ++i) {
                const double from = std::max<double>(x[i], column),
                             to = std::min<double>(x[i + 1], column + 1);
                if (from > to) continue;
                for (const double at : {from, to}) {
                    const double value = y[i] + (at - x[i]) / (x[i + 1] - x[i]) * (y[i + 1] - y[i]);
                    low = std::min(low, value);
                    high = std::max(high, value);
                }
            }
            const QVector<int> set = rows(image, column, red);
            QCOMPARE(set.isEmpty(), low > high);
            if (set.isEmpty()) continue;
            QVERIFY(set.first() >= std::floor(low - 1e-9) && set.last() <= std::floor(high + 1e-9));
            QCOMPARE(set.last() - set.first() + 1, set.size());
        }
    }
};

QTEST_APPLESS_MAIN(LineRasterTest)
#include "tst_line_raster.moc"
