#include "core/run/sharing/shared_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <thread>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/run/engine.h"

namespace ks::tests {
namespace {

using namespace std::chrono_literals;

/// Squares of numbers, which can be shared out.
struct Squares : Problem {
    std::size_t first = 0, count = 0;
};

AnalysisFunctions squares(bool shared) {
    AnalysisFunctions squares;
    squares.info.id = "squares";
    squares.info.title = "Squares";
    squares.load = [](const Request&, Progress&, std::shared_ptr<const Problem>) {
        auto problem = std::make_shared<Squares>();
        problem->count = 4000;
        return problem;
    };
    squares.check = [](const Squares&, const Run&, CheckMode, Progress&) { return Verdict(); };
    if (!shared) return squares;
    squares.units = [](const Squares& problem) {
        return ShareUnits{.name = "numbers", .count = problem.count, .rounded = true};
    };
    squares.part = [](const std::shared_ptr<const Problem>& whole, std::size_t first, std::size_t end) {
        auto some = std::make_shared<Squares>();
        some->first = dynamic_cast<const Squares&>(*whole).first + first;
        some->count = end - first;
        return some;
    };
    squares.joined = [](const Squares&, std::vector<PartResult> parts, std::vector<Timing>&) {
        Result all;
        std::vector<double> values;
        for (const PartResult& part : parts)
            for (const double value : part.result.at("squares").values.as<double>()) values.push_back(value);
        all.datasets.push_back(
            {"squares", "Squares", "", DataKind::table, Array::of<double>({values.size()}, values)});
        return all;
    };
    return squares;
}

/// What happens on the devices of a test.
struct Behaviour {
    std::set<std::pair<int, std::uint32_t>> fail{};  ///< index and context of devices that fail
    std::size_t together = 1;  ///< the first piece of each waits until so many devices are at theirs
    std::chrono::milliseconds takes{2};  ///< at least, for each piece
    bool wrong_request = false, waits = false;
    std::atomic<int> at_once{0}, most_at_once{0}, executions{0};
    std::set<std::pair<int, std::uint32_t>> used{};
    std::mutex mutex;
};

class FakeDevices : public Backend {
  public:
    explicit FakeDevices(std::shared_ptr<Behaviour> behaviour) : behaviour_(std::move(behaviour)) {
        for (const char* id : {"fast", "picky"}) {
            Variant row;
            row.analysis = "squares";
            row.id = id;
            row.rank = id == std::string("fast") ? 2 : 3;
            variants_.push_back(row);
        }
    }
    std::string name() const override { return "opencl"; }
    std::vector<DeviceInfo> devices() override {
        std::vector<DeviceInfo> all(3);
        for (int i = 0; i < 3; ++i) {
            DeviceInfo& one = all[static_cast<std::size_t>(i)];
            one.index = i;
            one.backend = "opencl";
            one.name = i == 2 ? "Other" : "Twin";
            one.type = "GPU";
            one.global_bytes = 1000;
        }
        return all;
    }
    const std::vector<Variant>& variants() const override { return variants_; }
    std::string why_not(const Variant& variant, const DeviceInfo& device) override {
        return variant.id == "picky" && device.index == 1 ? "Twin 1 lacks something" : "";
    }
    void execute(const Problem& problem, Run& run, Progress& progress) override {
        Behaviour& how = *behaviour_;
        Stopwatch watch;
        const int now = ++how.at_once;
        for (int most = how.most_at_once; now > most && !how.most_at_once.compare_exchange_weak(most, now);) {
        }
        struct Leave {
            Behaviour& how;
            ~Leave() { --how.at_once; }
        } const leave{how};
        ++how.executions;
        {
            const std::lock_guard lock(how.mutex);
            how.used.emplace(run.device.index, run.device.context);
        }
        const auto begun = [&how] {
            const std::lock_guard lock(how.mutex);
            return how.used.size();
        };
        do std::this_thread::sleep_for(how.takes);
        while (begun() < how.together);
        if (how.wrong_request) throw Error(ErrorKind::input, "the request is wrong");
        if (how.fail.contains({run.device.index, run.device.context}))
            throw Error(ErrorKind::device, "the device fell off the bus");
        while (how.waits) {
            progress.report(0.5, "waiting");
            std::this_thread::sleep_for(1ms);
        }
        progress.report(0.5, "squaring");
        const auto& squares = dynamic_cast<const Squares&>(problem);
        std::vector<double> values;
        for (std::size_t i = squares.first; i < squares.first + squares.count; ++i)
            values.push_back(static_cast<double>(i * i));
        run.result.datasets.push_back(
            {"squares", "Squares", "", DataKind::table, Array::of<double>({values.size()}, values)});
        add(run.timings, {"square", StageKind::kernel, watch.lap()});
    }
    Ceilings measure_ceilings(const DeviceInfo&, const CeilingsPlan&, Progress&) override { return {}; }

