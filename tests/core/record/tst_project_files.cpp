#include "core/record/project_files.h"

#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

using io::FileFate;
using io::FilePlace;

class ProjectFiles : public IoTest {
  protected:
    ProjectFiles() {
        for (const char* made : {"here/data", "there"}) fs::create_directories(folder / made);
        write_bytes(at("here/data/a.h5"), std::string(200000, 'a'));
        write_bytes(at("there/b.h5"), "bbb");
    }
    fs::path here() const { return folder / "here"; }
    static void expect(const io::FoundFile& found, FilePlace place, FileFate fate, const fs::path& file) {
        EXPECT_EQ(found.place, place);
        EXPECT_EQ(found.fate, fate);
        EXPECT_EQ(found.target, fs::weakly_canonical(file));
    }
};

TEST_F(ProjectFiles, names_are_relative_to_the_folder) {
    EXPECT_EQ(io::named_file(at("here/data/a.h5"), here()).relative, "data/a.h5");
    EXPECT_EQ(io::named_file(at("there/b.h5"), here()).relative, "../there/b.h5");
    EXPECT_EQ(io::named_file("/etc/hostname", here()).relative, "");
    EXPECT_EQ(io::named_file("/etc/hostname", here()).absolute, "/etc/hostname");
    EXPECT_EQ(io::named_file(at("there/b.h5"), here()).bytes, 3u);
    EXPECT_EQ(io::named_file(at("none.h5"), here()).hash, "");
}

TEST_F(ProjectFiles, are_found_by_place_and_fate) {
    const io::NamedFile a = io::named_file(at("here/data/a.h5"), here());
    const io::NamedFile b = io::named_file(at("there/b.h5"), here());
    expect(io::find_named(a, here()), FilePlace::inside, FileFate::there, at("here/data/a.h5"));
    expect(io::find_named(b, here()), FilePlace::above, FileFate::there, at("there/b.h5"));
    fs::create_directories(folder / "elsewhere");
    expect(io::find_named(a, folder / "elsewhere"), FilePlace::absolute, FileFate::there,
           at("here/data/a.h5"));
    fs::remove(at("here/data/a.h5"));
    expect(io::find_named(a, here()), FilePlace::inside, FileFate::gone, at("here/data/a.h5"));
    fs::create_directory(at("here/data/a.h5"));
    expect(io::find_named(a, here()), FilePlace::inside, FileFate::other_kind, at("here/data/a.h5"));
    const io::NamedFile foreign{"", "/beamline/7/scan.h5", 1, 1, "x"};
    expect(io::find_named(foreign, here()), FilePlace::absolute, FileFate::gone, "/beamline/7/scan.h5");
}

TEST_F(ProjectFiles, move_with_their_folder) {
    const io::NamedFile a = io::named_file(at("here/data/a.h5"), here());
    fs::rename(here(), folder / "moved");
    expect(io::find_named(a, folder / "moved"), FilePlace::inside, FileFate::there, at("moved/data/a.h5"));
    EXPECT_FALSE(io::is_changed(a, at("moved/data/a.h5")));
}

TEST_F(ProjectFiles, a_series_is_found_while_one_of_its_files_exists) {
    for (const char* name : {"img_1.tif", "img_2.tif"})
        write_bytes(at(std::string("here/data/") + name), name);
    const fs::path pattern = here() / "data/img_#.tif";
    const io::NamedFile series = io::named_file(pattern, here());
    EXPECT_EQ(series.relative, "data/img_#.tif");
    EXPECT_EQ(series.bytes, 18u);
    expect(io::find_named(series, here()), FilePlace::inside, FileFate::there, pattern);
    EXPECT_FALSE(io::is_changed(series, pattern));
    write_bytes(at("here/data/img_2.tif"), "another");
    EXPECT_TRUE(io::is_changed(series, pattern));
    for (const char* name : {"img_1.tif", "img_2.tif"}) fs::remove(at(std::string("here/data/") + name));
    expect(io::find_named(series, here()), FilePlace::inside, FileFate::gone, pattern);
}

