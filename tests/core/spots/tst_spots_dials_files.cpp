// Spots as files of DIALS, read back by a decoder of MessagePack that shares nothing with the writer.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "core/base/json_text.h"
#include "core/io/files/data_name.h"
#include "core/io/rotation.h"
#include "core/run/analysis.h"
#include "core/spots/analysis.h"
#include "core/spots/dials/dials_files.h"
#include "core/spots/dials/message_pack.h"
#include "core/spots/parameters.h"
#include "core/spots/results/spot_columns.h"
#include "core/spots/synthetic/generator.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/spots/host_run.h"
#include "tests/frame_samples.h"

namespace ks::tests::dials_files {
namespace {

using namespace spots;

/// A value of MessagePack, as far as reflection tables have them.
struct Value {
    enum class Kind { number, text, binary, array, map } kind = Kind::number;
    std::uint64_t number = 0;
    std::string bytes = {};  ///< of a text or binary
    std::vector<Value> values = {};
    std::vector<std::pair<Value, Value>> pairs = {};

    const Value& at(const std::string& key) const {
        for (const auto& [name, value] : pairs)
            if (name.kind == Kind::text && name.bytes == key) return value;
        throw std::runtime_error("no key " + key);
    }
};

class Decoder {
  public:
    explicit Decoder(std::string bytes) : bytes_(std::move(bytes)) {}

    Value value() {
        const unsigned mark = byte();
        if (mark < 0x80) return {.number = mark};
        if (mark < 0x90) return map(mark & 15);
        if (mark < 0xa0) return array(mark & 15);
        if (mark < 0xc0) return text(mark & 31);
        switch (mark) {
            case 0xc4:
            case 0xc5:
            case 0xc6:
                return {.kind = Value::Kind::binary, .bytes = take(whole(1U << (mark - 0xc4)))};
            case 0xcc:
            case 0xcd:
            case 0xce:
            case 0xcf:
                return {.number = whole(1U << (mark - 0xcc))};
            case 0xd9:
            case 0xda:
            case 0xdb:
                return text(whole(1U << (mark - 0xd9)));
            case 0xdc:
            case 0xdd:
                return array(whole(mark == 0xdc ? 2 : 4));
            case 0xde:
            case 0xdf:
                return map(whole(mark == 0xde ? 2 : 4));
            default:
                throw std::runtime_error("unexpected mark " + std::to_string(mark));
        }
    }
    bool at_end() const { return at_ == bytes_.size(); }

  private:
    unsigned byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
    std::uint64_t whole(unsigned bytes) {
        std::uint64_t number = 0;
        for (unsigned i = 0; i < bytes; ++i) number = number << 8 | byte();
        return number;
    }
    std::string take(std::uint64_t count) {
        if (count > bytes_.size() - at_) throw std::runtime_error("the end is missing");
        at_ += count;
        return bytes_.substr(at_ - count, count);
    }
    Value text(std::uint64_t length) { return {.kind = Value::Kind::text, .bytes = take(length)}; }
    Value array(std::uint64_t count) {
        Value all{.kind = Value::Kind::array};
        for (; count > 0; --count) all.values.push_back(value());
        return all;
    }
    Value map(std::uint64_t count) {
        Value all{.kind = Value::Kind::map};
        for (; count > 0; --count) {
            Value key = value();
            all.pairs.emplace_back(std::move(key), value());
        }
        return all;
    }

    std::string bytes_;
    std::size_t at_ = 0;
};

/// What a reflection table of DIALS holds.
struct Table {
    std::map<std::uint64_t, std::string> identifiers;
    std::size_t rows = 0;
    std::map<std::string, std::pair<std::string, std::string>> columns;  ///< type and bytes by name

