// How long it takes to make a partition of a large detector, from rings or levels to the pixels of each bin.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/data/partition/partition_builder.h"

namespace {

constexpr std::size_t height = 4362, width = 4148;
constexpr std::size_t runs = 15;

/// Milliseconds of all runs, sorted.
std::vector<double> measure(const std::function<std::size_t()>& make) {
    std::vector<double> times;
    for (std::size_t run = 0; run <= runs; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        const std::size_t selected = make();
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        if (selected == 0) fmt::print(stderr, "no pixel is in a bin\n");
        // The first run warms up.
        if (run > 0) times.push_back(time.count());
    }
    std::ranges::sort(times);
    return times;
}

void print_row(const std::string& name, const std::function<std::size_t()>& make) {
    const std::vector<double> times = measure(make);
    fmt::print("| {} | {:.1f} ms | {:.1f} .. {:.1f} ms |\n", name, times[runs / 2], times[runs / 4],
               times[runs - 1 - runs / 4]);
}

/// Labels that change from pixel to pixel: the worst case of sorting them.
std::vector<std::int32_t> scattered(std::int32_t bins) {
    std::mt19937 random(1);
    std::uniform_int_distribution<std::int32_t> label(0, bins);
    std::vector<std::int32_t> labels(height * width);
    for (std::int32_t& value : labels) value = label(random);
    return labels;
}

}  // namespace

int main() {
    ks::PartitionRecipe recipe;
    recipe.geometry = {1.0, 5000.0, 2101.3, 2210.7, 75.0, 75.0};
    recipe.in_q = true;
    recipe.radial = ks::linear_levels(0.01, recipe.geometry.q(width, height), 50);
    ks::PartitionRecipe sectors = recipe;
    sectors.sectors = 8;
    ks::PartitionRecipe finer = sectors;
    finer.static_per_radial = finer.static_per_sector = 4;
    ks::PartitionRecipe many = recipe;
    many.radial = ks::linear_levels(0.0, recipe.geometry.q(width, height), 2777);
    many.sectors = 360;
    ks::PixelMask mask{height, width, std::vector<std::uint8_t>(height * width, 0)};
    for (std::size_t pixel = 0; pixel < mask.ignore.size(); pixel += 97) mask.ignore[pixel] = 1;
    const std::vector<std::int32_t> few_labels = scattered(50), many_labels = scattered(1'000'000);

    fmt::print("| {} x {} pixels | median of {} | quartiles |\n|---|---|---|\n", width, height, runs);
    print_row("50 rings of 60 pixels", [] {
        return ks::QPartition::from_rings(height, width, {2101.3, 2210.7, 10, 60, 50}).selected();
    });
    const auto build = [](const ks::PartitionRecipe& from, const ks::PixelMask* masked = nullptr) {
        return ks::build_partition(height, width, from, masked).selected();
    };
    print_row("50 levels of q", [&] { return build(recipe); });
    print_row("50 levels of q in 8 sectors", [&] { return build(sectors); });
    print_row("the same with a mask", [&] { return build(sectors, &mask); });
    print_row("the same, 4 x 4 static bins in each",
              [&] { return ks::build_static_partition(height, width, finer).labels.selected(); });
    print_row("2777 levels of q in 360 sectors", [&] { return build(many); });
    print_row("labels 0 to 50 at random, to bins",
              [&] { return ks::QPartition(height, width, few_labels).selected(); });
    print_row("labels 0 to 1,000,000 at random, to bins",
              [&] { return ks::QPartition(height, width, many_labels).selected(); });
    return 0;
}
