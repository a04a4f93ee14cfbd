// Pixels of types that frames do not have: read as the next narrower one, refused where a value does not fit.

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

using io::open_frames;

class FrameTypes : public IoTest {
  protected:
    template <class T>
    static std::vector<T> values_of(FrameSource& source, std::size_t first, std::size_t count) {
        std::vector<T> values(count * source.pixels());
        source.read(first, count, std::as_writable_bytes(std::span(values)));
        return values;
    }
};

TEST_F(FrameTypes, DoublesAreReadAsFloats) {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> values{0.1, -2.5, 3e38, infinity, -infinity, std::nan(""), 1e-60, 16777217};
    {
        TestFile file(at("f.h5"));
        file.make("/plain", H5T_IEEE_F64LE, {2, 2, 2}, values.data(), H5T_NATIVE_DOUBLE);
        file.make("/chunked", H5T_IEEE_F64BE, {2, 2, 2}, values.data(), H5T_NATIVE_DOUBLE, {2, 2, 2},
                  [](hid_t p) { H5Pset_deflate(p, 1); });
    }
    for (const char* name : {"::/plain", "::/chunked"}) {
        const auto source = open_frames(at("f.h5") + name);
        ASSERT_EQ(source->type(), ElementType::f32);
        for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
            const auto read = values_of<float>(*source, first, 2 - first);
            for (std::size_t i = 0; i < read.size(); ++i) {
                const double expected = values[4 * first + i];
                if (std::isnan(expected)) {
                    EXPECT_TRUE(std::isnan(read[i])) << name;
                } else {
                    EXPECT_EQ(read[i], static_cast<float>(expected)) << name << " " << i;
                }
            }
        }
    }
}

TEST_F(FrameTypes, DoublesBeyondFloatsAreRefusedByFrameAndValue) {
    const std::vector<double> values{1, 2, 3, 4, 5, -4e38};
    { TestFile(at("f.h5")).make("/data", H5T_IEEE_F64LE, {3, 1, 2}, values.data(), H5T_NATIVE_DOUBLE); }
    const auto source = open_frames(at("f.h5"));
    EXPECT_EQ(values_of<float>(*source, 0, 2), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_TRUE(contains(input_error([&] { values_of<float>(*source, 1, 2); }),
                         {"f.h5::/data", "fit into f32", "-4e+38", "frame 2, row 0, column 1"}));
}

TEST_F(FrameTypes, WideUnsignedIntegersAreReadAs32BitsOrRefused) {
    const std::vector<std::uint64_t> values{1, 4294967295U, 7, 8, 4294967296U, 9};
    {
        TestFile file(at("f.h5"));
        file.make("/plain", H5T_STD_U64LE, {3, 1, 2}, values.data(), H5T_NATIVE_UINT64);
        file.make("/chunked", H5T_STD_U64BE, {3, 1, 2}, values.data(), H5T_NATIVE_UINT64, {2, 1, 2});
    }
    for (const char* name : {"::/plain", "::/chunked"}) {
        const auto source = open_frames(at("f.h5") + name);
        ASSERT_EQ(source->type(), ElementType::u32);
        EXPECT_EQ(values_of<std::uint32_t>(*source, 0, 2),
                  (std::vector<std::uint32_t>{1, 4294967295U, 7, 8}));
        EXPECT_TRUE(contains(input_error([&] { values_of<std::uint32_t>(*source, 0, 3); }),
                             {"fit into u32", "4294967296", "frame 2, row 0, column 0"}));
    }
}

TEST_F(FrameTypes, WhatIsRoundedIsTold) {
    const std::vector<double> values(24, 0.1);
    {
        TestFile(at("f64.h5")).make("/data", H5T_IEEE_F64LE, {2, 3, 4}, values.data(), H5T_NATIVE_DOUBLE);
        TestFile(at("u64.h5")).make("/data", H5T_STD_U64LE, {2, 3, 4}, values.data(), H5T_NATIVE_DOUBLE);
        TestFile(at("u16.h5")).ramp("/data", {2, 3, 4});
    }
    const std::string rounded = "2 frames of 3 x 4 f32, 96 bytes; values are rounded from f64 to f32";
    EXPECT_TRUE(contains(io::describe(at("f64.h5")), {"opens as     /data, " + rounded}));
    EXPECT_TRUE(contains(io::describe(at("f64.h5") + "::/data"), {"as frames    " + rounded}));
    EXPECT_TRUE(
        contains(io::describe(at("u64.h5")), {"x 4 u32, 96 bytes; values beyond 32 bits are rejected"}));
    EXPECT_FALSE(contains(io::describe(at("u16.h5")), {"rejected"}));
}

}  // namespace
}  // namespace ks::tests
