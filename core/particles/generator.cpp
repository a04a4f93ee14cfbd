#include "core/particles/generator.h"

#include <cmath>
#include <utility>

#include "core/base/random.h"
#include "core/io/points/point_file.h"
#include "core/run/parameter_rows.h"

namespace ks::particles {
namespace {

/// Vectors of weights use all streams from stream_of_weights on, up to a thousand.
constexpr std::uint64_t stream_of_places = 0, stream_of_weights = 1, stream_of_repeats = 1 << 20;

void add_lattice(PointSet& set, std::size_t points) {
    std::size_t side = 1;
    while (side * side * side < points) ++side;
    const auto at = [side](std::size_t i) {
        return side == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(side - 1);
    };
    for (std::size_t i = 0; i < points; ++i) {
        set.x.push_back(at(i / (side * side)));
        set.y.push_back(at(i / side % side));
        set.z.push_back(at(i % side));
    }
}

void add_sphere(PointSet& set, std::size_t points, Random& random) {
    for (std::size_t i = 0; i < points; ++i) {
        const auto [x, y] = random.normal();
        const double z = random.normal().first;
        const double radius = std::sqrt(x * x + y * y + z * z);
        set.x.push_back(0.5 + x / radius / 2);
        set.y.push_back(0.5 + y / radius / 2);
        set.z.push_back(0.5 + z / radius / 2);
    }
}

void repeat_places(PointSet& set, const PointSpec& spec) {
    Random random(spec.seed, stream_of_repeats);
    for (std::size_t i = 0; i < spec.repeated; ++i) {
        const std::size_t of = random.next() % spec.points;
        for (std::vector<double>* coordinates : {&set.x, &set.y, &set.z})
            coordinates->push_back((*coordinates)[of]);
    }
}

WeightVector make_weights(const PointSpec& spec, std::size_t vector) {
    WeightVector weights;
    Random random(spec.seed, stream_of_weights + vector);
    const bool ones = spec.weights == "ones", positive = spec.weights == "uniform";
    for (std::size_t i = 0; i < spec.points + spec.repeated; ++i) {
        weights.re.push_back(ones ? 1 : positive ? random.uniform() : 2 * random.uniform() - 1);
        if (spec.weights == "complex") weights.im.push_back(2 * random.uniform() - 1);
    }
    return weights;
}

}  // namespace

PointSet make_points(const PointSpec& spec) {
    PointSet set;
    Random random(spec.seed, stream_of_places);
    if (spec.shape == "lattice") {
        add_lattice(set, spec.points);
    } else if (spec.shape == "sphere") {
        add_sphere(set, spec.points, random);
    } else {
        for (std::size_t i = 0; i < spec.points; ++i) {
            set.x.push_back(random.uniform());
            set.y.push_back(random.uniform());
            set.z.push_back(random.uniform());
        }
    }
    repeat_places(set, spec);
    if (spec.weights == "none") return set;
    for (std::size_t vector = 0; vector < spec.vectors; ++vector) {
        WeightVector weights = make_weights(spec, vector);
        if (vector == 0) {
            set.weight = std::move(weights.re);
            set.weight_im = std::move(weights.im);
        } else {
            set.more.push_back(std::move(weights));
        }
    }
    return set;
}

std::vector<ParameterSpec> point_parameters() {
    using namespace parameter;
    return {whole("points", "Points", "", 50, 1, 1e9, "Number of points"),
            choice("shape", "Shape", {"random", "sphere", "lattice"},
                   "Where the points are: random in the unit box, on its inscribed sphere, or on a lattice "
                   "that fills the box"),
            choice("weights", "Weights", {"uniform", "ones", "signed", "complex", "none"},
                   "Weights from 0 to 1, all 1, from -1 to 1, complex, or none"),
            whole("seed", "Seed", "", 1, 0, 1e15, "Seed of the random numbers"),
            whole("vectors", "Weight vectors", "", 1, 1, 1000, "Number of weights per point"),
            whole("repeated", "Repeated points", "", 0, 0, 1e9,
                  "Number of additional points, each at the place of one of the others")};
}

PointSpec point_spec_from(const ParameterSet& set) {
    return {static_cast<std::size_t>(integer(set, "points")),
            text(set, "shape"),
            text(set, "weights"),
            static_cast<std::uint64_t>(integer(set, "seed")),
            static_cast<std::size_t>(integer(set, "vectors")),
            static_cast<std::size_t>(integer(set, "repeated"))};
}

void generate_file(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                   Progress& progress) {
    io::write_points(make_points(point_spec_from(parameters)), out, overwrite, progress);
}

}  // namespace ks::particles
