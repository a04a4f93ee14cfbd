// Digis from CSV, traccc's cells and HDF5, and what is wrong with them named by line.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/io/digis/digi_file.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::tests;

namespace {

class DigiFileTest : public IoTest {
  protected:
    io::DigiFile read(const std::string& text, const io::DigiLimits& limits = {}) {
        write_bytes(at("digis.csv"), text);
        return io::read_digis(at("digis.csv"), limits, progress);
    }
    void refused(const std::string& text, const std::vector<std::string>& words,
                 const io::DigiLimits& limits = {}) {
        const std::string what = input_error([&] { read(text, limits); });
        EXPECT_TRUE(contains(what, words));
        EXPECT_TRUE(contains(what, {"digis.csv"}));
    }
    const std::string header = "index,module,x,y,adc\n";
    Progress progress;
};

const io::DigiLimits phase1{1856, 160, 416, {9999, 65534}};

TEST_F(DigiFileTest, columns_in_any_order_with_blank_lines_and_carriage_returns) {
    const auto file = read("y,adc,module,x,index\r\n2,70000,2147483647,1,0\r\n\r\n4,5,6,3,1\r\n");
    EXPECT_EQ(file.digis.module, (std::vector<std::uint32_t>{2147483647, 6}));
    EXPECT_EQ(file.digis.x, (std::vector<std::uint16_t>{1, 3}));
    EXPECT_EQ(file.digis.y, (std::vector<std::uint16_t>{2, 4}));
    EXPECT_EQ(file.digis.adc, (std::vector<std::uint32_t>{70000, 5})) << "beyond 16 bits";
    EXPECT_TRUE(file.warnings.empty());
    EXPECT_FALSE(file.digis.has_events());
}

TEST_F(DigiFileTest, an_index_that_is_not_the_row_number_is_told_and_not_used) {
    const auto file = read(header + "0,1,1,1,1\n5,1,2,2,2\n9,1,3,3,3\n");
    ASSERT_EQ(file.warnings.size(), 1U);
    EXPECT_TRUE(contains(file.warnings[0], {"line 3", "5", "row number 1"}));
    EXPECT_EQ(file.digis.size(), 3U);
}

/// Rows of a file that is read in parts: index, event, module, x, y, adc.
std::string many_rows(std::size_t rows) {
    std::string text = "index,event,module,x,y,adc\n";
    for (std::size_t i = 0; i < rows; ++i)
        text += fmt::format("{},{},{},{},{},{}{}\n", i, i / 1000, i * 7 % 1856, i % 160, i * 3 % 416,
                            i % 65536, i % 5000 == 4999 ? "\n" : "");
    return text;
}
constexpr std::size_t many = 200'000;

TEST_F(DigiFileTest, files_of_several_parts_are_read_as_one) {
    const auto file = read(many_rows(many));
    EXPECT_TRUE(file.warnings.empty());
    ASSERT_EQ(file.digis.size(), many);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < many; ++i)
        wrong += file.digis.event[i] != i / 1000 || file.digis.module[i] != i * 7 % 1856 ||
                         file.digis.x[i] != i % 160 || file.digis.y[i] != i * 3 % 416 ||
                         file.digis.adc[i] != i % 65536
                     ? 1U
                     : 0U;
    EXPECT_EQ(wrong, 0U);
}

TEST_F(DigiFileTest, of_several_parts_the_first_mistake_is_told_with_its_line) {
    const auto replaced = [](const std::string& row, const std::string& by) {
        std::string text = many_rows(many);
        text.replace(text.find("\n" + row + ",") + 1, row.size(), by);
        return text;
    };
    // a blank line stands behind each 5000 rows, the header before all
    refused(replaced("150000", "150000,1"), {"line 150032", "6 values", "7"});
    std::string two = replaced("150000", "150000,1");
    two.replace(two.find("\n120000,") + 1, 6, "x");
    refused(two, {"line 120026", "whole number", "x"});
    const auto file = read(replaced("150000", "7"));
    ASSERT_EQ(file.warnings.size(), 1U);
    EXPECT_TRUE(contains(file.warnings[0], {"line 150032", "index 7", "row number 150000"}));
    EXPECT_EQ(file.digis.size(), many);
}

