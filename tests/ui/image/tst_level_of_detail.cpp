#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <QTest>

#include "core/base/error.h"
#include "ui/image/view/level_of_detail.h"

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
                detail.resample({-0.7 * step, -0.4 * step, step, rows, columns}, out);
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

    void aPixelInTheCutOffCellAtTheBorderIsDrawnInside() {
        std::vector<std::uint16_t> pixels(33 * 41, 1);
        pixels.back() = 9;
        const LevelOfDetail detail = detailOf(33, 41, pixels);
        std::vector<float> out;
        for (const double step : {1.0, 2.1, 4.3, 8.2, 9.7}) {
            for (const double start : {0.0, -0.3, -1.9}) {
                detail.resample({start, start, step, 50, 60}, out);
                const auto at =
                    static_cast<std::size_t>(std::max_element(out.begin(), out.end()) - out.begin());
                QCOMPARE(out[at], 9.0F);
                QVERIFY(start + static_cast<double>(at % 60) * step < 41);
                QVERIFY(start + static_cast<double>(at / 60) * step < 33);
            }
        }
    }

    void theHighestValueOf32BitsIsNoCount() {
        std::vector<std::uint32_t> pixels(64 * 64, 5);
        pixels[70] = 4294967295U;
        pixels[71] = 4294967294U;
        const LevelOfDetail detail = detailOf(64, 64, pixels);
        QVERIFY(!detail.valid(1, 6));
        QVERIFY(detail.valid(1, 7));
        const std::vector<double> sample = detail.sample(1 << 20);
        QCOMPARE(sample.size(), std::size_t{64 * 64 - 1});
        QCOMPARE(*std::max_element(sample.begin(), sample.end()), 4294967294.0);
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
        detail.resample({0, 0, 2, 1, 2}, out);
        QCOMPARE(out[0], LevelOfDetail::invalid);
        QCOMPARE(out[1], 2.0F);
        detail.resample({0, 0, 1, 2, 4}, out);
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
        detail.resample({0, 0, 2, 1, 2}, out);
        QCOMPARE(out[0], 3.0F);
        QCOMPARE(out[1], LevelOfDetail::invalid);
        QCOMPARE(detail.sample(), std::vector<double>{3.0});
        QVERIFY_EXCEPTION_THROWN(LevelOfDetail(frame, std::make_shared<std::vector<std::uint8_t>>(8)),
                                 ks::Error);
    }

    void meanAndMinAreThoseOfTheValidPixels() {
        const std::size_t height = 45, width = 38;
        std::mt19937 random(11);
        std::vector<std::int32_t> pixels(height * width);
        auto ignore = std::make_shared<std::vector<std::uint8_t>>(height * width);
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            pixels[i] = static_cast<std::int32_t>(random() % 1000) - 100;
            (*ignore)[i] = random() % 3 == 0;
        }
        const auto frame = std::make_shared<Array>(Array::of<std::int32_t>({height, width}, pixels));
        for (const std::size_t side : {1UL, 2UL, 4UL, 8UL, 16UL}) {
            const std::size_t rows = height / side, columns = width / side;
            LevelOfDetail detail(frame, ignore);
            std::vector<float> maximum, mean, minimum;
            const LevelOfDetail::Grid grid{0, 0, static_cast<double>(side), rows, columns};
            detail.resample(grid, maximum);
            detail.setReduction(Reduction::mean);
            detail.resample(grid, mean);
            detail.setReduction(Reduction::min);
            detail.resample(grid, minimum);
            for (std::size_t cell = 0; cell < rows * columns; ++cell) {
                std::vector<double> valid;
                for (std::size_t y = cell / columns * side; y < (cell / columns + 1) * side; ++y) {
                    for (std::size_t x = cell % columns * side; x < (cell % columns + 1) * side; ++x) {
                        if (pixels[y * width + x] >= 0 && !(*ignore)[y * width + x])
                            valid.push_back(pixels[y * width + x]);
                    }
                }
                if (valid.empty()) {
                    QCOMPARE(maximum[cell], LevelOfDetail::invalid);
                    QCOMPARE(mean[cell], LevelOfDetail::invalid);
                    QCOMPARE(minimum[cell], LevelOfDetail::invalid);
                    continue;
                }
                double sum = 0;
                for (const double v : valid) sum += v;
                QCOMPARE(static_cast<double>(maximum[cell]), *std::max_element(valid.begin(), valid.end()));
                QCOMPARE(static_cast<double>(minimum[cell]), *std::min_element(valid.begin(), valid.end()));
                QVERIFY(std::abs(mean[cell] - sum / static_cast<double>(valid.size())) < 1e-3);
            }
        }
    }

    void aLevelIsTheSameWhateverWasMadeBefore() {
        std::mt19937 random(2);
        std::vector<std::uint16_t> pixels(1517 * 989);
        for (auto& pixel : pixels) pixel = static_cast<std::uint16_t>(random());
        const LevelOfDetail upwards = detailOf(1517, 989, pixels), alone = detailOf(1517, 989, pixels);
        for (std::size_t n = 1; n < upwards.levels(); ++n) upwards.level(n);
        for (const std::size_t n : {5UL, 3UL, 4UL}) {
            QVERIFY(!alone.made(n));
            QCOMPARE(alone.level(n).cells, upwards.level(n).cells);
        }
        QVERIFY(!alone.made(1));
    }

    void aMaskChangedInPlaceGivesWhatANewOneGives() {
        const std::size_t height = 211, width = 160;
        std::mt19937 random(8);
        std::vector<float> pixels(height * width);
        for (auto& pixel : pixels) pixel = static_cast<float>(random() % 5000) - 1000;
        const auto frame = std::make_shared<Array>(Array::of<float>({height, width}, pixels));
        for (const Reduction reduction : {Reduction::max, Reduction::mean, Reduction::min}) {
            auto ignore = std::make_shared<std::vector<std::uint8_t>>(height * width);
            LevelOfDetail detail(frame, ignore);
            detail.setReduction(reduction);
            for (std::size_t n = 1; n < detail.levels(); ++n) detail.level(n);
            const LevelOfDetail::Grid grid{-7.3, 3.1, 3.7, 60, 55};
            std::vector<float> picture;
            detail.resample(grid, picture);
            for (int stroke = 0; stroke < 30; ++stroke) {
                const auto x = static_cast<std::int64_t>(random() % width) - 9,
                           y = static_cast<std::int64_t>(random() % height) - 9;
                const PixelRect where{x, y, 20, 13};
                for (std::int64_t r = std::max<std::int64_t>(y, 0); r < std::min<std::int64_t>(y + 13, 211);
                     ++r) {
                    for (std::int64_t c = std::max<std::int64_t>(x, 0);
                         c < std::min<std::int64_t>(x + 20, 160); ++c)
                        (*ignore)[static_cast<std::size_t>(r) * width + static_cast<std::size_t>(c)] =
                            stroke % 4 != 3;
                }
                detail.maskChanged(where);
                const PixelRect part = detail.touched(grid, where);
                if (!part.empty()) detail.resample(grid, part, picture);
                LevelOfDetail fresh(frame, std::make_shared<std::vector<std::uint8_t>>(*ignore));
                fresh.setReduction(reduction);
                for (std::size_t n = 1; n < fresh.levels(); ++n) {
                    const auto& now = detail.level(n);
                    const auto& anew = fresh.level(n);
                    if (reduction != Reduction::mean) QCOMPARE(now.cells, anew.cells);
                    QCOMPARE(now.weights, anew.weights);
                }
                std::vector<float> anew;
                fresh.resample(grid, anew);
                for (std::size_t i = 0; i < anew.size(); ++i)
                    QVERIFY(picture[i] == anew[i] || std::abs(picture[i] - anew[i]) < 1e-3F);
            }
        }
    }

    void everyElementTypeIsRead() {
        const auto check = [](auto type) {
            using T = decltype(type);
            const LevelOfDetail detail = detailOf<T>(2, 3, {T(7), T(200 / 2), T(3), T(0), T(90), T(1)});
            std::vector<float> out;
            detail.resample({0, 0, 2, 1, 2}, out);
            QCOMPARE(out, (std::vector<float>{100, 3}));
            detail.resample({0, 0, 1, 2, 3}, out);
            QCOMPARE(out, (std::vector<float>{7, 100, 3, 0, 90, 1}));
            QCOMPARE(detail.sample().size(), std::size_t{6});
        };
        check(std::uint8_t{});
        check(std::uint16_t{});
        check(std::uint32_t{});
        check(std::uint64_t{});
        check(std::int16_t{});
        check(std::int32_t{});
        check(std::int64_t{});
        check(float{});
        check(double{});
        const double maximum = std::numeric_limits<double>::max();
        const LevelOfDetail huge = detailOf<double>(1, 2, {maximum, -maximum});
        std::vector<float> out;
        huge.resample({0, 0, 1, 1, 2}, out);
        QCOMPARE(out[0], std::numeric_limits<float>::max());
        QVERIFY(out[1] < -1e38F && out[1] > LevelOfDetail::invalid);
    }

    void anotherFrameOfTheSameShapeReplacesTheFirst() {
        LevelOfDetail detail = detailOf<std::uint8_t>(4, 4, std::vector<std::uint8_t>(16, 9));
        QCOMPARE(detail.level(2).cells, std::vector<float>{9});
        QCOMPARE(detail.largest(), 9.0);
        detail.set(std::make_shared<Array>(Array::of<std::uint8_t>({4, 4}, std::vector<std::uint8_t>(16, 4))),
                   nullptr);
        QVERIFY(!detail.made(2));
        QCOMPARE(detail.level(2).cells, std::vector<float>{4});
        QVERIFY_EXCEPTION_THROWN(
            detail.set(std::make_shared<Array>(ElementType::u8, std::vector<std::size_t>{4}), {}), ks::Error);
        QCOMPARE(detail.raw(0, 0), 4.0);
        detail.set(nullptr, nullptr);
        QVERIFY(detail.empty());
        QCOMPARE(detail.levels(), std::size_t{1});
    }

    void outsideIsOutside() {
        const LevelOfDetail detail = detailOf<std::uint8_t>(2, 2, {1, 2, 3, 4});
        std::vector<float> out;
        detail.resample({-1, -1, 1, 4, 4}, out);
        const float o = LevelOfDetail::outside;
        QCOMPARE(out, (std::vector<float>{o, o, o, o, o, 1, 2, o, o, 3, 4, o, o, o, o, o}));
    }
};

QTEST_APPLESS_MAIN(TestLevelOfDetail)
#include "tst_level_of_detail.moc"
