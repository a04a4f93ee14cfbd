#include <cmath>
#include <limits>
#include <random>

#include <QTest>

#include "core/run/error.h"
#include "ui/image/level_of_detail.h"

using namespace ks;
using namespace ks::ui;

namespace {

template <class T>
LevelOfDetail detailOf(std::size_t height, std::size_t width, const std::vector<T>& pixels) {
    return LevelOfDetail(std::make_shared<Array>(Array::of<T>({height, width}, pixels)));
}

}  // namespace

class TestLevelOfDetail : public QObject {
    Q_OBJECT
  private slots:
    void aSinglePixelSurvivesEveryStep() {
        const std::size_t height = 301, width = 417;
        std::mt19937 random(3);
        for (int trial = 0; trial < 40; ++trial) {
            const std::size_t row = random() % height, column = random() % width;
            std::vector<std::uint16_t> pixels(height * width, 1);
            pixels[row * width + column] = 65535;
            const LevelOfDetail detail = detailOf(height, width, pixels);
            for (const double step : {0.3, 1.0, 1.37, 2.0, 2.9, 4.0, 7.3, 16.5, 63.0}) {
                const auto rows = static_cast<std::size_t>(std::ceil(height / step)) + 2;
                const auto columns = static_cast<std::size_t>(std::ceil(width / step)) + 2;
                std::vector<float> out;
                detail.resample(-0.7 * step, -0.4 * step, step, rows, columns, out);
                const float largest = *std::max_element(out.begin(), out.end());
                QVERIFY2(largest == 65535.0F, qPrintable(QString("step %1").arg(step)));
                // It is drawn where it is: within one cell of its place.
                const auto at =
                    static_cast<std::size_t>(std::max_element(out.begin(), out.end()) - out.begin());
                const double x = -0.7 * step + (static_cast<double>(at % columns) + 0.5) * step;
                const double y = -0.4 * step + (static_cast<double>(at / columns) + 0.5) * step;
                QVERIFY(std::abs(x - (static_cast<double>(column) + 0.5)) <= 1.5 * step + 1);
                QVERIFY(std::abs(y - (static_cast<double>(row) + 0.5)) <= 1.5 * step + 1);
            }
        }
    }

    void levelsHoldTheLargestPixelOfTheirSquares() {
        const std::size_t height = 13, width = 22;
        std::mt19937 random(5);
        std::vector<std::int32_t> pixels(height * width);
        for (auto& pixel : pixels) pixel = static_cast<std::int32_t>(random() % 1000);
        const LevelOfDetail detail = detailOf(height, width, pixels);
        for (std::size_t n = 1; n < detail.levels(); ++n) {
            const auto& level = detail.level(n);
            const std::size_t side = std::size_t{1} << n;
            for (std::size_t r = 0; r < level.height; ++r) {
                for (std::size_t c = 0; c < level.width; ++c) {
                    std::int32_t largest = -1;
                    for (std::size_t y = r * side; y < std::min((r + 1) * side, height); ++y) {
                        for (std::size_t x = c * side; x < std::min((c + 1) * side, width); ++x) {
                            largest = std::max(largest, pixels[y * width + x]);
                        }
                    }
                    QCOMPARE(level.cells[r * level.width + c], static_cast<float>(largest));
                }
            }
        }
    }

    void invalidPixelsAreMarkedAndNeverHideValidOnes() {
        const float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
        const LevelOfDetail detail = detailOf<float>(2, 4, {nan, inf, -5.0F, 2.0F, nan, -inf, nan, 1.0F});
        std::vector<float> out;
        detail.resample(0, 0, 2, 1, 2, out);
        QCOMPARE(out[0], LevelOfDetail::invalid);
        QCOMPARE(out[1], 2.0F);
        detail.resample(0, 0, 1, 2, 4, out);
        QCOMPARE(out[2], -5.0F);
        QCOMPARE(out[4], LevelOfDetail::invalid);

        const LevelOfDetail counts = detailOf<std::int32_t>(1, 3, {-1, 0, 7});
        QVERIFY(!counts.valid(0, 0));
        QVERIFY(counts.valid(0, 1));
        QCOMPARE(counts.raw(0, 0), -1.0);
    }

    void theMaskCountsAsInvalid() {
        auto mask = std::make_shared<std::vector<std::uint8_t>>(std::vector<std::uint8_t>{0, 1, 1, 1});
        const auto frame = std::make_shared<Array>(Array::of<std::uint16_t>({1, 4}, {3, 65535, 9, 9}));
        const LevelOfDetail detail(frame, mask);
        std::vector<float> out;
        detail.resample(0, 0, 2, 1, 2, out);
        QCOMPARE(out[0], 3.0F);
        QCOMPARE(out[1], LevelOfDetail::invalid);
        QCOMPARE(detail.sample(), std::vector<double>{3.0});
        QVERIFY_EXCEPTION_THROWN(LevelOfDetail(frame, std::make_shared<std::vector<std::uint8_t>>(8)),
                                 ks::Error);
    }

    void outsideIsOutside() {
        const LevelOfDetail detail = detailOf<std::uint8_t>(2, 2, {1, 2, 3, 4});
        std::vector<float> out;
        detail.resample(-1, -1, 1, 4, 4, out);
        const float o = LevelOfDetail::outside;
        QCOMPARE(out, (std::vector<float>{o, o, o, o, o, 1, 2, o, o, 3, 4, o, o, o, o, o}));
    }
};

QTEST_APPLESS_MAIN(TestLevelOfDetail)
#include "tst_level_of_detail.moc"
