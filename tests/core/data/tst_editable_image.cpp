#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/regions/editable_image.h"

using ks::EditableImage;
using ks::PixelRect;
using ks::PixelRegion;
using ks::PixelSpan;

namespace {

std::size_t uniform(std::mt19937& random, std::size_t minimum, std::size_t maximum) {
    return std::uniform_int_distribution<std::size_t>(minimum, maximum)(random);
}

PixelSpan span(std::size_t y, std::size_t first, std::size_t end) {
    return {static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(first),
            static_cast<std::uint32_t>(end)};
}

PixelRegion box(std::size_t height, std::size_t width, std::size_t x, std::size_t y, std::size_t w,
                std::size_t h) {
    std::vector<PixelSpan> spans;
    for (std::size_t row = y; row < y + h; ++row) spans.push_back(span(row, x, x + w));
    return {height, width, spans};
}

PixelRegion disc(std::size_t height, std::size_t width, double x, double y, double radius) {
    std::vector<PixelSpan> spans;
    for (std::size_t row = 0; row < height; ++row) {
        const double dy = static_cast<double>(row) + 0.5 - y;
        if (std::abs(dy) >= radius) continue;
        const double half = std::sqrt(radius * radius - dy * dy);
        spans.push_back(span(row, static_cast<std::size_t>(std::max(0.0, x - half)),
                             static_cast<std::size_t>(std::max(0.0, x + half))));
    }
    return {height, width, spans};
}

/// Boxes that may overlap, single pixels, or nothing.
PixelRegion random_region(std::mt19937& random, std::size_t height, std::size_t width) {
    PixelRegion region(height, width);
    for (std::size_t n = uniform(random, 0, 4); n > 0; --n) {
        const std::size_t w = uniform(random, 1, uniform(random, 0, 1) ? 3 : width),
                          h = uniform(random, 1, w);
        region = region.united(
            box(height, width, uniform(random, 0, width - 1), uniform(random, 0, height - 1), w, h));
    }
    return region;
}

template <class T>
PixelRect difference(const std::vector<T>& a, const std::vector<T>& b, std::size_t width) {
    std::int64_t left = 1 << 30, top = 1 << 30, right = -1, bottom = -1;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i]) continue;
        const auto x = static_cast<std::int64_t>(i % width), y = static_cast<std::int64_t>(i / width);
        left = std::min(left, x), right = std::max(right, x), top = std::min(top, y),
        bottom = std::max(bottom, y);
    }
    return right < 0 ? PixelRect{} : PixelRect{left, top, right - left + 1, bottom - top + 1};
}

bool holds(const std::optional<PixelRect>& outer, const PixelRect& inner) {
    return inner.empty() || (outer && outer->intersected(inner) == inner);
}

template <class T>
class EditableImageOf : public testing::Test {};
using Elements = testing::Types<std::uint8_t, std::int32_t>;
TYPED_TEST_SUITE(EditableImageOf, Elements);

/// What an EditableImage must do, with a copy of the whole image for each state.
template <class T>
struct Copies {
    std::size_t height, width;
    std::vector<std::vector<T>> states;
    std::size_t now = 0;
    std::vector<T> draft;

    void paint(const PixelRegion& region, T value, const T* only) {
        for (const PixelSpan& s : region.spans())
            for (std::size_t i = s.y * width + s.first; i < s.y * width + s.end; ++i)
                if (!only || draft[i] == *only) draft[i] = value;
    }
    void commit() {
        if (draft == states[now]) return;
        states.resize(++now);
        states.push_back(draft);
    }
};

template <class T>
void edit_both(std::mt19937& random, EditableImage<T>& image, Copies<T>& copies) {
    const PixelRegion region = random_region(random, copies.height, copies.width);
    const T value = static_cast<T>(uniform(random, 0, 3)), only = static_cast<T>(uniform(random, 0, 3));
    const std::vector<T> before = copies.draft;
    std::optional<PixelRect> changed;
    switch (uniform(random, 0, 9)) {
        case 0:
            for (T& pixel : copies.draft)
                if (uniform(random, 0, 200) == 0) pixel = value;
            changed = image.assign(copies.draft, "assign");
            break;
        case 1:
        case 2:
        case 3:
            copies.paint(region, value, &only);
            changed = image.replace(region, only, value, "replace");
            break;
        default:
            copies.paint(region, value, nullptr);
            changed = image.set(region, value, "set");
    }
    const PixelRect expected = difference(before, copies.draft, copies.width);
    EXPECT_EQ(changed.value_or(PixelRect{}), expected);
    EXPECT_EQ(changed.has_value(), !expected.empty());
}

