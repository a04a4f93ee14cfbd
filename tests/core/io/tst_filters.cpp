// Compressed frames: which plugin is missing, and where plugins are found.

#include <H5pubconf.h>

#include "core/io/hdf5/filters.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

using io::open_frames;

class Filters : public IoTest {
  protected:
    ~Filters() override { forget_folders(); }
    /// The folders of plugins; whoever opens a file adds the one of the distribution again.
    static void forget_folders() {
        unsigned n = 0;
        H5PLsize(&n);
        for (; n > 0; --n) H5PLremove(n - 1);
    }
    std::string error_of(const std::string& name) {
        return input_error([&] { open_frames(name); });
    }
    template <class T>
    static std::vector<T> values_of(FrameSource& source, std::size_t first, std::size_t count) {
        std::vector<T> values(count * source.pixels());
        source.read(first, count, std::as_writable_bytes(std::span(values)));
        return values;
    }
};

/// A filter that changes nothing, known to HDF5 only while the file is written.
std::size_t copy_filter(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) {
    return bytes;
}

TEST_F(Filters, AMissingFilterIsNamed) {
    unsigned plugins = 0;
    H5PLget_loading_state(&plugins);
    H5PLset_loading_state(0);
    const H5Z_class2_t filter{H5Z_CLASS_T_VERS, 32008, 1, 1, "copy", nullptr, nullptr, copy_filter};
    ASSERT_GE(H5Zregister(&filter), 0);
    {
        TestFile file(at("f.h5"));
        file.ramp("/needed", {2, 8, 8}, {1, 8, 8}, [](hid_t p) { H5Pset_filter(p, 32008, 0, 0, nullptr); });
        file.ramp("/optional", {2, 8, 8}, {1, 8, 8},
                  [](hid_t p) { H5Pset_filter(p, 32008, H5Z_FLAG_OPTIONAL, 0, nullptr); });
    }
    EXPECT_EQ(values_of<std::uint16_t>(*open_frames(at("f.h5") + "::/needed"), 1, 1).back(), 127);
    ASSERT_GE(H5Zunregister(32008), 0);
    const std::vector<std::string> words{"bitshuffle", "32008", "install the package bitshuffle",
                                         "HDF5_PLUGIN_PATH"};
    EXPECT_TRUE(contains(error_of(at("f.h5") + "::/needed"), words));
    const auto optional = open_frames(at("f.h5") + "::/optional");
    EXPECT_TRUE(contains(input_error([&] { values_of<std::uint16_t>(*optional, 0, 1); }), words));
    H5PLset_loading_state(plugins);
}

TEST_F(Filters, EachHasThePackageThatHoldsItsPlugin) {
    struct Row {
        H5Z_filter_t filter;
        const char* package;
    };
    for (const Row row : {Row{307, "the package hdf5-filter-plugin;"},
                          {32000, "the package hdf5-plugin-lzf;"},
                          {32001, "the package hdf5-filter-plugin-blosc-serial;"},
                          {32004, "the package hdf5-filter-plugin;"},
                          {32008, "the package bitshuffle;"},
                          {32013, "the package hdf5-filter-plugin-zfp-serial;"},
                          {32017, "install a plugin for it;"},
                          {32099, "install a plugin for it;"}})
        EXPECT_TRUE(contains(io::h5::filter_hint(row.filter), {row.package})) << row.filter;
}

TEST_F(Filters, AFolderThatIsNotThereDoesNotHideThePlugins) {
    { TestFile(at("f.h5")).ramp("/data", {2, 3, 4}); }
    forget_folders();
    ASSERT_GE(H5PLappend(at("none").c_str()), 0);
    open_frames(at("f.h5"));
    EXPECT_TRUE(contains(io::h5::filter_hint(32008),
                         {std::string("searched for in ") + H5_DEFAULT_PLUGINDIR + ", " + at("none")}));
}

TEST_F(Filters, TheFolderOfPluginsIsLookedThroughWhateverTheUserSets) {
    { TestFile(at("f.h5")).ramp("/data", {2, 3, 4}); }
    forget_folders();
    ASSERT_GE(H5PLappend(folder.c_str()), 0);
    open_frames(at("f.h5"));
    open_frames(at("f.h5"));
    unsigned n = 0;
    H5PLsize(&n);
    ASSERT_EQ(n, 2u);
    std::string added(std::string(H5_DEFAULT_PLUGINDIR).size() + 1, '\0');
    H5PLget(1, added.data(), added.size());
    added.pop_back();
    EXPECT_EQ(added, H5_DEFAULT_PLUGINDIR);
    EXPECT_TRUE(contains(io::h5::filter_hint(32008), {folder.string(), H5_DEFAULT_PLUGINDIR}));
}

TEST_F(Filters, BitshuffleAsEigerDetectorsWriteIt) {
    { TestFile(at("any.h5")).ramp("/data", {2, 3, 4}); }
    open_frames(at("any.h5"));
    if (H5Zfilter_avail(32008) <= 0) GTEST_SKIP() << "the package bitshuffle is not installed";
    {
        TestFile file(at("f.h5"));
        file.ramp("/data", {3, 32, 32}, {1, 32, 32}, [](hid_t p) {
            const unsigned options[2] = {0, 2};  // blocks as it likes, LZ4
            H5Pset_filter(p, 32008, 0, 2, options);
        });
    }
    const auto source = open_frames(at("f.h5"));
    EXPECT_EQ(values_of<std::uint16_t>(*source, 2, 1).back(), 3 * 32 * 32 - 1);
}

TEST_F(Filters, ARealEigerFrame) {
    const std::string data = reference_data("eiger4m_bitshuffle.h5");
    const auto source = open_frames(data);
    ASSERT_EQ(source->type(), ElementType::u32);
    if (H5Zfilter_avail(32008) <= 0) GTEST_SKIP() << "the package bitshuffle is not installed";
    EXPECT_EQ(values_of<std::uint32_t>(*source, 0, 1).size(), std::size_t{2167} * 2070);
}

}  // namespace
}  // namespace ks::tests
