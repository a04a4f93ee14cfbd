#include "core/wire/worker.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <optional>
#include <thread>

#include "core/run/bench.h"
#include "core/wire/jobs.h"
#include "tests/core/run/fake_analysis.h"
#include "tests/core/run/own_cache.h"
#include "tests/time_limit.h"

namespace {

using namespace ks;
using namespace std::chrono_literals;
using wire::Message;

/// A worker on a thread of this process, spoken to over pipes.
class Worker {
  public:
    Worker() {
        if (pipe(to_) != 0 || pipe(from_) != 0) std::abort();
        thread_ = std::thread([this] {
            std::FILE* in = fdopen(to_[0], "rb");
            std::FILE* out = fdopen(from_[1], "wb");
            Engine engine = fake::engine(counts);
            exit_code_ = serve_worker(engine, in, out);
            std::fclose(in);
            std::fclose(out);
        });
    }
    ~Worker() {
        finish();
        close(from_[0]);
    }

    void send(const Message& message) { write_bytes(wire::encode(message)); }
    void write_bytes(const std::vector<std::byte>& bytes) {
        ASSERT_EQ(write(to_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    void send_run(std::uint64_t job, const Request& request) {
        Message message;
        message.header = {{"type", "run"}, {"job", job}};
        message.header["given"]["request"] = ks::to_json(request, &message.blobs);
        send(message);
    }
    void send_ceilings(std::uint64_t job, const char* device) {
        Message message;
        message.header = {{"type", "ceilings"}, {"job", job}, {"given", {{"device", device}}}};
        send(message);
    }
    void send_simple(const char* type, std::uint64_t job) {
        Message message;
        message.header = {{"type", type}, {"job", job}, {"given", nlohmann::json::object()}};
        send(message);
    }
    /// The next message within 20 s; an empty one at the end or where none comes.
    Message next() {
        const auto limit = std::chrono::steady_clock::now() + 20s;
        for (;;) {
            if (auto message = decoder_.next()) return *message;
            const auto left = (limit - std::chrono::steady_clock::now()) / 1ms;
            pollfd ready{from_[0], POLLIN, 0};
            if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0) return {};
            std::byte buffer[4096];
            const ssize_t got = read(from_[0], buffer, sizeof buffer);
            if (got <= 0) return {};
            decoder_.feed(std::span(buffer).first(static_cast<std::size_t>(got)));
        }
    }
    Message next_but_progress() {
        for (;;) {
            Message message = next();
            if (message.type() != "progress") return message;
        }
    }
    /// Ends the input.
    int finish() {
        if (to_[1] >= 0) close(to_[1]);
        to_[1] = -1;
        if (thread_.joinable()) thread_.join();
        return exit_code_;
    }

    std::shared_ptr<fake::Counts> counts = std::make_shared<fake::Counts>();

  private:
    int to_[2], from_[2];
    int exit_code_ = -1;
    std::thread thread_;
    wire::Decoder decoder_;
};

Error error_of(const Message& message) {
    EXPECT_EQ(message.type(), "error");
    return wire::error_from(message.header.at("error"));
}

TEST(Worker, TellsItsCatalogue) {
    Worker worker;
    worker.send_simple("catalogue", 0);
    const Message answer = worker.next();
    ASSERT_EQ(answer.type(), "answer");
    const auto catalogue = wire::answer_from<wire::CatalogueJob>(answer);
    EXPECT_EQ(catalogue.devices.size(), 3U);
    EXPECT_EQ(catalogue.analyses.at(0).id, "sums");
    EXPECT_EQ(worker.finish(), 0);
}

TEST(Worker, RunsJobsInOrderWithProgressAndChecksARunThatComesBack) {
    Worker worker;
    worker.send_run(11, fake::request("host.sum"));
    worker.send_run(12, fake::request("wrong"));
    const Message progress = worker.next();
    ASSERT_EQ(progress.type(), "progress");
    EXPECT_EQ(progress.header.at("job"), 11);
    EXPECT_EQ(progress.header.at("stage"), "adding");
    EXPECT_EQ(progress.header.at("fraction"), 0.0);
    const Message first = worker.next_but_progress();
    ASSERT_EQ(first.type(), "answer");
    EXPECT_EQ(first.header.at("job"), 11);
    EXPECT_EQ(wire::answer_from<wire::RunJob>(first).result.at("sum").values.as<double>()[0], 7);
    const Message second = worker.next_but_progress();
    EXPECT_EQ(second.header.at("job"), 12);

    Message check;
    check.header = {{"type", "check"}, {"job", 13}, {"given", {{"mode", "full"}}}};
    check.header["given"]["run"] = ks::to_json(wire::answer_from<wire::RunJob>(second), &check.blobs);
    worker.send(check);
    const Message verdict = worker.next_but_progress();
    ASSERT_EQ(verdict.type(), "answer");
    EXPECT_EQ(verdict.header.at("job"), 13);
    EXPECT_EQ(wire::answer_from<wire::CheckJob>(verdict).state, Verdict::State::fail);
    EXPECT_EQ(worker.counts->loads, 1);
}

TEST(Worker, CancelStopsTheRunningJobAndDropsAQueuedOne) {
    Worker worker;
    worker.send_run(1, fake::request("host.wait"));
    worker.send_run(2, fake::request("host.sum"));
    worker.send_run(3, fake::request("plain"));
    ASSERT_EQ(worker.next().type(), "progress");  // it runs
    worker.send_simple("cancel", 2);
    const Message dropped = worker.next_but_progress();
    EXPECT_EQ(dropped.header.at("job"), 2);
    EXPECT_EQ(error_of(dropped).kind(), ErrorKind::cancelled);
    const auto asked = std::chrono::steady_clock::now();
    worker.send_simple("cancel", 1);
    const Message stopped = worker.next_but_progress();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, tests::time_limit(1s));
    EXPECT_EQ(stopped.header.at("job"), 1);
    EXPECT_EQ(error_of(stopped).kind(), ErrorKind::cancelled);
    const Message done = worker.next_but_progress();
    EXPECT_EQ(done.header.at("job"), 3);
    EXPECT_EQ(done.type(), "answer");
    worker.send_simple("cancel", 3);  // too late, and no harm
    worker.send_simple("quit", 0);
    EXPECT_EQ(worker.next_but_progress().type(), "");
    EXPECT_EQ(worker.counts->executions, 1);
    EXPECT_EQ(worker.finish(), 0);
}

TEST(Worker, MeasuresCeilingsWhichLaterCataloguesHold) {
    const ks::tests::OwnCache cache;
    {
        Worker worker;
        worker.send_ceilings(7, "0");
        const Message progress = worker.next();
        ASSERT_EQ(progress.type(), "progress");
        EXPECT_EQ(progress.header.at("job"), 7);
        const Message answer = worker.next_but_progress();
        ASSERT_EQ(answer.type(), "answer") << answer.header.dump();
        EXPECT_EQ(answer.header.at("job"), 7);
        const Ceilings measured = wire::answer_from<wire::CeilingsJob>(answer);
        EXPECT_EQ(measured.device.name, "Slow Processor");
        EXPECT_FALSE(measured.started.empty() || measured.version.empty());
        EXPECT_EQ(measured.median(ceiling_ids::exp2), 4e9);
    }
    Worker next;
    next.send_simple("catalogue", 0);
    const auto catalogue = wire::answer_from<wire::CatalogueJob>(next.next());
    ASSERT_EQ(catalogue.ceilings.size(), 1U);
    EXPECT_EQ(catalogue.ceilings[0].device.name, "Slow Processor");
    EXPECT_EQ(catalogue.ceilings[0].median(ceiling_ids::exp2), 4e9);
}

TEST(Worker, CancelStopsTheMeasuringOfCeilingsAndTheHostHasNone) {
    const ks::tests::OwnCache cache;
    Worker worker;
    worker.send_ceilings(1, "1");
    ASSERT_EQ(worker.next().type(), "progress");
    worker.send_simple("cancel", 1);
    EXPECT_EQ(error_of(worker.next_but_progress()).kind(), ErrorKind::cancelled);
    worker.send_ceilings(2, "host");
    const Message refused = worker.next_but_progress();
    EXPECT_EQ(refused.header.at("job"), 2);
    EXPECT_EQ(error_of(refused).kind(), ErrorKind::input);
    worker.send_ceilings(3, "7");
    EXPECT_EQ(error_of(worker.next_but_progress()).kind(), ErrorKind::input);
    EXPECT_TRUE(cache.ceilings_file().empty());
}

TunePlan plan_of_sums() {
    TunePlan plan;
    plan.analysis = "sums";
    plan.variant = "plain";
    plan.device = "0";
    plan.sizes = {{"count", std::int64_t{4}}, {"copies", std::int64_t{1}}};
    return plan;
}

TEST(Worker, TunesTellsEachConfigurationOnceAndGoesOnWithWhatWasTried) {
    const ks::tests::OwnCache cache, data("KERNELSCOPE_DATA");
    Worker worker;
    TunePlan plan = plan_of_sums();
    plan.space = {{"ROWS", {"1", "2", "3"}}, {"TILE", {"16"}}};
    plan.repeats = 4;
    worker.send(wire::message_of(wire::TuneJob{plan}, 5));
    std::vector<TuneRow> told;
    Message message = worker.next_but_progress();
    std::size_t parts = 0;
    for (; message.type() == "part"; message = worker.next_but_progress(), ++parts) {
        EXPECT_EQ(message.header.at("job"), 5);
        const auto part = wire::part_from<wire::TuneJob>(message);
        EXPECT_EQ(part.first, told.size());
        EXPECT_EQ(part.report.valid, 3U);
        told.insert(told.end(), part.report.rows.begin(), part.report.rows.end());
    }
    EXPECT_EQ(parts, 3U + 1) << "after each configuration, and in the end";
    ASSERT_EQ(message.type(), "answer") << message.header.dump();
    const auto whole = wire::answer_from<wire::TuneJob>(message);
    ASSERT_EQ(whole.rows.size(), 3U);
    ASSERT_EQ(told.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(told[i].tried, whole.rows[i].tried) << i;
    ASSERT_TRUE(whole.best);
    EXPECT_EQ(whole.rows[*whole.best].samples.size(), 4U);
    // Its kernel takes 5 ns with any values.
    EXPECT_EQ(whole.ratio.value, 1.0);
    EXPECT_FALSE(whole.surely_better());

    TuneReport before = whole;
    before.rows.resize(2);
    before.best.reset();
    const int executions = worker.counts->executions;
    const wire::Shared<TuneReport> tried{std::make_shared<const TuneReport>(before)};
    worker.send(wire::message_of(wire::TuneJob{plan, tried}, 6));
    message = worker.next_but_progress();
    ASSERT_EQ(message.type(), "part");
    EXPECT_EQ(wire::part_from<wire::TuneJob>(message).first, 0U);
    EXPECT_EQ(wire::part_from<wire::TuneJob>(message).report.rows.size(), 3U);
    while (message.type() == "part") message = worker.next_but_progress();
    EXPECT_EQ(message.type(), "answer");
    // The default, one configuration (once to check, three times beside the default), and the comparisons:
    // of three and of two by three rounds, of the best by four.
    EXPECT_EQ(worker.counts->executions - executions, 1 + 7 + 3 * 4 + 3 * 3 + 4 * 2);
}

TEST(Worker, RefusesATuningOfSomethingElseAndStopsOneOnRequest) {
    const ks::tests::OwnCache cache, data("KERNELSCOPE_DATA");
    Worker worker;
    TunePlan plan = plan_of_sums();
    plan.space = {{"ROWS", {"1", "2", "3"}}};
    const auto send = [&](std::uint64_t job) { worker.send(wire::message_of(wire::TuneJob{plan}, job)); };
    plan.rules = {"ROWS > 3"};
    send(1);
    const Message none = worker.next_but_progress();
    EXPECT_EQ(error_of(none).kind(), ErrorKind::input);
    EXPECT_NE(error_of(none).message().find("combinations satisfies ROWS > 3"), std::string::npos)
        << error_of(none).message();
    plan.rules.clear();
    plan.repeats = 100'000'000;
    send(2);
    while (worker.next().type() != "part") {
    }
    worker.send_simple("cancel", 2);
    Message stopped = worker.next_but_progress();
    while (stopped.type() == "part") stopped = worker.next_but_progress();
    EXPECT_EQ(stopped.header.at("job"), 2);
    EXPECT_EQ(error_of(stopped).kind(), ErrorKind::cancelled);
    plan.variant = "host.sum";
    send(3);
    EXPECT_EQ(error_of(worker.next_but_progress()).kind(), ErrorKind::input);
    worker.send_simple("tune", 4);
    EXPECT_EQ(error_of(worker.next_but_progress()).kind(), ErrorKind::run);
}

TEST(Worker, TimesVariantsOverSizesAndTellsRowsAsTheyCome) {
    const ks::tests::OwnCache cache;
    Worker worker;
    BenchPlan plan;
    plan.analysis = "sums";
    plan.sizes = {{"count", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}}};
    plan.variants = {"host.sum", "plain"};
    plan.device = "0";
    plan.repeats = 2;
    const auto send = [&](std::uint64_t job) { worker.send(wire::message_of(wire::BenchJob{plan}, job)); };
    send(5);
    std::size_t rows = 0;
    Message message = worker.next_but_progress();
    for (; message.type() == "part"; message = worker.next_but_progress(), ++rows) {
        EXPECT_EQ(message.header.at("job"), 5);
        const auto part = wire::part_from<wire::BenchJob>(message);
        EXPECT_EQ(part.row.verdict.state, Verdict::State::pass);
        EXPECT_EQ(integer(part.sizes, "count"), static_cast<std::int64_t>(part.point) + 1);
    }
    EXPECT_EQ(rows, 3U * 2 * 2) << "each row after its first run, and when it is complete";
    ASSERT_EQ(message.type(), "answer") << message.header.dump();
    EXPECT_EQ(message.header.at("job"), 5);
    const auto report = wire::answer_from<wire::BenchJob>(message);
    ASSERT_EQ(report.points.size(), 3U);
    EXPECT_EQ(report.points[2].rows[1].samples.size(), 2U);
    EXPECT_EQ(report.slopes.size(), 2U);

    plan.variants = {"host.wait"};
    send(6);
    ASSERT_EQ(worker.next().type(), "progress");
    worker.send_simple("cancel", 6);
    const Message stopped = worker.next_but_progress();
    EXPECT_EQ(stopped.header.at("job"), 6);
    EXPECT_EQ(error_of(stopped).kind(), ErrorKind::cancelled);
    plan.analysis = "products";
    send(7);
    EXPECT_EQ(error_of(worker.next_but_progress()).kind(), ErrorKind::input);
    worker.send_simple("bench", 8);
    EXPECT_EQ(error_of(worker.next_but_progress()).kind(), ErrorKind::run);
}

TEST(Worker, ErrorsBelongToTheirJobAndTheWorkerGoesOn) {
    Worker worker;
    worker.send_run(1, fake::request("fastest"));
    const Message unknown = worker.next_but_progress();
    EXPECT_EQ(unknown.header.at("job"), 1);
    EXPECT_EQ(error_of(unknown).kind(), ErrorKind::input);
    EXPECT_NE(error_of(unknown).hint().find("plain"), std::string::npos);
    worker.send_run(2, fake::request("host.broken"));
    EXPECT_STREQ(error_of(worker.next_but_progress()).what(), "a library failed");
    worker.send_simple("run", 3);
    EXPECT_EQ(error_of(worker.next_but_progress()).kind(), ErrorKind::run);
    worker.send_simple("dance", 4);
    EXPECT_NE(error_of(worker.next_but_progress()).message().find("dance"), std::string::npos);
    Message nameless;
    nameless.header = {{"type", "run"}, {"job", "first"}};
    worker.send(nameless);
    EXPECT_EQ(error_of(worker.next_but_progress()).kind(), ErrorKind::run);
    worker.send_run(5, fake::request("host.sum"));
    EXPECT_EQ(worker.next_but_progress().type(), "answer");
}

TEST(Worker, JobsOfNoKindAndThoseThatLackSomethingAreRefusedInOneSentence) {
    Worker worker;
    std::uint64_t job = 0;
    const auto sentence = [&](const char* kind) {
        worker.send_simple(kind, ++job);
        const Message refused = worker.next_but_progress();
        EXPECT_EQ(refused.header.at("job"), job);
        EXPECT_EQ(error_of(refused).kind(), ErrorKind::run);
        EXPECT_EQ(error_of(refused).message().find('\n'), std::string::npos);
        return error_of(refused).message();
    };
    EXPECT_EQ(sentence("dance"), "there is no job of the kind \"dance\"");
    EXPECT_EQ(sentence(""), "there is no job of the kind \"\"");
    for (const char* kind : {"run", "check", "ceilings", "bench", "tune", "warm"}) {
        const std::string said = sentence(kind);
        EXPECT_EQ(said.find("the job " + std::string(kind) + " cannot be read: "), 0U) << said;
    }
    Message numberless;
    numberless.header = {{"type", "catalogue"}};
    worker.send(numberless);
    EXPECT_NE(error_of(worker.next()).message().find("the number of a job"), std::string::npos);
}

TEST(Worker, BytesThatAreNoMessageEndItWithAnError) {
    Worker worker;
    worker.write_bytes(std::vector<std::byte>(100, std::byte{'x'}));
    EXPECT_EQ(error_of(worker.next()).kind(), ErrorKind::run);
    EXPECT_EQ(worker.finish(), 1);
}

TEST(Worker, TheEndOfInputStopsTheRunningJob) {
    Worker worker;
    worker.send_run(1, fake::request("host.wait"));
    worker.send_run(2, fake::request("host.sum"));
    ASSERT_EQ(worker.next().type(), "progress");
    const auto asked = std::chrono::steady_clock::now();
    EXPECT_EQ(worker.finish(), 0);
    EXPECT_LT(std::chrono::steady_clock::now() - asked, tests::time_limit(1s));
    EXPECT_EQ(worker.counts->executions, 0);
}

TEST(WorkerDeathTest, AJobThatDoesNotHearTakesTheProcessWithItAfterASecond) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EXIT(
        {
            Worker worker;
            worker.send_run(1, fake::request("host.deaf"));
            worker.next();
            worker.finish();
            std::_Exit(77);  // not reached: the worker's thread ends the process
        },
        testing::ExitedWithCode(0), "");
    EXPECT_LT(std::chrono::steady_clock::now() - start, tests::time_limit(60s));
}

TEST(Worker, WhatLibrariesPrintDoesNotMixWithTheMessages) {
    int to[2], from[2];
    ASSERT_EQ(pipe(to), 0);
    ASSERT_EQ(pipe(from), 0);
    const Message quit = [] {
        Message message;
        message.header["type"] = "quit";
        return message;
    }();
    const Message catalogue = wire::message_of(wire::CatalogueJob{}, 1);
    std::fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    dup2(from[1], STDOUT_FILENO);
    std::thread window([&] {
        const auto ask = wire::encode(catalogue), end = wire::encode(quit);
        EXPECT_GT(write(to[1], ask.data(), ask.size()), 0);
        pollfd ready{from[0], POLLIN, 0};
        poll(&ready, 1, 20000);
        std::printf("a kernel prints\n");
        std::fflush(stdout);
        EXPECT_GT(write(to[1], end.data(), end.size()), 0);
    });
    std::FILE* in = fdopen(to[0], "rb");
    Engine engine = fake::engine(std::make_shared<fake::Counts>());
    EXPECT_EQ(serve_worker(engine, in, stdout), 0);
    window.join();
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(from[1]);
    wire::Decoder decoder;
    std::byte buffer[4096];
    for (ssize_t got; (got = read(from[0], buffer, sizeof buffer)) > 0;)
        decoder.feed(std::span(buffer).first(static_cast<std::size_t>(got)));
    EXPECT_EQ(decoder.next().value_or(Message{}).type(), "answer");
    EXPECT_FALSE(decoder.next().has_value());
    std::fclose(in);
    close(to[1]);
    close(from[0]);
}

}  // namespace
