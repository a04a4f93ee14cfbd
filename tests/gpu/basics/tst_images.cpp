// Samplers of devices against those of the standard, in every mode, and those against values by hand.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/basics/images/sampler.h"
#include "tests/frame_samples.h"
#include "tests/gpu/basics/exercise_runs.h"
#include "tests/png_samples.h"

namespace ks::tests::samplers {
namespace {

namespace fs = std::filesystem;
using basics::Addressing;

ParameterSet sampled(const char* addressing, const char* filter, bool normalised, double zoom, double shift) {
    return {{"width", std::int64_t{37}},
            {"height", std::int64_t{19}},
            {"addressing", std::string(addressing)},
            {"filter", std::string(filter)},
            {"normalised", normalised},
            {"zoom", zoom},
            {"shift_x", shift},
            {"shift_y", -2 * shift}};
}

TEST(Images, are_sampled_as_the_standard_says_in_every_mode) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* addressing : {"clamp_to_edge", "clamp", "none", "repeat", "mirrored_repeat"})
            for (const char* filter : {"nearest", "linear"})
                for (const bool normalised : {false, true}) {
                    if (!normalised && std::string(addressing).ends_with("repeat")) continue;
                    for (const double zoom : {1.0, 0.3, 2.7})
                        for (const double shift : {0.0, 5.3}) {
                            const auto set = sampled(addressing, filter, normalised, zoom, shift);
                            const ks::Run run = run_with("images", "sampler", device, set);
                            EXPECT_EQ(run.verdict.state, Verdict::State::pass)
                                << addressing << " " << filter << (normalised ? " normalised" : "")
                                << " zoom " << zoom << " shift " << shift << ": " << run.verdict.text;
                        }
                }
    });
}

TEST(Images, are_copied_where_nothing_is_shifted) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run =
            run_with("images", "sampler", device, sampled("clamp_to_edge", "nearest", false, 1, 0));
        EXPECT_EQ(run.result.at("sampled").values, run.result.at("source").values);
        EXPECT_NE(text_of(run.result.at("formats")).find("RGBA"), std::string::npos);
    });
}

TEST(Images, modes_without_their_coordinates_are_refused) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* addressing : {"repeat", "mirrored_repeat"})
            EXPECT_NE(refusal_of("images", "sampler", device, sampled(addressing, "linear", false, 1, 0))
                          .find("needs normalised coordinates"),
                      std::string::npos);
    });
}

TEST(Images, a_wrong_pixel_fails_the_check) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* filter : {"nearest", "linear"}) {
            const auto set = sampled("clamp", filter, false, 1.5, 0.25);
            ks::Run run = run_with("images", "sampler", device, set);
            run.result.datasets.at(0).values.as<float>()[5 * 37 + 7] += 0.03F;
            Progress progress;
            const Verdict verdict = engine().registry().analysis("images").check(
                *problem_with("images", set), run, CheckMode::full, progress);
            EXPECT_EQ(verdict.state, Verdict::State::fail);
            EXPECT_EQ(verdict.where, "sampled, row 5, column 7");
        }
    });
}

using Size = std::pair<std::int64_t, std::int64_t>;
const std::vector<Size> odd_sizes = {{1, 1}, {2, 3}, {37, 19}, {64, 1}, {1, 65}, {63, 64}, {100, 10}};

ParameterSet of_size(const Size& size, ParameterSet more) {
    more.insert({{"width", size.first}, {"height", size.second}, {"depth", std::int64_t{3}}});
    return more;
}

ParameterValue word(const char* text) {
    return std::string(text);
}

bool is_pocl(const DeviceInfo& device) {
    return device.platform_version.find("PoCL") != std::string::npos;
}

ParameterSet awry(const Size& size, const char* kind, const char* addressing, const char* filter,
                  bool normalised) {
    return of_size(size, {{"kind", word(kind)},
                          {"addressing", word(addressing)},
                          {"filter", word(filter)},
                          {"normalised", normalised},
                          {"zoom", 0.7},
                          {"shift_x", 1.3},
                          {"shift_y", -2.6},
                          {"shift_z", 0.4}});
}

