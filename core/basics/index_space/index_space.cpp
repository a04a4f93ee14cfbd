#include "core/basics/index_space/index_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/stopwatch.h"
#include "core/basics/check_elements.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/data/count_text.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

constexpr std::size_t most_items = std::size_t{1} << 20;
constexpr const char* letters = "xyz";

AnalysisInfo index_space_info() {
    using namespace parameter;
    AnalysisInfo info;
    info.id = "index_space";
    info.title = "Index space";
    info.description = "Every work-item writes its ids: global, group and local";
    const auto global = [](const char* id, const char* label, std::int64_t items, const char* help) {
        return whole(id, label, "work-items", items, 1, most_items, help);
    };
    const auto local = [](const char* id, const char* label, const char* help) {
        return optional_whole(id, label, "work-items", "left to the driver", 1, 65536, help);
    };
    info.parameters = {
        whole("dimensions", "Dimensions", "", 2, 1, 3, "Dimensions of the range"),
        global("global_x", "Global size in x", 512, "Work-items along x"),
        global("global_y", "Global size in y", 512, "Work-items along y, in two or three dimensions"),
        global("global_z", "Global size in z", 1, "Work-items along z, in three dimensions"),
        local("local_x", "Local size in x", "Work-items per group along x"),
        local("local_y", "Local size in y", "Work-items per group along y, in two or three dimensions"),
        local("local_z", "Local size in z", "Work-items per group along z, in three dimensions"),
        whole("compute_units", "Compute units", "", 4, 1, 65536,
              "Number of compute units among which the groups are divided; the number of rounds is computed "
              "from it")};
    return info;
}

std::string named(const char* which, std::size_t dimension) {
    return fmt::format("{}_{}", which, letters[dimension]);
}

std::shared_ptr<const Problem> load_index_space(const Request& request, const Progress&) {
    auto problem = std::make_shared<IndexSpaceProblem>();
    problem->dimensions = static_cast<std::size_t>(integer(request.parameters, "dimensions"));
    problem->compute_units = static_cast<std::size_t>(integer(request.parameters, "compute_units"));
    Sizes local = {1, 1, 1};
    std::size_t given = 0;
    for (std::size_t d = 0; d < problem->dimensions; ++d) {
        problem->global[d] = static_cast<std::size_t>(integer(request.parameters, named("global", d)));
        if (const auto size = optional_integer(request.parameters, named("local", d))) {
            local[d] = static_cast<std::size_t>(*size);
            ++given;
        }
    }
    if (problem->items() > most_items)
        throw Error(ErrorKind::input,
                    fmt::format("{} work-items are too many for a picture, which shows at most {}",
                                problem->items(), most_items),
                    "global size");
    if (given == 0) return problem;
    if (given < problem->dimensions)
        throw Error(
            ErrorKind::input,
            fmt::format(
                "a local size must be given for every dimension or for none, but it was given for {} of {}",
                given, problem->dimensions),
            "local size");
    for (std::size_t d = 0; d < problem->dimensions; ++d)
        if (problem->global[d] % local[d] != 0)
            throw Error(
                ErrorKind::input,
                fmt::format(
                    "the global size in {} is {}, but OpenCL C 1.2 requires a multiple of the local size, {}",
                    letters[d], problem->global[d], local[d]),
                "local size",
                fmt::format("choose a global size of {}",
                            (problem->global[d] + local[d] - 1) / local[d] * local[d]));
    problem->local = local;
    return problem;
}

std::vector<IdleParameter> idle_in_index_space(const Request& request) {
    const auto set = checked(index_space_info().parameters, request.parameters);
    std::vector<IdleParameter> idle;
    for (auto d = static_cast<std::size_t>(integer(set, "dimensions")); d < 3; ++d)
        for (const char* which : {"global", "local"})
            if (request.parameters.contains(named(which, d)))
                idle.push_back({named(which, d),
                                fmt::format("a range of {} has no {}",
                                            count_text(static_cast<std::uint64_t>(integer(set, "dimensions")),
                                                       "dimension"),
                                            letters[d])});
    return idle;
}

/// The ids by the formulas of the standard.
std::vector<std::uint32_t> ids_of(const IndexSpaceProblem& problem, const Sizes& local) {
    const std::size_t n = problem.items(), dimensions = problem.dimensions;
    std::vector<std::uint32_t> ids(problem.rows() * n);
    Sizes groups = {};
    for (std::size_t d = 0; d < 3; ++d) groups[d] = problem.global[d] / local[d];
    for (std::size_t item = 0; item < n; ++item) {
        const Sizes at = {item % problem.global[0], item / problem.global[0] % problem.global[1],
                          item / problem.global[0] / problem.global[1]};
        std::size_t group_number = 0, local_number = 0;
        for (std::size_t d = 3; d-- > 0;) {
            const std::size_t of_group = at[d] / local[d], in_group = at[d] % local[d];
            group_number = group_number * groups[d] + of_group;
            local_number = local_number * local[d] + in_group;
            if (d >= dimensions) continue;
            const std::size_t values[] = {at[d], of_group, in_group, local[d]};
            for (std::size_t quantity = 0; quantity < 4; ++quantity)
                ids[(quantity * dimensions + d) * n + item] = static_cast<std::uint32_t>(values[quantity]);
        }
        ids[(4 * dimensions) * n + item] = static_cast<std::uint32_t>(group_number);
        ids[(4 * dimensions + 1) * n + item] = static_cast<std::uint32_t>(local_number);
        ids[(4 * dimensions + 2) * n + item] = 1;
    }
    return ids;
}

