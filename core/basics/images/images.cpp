#include "core/basics/images/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/input/frame_input.h"
#include "core/io/files/data_name.h"
#include "core/io/files/regular_file.h"
#include "core/io/frame_format.h"
#include "core/io/png/png_picture.h"
#include "core/io/series/series.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

/// How a channel type stores values: the range of numbers, and what the fractions 0 and 1 become.
struct Stored {
    double smallest, largest, zero, one;
};

/// 32-bit integers are limited to those that floats represent exactly, since the result is floats.
Stored stored_as(ChannelType type) {
    constexpr double whole = 0x1p24;
    if (type == ChannelType::signed_int32) return {-whole, whole, -whole / 2, whole / 2};
    if (type == ChannelType::unsigned_int16) return {0, 65535, 0, 65535};
    return {0, 255, 0, 255};
}

std::string expected_of(ChannelType type) {
    if (type == ChannelType::unorm_int8) return "values from 0 to 1";
    const Stored stored = stored_as(type);
    return fmt::format("whole numbers from {} to {}", stored.smallest, stored.largest);
}

/// The stored number, not yet rounded if it is a fraction of the range.
double code_of(const SourcePicture& picture, ChannelType type, std::size_t i) {
    using Values = SourcePicture::Values;
    const double value = picture.values[i];
    if (type == ChannelType::f32) return picture.kind == Values::bytes ? value / 255 : value;
    const Stored stored = stored_as(type);
    if (picture.kind == Values::fractions) return stored.zero + value * (stored.one - stored.zero);
    const bool of_255 = picture.kind == Values::bytes || picture.kind == Values::counts;
    const double code = type == ChannelType::unorm_int8 && !of_255 ? value * 255 : value;
    const bool fits = code >= stored.smallest && code <= stored.largest;
    if (!fits || (is_integer(type) && code != std::rint(code)))
        throw Error(
            ErrorKind::input,
            fmt::format("expected {} for {}, found {} at row {}, column {}", expected_of(type), name_of(type),
                        picture.values[i], i / picture.width % picture.height, i % picture.width),
            picture.name, "choose the channel type \"float\"");
    return code;
}

/// From a PNG file.
SourcePicture read_colours(const io::DataName& name, std::size_t depth) {
    if (!name.object.empty())
        throw Error(ErrorKind::input,
                    fmt::format("PNG files contain no objects, but the object {} was given", name.object),
                    name.to_string(), "remove " + name.object + " and the colons");
    const io::PngPicture png = io::read_png(name.file);
    require_picture_memory(png.width, png.height, png.channels * depth, name.to_string());
    SourcePicture picture{.name = name.to_string(),
                          .width = png.width,
                          .height = png.height,
                          .channels = png.channels,
                          .values = std::vector<float>(png.pixels.size()),
                          .kind = SourcePicture::Values::bytes};
    const std::size_t pixels = png.width * png.height;
    for (std::size_t i = 0; i < png.pixels.size(); ++i)
        picture.values[i % png.channels * pixels + i / png.channels] = png.pixels[i];
    return picture;
}

/// In the order of Addressing.
const std::vector<std::string> modes = {"clamp_to_edge", "clamp", "none", "repeat", "mirrored_repeat"};
/// In the order of ImageKind.
const std::vector<std::string> kinds = {"2d", "1d", "3d", "1d_array", "2d_array"};
/// In the order of ChannelType, after the first.
const std::vector<std::string> channel_types = {"automatic", "float", "unorm_int8", "signed_int32",
                                                "unsigned_int16"};

