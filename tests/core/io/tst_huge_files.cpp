#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <fstream>

#include "core/base/host_memory.h"
#include "core/data/frame_combination.h"
#include "core/input/frame_input.h"
#include "core/io/labels/label_file.h"
#include "core/io/npy/npy.h"
#include "core/io/open_frames.h"
#include "core/run/registry.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

constexpr hsize_t huge = 60000;

/// What a process of its own says of a call: the largest memory it held in MiB, and a text.
struct Told {
    double peak = 0;
    std::string text;
};

double status_mib(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (double kib = 0; word == key && status >> kib) return kib / 1024;
    return 0;
}

/// @param more_bytes the process may take this much address space besides what it has; 0: any
Told in_child(const std::function<std::string()>& call, std::uint64_t more_bytes = 0) {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child == 0) {
        if (more_bytes > 0) {
            const auto used = static_cast<rlim_t>(status_mib("VmSize:") * 1024 * 1024);
            const rlimit limit{used + more_bytes, used + more_bytes};
            setrlimit(RLIMIT_AS, &limit);
        }
        std::string text;
        try {
            text = call();
        } catch (const Error& error) {
            text = std::string("Error: ") + error.what();
        } catch (const std::exception& error) {
            text = std::string("exception: ") + error.what();
        }
        text = std::to_string(status_mib("VmHWM:")) + "\n" + text;
        if (write(pipe_ends[1], text.data(), text.size()) < 0) _exit(1);
        _exit(0);
    }
    close(pipe_ends[1]);
    std::string all;
    char part[4096];
    for (ssize_t n = 0; (n = read(pipe_ends[0], part, sizeof part)) > 0;)
        all.append(part, static_cast<std::size_t>(n));
    close(pipe_ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (all.empty()) return {1e9, "the process ended early"};
    return {std::stod(all), all.substr(all.find('\n') + 1)};
}

class HugeFiles : public IoTest {
  protected:
    /// Claims frames and a mask of `side` x `side` pixels and holds none.
    std::string claim(hsize_t side) {
        const std::string name = at("huge.h5");
        TestFile file(name);
        file.group("/entry", "NXentry");
        file.make("/entry/data/data", H5T_STD_U32LE, {3, side, side}, nullptr, -1, {1, 1000, 1000});
        file.make("/entry/instrument/detector/pixel_mask", H5T_STD_U32LE, {side, side}, nullptr, -1,
                  {1000, 1000});
        file.make("/zeros", H5T_STD_U8LE, {side, side}, nullptr, -1, {1000, 1000});
        return name;
    }
    static void expect_small(const Told& told) { EXPECT_LT(told.peak, 200) << told.text; }
};

TEST_F(HugeFiles, InfoTakesLittleMemory) {
    const std::string name = claim(huge);
    const Told all = in_child([&] { return io::describe(name); });
    expect_small(all);
    EXPECT_TRUE(contains(all.text, {"opens as     /entry/data/data, 3 frames of 60000 x 60000 u32"}));
    const Told one = in_child([&] { return io::describe(name + "::/entry/data/data"); });
    expect_small(one);
    EXPECT_TRUE(contains(one.text, {"first frame  never written"}));
}

TEST_F(HugeFiles, InfoReadsALargeFrameByRows) {
    constexpr hsize_t side = 6000;  // of u16: 72 MB
    {
        TestFile file(at("f.h5"));
        std::vector<std::uint16_t> values(side * side, 3);
        values.back() = 65000;
        values[side] = 1;
        file.make("/data", H5T_STD_U16LE, {1, side, side}, values.data(), H5T_NATIVE_UINT16, {1, 1000, 1000},
                  [](hid_t p) { H5Pset_deflate(p, 1); });
        file.make("/whole", H5T_STD_U16LE, {side, side}, values.data(), H5T_NATIVE_UINT16, {side, side},
                  [](hid_t p) { H5Pset_deflate(p, 1); });
    }
    const Told rows = in_child([&] { return io::describe(at("f.h5") + "::/data"); });
    EXPECT_TRUE(contains(rows.text, {"first frame  1 to 65000"}));
    expect_small(rows);
    const Told chunk = in_child([&] { return io::describe(at("f.h5") + "::/whole"); });
    EXPECT_TRUE(contains(chunk.text, {"first frame  not read, because that takes 68.7 MiB"}));
    expect_small(chunk);
}

TEST_F(HugeFiles, InfoOfANumPyFileTakesLittleMemory) {
    for (const bool fortran : {false, true}) {
        const std::string name = at("huge.npy");
        std::string header = std::string("{'descr': '<f8', 'fortran_order': ") +
                             (fortran ? "True" : "False") + ", 'shape': (10000000, 3), }";
        header.append(128 - 11 - header.size(), ' ');
        header += '\n';
        write_bytes(name, std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header);
        fs::resize_file(name, 10 + header.size() + std::size_t{240'000'000});  // zeros that take no room
        std::fstream file(name, std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>(10 + header.size() + 8 * 4));  // row 1, y; or row 4, x
        const double five = 5;
        file.write(reinterpret_cast<const char*>(&five), sizeof five);
        file.close();
        const Told told = in_child([&] { return io::describe(name); });
        expect_small(told);
        EXPECT_TRUE(
            contains(told.text, {"10000000 points", fortran ? "x  0 to 5" : "y  0 to 5", "z  0 to 0"}));
    }
}

