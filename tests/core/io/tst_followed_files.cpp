// A file may name what lies in its own folder; what lies elsewhere is read only where the user says so.

#include "core/io/files/followed_files.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "core/io/describe_contents.h"
#include "core/io/files/file_text.h"
#include "core/io/files/sha256.h"
#include "core/io/files/trust_list.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/run/own_cache.h"

namespace followed_files_test {

using namespace ks;
using namespace ks::io;
using ks::tests::contains;
using ks::tests::input_error;
using ks::tests::TestFile;
using ks::tests::write_bytes;
namespace fs = std::filesystem;

const std::string refused = "is outside the folder of";

/// opened/ is what the user opens, elsewhere/ holds what is no business of its files.
class FollowedFiles : public ks::tests::IoTest {
  protected:
    FollowedFiles() {
        for (const char* one : {"opened/below", "elsewhere"}) fs::create_directories(folder / one);
        TestFile(at("elsewhere/secret.h5")).ramp("/data", {2, 3, 4});
        TestFile(at("opened/part.h5")).ramp("/data", {2, 3, 4});
        TestFile(at("opened/below/part.h5")).ramp("/data", {2, 3, 4});
        take_not_followed();
    }
    std::string linked(const std::string& target) {
        TestFile(at("opened/master.h5")).external_link("/entry/data/data", target, "/data");
        return at("opened/master.h5");
    }
    std::string virtual_of(const std::string& source) {
        const hsize_t shape[3] = {2, 3, 4};
        const hid_t space = H5Screate_simple(3, shape, nullptr);
        TestFile(at("opened/virtual.h5"))
            .make("/data", H5T_STD_U16LE, {2, 3, 4}, nullptr, -1, {},
                  [&](hid_t p) { H5Pset_virtual(p, space, source.c_str(), "/data", space); });
        H5Sclose(space);
        return at("opened/virtual.h5");
    }
    std::string raw_of(const std::string& file) {
        TestFile(at("opened/raw.h5")).make("/data", H5T_STD_U8LE, {1, 3, 4}, nullptr, -1, {}, [&](hid_t p) {
            H5Pset_external(p, file.c_str(), 0, 12);
        });
        return at("opened/raw.h5");
    }
    static std::string refusal(const std::string& file) {
        return input_error([&] { open_frames(file); });
    }
    static std::vector<std::uint16_t> values(const std::string& file) {
        const auto frames = open_frames(file);
        std::vector<std::uint16_t> read(frames->frames() * frames->height() * frames->width());
        frames->read(0, frames->frames(), std::as_writable_bytes(std::span(read)));
        return read;
    }