AnalysisInfo images_info() {
    using namespace parameter;
    return {
        .id = "images",
        .title = "Images and samplers",
        .description =
            "Copies a picture through a sampler: addressing outside it, and filtering between its pixels",
        .inputs = {{"picture",
                    "Picture",
                    "",
                    {},
                    false,
                    "A PNG file, or the first frame of a file in " + io::format_titles() +
                        " format; a test picture by default"}},
        .parameters = {
            whole("width", "Width", "px", 256, 1, 16384, "Columns of the test picture"),
            whole("height", "Height", "px", 192, 1, 16384, "Rows of the test picture"),
            choice("kind", "Kind of image", kinds,
                   "Dimensions of the image; 1d: one image per row, 1d_array: one array layer per row"),
            whole("depth", "Depth", "slices", 4, 1, 2048,
                  "Number of slices (3d) or layers (2d_array); each is the picture, darker than the one "
                  "before"),
            choice("channel_type", "Channel type", channel_types,
                   "Storage of channels; automatic: unorm_int8 for a PNG file, else float"),
            choice("addressing", "Addressing", modes, "Addressing mode outside the picture"),
            choice("filter", "Filter", {"nearest", "linear"}, "Filter between pixel centres"),
            flag("normalised", "Normalised coordinates", false,
                 "Use coordinates relative to width and height, as required by repeat and mirrored_repeat"),
            number("zoom", "Zoom", "", 0.5, 1e-3, 1e3, "Magnification about the centre"),
            number("shift_x", "Shift in x", "px", 0, -1e4, 1e4, "Shift of the reading position to the right"),
            number("shift_y", "Shift in y", "px", 0, -1e4, 1e4, "Downward shift of the reading position"),
            number("shift_z", "Shift in z", "slices", 0, -1e4, 1e4, "Shift of the reading position in depth"),
            flag("mirrored", "Mirrored", false, "Swap left and right"),
            flag("transposed", "Transposed", false,
                 "Use the first id as the row that is read and the column that is written, as if x, y were "
                 "confused with row, column"),
            seed_parameter()}};
}

template <class Enum>
Enum chosen(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<Enum>(std::ranges::find(names, name) - names.begin());
}

bool has_slices(ImageKind kind) {
    return kind == ImageKind::d3 || kind == ImageKind::d2_array;
}

/// For one direction: shift, and whether it is reversed.
struct Reading {
    double zoom = 1, shift = 0;
    bool mirrored = false;
};

/// With `none`, coordinates stay between the centres of the outermost pixels, as that mode requires.
std::vector<float> coordinates(std::size_t size, const Reading& reading, const ImagesProblem& problem,
                               bool layers) {
    std::vector<float> all;
    const auto n = static_cast<double>(size);
    for (std::size_t i = 0; i < size; ++i) {
        double at = (static_cast<double>(i) + 0.5 - n / 2) / reading.zoom + n / 2 + reading.shift;
        if (reading.mirrored) at = n - at;
        if (problem.addressing == Addressing::none) at = std::clamp(at, 0.5, n - 0.5);
        all.push_back(static_cast<float>(layers ? std::floor(at) : problem.normalised ? at / n : at));
    }
    return all;
}

/// 0, 1, ...: each layer itself.
std::vector<float> counted(std::size_t size) {
    std::vector<float> all;
    for (std::size_t i = 0; i < size; ++i) all.push_back(static_cast<float>(i));
    return all;
}

void set_coordinates(const ParameterSet& set, ImagesProblem& problem) {
    const double zoom = real(set, "zoom");
    const std::size_t dimensions = problem.dimensions();
    problem.columns =
        coordinates(problem.width, {zoom, real(set, "shift_x"), boolean(set, "mirrored")}, problem, false);
    problem.rows = problem.kind == ImageKind::d1
                       ? counted(problem.height)
                       : coordinates(problem.height, {zoom, real(set, "shift_y")}, problem, dimensions < 2);
    problem.slices = has_slices(problem.kind)
                         ? coordinates(problem.depth, {zoom, real(set, "shift_z")}, problem, dimensions < 3)
                         : counted(1);
}