    template <class T>
    std::vector<T> column(const std::string& name, const std::string& type, std::size_t per_row = 1) const {
        const auto& [stored, bytes] = columns.at(name);
        EXPECT_EQ(stored, type) << name;
        EXPECT_EQ(bytes.size(), rows * per_row * sizeof(T)) << name;
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
};

Table read_table(const std::string& file) {
    Decoder decoder(read_bytes(file));
    const Value all = decoder.value();
    EXPECT_TRUE(decoder.at_end());
    EXPECT_EQ(all.values.size(), 3U);
    EXPECT_EQ(all.values.at(0).bytes, "dials::af::reflection_table");
    EXPECT_EQ(all.values.at(1).number, 1U);
    const Value& content = all.values.at(2);
    EXPECT_EQ(content.pairs.size(), 3U);
    Table table;
    table.rows = content.at("nrows").number;
    for (const auto& [id, name] : content.at("identifiers").pairs) {
        EXPECT_EQ(id.kind, Value::Kind::number);
        table.identifiers[id.number] = name.bytes;
    }
    for (const auto& [name, column] : content.at("data").pairs) {
        EXPECT_EQ(column.values.size(), 2U);
        const Value& values = column.values.at(1);
        EXPECT_EQ(values.values.size(), 2U);
        EXPECT_EQ(values.values.at(0).number, table.rows);
        EXPECT_EQ(values.values.at(1).kind, Value::Kind::binary);
        table.columns[name.bytes] = {column.values.at(0).bytes, values.values.at(1).bytes};
    }
    return table;
}

class DialsFiles : public IoTest {
  protected:
    Request request_of(const std::string& frames, ParameterSet given = {}) const {
        Request request;
        request.analysis = "spots";
        request.inputs["frames"].name = frames;
        request.parameters = checked(analysis_info().parameters, given);
        return request;
    }
    ks::Run run_of(const Request& request) {
        ks::Run run = host_run(*load_problem(request, quiet), "host.sliding");
        run.request = request;
        run.started = "2026-01-02T03:04:05Z";
        return run;
    }
    std::string generated(std::int64_t frames = 6) {
        generate_file(checked(generator_parameters(), {{"frames", frames},
                                                       {"height", std::int64_t{300}},
                                                       {"width", std::int64_t{340}},
                                                       {"spots", std::int64_t{40}}}),
                      at("scan.h5"), true, quiet);
        return at("scan.h5");
    }
    /// With a spot of 3 x 3 pixels in each frame, and their geometry in the header.
    void write_cbf_frame(const std::string& name, const std::string& fields) const {
        std::vector<std::int32_t> counts(40 * 50);
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<std::int32_t>(i * 7 % 3);
        for (std::size_t y = 20; y < 23; ++y)
            for (std::size_t x = 30; x < 33; ++x) counts[y * 50 + x] = 500;
        counts[21 * 50 + 31] = 900;
        write_cbf_sample(at(name), Array::of<std::int32_t>({40, 50}, counts), fields);
    }
    static std::vector<Spot> kept_of(const ks::Run& run) {
        std::vector<Spot> kept;
        for (const Spot& spot : spots_of(run.result))
            if (spot.dropped == Dropped::kept) kept.push_back(spot);
        return kept;
    }
    nlohmann::json experiments(const std::string& prefix) const {
        return parse_json(read_bytes(at(prefix + ".expt")));
    }
};

constexpr const char* cbf_geometry =
    "# Pixel_size 172e-6 m x 172e-6 m\r\n# Count_cutoff 1023999 counts\r\n# Wavelength 0.97947 A\r\n"
    "# Detector_distance 0.19120 m\r\n# Beam_xy (20.5, 10.25) pixels\r\n";

TEST_F(DialsFiles, a_rotation_series_has_the_kept_spots_and_one_experiment) {
    const ks::Run run = run_of(request_of(generated()));
    write_dials(run, at("found"), false, quiet);
    const Table table = read_table(at("found.refl"));
    const std::vector<Spot> kept = kept_of(run);
    ASSERT_GT(kept.size(), 5U);
    ASSERT_EQ(table.rows, kept.size());
    EXPECT_LT(kept.size(), spots_of(run.result).size()) << "a spot that is dropped must be among them";
    const auto bbox = table.column<std::int32_t>("bbox", "int6", 6);
    const auto flags = table.column<std::uint64_t>("flags", "std::size_t");
    const auto id = table.column<std::int32_t>("id", "int"),
               set = table.column<std::int32_t>("imageset_id", "int"),
               n = table.column<std::int32_t>("n_signal", "int");
    const auto panel = table.column<std::uint64_t>("panel", "std::size_t");
    const auto sum = table.column<double>("intensity.sum.value", "double"),
               of_sum = table.column<double>("intensity.sum.variance", "double"),
               xyz = table.column<double>("xyzobs.px.value", "vec3<double>", 3),
               of_xyz = table.column<double>("xyzobs.px.variance", "vec3<double>", 3);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Spot& spot = kept[i];
        const std::vector<std::uint32_t> box{spot.x0, spot.x1, spot.y0, spot.y1, spot.z0, spot.z1};
        for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(bbox[6 * i + k], static_cast<std::int32_t>(box[k]));
        EXPECT_EQ(flags[i], 32U);
        EXPECT_EQ(id[i], 0);
        EXPECT_EQ(set[i], 0);
        EXPECT_EQ(panel[i], 0U);
        EXPECT_EQ(n[i], static_cast<std::int32_t>(spot.n_signal));
        EXPECT_EQ(sum[i], spot.sum);
        EXPECT_EQ(of_sum[i], spot.sum);
        EXPECT_EQ(xyz[3 * i], spot.x);
        EXPECT_EQ(xyz[3 * i + 1], spot.y);
        EXPECT_EQ(xyz[3 * i + 2], spot.z);
        EXPECT_EQ(of_xyz[3 * i], spot.var_x);
        EXPECT_GT(of_xyz[3 * i + 2], 0);
    }

