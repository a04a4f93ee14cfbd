#include "core/base/threads.h"
#include "core/run/stream_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "core/base/error.h"
#include "tests/time_limit.h"

namespace {

using namespace ks;
using namespace std::chrono_literals;

/// Slabs in pairs (A, B), A <= B, as time slabs are correlated.
StreamPlan pairs(std::size_t n, std::uint64_t bytes = 100) {
    StreamPlan plan;
    plan.fixed_bytes = 50;
    for (std::size_t i = 0; i < n; ++i) plan.slabs.push_back({bytes + i, 10 + i});
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a; b < n; ++b) plan.steps.push_back({{a, b}, 1.0 + static_cast<double>(b)});
    return plan;
}

/// Keeps the books: contents of buffers and device, bytes held, order of execution.
class Recorder : public StreamClient {
  public:
    Recorder(const StreamPlan& plan, std::uint64_t budget)
        : plan_(plan), budget_(budget), bytes_(plan.fixed_bytes), staged_(plan.staging_buffers, free_) {}

    void prepare() override {
        EXPECT_EQ(uploads, 0);
        ++prepared;
    }

    void read(std::size_t slab, std::size_t buffer) override {
        if (on_read) on_read(slab);
        const std::lock_guard lock(guard_);
        ASSERT_LT(buffer, staged_.size());
        EXPECT_EQ(staged_[buffer], free_) << "a buffer was overwritten before its upload";
        staged_[buffer] = slab;
        ++reads;
    }
    void upload(std::size_t slab, std::size_t buffer) override {
        EXPECT_EQ(std::this_thread::get_id(), caller_);
        const std::lock_guard lock(guard_);
        EXPECT_EQ(staged_[buffer], slab);
        staged_[buffer] = free_;
        EXPECT_TRUE(resident_.insert(slab).second);
        bytes_ += plan_.slabs[slab].device_bytes;
        EXPECT_LE(bytes_, budget_);
        ++uploads;
    }
    void evict(std::size_t slab) override {
        EXPECT_EQ(resident_.erase(slab), 1U);
        bytes_ -= plan_.slabs[slab].device_bytes;
    }
    void execute(std::size_t step) override {
        for (const std::size_t slab : plan_.steps[step].slabs) EXPECT_TRUE(resident_.contains(slab)) << step;
        {
            const std::lock_guard lock(guard_);
            executed.push_back(step);
        }
        if (on_execute) on_execute(step);
    }

    bool is_done(std::size_t) override { return done; }
    void collect(std::size_t step) override {
        EXPECT_EQ(std::this_thread::get_id(), caller_);
        EXPECT_EQ(step, collected.size());
        EXPECT_LT(step, executed.size());
        collected.push_back(step);
    }
    void deliver(std::size_t step) override {
        const std::lock_guard lock(guard_);
        EXPECT_EQ(step, delivered.size());
        EXPECT_LE(executed.size() - step, plan_.steps_at_once);
        delivered.push_back(step);
        uploads_at_delivery.push_back(uploads);
    }

    std::vector<std::size_t> executed, collected, delivered;
    std::vector<int> uploads_at_delivery;
    int prepared = 0, reads = 0, uploads = 0;
    bool done = false;
    std::function<void(std::size_t)> on_read, on_execute;

  private:
    static constexpr std::size_t free_ = std::numeric_limits<std::size_t>::max();
    const StreamPlan& plan_;
    std::uint64_t budget_, bytes_;
    std::thread::id caller_ = std::this_thread::get_id();
    std::mutex guard_;
    std::vector<std::size_t> staged_;
    std::set<std::size_t> resident_;
};

TEST(StreamScheduler, TheOrderIsThePlansWhateverTheBudget) {
    const StreamPlan plan = pairs(7);
    const std::uint64_t smallest = smallest_budget(plan);
    EXPECT_EQ(smallest, 50U + 105 + 106);
    int reads_before = std::numeric_limits<int>::max();
    for (const std::uint64_t budget : {smallest, smallest + 120, smallest + 240, std::uint64_t{100000}}) {
        Recorder client(plan, budget);
        Progress progress;
        run_stream(plan, budget, client, progress, "correlate");
        ASSERT_EQ(client.executed.size(), plan.steps.size());
        EXPECT_TRUE(std::is_sorted(client.executed.begin(), client.executed.end()));
        EXPECT_EQ(client.reads, client.uploads);
        EXPECT_LE(client.reads, reads_before) << "more memory must not cost more reads";
        reads_before = client.reads;
    }
    EXPECT_EQ(reads_before, 7) << "with room for all, every slab is read once";
}

