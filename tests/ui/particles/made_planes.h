#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/particles/parameters.h"
#include "core/run/run.h"

/// A value at x, y, z.
using Function = std::function<std::complex<double>(double, double, double)>;

/// Adds NAME_xy, NAME_xz and NAME_yz [i][j], i along the first named coordinate, of side^2 values on [low,
/// high], with the planes at z, y and x = `offsets`; complex ones as _re and _im.
inline void addField(ks::Run& run, const std::string& name, const std::string& title, bool isComplex,
                     const Function& f) {
    const ks::particles::PlaneGrid grid = ks::particles::planes_from(run.request.parameters);
    const std::size_t n = grid.side;
    const auto at = [&](std::size_t i) {
        return grid.low + (grid.high - grid.low) * static_cast<double>(i) / static_cast<double>(n - 1);
    };
    const char* planes[] = {"xy", "xz", "yz"};
    for (std::size_t plane = 0; plane < 3; ++plane) {
        std::vector<float> re, im;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const auto value = plane == 0   ? f(at(i), at(j), grid.z_of_xy)
                                   : plane == 1 ? f(at(i), grid.y_of_xz, at(j))
                                                : f(grid.x_of_yz, at(i), at(j));
                re.push_back(static_cast<float>(value.real()));
                im.push_back(static_cast<float>(value.imag()));
            }
        const auto put = [&](const std::string& part, const std::string& before,
                             const std::vector<float>& v) {
            run.result.datasets.push_back(
                {name + "_" + planes[plane] + part,
                 before + title + "(" + planes[plane][0] + ", " + planes[plane][1] + ")",
                 "",
                 ks::DataKind::image,
                 ks::Array::of<float>({n, n}, v),
                 {std::string(1, planes[plane][0]), std::string(1, planes[plane][1])}});
        };
        put(isComplex ? "_re" : "", isComplex ? "Re " : "", re);
        if (isComplex) put("_im", "Im ", im);
    }
}

/// A run of particles over [0, 1] whose potential is f.
inline std::shared_ptr<ks::Run> planesRun(const std::string& file, std::size_t sources, std::size_t side,
                                          const Function& f, bool isComplex = false) {
    auto run = std::make_shared<ks::Run>();
    run->request.analysis = "particles";
    run->request.variant = run->variant.id = "vector.cpu";
    run->request.inputs["sources"] = {file, {}};
    run->request.parameters = ks::defaults(ks::particles::analysis_info().parameters);
    run->request.parameters["planes"] = static_cast<std::int64_t>(side);
    run->request.parameters["xy_at"] = 0.25;
    run->request.parameters["xz_at"] = 0.5;
    run->request.parameters["yz_at"] = 0.75;
    run->result.facts = {{"sources", sources}, {"pairs_per_second", 2.5e9}};
    addField(*run, "potential", "f", isComplex, f);
    return run;
}