TEST_F(DigiFileTest, cells_of_traccc_in_several_parts) {
    std::string text = "geometry_id,channel0,channel1,value\n";
    for (std::size_t i = 0; i < many; ++i)
        text += fmt::format("{},{},{},{}\n", 1224979098644774913 - i % 100, i % 160, i % 416, i % 1000);
    const auto file = read(text);
    ASSERT_EQ(file.digis.size(), many);
    ASSERT_EQ(file.digis.module_ids.size(), 100U);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < many; ++i)
        wrong += file.digis.module_id(i) != 1224979098644774913 - i % 100 || file.digis.x[i] != i % 160 ||
                         file.digis.y[i] != i % 416 || file.digis.adc[i] != i % 1000
                     ? 1U
                     : 0U;
    EXPECT_EQ(wrong, 0U);
}

TEST_F(DigiFileTest, events_may_be_told_and_the_index_left_out) {
    const auto file = read("event,module,x,y,adc\n4294967295,0,1,2,3\n7,0,1,2,3\n");
    EXPECT_EQ(file.digis.event, (std::vector<std::uint32_t>{4294967295, 7}));
}

TEST_F(DigiFileTest, cells_of_traccc) {
    const auto file = read(
        "geometry_id,measurement_id,channel0,channel1,timestamp,value\n"
        "1224979098644774913,0,10,20,0.5,0.25\n144115188075856001,1,11,21,0,0.5\n");
    EXPECT_EQ(file.digis.module_ids, (std::vector<std::uint64_t>{144115188075856001, 1224979098644774913}));
    EXPECT_EQ(file.digis.module_id(0), 1224979098644774913U);
    EXPECT_EQ(file.digis.x, (std::vector<std::uint16_t>{10, 11}));
    EXPECT_EQ(file.digis.y, (std::vector<std::uint16_t>{20, 21}));
    EXPECT_EQ(file.digis.adc, (std::vector<std::uint32_t>{32768, 65535})) << "in proportion";
    ASSERT_EQ(file.warnings.size(), 1U);
    EXPECT_TRUE(contains(file.warnings[0], {"value", "131070"}));
    EXPECT_EQ(read("geometry_id,channel0,channel1,value\n7,1,2,300\n").digis.adc,
              std::vector<std::uint32_t>{300});
}

TEST_F(DigiFileTest, small_charges_beside_large_ones_keep_their_proportion) {
    const auto file = read("geometry_id,channel0,channel1,value\n7,1,1,0.00001\n7,2,1,0.00003\n7,50,1,3.5\n");
    EXPECT_NEAR(3.0 * file.digis.adc[0] / file.digis.adc[1], 1, 1e-3);
    EXPECT_EQ(file.digis.adc[2], 4294967295U);
    EXPECT_EQ(file.warnings.size(), 1U);
    const auto rough = read("geometry_id,channel0,channel1,value\n7,1,1,1e-9\n7,2,1,3e-9\n7,50,1,3.5\n");
    ASSERT_EQ(rough.warnings.size(), 2U);
    EXPECT_TRUE(contains(rough.warnings[1], {"2 of 3 charges", "by more than 0.1 %"}));
    EXPECT_TRUE(contains(read("geometry_id,channel0,channel1,value\n7,1,1,1\n7,2,1,1e12\n").warnings[0],
                         {"numbers beyond 32 bits"}));
}

