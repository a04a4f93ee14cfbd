// Every row of the table of formats keeps the same promises.

#include "core/io/frame_format.h"

#include <sys/stat.h>

#include <limits>
#include <set>

#include "core/base/host_memory.h"
#include "core/input/frame_input.h"
#include "core/io/labels/label_file.h"
#include "tests/core/io/io_fixture.h"
#include "tests/frame_samples.h"

namespace ks::tests {
namespace {

using io::FrameFormat;
using io::open_frames;

Array read_all(FrameSource& source) {
    Array frames(source.type(), {source.frames(), source.height(), source.width()});
    source.read(0, source.frames(), frames.bytes());
    return frames;
}

class FrameFormats : public IoTest {
  protected:
    // A pipe that is waited for ends the test by a signal.
    void SetUp() override { ::alarm(300); }
    void TearDown() override { ::alarm(0); }

    /// A file of the format with the values.
    std::string written(const FrameFormat& format, const Array& stack, const std::string& leaf) const {
        EXPECT_TRUE(frame_samples().contains(format.id))
            << "tests/frame_samples.h cannot write " << format.id;
        if (frame_samples().contains(format.id)) frame_samples().at(format.id).write(at(leaf), stack);
        return at(leaf);
    }
    std::string written(const FrameFormat& format, const Array& stack) const {
        return written(format, stack, "sample" + format.suffixes.front());
    }
    static Array values(const FrameFormat& format, ElementType type, const std::vector<std::size_t>& shape) {
        return varied_for(frame_samples().at(format.id), type, shape);
    }
    /// "3 frames of 5 x 7 u16"
    static std::string words(const Array& stack) {
        const std::vector<std::size_t>& shape = stack.shape();
        const std::size_t frames = shape.size() == 3 ? shape[0] : 1;
        return fmt::format("{} frame{} of {} x {} {}", frames, frames == 1 ? "" : "s",
                           shape[shape.size() - 2], shape.back(), name_of(stack.type()));
    }
};

TEST_F(FrameFormats, AreCompleteAndDoNotShareSuffixes) {
    std::set<std::string> ids, suffixes;
    for (const FrameFormat& format : io::frame_formats()) {
        SCOPED_TRACE(format.id);
        EXPECT_TRUE(ids.insert(format.id).second);
        EXPECT_FALSE(format.title.empty() || format.noun.empty() || format.suffixes.empty());
        for (const std::string& suffix : format.suffixes) {
            EXPECT_TRUE(suffixes.insert(suffix).second) << suffix;
            EXPECT_EQ(io::format_of_suffix("x" + suffix), &format) << suffix;
        }
        EXPECT_TRUE(format.sniff && format.open);
        EXPECT_TRUE(!format.objects || (!format.read_image && !format.write_image));
    }
    EXPECT_EQ(io::name_patterns().find("*.h5 *.hdf5"), 0u);
    // "HDF5, TIFF or NumPy", without a list of them here.
    std::string titles = io::format_titles();
    for (const FrameFormat& format : io::frame_formats()) {
        EXPECT_EQ(titles.find(format.title), 0u) << titles;
        titles.erase(0, format.title.size());
        for (const char* separator : {", ", " or "})
            if (titles.starts_with(separator)) titles.erase(0, std::string(separator).size());
    }
    EXPECT_EQ(titles, "");
}

TEST_F(FrameFormats, GiveBackTheFramesOfEveryTypeAndShape) {
    const std::vector<std::vector<std::size_t>> shapes{{3, 5, 7}, {1, 4, 6}, {9, 8}, {2, 1, 1}, {40, 21, 19}};
    for (const FrameFormat& format : io::frame_formats())
        for (const ElementType type : frame_samples().at(format.id).types)
            for (const std::vector<std::size_t>& shape : shapes) {
                SCOPED_TRACE(fmt::format("{} {} [{}]", format.id, name_of(type), fmt::join(shape, ", ")));
                if (shape.size() == 3 && !frame_samples().at(format.id).stacks) continue;
                const Array stack = varied_stack(type, shape);
                const std::string file = written(format, stack);
                EXPECT_EQ(io::format_of_content(file), &format);
                const auto source = open_frames(file);
                EXPECT_EQ(source->frames(), shape.size() == 3 ? shape[0] : 1);
                EXPECT_EQ(source->height(), shape[shape.size() - 2]);
                EXPECT_EQ(source->width(), shape.back());
                const ElementType expected = type == ElementType::u64   ? ElementType::u32
                                             : type == ElementType::f64 ? ElementType::f32
                                                                        : type;
                EXPECT_EQ(source->type(), expected);
                EXPECT_EQ(read_all(*source).to_doubles(), stack.to_doubles());
                // A part, and the same once more in another order.
                for (const std::size_t first : {source->frames() - 1, source->frames() / 2}) {
                    Array one(source->type(), {1, source->height(), source->width()});
                    source->read(first, 1, one.bytes());
                    const std::vector<double> all = stack.to_doubles(), part = one.to_doubles();
                    EXPECT_TRUE(std::equal(part.begin(), part.end(),
                                           all.begin() + static_cast<std::ptrdiff_t>(first * part.size())));
                }
                EXPECT_TRUE(source->written(0));
            }
}

TEST_F(FrameFormats, TellWhatTheyHold) {
    for (const FrameFormat& format : io::frame_formats()) {
        SCOPED_TRACE(format.id);
        const Array stack = values(format, ElementType::u16, {3, 5, 7});
        const std::string file = written(format, stack);
        EXPECT_TRUE(contains(io::describe(file),
                             {file, fmt::format("{}, {} bytes", words(stack), stack.bytes().size())}));
        const io::FileNode tree = io::read_tree(file);
        ASSERT_EQ(tree.children.size(), 1u);
        const io::FileNode& node = tree.children.front();
        EXPECT_TRUE(node.frames);
        EXPECT_EQ(node.type, name_of(stack.type()));
        EXPECT_EQ(node.shape, stack.shape());
        EXPECT_EQ(node.path.empty(), !format.objects);
        const auto source = open_frames(io::DataName{file, node.path}.to_string());
        EXPECT_EQ(source->name(), io::DataName({file, node.path}).to_string());
        EXPECT_EQ(source->identity(), open_frames(file)->identity());
        EXPECT_FALSE(io::read_geometry(file));
        if (std::ranges::count(frame_samples().at(format.id).types, ElementType::f64) == 0) continue;
        const std::string wide = written(format, values(format, ElementType::f64, {2, 5, 7}), "wide");
        EXPECT_TRUE(contains(io::describe(io::DataName{wide, node.path}.to_string()), {"rounded from f64"}));
    }
}

TEST_F(FrameFormats, AreKnownByTheirContentWhateverTheName) {
    for (const FrameFormat& format : io::frame_formats()) {
        const Array stack = values(format, ElementType::u16, {2, 6, 8});
        std::vector<std::string> leaves{"noending", "odd.csv", "dots.in.name.x"};
        for (const FrameFormat& other : io::frame_formats())
            for (const std::string& suffix : other.suffixes) {
                std::string upper = suffix;
                std::ranges::transform(upper, upper.begin(),
                                       [](char c) { return static_cast<char>(std::toupper(c)); });
                leaves.insert(leaves.end(), {"named" + suffix, "NAMED" + upper});
                EXPECT_EQ(io::format_of_suffix("X" + upper), &other);
            }
        for (const std::string& leaf : leaves) {
            SCOPED_TRACE(format.id + " in " + leaf);
            const std::string file = written(format, stack, leaf);
            EXPECT_EQ(read_all(*open_frames(file)).to_doubles(), stack.to_doubles());
            EXPECT_NE(io::describe(file).find(words(stack)), std::string::npos);
        }
    }
}

TEST_F(FrameFormats, RefuseWhatIsNoneOfThem) {
    for (const FrameFormat& format : io::frame_formats())
        for (const std::string& suffix : format.suffixes) {
            const std::string file = at("f" + suffix);
            SCOPED_TRACE(file);
            const auto error = [&file] { return input_error([&] { open_frames(file); }); };
            EXPECT_TRUE(contains(error(), {file, "no such file"}));
            write_bytes(file, "");
            EXPECT_TRUE(contains(error(), {file, "expected " + format.noun, "found an empty file"}));
            write_bytes(file, "these are words");
            EXPECT_TRUE(contains(error(), {file, "not " + format.noun}));
            EXPECT_TRUE(contains(input_error([&] { io::describe(file); }), {file, "not " + format.noun}));
            fs::remove(file);
            ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
            EXPECT_TRUE(contains(error(), {file, "the file is a pipe, not a regular file"}));
            EXPECT_TRUE(contains(input_error([&] { io::read_mask(file); }), {file, "a pipe"}));
            EXPECT_TRUE(contains(input_error([&] { io::read_tree(file); }), {file, "a pipe"}));
            fs::remove(file);
            fs::create_directory(file);
            EXPECT_TRUE(contains(error(), {file, "expected " + format.noun + ", found a directory"}));
            fs::remove(file);
        }
    write_bytes(at("x.txt"), "these are words");
    EXPECT_TRUE(contains(input_error([&] { open_frames(at("x.txt")); }),
                         {"x.txt", "not a file in " + io::format_titles() + " format"}));
}

TEST_F(FrameFormats, OfCutFilesGiveAllFramesOrAnError) {
    for (const FrameFormat& format : io::frame_formats()) {
        const Array stack = values(format, ElementType::u16, {4, 12, 16});
        const std::string file = written(format, stack), whole = read_bytes(file);
        std::size_t refused = 0;
        for (std::size_t part = 0; part < 64; ++part) {
            const std::size_t left = part == 63 ? whole.size() - 1 : 1 + whole.size() * part / 64;
            SCOPED_TRACE(fmt::format("{}: {} of {} bytes", format.id, left, whole.size()));
            write_bytes(file, whole.substr(0, left));
            try {
                EXPECT_EQ(read_all(*open_frames(file)).to_doubles(), stack.to_doubles());
            } catch (const Error& error) {
                ++refused;
                EXPECT_EQ(error.kind(), ErrorKind::input);
                EXPECT_TRUE(contains(error.what(), {file}));
            }
        }
        EXPECT_GE(refused, 60u) << format.id;
    }
}

TEST_F(FrameFormats, OfDamagedFilesDoNotEndTheProgram) {
    for (const FrameFormat& format : io::frame_formats()) {
        const Array stack = values(format, ElementType::u16, {4, 12, 16});
        const std::string file = written(format, stack), whole = read_bytes(file);
        std::uint32_t state = 1;
        for (int round = 0; round < 200; ++round) {
            std::string bytes = whole;
            for (int i = 0; i < 3; ++i) {
                state = state * 1664525u + 1013904223u;
                bytes[state % bytes.size()] = static_cast<char>(state >> 24);
            }
            write_bytes(file, bytes);
            try {
                const auto source = open_frames(file);
                io::require_room(*source, 24 + 3 * size_of(source->type()));
                if (source->bytes() < 1'000'000) read_all(*source);
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
                EXPECT_TRUE(contains(error.what(), {file}));
            }
        }
    }
}

TEST_F(FrameFormats, OfAnySizeThatAFileClaimsAreRefusedBeforeMemoryIsTaken) {
    for (const FrameFormat& format : io::frame_formats()) {
        const std::string file = at("claim" + format.suffixes.front());
        ASSERT_TRUE(frame_samples().contains(format.id));
        frame_samples().at(format.id).claim(file);
        EXPECT_TRUE(contains(input_error([&] {
                                 const auto source = open_frames(file);
                                 io::require_room(*source, 4);
                             }),
                             {file, "3000000 x 3000000"}))
            << format.id;
        const io::ShapeCheck small = [](const std::vector<std::size_t>& shape) {
            if (shape != std::vector<std::size_t>{5, 7}) throw Error(ErrorKind::input, "another shape");
        };
        input_error([&] { io::read_mask(file, small); });
    }
    // Its bytes are there, as zeros that take no room.
    write_npy_bytes(at("zeros.npy"), "|u1", {600'000, 600'000}, "");
    fs::resize_file(at("zeros.npy"), 128 + 600'000ull * 600'000);
    const auto source = open_frames(at("zeros.npy"));
    EXPECT_TRUE(
        contains(input_error([&] { io::require_room(*source, 24); }), {"zeros.npy", "600000 x 600000"}));
    EXPECT_NE(io::read_tree(at("zeros.npy")).children.front().shape.size(), 0u);
}

TEST_F(FrameFormats, FindOutThatTheirFileChanges) {
    for (const FrameFormat& format : io::frame_formats()) {
        SCOPED_TRACE(format.id);
        const Array stack = values(format, ElementType::u16, {30, 64, 64});
        const std::string file = written(format, stack), whole = read_bytes(file);
        const auto source = open_frames(file);
        const FileStates files = io::files_of(*source);
        EXPECT_FALSE(files.changed());
        const std::string before = source->identity();
        EXPECT_EQ(open_frames(file)->identity(), before);
        fs::resize_file(file, whole.size() / 8);
        EXPECT_EQ(files.changed(), fs::path(file));
        EXPECT_TRUE(contains(input_error([&] { read_all(*source); }), {file}));
        write_bytes(file, whole + "x");
        EXPECT_EQ(files.changed(), fs::path(file));
        EXPECT_NE(open_frames(file)->identity(), before);
    }
}

TEST_F(FrameFormats, WithoutObjectsRefuseOne) {
    for (const FrameFormat& format : io::frame_formats()) {
        const std::string file = written(format, values(format, ElementType::u8, {4, 6}));
        if (format.objects) {
            EXPECT_TRUE(
                contains(input_error([&] { open_frames(file + "::/none"); }), {"/none", "contains data"}));
            continue;
        }
        for (const char* object : {"::/entry/data", "::3"}) {
            const std::string part = io::DataName::parse(file + object).object;
            const std::vector<std::string> told{file + "::" + part,
                                                format.title + " files contain one array and no objects",
                                                "the object " + part + " was given", "omit " + part};
            EXPECT_TRUE(contains(input_error([&] { open_frames(file + object); }), told));
            EXPECT_TRUE(contains(input_error([&] { io::read_mask(file + object); }), told));
            EXPECT_TRUE(contains(input_error([&] { io::describe(file + object); }), told));
        }
    }
}

TEST_F(FrameFormats, HoldMasksAndLabelsToo) {
    const Array image = Array::of<std::uint8_t>({2, 3}, {0, 1, 2, 0, 1, 2});
    for (const FrameFormat& format : io::frame_formats())
        for (const std::string& leaf : {"image" + format.suffixes.front(), std::string("image.png")}) {
            const std::string file = written(format, image, leaf);
            EXPECT_EQ(io::read_mask(file).ignore, (std::vector<std::uint8_t>{0, 1, 1, 0, 1, 1})) << file;
            EXPECT_EQ(io::read_labels(file).labels.bins(), 2u) << file;
        }
    for (const FrameFormat& format : io::frame_formats())
        for (const std::string& suffix : format.suffixes) {
            if (!io::can_write(format)) continue;
            io::write_mask(at("made" + suffix), {2, 3, {0, 1, 1, 0, 0, 1}}, true);
            EXPECT_EQ(io::format_of_content(at("made" + suffix)), &format) << suffix;
            EXPECT_EQ(io::read_mask(at("made" + suffix)).ignore,
                      (std::vector<std::uint8_t>{0, 1, 1, 0, 0, 1}));
        }
}

// What only one format has.

TEST_F(FrameFormats, NumPyInEitherOrderOfBytesAndIndices) {
    const std::vector<double> expected{0, 1, 2, 3, 4, 258};
    write_npy_bytes(at("big.npy"), ">u2", {1, 2, 3}, std::string("\0\0\0\1\0\2\0\3\0\4\1\2", 12));
    EXPECT_EQ(read_all(*open_frames(at("big.npy"))).to_doubles(), expected);
    for (const std::vector<std::size_t>& shape : {std::vector<std::size_t>{2, 3}, {1, 2, 3}}) {
        write_npy_bytes(at("fortran.npy"), ">u2", shape, std::string("\0\0\0\3\0\1\0\4\0\2\1\2", 12), true);
        EXPECT_EQ(read_all(*open_frames(at("fortran.npy"))).to_doubles(), expected);
    }
    write_npy_bytes(at("i1.npy"), "|i1", {2, 1, 3}, "\xff\x01\x80\x7f\x05\xfe");
    const auto bytes = open_frames(at("i1.npy"));
    EXPECT_EQ(bytes->type(), ElementType::i16);
    EXPECT_EQ(read_all(*bytes).to_doubles(), (std::vector<double>{-1, 1, -128, 127, 5, -2}));
    Array second(ElementType::i16, {1, 1, 3});
    bytes->read(1, 1, second.bytes());
    EXPECT_EQ(second.to_doubles(), (std::vector<double>{127, 5, -2}));
}

TEST_F(FrameFormats, NumPyThatIsNoFramesSaysWhy) {
    const auto error = [this](const std::string& descr, const std::vector<std::size_t>& shape,
                              bool fortran = false) {
        write_npy_bytes(at("x.npy"), descr, shape, std::string(256, '\1'), fortran);
        EXPECT_FALSE(io::read_tree(at("x.npy")).children.front().frames);
        EXPECT_NE(io::describe(at("x.npy")), "");
        return input_error([&] { open_frames(at("x.npy")); });
    };
    EXPECT_TRUE(contains(error("|u1", {6}), {"x.npy", "expected [frame, y, x]", "found 1 dimension [6]"}));
    EXPECT_TRUE(contains(error("|u1", {}), {"found 0 dimensions []"}));
    EXPECT_TRUE(contains(error("|u1", {1, 2, 2, 2}), {"found 4 dimensions [1, 2, 2, 2]"}));
    EXPECT_TRUE(contains(error("|u1", {0, 2, 2}), {"at least one frame", "[0, 2, 2]"}));
    EXPECT_TRUE(contains(error("|b1", {2, 2, 2}), {"expected pixels of type u8", "found booleans"}));
    EXPECT_TRUE(contains(error("|u1", {2, 2, 2}, true), {"C order", "Fortran order", "ascontiguousarray"}));
    write_npy_bytes(at("c.npy"), "<c16", {1, 2, 2}, std::string(64, '\0'));
    EXPECT_TRUE(contains(input_error([&] { open_frames(at("c.npy")); }), {"c.npy", "found dtype <c16"}));
    const Array wide = Array::of<std::uint64_t>({1, 2, 2}, {1, 2, 3, 1ull << 40});
    for (const FrameFormat& format : io::frame_formats()) {
        const FrameSample& sample = frame_samples().at(format.id);
        if (!sample.stacks || std::ranges::count(sample.types, wide.type()) == 0) continue;
        const auto source = open_frames(written(format, wide));
        EXPECT_TRUE(contains(input_error([&] { read_all(*source); }),
                             {"sample" + format.suffixes.front(), "expected pixel values that fit into u32",
                              "1099511627776", "frame 0, row 1, column 1"}));
    }
}

TEST_F(FrameFormats, TiffsAsProgramsWriteThem) {
    for (const ElementType type : {ElementType::u16, ElementType::i32, ElementType::f32, ElementType::f64}) {
        const Array stack = varied_stack(type, {3, 37, 45});
        for (const char* mode : {"w", "wb", "wl", "w8", "wb8"})
            for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_PACKBITS})
                for (const bool tiled : {false, true}) {
                    SCOPED_TRACE(fmt::format("{} {} {} {}", name_of(type), mode, compression, tiled));
                    write_tiff_sample(at("x.tif"), stack, {mode, compression, tiled});
                    const auto source = open_frames(at("x.tif"));
                    EXPECT_EQ(source->type(), io::open_frames(at("x.tif"))->type());
                    EXPECT_EQ(read_all(*source).to_doubles(), stack.to_doubles());
                }
    }
}