/// The fewest loads that any choice of victims gives, by trying them all.
int fewest_loads(const StreamPlan& plan, std::size_t room, std::size_t step,
                 const std::set<std::size_t>& resident,
                 std::map<std::pair<std::size_t, std::set<std::size_t>>, int>& known) {
    if (step == plan.steps.size()) return 0;
    const auto key = std::pair{step, resident};
    if (const auto found = known.find(key); found != known.end()) return found->second;
    std::set<std::size_t> needed(plan.steps[step].slabs.begin(), plan.steps[step].slabs.end());
    std::set<std::size_t> all = resident;
    all.insert(needed.begin(), needed.end());
    const int loads = static_cast<int>(all.size() - resident.size());
    std::vector<std::size_t> others;
    for (const std::size_t slab : all)
        if (!needed.contains(slab)) others.push_back(slab);
    const std::size_t keep = std::min(others.size(), room - needed.size());
    std::vector<bool> kept(others.size(), false);
    std::fill(kept.end() - static_cast<std::ptrdiff_t>(keep), kept.end(), true);
    int best = std::numeric_limits<int>::max();
    do {
        std::set<std::size_t> next = needed;
        for (std::size_t i = 0; i < others.size(); ++i)
            if (kept[i]) next.insert(others[i]);
        best = std::min(best, fewest_loads(plan, room, step + 1, next, known));
    } while (std::next_permutation(kept.begin(), kept.end()));
    return known[key] = loads + best;
}

TEST(StreamScheduler, ReadsAsFewSlabsAsAnyChoiceOfVictimsCould) {
    StreamPlan plan;
    for (int i = 0; i < 5; ++i) plan.slabs.push_back({10, 10});
    for (const std::size_t slab : {0, 1, 2, 0, 3, 1, 4, 0, 2, 3, 1, 0, 4, 2, 1, 3, 3, 0})
        plan.steps.push_back({{slab}});
    for (const std::size_t room : {1U, 2U, 3U, 4U}) {
        Recorder client(plan, room * 10);
        Progress progress;
        run_stream(plan, room * 10, client, progress, "s");
        std::map<std::pair<std::size_t, std::set<std::size_t>>, int> known;
        EXPECT_EQ(client.uploads, fewest_loads(plan, room, 0, {}, known)) << room;
    }
}

TEST(StreamScheduler, ABudgetThatIsTooSmallNamesTheSmallestThatWouldDo) {
    const StreamPlan plan = pairs(3);
    Recorder client(plan, 1000);
    Progress progress;
    try {
        run_stream(plan, smallest_budget(plan) - 1, client, progress, "correlate");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_NE(std::string(error.what()).find("253"), std::string::npos) << error.what();
    }
    EXPECT_EQ(client.reads, 0);
    EXPECT_EQ(staging_bytes(plan), 2U * 12);
}

