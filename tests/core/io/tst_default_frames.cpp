// Which dataset is meant where a file is named alone: the signal that it names, or none.

#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class DefaultFrames : public IoTest {
  protected:
    std::string error_of(const std::string& name) {
        return input_error([&] { io::open_frames(name); });
    }
    /// An NXdata group that names `signal`, and a monitor elsewhere that is the only stack of the file.
    static void nexus(TestFile& file, const std::string& signal) {
        file.group("/entry", "NXentry");
        file.group("/entry/data", "NXdata");
        if (!signal.empty()) file.text_attribute("/entry/data", "signal", signal);
        file.ramp("/entry/monitor/values", {5, 3, 4});
    }
};

TEST_F(DefaultFrames, ASignalOfFourDimensionsIsNotReplaced) {
    {
        TestFile file(at("f.h5"));
        nexus(file, "data");
        file.ramp("/entry/data/data", {2, 5, 3, 4});
    }
    EXPECT_TRUE(contains(error_of(at("f.h5")), {"f.h5", "the signal /entry/data/data cannot be used",
                                                "found 2 scans of 5 frames [2, 5, 3, 4]", "FILE::/path[0]"}));
    EXPECT_EQ(io::open_frames(at("f.h5") + "::/entry/monitor/values")->frames(), 5u);
}

TEST_F(DefaultFrames, ASignalOfOneDimensionOrOfTextsIsNotReplaced) {
    {
        TestFile curve(at("curve.h5"));
        nexus(curve, "counts");
        curve.ramp("/entry/data/counts", {7});
        TestFile text(at("text.h5"));
        nexus(text, "words");
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 4);
        text.make("/entry/data/words", type, {2, 3, 4});
        H5Tclose(type);
    }
    EXPECT_TRUE(contains(error_of(at("curve.h5")),
                         {"the signal /entry/data/counts cannot be used", "found 1 dimension [7]"}));
    EXPECT_TRUE(
        contains(error_of(at("text.h5")), {"the signal /entry/data/words cannot be used", "found strings"}));
}

TEST_F(DefaultFrames, ASignalBehindALostLinkIsNotReplaced) {
    {
        TestFile file(at("f.h5"));
        nexus(file, "data");
        file.external_link("/entry/data/data", "gone.h5", "/entry/counts");
        TestFile inside(at("inside.h5"));
        nexus(inside, "data");
        inside.soft_link("/entry/data/data", "/entry/detector/lost");
    }
    EXPECT_TRUE(contains(error_of(at("f.h5")),
                         {"the signal /entry/data/data", "gone.h5::/entry/counts", "gone.h5 is missing"}));
    EXPECT_TRUE(contains(error_of(at("inside.h5")),
                         {"the signal /entry/data/data", "/entry/detector/lost, which does not exist"}));
}

TEST_F(DefaultFrames, ASignalThatIsNotThereIsNotReplaced) {
    {
        TestFile file(at("f.h5"));
        nexus(file, "frames");
        file.ramp("/entry/data/table", {6, 4});
    }
    EXPECT_TRUE(
        contains(error_of(at("f.h5")), {"the signal /entry/data/frames cannot be used", "no such object"}));
}

TEST_F(DefaultFrames, ADefaultThatIsNotThereIsNotReplaced) {
    {
        TestFile file(at("f.h5"));
        nexus(file, "data");
        file.ramp("/entry/data/data", {2, 3, 4});
        file.text_attribute("/entry", "default", "scan");
    }
    EXPECT_TRUE(contains(error_of(at("f.h5")), {"`default` of /entry names /entry/scan", "no such object"}));
}

TEST_F(DefaultFrames, TheUsualPlaceIsNotReplacedEither) {
    {
        TestFile file(at("f.h5"));
        nexus(file, "");
        file.ramp("/entry/data/data", {2, 5, 3, 4});
    }
    EXPECT_TRUE(
        contains(error_of(at("f.h5")), {"/entry/data/data cannot be used", "found 2 scans of 5 frames"}));
}

TEST_F(DefaultFrames, AFileThatNamesNoSignalFallsBackToItsOnlyStack) {
    {
        TestFile file(at("f.h5"));
        nexus(file, "");
        file.ramp("/entry/data/energies", {9});
        file.external_link("/entry/calibration/flat", "gone.h5", "/flat");
    }
    EXPECT_EQ(io::open_frames(at("f.h5"))->name(), at("f.h5") + "::/entry/monitor/values");
}

TEST_F(DefaultFrames, ALostPartOfAnEigerSeriesIsTold) {
    {
        TestFile(at("part1.h5")).ramp("/entry/data/data", {4, 3, 4});
        TestFile master(at("master.h5"));
        master.group("/entry/data", "NXdata");
        master.external_link("/entry/data/data_000001", "part1.h5", "/entry/data/data");
        master.external_link("/entry/data/data_000002", "part2.h5", "/entry/data/data");
        TestFile bare(at("bare.h5"));
        bare.external_link("/entry/data_000001", "part2.h5", "/entry/data/data");
        bare.ramp("/entry/instrument/pixel_mask", {3, 4});
    }
    const std::string both = error_of(at("master.h5"));
    EXPECT_TRUE(
        contains(both, {"/entry/data/data_000002", "part2.h5::/entry/data/data", "part2.h5 is missing"}));
    EXPECT_TRUE(contains(error_of(at("bare.h5")), {"/entry/data_000001", "part2.h5 is missing"}));
    { TestFile(at("part2.h5")).ramp("/entry/data/data", {4, 3, 4}); }
    EXPECT_EQ(io::open_frames(at("master.h5"))->frames(), 8u);
    EXPECT_EQ(io::open_frames(at("master.h5") + "::/entry/data/data_000001")->frames(), 4u);
    EXPECT_EQ(io::open_frames(at("bare.h5"))->frames(), 4u);
}

}  // namespace
}  // namespace ks::tests
