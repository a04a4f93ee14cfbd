#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/io/open_frames.h"
#include "core/io/series/file_states.h"
#include "core/run/engine.h"
#include "core/run/host_backend.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class ChangingFiles : public IoTest {
  protected:
    /// Other bytes of the same length, with another time of modification.
    static void change(const std::string& file) {
        struct stat info = {};
        ASSERT_EQ(::stat(file.c_str(), &info), 0);
        const timespec times[2] = {info.st_atim, {info.st_mtim.tv_sec + 7, 0}};
        ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
    }

    /// An engine with one host variant of an analysis, which calls `during` while it runs.
    Engine engine(const std::string& analysis) {
        auto registry = std::make_shared<const Registry>();
        Variant info;
        info.analysis = analysis;
        info.id = "host.probe";
        const auto launch = [this](const Problem& problem, HostContext&) {
            if (during) during();
            problem_ = &problem;
            return Result();
        };
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(std::make_unique<HostBackend>(std::vector<HostVariant>{{info, launch}}));
        return {registry, std::move(backends)};
    }
    static Request request(const std::string& analysis, std::map<std::string, InputRef> inputs) {
        Request made;
        made.analysis = analysis;
        made.variant = "host.probe";
        made.inputs = std::move(inputs);
        return made;
    }

    std::function<void()> during;
    const Problem* problem_ = nullptr;
};

TEST_F(ChangingFiles, SizeTimeAndIdentityCount) {
    write_bytes(at("a"), "12345");
    FileStates files;
    files.add(at("a"));
    files.add(at("absent"));
    files.add("/dev/null");
    EXPECT_FALSE(files.changed());
    change(at("a"));
    EXPECT_EQ(files.changed(), fs::path(at("a")));
    FileStates now;
    now.add(at("a"));
    write_bytes(at("b"), "12345");
    change(at("b"));
    fs::rename(at("b"), at("a"));  // another file of the same size
    EXPECT_TRUE(now.changed());
    fs::remove(at("a"));
    EXPECT_TRUE(contains(input_error([&] { now.require_unchanged(); }),
                         {at("a"), "changed while it was being read"}));
}

TEST_F(ChangingFiles, AFileThatGrowsIsTheSameUntilItIsReplaced) {
    write_bytes(at("a"), "12345");
    FileStates files;
    files.add(at("a"));  // the name is known before the reader knows that it grows
    FileStates reader;
    reader.add(at("a"), true);
    files.add(reader);
    std::ofstream(at("a"), std::ios::app) << "more";
    change(at("a"));
    EXPECT_FALSE(files.changed());
    write_bytes(at("b"), "12345");
    fs::rename(at("b"), at("a"));
    EXPECT_TRUE(files.changed());
}

TEST_F(ChangingFiles, ASeriesThatGetsOrLosesFilesHasChangedButARunOfItGoesOn) {
    write_bytes(at("img_1.tif"), "1");
    write_bytes(at("img_2.tif"), "2");
    FileStates files;
    files.add(at("img_#.tif"));
    EXPECT_TRUE(files.files().empty());
    EXPECT_FALSE(files.changed());
    write_bytes(at("other.tif"), "3");
    EXPECT_FALSE(files.changed());
    write_bytes(at("img_3.tif"), "3");
    EXPECT_EQ(files.changed(), fs::path(at("img_#.tif")));
    EXPECT_NO_THROW(files.require_unchanged());
    fs::remove(at("img_3.tif"));
    EXPECT_FALSE(files.changed());
    fs::remove(at("img_1.tif"));
    EXPECT_TRUE(files.changed());
}

TEST_F(ChangingFiles, ARunOnAFileThatChangesIsNoResult) {
    write_bytes(at("d.csv"), "index,module,x,y,adc\n0,0,1,1,5\n1,0,2,1,7\n");
    Engine run = engine("clusters");
    const Request wanted = request("clusters", {{"digis", {at("d.csv")}}});
    EXPECT_NO_THROW(run.run(wanted, quiet));
    during = [&] { change(at("d.csv")); };
    EXPECT_TRUE(
        contains(input_error([&] { run.run(wanted, quiet); }), {"d.csv", "changed while it was being read"}));
    during = nullptr;
    EXPECT_NO_THROW(run.run(wanted, quiet));
}

