#include "core/base/formats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/devices/ceilings.h"
#include "core/io/labels/label_file.h"
#include "core/io/open_frames.h"
#include "core/record/run_record.h"
#include "core/record/saved_run.h"
#include "tests/core/io/io_fixture.h"
#include "tests/reference_data.h"

namespace ks::tests {
namespace {

class Formats : public IoTest {
  protected:
    /// Writes the attribute anew, or removes it where `version` is 0.
    void mark(const std::string& path, std::int64_t version) const {
        const hid_t file = H5Fopen(at("file.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t object = H5Oopen(file, path.c_str(), H5P_DEFAULT);
        EXPECT_GE(H5Adelete(object, format_key), 0) << path << " has no format";
        if (version != 0) {
            const hid_t space = H5Screate(H5S_SCALAR);
            const hid_t made = H5Acreate2(object, format_key, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
            H5Awrite(made, H5T_NATIVE_INT64, &version);
            H5Aclose(made);
            H5Sclose(space);
        }
        H5Oclose(object);
        H5Fclose(file);
    }
    /// Without a number as with the present one; a newer one is refused.
    void expect_judged(const Format& format, const std::string& path,
                       const std::function<void()>& read) const {
        read();
        mark(path, format.version + 1);
        EXPECT_TRUE(contains(
            input_error(read),
            {"file.h5", path,
             "this " + std::string(format.name) + " has format version " + std::to_string(format.version + 1),
             "only reads versions up to " + std::to_string(format.version)}));
        mark(path, 0);
        read();
        fs::remove(at("file.h5"));
    }
};

TEST_F(Formats, OfMasksAndLabels) {
    io::write_mask(at("file.h5"), {2, 3, {0, 1, 0, 1, 0, 1}}, false);
    expect_judged(formats::mask, "/entry/mask",
                  [&] { EXPECT_EQ(io::read_mask(at("file.h5")).ignore.size(), 6u); });
    io::write_labels(at("file.h5"), {QPartition(2, 2, {1, 1, 2, 2}, 2, "bins"), {}, {}, {}}, false);
    expect_judged(formats::labels, "/entry/partition",
                  [&] { EXPECT_EQ(io::read_labels(at("file.h5")).labels.bins(), 2u); });
}

TEST_F(Formats, OfSavedRuns) {
    ks::Run run;
    run.request.analysis = "xpcs";
    run.version = "1";
    {
        io::h5::Writer writer(at("file.h5"), "file.h5");
        io::write_run_record(writer, run, {});
        writer.close();
    }
    expect_judged(formats::run, "/entry/kernelscope",
                  [&] { EXPECT_EQ(io::read_run_record(at("file.h5")).request.analysis, "xpcs"); });
}

TEST_F(Formats, OfCeilings) {
    nlohmann::json json = to_json(Ceilings());
    EXPECT_EQ(json.at(format_key), formats::ceilings.version);
    ceilings_from(json);
    json[format_key] = formats::ceilings.version + 1;
    EXPECT_THROW(ceilings_from(json), Error);
    json.erase(format_key);
    ceilings_from(json);
}

TEST_F(Formats, ThatAreNoNumbers) {
    for (const char* wrong : {"", "x", "0", "-1", "1.5", "1 2"})
        EXPECT_TRUE(contains(input_error([&] { require_known(formats::run, wrong, "file.h5"); }),
                             {"file.h5", "must be a whole number of 1 or more"}))
            << wrong;
    require_known(formats::run, std::nullopt, "file.h5");
    require_known(formats::run, "1", "file.h5");
}

}  // namespace
TEST(OlderRecords, a_run_of_format_1_is_read_with_its_absent_values) {
    const ks::Run run = io::read_run_record(tests::reference_data("run_format_1.h5"));
    EXPECT_EQ(run.variant.id, "host.reference");
    EXPECT_FALSE(run.variant.description.empty());
    EXPECT_FALSE(run.request.memory_limit);
    const ParameterSet& set = run.request.parameters;
    EXPECT_EQ(optional_real(set, "beam_x"), 4.0);
    EXPECT_EQ(integer(set, "first_frame"), 0);
    for (const char* id : {"beam_y", "wavelength", "distance", "pixel_size", "frame_time", "saturation"})
        EXPECT_FALSE(optional_real(set, id)) << id;
    for (const char* id : {"last_frame", "max_delay", "two_time_bin"})
        EXPECT_FALSE(optional_integer(set, id)) << id;
    EXPECT_EQ(run.result.at("g2").values.shape().size(), 2u);
}

TEST_F(Formats, OfAnOlderRunWithoutAVariantIsRefusedAsDamaged) {
    const std::string deep = std::string(100, '[') + std::string(100, ']');
    const std::pair<std::string, const char*> damaged[] = {
        {R"({"analysis": "xpcs", "id": null})", "the saved run is damaged"},
        {R"({"analysis": 5, "id": "x"})", "the saved run is damaged"},
        {R"({"analysis": "xpcs", "id": )" + deep + "}", "more than 64 levels"}};
    for (const auto& [variant, why] : damaged) {
        fs::copy_file(tests::reference_data("run_format_1.h5"), at("file.h5"),
                      fs::copy_options::overwrite_existing);
        const hid_t file = H5Fopen(at("file.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        EXPECT_GE(H5Ldelete(file, "/entry/kernelscope/variant", H5P_DEFAULT), 0);
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type, variant.size());
        const hid_t text = H5Dcreate2(file, "/entry/kernelscope/variant", type, space, H5P_DEFAULT,
                                      H5P_DEFAULT, H5P_DEFAULT);
        EXPECT_GE(H5Dwrite(text, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, variant.data()), 0);
        H5Dclose(text);
        H5Sclose(space);
        H5Tclose(type);
        H5Fclose(file);
        const std::string refusal = input_error([&] { open_run(Registry(), at("file.h5")); });
        EXPECT_TRUE(contains(refusal, {"file.h5", why})) << variant;
        EXPECT_EQ(refusal.find("json.exception"), std::string::npos) << refusal;
        EXPECT_EQ(io::describe(at("file.h5")).find("json.exception"), std::string::npos) << variant;
    }
}

}  // namespace ks::tests
