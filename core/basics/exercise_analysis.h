#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/basics/exercise.h"
#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// The exercises of an OpenCL lecture, each an analysis of the group "Basics", and their host variants.
std::vector<Analysis> make_analyses();
std::vector<HostVariant> host_variants();

/// An exercise with its host variants and its place in the lecture, which no other one has.
struct Exercise {
    int place;
    Analysis analysis;
    std::vector<HostVariant> on_host;
};
/// All exercises, by place: the order in lists.
std::vector<Exercise> all_exercises();

/// A host variant of an exercise.
struct HostRow {
    const char* id;  ///< "host.reference"
    int rank;
    const char* title;
    std::string description;
    OfProblem<Result(HostContext&)> launch;
};

/// Completes an analysis of the group with what all exercises share: benchmarks take every parameter, a full
/// check compares with host.reference, and runs are saved in the general layout.
/// @param source the file of the host variants
Exercise exercise(int place, const char* source, AnalysisFunctions functions, std::vector<HostRow> on_host);

/// AnalysisFunctions::load for an exercise that needs nothing of the previous problem. The memory of that
/// problem is released before `make` is called.
auto made_by(auto make) {
    return [make](const Request& request, const Progress& progress, std::shared_ptr<const Problem> previous) {
        previous.reset();
        return std::shared_ptr<const Problem>(make(request, progress));
    };
}
/// The same for a problem made from the parameters `size` and `seed`.
template <class P>
auto made_of_size_and_seed() {
    return made_by([](const Request& request, const Progress& progress) {
        return std::make_shared<P>(size_of(request), seed_of(request), progress);
    });
}

/// AnalysisFunctions::ceiling_share: of copies in device memory.
/// @param bytes read and written by a run of the problem
template <class P>
auto share_of_copies(std::uint64_t (P::*bytes)() const) {
    return [bytes](const P& problem, const Variant&, double kernel_nanoseconds, const Ceilings& ceilings) {
        return share_of(static_cast<double>((problem.*bytes)()) * 1e9 / kernel_nanoseconds, ceilings,
                        ceiling_ids::copy, "device memory copies");
    };
}

/// The verdict on a result that lacks something: `fail`, with the other fields as in `verdict`.
Verdict failed(const std::string& where, const std::string& why, Verdict verdict = {});

}  // namespace ks::basics
