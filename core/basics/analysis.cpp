#include "core/basics/exercise_analysis.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "collected_core_basics.h"

namespace ks::basics {

// What each folder of core/basics defines.
#define KS_DECLARE(folder) std::vector<Exercise> folder##_exercises();
KS_COLLECTED_core_basics(KS_DECLARE)
#undef KS_DECLARE

std::vector<Exercise> all_exercises() {
    std::vector<Exercise> exercises;
#define KS_TAKE(folder) std::ranges::move(folder##_exercises(), std::back_inserter(exercises));
    KS_COLLECTED_core_basics(KS_TAKE)
#undef KS_TAKE
    std::ranges::sort(exercises, {}, &Exercise::place);
    return exercises;
}

std::vector<Analysis> make_analyses() {
    std::vector<Analysis> all;
    for (Exercise& exercise : all_exercises()) all.push_back(std::move(exercise.analysis));
    return all;
}

std::vector<HostVariant> host_variants() {
    std::vector<HostVariant> all;
    for (Exercise& exercise : all_exercises()) std::ranges::move(exercise.on_host, std::back_inserter(all));
    return all;
}

}  // namespace ks::basics