TEST_F(FrameFormats, TiffsOfUnlikePagesAndKindsSayWhy) {
    const auto error = [this] { return input_error([&] { open_frames(at("x.tif")); }); };
    write_tiff_sample(at("x.tif"), varied_stack(ElementType::u16, {2, 5, 7}), {});
    write_tiff_sample(at("x.tif"), varied_stack(ElementType::u16, {5, 8}), {"a"});
    EXPECT_TRUE(
        contains(error(), {"x.tif", "pages of equal size and type, 5 x 7 u16, found 5 x 8 u16 on page 2"}));
    write_tiff_sample(at("x.tif"), varied_stack(ElementType::u16, {2, 5, 7}), {});
    write_tiff_sample(at("x.tif"), varied_stack(ElementType::i16, {5, 7}), {"a"});
    EXPECT_TRUE(contains(error(), {"found 5 x 7 i16 on page 2"}));
    write_tiff_sample(at("x.tif"), varied_stack(ElementType::u16, {5, 7}),
                      {"w", COMPRESSION_NONE, false, "ImageJ=1.53\nimages=1000\nslices=1000\n"});
    EXPECT_TRUE(contains(error(), {"x.tif", "1000 images in the description, found 1 page"}));
    write_tiff_sample(at("x.tif"), varied_stack(ElementType::u16, {3, 5, 7}),
                      {"w", COMPRESSION_NONE, false, "ImageJ=1.53\nimages=3\n"});
    EXPECT_EQ(open_frames(at("x.tif"))->frames(), 3u);
}

TEST_F(FrameFormats, SuffixesOfNewFilesAreListed) {
    EXPECT_EQ(io::format_to_write("a/B.NXS").id, "hdf5");
    EXPECT_TRUE(contains(input_error([&] { io::format_to_write(at("x.png")); }),
                         {"x.png", "ends in .h5, .hdf5", ".tiff or .npy", "found \".png\""}));
    EXPECT_TRUE(
        contains(input_error([&] { io::format_to_write(at("x")); }), {"found a name without a suffix"}));
}

}  // namespace
}  // namespace ks::tests
