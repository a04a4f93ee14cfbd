// Files that do not open in the ordinary way: locked, without locks, being written, damaged.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <span>

#include "core/io/hdf5/hdf5.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace {
/// What flock() fails with in this program; 0: it locks.
std::atomic<int> flock_failure = 0;
}  // namespace

/// Stands before that of the C library for HDF5 too: file systems without locks are rare where tests run.
extern "C" int flock(int file, int operation) noexcept {
    if (const int failure = flock_failure; failure != 0) {
        errno = failure;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_flock, file, operation));
}

namespace ks::tests {
namespace {

using io::open_frames;

/// A program that writes frames in SWMR mode and never closes the file. It ends with the test, or before.
class Writer {
  public:
    Writer(const std::string& file, bool swmr) {
        if (::pipe(orders_) != 0 || ::pipe(answers_) != 0) throw std::runtime_error("no pipe");
        child_ = ::fork();
        if (child_ == 0) write(file, swmr);
        wait();
    }
    ~Writer() {
        end();
        for (const int file : {orders_[0], orders_[1], answers_[0], answers_[1]}) ::close(file);
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    /// Adds three frames.
    void grow() {
        EXPECT_EQ(::write(orders_[1], "g", 1), 1);
        wait();
    }
    void end() {
        if (child_ <= 0) return;
        EXPECT_EQ(::write(orders_[1], "e", 1), 1);
        ::waitpid(child_, nullptr, 0);
        child_ = -1;
    }

  private:
    void wait() {
        char answer = 0;
        EXPECT_EQ(::read(answers_[0], &answer, 1), 1);
    }
    /// Frame t holds t + 1 everywhere.
    static void add(hid_t dataset, hsize_t first, hsize_t count) {
        const hsize_t shape[3] = {first + count, 8, 9}, start[3] = {first, 0, 0}, block[3] = {count, 8, 9};
        H5Dset_extent(dataset, shape);
        const hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(3, block, nullptr);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
        std::vector<std::uint16_t> values(count * 72);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::uint16_t>(first + i / 72 + 1);
        H5Dwrite(dataset, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, values.data());
        H5Dflush(dataset);
        H5Sclose(memory);
        H5Sclose(space);
    }
    [[noreturn]] void write(const std::string& name, bool swmr) {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
        const hsize_t none[3] = {0, 8, 9}, maximum[3] = {H5S_UNLIMITED, 8, 9}, chunk[3] = {1, 8, 9};
        const hid_t space = H5Screate_simple(3, none, maximum), create = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(create, 3, chunk);
        const hid_t dataset =
            H5Dcreate2(file, "/data", H5T_STD_U16LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
        if (swmr) H5Fstart_swmr_write(file);
        hsize_t frames = 4;
        add(dataset, 0, frames);
        H5Fflush(file, H5F_SCOPE_GLOBAL);
        char order = 'g';
        while (::write(answers_[1], "d", 1) == 1 && ::read(orders_[0], &order, 1) == 1 && order == 'g') {
            add(dataset, frames, 3);
            frames += 3;
        }
        ::_exit(0);
    }

    int orders_[2] = {}, answers_[2] = {};
    pid_t child_ = -1;
};

class Hdf5Open : public IoTest {
  protected:
    ~Hdf5Open() override { flock_failure = 0; }
    std::string error_of(const std::string& name) {
        return input_error([&] { open_frames(name); });
    }
    static std::vector<std::uint16_t> values_of(FrameSource& source, std::size_t first, std::size_t count) {
        std::vector<std::uint16_t> values(count * source.pixels());
        source.read(first, count, std::as_writable_bytes(std::span(values)));
        return values;
    }
};

TEST_F(Hdf5Open, AnotherProgramIsBlamedWhereItHoldsTheFile) {
    { TestFile(at("f.h5")).ramp("/data", {2, 3, 4}); }
    const int holder = ::open(at("f.h5").c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(::flock(holder, LOCK_EX), 0);
    EXPECT_TRUE(
        contains(error_of(at("f.h5")), {"f.h5", "another program has the HDF5 file open for writing"}));
    ::close(holder);
    EXPECT_NO_THROW(open_frames(at("f.h5")));
}

TEST_F(Hdf5Open, ABadSuperblockIsNoLock) {
    { TestFile(at("f.h5")).ramp("/data", {2, 3, 4}); }
    std::string bytes = read_bytes(at("f.h5"));
    bytes[8] = 9;  // the superblock's version
    write_bytes(at("f.h5"), bytes);
    const std::string error = error_of(at("f.h5"));
    EXPECT_TRUE(contains(error, {"f.h5", "damaged or truncated: ", "superblock"}));
    EXPECT_FALSE(contains(error, {"another program"}));
}

TEST_F(Hdf5Open, FilesOpenWhereTheFileSystemHasNoLocks) {
    {
        TestFile(at("part.h5")).ramp("/data", {2, 3, 4});
        TestFile(at("f.h5")).external_link("/data", "part.h5", "/data");
        TestFile stacked(at("virtual.h5"));
        const hsize_t shape[3] = {2, 3, 4};
        const hid_t space = H5Screate_simple(3, shape, nullptr);
        stacked.make("/data", H5T_STD_U16LE, {2, 3, 4}, nullptr, -1, {},
                     [&](hid_t p) { H5Pset_virtual(p, space, "part.h5", "/data", space); });
        H5Sclose(space);
    }
    for (const int failure : {ENOSYS, ENOLCK, EOPNOTSUPP}) {
        flock_failure = failure;
        for (const char* name : {"part.h5", "f.h5"})
            EXPECT_EQ(values_of(*open_frames(at(name)), 1, 1).back(), 23) << name << " " << failure;
        if (failure == ENOSYS) {
            EXPECT_EQ(values_of(*open_frames(at("virtual.h5")), 1, 1).back(), 23);
            continue;
        }
        // HDF5 would read zeros from the source, which it opens itself
        EXPECT_TRUE(contains(error_of(at("virtual.h5")), {"part.h5", "file system does not support locks",
                                                          "HDF5_USE_FILE_LOCKING=FALSE"}));
    }
}

TEST_F(Hdf5Open, AFileThatIsBeingWrittenHasTheFramesOfItsOpening) {
    Writer writer(at("f.h5"), true);
    const auto source = open_frames(at("f.h5"));
    EXPECT_EQ(source->frames(), 4u);
    EXPECT_EQ(values_of(*source, 3, 1).back(), 4);
    writer.grow();
    EXPECT_EQ(source->frames(), 4u);
    EXPECT_EQ(values_of(*source, 0, 4).back(), 4);
    EXPECT_EQ(open_frames(at("f.h5"))->frames(), 4u) << "while a handle is open its metadata stay";
    EXPECT_EQ(io::read_tree(at("f.h5")).children.size(), 1u);
}

TEST_F(Hdf5Open, AFileThatAWriterLeftOpensForSwmrReading) {
    Writer(at("f.h5"), true).grow();
    const auto source = open_frames(at("f.h5"));
    EXPECT_EQ(source->frames(), 7u);
    EXPECT_EQ(values_of(*source, 6, 1).front(), 7);
    EXPECT_TRUE(contains(io::describe(at("f.h5")), {"7 frames of 8 x 9 u16"}));
}

TEST_F(Hdf5Open, AFileThatWasNotClosedIsNotCalledDamaged) {
    Writer(at("f.h5"), false).end();
    const std::string error = error_of(at("f.h5"));
    EXPECT_TRUE(contains(error, {"was not closed by the program that wrote it", "h5clear -s"}));
    EXPECT_FALSE(contains(error, {"damaged"}));
}

TEST_F(Hdf5Open, PartsThatAreBeingWrittenAreReadBehindLinksAndVirtualDatasets) {
    const Writer writer(at("part.h5"), true);
    {
        TestFile master(at("master.h5"));
        master.external_link("/entry/data/data_000001", "part.h5", "/data");
        TestFile stacked(at("virtual.h5"));
        const hsize_t shape[3] = {4, 8, 9};
        const hid_t space = H5Screate_simple(3, shape, nullptr);
        stacked.make("/data", H5T_STD_U16LE, {4, 8, 9}, nullptr, -1, {},
                     [&](hid_t p) { H5Pset_virtual(p, space, "part.h5", "/data", space); });
        H5Sclose(space);
    }
    EXPECT_EQ(values_of(*open_frames(at("master.h5")), 2, 1).front(), 3);
    EXPECT_EQ(values_of(*open_frames(at("virtual.h5")), 2, 1).front(), 3);
    for (const char* name : {"master.h5", "virtual.h5", "virtual.h5::/data"})
        EXPECT_TRUE(contains(io::describe(at(name)), {"4 frames of 8 x 9 u16"})) << name;
}

TEST_F(Hdf5Open, ADamagedObjectHasACause) {
    haddr_t address = 0;
    {
        TestFile file(at("f.h5"));
        file.ramp("/entry/data", {2, 3, 4});
        H5O_info_t info;
        H5Oget_info_by_name2(file.id(), "/entry/data", &info, H5O_INFO_BASIC, H5P_DEFAULT);
        address = info.addr;
    }
    std::string bytes = read_bytes(at("f.h5"));
    bytes.replace(address, 16, 16, '\x55');
    write_bytes(at("f.h5"), bytes);
    const std::string error = error_of(at("f.h5") + "::/entry/data");
    ASSERT_TRUE(contains(error, {"the object is damaged: "}));
    EXPECT_FALSE(error.ends_with("damaged: ")) << error;
    EXPECT_TRUE(contains(io::describe(at("f.h5")), {"the object is damaged: "}));
    { TestFile(at("link.h5")).external_link("/data", "f.h5", "/entry/data"); }
    EXPECT_TRUE(contains(error_of(at("link.h5") + "::/data"),
                         {"f.h5::/entry/data, which cannot be opened: the object is damaged: "}));
}

}  // namespace
}  // namespace ks::tests
