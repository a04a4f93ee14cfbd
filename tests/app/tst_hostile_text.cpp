#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"
#include "tests/core/run/own_cache.h"

namespace ks::tests {
namespace {

/// Line breaks are the program's own; nothing else below a blank, and no C1 control, may reach a terminal.
bool has_controls(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if ((c < 0x20 && c != '\n') || c == 0x7f || c == 0x9b || c == 0xff) return true;
    }
    return false;
}

const std::string digis = "index,module,x,y,adc\n0,0,1,1,5\n1,0,2,1,7\n2,1,4,4,3\n";

TEST(HostileText, ControlCharactersOfFilesDoNotReachTheTerminal) {
    const TemporaryFolder folder;
    const std::string name = folder / "a\x1b]0;owned\x07.h5";
    {
        Hdf5Fixture file(name);
        file.counts("red\x1b[31m\nforged\xc2\x9b", {2, 3, 4},
                    [](std::size_t i) { return static_cast<std::uint16_t>(i); });
        file.external_link("gone", "\x1b[2J.h5", "/x\r");
    }
    const Outcome info = run_cli({"info", name});
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_FALSE(has_controls(info.out)) << info.out;
    EXPECT_NE(info.out.find("red\\x1b[31m\\x0aforged\\xc2\\x9b"), std::string::npos) << info.out;
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", name + "::/gone"},
                                                      {"info", name + "::/no\x1b[1m"},
                                                      {"spots", name, "--threshold", "\x1b[5m"},
                                                      {"xpcs", name, "--rings", "\x9b"}}) {
        const Outcome failed = run_cli(arguments);
        EXPECT_EQ(failed.code, 2);
        EXPECT_FALSE(has_controls(failed.out + failed.err)) << failed.err;
    }
}

TEST(HostileText, AFileNameThatIsNoUtf8SurvivesJson) {
    const TemporaryFolder folder;
    const std::string name = folder / "d\xff\\x41.csv";
    std::ofstream(name) << digis;
    const Outcome run = run_cli({"clusters", name, "--variant", "host.unionfind", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto record = nlohmann::json::parse(run.out);
    EXPECT_EQ(record.at("inputs").begin()->get<std::string>(), folder / "d\\xff\\x5cx41.csv");
    const Outcome saved =
        run_cli({"clusters", name, "--variant", "host.unionfind", "--out", folder / "o.h5"});
    EXPECT_EQ(saved.code, 0) << saved.err;
}

TEST(HostileText, NamesOfKernelFilesDoNotReachTheTerminal) {
    const OwnCache variants("KERNELSCOPE_VARIANTS");
    const Outcome made = run_cli({"variants", "new", "vector_add", "seed.add", "plain"});
    ASSERT_EQ(made.code, 0) << made.err;
    const std::filesystem::path plain = made.out.substr(0, made.out.find('\n'));
    const std::string odd = "odd\x1b[31m\xff";
    std::filesystem::rename(plain, plain.parent_path() / (odd + ".cl"));
    const Outcome listed = run_cli({"variants", "vector_add"});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_FALSE(has_controls(listed.out + listed.err)) << listed.out << listed.err;
    EXPECT_NE(listed.out.find("\n  user.odd\\x1b[31m\\xff  "), std::string::npos) << listed.out;
}

TEST(HostileText, APipeIsNoKernelSource) {
    const TemporaryFolder folder;
    std::ofstream(folder / "d.csv") << digis;
    ASSERT_EQ(::mkfifo((folder / "k.cl").c_str(), 0600), 0);
    const Outcome run = run_cli({"clusters", folder / "d.csv", "--kernel-source", folder / "k.cl"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("is a pipe, not a regular file"), std::string::npos) << run.err;
}

TEST(HostileText, AWorkerRefusesDeepJson) {
    const std::string header =
        R"({"type":"run","request":)" + std::string(60000, '[') + std::string(60000, ']') + "}";
    std::string message = "KSWIRE01";
    for (std::size_t i = 0; i < 4; ++i) message += static_cast<char>(header.size() >> (8 * i) & 0xff);
    message += std::string(4, '\0') + header;
    const Outcome outcome = run_cli({"worker"}, message);
    EXPECT_LT(outcome.code, 128) << "ended by a signal";
}

}  // namespace
}  // namespace ks::tests