    const nlohmann::json list = experiments("found");
    EXPECT_EQ(list["__id__"], "ExperimentList");
    ASSERT_EQ(list["experiment"].size(), 1U);
    const nlohmann::json& experiment = list["experiment"][0];
    for (const char* model : {"beam", "detector", "goniometer", "scan", "imageset"})
        EXPECT_EQ(experiment[model], 0);
    ASSERT_EQ(table.identifiers.size(), 1U);
    EXPECT_EQ(experiment["identifier"], table.identifiers.at(0));
    const nlohmann::json& scan = list["scan"][0];
    EXPECT_EQ(scan["image_range"], nlohmann::json::parse("[1, 6]"));
    EXPECT_EQ(scan["oscillation"][0], 0.0);
    EXPECT_NEAR(scan["oscillation"][1].get<double>(), 0.1, 1e-12);
    EXPECT_EQ(scan["exposure_time"].size(), 6U);
    EXPECT_EQ(list["goniometer"][0]["rotation_axis"], nlohmann::json::parse("[1.0, 0.0, 0.0]"));
    const nlohmann::json& images = list["imageset"][0];
    EXPECT_EQ(images["__id__"], "ImageSequence");
    EXPECT_EQ(images["template"], at("scan.h5"));
    EXPECT_EQ(images["single_file_indices"], nlohmann::json::parse("[0, 1, 2, 3, 4, 5]"));
    const nlohmann::json& one = list["detector"][0]["panels"][0];
    EXPECT_EQ(one["image_size"], nlohmann::json::parse("[340, 300]"));

