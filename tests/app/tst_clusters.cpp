// Clusters as a user calls it: from a file of digis to labels and a table, and what is refused.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/app/cli_process.h"
#include "tests/reference_data.h"

namespace {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

class ClustersCommand : public testing::Test {
  protected:
    Outcome run(const std::string& text, Arguments more, const std::string& input = "digis.csv") {
        std::ofstream(folder_ / input, std::ios::binary) << text;
        std::filesystem::create_directory(folder_ / "out");
        Arguments all{"clusters", folder_ / input, "--device", "host", "--out", folder_ / "out/labels.csv"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    void refused(const std::string& text, const Arguments& words, const Arguments& more = {}) {
        const Outcome outcome = run(text, more);
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        for (const std::string& word : words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << "no '" << word << "' in: " << outcome.err;
        EXPECT_TRUE(std::filesystem::is_empty(folder_ / "out")) << "a file was left behind";
    }
    const std::string header = "index,module,x,y,adc\n";
    TemporaryFolder folder_;
};

TEST_F(ClustersCommand, labels_and_table) {
    const Outcome outcome =
        run(header + "0,3,1,1,10\n1,9999,0,0,1\n2,3,2,2,30\n3,3,9,9,5\n4,3,9,9,5\n",
            {"--layout", "phase1", "--table", folder_ / "out/table.csv", "--check", "full"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_file(folder_ / "out/labels.csv"),
              "index,module,label\n0,3,0\n1,9999,-1\n2,3,0\n3,3,-2\n4,3,-2\n");
    EXPECT_EQ(read_file(folder_ / "out/table.csv"),
              "label,module,size,charge,x,y,xmin,xmax,ymin,ymax\n0,3,2,40,2.25,2.25,1,2,1,2\n");
    EXPECT_NE(outcome.out.find("\n1 cluster of 2 digis on average"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err, "");
}

TEST_F(ClustersCommand, connectivity_duplicates_and_charge_cut) {
    const std::string digis = header + "0,3,1,1,10\n1,3,2,2,30\n2,3,9,9,5\n3,3,9,9,6\n";
    run(digis, {"--connectivity", "4", "--charge-cut", "11"});
    EXPECT_EQ(read_file(folder_ / "out/labels.csv"), "index,module,label\n0,3,-3\n1,3,1\n2,3,2\n3,3,2\n");
    run(digis, {"--connectivity", "4", "--charge-cut", "1.1e1", "--overwrite"});
    EXPECT_EQ(read_file(folder_ / "out/labels.csv"), "index,module,label\n0,3,-3\n1,3,1\n2,3,2\n3,3,2\n");
    run(digis, {"--duplicates", "drop", "--overwrite"});
    EXPECT_EQ(read_file(folder_ / "out/labels.csv"), "index,module,label\n0,3,0\n1,3,0\n2,3,-2\n3,3,-2\n");
    run(digis, {"--layout", "phase1", "--charge-cut", "100,1", "--overwrite"});
    EXPECT_EQ(read_file(folder_ / "out/labels.csv"), "index,module,label\n0,3,-3\n1,3,-3\n2,3,-2\n3,3,-2\n");
    run(digis, {"--layout", "phase1", "--charge-cut", "1, 1e2", "--overwrite"});
    EXPECT_EQ(read_file(folder_ / "out/labels.csv"), "index,module,label\n0,3,0\n1,3,0\n2,3,-2\n3,3,-2\n");
}

TEST_F(ClustersCommand, an_index_that_is_not_the_row_is_a_warning) {
    const Outcome outcome = run(header + "7,3,1,1,10\n", {});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.err.find("line 2: index 7 does not match row number 0"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(read_file(folder_ / "out/labels.csv"), "index,module,label\n0,3,0\n");
}

TEST_F(ClustersCommand, what_is_wrong_is_named_by_line) {
    refused(header + "0,3,1,1,10\n1,3,x,1,10\n", {"digis.csv, line 3", "whole number", "column x"});
    refused(header + "0,3,-1,1,10\n", {"line 2", "x from 0", "-1"});
    refused(header + "0,3,200,1,10\n", {"line 2", "159", "200"}, {"--layout", "phase1"});
    refused(header + "0,1856,0,1,10\n", {"line 2", "1855", "1856"}, {"--layout", "phase1"});
    refused("index,module,x,adc\n", {"digis.csv", "index,module,x,y,adc"});
    refused("", {"digis.csv", "empty file"});
    refused(header, {"digis.csv", "found none"});
    refused(header + "0,3,1,1,10\n", {"--charge-cut", "\"a\""}, {"--charge-cut", "a"});
    refused(header + "0,3,1,1,10\n", {"layout"}, {"--layout", "phase3"});
    refused(header + "0,3,1,1,10\n", {"connectivity"}, {"--connectivity", "6"});
}

TEST_F(ClustersCommand, generated_events_run_and_are_saved_as_hdf5) {
    const std::string digis = folder_ / "events.h5";
    EXPECT_EQ(run_cli({"generate", "clusters", "--out", digis, "--events", "2", "--digis", "900",
                       "--repeated", "5", "--invalid", "5"})
                  .code,
              0);
    for (const std::string variant : {"host.reference", "host.unionfind"}) {
        const Outcome outcome = run_cli({"clusters", digis, "--layout", "phase1", "--variant", variant,
                                         "--check", "full", "--out", folder_ / (variant + ".h5")});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_NE(outcome.out.find("1820 digis"), std::string::npos) << outcome.out;
        EXPECT_TRUE(std::filesystem::exists(folder_ / (variant + ".h5")));
    }
    EXPECT_EQ(run_cli({"generate", "clusters", "--out", folder_ / "spiral.csv", "--shape", "spiral",
                       "--digis", "3900"})
                  .code,
              0);
    const Outcome spiral = run_cli({"clusters", folder_ / "spiral.csv", "--device", "host"});
    EXPECT_NE(spiral.out.find("1 cluster of 3.9e+03 digis"), std::string::npos) << spiral.out;
}

TEST_F(ClustersCommand, bench_times_and_checks_the_host_variants) {
    const Outcome outcome = run_cli({"bench", "clusters", "--device", "host", "--events", "2", "--digis",
                                     "2000", "--repeat", "2", "--charge-cut", "layout"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* word : {"host.reference", "host.unionfind", "pass"})
        EXPECT_NE(outcome.out.find(word), std::string::npos) << outcome.out;
}

TEST_F(ClustersCommand, the_reference_event_gives_the_reference_labels_byte_for_byte) {
    const Outcome outcome = run_cli({"clusters", ks::tests::reference_data("digis_phase1.csv"), "--layout",
                                     "phase1", "--device", "host", "--out", folder_ / "labels.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_file(folder_ / "labels.csv"),
              read_file(ks::tests::reference_data("digis_phase1_labels.csv")));
}

}  // namespace
