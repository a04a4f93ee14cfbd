#include "core/run/bench_baseline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"

namespace {

using namespace ks;

TEST(BenchJson, RowsHaveTheirPlacesByBothTimes) {
    const auto row = [](const char* id, double kernel, double total, std::size_t runs) {
        BenchRow made;
        made.variant.id = id;
        for (std::size_t i = 0; i < runs; ++i) {
            BenchSample sample;
            sample.kernel = kernel + static_cast<double>(i % 3);
            sample.total = total + static_cast<double>(i % 3);
            made.samples.push_back(sample);
        }
        return made;
    };
    BenchReport report;
    report.points.push_back(
        {{}, {row("a", 200, 900, 12), row("none", 0, 0, 0), row("b", 100, 903, 12), row("c", 300, 500, 12)}});
    const nlohmann::json rows = bench_json(report).at("variants");
    EXPECT_EQ(rows[0].at("rank_kernel"), nlohmann::json::parse("[2, 2]"));
    EXPECT_EQ(rows[2].at("rank_kernel"), nlohmann::json::parse("[1, 1]"));
    EXPECT_EQ(rows[3].at("rank_kernel"), nlohmann::json::parse("[3, 3]"));
    EXPECT_EQ(rows[0].at("rank_total"), nlohmann::json::parse("[2, 3]"));
    EXPECT_EQ(rows[2].at("rank_total"), nlohmann::json::parse("[2, 3]"));
    EXPECT_EQ(rows[3].at("rank_total"), nlohmann::json::parse("[1, 1]"));
    EXPECT_FALSE(rows[1].contains("rank_kernel") || rows[1].contains("rank_total"));
    EXPECT_TRUE(bench_json(report).at("ranks_need_repeats").is_null());
    for (BenchRow& one : report.points.front().rows)
        one.samples.resize(std::min<std::size_t>(one.samples.size(), 9));
    EXPECT_EQ(bench_json(report).at("ranks_need_repeats"), 10);
    EXPECT_EQ(bench_json(report).at("variants")[2].at("rank_kernel"), nlohmann::json::parse("[1, 3]"));
    // Series of launches alone have no times end to end of their own.
    report.plan.kernels_only = true;
    EXPECT_FALSE(bench_json(report).at("variants")[0].contains("rank_total"));
}

TEST(BenchJson, AWrongVariantHasNoPlaceAndTakesNone) {
    const auto row = [](const char* id, double time, Verdict::State state) {
        BenchRow made;
        made.variant.id = id;
        made.verdict.state = state;
        for (std::size_t i = 0; i < 12; ++i) {
            BenchSample sample;
            sample.kernel = time + static_cast<double>(i % 3);
            sample.total = 10 * time;
            made.samples.push_back(sample);
        }
        return made;
    };
    BenchReport report;
    report.points.push_back({{},
                             {row("hasty", 10, Verdict::State::fail), row("slow", 300, Verdict::State::pass),
                              row("fast", 100, Verdict::State::sampled)}});
    const nlohmann::json rows = bench_json(report).at("variants");
    for (const char* key : {"rank_kernel", "rank_total"}) {
        EXPECT_TRUE(rows[0].at(key).is_null()) << key;
        EXPECT_EQ(rows[1].at(key), nlohmann::json::parse("[2, 2]")) << key;
        EXPECT_EQ(rows[2].at(key), nlohmann::json::parse("[1, 1]")) << key;
    }
    // Nine runs are enough for two rows (eight), though not for three (ten).
    for (BenchRow& one : report.points.front().rows) one.samples.resize(9);
    EXPECT_TRUE(bench_json(report).at("ranks_need_repeats").is_null());
}

class BenchBaselineTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() /
            (std::string("ks_baseline_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path written(const nlohmann::json& json) const {
        std::ofstream(folder_ / "kept.json") << json.dump();
        return folder_ / "kept.json";
    }
    static nlohmann::json sample(double time) {
        BenchSample made;
        made.kernel = time;
        made.total = 2 * time;
        return to_json(made);
    }
    static nlohmann::json kept() {
        nlohmann::json samples = nlohmann::json::array();
        for (const double time : {100.0, 101.0, 99.0, 100.5, 99.5}) samples.push_back(sample(time));
        return {{"analysis", "sums"},
                {"format_version", 1},
                {"version", "0.1"},
                {"started", "then"},
                {"repeats", 3},
                {"from", "device"},
                {"device", to_json(DeviceInfo{})},
                {"defines", nlohmann::json::object()},
                {"sizes", {{"count", 4}}},
                {"variants",
                 {{{"id", "plain"}, {"samples", samples}},
                  {{"id", "fancy"}, {"samples", nlohmann::json::array()}}}}};
    }
    static BenchReport report() {
        BenchReport now;
        now.plan.analysis = "sums";
        BenchPoint point;
        point.sizes["count"] = std::int64_t{4};
        for (const char* id : {"plain", "fancy", "third"}) {
            BenchRow row;
            row.variant.id = id;
            for (const double time : {120.0, 121.0, 119.0, 120.5, 119.5}) {
                BenchSample made;
                made.kernel = time;
                made.total = 2 * time;
                row.samples.push_back(made);
            }
            point.rows.push_back(row);
        }
        now.points.push_back(point);
        return now;
    }
    static std::string refusal(const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            return error.what();
        }
        return "accepted";
    }

