// What `bench` prints and writes.

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

const std::vector<std::string> small{"--frames", "24", "--height", "41", "--width", "43"};

std::vector<std::string> with_sizes(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), small.begin(), small.end());
    return arguments;
}

TEST(Bench, keeps_every_sample_and_checks_every_variant_that_ran) {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_cli(with_sizes({"bench", "xpcs", "--repeat", "4", "--json", folder / "bench.json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "bench.json"));
    EXPECT_EQ(report.at("analysis"), "xpcs");
    EXPECT_EQ(report.at("sizes").at("frames"), 24);
    EXPECT_FALSE(report.at("device").at("name").get<std::string>().empty());
    EXPECT_TRUE(report.contains("driver"));
    EXPECT_FALSE(report.at("version").get<std::string>().empty());
    std::size_t ran = 0;
    for (const auto& variant : report.at("variants")) {
        const std::string id = variant.at("id");
        EXPECT_NE(outcome.out.find(id), std::string::npos) << id << " is not in the table";
        if (variant.contains("not_run")) {
            EXPECT_FALSE(variant.at("not_run").get<std::string>().empty());
            EXPECT_TRUE(variant.at("samples").empty());
            continue;
        }
        ++ran;
        ASSERT_EQ(variant.at("samples").size(), 4U) << id;
        for (const auto& sample : variant.at("samples")) {
            EXPECT_GT(sample.at("kernel_ns").get<double>(), 0) << id;
            EXPECT_GE(sample.at("total_ns").get<double>(), 0) << id;
        }
        EXPECT_EQ(variant.at("verdict").at("state"), "pass") << id;
    }
    EXPECT_GE(ran, 2U);
}

/// The report of one analysis with few samples, from where it is told to.
nlohmann::json report_from(const std::string& from, std::vector<std::string> arguments) {
    const TemporaryFolder folder;
    arguments.insert(arguments.begin(), "bench");
    for (const std::string& more : {std::string("--repeat"), std::string("2"), std::string("--from"), from,
                                    std::string("--json"), folder / "bench.json"})
        arguments.push_back(more);
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("--from " + from), std::string::npos) << outcome.out;
    auto report = nlohmann::json::parse(ks::tests::read_file(folder / "bench.json"));
    EXPECT_EQ(report.at("from"), from);
    return report;
}

const std::vector<std::vector<std::string>> analyses_of_files{
    {"xpcs", "--frames", "24", "--height", "41", "--width", "43", "--variants", "gram.tiled,host.gram"},
    {"spots", "--frames", "3", "--height", "100", "--width", "120", "--spots", "20", "--kernel", "2,4",
     "--algorithm", "dispersion_extended", "--variants", "extended.vector,host.sliding"},
    {"clusters", "--events", "1", "--digis", "500", "--variants", "map.cpu,host.unionfind"},
    {"particles", "--points", "40", "--planes", "20", "--variants", "vector.cpu,host.vector"},
    {"particles", "--points", "40", "--targets", "300", "--kernel", "laplace", "--variants", "vector.cpu"}};

TEST(Bench, from_the_device_and_from_memory_differ_by_the_upload_in_every_run) {
    for (const auto& arguments : analyses_of_files)
        for (const std::string from : {"device", "memory"})
            for (const auto& variant : report_from(from, arguments).at("variants")) {
                const std::string id = variant.at("id");
                EXPECT_EQ(variant.at("verdict").at("state"), "pass") << id;
                if (id.starts_with("host.")) continue;
                ASSERT_EQ(variant.at("samples").size(), 2U) << id;
                std::uint64_t first_bytes = 0;
                for (const auto& stage : variant.at("first_run").at("stages"))
                    if (stage.at("kind") == "upload") first_bytes += stage.at("bytes").get<std::uint64_t>();
                EXPECT_GT(first_bytes, 0U) << id;
                for (const auto& sample : variant.at("samples")) {
                    std::uint64_t bytes = 0;
                    for (const auto& stage : sample.at("stages"))
                        if (stage.at("kind") == "upload") bytes += stage.at("bytes").get<std::uint64_t>();
                    if (from == "memory") {
                        EXPECT_EQ(bytes, first_bytes) << arguments[0] << " " << id;
                    } else if (arguments[0] == "xpcs" || arguments[0] == "spots") {
                        EXPECT_LT(bytes, first_bytes) << arguments[0] << " " << id;
                    }
                }
            }
}

TEST(Bench, from_a_file_reads_it_in_every_run) {
    for (const auto& arguments : analyses_of_files)
        for (const auto& variant : report_from("file", arguments).at("variants")) {
            const std::string id = arguments[0] + " " + variant.at("id").get<std::string>();
            EXPECT_EQ(variant.at("verdict").at("state"), "pass") << id;
            ASSERT_EQ(variant.at("samples").size(), 2U) << id;
            for (const auto& sample : variant.at("samples")) {
                double loading = 0;
                for (const auto& stage : sample.at("stages"))
                    if (stage.at("stage") == "load") loading += stage.at("nanoseconds").get<double>();
                EXPECT_GT(loading, 0) << id;
                EXPECT_GE(sample.at("read_ns").get<double>(), loading) << id;
                EXPECT_GE(sample.at("total_ns").get<double>(), sample.at("read_ns").get<double>()) << id;
                if (variant.at("id").get<std::string>().starts_with("host.")) continue;
                EXPECT_GT(sample.at("upload_ns").get<double>(), 0) << id;
            }
        }
}

TEST(Bench, from_a_file_leaves_none_and_needs_an_analysis_of_files) {
    const TemporaryFolder folder;
    setenv("TMPDIR", folder.path().c_str(), 1);
    const Outcome outcome = run_cli({"bench", "particles", "--points", "40", "--planes", "20", "--variants",
                                     "host.vector", "--repeat", "1", "--from", "file"});
    unsetenv("TMPDIR");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(folder.names().empty());
    const Outcome numbers = run_cli({"bench", "vector_add", "--repeat", "1", "--from", "file"});
    EXPECT_EQ(numbers.code, 2);
    EXPECT_NE(numbers.err.find("there is no file to read"), std::string::npos) << numbers.err;
    const Outcome unknown = run_cli({"bench", "xpcs", "--from", "disk"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find(R"(expected "memory", "device" or "file")"), std::string::npos) << unknown.err;
}

TEST(Bench, names_what_was_asked_for_only) {
    const Outcome outcome = run_cli(
        with_sizes({"bench", "xpcs", "--repeat", "3", "--device", "host", "--variants", "host.gram"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("host.gram"), std::string::npos);
    EXPECT_EQ(outcome.out.find("host.reference"), std::string::npos);
}

TEST(Bench, a_definition_goes_to_the_variants_that_have_it) {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_cli(with_sizes({"bench", "xpcs", "--repeat", "1", "--variants", "seed.naive,host.gram",
                            "--define", "WG=64", "--json", folder / "bench.json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "bench.json"));
    EXPECT_EQ(report.at("defines").at("WG"), "64");
    for (const auto& variant : report.at("variants"))
        EXPECT_FALSE(variant.at("samples").empty()) << variant.dump();
}

TEST(Bench, a_kernel_file_stands_for_the_kernel_of_the_variant_that_it_is_given_for) {
    const TemporaryFolder folder;
    std::ofstream(folder / "mine.cl") << "kernel void mine(global int* a) { a[0] = 1; }";
    const std::vector<std::string> command{
        "bench", "xpcs", "--repeat", "1", "--variants", "seed.naive,host.gram", "--kernel-source"};
    const auto with = [&](const std::string& source) {
        std::vector<std::string> arguments = command;
        arguments.push_back(source);
        return run_cli(with_sizes(arguments));
    };
    const Outcome mine = with("seed.naive=" + (folder / "mine.cl"));
    EXPECT_EQ(mine.code, 2) << "there is no kernel of the variant's name in the file: " << mine.out;
    EXPECT_NE(mine.out.find("host.gram"), std::string::npos)
        << "the others are timed all the same: " << mine.out;
    EXPECT_EQ(with("host.gram.nobody=" + (folder / "mine.cl")).code, 2);
    EXPECT_EQ(with("seed.naive=" + (folder / "missing.cl")).code, 2);
    EXPECT_EQ(with((folder / "mine.cl")).code, 2);
}

TEST(Bench, names_the_programs_that_were_compiled_by_their_text_and_options) {
    const TemporaryFolder folder;
    const auto variant_of = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{
            "bench",  "particles",  "--points",    "20",      "--planes", "30",         "--repeat",    "1",
            "--json", folder / "j", "--overwrite", "--check", "none",     "--variants", "target.tiled"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::ifstream in(folder / "j");
        const nlohmann::json report = nlohmann::json::parse(in);
        const nlohmann::json row = report.at("variants").at(0);
        EXPECT_NE(outcome.out.find(row.at("programs").at(0).at("text_hash").get<std::string>()),
                  std::string::npos)
            << outcome.out;
        return row;
    };
    const nlohmann::json shipped = variant_of({});
    ASSERT_EQ(shipped.at("programs").size(), 1U) << shipped.at("programs");
    const nlohmann::json program = shipped.at("programs").at(0);
    EXPECT_EQ(program.at("source_file"), "gpu/particles/target_tiled.cl");
    EXPECT_EQ(program.at("entry_points"), nlohmann::json::array({"tiled_sums"}));
    EXPECT_NE(program.at("options").get<std::string>().find("-DTILE=128"), std::string::npos) << program;

    const nlohmann::json other_define = variant_of({"--define", "TILE=64"});
    EXPECT_EQ(other_define.at("programs").at(0).at("text_hash"), program.at("text_hash"));
    EXPECT_NE(other_define.at("program_hash"), shipped.at("program_hash"));

    // The shipped text with a comment more is another text, and the user's file.
    const std::string own = folder / "own.cl";
    std::ofstream(own) << "// mine\n"
                       << ks::tests::read_file(KERNELSCOPE_SOURCE_DIR "/gpu/particles/target_tiled.cl");
    const nlohmann::json mine = variant_of({"--kernel-source", "target.tiled=" + own});
    EXPECT_EQ(mine.at("programs").at(0).at("source_file"), own);
    EXPECT_NE(mine.at("programs").at(0).at("text_hash"), program.at("text_hash"));
    EXPECT_NE(mine.at("program_hash"), shipped.at("program_hash"));
}

TEST(Bench, counts_wrong_values_where_all_must_be_equal) {
    const TemporaryFolder folder;
    std::string text = ks::tests::read_file(KERNELSCOPE_SOURCE_DIR "/gpu/basics/vector_add/seed_add.cl");
    const std::string right = "c[i] = a[i] + b[i];";
    ASSERT_NE(text.find(right), std::string::npos);
    text.replace(text.find(right), right.size(),
                 "c[i] = a[i] + b[i];\n    if (i == 77) c[i] = nextafter(c[i], 10.0f);");
    const std::string own = folder / "own.cl";
    std::ofstream(own) << text;
    const Outcome outcome = run_cli({"bench", "vector_add", "--size", "1000", "--repeat", "1", "--check",
                                     "full", "--variants", "seed.add,host.reference", "--kernel-source",
                                     "seed.add=" + own, "--json", folder / "bench.json"});
    EXPECT_NE(outcome.out.find("fail, 1 of 1000 sums differs from the reference, first at element 77"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(outcome.out.find("largest error"), std::string::npos) << outcome.out;
    // A wrong kernel is not so and so many times as fast as another.
    EXPECT_FALSE(std::regex_search(outcome.out, std::regex("\nseed\\.add .* x .* fail, "))) << outcome.out;
    // With another source it is not the baseline.
    EXPECT_NE(outcome.out.find("no baseline"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("vs seed.add"), std::string::npos) << outcome.out;
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "bench.json"));
    for (const auto& variant : report.at("variants")) {
        const bool wrong = variant.at("id") == "seed.add";
        const double error = variant.at("verdict").at("worst_error");
        EXPECT_TRUE(wrong ? error > 0 && error < 1e-4 : error == 0) << error;
    }
}

TEST(Bench, lists_variants_that_cannot_run_with_the_reason) {
    const Outcome outcome = run_cli(with_sizes({"bench", "xpcs", "--repeat", "1", "--device", "host"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("seed.naive"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("not run: "), std::string::npos) << outcome.out;
}

TEST(Bench, where_the_one_variant_cannot_run_the_error_has_the_reason) {
    const Outcome one = run_cli(
        with_sizes({"bench", "xpcs", "--variants", "gram.tiled", "--define", "TILE=7", "--repeat", "1"}));
    EXPECT_NE(one.code, 0);
    EXPECT_NE(one.err.find("define TILE: expected one of"), std::string::npos) << one.err;
    EXPECT_NE(one.out.find("nothing ran"), std::string::npos) << one.out;
    EXPECT_EQ(one.out.find("end to end"), std::string::npos) << "there are no times: " << one.out;
}

TEST(Bench, tells_the_share_of_a_ceiling_where_ceilings_of_the_device_are_known) {
    const ks::tests::OwnCache cache;
    const TemporaryFolder folder;
    const std::vector<std::string> command{
        "bench",       "particles", "--points", "20",         "--planes",
        "30",          "--repeat",  "3",        "--json",     folder / "j",
        "--overwrite", "--check",   "none",     "--variants", "target.tiled,host.vector"};
    const auto report_of = [&](const Outcome& outcome) {
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(ks::tests::read_file(folder / "j"));
    };
    const Outcome before = run_cli(command);
    const auto unknown = report_of(before);
    if (unknown.at("device").at("backend") != "opencl") GTEST_SKIP() << "no OpenCL device";
    EXPECT_EQ(before.out.find("ceiling"), std::string::npos) << before.out;
    EXPECT_FALSE(unknown.contains("ceilings_started"));

    const Outcome measured = run_cli({"ceilings", "--repeat", "2", "--memory-limit", "64MiB"});
    ASSERT_EQ(measured.code, 0) << measured.err;
    const auto ceilings = nlohmann::json::parse(ks::tests::read_file(cache.ceilings_file()));
    double exponentials = 0;
    for (const auto& one : ceilings.at("ceilings"))
        if (one.at("id") == "exp2") exponentials = one.at("median");
    const Outcome after = run_cli(command);
    const auto known = report_of(after);
    EXPECT_EQ(known.at("ceilings_started"), ceilings.at("started"));
    for (const auto& variant : known.at("variants")) {
        ASSERT_EQ(variant.contains("ceiling"), variant.at("id") == "target.tiled") << variant.dump();
        if (!variant.contains("ceiling")) continue;
        std::vector<double> kernel;
        for (const auto& sample : variant.at("samples")) kernel.push_back(sample.at("kernel_ns"));
        std::ranges::sort(kernel);
        const double pairs = 20 * 3 * 30 * 30;
        EXPECT_NEAR(variant.at("ceiling").at("share"), pairs * 1e9 / kernel[1] / exponentials, 1e-9);
        const std::string text = variant.at("ceiling").at("text");
        EXPECT_NE(text.find("the ceiling of"), std::string::npos);
        EXPECT_NE(after.out.find(text), std::string::npos) << after.out;
    }
}

TEST(Bench, a_list_of_sizes_is_a_report_with_a_point_each_and_a_slope) {
    const TemporaryFolder folder;
    const Outcome outcome = run_cli({"bench", "matmul", "--size", "32, 64,1.28e2", "--repeat", "3",
                                     "--variants", "host.sequential,host.reference", "--json", folder / "j"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part : {"size = 32", "size = 64", "size = 128", "seed = 1", "Slope of log(time)"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is not in\n" << outcome.out;
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "j"));
    ASSERT_EQ(report.at("points").size(), 3U);
    EXPECT_EQ(report.at("varied"), nlohmann::json::array({"size"}));
    EXPECT_FALSE(report.contains("variants"));
    for (const auto& point : report.at("points")) {
        EXPECT_EQ(point.at("sizes").at("seed"), 1);
        for (const auto& variant : point.at("variants")) {
            EXPECT_EQ(variant.at("samples").size(), 3U);
            EXPECT_EQ(variant.at("verdict").at("state"), "pass");
        }
    }
    EXPECT_EQ(report.at("points")[2].at("sizes").at("size"), 128);
    ASSERT_EQ(report.at("slopes").size(), 2U);
    for (const auto& slope : report.at("slopes")) {
        EXPECT_EQ(slope.at("points"), 3);
        EXPECT_TRUE(slope.at("kernel").is_number());
    }
}

TEST(Bench, lists_of_several_sizes_make_all_combinations_or_vary_one_by_one) {
    const TemporaryFolder folder;
    const auto points = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"bench",      "xpcs",     "--height", "20",         "--width",
                                           "20",         "--frames", "8,16",     "--type",     "u8,u16",
                                           "--repeat",   "1",        "--json",   folder / "j", "--overwrite",
                                           "--variants", "host.gram"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::string text;
        const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "j"));
        for (const auto& point : report.at("points"))
            text += point.at("sizes").at("frames").dump() + point.at("sizes").at("type").dump() + " ";
        return text;
    };
    EXPECT_EQ(points({}), "8\"u8\" 8\"u16\" 16\"u8\" 16\"u16\" ");
    EXPECT_EQ(points({"--sweep", "one-by-one"}), "8\"u8\" 16\"u8\" 8\"u16\" ");
}

TEST(Bench, texts_and_flags_vary_where_they_are_given_several_times) {
    const TemporaryFolder folder;
    const auto varied = [&](const std::vector<std::string>& arguments) {
        std::vector<std::string> all{"--repeat", "1",          "--check",    "none",
                                     "--json",   folder / "j", "--overwrite"};
        all.insert(all.begin(), arguments.begin(), arguments.end());
        const Outcome outcome = run_cli(all);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "j"));
        EXPECT_EQ(report.at("points").size(), 2U);
        return report.at("varied").dump();
    };
    EXPECT_EQ(varied({"bench", "spots", "--height", "60", "--width", "60", "--spots", "2", "--kernel", "3,3",
                      "--kernel", "2,2", "--variants", "host.sliding"}),
              "[\"kernel\"]");
    EXPECT_EQ(varied({"bench", "clusters", "--events", "1", "--digis", "50", "--shuffled", "--no-shuffled",
                      "--variants", "host.unionfind"}),
              "[\"shuffled\"]");
    EXPECT_EQ(varied({"bench", "particles", "--points", "5", "--planes", "4", "--gradient", "off,on",
                      "--variants", "host.vector"}),
              "[\"gradient\"]");
    const Outcome wrong = run_cli({"bench", "matmul", "--size", "32,,64"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(run_cli({"bench", "matmul", "--sweep", "both"}).code, 2);
}

TEST(Bench, keeps_an_existing_file) {
    const TemporaryFolder folder;
    std::ofstream(folder / "bench.json") << "precious";
    const Outcome outcome = run_cli(with_sizes({"bench", "xpcs", "--json", folder / "bench.json"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("bench.json"), std::string::npos);
    EXPECT_EQ(ks::tests::read_file(folder / "bench.json"), "precious");
}

TEST(Bench, tells_that_the_result_of_a_baseline_was_wrong_and_prints_huge_times_briefly) {
    const TemporaryFolder folder;
    const std::vector<std::string> command{"bench", "xpcs", "--variants", "host.gram", "--repeat", "6"};
    auto kept = with_sizes(command);
    kept.insert(kept.end(), {"--json", folder / "kept.json"});
    ASSERT_EQ(run_cli(kept).code, 0);
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "kept.json"));
    const auto since = [&](const char* state, double nanoseconds) {
        auto baseline = report;
        baseline["variants"][0]["verdict"]["state"] = state;
        for (auto& sample : baseline["variants"][0]["samples"])
            for (const char* time : {"kernel_ns", "total_ns"}) sample[time] = nanoseconds;
        std::ofstream(folder / "baseline.json") << baseline.dump();
        auto arguments = with_sizes(command);
        arguments.insert(arguments.end(),
                         {"--baseline", folder / "baseline.json", "--fail-if-slower", "10%"});
        return run_cli(arguments);
    };
    const std::string said = "its result was wrong in the baseline";
    const Outcome wrong = since("fail", 1);
    EXPECT_EQ(wrong.code, 0) << wrong.err;
    EXPECT_NE(wrong.out.find(said), std::string::npos) << wrong.out;
    EXPECT_NE(wrong.err.find("cannot tell whether it is slower: " + said), std::string::npos) << wrong.err;
    const Outcome right = since("pass", 1);
    EXPECT_EQ(right.code, 1);
    EXPECT_EQ((right.out + right.err).find(said), std::string::npos) << right.out;
    const Outcome huge = since("pass", 1e308);
    EXPECT_EQ(huge.code, 0) << huge.err;
    EXPECT_NE(huge.out.find("1e+299 s"), std::string::npos) << huge.out;
    EXPECT_EQ(huge.out.find("0000000"), std::string::npos) << huge.out;
}

TEST(Bench, tells_what_changed_since_a_baseline_and_fails_where_it_is_slower) {
    const TemporaryFolder folder;
    const std::vector<std::string> command{"bench", "xpcs", "--variants", "host.gram", "--repeat", "6"};
    auto kept = with_sizes(command);
    kept.insert(kept.end(), {"--json", folder / "kept.json"});
    ASSERT_EQ(run_cli(kept).code, 0);
    auto report = nlohmann::json::parse(ks::tests::read_file(folder / "kept.json"));
    const auto since = [&](double factor, const std::string& limit) {
        auto baseline = report;
        for (auto& sample : baseline["variants"][0]["samples"])
            for (const char* time : {"kernel_ns", "total_ns"})
                sample[time] = sample[time].get<double>() * factor;
        std::ofstream(folder / "baseline.json") << baseline.dump();
        auto arguments = with_sizes(command);
        arguments.insert(arguments.end(),
                         {"--baseline", folder / "baseline.json", "--fail-if-slower", limit});
        return run_cli(arguments);
    };
    const Outcome faster = since(1000, "10%");
    EXPECT_EQ(faster.code, 0) << faster.err;
    EXPECT_NE(faster.out.find("faster"), std::string::npos) << faster.out;
    const Outcome slower = since(0.001, "10%");
    EXPECT_EQ(slower.code, 1) << slower.err;
    EXPECT_NE(slower.err.find("host.gram: the kernel time is"), std::string::npos) << slower.err;
    EXPECT_NE(slower.out.find("slower"), std::string::npos) << slower.out;
    EXPECT_EQ(since(1, "ten").code, 2);
    const Outcome alone = run_cli({"bench", "xpcs", "--fail-if-slower", "10"});
    EXPECT_EQ(alone.code, 2);
    EXPECT_NE(alone.err.find("needs --baseline FILE"), std::string::npos) << alone.err;
}

}  // namespace