TEST_F(HugeFiles, AMaskOfAnotherShapeIsRefusedBeforeItIsRead) {
    const std::string name = claim(huge);
    const io::ShapeCheck fits = [](const std::vector<std::size_t>& shape) {
        if (shape != std::vector<std::size_t>{10, 10}) throw Error(ErrorKind::input, "another shape");
    };
    for (const char* object : {"::/zeros", "::/entry/instrument/detector/pixel_mask"}) {
        const Told mask = in_child([&] { return std::to_string(io::read_mask(name + object, fits).height); });
        expect_small(mask);
        EXPECT_EQ(mask.text, "Error: another shape");
        const Told labels =
            in_child([&] { return std::to_string(io::read_labels(name + object, fits).labels.bins()); });
        expect_small(labels);
        EXPECT_EQ(labels.text, "Error: another shape");
        const Told any = in_child([&] { return std::to_string(io::read_mask(name + object).height); });
        expect_small(any);
        EXPECT_TRUE(contains(any.text, {"Error: ", "never written"}));
    }
}

TEST_F(HugeFiles, ARunDoesNotReadMasksAndLabelsOfAnotherShape) {
    const std::string name = claim(huge);
    { TestFile(at("small.h5")).ramp("/data", {3, 10, 10}); }
    const Registry registry;
    const auto load = [&](const char* id, const char* role) {
        const Analysis& analysis = registry.analysis(id);
        Request request;
        request.analysis = id;
        request.parameters = checked(analysis.info().parameters, {});
        request.inputs["frames"] = {at("small.h5")};
        if (std::string(id) == "xpcs") request.inputs["partition"] = {"rings:5,5,0,1,3"};
        request.inputs[role] = {name + "::/zeros"};
        Progress progress;
        analysis.load(request, progress, nullptr);
        return std::string("loaded");
    };
    for (const auto& [id, role] : {std::pair("xpcs", "partition"), {"xpcs", "mask"}, {"spots", "mask"}}) {
        const Told told = in_child([&, id = id, role = role] { return load(id, role); });
        expect_small(told);
        EXPECT_TRUE(contains(told.text, {"must have the frames' shape 10 x 10, found 60000 x 60000"}));
    }
}

TEST_F(HugeFiles, APreviewOfThemIsRefused) {
    const std::string name = claim(huge);
    const Told told = in_child([&] {
        Progress progress;
        return std::to_string(combined(*io::open_frames(name), 0, 1, Combination::max, progress).size());
    });
    expect_small(told);
    EXPECT_TRUE(contains(told.text, {"huge.h5", "60000 x 60000", "too large to show"}));
}

TEST_F(HugeFiles, ARunNamesItsNeedBeforeItTakesIt) {
    const std::string name = claim(2'000'000);
    const Registry registry;
    for (const char* id : {"xpcs", "spots"}) {
        const Told told = in_child([&] {
            const Analysis& analysis = registry.analysis(id);
            Request request;
            request.analysis = id;
            request.parameters = checked(analysis.info().parameters, {});
            request.inputs["frames"] = {name};
            if (std::string(id) == "xpcs") request.inputs["partition"] = {"rings:5,5,0,1,3"};
            Progress progress;
            analysis.load(request, progress, nullptr);
            return std::string("loaded");
        });
        expect_small(told);
        EXPECT_TRUE(contains(told.text, {"Error: ", "huge.h5", "needs ",
                                         "TiB for frames of 2000000 x 2000000", "but the host has only"}));
    }
}

TEST_F(HugeFiles, ALimitOfTheProcessCounts) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/data", {15000, 5000}, {1000, 1000}, [](hid_t p) { H5Pset_deflate(p, 1); });
    }
    const auto read = [&] { return std::to_string(io::read_array(at("f.h5") + "::/data", 2).size()); };
    EXPECT_EQ(in_child(read).text, "75000000");
    const Told told = in_child(read, std::uint64_t{100} << 20);
    EXPECT_TRUE(contains(told.text, {"Error: ", "f.h5::/data", "needs 143.1 MiB for the values [15000, 5000]",
                                     "but the host has only"}));
}

TEST(HostMemory, SizesInWords) {
    EXPECT_EQ(memory_text(37), "37 bytes");
    EXPECT_EQ(memory_text(std::uint64_t{3} << 29), "1.5 GiB");
    EXPECT_EQ(array_bytes(4, {60000, 60000}), 14'400'000'000u);
    EXPECT_EQ(array_bytes(4, {std::size_t{1} << 62, 2}), ~std::uint64_t{0});
    EXPECT_EQ(array_bytes(4, {std::size_t{1} << 62, 2, 0}), 0u);
    EXPECT_GT(available_memory(), std::uint64_t{1} << 20);
}

}  // namespace
}  // namespace ks::tests
