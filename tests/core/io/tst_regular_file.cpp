#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "core/io/csv/csv.h"
#include "core/io/labels/label_file.h"
#include "core/io/npy/npy.h"
#include "core/io/open_frames.h"
#include "core/io/tiff/tiff.h"
#include "core/record/run_record.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class RegularFiles : public IoTest {
  protected:
    // Opening a pipe waits for ever: the test then ends with a signal.
    void SetUp() override { ::alarm(60); }
    void TearDown() override { ::alarm(0); }

    std::string pipe(const std::string& name) const {
        EXPECT_EQ(::mkfifo(at(name).c_str(), 0600), 0);
        return at(name);
    }
};

TEST_F(RegularFiles, NoReaderWaitsForAPipe) {
    const std::vector<std::string> said{"the file is a pipe, not a regular file"};
    const std::string h5 = pipe("f.h5"), npy = pipe("f.npy"), tiff = pipe("f.tif"), csv = pipe("f.csv");
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(h5); }), {h5, said[0]}));
    EXPECT_TRUE(contains(input_error([&] { io::read_run_record(h5); }), said));
    EXPECT_TRUE(contains(input_error([&] { io::read_mask(h5); }), said));
    EXPECT_TRUE(contains(input_error([&] { io::read_npy(npy); }), said));
    EXPECT_TRUE(contains(input_error([&] { io::read_labels(npy); }), said));
    EXPECT_TRUE(contains(input_error([&] { io::read_tiff(tiff); }), said));
    EXPECT_TRUE(contains(input_error([&] { io::CsvReader reader(csv, {}); }), said));
    for (const std::string& name : {h5, npy, csv}) {
        EXPECT_TRUE(contains(input_error([&] { io::describe(name); }), said));
    }
}

TEST_F(RegularFiles, SocketsAndDevicesAreRefused) {
    const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    at("s.h5").copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("s.h5")); }), {"the file is a socket"}));
    ::close(made);
    EXPECT_TRUE(
        contains(input_error([&] { io::CsvReader reader("/dev/zero", {}); }), {"the file is a device"}));
    EXPECT_TRUE(contains(input_error([&] { io::read_npy("/dev/null"); }), {"the file is a device"}));
    fs::create_symlink("/dev/zero", folder / "link.h5");
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("link.h5")); }), {"the file is a device"}));
}

TEST_F(RegularFiles, AnExternalLinkToAPipeIsNotFollowed) {
    pipe("p.h5");
    {
        TestFile file(at("f.h5"));
        file.external_link("/entry/data", "p.h5", "/data");
        file.ramp("/zz", {2, 3, 4});
    }
    EXPECT_EQ(io::open_frames(at("f.h5") + "::/zz")->frames(), 2u);
    EXPECT_TRUE(contains(io::describe(at("f.h5")), {"missing: p.h5::/data", "zz"}));
    EXPECT_TRUE(contains(
        input_error([&] { io::open_frames(at("f.h5") + "::/entry/data"); }),
        {"p.h5 is a pipe, not a regular file", "copy the data to a regular file and open that file"}));
}

TEST_F(RegularFiles, AtMostTenCandidatesAreNamed) {
    {
        TestFile file(at("f.h5"));
        for (int i = 0; i < 44; ++i) file.ramp("/d" + std::to_string(100 + i), {3, 4});
    }
    const std::string absent = input_error([&] { io::open_frames(at("f.h5") + "::/none"); });
    EXPECT_TRUE(contains(absent, {"/ contains d100, d101", "d109 and 34 more"}));
    EXPECT_EQ(absent.find("d110"), std::string::npos);
    const std::string several = input_error([&] { io::read_array(at("f.h5"), 2); });
    EXPECT_TRUE(contains(several, {"44 datasets", "and 34 more"}));
    EXPECT_EQ(several.find("d110"), std::string::npos);
}

}  // namespace
}  // namespace ks::tests