  private:
    std::filesystem::path folder_;
};

TEST_F(BenchBaselineTest, AVariantOrASizeThatOccursTwiceIsRefused) {
    nlohmann::json twice = kept();
    twice["variants"].push_back(twice["variants"][0]);
    EXPECT_NE(refusal([&] {
                  BenchBaseline::read(written(twice));
              }).find("expected each variant of a size once, found plain twice"),
              std::string::npos);
    nlohmann::json points = kept();
    points["points"] = nlohmann::json::array();
    for (int i = 0; i < 2; ++i)
        points["points"].push_back({{"sizes", points["sizes"]}, {"variants", points["variants"]}});
    EXPECT_NE(
        refusal([&] { BenchBaseline::read(written(points)); }).find("expected each size once, found count"),
        std::string::npos);
    points["points"].erase(1);
    EXPECT_EQ(BenchBaseline::read(written(points)).points.size(), 1u);
}

TEST_F(BenchBaselineTest, ATimeOfZeroHasNoRatio) {
    nlohmann::json zero = kept();
    for (nlohmann::json& one : zero["variants"][0]["samples"]) one = sample(0);
    const BenchChange change =
        changes_since(BenchBaseline::read(written(zero)), report(), &BenchSample::kernel)[0];
    EXPECT_EQ(change.not_compared, "its time in the baseline is 0");
}

TEST_F(BenchBaselineTest, AnotherMachineOrABusierOneIsSaid) {
    nlohmann::json json = kept();
    DeviceInfo device, host;
    device.name = "card A";
    device.driver = "535";
    host.name = "processor A";
    json["device"] = to_json(device);
    json["host"] = to_json(host);
    json["load"] = 0.1;
    const BenchBaseline baseline = BenchBaseline::read(written(json));
    BenchReport now = report();
    now.device = device;
    now.host = host;
    now.load = 0.3;
    EXPECT_TRUE(differences_of_machine(baseline, now).empty());
    now.device.driver = "550";
    now.host.name = "processor B";
    now.load = 3.2;
    const std::vector<std::string> said = differences_of_machine(baseline, now);
    ASSERT_EQ(said.size(), 3U);
    EXPECT_EQ(said[0], "Different drivers: 535 for the baseline, 550 now.");
    EXPECT_EQ(said[1], "Different machines: processor A for the baseline, processor B now.");
    EXPECT_EQ(said[2],
              "The machine was busier now: 0.1 processes were running before the baseline, 3.2 before this "
              "benchmark.");
    // Files of earlier versions tell neither host nor load.
    json.erase("host");
    json.erase("load");
    now.load.reset();
    now.device.driver = "535";
    EXPECT_TRUE(differences_of_machine(BenchBaseline::read(written(json)), now).empty());
}

TEST_F(BenchBaselineTest, TellsWhatChangedAndWhatCannotBeCompared) {
    const BenchBaseline baseline = BenchBaseline::read(written(kept()));
    const std::vector<BenchChange> changes = changes_since(baseline, report(), &BenchSample::kernel);
    ASSERT_EQ(changes.size(), 3U);
    EXPECT_EQ(changes[0].variant, "plain");
    EXPECT_EQ(changes[0].before, 100);
    EXPECT_EQ(changes[0].now, 120);
    EXPECT_DOUBLE_EQ(changes[0].ratio.value, 1.2);
    EXPECT_TRUE(changes[0].ratio.above(1.1));
    EXPECT_EQ(changes[1].not_compared, "not run in the baseline");
    EXPECT_EQ(changes[2].not_compared, "not in the baseline");
    EXPECT_EQ(changes_since(baseline, report(), &BenchSample::total)[0].before, 200);
}

