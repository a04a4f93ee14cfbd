#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/frame_source.h"

using ks::Array;
using ks::ElementType;

namespace {

TEST(Array, KnowsShapeSizeAndBytes) {
    const Array array(ElementType::u16, {3, 4, 5});
    EXPECT_EQ(array.size(), 60U);
    EXPECT_EQ(array.rank(), 3U);
    EXPECT_EQ(array.bytes().size(), 120U);
    EXPECT_EQ(Array().size(), 0U);
    EXPECT_EQ(Array(ElementType::f64, {}).size(), 1U);
    EXPECT_EQ(Array(ElementType::f64, {4, 0}).bytes().size(), 0U);
}

TEST(Array, KeepsValuesAndTheirType) {
    const Array array = Array::of<std::int16_t>({2, 2}, std::vector<std::int16_t>{-1, 2, -30000, 4});
    EXPECT_EQ(array.type(), ElementType::i16);
    EXPECT_EQ(array.as<std::int16_t>()[2], -30000);
    EXPECT_EQ(array.to_doubles(), (std::vector<double>{-1, 2, -30000, 4}));
}

TEST(Array, RefusesToBeReadAsAnotherType) {
    const Array array = Array::of<float>({1}, std::vector<float>{1.5F});
    EXPECT_THROW(array.as<double>(), ks::Error);
    EXPECT_THROW(array.as<std::int32_t>(), ks::Error);
}

TEST(Array, RefusesValuesThatDoNotFillTheShape) {
    EXPECT_THROW(Array::of<float>({3}, std::vector<float>{1, 2}), ks::Error);
    EXPECT_THROW(Array::of<float>({1}, std::vector<float>{1, 2}), ks::Error);
}

TEST(Array, IsEqualByTypeShapeAndContent) {
    const std::vector<std::int32_t> values{1, 2, 3, 4};
    EXPECT_EQ(Array::of<std::int32_t>({2, 2}, values), Array::of<std::int32_t>({2, 2}, values));
    EXPECT_NE(Array::of<std::int32_t>({2, 2}, values), Array::of<std::int32_t>({4}, values));
    EXPECT_NE(Array::of<std::int32_t>({4}, values),
              Array::of<std::uint32_t>({4}, std::vector<std::uint32_t>{1, 2, 3, 4}));
}

TEST(ElementTypes, HaveNamesAndSizes) {
    const std::vector<std::pair<std::string, std::size_t>> rows{{"u8", 1},  {"u16", 2}, {"u32", 4},
                                                                {"u64", 8}, {"i16", 2}, {"i32", 4},
                                                                {"i64", 8}, {"f32", 4}, {"f64", 8}};
    for (const auto& [name, size] : rows) {
        const ElementType type = ks::element_type_from(name);
        EXPECT_EQ(ks::name_of(type), name);
        EXPECT_EQ(ks::size_of(type), size) << name;
        EXPECT_EQ(ks::is_float(type), name[0] == 'f');
        EXPECT_EQ(ks::is_signed(type), name[0] != 'u');
        EXPECT_EQ(ks::visit_element(type, [](auto zero) { return ks::element_type_of<decltype(zero)>(); }),
                  type);
    }
    EXPECT_THROW(ks::element_type_from("i8"), ks::Error);
}

TEST(MemoryFrames, HandOutFramesOfTheStack) {
    std::vector<std::uint16_t> values(3 * 2 * 4);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i);
    ks::MemoryFrames frames("made", Array::of<std::uint16_t>({3, 2, 4}, values), 0.25);
    EXPECT_EQ(frames.frames(), 3U);
    EXPECT_EQ(frames.height(), 2U);
    EXPECT_EQ(frames.width(), 4U);
    EXPECT_EQ(frames.bytes(), 48U);
    EXPECT_EQ(frames.frame_time(), 0.25);
    std::vector<std::uint16_t> two(16);
    frames.read(1, 2, std::as_writable_bytes(std::span(two)));
    for (std::size_t i = 0; i < two.size(); ++i) EXPECT_EQ(two[i], 8 + i);
    EXPECT_THROW(frames.read(2, 2, std::as_writable_bytes(std::span(two))), ks::Error);
    EXPECT_THROW(frames.read(0, 1, std::as_writable_bytes(std::span(two))), ks::Error);
}

TEST(Array, a_slice_shares_the_memory_and_a_copy_does_not) {
    ks::Array whole = ks::Array::of<std::int32_t>({2, 3}, std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
    ks::Array row = whole.slice(3, {3});
    const ks::Array copy = row;
    row.as<std::int32_t>()[0] = 40;
    EXPECT_EQ(whole.as<std::int32_t>()[3], 40);
    EXPECT_EQ(copy.as<std::int32_t>()[0], 4);
    EXPECT_EQ(row.shape(), (std::vector<std::size_t>{3}));
    EXPECT_THROW(whole.slice(4, {3}), ks::Error);
    EXPECT_THROW(whole.slice(7, {0}), ks::Error);
    EXPECT_EQ(whole.slice(6, {0}).size(), 0U);
    whole = ks::Array();
    EXPECT_EQ(row.as<std::int32_t>()[2], 6) << "it outlives the whole";
}

TEST(MemoryFrames, NeedThreeDimensionsAndHaveAnIdentityEach) {
    const Array stack(ElementType::u8, {1, 2, 3});
    EXPECT_THROW(ks::MemoryFrames("flat", Array(ElementType::u8, {2, 3})), ks::Error);
    EXPECT_NE(ks::MemoryFrames("a", stack).identity(), ks::MemoryFrames("a", stack).identity());
}

}  // namespace
