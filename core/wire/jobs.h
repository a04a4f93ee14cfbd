#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/fields.h"
#include "core/devices/ceilings.h"
#include "core/kernels/assembly.h"
#include "core/run/bench.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/run/verdict.h"
#include "core/tune/tune_file.h"
#include "core/wire/wire.h"

/// The kinds of job that a worker does. A kind is a struct whose members are what the job needs, with
///
///   name      of the kind in messages
///   Part      what it reports while it runs, Nothing for most
///   Answer    its result
///   fields()  of the job, as for every struct that is sent (core/base/fields.h)
///
/// A kind whose answer needs more than its fields to be read has a function read_answer; one that is a build
/// of kernels from start to end, which no compiler interrupts, has builds. Messages follow from these; the
/// worker's side is one row in a table (core/wire/handlers.h): of what the engine does in worker.cpp, of what
/// needs OpenCL in the command `worker` of app/cli. In the window Desk::ask() sends any kind. Kinds that only
/// the command line uses are defined in app/cli.
namespace ks::wire {

struct Nothing {};
void fields(auto&, ConstOr<Nothing> auto&) {}

/// A value too large to be copied into a job. Never null.
template <class T>
struct Shared {
    std::shared_ptr<const T> value = std::make_shared<const T>();
};
template <class T>
void fields(auto& visit, const Shared<T>& shared) {
    fields(visit, *shared.value);
}
template <class T>
void fields(auto& visit, Shared<T>& shared) {
    auto read = std::make_shared<T>();
    fields(visit, *read);
    shared.value = std::move(read);
}

/// What the worker can do.
struct CatalogueJob {
    using Part = Nothing;
    using Answer = Catalogue;
    static constexpr const char* name = "catalogue";
    static constexpr auto read_answer = catalogue_from;
};
void fields(auto&, ConstOr<CatalogueJob> auto&) {}

/// The variants as they are now.
struct OffersJob {
    using Part = Nothing;
    using Answer = Offered;
    static constexpr const char* name = "offers";
};
void fields(auto&, ConstOr<OffersJob> auto&) {}

struct RunJob {
    Request request;
    using Part = Nothing;
    using Answer = Run;
    static constexpr const char* name = "run";
};
KS_FIELDS(RunJob, request)

/// The average of several repeats (core/run/repeats). If the job is cancelled, its answer is that of the
/// repeats that were computed, if these are enough.
struct RepeatsJob {
    Request request;                          ///< of each of them, apart from the name of the data
    std::vector<std::string> data;            ///< names of their data
    std::map<std::string, bool> chosen = {};  ///< RepeatSet::chosen
    using Part = Nothing;
    using Answer = Run;
    static constexpr const char* name = "repeats";
    static constexpr bool answers_when_cancelled = true;
};
KS_FIELDS(RepeatsJob, request, data, chosen)

/// Compares a run with the definition.
struct CheckJob {
    Shared<Run> run;
    CheckMode mode = CheckMode::none;
    using Part = Nothing;
    using Answer = Verdict;
    static constexpr const char* name = "check";
};
void fields(auto& visit, ConstOr<CheckJob> auto& job) {
    visit("run", job.run);
    visit.name("mode", job.mode, check_mode_from);
}

/// Measures the peak rates of a device; later catalogues contain them.
struct CeilingsJob {
    std::string device;  ///< "host", index, or part of a name
    using Part = Nothing;
    using Answer = Ceilings;
    static constexpr const char* name = "ceilings";
    static constexpr auto read_answer = ceilings_from;
};
KS_FIELDS(CeilingsJob, device)

/// A row of a benchmark, after its first run and when it is complete.
struct BenchPart {
    std::size_t point = 0;  ///< index in BenchReport::points
    ParameterSet sizes;     ///< of the point
    BenchRow row;
};
KS_FIELDS(BenchPart, point, sizes, row)

struct BenchJob {
    BenchPlan plan;
    using Part = BenchPart;
    using Answer = BenchReport;
    static constexpr const char* name = "bench";
};
KS_FIELDS(BenchJob, plan)

/// After each configuration: the report with its rows from number `first` on, which replace those reported
/// before. It has no best row.
struct TunePart {
    std::size_t first = 0;
    TuneReport report;
};
KS_FIELDS(TunePart, first, report)

struct TuneJob {
    TunePlan plan;
    std::optional<Shared<TuneReport>> before = {};  ///< an earlier tuning to continue
    using Part = TunePart;
    using Answer = TuneReport;
    static constexpr const char* name = "tune";
    static constexpr auto read_answer = tune_report_from;
};
KS_FIELDS(TuneJob, plan, before)

/// Builds the kernels of runs like this one.
struct WarmJob {
    Request request;
    using Part = Nothing;
    using Answer = Nothing;
    static constexpr const char* name = "warm";
    static constexpr bool builds = true;
};
KS_FIELDS(WarmJob, request)

/// The instructions of a program.
struct AssemblyJob {
    AssemblyRequest request;
    using Part = Nothing;
    using Answer = Assembly;
    static constexpr const char* name = "assembly";
    static constexpr bool builds = true;
};
KS_FIELDS(AssemblyJob, request)

/// All kinds of the window.
using WindowJobs = std::tuple<CatalogueJob, OffersJob, RunJob, RepeatsJob, CheckJob, CeilingsJob, BenchJob,
                              TuneJob, WarmJob, AssemblyJob>;

template <class Job>
Message message_of(const Job& job, std::uint64_t number) {
    Message message = headed(Job::name, number);
    message.header["given"] = ks::to_json(job, &message.blobs);
    return message;
}
/// @param what "part" or "answer", whose value it is
template <class T>
Message message_with(const char* what, const T& value, std::uint64_t number) {
    Message message = headed(what, number);
    message.header[what] = JsonWriter(&message.blobs).write(value);
    return message;
}

/// The value of an entry of a message. Throws ks::Error(run) that names `what` if the message is broken.
template <class T>
T value_in(const Message& message, const char* entry, const std::string& what) {
    return guarded(what.c_str(),
                   [&] { return ks::from_json<T>(message.header.at(entry), what.c_str(), &message.blobs); });
}
/// The inverse of message_of() and message_with(). Each throws ks::Error(run) if the message is broken.
template <class Job>
Job job_from(const Message& message) {
    return value_in<Job>(message, "given", std::string("the job ") + Job::name);
}
template <class Job>
typename Job::Part part_from(const Message& message) {
    return value_in<typename Job::Part>(message, "part", "a part of a job");
}
template <class Job>
typename Job::Answer answer_from(const Message& message) {
    constexpr const char* what = "the answer to a job";
    if constexpr (requires { Job::read_answer; })
        return guarded(what, [&] { return Job::read_answer(message.header.at("answer")); });
    else
        return value_in<typename Job::Answer>(message, "answer", what);
}

}  // namespace ks::wire