TEST(Images, of_every_kind_are_sampled_as_the_standard_says) {
    on_each_device([](const DeviceInfo& device) {
        for (const std::string kind : {"2d", "1d", "3d", "1d_array", "2d_array"})
            for (const Size& size : odd_sizes)
                for (const char* addressing : {"clamp_to_edge", "clamp", "mirrored_repeat"})
                    for (const char* filter : {"nearest", "linear"})
                        for (const bool normalised : {false, true}) {
                            if (!normalised && std::string(addressing) == "mirrored_repeat") continue;
                            if (normalised && kind.ends_with("array") && is_pocl(device)) continue;
                            const auto set = awry(size, kind.c_str(), addressing, filter, normalised);
                            for (int time = 0; time < 2; ++time) {
                                const ks::Run run = run_with("images", "sampler", device, set);
                                EXPECT_EQ(run.verdict.state, Verdict::State::pass)
                                    << kind << " " << size.first << " x " << size.second << " " << addressing
                                    << " " << filter << ": " << run.verdict.text;
                            }
                        }
    });
}

TEST(Images, of_arrays_name_PoCL_where_it_normalises_layers) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* kind : {"1d_array", "2d_array"}) {
            const ks::Run run =
                run_with("images", "sampler", device, awry({37, 19}, kind, "clamp_to_edge", "nearest", true));
            if (run.verdict.state == Verdict::State::pass) continue;
            EXPECT_TRUE(is_pocl(device));
            EXPECT_NE(run.verdict.text.find("PoCL 3.1 scales it"), std::string::npos) << run.verdict.text;
        }
    });
}

TEST(Images, of_every_channel_type_are_sampled_into_images_and_buffers) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* kind : {"2d", "1d", "3d", "1d_array", "2d_array"})
            for (const char* type : {"float", "unorm_int8", "signed_int32", "unsigned_int16"})
                for (const char* into_buffer : {"0", "1"})
                    for (const Size& size : {Size{1, 1}, Size{37, 19}, Size{64, 1}}) {
                        const ParameterSet set =
                            of_size(size, {{"kind", word(kind)}, {"channel_type", word(type)}});
                        Request request = request_of("images", "sampler", device);
                        request.parameters = set;
                        request.check = CheckMode::full;
                        request.defines = {{"INTO_BUFFER", into_buffer}};
                        Progress progress;
                        const ks::Run run = engine().run(request, problem_with("images", set), progress);
                        EXPECT_EQ(run.verdict.state, Verdict::State::pass)
                            << kind << " " << type << " into buffer " << into_buffer << ", " << size.first
                            << " x " << size.second << ": " << run.verdict.text;
                        EXPECT_EQ(run.verdict.tolerance, 0);
                    }
        const ks::Run linear = run_with("images", "sampler", device,
                                        of_size({37, 19}, {{"kind", word("3d")},
                                                           {"channel_type", word("unorm_int8")},
                                                           {"filter", word("linear")},
                                                           {"shift_z", 0.3}}));
        EXPECT_EQ(linear.verdict.state, Verdict::State::pass) << linear.verdict.text;
    });
}

TEST(Images, of_integers_are_read_by_functions_of_their_own) {
    on_each_device([](const DeviceInfo& device) {
        const std::map<std::string, std::string> readers = {{"float", "read_imagef"},
                                                            {"unorm_int8", "read_imagef"},
                                                            {"signed_int32", "read_imagei"},
                                                            {"unsigned_int16", "read_imageui"}};
        for (const auto& [type, reader] : readers) {
            ParameterSet set = {{"channel_type", type}};
            const ks::Run run = run_with("images", "sampler", device, of_size({37, 19}, set));
            EXPECT_NE(run.builds.at(0).options.find("-DREAD=" + reader), std::string::npos);
            set.emplace("filter", word("linear"));
            if (reader == "read_imagef") continue;
            EXPECT_NE(refusal_of("images", "sampler", device, set).find("not defined for"),
                      std::string::npos);
        }
        const ks::Run run = run_with("images", "sampler", device,
                                     of_size({37, 19}, {{"channel_type", word("signed_int32")}}));
        const std::vector<double> values = run.result.at("source").values.to_doubles();
        EXPECT_LT(std::ranges::min(values), -1e6) << "negative numbers are read too";
        EXPECT_GT(std::ranges::max(values), 1e6);
    });
}

TEST(Images, in_which_a_layer_or_slice_is_taken_for_another_fail_the_check) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* kind : {"3d", "2d_array"}) {
            const ParameterSet set = of_size({9, 5}, {{"kind", word(kind)}, {"zoom", 1.0}});
            ks::Run run = run_with("images", "sampler", device, set);
            EXPECT_EQ(run.result.at("sampled").values.shape(), (std::vector<std::size_t>{3, 5, 9}));
            const auto values = run.result.datasets.at(0).values.as<float>();
            std::swap_ranges(values.begin(), values.begin() + 45, values.begin() + 45);
            Progress progress;
            const Verdict verdict = engine().registry().analysis("images").check(
                *problem_with("images", set), run, CheckMode::full, progress);
            EXPECT_EQ(verdict.state, Verdict::State::fail);
            EXPECT_NE(verdict.where.find("slice "), std::string::npos) << verdict.where;
        }
    });
}