    // The resolution of each spot from the models alone, in vectors.
    const auto vector = [](const nlohmann::json& json) { return json.get<std::vector<double>>(); };
    const std::vector<double> origin = vector(one["origin"]), fast = vector(one["fast_axis"]),
                              slow = vector(one["slow_axis"]), size = vector(one["pixel_size"]),
                              direction = vector(list["beam"][0]["direction"]);
    const double wavelength = list["beam"][0]["wavelength"];
    for (std::size_t i = 0; i < kept.size(); ++i) {
        double length = 0, along = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double part =
                origin[k] + xyz[3 * i] * size[0] * fast[k] + xyz[3 * i + 1] * size[1] * slow[k];
            length += part * part;
            along -= part * direction[k];  // the beam goes from the source to the sample
        }
        const double two_theta = std::acos(along / std::sqrt(length));
        EXPECT_NEAR(wavelength / (2 * std::sin(two_theta / 2)), kept[i].d, 1e-6 * kept[i].d);
    }
}

TEST_F(DialsFiles, images_are_numbered_as_the_files_are) {
    for (const auto& [number, angle] : {std::pair{"0005", "30.0"}, {"0006", "30.5"}, {"0008", "31.5"}})
        write_cbf_frame(std::string("img_") + number + ".cbf",
                        std::string(cbf_geometry) + "# Start_angle " + angle +
                            " deg.\r\n# Angle_increment 0.5000 deg.\r\n# Exposure_time 0.099 s\r\n");
    const ks::Run run = run_of(request_of(at("img_*.cbf"), {{"first_frame", std::int64_t{1}}}));
    write_dials(run, at("found"), false, quiet);
    const nlohmann::json list = experiments("found");
    EXPECT_EQ(list["imageset"][0]["template"], at("img_####.cbf"));
    EXPECT_FALSE(list["imageset"][0].contains("single_file_indices"));
    const nlohmann::json& scan = list["scan"][0];
    EXPECT_EQ(scan["image_range"], nlohmann::json::parse("[6, 8]"));
    EXPECT_EQ(scan["oscillation"], nlohmann::json::parse("[30.5, 0.5]"));
    EXPECT_EQ(scan["exposure_time"][2], 0.099);
    EXPECT_EQ(list["detector"][0]["panels"][0]["trusted_range"], nlohmann::json::parse("[0.0, 1023999.0]"));
    // Frame 6 is z from 5 to 6.
    const Table table = read_table(at("found.refl"));
    const auto bbox = table.column<std::int32_t>("bbox", "int6", 6);
    ASSERT_EQ(table.rows, 2U);
    EXPECT_EQ(bbox[4], 5);
    EXPECT_EQ(bbox[5], 6);
    EXPECT_EQ(bbox[6 + 4], 7);
    EXPECT_EQ(table.column<double>("xyzobs.px.value", "vec3<double>", 3)[2], 5.5);
}

TEST_F(DialsFiles, stills_have_an_experiment_each) {
    for (const char* number : {"1", "2", "4"})
        write_cbf_frame(std::string("still_") + number + ".cbf", cbf_geometry);
    const Request request = request_of(at("still_#.cbf"), {{"stills", true}});
    write_dials(run_of(request), at("found"), false, quiet);
    const nlohmann::json list = experiments("found");
    ASSERT_EQ(list["experiment"].size(), 3U) << "the missing frame has none";
    EXPECT_TRUE(list["scan"].empty());
    EXPECT_TRUE(list["goniometer"].empty());
    const Table table = read_table(at("found.refl"));
    ASSERT_EQ(table.rows, 3U);
    const auto id = table.column<std::int32_t>("id", "int");
    const auto bbox = table.column<std::int32_t>("bbox", "int6", 6);
    const auto xyz = table.column<double>("xyzobs.px.value", "vec3<double>", 3);
    std::set<std::string> names;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(id[i], static_cast<std::int32_t>(i));
        EXPECT_EQ(bbox[6 * i + 4], 0);
        EXPECT_EQ(bbox[6 * i + 5], 1);
        EXPECT_EQ(xyz[3 * i + 2], 0.5);
        EXPECT_EQ(list["experiment"][i]["imageset"], i);
        EXPECT_EQ(list["experiment"][i]["identifier"], table.identifiers.at(i));
        EXPECT_FALSE(list["experiment"][i].contains("scan"));
        names.insert(table.identifiers.at(i));
    }
    EXPECT_EQ(names.size(), 3U);
    EXPECT_EQ(list["imageset"][2]["images"], nlohmann::json::array({at("still_4.cbf")}));
}