TEST_F(ProjectFiles, links_and_dots_do_not_hide_what_lies_outside) {
    fs::create_symlink(folder / "there", here() / "link");
    fs::create_symlink(folder / "there/b.h5", here() / "b.h5");
    for (const char* name : {"link/b.h5", "b.h5", "data/../../there/b.h5", "./../there/b.h5"})
        expect(io::find_named({name, "", 0, 0, ""}, here()), FilePlace::above, FileFate::there,
               at("there/b.h5"));
    expect(io::find_named({"data/../data/a.h5", "", 0, 0, ""}, here()), FilePlace::inside, FileFate::there,
           at("here/data/a.h5"));
    // Beside the folder, with a name that begins as its own.
    fs::create_directories(folder / "here2");
    write_bytes(at("here2/c.h5"), "c");
    EXPECT_EQ(io::find_named({"../here2/c.h5", "", 0, 0, ""}, here()).place, FilePlace::above);
}

TEST_F(ProjectFiles, a_link_is_named_and_not_its_target_of_the_moment) {
    fs::create_symlink(folder / "there/b.h5", here() / "newest.h5");
    fs::create_symlink(folder / "there", folder / "now");
    const io::NamedFile link = io::named_file(here() / "newest.h5", here());
    const io::NamedFile below = io::named_file(folder / "now/b.h5", here());
    EXPECT_EQ(link.absolute, at("here/newest.h5"));
    EXPECT_EQ(link.relative, "newest.h5");
    EXPECT_EQ(link.bytes, 3U);
    EXPECT_EQ(below.absolute, at("now/b.h5"));
    EXPECT_EQ(io::find_named(link, here()).file, at("here/newest.h5"));
    EXPECT_EQ(io::find_named(below, here()).file, at("now/b.h5"));
    // A project that is opened through a link names its files through it, and by their place in it.
    fs::create_symlink(here(), folder / "project");
    const io::NamedFile own = io::named_file(folder / "project/data/a.h5", folder / "project");
    EXPECT_EQ(own.relative, "data/a.h5");
    EXPECT_EQ(io::find_named(own, folder / "project").file, at("project/data/a.h5"));
    // ".." behind a link leaves the folder to which it leads.
    fs::create_directories(folder / "deep/er");
    write_bytes(at("deep/c.h5"), "c");
    fs::create_symlink(folder / "deep/er", here() / "er");
    EXPECT_EQ(io::named_file(here() / "er/../c.h5", here()).absolute, at("deep/c.h5"));
}

TEST_F(ProjectFiles, those_outside_are_listed_once) {
    const fs::path a = at("here/data/a.h5"), b = at("there/b.h5"), c = "/beamline/7/scan.h5";
    const io::FoundFile inside{a, FilePlace::inside, FileFate::there, a},
        above{here() / "link.h5", FilePlace::above, FileFate::there, b},
        whole{b, FilePlace::absolute, FileFate::there, b}, gone{c, FilePlace::absolute, FileFate::gone, c};
    EXPECT_EQ(io::files_outside({inside, above, whole, gone}), std::vector<fs::path>{at("there/b.h5")});
}

TEST_F(ProjectFiles, a_change_is_seen_a_copy_is_none) {
    const std::string path = at("here/data/a.h5");
    const io::NamedFile a = io::named_file(path, here());
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(1));
    EXPECT_FALSE(io::is_changed(a, path));
    write_bytes(path, "b" + std::string(199999, 'a'));
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(2));
    EXPECT_TRUE(io::is_changed(a, path));
    write_bytes(path, "short");
    EXPECT_TRUE(io::is_changed(a, path));
}

TEST_F(ProjectFiles, as_JSON_and_back) {
    const io::NamedFile a = io::named_file(at("here/data/a.h5"), here());
    EXPECT_EQ(io::named_file_from(io::to_json(a)), a);
    nlohmann::json wrong = io::to_json(a);
    wrong["relative"] = "/etc/passwd";
    EXPECT_THROW(io::named_file_from(wrong), Error);
    wrong["relative"] = std::string("a\0b", 3);
    EXPECT_THROW(io::named_file_from(wrong), Error);
    EXPECT_THROW(io::named_file_from({{"relative", 3}}), nlohmann::json::exception);
}

}  // namespace
}  // namespace ks::tests