/// One step, of one edit or of several; now and then given up.
template <class T>
void step_both(std::mt19937& random, EditableImage<T>& image, Copies<T>& copies) {
    if (uniform(random, 0, 1)) {
        edit_both(random, image, copies);
        copies.commit();
        return;
    }
    image.begin("several");
    for (std::size_t n = uniform(random, 0, 5); n > 0; --n) {
        edit_both(random, image, copies);
        ASSERT_EQ(image.values(), copies.draft);
        EXPECT_FALSE(image.can_undo() || image.can_redo());
    }
    if (uniform(random, 0, 3) == 0) {
        const PixelRect changed = difference(copies.draft, copies.states[copies.now], copies.width);
        EXPECT_TRUE(holds(image.abandon(), changed));
        copies.draft = copies.states[copies.now];
    } else {
        image.end();
        copies.commit();
    }
}

TYPED_TEST(EditableImageOf, IsAlwaysTheCopyThatWasKept) {
    std::mt19937 random(1);
    for (int round = 0; round < 12; ++round) {
        const std::size_t height = uniform(random, 1, 200), width = uniform(random, 1, 300);
        EditableImage<TypeParam> image(height, width);
        Copies<TypeParam> copies{height, width, {}, 0, std::vector<TypeParam>(height * width)};
        copies.states.push_back(copies.draft);
        for (int action = 0; action < 120; ++action) {
            const std::size_t kind = uniform(random, 0, 9);
            if (kind < 6) {
                step_both(random, image, copies);
            } else {
                const bool back = kind < 8;
                const bool possible = back ? copies.now > 0 : copies.now + 1 < copies.states.size();
                EXPECT_EQ(back ? image.can_undo() : image.can_redo(), possible);
                const std::optional<PixelRect> changed = back ? image.undo() : image.redo();
                EXPECT_EQ(changed.has_value(), possible);
                if (possible) copies.now = back ? copies.now - 1 : copies.now + 1;
                EXPECT_TRUE(holds(changed, difference(copies.draft, copies.states[copies.now], width)));
                copies.draft = copies.states[copies.now];
            }
            ASSERT_EQ(image.values(), copies.states[copies.now]);
            ASSERT_EQ(image.undo_steps(), copies.now);
            ASSERT_EQ(image.can_redo(), copies.now + 1 < copies.states.size());
        }
        while (image.undo()) {
        }
        EXPECT_EQ(image.values(), copies.states.front());
        for (std::size_t i = 1; i < copies.states.size(); ++i) {
            ASSERT_TRUE(image.redo());
            ASSERT_EQ(image.values(), copies.states[i]);
        }
    }
}

TYPED_TEST(EditableImageOf, StepsHaveNames) {
    EditableImage<TypeParam> image(20, 20);
    EXPECT_EQ(image.undo_name(), "");
    image.set(box(20, 20, 1, 1, 3, 3), 1, "fill");
    image.begin("brush");
    image.set(box(20, 20, 5, 5, 3, 3), 1, "not this");
    image.set(box(20, 20, 7, 7, 3, 3), 2, "not this");
    image.end();
    EXPECT_EQ(image.undo_steps(), 2U);
    EXPECT_EQ(image.undo_name(), "brush");
    image.undo();
    EXPECT_EQ(image.undo_name(), "fill");
    EXPECT_EQ(image.redo_name(), "brush");
}

TYPED_TEST(EditableImageOf, ANewEditDropsRedo) {
    EditableImage<TypeParam> image(20, 20);
    image.set(box(20, 20, 1, 1, 3, 3), 1);
    image.undo();
    image.set(box(20, 20, 2, 2, 1, 1), 1);
    EXPECT_FALSE(image.can_redo());
    EXPECT_FALSE(image.redo());
    EXPECT_EQ(std::count(image.values().begin(), image.values().end(), 1), 1);
}

TYPED_TEST(EditableImageOf, AStepThatChangesNothingIsForgottenAndKeepsRedo) {
    EditableImage<TypeParam> image(100, 100);
    image.set(box(100, 100, 1, 1, 3, 3), 1);
    image.set(box(100, 100, 50, 50, 30, 30), 2);
    image.undo();
    EXPECT_FALSE(image.set(box(100, 100, 1, 1, 3, 3), 1)) << "they are 1 already";
    EXPECT_FALSE(image.set(PixelRegion(100, 100), 1)) << "no pixels";
    EXPECT_FALSE(image.assign(std::vector<TypeParam>(image.values())));
    image.begin("there and back");
    image.set(box(100, 100, 40, 40, 40, 40), 3);
    image.set(box(100, 100, 40, 40, 40, 40), 0);
    image.end();
    image.begin("given up");
    image.set(box(100, 100, 40, 40, 40, 40), 3);
    image.abandon();
    EXPECT_EQ(image.undo_steps(), 1U);
    ASSERT_TRUE(image.redo());
    EXPECT_EQ(std::count(image.values().begin(), image.values().end(), 2), 900);
}