TEST(Images, larger_than_the_device_takes_are_refused) {
    on_each_device([](const DeviceInfo& device) {
        const Size long_row = {16384, 1}, rows = {2, 16384};
        const std::string layers =
            refusal_of("images", "sampler", device, of_size(rows, {{"kind", word("1d_array")}}));
        EXPECT_NE(layers.find("16384 rows of 2 pixels is too large"), std::string::npos) << layers;
        if (!is_pocl(device)) return;  // others may take slices as wide as a picture can be
        const std::string slices =
            refusal_of("images", "sampler", device, of_size(long_row, {{"kind", word("3d")}}));
        EXPECT_NE(slices.find("16384 x 1 x 3 is too large"), std::string::npos) << slices;
    });
}

TEST(Images, transposed_have_columns_for_rows) {
    on_each_device([](const DeviceInfo& device) {
        for (const Size& size : odd_sizes)
            for (const char* variant : {"sampler", "host.reference"}) {
                const ParameterSet set = of_size(size, {{"transposed", true}, {"zoom", 1.0}});
                Request request = request_of("images", variant, device);
                if (std::string(variant) == "host.reference") request.device = "host";
                request.parameters = set;
                request.check = CheckMode::full;
                Progress progress;
                const ks::Run run = engine().run(request, problem_with("images", set), progress);
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
                const auto width = static_cast<std::size_t>(size.first),
                           height = static_cast<std::size_t>(size.second);
                ASSERT_EQ(run.result.at("sampled").values.shape(), (std::vector{width, height}));
                const auto sampled = run.result.at("sampled").values.as<float>();
                const auto source = run.result.at("source").values.as<float>();
                for (std::size_t y = 0; y < height; ++y)
                    for (std::size_t x = 0; x < width; ++x)
                        ASSERT_EQ(sampled[x * height + y], source[y * width + x]);
            }
        EXPECT_NE(refusal_of("images", "sampler", device, {{"transposed", true}, {"kind", word("3d")}})
                      .find("only 2d images can be transposed, found the kind 3d"),
                  std::string::npos);
    });
}

TEST(Images, copied_with_the_row_first_are_the_same) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* type : {"float", "unorm_int8", "signed_int32", "unsigned_int16"})
            for (const Size& size : odd_sizes) {
                const ParameterSet set = of_size(size, {{"channel_type", word(type)}, {"shift_x", 2.0}});
                const ks::Run run = run_with("images", "rows.first", device, set);
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
                EXPECT_EQ(run.result.at("sampled").values,
                          run_with("images", "sampler", device, set).result.at("sampled").values);
            }
    });
}

bool offered(const char* variant, const DeviceInfo& device) {
    return std::ranges::any_of(engine().offers("images", device), [&](const Offer& offer) {
        return offer.variant.id == variant && offer.why_not.empty();
    });
}

TEST(Images, are_mirrored_in_place_where_one_is_read_and_written) {
    on_each_device([](const DeviceInfo& device) {
        // PoCL 3 has __opencl_c_read_write_images
        if (!offered("read.write", device)) {
            EXPECT_FALSE(is_pocl(device));
            return;
        }
        if (!is_pocl(device)) {
            // A compiler may take what the device has no format for.
            const ParameterSet set = of_size({4, 3}, {{"mirrored", true}, {"zoom", 1.0}});
            try {
                run_with("images", "read.write", device, set);
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()).find("kernels that read and write"), std::string::npos)
                    << error.what();
                return;
            }
        }
        for (const char* type : {"float", "unorm_int8", "signed_int32", "unsigned_int16"})
            for (const Size& size : odd_sizes)
                for (int time = 0; time < 2; ++time) {
                    const ParameterSet set =
                        of_size(size, {{"channel_type", word(type)}, {"mirrored", true}, {"zoom", 1.0}});
                    const ks::Run run = run_with("images", "read.write", device, set);
                    EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
                    const auto sampled = run.result.at("sampled").values.as<float>();
                    const auto source = run.result.at("source").values.as<float>();
                    const auto width = static_cast<std::size_t>(size.first);
                    for (std::size_t i = 0; i < source.size(); ++i)
                        ASSERT_EQ(sampled[i], source[i - i % width + width - 1 - i % width]);
                }
        for (const ParameterSet& set :
             {ParameterSet{}, ParameterSet{{"mirrored", true}},
              ParameterSet{{"mirrored", true}, {"zoom", 1.0}, {"shift_x", 0.5}},
              ParameterSet{{"mirrored", true}, {"zoom", 1.0}, {"filter", word("linear")}}})
            EXPECT_NE(refusal_of("images", "read.write", device, set).find("read.write requires"),
                      std::string::npos);
    });
}