Verdict check_index_space(const IndexSpaceProblem& problem, const Run& run, CheckMode, Progress&) {
    // The first item reports the size chosen by the driver; it must divide the range.
    Sizes local = problem.local.value_or(Sizes{1, 1, 1});
    for (std::size_t d = 0; d < problem.dimensions && !problem.local; ++d) {
        const Dataset* const sizes = run.result.find(named("local_size", d));
        const bool there =
            sizes != nullptr && sizes->values.type() == ElementType::u32 && sizes->values.size() > 0;
        if (there) local[d] = sizes->values.as<std::uint32_t>()[0];
        if (!there || local[d] == 0 || problem.global[d] % local[d] != 0)
            return failed(named("local_size", d), fmt::format("{} is not a divisor of the global size, {}",
                                                              named("local_size", d), problem.global[d]));
    }
    return same_values(run.result, index_space_result(problem, ids_of(problem, local)));
}

std::string index_space_setup(const Run& run) {
    std::string text;
    if (!run.request.parameters.contains("dimensions")) return text;
    const auto dimensions = integer(run.request.parameters, "dimensions");
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d)
        text += fmt::format("{}{}", d == 0 ? "" : " x ", integer(run.request.parameters, named("global", d)));
    return text;
}

/// The id formula for the item of a pixel, one line per dimension.
std::string identity_at(const Run& run, const Dataset&, std::size_t pixel) {
    std::string text;
    for (std::size_t d = 0; d < 3; ++d) {
        std::uint32_t values[4];
        const char* const quantities[] = {"global", "local_size", "group", "local"};
        for (std::size_t q = 0; q < 4; ++q) {
            const Dataset* const column = run.result.find(named(quantities[q], d));
            if (column == nullptr || column->values.type() != ElementType::u32 ||
                pixel >= column->values.size())
                return text;
            values[q] = column->values.as<std::uint32_t>()[pixel];
        }
        text += fmt::format(
            "{}get_global_id({d}) = get_local_size({d}) * get_group_id({d}) + get_local_id({d}): {} = {} * "
            "{} + {}",
            d == 0 ? "" : "\n", values[0], values[1], values[2], values[3], fmt::arg("d", d));
    }
    return text;
}

Result index_space_by_arithmetic(const IndexSpaceProblem& problem, HostContext& context) {
    require_within(context.memory_limit, problem.bytes(), fmt::format("ids of {} items", problem.items()),
                   "index_space");
    Stopwatch watch;
    const auto ids = ids_of(problem, problem.local.value_or(Sizes{1, 1, 1}));
    add(context.timings, {.stage = "write ids", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return index_space_result(problem, ids);
}

}  // namespace

Result index_space_result(const IndexSpaceProblem& problem, std::span<const std::uint32_t> ids) {
    const std::size_t n = problem.items(), dimensions = problem.dimensions;
    const auto row = [&](std::size_t index) { return ids.subspan(index * n, n); };
    std::vector<std::size_t> shape = {problem.global[1], problem.global[0]};
    if (dimensions == 3) shape.insert(shape.begin(), problem.global[2]);
    Result result;
    const auto picture = [&](const char* name, const char* title, std::size_t index) {
        result.datasets.push_back({name, title, "", DataKind::image,
                                   Array::of<std::uint32_t>(shape, row(index)),
                                   std::vector<std::string>(shape.size())});
    };
    const auto column = [&](const std::string& name, const std::string& title, std::size_t index) {
        result.datasets.push_back(
            {name, title, "", DataKind::table, Array::of<std::uint32_t>({n}, row(index)), {""}});
    };
    picture("group_number", "Group number", 4 * dimensions);
    picture("local_number", "Number within the group", 4 * dimensions + 1);
    const char* const quantities[][2] = {{"global", "get_global_id"},
                                         {"group", "get_group_id"},
                                         {"local", "get_local_id"},
                                         {"local_size", "get_local_size"}};
    for (std::size_t q = 0; q < 4; ++q)
        for (std::size_t d = 0; d < dimensions; ++d)
            column(named(quantities[q][0], d), fmt::format("{}({})", quantities[q][1], d),
                   q * dimensions + d);
    column("holds", "global = size * group + local", 4 * dimensions + 2);

    const auto numbers = row(4 * dimensions);
    const std::size_t groups = std::size_t{*std::ranges::max_element(numbers)} + 1;
    result.facts = {{"work_items", n},
                    {"groups", groups},
                    {"items_of_a_group", n / groups},
                    {"compute_units", problem.compute_units},
                    {"rounds", (groups + problem.compute_units - 1) / problem.compute_units}};
    return result;
}

std::vector<Exercise> index_space_exercises() {
    return {
        exercise(8, "core/basics/index_space/index_space.cpp",
                 {.info = index_space_info(),
                  .load = made_by(load_index_space),
                  .check = check_index_space,
                  .setup_text = index_space_setup,
                  .idle = idle_in_index_space,
                  .pixel_text = identity_at},
                 {
                     {"host.reference", 10, "Division and remainder",
                      "One thread computes the ids of every item; groups have one item if no size is given.",
                      index_space_by_arithmetic},
                 })};
}

}  // namespace ks::basics