TEST_F(DialsFiles, what_is_missing_is_named_and_nothing_is_written) {
    write_cbf_frame("plain.cbf", "");
    const Request bare = request_of(at("plain.cbf"));
    EXPECT_TRUE(
        contains(why_no_dials(bare), {"needs the wavelength, the distance, the pixel size, the beam centre, "
                                      "the rotation angles of the frames",
                                      "--wavelength", "--stills"}));
    EXPECT_TRUE(contains(input_error([&] { write_dials(run_of(bare), at("found"), false, quiet); }),
                         {"found", "the wavelength"}));
    EXPECT_FALSE(fs::exists(at("found.refl")));
    EXPECT_FALSE(fs::exists(at("found.expt")));
    const Request given = request_of(at("plain.cbf"), {{"stills", true},
                                                       {"wavelength", 1.0},
                                                       {"distance", 100.0},
                                                       {"beam_x", 25.0},
                                                       {"beam_y", 20.0},
                                                       {"pixel_size", 75.0}});
    EXPECT_EQ(why_no_dials(given), "");
    write_dials(run_of(given), at("found"), false, quiet);
    EXPECT_EQ(experiments("found")["detector"][0]["panels"][0]["origin"],
              nlohmann::json::parse("[-1.875, 1.5, -100.0]"));
    // Neither file is replaced unless that is wanted, and a table that is there already stays.
    fs::remove(at("found.expt"));
    const std::string before = read_bytes(at("found.refl"));
    EXPECT_TRUE(contains(input_error([&] { write_dials(run_of(given), at("found"), false, quiet); }),
                         {at("found.refl")}));
    EXPECT_EQ(read_bytes(at("found.refl")), before);
    EXPECT_FALSE(fs::exists(at("found.expt")));
    write_dials(run_of(given), at("found"), true, quiet);
    EXPECT_TRUE(fs::exists(at("found.expt")));
    // Values that come with the request are in no file.
    Request values = given;
    values.inputs["frames"].values = varied_stack(ElementType::u16, {1, 40, 50});
    EXPECT_EQ(why_no_dials(values), "needs frames from a file");
    // A statement that cannot be used.
    write_cbf_frame("odd.cbf",
                    std::string(cbf_geometry) + "# Start_angle x\r\n# Angle_increment 0.5 deg.\r\n");
    EXPECT_TRUE(
        contains(why_no_dials(request_of(at("odd.cbf"))), {"needs the rotation angles", "Start_angle"}));
}