    ks::tests::OwnCache data_{"KERNELSCOPE_DATA"};
};

TEST_F(FollowedFiles, what_lies_beside_or_below_is_read) {
    for (const char* target : {"part.h5", "below/part.h5"}) {
        EXPECT_EQ(values(linked(target)).back(), 23) << target;
        EXPECT_EQ(values(virtual_of(target)).back(), 23) << target;
    }
    EXPECT_EQ(values(linked(at("opened/below/part.h5"))).back(), 23);
    write_bytes(at("opened/values.raw"), "abcdefghijkl");
    EXPECT_EQ(open_frames(raw_of(at("opened/values.raw")))->frames(), 1U);
    EXPECT_TRUE(take_not_followed().empty());
}

TEST_F(FollowedFiles, what_lies_elsewhere_is_named_and_not_read) {
    write_bytes(at("elsewhere/passwords"), "root:x:0:0:r");
    for (const std::string& file : {linked("../elsewhere/secret.h5"), virtual_of(at("elsewhere/secret.h5")),
                                    raw_of(at("elsewhere/passwords"))})
        EXPECT_TRUE(
            contains(refusal(file), {refused, "elsewhere/", "--trust", "KERNELSCOPE_TRUSTED_FOLDERS"}))
            << file;
    EXPECT_EQ(take_not_followed().size(), 3U);
    EXPECT_TRUE(take_not_followed().empty());
}

TEST_F(FollowedFiles, a_link_of_the_file_system_that_leads_out_is_elsewhere) {
    fs::create_symlink(at("elsewhere/secret.h5"), at("opened/near.h5"));
    EXPECT_TRUE(contains(refusal(linked("near.h5")), {refused}));
    EXPECT_TRUE(contains(refusal(virtual_of("near.h5")), {refused}));
    // The file itself may be opened by such a name, and finds what lies beside it.
    const std::string master = linked("part.h5");
    fs::create_symlink(master, at("elsewhere/by_link.h5"));
    EXPECT_EQ(values(at("elsewhere/by_link.h5")).back(), 23);
}

TEST_F(FollowedFiles, files_that_are_reached_by_others_count_from_the_first_one) {
    TestFile(at("opened/below/middle.h5")).external_link("/data", "../part.h5", "/data");
    EXPECT_EQ(values(linked("below/middle.h5")).back(), 23);
    TestFile(at("opened/below/out.h5")).external_link("/data", at("elsewhere/secret.h5"), "/data");
    EXPECT_TRUE(contains(refusal(linked("below/out.h5")), {refused, "secret.h5"}));
}

TEST_F(FollowedFiles, small_values_are_not_read_from_elsewhere_either) {
    write_bytes(at("elsewhere/number"), std::string(8, '\1'));
    const std::string number = at("elsewhere/number");
    TestFile file(at("opened/scalar.h5"));
    file.make("/entry/beam", H5T_IEEE_F64LE, {1}, nullptr, -1, {},
              [&](hid_t p) { H5Pset_external(p, number.c_str(), 0, 8); });
    H5Fflush(file.id(), H5F_SCOPE_GLOBAL);
    EXPECT_TRUE(contains(describe(at("opened/scalar.h5")), {"beam", refused}));
}

TEST_F(FollowedFiles, the_user_may_allow_folders) {
    const std::string file = virtual_of(at("elsewhere/secret.h5"));
    ASSERT_TRUE(contains(refusal(file), {refused}));
    {
        const ks::tests::OwnCache variable("KERNELSCOPE_TRUSTED_FOLDERS");
        setenv("KERNELSCOPE_TRUSTED_FOLDERS", ("/none:" + at("elsewhere")).c_str(), 1);
        EXPECT_EQ(values(file).back(), 23);
    }
    EXPECT_TRUE(contains(refusal(file), {refused}));
    for (const NamedElsewhere& name : take_not_followed()) allow_following(name);
    EXPECT_EQ(values(file).back(), 23);
    TestFile(at("opened/below/other.h5")).external_link("/data", at("elsewhere/secret.h5"), "/data");
    EXPECT_TRUE(contains(refusal(at("opened/below/other.h5")), {refused})) << "the folder of another file";
}

TEST_F(FollowedFiles, pipes_are_refused_at_once_wherever_they_are_named) {
    const std::string pipe = at("opened/pipe.h5");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& file : {linked("pipe.h5"), virtual_of("pipe.h5"), raw_of(pipe)})
        EXPECT_TRUE(contains(refusal(file), {"pipe.h5 is a pipe, not a regular file"})) << file;
    EXPECT_TRUE(contains(input_error([&] { small_text(pipe, "a report", 100); }), {"the file is a pipe"}));
}

TEST_F(FollowedFiles, info_says_which_files_were_read) {
    EXPECT_TRUE(contains(describe(linked("below/part.h5")), {"also reads", "opened/below/part.h5"}));
}

TEST_F(FollowedFiles, texts_over_their_limit_are_refused_in_one_sentence) {
    write_bytes(at("long.json"), std::string(101, ' '));
    EXPECT_EQ(small_text(at("long.json"), "a report", 101).size(), 101U);
    EXPECT_TRUE(contains(input_error([&] { small_text(at("long.json"), "a report", 100); }),
                         {"long.json", "expected a report of at most 100 bytes, found 101"}));
}

TEST(Sha256, is_that_of_the_standard) {
    EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(TrustList, keeps_what_was_added_for_other_processes_and_takes_no_kind_for_another) {
    const ks::tests::OwnCache folder("KERNELSCOPE_DATA");
    const fs::path file = folder.path() / "deeper" / "trusted";
    TrustList one(file), other(file);
    EXPECT_FALSE(one.has("kernel", "text"));
    EXPECT_FALSE(other.has("kernel", "text"));
    one.add("kernel", "text");
    EXPECT_TRUE(one.has("kernel", "text"));
    EXPECT_TRUE(other.has("kernel", "text"));
    EXPECT_FALSE(other.has("file", "text"));
    EXPECT_FALSE(other.has("kernel", "text "));
    const auto bytes = fs::file_size(file);
    other.add("kernel", "text");
    EXPECT_EQ(fs::file_size(file), bytes) << "once";
}

}  // namespace followed_files_test