TEST_F(DigiFileTest, ids_of_modules_have_up_to_64_bits) {
    const auto file =
        read("geometry_id,channel0,channel1,value\n9223372036854775808,1,1,3\n18446744073709551615,2,1,3\n");
    EXPECT_EQ(file.digis.module_ids,
              (std::vector<std::uint64_t>{9223372036854775808U, 18446744073709551615U}));
    refused("geometry_id,channel0,channel1,value\n-1,1,1,3\n",
            {"line 2", "module from 0 to 18446744073709551615, found -1"});
}

TEST_F(DigiFileTest, charges_may_be_written_as_fractions_that_are_whole) {
    EXPECT_EQ(read(header + "0,1,1,1,100.0\n1,1,2,1,2e2\n").digis.adc,
              (std::vector<std::uint32_t>{100, 200}));
}

TEST_F(DigiFileTest, a_last_line_without_a_newline_is_told) {
    const auto file = read(header + "0,1,1,1,5\n1,1,2,1,12");
    ASSERT_EQ(file.warnings.size(), 1U);
    EXPECT_TRUE(
        contains(file.warnings[0], {"no newline at the end of the last line; the file may be truncated"}));
}

TEST_F(DigiFileTest, the_columns_tell_digis) {
    EXPECT_TRUE(io::are_columns_of_digis({"adc", "y", "x", "module"}));
    EXPECT_TRUE(io::are_columns_of_digis({"geometry_id", "channel0", "channel1", "timestamp", "value"}));
    EXPECT_FALSE(io::are_columns_of_digis({"module", "x", "y"}));
    EXPECT_FALSE(io::are_columns_of_digis({"x", "y", "z", "weight"}));
    EXPECT_FALSE(io::are_columns_of_digis({}));
}

TEST_F(DigiFileTest, bad_rows_are_named_by_line) {
    refused(header + "0,1,1,1,1\n1,1,x,1,1\n", {"line 3", "whole number", "x"});
    refused(header + "0,1,1.5,1,1\n", {"line 2", "1.5"});
    refused(header + "0,1,1,1\n", {"line 2", "5 values", "4"});
    refused(header + "0,1,-1,1,1\n", {"line 2", "x from 0", "-1"});
    refused(header + "0,1,1,-7,1\n", {"line 2", "y from 0", "-7"});
    refused(header + "0,1,65536,1,1\n", {"line 2", "65535", "65536"});
    refused(header + "0,-1,1,1,1\n", {"line 2", "module", "-1"});
    refused(header + "0,2147483648,1,1,1\n", {"line 2", "module", "2147483648"});
    refused(header + "0,1,1,1,4294967296\n", {"line 2", "adc", "4294967296"});
    refused(header + "0,1,1,1,-5\n", {"line 2", "adc", "-5"});
    refused(header + "0,1,1,1,\n", {"line 2", "adc"});
    refused("geometry_id,channel0,channel1,value\n7,1,2,nan\n", {"line 2", "value"});
    refused("geometry_id,channel0,channel1,value\n7,1,2,-1\n", {"line 2", "value", "-1"});
    refused("geometry_id,channel0,channel1,value\n7,-1,2,1\n", {"line 2", "x from 0", "-1"});
}

TEST_F(DigiFileTest, what_a_layout_does_not_have_is_named_by_line_but_invalid_digis_lie_anywhere) {
    refused(header + "0,0,0,0,1\n1,0,160,0,1\n", {"line 3", "x from 0 to 159", "160"}, phase1);
    refused(header + "0,0,0,416,1\n", {"line 2", "y from 0 to 415", "416"}, phase1);
    refused(header + "0,1856,0,0,1\n", {"line 2", "module from 0 to 1855", "1856", "9999"}, phase1);
    refused(header + "0,9999,-1,0,1\n", {"line 2", "x from 0 to 65535", "-1"}, phase1);
    EXPECT_EQ(read(header + "0,9999,60000,60000,1\n1,65534,0,0,0\n", phase1).digis.size(), 2U);
}