TYPED_TEST(EditableImageOf, AStepWithinAStepIsRefused) {
    EditableImage<TypeParam> image(4, 4);
    image.begin("brush");
    EXPECT_THROW(image.begin("fill"), ks::Error);
    EXPECT_TRUE(image.in_step());
    image.end();
    EXPECT_FALSE(image.in_step());
    EXPECT_NO_THROW(image.begin("fill"));
}

TYPED_TEST(EditableImageOf, EndAndAbandonWithoutAStepDoNothing) {
    EditableImage<TypeParam> image(4, 4);
    image.set(box(4, 4, 0, 0, 2, 2), 1);
    image.end();
    EXPECT_FALSE(image.abandon());
    EXPECT_EQ(image.undo_steps(), 1U);
    EXPECT_EQ(std::count(image.values().begin(), image.values().end(), 1), 4);
}

TYPED_TEST(EditableImageOf, NothingIsUndoneWithinAStep) {
    EditableImage<TypeParam> image(4, 4);
    image.set(box(4, 4, 0, 0, 2, 2), 1);
    image.begin("brush");
    EXPECT_FALSE(image.undo());
    EXPECT_FALSE(image.redo());
    EXPECT_EQ(std::count(image.values().begin(), image.values().end(), 1), 4);
}

TYPED_TEST(EditableImageOf, OtherSizesAreRefused) {
    EditableImage<TypeParam> image(4, 5);
    EXPECT_THROW(image.set(PixelRegion(5, 4), 1), ks::Error);
    EXPECT_THROW(image.replace(PixelRegion(4, 4), 1, 2), ks::Error);
    EXPECT_THROW(image.assign(std::vector<TypeParam>(19)), ks::Error);
    EXPECT_FALSE(image.in_step()) << "a refused edit leaves no step open";
}

TYPED_TEST(EditableImageOf, ThoseWhoHoldTheValuesSeeThemChange) {
    EditableImage<TypeParam> image(4, 5);
    const auto seen = image.shared();
    image.set(box(4, 5, 2, 1, 1, 1), 7);
    EXPECT_EQ((*seen)[7], 7);
    image.undo();
    EXPECT_EQ((*seen)[7], 0);
}

TYPED_TEST(EditableImageOf, AForgottenHistoryTakesNoMemoryAndTheImageStays) {
    EditableImage<TypeParam> image(300, 300);
    image.set(box(300, 300, 10, 10, 100, 100), 1);
    image.set(box(300, 300, 10, 10, 100, 100), 2);
    image.undo();
    EXPECT_GE(image.history_bytes(), 2 * 100 * 100 * sizeof(TypeParam));
    image.forget_history();
    EXPECT_EQ(image.history_bytes(), 0U);
    EXPECT_FALSE(image.can_undo() || image.can_redo());
    EXPECT_EQ(std::count(image.values().begin(), image.values().end(), 1), 10000);
}

TYPED_TEST(EditableImageOf, AThousandDabsTakeNoMoreThanTheirPixels) {
    constexpr std::size_t size = 4096;
    std::mt19937 random(2);
    EditableImage<TypeParam> image(size, size);
    for (int dab = 0; dab < 1000; ++dab) {
        const double x = std::uniform_real_distribution<>(0, size)(random);
        const double y = std::uniform_real_distribution<>(0, size)(random);
        image.set(disc(size, size, x, y, 30), static_cast<TypeParam>(dab % 100 + 1), "dab");
    }
    EXPECT_LT(image.history_bytes(), 16'000'000U);
    while (image.undo()) {
    }
    EXPECT_TRUE(image.values() == std::vector<TypeParam>(size * size));
}

TYPED_TEST(EditableImageOf, AStrokeTakesItsAreaOnceHoweverManyDabsItHas) {
    constexpr std::size_t size = 1024;
    EditableImage<TypeParam> image(size, size);
    image.begin("brush");
    for (int dab = 0; dab < 1000; ++dab)
        image.set(disc(size, size, 100 + dab % 50, 100, 30), static_cast<TypeParam>(dab % 100 + 1));
    image.end();
    EXPECT_EQ(image.undo_steps(), 1U);
    EXPECT_LT(image.history_bytes(), 110 * 60 * sizeof(TypeParam) + 2000);
}

TYPED_TEST(EditableImageOf, AThousandScatteredPixelsTakeLittle) {
    constexpr std::size_t size = 4096;
    std::mt19937 random(3);
    std::vector<PixelSpan> spans;
    for (int i = 0; i < 1000; ++i) {
        const std::size_t x = uniform(random, 0, size - 1);
        spans.push_back(span(uniform(random, 0, size - 1), x, x + 1));
    }
    EditableImage<TypeParam> image(size, size);
    image.set(PixelRegion(size, size, spans), 1, "hot pixels");
    EXPECT_LT(image.history_bytes(), 20'000'000U);
    image.undo();
    EXPECT_TRUE(image.values() == std::vector<TypeParam>(size * size));
}

}  // namespace
