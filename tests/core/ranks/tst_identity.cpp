// What ranks compare before they compute.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/ranks/identity.h"
#include "tests/core/ranks/thread_ranks.h"

namespace ks::tests {
namespace {

namespace fs = std::filesystem;

/// The sentence of rank 0, empty where all are alike.
std::string sentence(std::size_t size,
                     const std::function<std::vector<IdentityRow>(std::size_t rank)>& rows) {
    const auto outcomes = on_ranks(
        size, [&](Exchange& exchange, Progress&) { require_alike(exchange, rows(exchange.rank())); });
    EXPECT_TRUE(!outcomes[0] || outcomes[0]->kind() == ErrorKind::input);
    for (std::size_t i = 1; i < size; ++i) EXPECT_EQ(outcomes[i].has_value(), outcomes[0].has_value());
    return outcomes[0] ? outcomes[0]->message() : std::string();
}

TEST(Identity, ranks_that_are_alike_go_on) {
    EXPECT_EQ(sentence(3,
                       [](std::size_t) {
                           return std::vector<IdentityRow>{version_row(), {"x", "1"}};
                       }),
              "");
}

TEST(Identity, another_version_is_named_with_rank_host_and_both_values) {
    EXPECT_EQ(sentence(3,
                       [](std::size_t rank) {
                           return std::vector<IdentityRow>{
                               {"the version of the program", rank == 1 ? "0.2.0" : "0.1.0"}};
                       }),
              "the version of the program differs: 0.2.0 for rank 1 on node1, 0.1.0 for rank 0 on node0");
}

TEST(Identity, a_value_that_only_one_rank_has_is_a_difference) {
    const auto with = [](std::size_t who) {
        return [who](std::size_t rank) {
            std::vector<IdentityRow> rows{{"x", "1"}};
            if (rank == who) rows.push_back({"sigma of the request", "3"});
            return rows;
        };
    };
    EXPECT_EQ(sentence(2, with(1)),
              "sigma of the request differs: 3 for rank 1 on node1, none for rank 0 on node0");
    EXPECT_EQ(sentence(2, with(0)),
              "sigma of the request differs: none for rank 1 on node1, 3 for rank 0 on node0");
}

TEST(Identity, requests_differ_where_one_value_does) {
    Request request;
    request.analysis = "spots";
    request.parameters["sigma_b"] = 6.0;
    request.inputs["frames"] = {"scan.h5"};
    const auto alike = [&](const Request& other) {
        return sentence(2, [&](std::size_t rank) { return rows_of(rank == 0 ? request : other); });
    };
    EXPECT_EQ(alike(request), "");
    Request other = request;
    other.parameters["sigma_b"] = 5.5;
    EXPECT_EQ(alike(other),
              "parameters/sigma_b of the request differs: 5.5 for rank 1 on node1, 6.0 for rank 0 on node0");
    other = request;
    other.inputs["frames"].name = "scan_2.h5";
    EXPECT_EQ(alike(other),
              "inputs/frames/name of the request differs: \"scan_2.h5\" for rank 1 on node1, \"scan.h5\" for "
              "rank 0 on node0");
    other = request;
    other.kernel_source = "kernel void f() {}";
    EXPECT_NE(alike(other), "");
    other = request;
    other.inputs["frames"].values = Array::of({2}, std::vector<double>{1, 2});
    EXPECT_NE(alike(other), "");
}

class IdentityOfFiles : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "kernelscope-identity-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        write("a", std::string(200000, 'x'));
        fs::copy(folder_ / "a", folder_ / "b");
        fs::last_write_time(folder_ / "b", fs::last_write_time(folder_ / "a"));
    }
    void TearDown() override { fs::remove_all(folder_); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    /// Compares the values for a and b, whose names differ.
    std::string difference() const {
        const auto a = rows_of(folder_ / "a"), b = rows_of(folder_ / "b");
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            if (a[i].value != b[i].value) return a[i].what.substr(0, a[i].what.find(" of "));
        return a.size() == b.size() ? "" : "number of rows";
    }
    fs::path folder_;
};

TEST_F(IdentityOfFiles, a_copy_with_its_time_is_the_same) {
    EXPECT_EQ(difference(), "");
}

TEST_F(IdentityOfFiles, another_size_time_or_beginning_is_another_file) {
    const auto time = fs::last_write_time(folder_ / "a");
    fs::last_write_time(folder_ / "b", time + std::chrono::milliseconds(5));
    EXPECT_EQ(difference(), "the time");
    write("b", "y" + std::string(199999, 'x'));
    fs::last_write_time(folder_ / "b", time);
    EXPECT_EQ(difference(), "the hash");
    write("b", std::string(200001, 'x'));
    EXPECT_EQ(difference(), "the size");
    fs::remove(folder_ / "b");
    EXPECT_EQ(difference(), "the size");
}

}  // namespace
}  // namespace ks::tests
