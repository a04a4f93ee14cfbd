#include <algorithm>
#include <random>

#include <QSignalSpy>
#include <QTest>

#include "core/base/error.h"
#include "core/data/regions/region_shapes.h"
#include "ui/base/jobs.h"
#include "ui/image/mask/region_editor.h"

using namespace ks;
using namespace ks::ui;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Labels = std::vector<std::int32_t>;

constexpr std::size_t imageRows = 40, imageColumns = 50;

/// Values 0, 1, 2, ... so that a range of values is a run of pixels.
std::shared_ptr<const Array> ramp(std::size_t height = imageRows, std::size_t width = imageColumns) {
    std::vector<std::int32_t> values(height * width);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
    return std::make_shared<Array>(Array::of<std::int32_t>({height, width}, values));
}

PixelRegion box(double x, double y, double width, double height) {
    return rectangle_region(imageRows, imageColumns, {x, y}, {x + width, y + height});
}

/// Pixels of columns [x, x + width), rows [y, y + height) get the value.
template <class T>
void fill(std::vector<T>& image, int x, int y, int width, int height, T value) {
    for (int r = y; r < y + height; ++r) {
        for (int c = x; c < x + width; ++c)
            image[static_cast<std::size_t>(r) * imageColumns + static_cast<std::size_t>(c)] = value;
    }
}

}  // namespace

class TestRegionEditor : public QObject {
    Q_OBJECT
  private slots:
    void maskAndBinsAreEditedApart() {
        RegionEditor editor;
        editor.setFrame(ramp());
        QSignalSpy mask(&editor, &RegionEditor::maskEdited), labels(&editor, &RegionEditor::labelsEdited);
        Bytes expectedMask(imageRows * imageColumns, 0);
        Labels expectedBins(imageRows * imageColumns, 0);
        editor.apply(box(5, 5, 10, 8), true, "Rectangle");
        fill<std::uint8_t>(expectedMask, 5, 5, 10, 8, 1);
        QCOMPARE(mask.count(), 1);
        QCOMPARE(mask.last().at(0).value<PixelRect>(), (PixelRect{5, 5, 10, 8}));
        QCOMPARE(labels.count(), 0);
        editor.setTarget(1);
        editor.apply(box(8, 8, 20, 20), true, "Rectangle");
        editor.setTarget(2);
        editor.apply(box(20, 20, 15, 15), true, "Rectangle");
        fill(expectedBins, 8, 8, 20, 20, 1);
        fill(expectedBins, 20, 20, 15, 15, 2);
        QVERIFY(editor.bins().values() == expectedBins);
        // Taking away from bin 2 leaves bin 1 as it is.
        editor.apply(box(0, 0, 25, 25), false, "Rectangle");
        fill(expectedBins, 20, 20, 5, 5, 0);
        QVERIFY(editor.bins().values() == expectedBins);
        QVERIFY(editor.mask().values() == expectedMask);
        QCOMPARE(mask.count(), 1);
        QCOMPARE(labels.count(), 3);
        QCOMPARE(editor.pixels(RegionEditor::maskTarget), std::size_t{80});
        QCOMPARE(editor.pixels(1), std::size_t{400 - 64});
        QCOMPARE(editor.pixels(2), std::size_t{225 - 25});
        QCOMPARE(editor.binCount(), 2);
    }

    void oneOrderOfUndoForBoth() {
        RegionEditor editor;
        editor.setFrame(ramp());
        std::mt19937 random(7);
        std::vector<std::pair<Bytes, Labels>> history{{editor.mask().values(), editor.bins().values()}};
        for (int i = 0; i < 60; ++i) {
            const auto number = [&](int below) {
                return static_cast<int>(random() % static_cast<unsigned>(below));
            };
            editor.setTarget(number(4));
            if (number(5) == 0) {
                editor.invert();
            } else if (number(5) == 0) {
                editor.grow(1 + number(3));
            } else if (number(6) == 0) {
                editor.shrink(1);
            } else if (number(9) == 0) {
                editor.clear();
            } else {
                editor.begin("Brush");
                for (int k = 0; k < 3; ++k)
                    editor.apply(box(number(45), number(35), number(20), number(15)), number(3) != 0,
                                 "Brush");
                editor.end();
            }
            std::pair<Bytes, Labels> now{editor.mask().values(), editor.bins().values()};
            if (now != history.back()) history.push_back(std::move(now));
            // Some steps are undone for good: what follows takes their place.
            if (number(7) == 0 && history.size() > 1) {
                editor.undo();
                history.pop_back();
            }
        }
        QVERIFY(history.size() > 30);
        for (int round = 0; round < 2; ++round) {
            for (std::size_t i = history.size() - 1; i-- > 0;) {
                editor.undo();
                QVERIFY2(
                    editor.mask().values() == history[i].first && editor.bins().values() == history[i].second,
                    qPrintable(QString("undo to %1").arg(i)));
            }
            QVERIFY(!editor.canUndo());
            QCOMPARE(std::count(editor.mask().values().begin(), editor.mask().values().end(), 0),
                     static_cast<std::ptrdiff_t>(imageRows * imageColumns));
            for (std::size_t i = 1; i < history.size(); ++i) {
                editor.redo();
                QVERIFY2(
                    editor.mask().values() == history[i].first && editor.bins().values() == history[i].second,
                    qPrintable(QString("redo to %1").arg(i)));
            }
            QVERIFY(!editor.canRedo());
        }
    }