TEST_F(BenchBaselineTest, AKernelOfTheUsersOwnWhoseTextIsAnotherOneIsSaidToBeSo) {
    nlohmann::json then = kept();
    then["variants"][0]["programs"] = {{{"source_file", "mine.cl"}, {"text_hash", "00000000000000aa"}}};
    BenchReport now = report();
    BenchRow& row = now.points.front().rows[0];
    row.builds.resize(1);
    const auto is_other = [&](const char* hash, bool own) {
        row.builds[0].text_hash = hash;
        row.variant.user_file = own ? "mine.cl" : "";
        return changes_since(BenchBaseline::read(written(then)), now, &BenchSample::kernel)[0].other_text;
    };
    EXPECT_FALSE(is_other("00000000000000aa", true));
    EXPECT_TRUE(is_other("00000000000000bb", true));
    EXPECT_FALSE(is_other("00000000000000bb", false)) << "versions of the program are meant to be compared";
    // The text of a built-in kernel was replaced, now or then.
    row.text_mark = "0000bb";
    EXPECT_TRUE(is_other("00000000000000bb", false));
    EXPECT_FALSE(is_other("00000000000000aa", false));
    row.text_mark.clear();
    then["variants"][0]["text_mark"] = "0000aa";
    EXPECT_TRUE(is_other("00000000000000bb", false));
    then["variants"][0].erase("programs");
    EXPECT_FALSE(is_other("00000000000000bb", true)) << "the file does not say what its text was";
}

TEST_F(BenchBaselineTest, TheMarkOfTheTextOfAKernelOfTheUsersOwnIsKept) {
    BenchReport now = report();
    EXPECT_FALSE(bench_json(now).at("variants").at(0).contains("text_mark"));
    now.points.front().rows[0].text_mark = "3f2a61";
    EXPECT_EQ(bench_json(now).at("variants").at(0).at("text_mark"), "3f2a61");
    nlohmann::json then = kept();
    then["variants"][0]["text_mark"] = "91ab02";
    EXPECT_EQ(BenchBaseline::read(written(then)).points.front().rows[0].text_mark, "91ab02");
}

TEST_F(BenchBaselineTest, AVariantThatFailedIsNotReadAsOneThatWasLeftOut) {
    BenchReport now = report();
    std::vector<BenchRow>& rows = now.points.front().rows;
    rows[0].not_run = "the kernel sum crashed its process";
    rows[0].failed = true;
    rows[1].not_run = "it does not take this size";
    for (BenchRow& row : rows)
        if (!row.not_run.empty()) row.samples.clear();
    nlohmann::json json = kept();
    json["variants"] = bench_json(now).at("variants");
    const std::vector<BenchRow> read = BenchBaseline::read(written(json)).points.front().rows;
    EXPECT_TRUE(read[0].failed);
    EXPECT_EQ(read[0].not_run, "the kernel sum crashed its process");
    EXPECT_FALSE(read[1].failed || read[2].failed);
}

TEST_F(BenchBaselineTest, FewerThanFiveRunsTellNoChange) {
    nlohmann::json few = kept();
    few["variants"][0]["samples"].erase(4);
    const BenchChange change =
        changes_since(BenchBaseline::read(written(few)), report(), &BenchSample::kernel)[0];
    EXPECT_DOUBLE_EQ(change.ratio.value, 120 / 100.25);
    EXPECT_FALSE(change.ratio.known() || change.ratio.above(1) || change.ratio.below(1));
}

TEST_F(BenchBaselineTest, KeepsTunedValuesAndThePlaceOfTheLargestError) {
    BenchReport now = report();
    now.points.front().rows[0].tuned = {{"ITEMS", "32"}, {"WG", "16"}};
    now.points.front().rows[1].verdict.place = {{"frame", 3}, {"x", 17}, {"y", 5}};
    now.started = "then";
    now.version = "0.1";
    const BenchBaseline back = BenchBaseline::read(written(nlohmann::json::parse(bench_text(now))));
    const std::vector<BenchRow>& rows = back.points.at(0).rows;
    EXPECT_EQ(rows.at(0).tuned, (std::map<std::string, std::string>{{"ITEMS", "32"}, {"WG", "16"}}));
    EXPECT_TRUE(rows.at(1).tuned.empty());
    EXPECT_EQ(rows.at(1).verdict.place, (VerdictPlace{{"frame", 3}, {"x", 17}, {"y", 5}}));
    // Files of earlier versions have neither.
    const BenchBaseline older = BenchBaseline::read(written(kept()));
    EXPECT_TRUE(older.points.at(0).rows.at(0).tuned.empty());
    EXPECT_TRUE(older.points.at(0).rows.at(0).verdict.place.empty());
}

