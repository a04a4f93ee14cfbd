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
    EXPECT_TRUE(contains(error_of("a,b,c,a\n1,2,3,4\n"), {"f.csv", "expected one column a, found 2"}));
    write_bytes(at("f.csv"), "a,b,c,c\n1,2,3,4\n");
    EXPECT_NO_THROW(io::CsvReader(at("f.csv"), {"a", "b"}));  // columns that are not used
    EXPECT_TRUE(contains(error_of(""), {"empty file"}));
    EXPECT_TRUE(
        contains(input_error([&] { io::CsvReader(at("none.csv"), {"a"}); }), {"none.csv", "no such file"}));
    EXPECT_TRUE(contains(input_error([&] { io::CsvReader(folder, {"a"}); }), {"found a directory"}));
}

TEST_F(CsvTest, WholeNumbersInAnyNotation) {
    write_bytes(at("f.csv"), "a,b\n100.0,18446744073709551615\n2e2,-4\n-3.00E1,9223372036854775808\n");
    io::CsvReader in(at("f.csv"), {"a", "b"});
    std::vector<std::int64_t> found;
    std::vector<std::string> ids;
    while (in.next()) {
        found.push_back(in.integer(0));
        const io::WholeNumber id = in.identifier(1);
        ids.push_back(id < 0 ? std::to_string(static_cast<std::int64_t>(id))
                             : std::to_string(static_cast<std::uint64_t>(id)));
    }
    EXPECT_EQ(found, (std::vector<std::int64_t>{100, 200, -30}));
    EXPECT_EQ(ids, (std::vector<std::string>{"18446744073709551615", "-4", "9223372036854775808"}));
    for (const char* none : {"1e-1", "nan", "inf", "1e400", "0x10", "1.0.0"})
        EXPECT_TRUE(contains(error_of(std::string("a,b\n") + none + ",1\n"),
                             {"line 2", "expected a whole number in column a", none}));
    EXPECT_TRUE(contains(error_of("a,b\n1e17,2\n"), {"expected a whole number without a decimal point or an "
                                                     "exponent (required from 2^53 on) in column "}));
    EXPECT_TRUE(contains(error_of("a,b\n9223372036854775808,2\n"), {"from -2^63 to 2^63 - 1"}));
}

TEST_F(CsvTest, ALastLineWithoutANewlineIsTold) {
    const auto said = [this](const std::string& text) {
        write_bytes(at("f.csv"), text);
        const std::string warning = io::CsvReader(at("f.csv"), {"a"}).end_warning();
        EXPECT_EQ(io::CsvParts(at("f.csv"), 2, {"a"}).end_warning(), warning);
        return warning;
    };
    EXPECT_TRUE(contains(said("a,b\n1,2\n1,12"), {"f.csv", "no newline at the end of the last line"}));
    EXPECT_EQ(said("a,b\n1,2\n1,123\n"), "");
    EXPECT_EQ(said("a,b\r\n1,2\r\n"), "");
}

TEST_F(CsvTest, PartsOfAnySizeHaveAllRowsAndTheNumbersOfTheirLines) {
    const std::string rows = "1,2\r\n\n3,4\n55555,6\n\n\n7,8\n9,10";
    const std::vector<std::pair<std::int64_t, std::size_t>> expected{
        {1, 2}, {3, 4}, {55555, 5}, {7, 8}, {9, 9}};
    for (const std::string& end : {std::string(), std::string("\n"), std::string("\n\n")}) {
        write_bytes(at("f.csv"), "a,b\n" + rows + end);
        for (const std::size_t bytes : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 10U, 20U, 1000U}) {
            std::vector<std::pair<std::int64_t, std::size_t>> found;
            const io::CsvParts parts(at("f.csv"), bytes, {"a", "b"});
            EXPECT_EQ(parts.header().header(), (std::vector<std::string>{"a", "b"}));
            for (std::size_t i = 0; i < parts.size(); ++i)
                for (io::CsvReader part = parts.part(i); part.next();)
                    found.emplace_back(part.integer(0), part.line());
            EXPECT_EQ(found, expected) << bytes;
        }
    }
    for (const char* header : {"a,b\n", "a,b"}) {
        write_bytes(at("f.csv"), header);
        EXPECT_EQ(io::CsvParts(at("f.csv"), 1, {"a"}).size(), 0U);
    }
    write_bytes(at("f.csv"),
                "\xef\xbb\xbf" + std::string(100'000, '\n') + "a,b\n1,2\n3," + std::string(3000, ' ') + "4");
    const io::CsvParts parts(at("f.csv"), 5, {"a", "b"});
    std::vector<std::pair<std::int64_t, std::size_t>> found;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (io::CsvReader part = parts.part(i); part.next();)
            found.emplace_back(part.integer(1), part.line());
    EXPECT_EQ(found, (std::vector<std::pair<std::int64_t, std::size_t>>{{2, 100'002}, {4, 100'003}}));
}

}  // namespace
}  // namespace ks::tests
