#include <gtest/gtest.h>

#include <random>

#include "core/xpcs/analysis.h"
#include "tests/core/xpcs/oracle.h"

using ks::CheckMode;
using ks::Verdict;

namespace {

Case<std::uint8_t> noise() {
    std::mt19937 random(5);
    Case<std::uint8_t> made{40, 16, 16, {}, {}};
    for (std::size_t i = 0; i < 40 * 256; ++i) made.counts.push_back(static_cast<std::uint8_t>(random() % 6));
    for (std::size_t i = 0; i < 256; ++i)
        made.labels.push_back(i % 5 == 2 ? 0 : static_cast<std::int32_t>(i % 5));
    made.two_time_bin = 3;
    return made;
}

ks::Run run_of(const std::string& id, const ks::xpcs::CorrelationProblem& problem) {
    ks::Run run;
    run.variant = host_variant(id).info;
    run.result = run_host(host_variant(id), problem);
    return run;
}

double& value(ks::Run& run, const std::string& name, std::size_t index) {
    for (ks::Dataset& dataset : run.result.datasets)
        if (dataset.name == name) return dataset.values.as<double>()[index];
    throw std::runtime_error("no dataset " + name);
}

Verdict check(const ks::xpcs::CorrelationProblem& problem, const ks::Run& run, CheckMode mode) {
    ks::Progress progress;
    return ks::xpcs::check_correlation(problem, run, mode, progress);
}

TEST(Check, EveryHostVariantPasses) {
    const auto problem = noise().problem();
    for (const ks::HostVariant& variant : ks::xpcs::host_variants()) {
        if (!variant.info.lacks.empty()) continue;
        const ks::Run run = run_of(variant.info.id, *problem);
        const Verdict full = check(*problem, run, CheckMode::full);
        EXPECT_EQ(full.state, Verdict::State::pass) << full.text;
        EXPECT_EQ(full.samples, 2U * 4 * 40 + 40 * 40);
        const Verdict sample = check(*problem, run, CheckMode::sample);
        EXPECT_EQ(sample.state, Verdict::State::sampled) << sample.text;
        // 4 bins of 40 delays have fewer values than a sample may: each counts once, as do 200 of the map.
        EXPECT_LE(sample.samples, 2U * 4 * 40 + 200);
        EXPECT_GE(sample.samples, 2U * 4 * 38 + 200);
        EXPECT_NE(sample.text.find("sampled"), std::string::npos);
    }
    EXPECT_EQ(check(*problem, run_of("host.reference", *problem), CheckMode::none).state,
              Verdict::State::unchecked);
}

TEST(Check, WhatAVariantLacksIsNotComparedButMustBeNan) {
    const auto problem = noise().problem();
    for (const ks::HostVariant& variant : ks::xpcs::host_variants()) {
        if (variant.info.computes("g2_err")) continue;
        SCOPED_TRACE(variant.info.id);
        ks::Run run = run_of(variant.info.id, *problem);
        const Verdict full = check(*problem, run, CheckMode::full);
        EXPECT_EQ(full.state, Verdict::State::pass) << full.text;
        EXPECT_EQ(full.samples, 4U * 40);
        value(run, "g2_err", 5) = 0.1;
        for (const CheckMode mode : {CheckMode::full, CheckMode::sample})
            EXPECT_EQ(check(*problem, run, mode).state, Verdict::State::fail);
        value(run, "g2_err", 5) = std::nan("");
        value(run, "g2", 3 * 40 + 7) *= 1 + 1e-7;
        EXPECT_EQ(check(*problem, run, CheckMode::full).where, "g2, bin 4, delay 7");
        EXPECT_EQ(check(*problem, run, CheckMode::full).state, Verdict::State::fail);
    }
}

TEST(Check, OneWrongValueFailsAndIsNamed) {
    const auto problem = noise().problem();
    ks::Run run = run_of("host.reference", *problem);
    value(run, "g2", 3 * 40 + 7) *= 1.00001;
    const Verdict verdict = check(*problem, run, CheckMode::full);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_EQ(verdict.where, "g2, bin 4, delay 7");
    EXPECT_EQ(verdict.place, (ks::VerdictPlace{{"bin", 4}, {"delay", 7}}));
    EXPECT_NEAR(verdict.worst_error.value(), 1e-5, 1e-8);
}

TEST(Check, AValueWithoutNumberIsNamedBeforeALargerError) {
    const auto problem = noise().problem();
    ks::Run run = run_of("host.reference", *problem);
    value(run, "g2", 1 * 40 + 3) *= 2;
    value(run, "g2", 2 * 40 + 9) = std::numeric_limits<double>::quiet_NaN();
    const Verdict verdict = check(*problem, run, CheckMode::full);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_EQ(verdict.where, "g2, bin 3, delay 9");
    EXPECT_EQ(verdict.place, (ks::VerdictPlace{{"bin", 3}, {"delay", 9}}));
}

TEST(Check, AWrongErrorFails) {
    const auto problem = noise().problem();
    ks::Run run = run_of("host.reference", *problem);
    value(run, "g2_err", 0 * 40 + 5) *= 1.001;
    EXPECT_EQ(check(*problem, run, CheckMode::full).where, "g2_err, bin 1, delay 5");
    EXPECT_EQ(check(*problem, run, CheckMode::full).state, Verdict::State::fail);
    ks::Run last = run_of("host.reference", *problem);
    value(last, "g2_err", 39) = 1e-9;
    EXPECT_EQ(check(*problem, last, CheckMode::full).state, Verdict::State::fail);
}

TEST(Check, NanAndNumbersAreNotTheSame) {
    const auto problem = noise().problem();
    ks::Run zero = run_of("host.reference", *problem);
    value(zero, "g2", 1 * 40 + 3) = 0;  // bin 2 is empty
    EXPECT_EQ(check(*problem, zero, CheckMode::full).state, Verdict::State::fail);
    ks::Run gap = run_of("host.reference", *problem);
    value(gap, "g2", 0 * 40 + 3) = std::nan("");
    EXPECT_EQ(check(*problem, gap, CheckMode::full).state, Verdict::State::fail);
}

TEST(Check, ASampleFindsAResultThatIsWrongEverywhere) {
    const auto problem = noise().problem();
    for (const char* name : {"g2", "g2_err", "two_time"}) {
        ks::Run run = run_of("host.reference", *problem);
        const std::size_t n = run.result.at(name).values.size();
        for (std::size_t i = 0; i < n; ++i) value(run, name, i) *= 1.01;
        EXPECT_EQ(check(*problem, run, CheckMode::sample).state, Verdict::State::fail) << name;
    }
}

TEST(Check, TheVariantsToleranceCounts) {
    const auto problem = noise().problem();
    ks::Run run = run_of("host.reference", *problem);
    value(run, "g2", 7) *= 1.00001;
    run.variant.tolerances = {{"g2", 1e-4}};
    EXPECT_EQ(check(*problem, run, CheckMode::full).state, Verdict::State::pass);
}

TEST(Check, AMissingDatasetFails) {
    const auto problem = noise().problem();
    ks::Run run = run_of("host.reference", *problem);
    run.result.datasets.erase(run.result.datasets.begin());
    EXPECT_EQ(check(*problem, run, CheckMode::full).state, Verdict::State::fail);
    EXPECT_EQ(check(*problem, run, CheckMode::sample).state, Verdict::State::fail);
}

}  // namespace
