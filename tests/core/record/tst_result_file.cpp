// Runs of analyses without a layout of their own: as HDF5 and back, and as CSV.

#include "core/record/result_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/data/missing_value.h"
#include "core/io/open_frames.h"
#include "core/record/run_record.h"
#include "core/run/registry.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class ResultFile : public IoTest {
  protected:
    static ks::Run made(std::vector<Dataset> datasets) {
        ks::Run run;
        run.request.analysis = "matmul";
        run.request.parameters = {{"size", std::int64_t{2}}, {"word", std::string("a b")}};
        run.variant.id = "blocks.16";
        run.version = "1.2";
        run.started = "2026-01-02T03:04:05Z";
        run.result.datasets = std::move(datasets);
        run.result.facts = {{"gflop_per_second", 12.5}};
        return run;
    }
    static Dataset axis() {
        return {"x", "Place", "mm", DataKind::axis, Array::of<double>({3}, std::vector{0.5, 1.5, 2.5})};
    }
    static Dataset curve(const char* name, std::vector<float> values, const char* errors = "") {
        return {name, name, "V", DataKind::curves, Array::of<float>({values.size()}, values), {"x"}, errors};
    }
    std::string table(const ks::Run& run) {
        io::write_result_table(run, at("t.csv"), true, quiet);
        return read_bytes(at("t.csv"));
    }
};

TEST_F(ResultFile, HasNoValueWhereNothingWasMeasured) {
    const ks::Run run = made({axis(),
                              {"v",
                               "V",
                               "",
                               DataKind::curves,
                               Array::of<double>({3}, std::vector{1.5, missing_value, std::nan("")}),
                               {"x"}}});
    EXPECT_NE(table(run).find("0.5,1.5\n1.5,\n2.5,nan\n"), std::string::npos) << table(run);
    io::write_result(run, at("run.h5"), false, quiet);
    const ks::Run back = io::read_run_record(at("run.h5"));
    EXPECT_TRUE(is_missing(back.result.at("v").values.as<double>()[1]));
    EXPECT_FALSE(is_missing(back.result.at("v").values.as<double>()[2]));
}

TEST_F(ResultFile, ComesBackAsItWas) {
    const ks::Run run =
        made({axis(),
              curve("u", {1, 2, 3}, "u_err"),
              curve("u_err", {0.1F, 0.2F, 0.3F}),
              {"c", "C", "", DataKind::image, Array::of<std::int32_t>({2, 2}, std::vector{1, 2, 3, 4})},
              text_dataset("log", "Output", "first\nsecond \xc3\xa4")});
    io::write_result(run, at("run.h5"), false, quiet);
    const ks::Run back = io::read_run_record(at("run.h5"));
    ASSERT_EQ(back.result.datasets.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
        const Dataset &before = run.result.datasets[i], &now = back.result.datasets[i];
        EXPECT_EQ(now.name, before.name);
        EXPECT_EQ(now.title, before.title);
        EXPECT_EQ(now.unit, before.unit);
        EXPECT_EQ(now.kind, before.kind);
        EXPECT_EQ(now.values, before.values) << before.name;
        EXPECT_EQ(now.axes, before.axes);
        EXPECT_EQ(now.errors, before.errors);
    }
    EXPECT_EQ(text_of(back.result.at("log")), "first\nsecond \xc3\xa4");
    EXPECT_EQ(back.request.parameters, run.request.parameters);
    EXPECT_EQ(back.result.facts, run.result.facts);
    EXPECT_EQ(back.variant.id, "blocks.16");
    EXPECT_THROW(io::write_result(run, at("run.h5"), false, quiet), Error);
}

TEST_F(ResultFile, NamesTheRowsOfATableWhereTheyHaveNames) {
    const auto column = [](const char* name, std::vector<float> values) {
        return Dataset{name, name, "", DataKind::table, Array::of<float>({2}, values), {"operation"}};
    };
    const ks::Run run = made({column("u", {1, 2}), column("v", {3, 4}),
                              text_dataset("operation", "Operation", "a + b\nf(a, \"b\")\n")});
    EXPECT_EQ(table(run), "operation,u,v\na + b,1,3\n\"f(a, \"\"b\"\")\",2,4\n");
    // Shown beside the table, and not by itself.
    EXPECT_EQ(summary_of_result(run.result).find("a + b"), std::string::npos);
    io::write_result(run, at("run.h5"), false, quiet);
    EXPECT_EQ(table(io::read_run_record(at("run.h5"))), table(run));
}