TEST(StreamScheduler, AStepMayNameASlabTwiceOrNone) {
    StreamPlan plan;
    plan.slabs = {{100, 1}};
    plan.steps = {{{}}, {{0, 0}}, {{}, 0}};
    EXPECT_EQ(smallest_budget(plan), 100U);
    Recorder client(plan, 100);
    Progress progress;
    run_stream(plan, 100, client, progress, "s");
    EXPECT_EQ(client.executed, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(client.reads, 1);
    plan.steps.push_back({{1}});
    EXPECT_THROW(run_stream(plan, 100, client, progress, "s"), Error);
}

TEST(StreamScheduler, ReadsAheadWhileAStepExecutes) {
    StreamPlan plan;
    for (std::size_t i = 0; i < 4; ++i) {
        plan.slabs.push_back({10, 10});
        plan.steps.push_back({{i}});
    }
    std::atomic<int> begun{0};
    Recorder client(plan, 10);
    client.on_read = [&](std::size_t) { ++begun; };
    client.on_execute = [&](std::size_t step) {
        if (step != 0) return;
        const auto start = std::chrono::steady_clock::now();
        while (begun < 3 && std::chrono::steady_clock::now() - start < 5s) std::this_thread::sleep_for(1ms);
        EXPECT_EQ(begun.load(), 3) << "two buffers hold the next two slabs";
    };
    Progress progress;
    run_stream(plan, 10, client, progress, "s");
    EXPECT_EQ(client.reads, 4);
}

/// Batches of slabs that are used once.
StreamPlan batches(std::size_t steps, std::size_t of_step, std::uint64_t device_bytes = 0) {
    StreamPlan plan;
    for (std::size_t step = 0; step < steps; ++step) {
        plan.steps.emplace_back();
        for (std::size_t i = 0; i < of_step; ++i) {
            plan.steps.back().slabs.push_back(plan.slabs.size());
            plan.slabs.push_back({device_bytes, 10});
        }
    }
    return plan;
}

TEST(StreamScheduler, TheNextStepIsExecutedBeforeOneIsCollected) {
    StreamPlan plan = batches(6, 1);
    for (const std::size_t at_once : {1U, 2U, 3U, 10U}) {
        plan.steps_at_once = at_once;
        Recorder client(plan, 0);
        std::vector<std::size_t> collected_before;
        client.on_execute = [&](std::size_t) { collected_before.push_back(client.collected.size()); };
        Progress progress;
        run_stream(plan, 0, client, progress, "s");
        EXPECT_EQ(client.prepared, 1);
        EXPECT_EQ(client.executed, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
        EXPECT_EQ(client.collected, client.executed);
        EXPECT_EQ(client.delivered, client.executed);
        for (std::size_t step = 0; step < 6; ++step)
            EXPECT_EQ(collected_before[step], step < at_once ? 0 : step - at_once + 1) << at_once;
    }
}

TEST(StreamScheduler, AStepThatIsDoneIsDeliveredBesideTheUploadsForTheNext) {
    StreamPlan plan = batches(5, 4);
    plan.steps_at_once = 2;
    Recorder waits(plan, 0), does_not(plan, 0);
    does_not.done = true;
    Progress progress;
    run_stream(plan, 0, waits, progress, "s");
    run_stream(plan, 0, does_not, progress, "s");
    EXPECT_EQ(waits.uploads_at_delivery, (std::vector<int>{8, 12, 16, 20, 20}));
    EXPECT_EQ(does_not.delivered, waits.delivered);
    for (std::size_t step = 0; step < 5; ++step) EXPECT_GE(does_not.uploads_at_delivery[step], 4);
    EXPECT_EQ(does_not.collected.size(), 5U);
}

TEST(StreamScheduler, NothingIsEvictedFromUnderAStepOnItsWay) {
    StreamPlan plan = batches(6, 1, 10);
    plan.steps_at_once = 2;
    class Client : public Recorder {
      public:
        using Recorder::Recorder;
        void evict(std::size_t slab) override {
            EXPECT_EQ(delivered.size(), executed.size());
            Recorder::evict(slab);
        }
    } client(plan, 20);
    Progress progress;
    run_stream(plan, 20, client, progress, "s");
    EXPECT_EQ(client.delivered.size(), 6U);
}

TEST(StreamScheduler, SeveralThreadsReadSideBySideAndUploadsKeepTheOrder) {
    StreamPlan plan = batches(10, 4);
    plan.reads_at_once = 3;
    plan.staging_buffers = 5;
    Recorder client(plan, 0);
    std::atomic<int> now{0}, most{0};
    std::atomic<bool> met{false};
    client.on_read = [&](std::size_t) {
        const int there = ++now;
        int seen = most;
        while (seen < there && !most.compare_exchange_weak(seen, there)) {
        }
        const auto start = std::chrono::steady_clock::now();
        while (!met && now < 3 && std::chrono::steady_clock::now() - start < 5s) std::this_thread::yield();
        met = true;
        --now;
    };
    Progress progress;
    run_stream(plan, 0, client, progress, "s");
    EXPECT_EQ(most, 3);
    EXPECT_EQ(client.uploads, 40);
    EXPECT_EQ(staging_bytes(plan), 50U);
}

TEST(StreamScheduler, OfSeveralReadersErrorsTheFirstInTheOrderComesThrough) {
    StreamPlan plan = batches(6, 1);
    plan.reads_at_once = 3;
    plan.staging_buffers = 4;
    for (int round = 0; round < 50; ++round) {
        Recorder client(plan, 0);
        client.on_read = [](std::size_t slab) {
            if (slab == 2) std::this_thread::sleep_for(1ms);
            if (slab >= 2) throw Error(ErrorKind::input, "slab " + std::to_string(slab));
        };
        Progress progress;
        try {
            run_stream(plan, 0, client, progress, "s");
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), "slab 2");
        }
        EXPECT_EQ(client.executed.size(), 2U);
    }
}

TEST(StreamScheduler, AnErrorOfADeliveryBesideComesThrough) {
    StreamPlan plan = batches(4, 3);
    plan.steps_at_once = 2;
    class Client : public Recorder {
      public:
        using Recorder::Recorder;
        void deliver(std::size_t step) override {
            if (step == 1) throw Error(ErrorKind::run, "no room");
            Recorder::deliver(step);
        }
    } client(plan, 0);
    client.done = true;
    Progress progress;
    EXPECT_THROW(run_stream(plan, 0, client, progress, "s"), Error);
    EXPECT_EQ(client.delivered.size(), 1U);
}

TEST(StreamScheduler, AMillionSlabsOfPlacesOfTheClientAreDealtOutAtOnce) {
    const StreamPlan plan = batches(1000000, 1);
    Recorder client(plan, 0);
    limit_threads(1);
    Progress progress;
    const auto start = std::chrono::steady_clock::now();
    run_stream(plan, 0, client, progress, "s");
    limit_threads({});
    EXPECT_EQ(client.delivered.size(), 1000000U);
    EXPECT_LT(std::chrono::steady_clock::now() - start, tests::time_limit(20s));
}