  private:
    std::vector<Variant> variants_;
    std::shared_ptr<Behaviour> behaviour_;
};

class SharedRuns : public testing::Test {
  protected:
    Engine engine_of(bool shared = true) {
        std::vector<Analysis> analyses;
        analyses.emplace_back(squares(shared));
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(std::make_unique<FakeDevices>(how));
        backends.push_back(std::make_unique<HostBackend>(std::vector<HostVariant>{}));
        return {std::make_shared<const Registry>(std::move(analyses), std::vector<HostVariant>{}),
                std::move(backends)};
    }
    ks::Run run(const std::string& device, const std::string& variant = {}) {
        Engine engine = engine_of();
        Request request;
        request.analysis = "squares";
        request.device = device;
        request.variant = variant;
        return engine.run(request, progress);
    }
    Error error(const std::string& device, const std::string& variant = {}) {
        try {
            run(device, variant);
        } catch (const Error& found) {
            return found;
        }
        ADD_FAILURE() << "it ran";
        return {ErrorKind::run, ""};
    }
    static void expect_right(const ks::Run& run) {
        const auto values = run.result.at("squares").values.as<double>();
        ASSERT_EQ(values.size(), 4000U);
        for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<double>(i * i)) << i;
    }

    std::shared_ptr<Behaviour> how = std::make_shared<Behaviour>();
    Progress progress;
};

}  // namespace

TEST_F(SharedRuns, devices_work_at_once_and_their_parts_come_in_order) {
    how->together = 2;
    const ks::Run made = run("0,1");
    expect_right(made);
    EXPECT_EQ(how->most_at_once, 2);
    ASSERT_EQ(made.devices.size(), 2U);
    EXPECT_EQ(made.request.device, "0,1");
    EXPECT_EQ(made.device.index, 0);
    EXPECT_NEAR(made.devices[0].share + made.devices[1].share, 1.0, 1e-9);
    EXPECT_EQ(made.devices[0].units + made.devices[1].units, 4000U);
    EXPECT_EQ(made.devices[0].label, "Twin (1)");
    for (const DeviceShare& share : made.devices) {
        EXPECT_GE(share.pieces, 1U);
        EXPECT_GE(share.nanoseconds, share.pieces * 2000000);
    }
}

TEST_F(SharedRuns, a_device_named_three_times_has_three_contexts) {
    how->together = 3;
    const ks::Run made = run("0,0,0");
    expect_right(made);
    EXPECT_EQ(how->used, (std::set<std::pair<int, std::uint32_t>>{{0, 0}, {0, 1}, {0, 2}}));
    EXPECT_EQ(made.device.global_bytes, 1000U);
    EXPECT_EQ(made.devices[1].device.global_bytes, 333U);
}

TEST_F(SharedRuns, one_device_runs_as_ever) {
    Engine engine = engine_of();
    Request request;
    request.analysis = "squares";
    request.device = "1";
    const ks::Run made = engine.run(request, progress);
    EXPECT_TRUE(made.devices.empty());
    EXPECT_EQ(how->executions, 1);
}

TEST_F(SharedRuns, a_device_that_fails_leaves_and_others_do_its_work) {
    how->together = 2;
    how->fail = {{1, 0}};
    const ks::Run made = run("0,1");
    expect_right(made);
    EXPECT_EQ(made.devices[1].pieces, 0U);
    EXPECT_EQ(made.devices[0].units, 4000U);
    EXPECT_NE(made.devices[1].failure.find("fell off the bus"), std::string::npos);
    ASSERT_EQ(made.result.warnings.size(), 1U);
    EXPECT_NE(made.result.warnings[0].find("Twin (2) failed"), std::string::npos) << made.result.warnings[0];
}