TEST_F(ResultFile, KeepsWhereTheErrorIsWhichDevicesSharedAndWhatWasTuned) {
    ks::Run run = made({axis(), curve("u", {1, 2, 3})});
    run.verdict.state = Verdict::State::fail;
    run.verdict.where = "u, x 2";
    run.verdict.place = {{"bin", 4}, {"delay", 37}};
    run.tuned = {{"TILE", "32"}};
    for (const int index : {0, 3}) {
        DeviceShare one;
        one.device.index = index;
        one.label = "device " + std::to_string(index);
        one.share = index == 0 ? 0.75 : 0.25;
        one.units = 12;
        run.devices.push_back(one);
    }
    io::write_result(run, at("run.h5"), false, quiet);
    const ks::Run back = io::read_run_record(at("run.h5"));
    EXPECT_EQ(back.verdict.place, (VerdictPlace{{"bin", 4}, {"delay", 37}}));
    EXPECT_EQ(back.tuned, (std::map<std::string, std::string>{{"TILE", "32"}}));
    ASSERT_EQ(back.devices.size(), 2U);
    EXPECT_EQ(back.devices[1].device.index, 3);
    EXPECT_EQ(back.devices[1].label, "device 3");
    EXPECT_EQ(back.devices[1].share, 0.25);
    EXPECT_EQ(back.devices[1].units, 12U);
}

TEST_F(ResultFile, OfEarlierVersionsWithoutAPlaceIsRead) {
    ks::Run run = made({axis(), curve("u", {1, 2, 3})});
    run.verdict.place = {{"bin", 4}};
    run.verdict.where = "u, bin 4";
    io::write_result(run, at("run.h5"), false, quiet);
    const auto replace = [&](const char* name, const char* text) {
        const hid_t file = H5Fopen(at("run.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        ASSERT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0);
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type, H5T_VARIABLE);
        const hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ASSERT_GE(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text), 0);
        H5Dclose(made);
        H5Sclose(space);
        H5Tclose(type);
        H5Fclose(file);
    };
    replace(
        "/entry/kernelscope/verdict",
        R"({"state": "pass", "samples": 3, "worst_error": 0.5, "tolerance": 1, "where": "u", "text": ""})");
    const ks::Run back = io::read_run_record(at("run.h5"));
    EXPECT_EQ(back.verdict.state, Verdict::State::pass);
    EXPECT_EQ(back.verdict.worst_error, 0.5);
    EXPECT_TRUE(back.verdict.place.empty());
}

/// Read with the C library alone.
std::string attribute(const std::string& file, const char* object, const char* name) {
    const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t found = H5Aopen_by_name(id, object, name, H5P_DEFAULT, H5P_DEFAULT);
    std::string text;
    if (found >= 0) {
        const hid_t type = H5Aget_type(found);
        text.resize(static_cast<std::size_t>(H5Aget_storage_size(found)));
        H5Aread(found, type, text.data());
        H5Tclose(type);
        H5Aclose(found);
    }
    H5Fclose(id);
    return text;
}