TEST(StreamScheduler, OneThreadReadsWhatItExecutesAndInTheSameOrder) {
    const StreamPlan plan = pairs(6);
    Progress progress;
    Recorder many(plan, 500);
    run_stream(plan, 500, many, progress, "s");
    limit_threads(1);
    Recorder one(plan, 500);
    one.on_read = [caller = std::this_thread::get_id()](std::size_t) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
    };
    run_stream(plan, 500, one, progress, "s");
    limit_threads({});
    EXPECT_EQ(one.executed, many.executed);
    EXPECT_EQ(one.reads, many.reads);
}

TEST(StreamScheduler, AnErrorOfTheReaderComesThrough) {
    const StreamPlan plan = pairs(5);
    Recorder client(plan, 100000);
    client.on_read = [](std::size_t slab) {
        if (slab == 3) throw Error(ErrorKind::input, "truncated", "scan.h5");
    };
    Progress progress;
    try {
        run_stream(plan, 100000, client, progress, "s");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "scan.h5: truncated");
    }
    EXPECT_LT(client.executed.size(), plan.steps.size());
}

TEST(StreamScheduler, AnErrorOfAStepEndsTheReader) {
    const StreamPlan plan = pairs(5);
    Recorder client(plan, 300);
    client.on_execute = [](std::size_t step) {
        if (step == 4) throw std::runtime_error("device lost");
    };
    Progress progress;
    EXPECT_THROW(run_stream(plan, 300, client, progress, "s"), std::runtime_error);
    EXPECT_EQ(client.executed.size(), 5U);
}

TEST(StreamScheduler, CancelFromAnotherThreadEndsWithinASecond) {
    StreamPlan plan;
    plan.slabs = {{10, 10}};
    for (int i = 0; i < 100000; ++i) plan.steps.push_back({{0}});
    for (const bool during_read : {false, true}) {
        Recorder client(plan, 10);
        std::atomic<bool> begun{false};
        const auto work = [&](std::chrono::milliseconds time) {
            return [&begun, time](std::size_t) {
                begun = true;
                std::this_thread::sleep_for(time);
            };
        };
        if (during_read)
            client.on_read = work(300ms);
        else
            client.on_execute = work(1ms);
        Progress progress;
        std::chrono::steady_clock::time_point asked;
        std::jthread other([&] {
            while (!begun) std::this_thread::sleep_for(1ms);
            asked = std::chrono::steady_clock::now();
            progress.cancel();
        });
        try {
            run_stream(plan, 10, client, progress, "s");
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::cancelled);
        }
        other.join();
        EXPECT_LT(std::chrono::steady_clock::now() - asked, tests::time_limit(1s));
        EXPECT_LT(client.executed.size(), plan.steps.size());
    }
}

TEST(StreamScheduler, ProgressGrowsWithTheWorkToOne) {
    const StreamPlan plan = pairs(4);
    std::vector<double> told;
    Progress progress([&](double fraction, const std::string& stage) {
        EXPECT_EQ(stage, "correlate");
        told.push_back(fraction);
    });
    Recorder client(plan, 100000);
    client.on_execute = [](std::size_t) { std::this_thread::sleep_for(25ms); };
    run_stream(plan, 100000, client, progress, "correlate");
    // Works in order of steps (0,0) (0,1) .. : 1 2 3 4 2 3 4 3 4 4, sum 30.
    ASSERT_EQ(told.size(), 11U);
    const double sums[] = {0, 1, 3, 6, 10, 12, 15, 19, 22, 26, 30};
    for (std::size_t i = 0; i < told.size(); ++i) EXPECT_DOUBLE_EQ(told[i], sums[i] / 30);
}

TEST(StreamScheduler, ManySmallPlansNeverHang) {
    unsigned seed = 1;
    const auto random = [&](unsigned n) { return (seed = seed * 1664525U + 1013904223U) / 65536U % n; };
    for (int round = 0; round < 200; ++round) {
        StreamPlan plan;
        const std::size_t slabs = 1 + random(8);
        for (std::size_t i = 0; i < slabs; ++i) plan.slabs.push_back({random(50), random(50)});
        for (unsigned i = 0; i < 1 + random(40); ++i) {
            StreamStep step;
            for (unsigned k = 0; k < random(4); ++k)
                step.slabs.push_back(random(static_cast<unsigned>(slabs)));
            plan.steps.push_back(step);
        }
        const std::uint64_t budget = smallest_budget(plan) + random(60);
        Recorder client(plan, budget);
        Progress progress;
        run_stream(plan, budget, client, progress, "s");
        ASSERT_EQ(client.executed.size(), plan.steps.size());
    }
}

}  // namespace