TEST_F(BenchBaselineTest, WhatIsNotComparableIsRefusedWithBoth) {
    const BenchBaseline baseline = BenchBaseline::read(written(kept()));
    const std::vector<ParameterSet> sizes{report().points.front().sizes};
    BenchPlan plan = report().plan;
    EXPECT_NO_THROW(baseline.require_comparable(plan, sizes));
    plan.analysis = "xpcs";
    EXPECT_NE(refusal([&] { baseline.require_comparable(plan, sizes); }).find("the analysis sums"),
              std::string::npos);
    plan = report().plan;
    plan.from = BenchFrom::file;
    EXPECT_NE(refusal([&] { baseline.require_comparable(plan, sizes); }).find("--from file"),
              std::string::npos);
    plan = report().plan;
    plan.defines["TILE"] = "32";
    EXPECT_NE(refusal([&] { baseline.require_comparable(plan, sizes); }).find("TILE=32"), std::string::npos);
    plan = report().plan;
    EXPECT_NE(refusal([&] {
                  baseline.require_comparable(plan, {{{"count", std::int64_t{5}}}});
              }).find("the baseline has the sizes count = 4, but this benchmark has the sizes count = 5"),
              std::string::npos);
}

TEST_F(BenchBaselineTest, FilesThatAreNoneAreRefusedInASentence) {
    const auto refused = [&](const nlohmann::json& json, const std::string& part) {
        const std::string text = refusal([&] { BenchBaseline::read(written(json)); });
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_NE(text.find("kept.json"), std::string::npos) << text;
    };
    nlohmann::json json = kept();
    json["format_version"] = 2;
    refused(json, "has format version 2");
    json = kept();
    json["variants"][0]["samples"][1].erase("kernel_ns");
    refused(json, "damaged");
    json = kept();
    json.erase("device");
    refused(json, "damaged");
    json = kept();
    json["variants"] = 3;
    refused(json, "damaged");
    refused(nlohmann::json::array(), "not a benchmark report");
    EXPECT_NE(refusal([&] { BenchBaseline::read("/no/such/kept.json"); }).find("no such file"),
              std::string::npos);
}

TEST_F(BenchBaselineTest, TimesThatCannotBeAreRefusedByTheirField) {
    const auto refused = [this](const char* pointer, const nlohmann::json& value) {
        nlohmann::json json = kept();
        json["variants"][0]["first_run"] = sample(300);
        json[nlohmann::json::json_pointer(pointer)] = value;
        const std::filesystem::path file = written(json);
        return refusal([&] { BenchBaseline::read(file); });
    };
    EXPECT_EQ(refused("/variants/0/samples/2/kernel_ns", 99.5), "accepted");
    EXPECT_EQ(refused("/variants/0/samples/2/kernel_ns", 0.0), "accepted");
    const auto said = [&](const char* pointer, const nlohmann::json& value, const std::string& expected) {
        const std::string found = refused(pointer, value);
        EXPECT_NE(found.find("the benchmark report is damaged: " + expected), std::string::npos) << found;
        EXPECT_EQ(found.find('\n'), std::string::npos) << found;
    };
    said("/variants/0/samples/2/kernel_ns", -5.0,
         "samples[2].kernel_ns of plain: expected a time, at least 0, found -5");
    said("/variants/0/samples/0/total_ns",
         to_json(BenchSample{.total = HUGE_VAL, .timings = {}}).at("total_ns"),
         "samples[0].total_ns of plain: expected a time, at least 0, found inf");
    said("/variants/0/first_run/upload_ns",
         to_json(BenchSample{.upload = std::nan(""), .timings = {}}).at("upload_ns"),
         "first_run.upload_ns of plain: expected a time, at least 0, found nan");
}

TEST_F(BenchBaselineTest, AReportThatIsCutOffIsDamaged) {
    const std::filesystem::path file = written(kept());
    std::filesystem::resize_file(file, 500);
    const std::string said = refusal([&] { BenchBaseline::read(file); });
    EXPECT_NE(said.find("the benchmark report is damaged: it is cut off after 500 bytes"), std::string::npos)
        << said;
    std::ofstream(file) << R"({"analysis": "sums", "repeats": 3,, "started": "then"})";
    const std::string comma = refusal([&] { BenchBaseline::read(file); });
    EXPECT_NE(comma.find("the benchmark report is damaged: invalid JSON at byte 35"), std::string::npos)
        << comma;
    std::ofstream(file) << R"({"colour": 3,)";
    const std::string other = refusal([&] { BenchBaseline::read(file); });
    EXPECT_NE(other.find("not a benchmark report"), std::string::npos) << other;
}

}  // namespace
