#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/hdf5/hdf5_read.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/rotation.h"

namespace ks::io {
namespace {

using Vector = Rotation::Vector;
using Matrix = Rotation::Matrix;

constexpr std::size_t most_axes = 16, most_angles = std::size_t{1} << 20;

/// A rotation of NXtransformations.
struct Turn {
    std::string path;
    Vector axis;
    std::vector<double> degrees;

    bool turns() const { return degrees.size() > 1 && degrees.front() != degrees.back(); }
};

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
    return c;
}

/// Rodrigues' formula.
Matrix matrix_of(const Vector& axis, double degrees) {
    if (degrees == 0) return Rotation::identity;
    const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    const auto [x, y, z] = axis;
    return {c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
            y * x * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s,
            z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)};
}

/// The vector of a NeXus axis, whose x and z point the other way.
std::optional<Vector> axis_of(hid_t object) {
    const std::optional<std::vector<double>> vector = h5::attribute_numbers(object, "vector");
    if (!vector || vector->size() != 3) return std::nullopt;
    const double length = std::hypot((*vector)[0], (*vector)[1], (*vector)[2]);
    if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
    const auto part = [&](std::size_t i, double sign) {
        const double value = sign * (*vector)[i] / length;
        return value == 0 ? 0 : value;  // no -0
    };
    return Vector{part(0, -1), part(1, 1), part(2, -1)};
}

/// The sample of the entry that holds the frames.
std::optional<ClassGroup> sample_of(const h5::Handle& file, const DataName& frames) {
    std::vector<ClassGroup> samples = groups_of_class(file, "NXsample", "sample");
    if (samples.size() > 1 && !frames.object.empty()) {
        const std::string entry = frames.object.substr(0, frames.object.find('/', 1)) + "/";
        std::erase_if(samples, [&](const ClassGroup& group) { return !group.path.starts_with(entry); });
    }
    if (samples.size() != 1) return std::nullopt;
    return std::move(samples.front());
}

/// The rotations from the sample to the laboratory.
std::vector<Turn> turns_of(const h5::Handle& file, const ClassGroup& sample, const std::string& file_name) {
    std::vector<Turn> turns;
    const h5::Handle first = child(sample.group, "depends_on");
    const auto texts = first.valid() && h5::is_dataset(first) ? h5::strings(first) : std::nullopt;
    std::string next = texts && texts->size() == 1 ? texts->front() : ".", home = sample.path;
    for (std::size_t i = 0; next != "." && !next.empty(); ++i) {
        const std::string path = join(home, next), where = file_name + "::" + path;
        if (i == most_axes)
            throw Error(ErrorKind::input,
                        fmt::format("expected at most {} axes of the sample, found more", most_axes), where);
        const h5::Handle object = h5::open_dataset(file, file_name, path);
        if (h5::attribute(object, "transformation_type").value_or("") == "rotation") {
            const std::string unit = h5::attribute(object, "units").value_or("deg");
            const bool radians = unit.starts_with("rad");
            if (!radians && !unit.starts_with("deg"))
                throw Error(ErrorKind::input, "expected an angle in degrees or radians, found " + unit,
                            where);
            std::optional<std::vector<double>> angles = h5::numbers(object, most_angles);
            const std::optional<Vector> axis = axis_of(object);
            if (!axis || !angles || angles->empty() ||
                !std::ranges::all_of(*angles, [](double angle) { return std::isfinite(angle); }))
                throw Error(ErrorKind::input, "expected angles about a vector of 3 numbers, found others",
                            where);
            if (radians)
                for (double& angle : *angles) angle *= 180 / std::numbers::pi;
            turns.push_back({path, *axis, std::move(*angles)});
        }
        next = h5::attribute(object, "depends_on").value_or(".");
        home = path.substr(0, path.rfind('/'));
    }
    return turns;
}

/// Degrees per frame; nothing if they differ by more than the digits that files have.
std::optional<double> even_step(const std::vector<double>& degrees) {
    const double step = (degrees.back() - degrees.front()) / static_cast<double>(degrees.size() - 1);
    for (std::size_t i = 0; i < degrees.size(); ++i)
        if (std::abs(degrees[i] - degrees.front() - step * static_cast<double>(i)) >
            1e-3 * std::abs(step) + 1e-9)
            return std::nullopt;
    return step;
}

std::optional<Rotation> rotation_of(const std::vector<Turn>& turns, const std::string& file_name) {
    const auto turning = std::ranges::find_if(turns, &Turn::turns);
    if (turning == turns.end()) return std::nullopt;
    if (std::any_of(turning + 1, turns.end(), [](const Turn& turn) { return turn.turns(); }))
        throw Error(ErrorKind::input, "expected one axis that turns, found several",
                    file_name + "::" + turning->path);
    const std::optional<double> step = even_step(turning->degrees);
    if (!step)
        throw Error(ErrorKind::input, "expected the same step between all angles, found different ones",
                    file_name + "::" + turning->path);
    Rotation rotation;
    rotation.start = turning->degrees.front();
    rotation.step = *step;
    rotation.axis = turning->axis;
    // What is nearer to the sample acts first.
    for (auto turn = turns.begin(); turn != turning; ++turn)
        rotation.fixed = product(matrix_of(turn->axis, turn->degrees.front()), rotation.fixed);
    for (auto turn = turning + 1; turn != turns.end(); ++turn)
        rotation.setting = product(matrix_of(turn->axis, turn->degrees.front()), rotation.setting);
    return rotation;
}

}  // namespace

std::optional<Rotation> read_hdf5_rotation(const DataName& frames, std::vector<std::string>& faults) {
    try {
        const h5::Lock lock;
        const h5::Handle file = h5::open_file(frames.file);
        const std::optional<ClassGroup> sample = sample_of(file, frames);
        if (!sample) return std::nullopt;
        return rotation_of(turns_of(file, *sample, frames.file.string()), frames.file.string());
    } catch (const Error& error) {
        faults.emplace_back(error.what());
        return std::nullopt;
    }
}

}  // namespace ks::io