    void aStrokeIsOneStepAndAbandoningLeavesNone() {
        RegionEditor editor;
        editor.setFrame(ramp());
        editor.begin("Brush");
        editor.apply(box(1, 1, 4, 4), true, "Brush");
        QVERIFY(!editor.canUndo());
        editor.apply(box(10, 10, 4, 4), true, "Brush");
        editor.end();
        QCOMPARE(editor.undoName(), QString("Brush"));
        const Bytes drawn = editor.mask().values();
        editor.undo();
        QVERIFY(!editor.canUndo());
        QCOMPARE(editor.redoName(), QString("Brush"));
        editor.begin("Brush");
        editor.apply(box(20, 20, 9, 9), true, "Brush");
        editor.abandon();
        QCOMPARE(editor.pixels(0), std::size_t{0});
        QVERIFY(!editor.canUndo());
        // What was given up does not cost the steps that could be redone.
        QVERIFY(editor.canRedo());
        editor.redo();
        QVERIFY(editor.mask().values() == drawn);
        // A step that changes nothing is none.
        editor.begin("Brush");
        editor.apply(box(1, 1, 2, 2), true, "Brush");
        editor.end();
        editor.undo();
        QVERIFY(!editor.canUndo());
    }

    void aBinGrowsOverFreePixelsOnly() {
        RegionEditor editor;
        editor.setFrame(ramp());
        editor.setTarget(2);
        editor.apply(box(20, 10, 5, 5), true, {});
        editor.setTarget(1);
        editor.apply(box(15, 10, 5, 5), true, {});
        editor.grow(2);
        Labels expected(imageRows * imageColumns, 0);
        fill(expected, 13, 8, 9, 9, 1);
        fill(expected, 20, 10, 5, 5, 2);
        QVERIFY(editor.bins().values() == expected);
        editor.shrink(1);
        // Bin 1 ends at bin 2, and loses its outermost pixels there as well.
        Labels shrunkBin(imageRows * imageColumns, 0);
        for (int y = 0; y < static_cast<int>(imageRows); ++y) {
            for (int x = 0; x < static_cast<int>(imageColumns); ++x) {
                const auto at = [&](int c, int r) {
                    return expected[static_cast<std::size_t>(r) * imageColumns + static_cast<std::size_t>(c)];
                };
                bool inner = at(x, y) == 1;
                for (int r = std::max(y - 1, 0); r <= std::min(y + 1, static_cast<int>(imageRows) - 1); ++r) {
                    for (int c = std::max(x - 1, 0); c <= std::min(x + 1, static_cast<int>(imageColumns) - 1);
                         ++c)
                        inner = inner && at(c, r) == 1;
                }
                shrunkBin[static_cast<std::size_t>(y) * imageColumns + static_cast<std::size_t>(x)] =
                    inner           ? 1
                    : at(x, y) == 2 ? 2
                                    : 0;
            }
        }
        QVERIFY(editor.bins().values() == shrunkBin);
        editor.invert();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::int32_t before = shrunkBin[i];
            QCOMPARE(editor.bins().values()[i], before == 1 ? 0 : before == 0 ? 1 : 2);
        }
        editor.clear();
        QCOMPARE(editor.pixels(1), std::size_t{0});
        QCOMPARE(editor.pixels(2), std::size_t{25});
        editor.undo();
        editor.undo();
        QVERIFY(editor.bins().values() == shrunkBin);
    }

    void aMaskOfAnotherShapeIsRefusedAndChangesNothing() {
        RegionEditor editor;
        editor.setFrame(ramp());
        editor.apply(box(1, 1, 4, 4), true, {});
        const Bytes before = editor.mask().values();
        for (const PixelMask& wrong : {PixelMask{50, 40, Bytes(2000, 1)}, PixelMask{10, 10, Bytes(100, 1)},
                                       PixelMask{imageRows, imageColumns, {}}}) {
            QVERIFY_EXCEPTION_THROWN(editor.load(wrong), ks::Error);
            QVERIFY(editor.mask().values() == before);
        }
        Bytes other(imageRows * imageColumns, 0);
        other[7] = 255;
        editor.load({imageRows, imageColumns, other});
        other[7] = 1;
        QVERIFY(editor.mask().values() == other);
        editor.undo();
        QVERIFY(editor.mask().values() == before);
    }

    void aFrameOfAnotherShapeEmptiesAllOneOfTheSameKeepsAll() {
        RegionEditor editor;
        QSignalSpy reset(&editor, &RegionEditor::reset);
        editor.setFrame(ramp());
        editor.setTarget(3);
        editor.apply(box(1, 1, 4, 4), true, {});
        editor.setFrame(ramp());
        QCOMPARE(reset.count(), 1);
        QCOMPARE(editor.pixels(3), std::size_t{16});
        QVERIFY_EXCEPTION_THROWN(
            editor.setFrame(std::make_shared<Array>(ElementType::u8, std::vector<std::size_t>{8})),
            ks::Error);
        QCOMPARE(editor.pixels(3), std::size_t{16});
        editor.setFrame(ramp(imageRows, imageColumns + 1));
        QCOMPARE(reset.count(), 2);
        QCOMPARE(editor.binCount(), 0);
        QCOMPARE(editor.target(), RegionEditor::maskTarget);
        QVERIFY(!editor.canUndo());
        // A region of the old shape comes too late.
        editor.apply(box(1, 1, 4, 4), true, {});
        QCOMPARE(editor.pixels(0), std::size_t{0});
    }

    void longSearchesRunInJobsAndStaleOnesAreDropped() {
        Jobs jobs;
        RegionEditor editor(&jobs);
        constexpr std::size_t height = 700, width = 800;
        editor.setFrame(ramp(height, width));
        QSignalSpy busy(&editor, &RegionEditor::busyChanged), discarded(&editor, &RegionEditor::discarded);
        editor.valueRange(1000, 1999);
        QCOMPARE(editor.pixels(0), std::size_t{0});  // not yet
        QTRY_COMPARE(editor.pixels(0), std::size_t{1000});
        for (std::size_t i = 0; i < height * width; ++i)
            QCOMPARE(editor.mask().values()[i], static_cast<std::uint8_t>(i >= 1000 && i < 2000));
        QCOMPARE(busy.count(), 2);
        QCOMPARE(discarded.count(), 0);

        editor.valueRange(5000, 5999);
        editor.apply(rectangle_region(height, width, {0, 0}, {10, 10}), true, "Rectangle");
        QTRY_COMPARE(discarded.count(), 1);
        QCOMPARE(editor.mask().values()[5500], std::uint8_t{0});
        editor.undo();
        QCOMPARE(editor.pixels(0), std::size_t{1000});
        QVERIFY(editor.canRedo());
    }

    void anErrorInAJobIsToldAndChangesNothing() {
        for (const bool withJobs : {false, true}) {
            Jobs jobs;
            RegionEditor editor(withJobs ? &jobs : nullptr);
            editor.setFrame(ramp(700, 800));
            std::vector<Error> failed;
            connect(&editor, &RegionEditor::failed, this,
                    [&](const Error& error) { failed.push_back(error); });
            editor.applyFound([]() -> PixelRegion { throw Error(ErrorKind::run, "no region"); }, true,
                              "Fill");
            QTRY_COMPARE(failed.size(), std::size_t{1});
            QCOMPARE(failed.back().message(), std::string("no region"));
            QVERIFY(!editor.canUndo());
        }
    }

    void hotPixelsLeaveTheMaskedOnesOut() {
        std::vector<std::uint16_t> values(imageRows * imageColumns, 10);
        values[5 * imageColumns + 5] = values[20 * imageColumns + 30] = 900;
        RegionEditor editor;
        editor.setFrame(std::make_shared<Array>(Array::of<std::uint16_t>({imageRows, imageColumns}, values)));
        editor.hotPixels(6);
        Bytes expected(imageRows * imageColumns, 0);
        expected[5 * imageColumns + 5] = expected[20 * imageColumns + 30] = 1;
        QVERIFY(editor.mask().values() == expected);
        QCOMPARE(editor.undoName(), QString("Hot pixels"));
        editor.hotPixels(6);
        editor.undo();
        QVERIFY(!editor.canUndo());  // the second search found nothing new
    }
};

QTEST_MAIN(TestRegionEditor)
#include "tst_region_editor.moc"
