#include "core/spots/grouping/spot_sums.h"

namespace ks::spots {

bool whole_in_doubles(double sum, double squares, double background, double extent) {
    constexpr double most = 9007199254740992.0;  // 2^53
    return squares < most && background < most && 4 * sum * extent * extent < most;
}

SpotSums::SpotSums(std::uint32_t frame, std::uint32_t y, std::uint32_t x)
    : first_{x, y, frame},
      x0_(x),
      x1_(x + 1),
      y0_(y),
      y1_(y + 1),
      z0_(frame),
      z1_(frame + 1),
      peak_at_{frame, y, x} {}

SpotSums::SpotSums(const GroupedSpots& spots, std::size_t i) {
    const SpotRecord& record = spots[i];
    struct Place {
        std::uint32_t z, y, x;
    };
    // In 32 bits, since division takes half as long.
    const auto pixels = static_cast<std::uint32_t>(spots.frame_pixels()),
               width = static_cast<std::uint32_t>(spots.width);
    const auto place = [&](std::uint32_t pixel) {
        const std::uint32_t frame = pixel / pixels, in_frame = pixel - frame * pixels, y = in_frame / width;
        return Place{spots.frames[frame], y, in_frame - y * width};
    };
    const Place first = place(static_cast<std::uint32_t>(record.first)),
                peak = place(static_cast<std::uint32_t>(~record.peak));
    first_ = {first.x, first.y, first.z};
    n_ = record.n;
    x0_ = record.x0, x1_ = record.x1, y0_ = record.y0, y1_ = record.y1;
    z0_ = first.z;
    z1_ = spots.frames[record.z1 - 1] + 1;
    sum_ = static_cast<double>(record.sum);
    squares_ = static_cast<double>(record.squares);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        moment_[axis] = static_cast<double>(record.moment[axis]);
        second_[axis] = static_cast<double>(record.second[axis]);
    }
    peak_ = static_cast<double>(record.peak >> 32);
    peak_at_ = {peak.z, peak.y, peak.x};
    background_ = static_cast<double>(record.background);
    background_pixels_ = record.background_pixels;
    saturated_ = record.saturated;
}

bool SpotSums::exact() const {
    return whole_in_doubles(sum_, squares_, background_, std::max({x1_ - x0_, y1_ - y0_, z1_ - z0_}));
}

void SpotSums::add_background(double sum, std::uint64_t pixels, std::uint32_t saturated) {
    background_ += sum;
    background_pixels_ += pixels;
    saturated_ += saturated;
}

void SpotSums::move_frames(std::uint32_t frames) {
    first_[2] += frames;
    z0_ += frames;
    z1_ += frames;
    peak_at_[0] += frames;
}

void SpotSums::add(const SpotSums& other) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double shift = static_cast<double>(other.first_[axis]) - first_[axis];
        second_[axis] += other.second_[axis] + 2 * shift * other.moment_[axis] + shift * shift * other.sum_;
        moment_[axis] += other.moment_[axis] + shift * other.sum_;
    }
    if (other.peak_ > peak_ || (other.peak_ == peak_ && other.peak_at_ < peak_at_)) {
        peak_ = other.peak_;
        peak_at_ = other.peak_at_;
    }
    n_ += other.n_;
    sum_ += other.sum_;
    squares_ += other.squares_;
    x0_ = std::min(x0_, other.x0_);
    x1_ = std::max(x1_, other.x1_);
    y0_ = std::min(y0_, other.y0_);
    y1_ = std::max(y1_, other.y1_);
    z0_ = std::min(z0_, other.z0_);
    z1_ = std::max(z1_, other.z1_);
    add_background(other.background_, other.background_pixels_, other.saturated_);
}

Spot SpotSums::spot() const {
    Spot spot;
    spot.n_signal = n_;
    spot.x0 = x0_, spot.x1 = x1_, spot.y0 = y0_, spot.y1 = y1_, spot.z0 = z0_, spot.z1 = z1_;
    spot.sum = sum_;
    spot.peak = peak_;
    spot.peak_z = peak_at_[0], spot.peak_y = peak_at_[1], spot.peak_x = peak_at_[2];
    const std::array middle{(x0_ + x1_) / 2.0, (y0_ + y1_) / 2.0, (z0_ + z1_) / 2.0};
    const double spread = sum_ * sum_ - squares_;
    std::array<double, 3> centroid = middle, variance{-1, -1, -1};
    for (std::size_t axis = 0; axis < 3 && sum_ > 0; ++axis) {
        const double mean = moment_[axis] / sum_;
        centroid[axis] = first_[axis] + mean + 0.5;
        if (spread > 0)
            variance[axis] = std::max(0.0, second_[axis] - moment_[axis] * mean) / spread + 1.0 / 12;
    }
    spot.x = centroid[0], spot.y = centroid[1], spot.z = centroid[2];
    spot.var_x = variance[0], spot.var_y = variance[1], spot.var_z = variance[2];
    spot.saturated = saturated_;
    if (background_pixels_ > 0) spot.background = background_ / static_cast<double>(background_pixels_);
    return spot;
}

}  // namespace ks::spots