TEST_F(SharedRuns, where_all_fail_it_is_an_error_that_says_why) {
    how->fail = {{0, 0}, {1, 0}};
    const Error found = error("0,1");
    EXPECT_EQ(found.kind(), ErrorKind::device);
    EXPECT_NE(found.details().find("Twin (2): "), std::string::npos) << found.details();
    EXPECT_NE(found.details().find("fell off the bus"), std::string::npos);
}

TEST_F(SharedRuns, a_wrong_request_ends_all_devices) {
    how->wrong_request = true;
    const Error found = error("0,1,2");
    EXPECT_EQ(found.kind(), ErrorKind::input);
    EXPECT_LE(how->executions, 3);
}

TEST_F(SharedRuns, cancel_ends_all_devices) {
    how->waits = true;
    std::jthread cancels([this] {
        std::this_thread::sleep_for(30ms);
        progress.cancel();
    });
    EXPECT_EQ(error("0,1,2").kind(), ErrorKind::cancelled);
    EXPECT_EQ(how->at_once, 0);
}

TEST_F(SharedRuns, the_default_variant_is_one_that_all_devices_run) {
    EXPECT_EQ(run("0,2").variant.id, "picky");
    EXPECT_EQ(run("0,1").variant.id, "fast");
    EXPECT_NE(std::string(error("0,1", "picky").what()).find("Twin 1 lacks something"), std::string::npos);
}

TEST_F(SharedRuns, devices_of_several_kinds_are_told_where_values_are_rounded) {
    EXPECT_TRUE(run("0,1").result.warnings.empty());
    const ks::Run mixed = run("0,2");
    ASSERT_EQ(mixed.result.warnings.size(), 1U);
    EXPECT_NE(mixed.result.warnings[0].find("several kinds"), std::string::npos);
}

TEST_F(SharedRuns, what_cannot_be_shared_is_refused_with_one_sentence) {
    Engine engine = engine_of(false);
    Request request;
    request.analysis = "squares";
    request.device = "0,1";
    try {
        engine.run(request, progress);
        FAIL();
    } catch (const Error& found) {
        EXPECT_EQ(found.kind(), ErrorKind::input);
        EXPECT_NE(std::string(found.what()).find("cannot be divided"), std::string::npos) << found.what();
    }
    EXPECT_EQ(how->executions, 0);
}

TEST_F(SharedRuns, a_guarded_run_is_one_of_a_single_device) {
    Engine engine = engine_of();
    Request request;
    request.analysis = "squares";
    request.device = "0,1";
    request.guarded = true;
    EXPECT_THROW(engine.run(request, progress), Error);
    EXPECT_EQ(how->executions, 0);
}

TEST_F(SharedRuns, wrong_lists_are_refused) {
    for (const char* wrong : {"0,9", "0,,1", "0,host", ","}) EXPECT_EQ(error(wrong).kind(), ErrorKind::input);
}

TEST_F(SharedRuns, every_stage_is_one_devices_or_the_runs_and_all_the_time_is_in_one) {
    how->together = 2;
    how->takes = 25ms;
    const ks::Run made = run("0,1");
    for (const std::uint32_t device : {0U, 1U}) {
        std::vector<Timing> own;
        for (const Timing& row : made.timings)
            if (row.device == device) own.push_back(row);
        const auto has = [&](const char* stage) {
            return std::ranges::find(own, stage, &Timing::stage) != own.end();
        };
        EXPECT_TRUE(has("square") && has("take a piece") && has("wait for others"));
    }
    EXPECT_GE(covered(made.timings), made.wall_nanoseconds / 100 * 95) << stages_text(made.timings);
}

TEST_F(SharedRuns, progress_grows_to_the_whole) {
    how->takes = 25ms;  // what is told sooner after the last is left out
    std::vector<double> told;
    Engine engine = engine_of();
    Request request;
    request.analysis = "squares";
    request.device = "0,1,2";
    Progress listening([&](double fraction, const std::string&) { told.push_back(fraction); });
    engine.run(request, listening);
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(told.back(), 1);
}

}  // namespace ks::tests
