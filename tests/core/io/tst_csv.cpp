#include "core/io/csv/csv.h"

#include <gtest/gtest.h>

#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class CsvTest : public IoTest {
  protected:
    std::string error_of(const std::string& text) {
        write_bytes(at("f.csv"), text);
        return input_error([&] {
            io::CsvReader in(at("f.csv"), {"a", "b"});
            while (in.next()) (void)(in.integer(0) + static_cast<std::int64_t>(in.real(1)));
        });
    }
};

TEST_F(CsvTest, ColumnsOfTheHeaderAlone) {
    const auto columns = [this](const std::string& text) {
        write_bytes(at("f.csv"), text);
        return io::csv_columns(at("f.csv"));
    };
    const std::vector<std::string> ab{"a", "b"};
    EXPECT_EQ(columns("a,b\n1,2\n"), ab);
    EXPECT_EQ(columns("a,b"), ab);
    EXPECT_EQ(columns("\xef\xbb\xbf\r\n \n a , b \r\n1,2,3\r\n"), ab);
    EXPECT_EQ(columns("a,b\n" + std::string(1'000'000, '1')), ab);
    for (const std::string& none : {std::string(), std::string("\n\n"), std::string("\xef\xbb\xbf"),
                                    std::string(1'000'000, 'a'), std::string(1'000'000, '\n')})
        EXPECT_EQ(columns(none), std::vector<std::string>());
    EXPECT_EQ(io::csv_columns(at("none.csv")), std::vector<std::string>());
    EXPECT_EQ(io::csv_columns(folder.string()), std::vector<std::string>());
}

TEST_F(CsvTest, ColumnsByNameInAnyOrder) {
    write_bytes(at("f.csv"),
                "\xef\xbb\xbf"
                "b, c ,a\r\n1.5,9,-3\r\n\r\n-2e3,9,+4");
    io::CsvReader in(at("f.csv"), {"a", "b"}, {"c", "d"});
    EXPECT_TRUE(in.has(2));
    EXPECT_FALSE(in.has(3));
    ASSERT_TRUE(in.next());
    EXPECT_EQ(in.integer(0), -3);
    EXPECT_EQ(in.real(1), 1.5);
    EXPECT_EQ(in.line(), 2u);
    ASSERT_TRUE(in.next());
    EXPECT_EQ(in.integer(0), 4);
    EXPECT_EQ(in.real(1), -2000);
    EXPECT_EQ(in.integer(2), 9);
    EXPECT_EQ(in.line(), 4u);
    EXPECT_EQ(in.fraction(), 1.0);
    EXPECT_FALSE(in.next());
}

TEST_F(CsvTest, ErrorsNameTheLine) {
    EXPECT_TRUE(
        contains(error_of("a,b\n1,2\n1,x\n"), {"f.csv, line 3", "expected a number in column b", "\"x\""}));
    EXPECT_TRUE(
        contains(error_of("a,b\n1.5,2\n"), {"line 2", "expected a whole number in column a", "\"1.5\""}));
    EXPECT_TRUE(contains(error_of("a,b\n,2\n"), {"line 2", "\"\""}));
    EXPECT_TRUE(contains(error_of("a,b\n99999999999999999999,2\n"), {"line 2", "99999999999999999999"}));
    EXPECT_TRUE(contains(error_of("a,b\n1,2\n\n1\n"), {"line 4", "expected 2 values, found 1"}));
    EXPECT_TRUE(contains(error_of("a,c\n1,2\n"), {"columns a,b", "\"a,c\""}));
    EXPECT_TRUE(contains(error_of(""), {"empty file"}));
    EXPECT_TRUE(
        contains(input_error([&] { io::CsvReader(at("none.csv"), {"a"}); }), {"none.csv", "no such file"}));
    EXPECT_TRUE(contains(input_error([&] { io::CsvReader(folder, {"a"}); }), {"found a directory"}));
}

}  // namespace
}  // namespace ks::tests
