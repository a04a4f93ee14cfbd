#include <gtest/gtest.h>

#include "core/particles/problem.h"
#include "tests/gpu/sharing/shared_results.h"

namespace ks::tests {
namespace {

std::shared_ptr<const Problem> particles(ParameterSet sizes, const char* kernel, const char* precision,
                                         const char* gradient = "off") {
    sizes["points"] = std::int64_t{40};
    sizes["kernel"] = std::string(kernel);
    sizes["precision"] = std::string(precision);
    sizes["gradient"] = std::string(gradient);
    return made("particles", sizes);
}

// They make trees of all targets.
const std::vector<std::string> whole_only{"treecode", "host.treecode"};

// More targets than three parts have at least; sides that are no multiple of anything.
const ParameterSet planes{{"planes", std::int64_t{131}}}, cube{{"grid", std::int64_t{37}}},
    points{{"targets", std::int64_t{50001}}};

}  // namespace

TEST(SharedParticles, planes_are_the_same_bytes) {
    EXPECT_GT(expect_shared("particles", "planes, rbf", particles(planes, "rbf", "f32"), whole_only), 5U);
    expect_shared("particles", "planes, helmholtz with gradients",
                  particles(planes, "helmholtz", "f64", "on"), whole_only);
    expect_shared("particles", "planes, rbf with gradients", particles(planes, "rbf", "f64", "on"),
                  whole_only);
}

TEST(SharedParticles, a_cube_is_the_same_bytes) {
    expect_shared("particles", "cube, laplace", particles(cube, "laplace", "f32"), whole_only);
    expect_shared("particles", "cube, rbf with gradients", particles(cube, "rbf", "f32", "on"), whole_only);
}

TEST(SharedParticles, points_are_the_same_bytes) {
    expect_shared("particles", "points, rbf", particles(points, "rbf", "f32"), whole_only);
    // These sort all targets.
    expect_shared("particles", "points, laplace", particles(points, "laplace", "f32"),
                  {"source.cells", "tensor.cells", "treecode", "host.treecode"});
}

TEST(SharedParticles, what_needs_all_targets_is_refused) {
    for (const char* variant : {"treecode", "host.treecode"}) {
        Request request = request_of("particles", variant, engine().devices().front());
        const std::string own = variant == std::string("treecode") ? request.device : std::string("host");
        request.device = own + "," + own;
        Progress progress;
        try {
            engine().run(request, particles(points, "laplace", "f32"), progress);
            ADD_FAILURE() << variant << " was shared";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
            EXPECT_NE(std::string(error.what()).find("all targets"), std::string::npos) << error.what();
        }
    }
}

TEST(SharedParticles, sources_on_targets_are_counted_once) {
    auto places = std::make_shared<PointSet>();
    for (std::size_t i = 0; i < 40000; ++i) {
        places->x.push_back(static_cast<double>(i % 200));
        places->y.push_back(static_cast<double>(i / 200));
        places->z.push_back(0);
    }
    auto sources = std::make_shared<PointSet>();
    for (const std::size_t i : {3U, 16383U, 16384U, 39999U}) {
        sources->x.push_back(places->x[i]);
        sources->y.push_back(places->y[i]);
        sources->z.push_back(0);
        sources->weight.push_back(1);
    }
    particles::SumSettings settings;
    settings.kernel = particles::Kernel::laplace;
    const auto whole = std::make_shared<particles::SumProblem>(sources, places, settings);
    Request request = request_of("particles", "target.registers", engine().devices().front());
    EXPECT_EQ(in_parts(request, whole, 1).facts.at("skipped_pairs"), 4);
}

TEST(SharedParticles, what_sorts_all_targets_is_refused) {
    Progress progress;
    const auto whole = particles(points, "laplace", "f32");
    Request request = request_of("particles", "source.cells", engine().devices().front());
    request.device += "," + request.device;
    try {
        engine().run(request, whole, progress);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_NE(std::string(error.what()).find("sorts all targets"), std::string::npos) << error.what();
    }
}

}  // namespace ks::tests