TEST_F(ResultFile, IsWhatViewersOfNeXusPlot) {
    const ks::Run run = made({axis(), curve("u", {1, 2, 3}, "u_err"), curve("u_err", {1, 1, 1}),
                              curve("v", {4, 5, 6}), text_dataset("log", "Output", "words")});
    io::write_result(run, at("run.h5"), false, quiet);
    EXPECT_EQ(attribute(at("run.h5"), "/", "default"), "entry");
    EXPECT_EQ(attribute(at("run.h5"), "/entry", "default"), "data");
    EXPECT_EQ(attribute(at("run.h5"), "/entry/data", "NX_class"), "NXdata");
    EXPECT_EQ(attribute(at("run.h5"), "/entry/data", "signal"), "u");
    EXPECT_EQ(attribute(at("run.h5"), "/entry/data", "axes"), "x");
    EXPECT_EQ(attribute(at("run.h5"), "/entry/data", "auxiliary_signals"), "v");
    EXPECT_EQ(attribute(at("run.h5"), "/entry/data/u", "units"), "V");
    EXPECT_EQ(io::read_array(at("run.h5") + "::/entry/data/u_errors", 1).to_doubles(),
              (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(attribute(at("run.h5"), "/entry/data/u", "uncertainties"), "");
    EXPECT_EQ(attribute(at("run.h5"), "/entry/notes/log", "NX_class"), "NXnote");
}

TEST_F(ResultFile, CurvesAndColumnsOfOneAxisAreColumns) {
    const float none = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(table(made({axis(),
                          curve("u", {1, none, 0.1F}),
                          curve("v", {4, 5, -6}),
                          {"picture", "", "", DataKind::image, Array(ElementType::u8, {2, 2})}})),
              "x,u,v\n0.5,1,4\n1.5,nan,5\n2.5,0.1,-6\n");
    const auto column = [](const char* name, std::vector<std::int32_t> values) {
        return Dataset{name, name, "", DataKind::table, Array::of<std::int32_t>({values.size()}, values)};
    };
    EXPECT_EQ(table(made({column("a", {7, 8}), column("b", {9, 10})})), "index,a,b\n0,7,9\n1,8,10\n");
}

TEST_F(ResultFile, SeveralDimensionsAreARowAValue) {
    const Dataset lines{
        "g",      "g", "", DataKind::curves, Array::of<float>({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}),
        {"", "x"}};
    EXPECT_EQ(table(made({axis(), lines})), "i,x,g\n0,0.5,1\n0,1.5,2\n0,2.5,3\n1,0.5,4\n1,1.5,5\n1,2.5,6\n");
    const Dataset image{"c", "C", "", DataKind::image,
                        Array::of<std::uint8_t>({2, 2}, std::vector<std::uint8_t>{1, 2, 3, 4})};
    EXPECT_EQ(table(made({image})), "i,j,c\n0,0,1\n0,1,2\n1,0,3\n1,1,4\n");
}

TEST_F(ResultFile, WhatIsNoTableIsRefused) {
    EXPECT_TRUE(contains(input_error([&] { table(made({text_dataset("log", "Output", "words")})); }),
                         {"no curves, table or image"}));
    EXPECT_TRUE(contains(input_error([&] {
                             table(made({axis(), curve("u", {1, 2, 3}), curve("v", {1, 2})}));
                         }),
                         {"u [3] and v [2]"}));
}

TEST_F(ResultFile, ACountOfArraysThatNoRunHasIsRefused) {
    for (const char* count : {"99999999", "-1", "1.5", "18446744073709551615"}) {
        io::write_result(made({axis(), curve("u", {1, 2, 3})}), at("run.h5"), true, quiet);
        const std::string text = std::string(R"({"blobs": )") + count + "}";
        const hid_t file = H5Fopen(at("run.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        EXPECT_GE(H5Ldelete(file, "/entry/kernelscope/run", H5P_DEFAULT), 0);
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type, text.size());
        const hid_t dataset =
            H5Dcreate2(file, "/entry/kernelscope/run", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        EXPECT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), 0);
        H5Dclose(dataset);
        H5Sclose(space);
        H5Tclose(type);
        H5Fclose(file);
        EXPECT_TRUE(contains(input_error([&] { io::read_run_record(at("run.h5")); }),
                             {"run.h5", "the saved run is damaged", "expected a count from 0 to 65536"}))
            << count;
    }
}

TEST_F(ResultFile, EveryAnalysisWithoutInputsSavesWhatItsFirstHostVariantGives) {
    const Registry registry;
    std::size_t saved = 0;
    for (const Analysis& analysis : registry.analyses()) {
        if (analysis.info().needs_input()) continue;
        for (const HostVariant& row : registry.host_variants()) {
            if (row.info.analysis != analysis.info().id) continue;
            Request request;
            request.analysis = row.info.analysis;
            request.parameters = defaults(analysis.info().parameters);
            const auto problem = analysis.load(request, quiet, nullptr);
            ks::Run run;
            run.request = request;
            run.variant = row.info;
            HostContext context{run.request, quiet, run.timings, 2, std::uint64_t{1} << 32};
            run.result = row.launch(*problem, context);
            const std::string file = at(row.info.analysis + ".h5");
            analysis.save(run, file, true, quiet);
            const ks::Run back = analysis.open(file);
            ASSERT_EQ(back.result.datasets.size(), run.result.datasets.size());
            for (const Dataset& dataset : run.result.datasets)
                EXPECT_EQ(back.result.at(dataset.name).values, dataset.values) << file << dataset.name;
            EXPECT_FALSE(analysis.summary(run).empty());
            ++saved;
            break;
        }
    }
    EXPECT_GE(saved, 2U);
}

}  // namespace
}  // namespace ks::tests