/// Throws ks::Error(input) for combinations of settings that no device accepts.
void require_defined(const ParameterSet& set, const ImagesProblem& problem) {
    if (!problem.normalised &&
        (problem.addressing == Addressing::repeat || problem.addressing == Addressing::mirrored_repeat))
        throw Error(ErrorKind::input, fmt::format("{} needs normalised coordinates", text(set, "addressing")),
                    "addressing", "turn on the parameter \"normalised\"");
    if (problem.linear && is_integer(problem.type))
        throw Error(
            ErrorKind::input,
            fmt::format("the filter \"linear\" is not defined for the channel type {}, which kernels read "
                        "with {}",
                        name_of(problem.type),
                        problem.type == ChannelType::signed_int32 ? "read_imagei" : "read_imageui"),
            "filter", "choose the filter \"nearest\", or the channel type \"float\" or \"unorm_int8\"");
    if (problem.transposed && problem.kind != ImageKind::d2)
        throw Error(ErrorKind::input,
                    fmt::format("only 2d images can be transposed, found the kind {}", text(set, "kind")),
                    "transposed");
}

/// Empty: that of the picture.
std::optional<ChannelType> channel_type_of(const ParameterSet& set) {
    const auto at = std::ranges::find(channel_types, text(set, "channel_type")) - channel_types.begin();
    if (at == 0) return std::nullopt;
    return static_cast<ChannelType>(at - 1);
}

SourcePicture source_picture(const Request& request, std::size_t depth, const Progress& progress) {
    const ParameterSet& set = request.parameters;
    const auto input = request.inputs.find("picture");
    if (input != request.inputs.end()) return read_picture(input->second, depth);
    const auto width = static_cast<std::size_t>(integer(set, "width"));
    const auto height = static_cast<std::size_t>(integer(set, "height"));
    require_picture_memory(width, height, depth, "images");
    return test_picture(width, height, static_cast<std::uint64_t>(integer(set, "seed")), progress);
}

std::shared_ptr<const Problem> load_images(const Request& request, const Progress& progress) {
    const ParameterSet& set = request.parameters;
    auto problem = std::make_shared<ImagesProblem>();
    problem->addressing = chosen<Addressing>(modes, text(set, "addressing"));
    problem->kind = chosen<ImageKind>(kinds, text(set, "kind"));
    problem->linear = text(set, "filter") == "linear";
    problem->normalised = boolean(set, "normalised");
    problem->transposed = boolean(set, "transposed");
    const std::optional<ChannelType> type = channel_type_of(set);
    problem->type = type.value_or(ChannelType::f32);
    require_defined(set, *problem);
    if (has_slices(problem->kind)) problem->depth = static_cast<std::size_t>(integer(set, "depth"));
    const SourcePicture picture = source_picture(request, problem->depth, progress);
    problem->width = picture.width;
    problem->height = picture.height;
    problem->channels = picture.channels;
    if (!type && picture.kind == SourcePicture::Values::bytes) problem->type = ChannelType::unorm_int8;
    problem->values = slices_of(picture, problem->type, problem->depth);
    set_coordinates(set, *problem);
    for (const char* id : {"kind", "filter", "zoom", "shift_x", "shift_y", "mirrored", "transposed"})
        problem->traits[id] = set.at(id);
    return problem;
}

std::vector<IdleParameter> idle_in_images(const Request& request) {
    std::vector<IdleParameter> idle;
    const auto tell = [&](const char* id, const char* why) {
        if (request.parameters.contains(id)) idle.push_back({id, why});
    };
    if (request.inputs.contains("picture"))
        for (const char* id : {"width", "height", "seed"}) tell(id, "the picture is read from a file");
    const auto given = request.parameters.find("kind");
    const std::string kind = given == request.parameters.end() ? kinds.front() : to_text(given->second);
    if (!has_slices(chosen<ImageKind>(kinds, kind)))
        for (const char* id : {"depth", "shift_z"}) tell(id, "only the kinds 3d and 2d_array have slices");
    if (request.variant == "read.write")
        for (const char* id : {"addressing", "normalised"}) tell(id, "read.write reads without a sampler");
    if (kind == "1d") tell("shift_y", "with the kind 1d each row is a separate image");
    return idle;
}

Traits traits_of_images(const ImagesProblem& problem) {
    return problem.traits;
}

std::string images_setup(const Run& run) {
    if (!run.request.parameters.contains("filter")) return {};
    const ParameterSet& set = run.request.parameters;
    const std::string kind = set.contains("kind") ? text(set, "kind") + ", " : "";
    return kind + text(set, "addressing") + ", " + text(set, "filter");
}

