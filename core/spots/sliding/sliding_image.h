#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/spots/module_layout.h"
#include "core/spots/signal/bit_image.h"
#include "core/spots/signal/reference.h"
#include "core/spots/sliding/column_loops.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// The rows of an image decided by one thread.
struct Band {
    std::size_t y0, y1;
};

/// Takes the signal pixels of one image as indices into the frame.
struct SignalList {
    std::vector<std::uint32_t>& found;
    std::size_t first, stride;  ///< of the image within the frame

    void operator()(std::size_t y, std::size_t x) const {
        found.push_back(static_cast<std::uint32_t>(first + y * stride + x));
    }
};

/// One image [y][x] of a frame, as the loops over its rows use it. Only the functions of this class depend on
/// the type of the pixels and are compiled for each type. A call handles many pixels, or one pixel that is
/// tested separately.
class SlidingImage {
  public:
    SlidingImage(std::size_t rows, std::size_t columns, bool of_floats)
        : height(rows), width(columns), real(of_floats) {}
    virtual ~SlidingImage() = default;
    SlidingImage(const SlidingImage&) = delete;
    SlidingImage& operator=(const SlidingImage&) = delete;

    const std::size_t height, width;
    const bool real;  ///< floats; then no function for integers is called

    virtual bool none_valid() const = 0;
    /// A count exceeded by at most one in 50 valid counts of a sample of the band; 0 if none is valid.
    virtual double usual_max(Band band) const = 0;
    virtual double value(std::size_t y, std::size_t x) const = 0;

    /// The tests of PixelWindow.
    virtual bool above_threshold(std::size_t y, std::size_t x) const = 0;
    virtual bool signal(std::size_t y, std::size_t x) const = 0;
    virtual bool dispersed(std::size_t y, std::size_t x) const = 0;
    virtual bool over_background(std::size_t y, std::size_t x, const BitImage& kept) const = 0;
    /// Tests the counts of a band that are excluded from sums and below `end`, and appends the signal.
    virtual void large_counts(Band band, double end, const SignalList& found) const = 0;

    /// The loops of row_loops.h: for row y.
    virtual void widen(std::size_t y, double* values, std::uint8_t* valid) const = 0;
    /// Integers: for row y.
    virtual void compact(std::size_t y, std::uint16_t* counts) const = 0;
    /// Integers: for n pixels from (y, x) on.
    virtual void validity(std::size_t y, std::size_t x, std::size_t n, std::uint8_t* valid) const = 0;
    /// The loops of column_loops.h. For integers: n columns from (y, x) on, and 1, 2 or 4 rows.
    virtual void sum_rows(std::size_t y, std::size_t x, std::size_t rows, std::size_t n, std::uint16_t cap,
                          rows::ColumnSums out) const = 0;
    /// Integers: for n pixels from (y, x) on.
    virtual void add_background(std::size_t y, std::size_t x, std::size_t n, const std::uint8_t* kept,
                                std::uint32_t* sums, std::uint16_t* numbers) const = 0;
};

/// The image of a frame that begins at `origin`; refers to all arguments. Throws ks::Error(run) for 64-bit
/// pixels other than i64.
std::unique_ptr<SlidingImage> sliding_image(const ImageView& frame, const ModuleLayout& layout,
                                            ModuleLayout::Origin origin, const Thresholds& t,
                                            const DispersionTest& test);

}  // namespace ks::spots