TEST_F(ChangingFiles, ARunIsNotCheckedAgainstOtherFiles) {
    const auto write_digis = [&](int adc) {
        write_bytes(at("d.csv"), "index,module,x,y,adc\n0,0,1,1,5\n1,0,2,1," + std::to_string(adc) + "\n");
    };
    const auto write_stack = [&](const char* file, unsigned factor) {
        fs::remove(at(file));
        TestFile(at(file)).ramp("/data", {4, 6, 5}, {}, {}, factor);
    };
    write_digis(7);
    write_stack("a.h5", 1);
    write_stack("dark.h5", 1);
    struct Case {
        std::string analysis;
        std::map<std::string, InputRef> inputs;
        std::string changed;
        std::function<void()> change, restore;
    };
    const auto frames = [&](bool other) { return [&, other] { write_stack("a.h5", other ? 2 : 1); }; };
    const std::vector<Case> cases{
        {"clusters", {{"digis", {at("d.csv")}}}, "d.csv", [&] { write_digis(8); }, [&] { write_digis(7); }},
        {"xpcs",
         {{"frames", {at("a.h5")}}, {"partition", {"rings:2.5,3,0,2,2"}}},
         "a.h5",
         frames(true),
         frames(false)},
        {"xpcs",
         {{"frames", {at("a.h5")}}, {"partition", {"rings:2.5,3,0,2,2"}}, {"dark", {at("dark.h5")}}},
         "dark.h5",
         [&] { write_stack("dark.h5", 2); },
         [&] { write_stack("dark.h5", 1); }},
        {"spots", {{"frames", {at("a.h5")}}}, "a.h5", frames(true), frames(false)},
    };
    for (const Case& one : cases) {
        Engine checking = engine(one.analysis);
        Request wanted = request(one.analysis, one.inputs);
        if (one.analysis == "spots") wanted.parameters["kernel"] = std::string("1,1");
        const ks::Run made = checking.run(wanted, quiet);
        one.change();
        EXPECT_TRUE(contains(input_error([&] { checking.check(made, CheckMode::full, quiet); }),
                             {one.changed, "has changed since the run"}))
            << one.analysis;
        fs::remove(at(one.changed));
        EXPECT_TRUE(contains(input_error([&] { checking.check(made, CheckMode::full, quiet); }),
                             {one.changed, "does not exist"}))
            << one.analysis;
        one.restore();
    }
}

TEST_F(ChangingFiles, FilesBehindLinksAndVirtualDatasetsCount) {
    {
        TestFile part(at("part.h5"));
        part.ramp("/data", {4, 6, 5});
        TestFile linked(at("linked.h5"));
        linked.external_link("/data", "part.h5", "/data");
        TestFile master(at("virtual.h5"));
        const hsize_t shape[3] = {4, 6, 5};
        const hid_t space = H5Screate_simple(3, shape, nullptr);
        master.make("/data", H5T_STD_U16LE, {4, 6, 5}, nullptr, -1, {},
                    [&](hid_t p) { H5Pset_virtual(p, space, "part.h5", "/data", space); });
        H5Sclose(space);
    }
    for (const char* name : {"linked.h5", "virtual.h5"}) {
        for (const std::string analysis : {"xpcs", "spots"}) {
            Engine run = engine(analysis);
            Request wanted = request(analysis, {{"frames", {at(name)}}});
            if (analysis == "xpcs") wanted.inputs["partition"] = {"rings:2.5,3,0,2,2"};
            if (analysis == "spots") wanted.parameters["kernel"] = std::string("1,1");
            during = nullptr;
            EXPECT_NO_THROW(run.run(wanted, quiet)) << name << analysis;
            during = [&] { change(at("part.h5")); };
            EXPECT_TRUE(contains(input_error([&] { run.run(wanted, quiet); }), {"part.h5", "changed"}))
                << name;
        }
    }
}

TEST_F(ChangingFiles, AKeptProblemOfAChangedFileIsReadAgain) {
    {
        TestFile part(at("part.h5"));
        part.ramp("/data", {4, 6, 5});
        TestFile linked(at("linked.h5"));
        linked.external_link("/data", "part.h5", "/data");
    }
    Engine run = engine("xpcs");
    const Request wanted =
        request("xpcs", {{"frames", {at("linked.h5")}}, {"partition", {"rings:2.5,3,0,2,2"}}});
    const auto loads = [&] {
        const std::vector<Timing> stages = run.run(wanted, quiet).timings;
        return std::ranges::find(stages, "load", &Timing::stage)->nanoseconds > 0;
    };
    EXPECT_TRUE(loads());
    EXPECT_FALSE(loads());
    change(at("part.h5"));
    EXPECT_TRUE(loads());
}

}  // namespace
}  // namespace ks::tests