ks::Run run_of_file(const std::string& variant, const DeviceInfo& device, const std::string& file,
                    const ParameterSet& parameters) {
    Request request = request_of("images", variant, device);
    if (variant == "host.reference") request.device = "host";
    request.parameters = parameters;
    request.inputs["picture"] = {file, {}};
    request.check = CheckMode::full;
    Progress progress;
    return engine().run(request, progress);
}

class ImagesOfFiles : public ::testing::Test {
  protected:
    ImagesOfFiles() {
        std::string pattern = (fs::temp_directory_path() / "kernelscope-images-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = pattern;
    }
    ~ImagesOfFiles() override { fs::remove_all(folder_); }
    std::string at(const char* name) const { return (folder_ / name).string(); }

  private:
    fs::path folder_;
};

TEST_F(ImagesOfFiles, in_colour_are_copied_channel_by_channel) {
    const std::vector<std::string> colours = {"red", "green", "blue", "alpha"};
    const std::vector<std::pair<int, std::size_t>> types = {{PNG_COLOR_TYPE_RGB, 3},
                                                            {PNG_COLOR_TYPE_RGB_ALPHA, 4}};
    on_each_device([&](const DeviceInfo& device) {
        for (const auto& [type, channels] : types) {
            const auto rows = png_rows(37 * channels, 19);
            write_png_sample(at("x.png"), 37, rows, {.colour_type = type});
            for (const char* variant : {"sampler", "rows.first", "host.reference"}) {
                const ks::Run run = run_of_file(variant, device, at("x.png"), {{"zoom", 1.0}});
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
                EXPECT_EQ(run.verdict.samples, 37 * 19 * channels);
                EXPECT_EQ(run.result.facts.at("channel_type"), "UNORM_INT8");
                EXPECT_EQ(run.result.find("sampled_alpha") != nullptr, channels == 4);
                for (std::size_t channel = 0; channel < channels; ++channel) {
                    const auto values = run.result.at("sampled_" + colours[channel]).values.as<float>();
                    for (std::size_t i = 0; i < values.size(); ++i)
                        ASSERT_EQ(std::lround(values[i] * 255), rows[i / 37][i % 37 * channels + channel]);
                }
            }
            for (const char* set : {"float", "unsigned_int16", "signed_int32"})
                EXPECT_EQ(run_of_file("sampler", device, at("x.png"),
                                      {{"channel_type", word(set)}, {"kind", word("2d_array")}})
                              .verdict.state,
                          Verdict::State::pass);
        }
    });
}

TEST_F(ImagesOfFiles, in_grey_have_one_channel_and_are_filtered) {
    write_png_sample(at("grey.png"), 37, png_rows(37, 19), {.colour_type = PNG_COLOR_TYPE_GRAY});
    on_each_device([&](const DeviceInfo& device) {
        const ks::Run run = run_of_file("sampler", device, at("grey.png"), {{"filter", word("linear")}});
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        EXPECT_NE(run.result.find("sampled"), nullptr);
    });
}

TEST_F(ImagesOfFiles, that_do_not_fit_the_channel_type_are_refused) {
    std::ofstream(at("none.png")) << "no picture at all";
    std::ofstream(at("none.txt")) << "no picture either";
    write_npy_sample(at("x.npy"), Array::of<float>({1, 2}, {0.5F, 7.25F}));
    write_npy_sample(at("counts.npy"), Array::of<std::int32_t>({1, 2}, {-1, 70000}));
    on_each_device([&](const DeviceInfo& device) {
        const auto refusal = [&](const char* file, const char* type) -> std::string {
            try {
                run_of_file("sampler", device, at(file), {{"channel_type", word(type)}});
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
                return error.what();
            }
            return {};
        };
        EXPECT_NE(refusal("none.png", "float").find("not a PNG file"), std::string::npos);
        EXPECT_NE(refusal("none.txt", "float").find("expected a picture in PNG, HDF5"), std::string::npos);
        EXPECT_TRUE(
            refusal(".", "float")
                .ends_with(
                    "expected a picture in PNG, HDF5, TIFF, NumPy, CBF or EDF format, found a directory"))
            << refusal(".", "float");
        EXPECT_NE(refusal("x.npy", "unorm_int8")
                      .find("expected values from 0 to 1 for UNORM_INT8, found 7.25 at row 0, column 1"),
                  std::string::npos);
        EXPECT_NE(refusal("x.npy", "signed_int32").find("whole numbers from -16777216 to 16777216"),
                  std::string::npos);
        EXPECT_NE(refusal("counts.npy", "unsigned_int16").find("whole numbers from 0 to 65535"),
                  std::string::npos);
        EXPECT_EQ(refusal("counts.npy", "signed_int32"), "");
        EXPECT_EQ(refusal("x.npy", "float"), "");
    });
}

TEST(Images, are_memory_of_the_device) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("images", "sampler", device,
                                     {{"width", std::int64_t{70}},
                                      {"height", std::int64_t{50}},
                                      {"channel_type", std::string("float")}});
        // One that is sampled and one that is filled, both of four floats a pixel.
        EXPECT_GE(run.device_bytes_peak, 2U * 70 * 50 * 4 * 4);
    });
}

