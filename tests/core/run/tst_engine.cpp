#include "core/run/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <thread>

#include "tests/core/run/fake_analysis.h"

namespace {

using namespace ks;

class EngineTest : public testing::Test {
  protected:
    std::string refusal(const Request& request) {
        try {
            engine.run(request, progress);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            return std::string(error.what()) + error.details();
        }
        return "accepted";
    }
    static bool has(const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
        return text.find(part) != std::string::npos;
    }

    std::shared_ptr<fake::Counts> counts = std::make_shared<fake::Counts>();
    Engine engine = fake::engine(counts);
    Progress progress;
};

TEST_F(EngineTest, TheHostIsTheLastDevice) {
    ASSERT_EQ(engine.devices().size(), 3U);
    EXPECT_EQ(engine.devices()[2].type, "host");
}

TEST_F(EngineTest, OffersAreOrderedByRankAndSayWhyNot) {
    const auto offers = engine.offers("sums", engine.devices()[0]);
    ASSERT_EQ(offers.size(), 7U);
    EXPECT_EQ(offers[0].variant.id, "host.sum");
    EXPECT_TRUE(offers[0].why_not.empty());
    EXPECT_EQ(offers[1].variant.id, "fancy");
    EXPECT_EQ(offers[1].why_not, "it needs a GPU");
    EXPECT_TRUE(offers[2].why_not.empty());
    for (const Offer& offer : engine.offers("sums", engine.devices()[2]))
        EXPECT_EQ(offer.why_not.empty(), offer.variant.on_host()) << offer.variant.id;
}

TEST_F(EngineTest, TheDefaultIsTheBestUsableVariantOfTheDevice) {
    EXPECT_EQ(engine.run(fake::request(), progress).variant.id, "fancy");
    EXPECT_EQ(engine.run(fake::request("", "slow"), progress).variant.id, "plain");
    const ks::Run host = engine.run(fake::request("", "host"), progress);
    EXPECT_EQ(host.variant.id, "host.sum");
    EXPECT_EQ(host.device.type, "host");
}

TEST_F(EngineTest, AHostVariantImpliesTheHost) {
    const ks::Run run = engine.run(fake::request("host.sum", "graphics"), progress);
    EXPECT_EQ(run.device.type, "host");
    EXPECT_EQ(run.request.device, "host");
}

TEST_F(EngineTest, WithoutAUsableVariantTheHostServesUnlessADeviceWasNamed) {
    engine = fake::engine(counts, false);
    EXPECT_EQ(engine.run(fake::request(), progress).variant.id, "host.sum");
    EXPECT_TRUE(has(refusal(fake::request("", "graphics")), "plain: the driver is out of order"));
}

TEST_F(EngineTest, AVariantThatIsUnknownOrNotUsableIsRefusedWithTheReason) {
    const std::string unknown = refusal(fake::request("fastest"));
    EXPECT_TRUE(has(unknown, "\"fastest\""));
    EXPECT_TRUE(has(unknown, "fancy, plain"));
    EXPECT_TRUE(has(refusal(fake::request("fancy", "0")), "it needs a GPU"));
    EXPECT_TRUE(has(refusal(fake::request("plain", "host")), "plain only runs on devices"));
    EXPECT_EQ(counts->loads, 0);
}

TEST_F(EngineTest, TheRunIsCompletedAndTimed) {
    Request request = fake::request("plain");
    request.parameters["factor"] = std::int64_t{3};
    const ks::Run run = engine.run(request, progress);
    EXPECT_EQ(run.result.at("sum").values.as<double>()[0], 21);
    EXPECT_EQ(run.request.device, "Fast Graphics 4090");
    EXPECT_EQ(run.request.variant, "plain");
    EXPECT_EQ(real(run.request.parameters, "factor"), 3.0);
    EXPECT_EQ(run.version, KERNELSCOPE_VERSION);
    EXPECT_TRUE(std::regex_match(run.started, std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)")))
        << run.started;
    std::vector<std::string> stages;
    for (const Timing& row : run.timings)
        if (row.kind != StageKind::overhead) stages.push_back(row.stage);
    EXPECT_EQ(stages, (std::vector<std::string>{"load", "sum"}));
    EXPECT_GE(total(run.timings, StageKind::read), 2'000'000U);
    EXPECT_GE(run.wall_nanoseconds, covered(run.timings));
    EXPECT_EQ(run.verdict.state, Verdict::State::unchecked);
    const ks::Run again = engine.run(run.request, progress);
    EXPECT_EQ(again.result.at("sum").values, run.result.at("sum").values)
        << "a completed request can be repeated";
}

TEST_F(EngineTest, TheSameProblemIsLoadedOnce) {
    engine.run(fake::request("plain"), progress);
    const ks::Run second = engine.run(fake::request("host.sum"), progress);
    EXPECT_EQ(counts->loads, 1);
    EXPECT_EQ(total(second.timings, StageKind::read), 0U);

    Request other = fake::request("plain");
    other.parameters["factor"] = 1.0;  // the default, given explicitly
    engine.run(other, progress);
    EXPECT_EQ(counts->loads, 1);
    other.parameters["factor"] = 2.0;
    engine.run(other, progress);
    EXPECT_EQ(counts->loads, 2);
    other.inputs["numbers"].values = Array::of<double>({3}, std::vector<double>{1, 2, 5});
    EXPECT_EQ(engine.run(other, progress).result.at("sum").values.as<double>()[0], 16);
    EXPECT_EQ(counts->loads, 3);
    other.memory_limit = 1000;
    engine.run(other, progress);
    EXPECT_EQ(counts->loads, 4);
}

TEST_F(EngineTest, WhatIsWrongOfARequestIsToldBeforeFilesAreRead) {
    Request request = fake::request("nobody");
    refusal(request);
    request = fake::request("plain");
    request.device = "no such device";
    refusal(request);
    request = fake::request("");
    request.device = "";
    request.defines["NONE"] = "1";
    refusal(request);
    EXPECT_EQ(counts->loads, 0);
}

TEST_F(EngineTest, DriversOfARequestThatNamesNoDeviceAreLoadedBesideItsFiles) {
    Request request = fake::request("");
    request.device = "";
    const ks::Run run = engine.run(request, progress);
    EXPECT_EQ(counts->loads, 1);
    const auto stage = [&](const std::string& name) {
        return std::ranges::count(run.timings, name, &Timing::stage);
    };
    EXPECT_EQ(stage("load"), 1);
    EXPECT_EQ(stage("open device"), 1);
    const ks::Run second = engine.run(request, progress);
    EXPECT_EQ(std::ranges::count(second.timings, std::string("open device"), &Timing::stage), 0);
    EXPECT_EQ(second.variant.id, run.variant.id);
}

TEST_F(EngineTest, AFileThatChangedIsLoadedAgain) {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / "kernelscope_engine_test_input.txt";
    std::ofstream(file) << "one";
    Request request = fake::request("plain");
    request.inputs["numbers"] = {file.string() + "::/entry/data"};
    engine.run(request, progress);
    engine.run(request, progress);
    EXPECT_EQ(counts->loads, 1);
    std::ofstream(file) << "three";
    engine.run(request, progress);
    EXPECT_EQ(counts->loads, 2);
    std::filesystem::remove(file);
}

TEST_F(EngineTest, ChecksOnRequestAndLater) {
    Request request = fake::request("plain");
    request.check = CheckMode::full;
    EXPECT_EQ(engine.run(request, progress).verdict.state, Verdict::State::pass);
    request.check = CheckMode::sample;
    EXPECT_EQ(engine.run(request, progress).verdict.state, Verdict::State::sampled);
    request.variant = "wrong";
    const ks::Run wrong = engine.run(request, progress);
    EXPECT_EQ(wrong.verdict.state, Verdict::State::fail);
    EXPECT_EQ(wrong.request.check, CheckMode::sample);
    EXPECT_EQ(engine.check(wrong, CheckMode::full, progress).state, Verdict::State::fail);
    EXPECT_EQ(counts->loads, 1);
    EXPECT_EQ(counts->checks, 4);
    EXPECT_EQ(engine.check(wrong, CheckMode::none, progress).state, Verdict::State::unchecked);
}

/// The state of a trial whose sample has one of 100 values and takes `sample`.
Verdict::State state_of_a_trial(std::chrono::milliseconds sample,
                                const std::function<Verdict(Verdict, Progress&)>& full) {
    const auto counts = std::make_shared<fake::Counts>();
    AnalysisFunctions functions = fake::sums(counts);
    functions.check = [&](const Problem&, const ks::Run&, CheckMode mode, Progress& watched) {
        Verdict verdict;
        verdict.samples = 1;
        verdict.state = Verdict::State::sampled;
        if (mode == CheckMode::full) return full(verdict, watched);
        std::this_thread::sleep_for(sample);
        return verdict;
    };
    std::vector<Analysis> analyses;
    analyses.emplace_back(std::move(functions));
    auto registry = std::make_shared<const Registry>(
        std::move(analyses),
        std::vector<HostVariant>{
            {fake::variant("host.sum", 1), [](const Problem& problem, HostContext& context) {
                 Result result = fake::sum_result(problem, context.request, 0);
                 result.datasets[0].values = Array::of<double>({100}, std::vector<double>(100));
                 return result;
             }}});
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
    Engine engine(registry, std::move(backends));
    Request request = fake::request("host.sum");
    request.check = CheckMode::sample;
    request.guarded = true;
    Progress progress;
    return engine.run(request, progress).verdict.state;
}

TEST(TrialCheck, all_values_are_checked_if_that_is_quick_however_slow_the_sample_was) {
    const auto state = state_of_a_trial(std::chrono::milliseconds(50), [](Verdict verdict, Progress&) {
        verdict.state = Verdict::State::pass;
        return verdict;
    });
    EXPECT_EQ(state, Verdict::State::pass) << "a sample of 1 % that takes 50 ms says nothing about the rest";
}

TEST(TrialCheck, a_check_of_all_values_that_takes_too_long_is_stopped_and_the_sample_counts) {
    const auto state =
        state_of_a_trial(std::chrono::milliseconds(1), [](const Verdict&, Progress& watched) -> Verdict {
            for (;;) {
                watched.check();
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
    EXPECT_EQ(state, Verdict::State::sampled);
}

TEST_F(EngineTest, AProblemThatIsThereNeedsNoInputs) {
    Request request = fake::request("plain");
    request.inputs.clear();
    auto problem = std::make_shared<fake::Numbers>();
    problem->values = {2, 3};
    request.check = CheckMode::full;
    const ks::Run run = engine.run(request, problem, progress);
    EXPECT_EQ(run.result.at("sum").values.as<double>()[0], 5);
    EXPECT_EQ(run.verdict.state, Verdict::State::pass);
    EXPECT_EQ(counts->loads, 0);
}

TEST_F(EngineTest, InputsParametersAndDefinesAreChecked) {
    Request request = fake::request("plain");
    request.inputs.clear();
    EXPECT_TRUE(has(refusal(request), "sums, numbers: the input is missing"));
    request = fake::request("plain");
    request.inputs["mask"] = {"x"};
    EXPECT_TRUE(has(refusal(request), "there is no input \"mask\""));
    request = fake::request("plain");
    request.parameters["factor"] = 1000.0;
    EXPECT_TRUE(has(refusal(request), "parameter factor"));
    request = fake::request("plain");
    request.defines = {{"TILE", "17"}};
    EXPECT_TRUE(has(refusal(request), "expected one of 16, 32, found \"17\""));
    request.defines = {{"ROWS", "many"}};
    EXPECT_TRUE(has(refusal(request), "expected a whole number"));
    request.defines = {{"COLUMNS", "2"}};
    EXPECT_TRUE(has(refusal(request), "the definitions are TILE, ROWS"));
    request.kernel_source = "kernel void sum() {}";
    EXPECT_EQ(refusal(request), "accepted");
    request.variant = "host.sum";
    EXPECT_TRUE(has(refusal(request), "no kernel source"));
    request = fake::request();
    request.analysis = "products";
    EXPECT_TRUE(has(refusal(request), "expected one of sums, found \"products\""));
    EXPECT_EQ(counts->executions, 1);
}

TEST_F(EngineTest, AVariantIsChosenByWhatItTakes) {
    // fancy, of the highest rank, takes factors up to 10 only
    Request request = fake::request("", "Graphics");
    EXPECT_EQ(engine.run(request, progress).variant.id, "fancy");
    request.parameters["factor"] = 11.0;
    EXPECT_EQ(engine.run(request, progress).variant.id, "plain")
        << "what does not take it is not the default";
    request.variant = "fancy";
    const int executions = counts->executions;
    EXPECT_TRUE(has(refusal(request), "fancy requires factors of at most 10, found 11"));
    EXPECT_TRUE(has(refusal(request), "usable variants are host.sum, plain,")) << refusal(request);
    EXPECT_EQ(counts->executions, executions);
}

TEST_F(EngineTest, ACancelledJobDoesNotExecute) {
    progress.cancel();
    try {
        engine.run(fake::request("plain"), progress);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
    EXPECT_EQ(counts->executions, 0);
}

}  // namespace