TEST_F(DialsFiles, the_axes_of_a_nexus_sample_are_composed) {
    const auto axis = [this](TestFile& file, const std::string& name, const std::vector<double>& angles,
                             const std::vector<double>& vector, const std::string& after,
                             const char* unit = "deg") {
        const std::string path = "/entry/sample/transformations/" + name;
        file.make(path, H5T_IEEE_F64LE, {angles.size()}, angles.data(), H5T_NATIVE_DOUBLE);
        file.text_attribute(path, "transformation_type", "rotation");
        file.text_attribute(path, "depends_on", after);
        file.text_attribute(path, "units", unit);
        const hsize_t three = 3;
        const hid_t space = H5Screate_simple(1, &three, nullptr);
        const hid_t made = H5Acreate_by_name(file.id(), path.c_str(), "vector", H5T_IEEE_F64LE, space,
                                             H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        EXPECT_GE(H5Awrite(made, H5T_NATIVE_DOUBLE, vector.data()), 0);
        H5Aclose(made);
        H5Sclose(space);
    };
    const auto write = [&](const std::string& name, const std::vector<double>& angles,
                           const char* unit = "deg") {
        TestFile file(at(name));
        file.ramp("/entry/data/data", {4, 6, 8});
        file.group("/entry/sample", "NXsample");
        axis(file, "phi", {0, 0, 0, 0}, {-1, 0, 0}, "chi");
        axis(file, "chi", {90}, {0, 0, 1}, "omega");
        axis(file, "omega", angles, {-2, 0, 0}, ".", unit);
        const hid_t text = H5Tcopy(H5T_C_S1);
        const std::string first = "/entry/sample/transformations/phi";
        H5Tset_size(text, first.size());
        file.make("/entry/sample/depends_on", text, {}, first.data(), text);
        H5Tclose(text);
    };
    std::vector<std::string> faults;
    write("turned.h5", {10, 10.25, 10.5, 10.75});
    const std::optional<io::Rotation> rotation = io::read_rotation(at("turned.h5"), faults);
    EXPECT_TRUE(faults.empty());
    ASSERT_TRUE(rotation);
    EXPECT_EQ(rotation->start, 10);
    EXPECT_EQ(rotation->step, 0.25);
    EXPECT_EQ(rotation->axis, (io::Rotation::Vector{1, 0, 0}));
    // 90 degrees about -z: x becomes -y, y becomes x.
    const io::Rotation::Matrix wanted{0, 1, 0, -1, 0, 0, 0, 0, 1};
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(rotation->fixed[i], wanted[i], 1e-15) << i;
    EXPECT_EQ(rotation->setting, io::Rotation::identity);

    const double degree = std::numbers::pi / 180;
    write("radians.h5", {0, degree, 2 * degree, 3 * degree}, "rad");
    const std::optional<io::Rotation> radians = io::read_rotation(at("radians.h5"), faults);
    ASSERT_TRUE(radians);
    EXPECT_NEAR(radians->step, 1, 1e-12);
    write("still.h5", {10, 10, 10, 10});
    EXPECT_FALSE(io::read_rotation(at("still.h5"), faults));
    EXPECT_TRUE(faults.empty());
    write("uneven.h5", {0, 1, 3, 4});
    EXPECT_FALSE(io::read_rotation(at("uneven.h5"), faults));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_TRUE(
        contains(faults.front(), {"uneven.h5::/entry/sample/transformations/omega", "the same step"}));
}

TEST_F(DialsFiles, message_pack_in_all_lengths) {
    const std::vector<std::uint64_t> numbers{0, 127, 128, 255, 256, 65535, 65536, 4294967295, 4294967296};
    const std::vector<std::size_t> lengths{0, 31, 32, 255, 256, 65535, 65536};
    {
        io::AtomicFile file(at("x"), false);
        MessagePack out(file);
        out.array(static_cast<std::uint32_t>(numbers.size() + 2 * lengths.size() + 1));
        for (const std::uint64_t number : numbers) out.number(number);
        for (const std::size_t length : lengths) out.text(std::string(length, 'a'));
        for (const std::size_t length : lengths) {
            out.binary(static_cast<std::uint32_t>(length));
            out.put(std::vector<std::byte>(length, std::byte{7}));
        }
        out.map(70000);
        for (std::uint64_t i = 0; i < 70000; ++i) {
            out.number(i);
            out.number(i + 1);
        }
        out.flush();
        file.commit();
    }
    Decoder decoder(read_bytes(at("x")));
    const Value all = decoder.value();
    EXPECT_TRUE(decoder.at_end());
    std::size_t at = 0;
    for (const std::uint64_t number : numbers) EXPECT_EQ(all.values.at(at++).number, number);
    for (const std::size_t length : lengths) EXPECT_EQ(all.values.at(at++).bytes, std::string(length, 'a'));
    for (const std::size_t length : lengths)
        EXPECT_EQ(all.values.at(at++).bytes, std::string(length, '\x07'));
    ASSERT_EQ(all.values.at(at).pairs.size(), 70000U);
    EXPECT_EQ(all.values.at(at).pairs.back().second.number, 70000U);
}

}  // namespace
}  // namespace ks::tests::dials_files