Result sample_on_host(const ImagesProblem& problem, HostContext& context) {
    require_within(context.memory_limit, std::uint64_t{problem.values.size()} * sizeof(float),
                   "the sampled picture", "images");
    std::vector<float> sampled(problem.values.size());
    const auto value = problem.linear ? linear_value : nearest_value;
    Stopwatch watch;
    for (std::size_t channel = 0; channel < problem.channels; ++channel)
        parallel_for(problem.depth * problem.height, context.threads, context.progress, [&](std::size_t row) {
            const std::size_t y = row % problem.height, z = row / problem.height;
            const Picture picture = problem.picture(channel);
            for (std::size_t x = 0; x < problem.width; ++x) {
                const double one =
                    value(picture, problem.addressing, problem.u(x), problem.v(y), problem.w(z));
                sampled[channel * problem.voxels() + problem.place(x, y, z)] =
                    problem.type == ChannelType::unorm_int8 ? rounded_to_byte(one) : static_cast<float>(one);
            }
        });
    add(context.timings, {.stage = "sample", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return images_result(problem, sampled, {});
}

}  // namespace

const char* name_of(ChannelType type) {
    switch (type) {
        case ChannelType::unorm_int8:
            return "UNORM_INT8";
        case ChannelType::signed_int32:
            return "SIGNED_INT32";
        case ChannelType::unsigned_int16:
            return "UNSIGNED_INT16";
        case ChannelType::f32:
            break;
    }
    return "FLOAT";
}

bool is_integer(ChannelType type) {
    return type == ChannelType::signed_int32 || type == ChannelType::unsigned_int16;
}

float rounded_to_byte(double value) {
    return static_cast<float>(std::rint(std::clamp(value, 0.0, 1.0) * 255) / 255);
}

void require_picture_memory(std::size_t width, std::size_t height, std::size_t pieces,
                            const std::string& where) {
    require_memory(std::uint64_t{width} * height * pieces * 32, "the picture", where);
}

SourcePicture test_picture(std::size_t width, std::size_t height, std::uint64_t seed,
                           const Progress& progress) {
    SourcePicture picture{.name = "images", .width = width, .height = height, .values = {}};
    picture.values = exercise_values(width * height, seed, 1, progress);
    for (std::size_t y = 0; y < height; ++y) {
        progress.check();
        for (std::size_t x = 0; x < width; ++x) {
            const float square = (x / 8 + y / 8) % 2 == 0 ? 0.1F : 0.5F;
            const float slope = 0.2F * static_cast<float>(x) / static_cast<float>(width) +
                                0.2F * static_cast<float>(y) / static_cast<float>(height);
            float& value = picture.values[y * width + x];
            value = square + slope + 0.05F * value;
        }
    }
    return picture;
}

SourcePicture read_picture(const InputRef& input, std::size_t depth) {
    if (!input.values) {
        const io::DataName name = io::DataName::parse(input.name);
        if (io::is_png(name.file) || io::suffix_of(name.file) == ".png") return read_colours(name, depth);
        if (io::format_of(name) == nullptr && !io::is_series(name.file)) {
            const std::string expected = fmt::format("a picture in PNG, {} format", io::format_titles());
            io::require_regular(name.file, expected);
            std::error_code failure;
            const bool is_empty = std::filesystem::file_size(name.file, failure) == 0 && !failure;
            throw Error(ErrorKind::input,
                        fmt::format("expected {}, found {}", expected,
                                    is_empty ? "an empty file" : "another kind of file"),
                        name.file.string());
        }
    }
    const auto source = io::open_source(input);
    require_picture_memory(source->width(), source->height(), depth, source->name());
    if (source->pixels() == 0 || source->frames() == 0)
        throw Error(ErrorKind::input, "expected a picture, found none", source->name());
    SourcePicture picture{.name = source->name(),
                          .width = source->width(),
                          .height = source->height(),
                          .values = {},
                          .kind = source->type() == ElementType::u8 ? SourcePicture::Values::counts
                                                                    : SourcePicture::Values::any};
    Array frame(source->type(), {source->height(), source->width()});
    source->read(0, 1, frame.bytes());
    for (const double value : frame.to_doubles()) {
        picture.values.push_back(static_cast<float>(value));
        if (!std::isfinite(picture.values.back()))
            throw Error(ErrorKind::input, "a pixel is not finite as a 32-bit float", source->name());
    }
    return picture;
}

std::vector<float> slices_of(const SourcePicture& picture, ChannelType type, std::size_t depth) {
    const std::size_t pixels = picture.width * picture.height;
    std::vector<float> slices(picture.channels * depth * pixels);
    for (std::size_t i = 0; i < picture.values.size(); ++i) {
        const double code = code_of(picture, type, i);
        for (std::size_t z = 0; z < depth; ++z) {
            const double scaled = code * static_cast<double>(depth - z) / static_cast<double>(depth);
            slices[(i / pixels * depth + z) * pixels + i % pixels] =
                static_cast<float>(type == ChannelType::f32          ? scaled
                                   : type == ChannelType::unorm_int8 ? std::rint(scaled) / 255
                                                                     : std::rint(scaled));
        }
    }
    return slices;
}

std::size_t ImagesProblem::dimensions() const {
    if (kind == ImageKind::d1 || kind == ImageKind::d1_array) return 1;
    return kind == ImageKind::d3 ? 3 : 2;
}

Picture ImagesProblem::picture(std::size_t channel) const {
    return {std::span(values).subspan(channel * voxels(), voxels()), width, height, depth, dimensions()};
}

std::vector<std::size_t> ImagesProblem::shape() const {
    if (has_slices(kind)) return {depth, height, width};
    return transposed ? std::vector{width, height} : std::vector{height, width};
}

std::string channel_name(const char* what, std::size_t channel, std::size_t channels) {
    static constexpr std::array colours = {"red", "green", "blue", "alpha"};
    return channels == 1 ? what : fmt::format("{}_{}", what, colours.at(channel));
}

Result images_result(const ImagesProblem& problem, const std::vector<float>& sampled,
                     const std::string& formats) {
    Result result;
    const auto add_channels = [&](const char* name, const char* title, const std::vector<float>& values,
                                  std::vector<std::size_t> shape) {
        if (has_slices(problem.kind)) shape = {problem.depth, problem.height, problem.width};
        for (std::size_t channel = 0; channel < problem.channels; ++channel) {
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(channel * problem.voxels());
            const auto last = first + static_cast<std::ptrdiff_t>(problem.voxels());
            const std::string colour = channel_name("", channel, problem.channels);
            result.datasets.push_back(
                {channel_name(name, channel, problem.channels),
                 colour.empty() ? title : fmt::format("{}, {}", title, colour.substr(1)), "", DataKind::image,
                 Array::of<float>(shape, std::vector<float>(first, last)),
                 std::vector<std::string>(shape.size())});
        }
    };
    add_channels("sampled", "As sampled", sampled, problem.shape());
    add_channels("source", "Source", problem.values, {problem.height, problem.width});
    if (!formats.empty())
        result.datasets.push_back(text_dataset(
            "formats", fmt::format("Readable image formats of the kind {}", name_of(problem.kind)), formats));
    result.facts = {
        {"width", problem.width}, {"height", problem.height}, {"channel_type", name_of(problem.type)}};
    if (has_slices(problem.kind)) result.facts["depth"] = problem.depth;
    return result;
}

const std::string& name_of(ImageKind kind) {
    return kinds[static_cast<std::size_t>(kind)];
}

std::vector<Exercise> images_exercises() {
    return {
        exercise(14, "core/basics/images/images.cpp",
                 {.info = images_info(),
                  .load = made_by(load_images),
                  .check = check_images,
                  .setup_text = images_setup,
                  .traits = traits_of_images,
                  .idle = idle_in_images},
                 {
                     {"host.reference", 10, "Samplers in C++",
                      "All host threads compute rows in double, following the definition in the standard.",
                      sample_on_host},
                 })};
}

}  // namespace ks::basics
