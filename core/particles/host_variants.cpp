#include "core/particles/analysis.h"
#include "core/particles/reference.h"
#include "core/particles/vector_sum.h"

namespace ks::particles {

std::vector<HostVariant> host_variants() {
    Variant reference;
    reference.analysis = "particles";
    reference.id = "host.reference";
    reference.title = "Double, compensated";
    reference.story = "every term in double from its formula, added with compensation";
    reference.source_file = "core/particles/reference.cpp";
    reference.streaming = Streaming::targets;
    reference.rank = 1;

    Variant vector;
    vector.analysis = "particles";
    vector.id = "host.vector";
    vector.title = "Vectors of targets";
    vector.story = "loops over blocks of targets that the compiler vectorises, with polynomials of our own";
    vector.source_file = "core/particles/vector_sum.cpp";
    vector.streaming = Streaming::targets;
    vector.rank = 10;

    const auto run = [](Result (*sum)(const SumProblem&, HostContext&)) {
        return [sum](const Problem& problem, HostContext& context) {
            return sum(dynamic_cast<const SumProblem&>(problem), context);
        };
    };
    return {{reference, run(run_reference)}, {vector, run(run_vector)}};
}

}  // namespace ks::particles
