// Frames whose chunk is truncated or holds other bytes than were written are named; those beside them are
// read.

#include <fmt/format.h>

#include <optional>

#include "core/data/damaged_frame.h"
#include "core/io/open_frames.h"
#include "tests/core/io/damaged_stack.h"

namespace ks::tests::damaged_chunks {

constexpr std::size_t frames = 6, height = 40, width = 50;

std::vector<std::uint16_t> counts(std::size_t seed = 0) {
    std::vector<std::uint16_t> values(frames * height * width);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::uint16_t>((i * 2654435761U + seed) >> 7 & 31);
    return values;
}

/// The frame that reading [first, first + count) finds damaged; nothing where it reads all.
std::optional<std::size_t> damaged_in(FrameSource& source, std::size_t first, std::size_t count) {
    std::vector<std::byte> place(count * source.frame_bytes());
    try {
        source.read(first, count, place);
    } catch (const DamagedFrame& found) {
        return found.frame();
    }
    return std::nullopt;
}

std::vector<std::uint16_t> values_of(FrameSource& source, std::size_t frame) {
    std::vector<std::uint16_t> values(source.pixels());
    source.read(frame, 1, std::as_writable_bytes(std::span(values)));
    return values;
}

using DamagedChunks = IoTest;

TEST_F(DamagedChunks, name_their_frames_and_leave_the_others) {
    for (const StackFilters& filters : stack_filters()) {
        const std::string file = at(std::string(filters.name) + ".h5");
        {
            TestFile made(file);
            write_stack(made, "/data", frames, height, width, counts(), filters);
        }
        damage(file, "/data", 1, Damage::overwritten);
        damage(file, "/data", 4, Damage::truncated);
        const auto source = io::open_frames(file);
        const std::vector<std::uint16_t> expected = counts();
        for (std::size_t frame = 0; frame < frames; ++frame) {
            if (frame == 1 || frame == 4) {
                EXPECT_EQ(damaged_in(*source, frame, 1), frame) << filters.name;
                EXPECT_TRUE(source->written(frame));
                continue;
            }
            const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(frame * height * width);
            EXPECT_EQ(values_of(*source, frame), std::vector(begin, begin + height * width)) << filters.name;
        }
        EXPECT_EQ(damaged_in(*source, 0, frames), 1U) << filters.name;
        EXPECT_EQ(damaged_in(*source, 2, frames - 2), 4U) << filters.name;
        EXPECT_EQ(damaged_in(*source, 2, 2), std::nullopt) << filters.name;
        EXPECT_TRUE(contains(input_error([&] { values_of(*source, 4); }),
                             {file, "frame 4 cannot be read", "truncated or damaged"}));
    }
}

TEST_F(DamagedChunks, of_a_series_are_counted_as_the_series_counts) {
    const StackFilters& gzip = stack_filters().front();
    {
        TestFile master(at("master.h5")), rows(at("rows.h5"));
        for (std::size_t part = 1; part <= 3; ++part) {
            const std::string file = fmt::format("part_{}.h5", part);
            {
                TestFile made(at(file));
                write_stack(made, "/data", frames, height, width, counts(part), gzip);
            }
            master.external_link(fmt::format("/entry/data/data_{:06}", part), file, "/data");
        }
        for (std::size_t i = 0; i < 4; ++i)
            rows.ramp(fmt::format("/scan/frame_{}", i), {height, width}, {height, width},
                      [](hid_t p) { H5Pset_deflate(p, 4); });
    }
    damage(at("part_2.h5"), "/data", 3, Damage::truncated);
    damage(at("rows.h5"), "/scan/frame_2", 0, Damage::overwritten);
    const auto series = io::open_frames(at("master.h5"));
    EXPECT_EQ(damaged_in(*series, 0, 3 * frames), frames + 3);
    EXPECT_EQ(damaged_in(*series, frames + 4, 2 * frames - 4), std::nullopt);
    EXPECT_TRUE(contains(input_error([&] { values_of(*series, frames + 3); }),
                         {"frame 9 cannot be read", "data_000002"}));
    const auto numbered = io::open_frames(at("rows.h5"));
    EXPECT_EQ(damaged_in(*numbered, 0, 4), 2U);
    EXPECT_EQ(damaged_in(*numbered, 3, 1), std::nullopt);
}

TEST_F(DamagedChunks, of_several_frames_damage_each_of_these) {
    {
        TestFile made(at("f.h5"));
        made.ramp("/data", {frames, height, width}, {2, height, width},
                  [](hid_t p) { H5Pset_deflate(p, 4); });
    }
    damage(at("f.h5"), "/data", 2, Damage::overwritten);
    const auto source = io::open_frames(at("f.h5"));
    for (std::size_t frame = 0; frame < frames; ++frame)
        EXPECT_EQ(damaged_in(*source, frame, 1),
                  frame == 2 || frame == 3 ? std::optional(frame) : std::nullopt);
    EXPECT_EQ(damaged_in(*source, 0, frames), 2U);
}

}  // namespace ks::tests::damaged_chunks
