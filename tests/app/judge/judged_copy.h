#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gpu/runtime/kernel_files.h"
#include "tests/app/cli_process.h"

namespace judge_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

/// Runs `judge` on copies of the published correlator.
class Judge : public ::testing::Test {
  protected:
    /// The published correlator with a statement before its last one, in line 51.
    static constexpr const char* last = "    g2_err[at] = terms";
    std::string planted(const std::string& statement) const {
        return replaced(last, "    " + statement + "\n" + last);
    }
    std::string replaced(const std::string& what, const std::string& by) const {
        std::string text = original_;
        const std::size_t at = text.find(what);
        EXPECT_NE(at, std::string::npos) << what;
        return at == std::string::npos ? text : text.replace(at, what.size(), by);
    }
    /// One problem, for mistakes that every problem shows.
    static std::vector<std::string> on_one_problem(const std::vector<std::string>& more = {}) {
        std::vector<std::string> all{"--frames", "5", "--height", "7", "--width", "9", "--ring-width", "3"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Outcome judge(const std::string& source, std::vector<std::string> more = {"--no-simulation"}) {
        std::ofstream(folder_ / "mine.cl") << source;
        more.insert(more.begin(), {"judge", "xpcs", "--variant", "seed.naive", "--kernel-source",
                                   folder_ / "mine.cl", "--json", folder_ / "found.json", "--overwrite"});
        Outcome outcome = run_cli(more);
        found_.clear();
        if (const std::string text = read_file(folder_ / "found.json"); !text.empty()) {
            const nlohmann::json json = nlohmann::json::parse(text);
            for (const auto& finding : json.at("findings"))
                found_[finding.at("id")] += finding.at("state").get<std::string>() + " ";
        }
        return outcome;
    }
    nlohmann::json finding(const std::string& id) const {
        const nlohmann::json json = nlohmann::json::parse(read_file(folder_ / "found.json"));
        for (const auto& one : json.at("findings"))
            if (one.at("id") == id) return one;
        return {};
    }
    void expect_wrong(const Outcome& outcome, const std::string& id, const std::string& text) {
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        EXPECT_EQ(found_[id], "no ") << outcome.out;
        EXPECT_NE(outcome.out.find("\n" + id + ": "), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find(text), std::string::npos) << outcome.out;
    }

    TemporaryFolder folder_;
    std::string original_ = ks::gpu::kernel_text("gpu/xpcs/seed_naive.cl");
    std::map<std::string, std::string> found_;  ///< states by question
};

}  // namespace judge_test