TEST(Samplers, of_the_host_give_values_known_by_hand) {
    const std::vector<float> values = {1, 2, 4, 8};
    const basics::Picture row{values, 4, 1};
    const auto nearest = [&](Addressing mode, double u) { return nearest_value(row, mode, u, 0.5); };
    EXPECT_EQ(nearest(Addressing::clamp_to_edge, -3), 1);
    EXPECT_EQ(nearest(Addressing::clamp, -3), 0);
    EXPECT_EQ(nearest(Addressing::repeat, -0.5), 8);
    EXPECT_EQ(nearest(Addressing::repeat, 5.5), 2);
    EXPECT_EQ(nearest(Addressing::mirrored_repeat, -0.5), 1);
    EXPECT_EQ(nearest(Addressing::mirrored_repeat, 4.5), 8);
    EXPECT_EQ(nearest(Addressing::mirrored_repeat, 8.5), 1);
    const auto linear = [&](Addressing mode, double u) { return linear_value(row, mode, u, 0.5); };
    EXPECT_EQ(linear(Addressing::clamp_to_edge, 1.5), 2);
    EXPECT_EQ(linear(Addressing::clamp_to_edge, 2), 3);
    EXPECT_EQ(linear(Addressing::clamp_to_edge, 0), 1);
    EXPECT_EQ(linear(Addressing::clamp, 0), 0.5) << "half of the border, which is 0";
    EXPECT_EQ(linear(Addressing::repeat, 4), 4.5) << "between the last and the first";
    EXPECT_EQ(linear(Addressing::mirrored_repeat, 4), 8);
}

TEST(Samplers, of_the_host_do_not_address_layers) {
    const std::vector<float> values = {1, 2, 3, 4};
    const basics::Picture layers{values, 2, 2, 1, 1};
    for (const Addressing mode : {Addressing::clamp, Addressing::repeat, Addressing::mirrored_repeat}) {
        EXPECT_EQ(nearest_value(layers, mode, 0.5, -5), 1);
        EXPECT_EQ(nearest_value(layers, mode, 0.5, 7.5), 3);
        EXPECT_EQ(linear_value(layers, mode, 1, 1.9), 3.5) << "between its pixels, not between layers";
    }
    EXPECT_EQ(nearest_value(layers, Addressing::clamp, -1, 0.5), 0);
}

TEST(Samplers, of_the_host_weigh_eight_voxels) {
    const std::vector<float> values = {0, 1, 2, 3, 4, 5, 6, 7};
    const basics::Picture cube{values, 2, 2, 2, 3};
    EXPECT_EQ(nearest_value(cube, Addressing::clamp, 1.5, 0.5, 1.5), 5);
    EXPECT_EQ(nearest_value(cube, Addressing::clamp, 1.5, 0.5, 2.5), 0);
    EXPECT_EQ(nearest_value(cube, Addressing::repeat, 1.5, 0.5, 2.5), 1);
    EXPECT_EQ(linear_value(cube, Addressing::clamp, 1, 1, 1), 3.5);
    EXPECT_EQ(linear_value(cube, Addressing::clamp, 0.5, 0.5, 1.25), 3);
    EXPECT_EQ(linear_value(cube, Addressing::clamp, 0.5, 0.5, 2), 2) << "half of 4, half of the border";
    const basics::Range range = values_around(cube, Addressing::clamp_to_edge, 1, 1, 1);
    EXPECT_EQ(range.low, 0);
    EXPECT_EQ(range.high, 7);
}

}  // namespace
}  // namespace ks::tests::samplers
