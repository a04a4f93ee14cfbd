// q of bins is given with the request, where neither the geometry nor the file of the bins has it.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace bin_q_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using Arguments = std::vector<std::string>;

class BinQ : public testing::Test {
  protected:
    BinQ() {
        ks::tests::Hdf5Fixture made(data_);
        made.counts("/frames", {6, 4, 5},
                    [](std::size_t i) { return static_cast<std::uint16_t>(1 + i * i % 7); });
        made.counts("/labels", {4, 5},
                    [](std::size_t pixel) { return static_cast<std::uint16_t>(pixel % 4); });
        made.reals("/q", {3}, [](std::size_t bin) { return 0.25F * static_cast<float>(bin + 1); });
        made.reals("/short", {2}, [](std::size_t) { return 1.0F; });
    }
    Outcome run(const Arguments& more) const {
        Arguments all{"xpcs",  data_ + "::/frames", "--qmask", data_ + "::/labels", "--device", "host",
                      "--csv", folder_ / "g2.csv"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }

    ks::tests::TemporaryFolder folder_;
    const std::string data_ = folder_ / "data.h5";
};

TEST_F(BinQ, is_that_of_each_bin) {
    const Outcome done = run({"--bin-q", data_ + "::/q"});
    ASSERT_EQ(done.code, 0) << done.err;
    const std::string csv = read_file(folder_ / "g2.csv");
    for (const char* q : {"0.25", "0.5", "0.75"})
        EXPECT_NE(csv.find(std::string(",") + q + "\n"), std::string::npos) << csv;
}

TEST_F(BinQ, is_not_used_where_the_geometry_gives_it) {
    const Outcome done = run({"--bin-q", data_ + "::/q", "--wavelength", "1", "--distance", "1000",
                              "--pixel-size", "55", "--beam-x", "2", "--beam-y", "2"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(read_file(folder_ / "g2.csv").find(",0.25\n"), std::string::npos);
}

TEST_F(BinQ, needs_a_value_for_each_bin) {
    const Outcome outcome = run({"--bin-q", data_ + "::/short"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("expected q of each of the 3 bins, found 2 values"), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("/short"), std::string::npos) << outcome.err;
}

}  // namespace bin_q_test