TEST_F(DigiFileTest, files_without_digis_are_refused) {
    refused("", {"empty file"});
    refused("\n\n", {"empty file"});
    refused(header, {"found none"});
    refused("index,module,x,adc\n0,1,1,1\n", {"index,module,x,y,adc"});
    refused("geometry_id,channel0\n1,1\n", {"geometry_id,channel0,channel1,value"});
    EXPECT_TRUE(contains(input_error([&] { io::read_digis(at("no.csv"), {}, progress); }),
                         {"no.csv", "no such file"}));
    EXPECT_TRUE(
        contains(input_error([&] { io::read_digis(at("no.h5"), {}, progress); }), {"no.h5", "no such file"}));
    write_bytes(at("broken.h5"), "this is text");
    EXPECT_TRUE(
        contains(input_error([&] { io::read_digis(at("broken.h5"), {}, progress); }), {"broken.h5", "HDF5"}));
}

TEST_F(DigiFileTest, columns_of_hdf5) {
    {
        TestFile file(at("digis.h5"));
        const auto put = [&file](const std::string& path, hid_t type,
                                 const std::vector<std::int64_t>& values) {
            file.make(path, type, {values.size()}, values.data(), H5T_NATIVE_INT64);
        };
        put("/run/module", H5T_STD_U16LE, {1, 1, 9999});
        put("/run/x", H5T_STD_I32LE, {5, 6, 7});
        put("/run/y", H5T_STD_U8LE, {5, 6, 7});
        put("/run/adc", H5T_STD_U32BE, {100000, 1, 2});
        put("/short/module", H5T_STD_I32LE, {1, 1});
        put("/short/x", H5T_STD_I32LE, {1});
        put("/negative/module", H5T_STD_I32LE, {1, 1});
        for (const char* column : {"x", "y", "adc"})
            put(std::string("/negative/") + column, H5T_STD_I32LE, {1, -4});
    }
    const auto read = [&](const std::string& name) { return io::read_digis(name, phase1, progress); };
    const DigiTable digis = read(at("digis.h5") + "::/run").digis;
    EXPECT_EQ(digis.module, (std::vector<std::uint32_t>{1, 1, 9999}));
    EXPECT_EQ(digis.x, (std::vector<std::uint16_t>{5, 6, 7}));
    EXPECT_EQ(digis.adc, (std::vector<std::uint32_t>{100000, 1, 2}));
    EXPECT_TRUE(contains(input_error([&] { read(at("digis.h5")); }), {"digis.h5", "/entry/digis"}));
    EXPECT_TRUE(
        contains(input_error([&] { read(at("digis.h5") + "::/short"); }), {"/short/x", "2 values", "1"}));
    EXPECT_TRUE(
        contains(input_error([&] { read(at("digis.h5") + "::/negative"); }), {"/negative, row 1", "-4"}));
    EXPECT_TRUE(contains(input_error([&] { read(at("digis.h5") + "::/nothing"); }), {"/nothing"}));
}

TEST_F(DigiFileTest, what_is_written_comes_back) {
    DigiTable digis;
    digis.module = {0, 1, 0};
    digis.module_ids = {5, 1224979098644774913};
    digis.x = {0, 65535, 3};
    digis.y = {7, 8, 65535};
    digis.adc = {0, 4294967295, 9};
    io::write_digis(digis, at("wide.h5"), false, progress);
    EXPECT_EQ(io::read_digis(at("wide.h5"), {}, progress).digis, digis);
    digis.module_ids.clear();
    digis.event = {3, 2, 1};
    for (const char* name : {"plain.h5", "plain.csv"}) {
        io::write_digis(digis, at(name), false, progress);
        EXPECT_EQ(io::read_digis(at(name), {}, progress).digis, digis) << name;
        EXPECT_TRUE(contains(input_error([&] { io::write_digis(digis, at(name), false, progress); }),
                             {name, "exists"}));
    }
}

}  // namespace
