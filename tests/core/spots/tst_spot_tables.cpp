#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/io/open_frames.h"
#include "tests/core/spots/collector_fixture.h"

// Tables that DIALS made of its own signal of spots_rotation.h5, with six decimals.

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

Collected rotation(const std::string& file, const char* signal, bool stills) {
    const auto source = io::open_frames(file);
    Collected all{Array(source->type(), {source->frames(), source->height(), source->width()})};
    source->read(0, source->frames(), all.stack.bytes());
    const Array wanted = io::read_array(file + signal, 3);
    const std::size_t pixels = source->pixels();
    for (std::size_t k = 0; k < source->frames(); ++k) {
        auto& indices = all.signals.emplace_back();
        for (std::size_t at = 0; at < pixels; ++at)
            if (wanted.as<std::uint8_t>()[k * pixels + at] != 0)
                indices.push_back(static_cast<std::uint32_t>(at));
    }
    all.grouping = Grouping{};
    all.grouping.stills = stills;
    return all;
}

void expect_table(const char* table, const char* signal, bool stills) {
    const std::string file = reference_data("spots_rotation.h5");
    const auto rows = io::read_array(file + "::/reference/" + table, 2).to_doubles();
    const auto spots = rotation(file, signal, stills).spots();
    constexpr std::size_t columns = 16;
    ASSERT_EQ(spots.size(), rows.size() / columns);
    ASSERT_GT(spots.size(), 100u);
    for (std::size_t i = 0; i < spots.size(); ++i) {
        const Spot& s = spots[i];
        const double found[columns] = {static_cast<double>(s.n_signal),
                                       double(s.x0),
                                       double(s.x1),
                                       double(s.y0),
                                       double(s.y1),
                                       double(s.z0),
                                       double(s.z1),
                                       s.x,
                                       s.y,
                                       s.z,
                                       s.var_x,
                                       s.var_y,
                                       s.var_z,
                                       s.sum,
                                       s.peak,
                                       s.dropped == Dropped::kept ? 1.0 : 0.0};
        for (std::size_t c = 0; c < columns; ++c) {
            const double wanted = rows[i * columns + c];
            if (c >= 7 && c < 13)
                ASSERT_NEAR(found[c], wanted, 1e-6) << "row " << i << " column " << c;
            else
                ASSERT_EQ(found[c], wanted) << "row " << i << " column " << c;
        }
    }
}

}  // namespace

TEST(SpotTables, spots_of_a_rotation_are_those_of_dials) {
    expect_table("spots3d_dispersion", "::/reference/signal_dispersion", false);
}

TEST(SpotTables, spots_of_stills_are_those_of_dials) {
    expect_table("spots2d_dispersion", "::/reference/signal_dispersion", true);
}

TEST(SpotTables, spots_of_the_extended_algorithm_are_those_of_dials) {
    expect_table("spots3d_extended", "::/reference/signal_dispersion_extended", false);
}
