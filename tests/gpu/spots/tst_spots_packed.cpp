// Frames that go to the device as they lie in the file: the result is byte for byte that of frames in memory,
// grouped by the host, and a chunk that is damaged is told as it is where the host decodes.

#include <unistd.h>

#include <filesystem>
#include <utility>

#include "core/io/hdf5/hdf5_write.h"
#include "tests/core/data/streamed_frames.h"
#include "tests/core/spots/collector_fixture.h"
#include "tests/gpu/spots/spots_cases.h"

namespace spots_packed_test {

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;
using gpu::spots::DecodeOn;
using gpu::spots::GroupsOn;
namespace fs = std::filesystem;

namespace {

class SpotsPacked : public ::testing::Test {
  protected:
    SpotsPacked() : folder_(fs::temp_directory_path() / ("kernelscope-packed-" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~SpotsPacked() override { fs::remove_all(folder_); }

    std::string write(const Array& stack, io::h5::Codec codec = io::h5::Codec::bslz4) {
        const std::string file = (folder_ / (std::to_string(files_++) + ".h5")).string();
        io::h5::Writer writer(file, file);
        auto frames = writer.stack("/entry/data/data", stack.type(), stack.shape()[0], stack.shape()[1],
                                   stack.shape()[2], {codec, 1});
        writer.put(frames, 0, stack.bytes());
        writer.finish(std::move(frames), "/entry/data/data");
        writer.close();
        return file;
    }
    /// The same problem with the frames of a file.
    static ProblemPtr of_file(const std::string& file, const SpotProblem& like) {
        const auto source = io::open_frames(file + "::/entry/data/data");
        const auto shared = std::make_shared<SharedFrames>(source, 0, source->frames(), 0);
        return std::make_shared<SpotProblem>(shared, PixelMask{like.height(), like.width(), like.ignore()},
                                             like.limit(), like.thresholds(), like.layout(), like.grouping());
    }

  private:
    fs::path folder_;
    int files_ = 0;
};

ks::Run run_of(gpu::DeviceContext& device, const SpotProblem& problem, GroupsOn groups, DecodeOn decode,
               const std::string& frames = {}, std::optional<std::uint64_t> limit = {}) {
    const auto has_frames = [](const char* id) { return has_define(spots_row(id).info, "FRAMES"); };
    const std::vector<const char*> all = takers(problem);
    const auto several = std::ranges::find_if(all, has_frames);
    const gpu::spots::SpotVariant row = spots_row(frames.empty() ? all.front() : *several);
    ks::Run run;
    run.variant = row.info;
    run.device = device.info();
    run.request.memory_limit = limit;
    if (!frames.empty()) run.request.defines = {{"FRAMES", frames}};
    Progress progress;
    gpu::LaunchContext context(device, run, progress, row.tuning);
    run.result = gpu::spots::launch_spots(problem, context, row.make, groups, decode);
    context.finish();
    return run;
}

std::uint64_t bytes_in(const ks::Run& run, const std::string& stage) {
    std::uint64_t bytes = 0;
    for (const Timing& row : run.timings)
        if (row.stage == stage) bytes += row.bytes;
    return bytes;
}

std::uint64_t chunk_bytes(const SpotProblem& problem) {
    std::uint64_t bytes = 0;
    for (std::size_t k = 0; k < problem.frames(); ++k)
        bytes += problem.shared()->source().packed()->find_packed(k)->bytes;
    return bytes;
}

TEST_F(SpotsPacked, give_the_table_of_frames_in_memory) {
    const Thresholds loose = with(3, 3, 1, 1);
    const std::vector<Case> all{
        {"u16", scene<std::uint16_t>({.frames = 9, .seed = 101}, loose)},
        {"u16, wider than its words",
         scene<std::uint16_t>({.frames = 5, .height = 64, .width = 130, .seed = 102}, loose)},
        {"u8", scene<std::uint8_t>({.frames = 5, .background = 4, .hot_value = 255, .seed = 103}, loose)},
        {"u32",
         scene<std::uint32_t>({.frames = 5, .background = 300, .hot_value = 60000, .seed = 104}, loose)},
        {"i32", problem_of(with_negatives<std::int32_t>({.frames = 5, .hot_value = 60000, .seed = 105}),
                           mask_of({}), loose)},
        {"nearly all signal",
         scene<std::uint16_t>({.frames = 3, .background = 2, .seed = 106}, with(3, 3, 0, 0))},
        {"larger than a block",
         scene<std::uint16_t>({.frames = 3, .height = 201, .width = 211, .spots = 40, .seed = 107}, loose)},
    };
    for (const auto& [name, problem] : all) {
        SCOPED_TRACE(name);
        const auto stack = dynamic_cast<const MemoryFrames&>(problem->shared()->source()).stack();
        const ProblemPtr of = of_file(write(stack), *problem);
        ASSERT_NE(of->shared()->source().packed(), nullptr);
        for (const auto& device : test_devices()) {
            const ks::Run expected = run_of(*device, *problem, GroupsOn::host, DecodeOn::host);
            EXPECT_GT(expected.result.at("n_signal").values.size(), 0U);
            if (name == std::string("u8")) {
                EXPECT_FALSE(expected.result.warnings.empty()) << "pixels that are marked";
            }
            for (const char* frames : {"", "1", "4"}) {
                device->shrink_resident(0);
                const ks::Run found = run_of(*device, *of, GroupsOn::device, DecodeOn::device, frames);
                expect_same_tables(found.result, expected.result);
                EXPECT_GT(bytes_in(found, "decode frames"), 0U);
                EXPECT_EQ(bytes_in(found, "read"), chunk_bytes(*of));
                EXPECT_GE(bytes_in(found, "upload frames"), chunk_bytes(*of));
                EXPECT_LT(bytes_in(found, "upload frames"), chunk_bytes(*of) + of->frames() * 100);
                device->shrink_resident(0);
                const ks::Run by_host = run_of(*device, *of, GroupsOn::device, DecodeOn::host, frames);
                expect_same_tables(by_host.result, expected.result);
                EXPECT_EQ(bytes_in(by_host, "decode frames"), 0U);
            }
        }
    }
}

TEST_F(SpotsPacked, are_not_read_again_where_the_device_has_them) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 6, .seed = 111}, with(3, 3, 1, 1));
    const auto stack = dynamic_cast<const MemoryFrames&>(problem->shared()->source()).stack();
    const ProblemPtr of = of_file(write(stack), *problem);
    for (const auto& device : test_devices()) {
        device->shrink_resident(0);
        const ks::Run first = run_of(*device, *of, GroupsOn::device, DecodeOn::device);
        const ks::Run again = run_of(*device, *of, GroupsOn::device, DecodeOn::device);
        EXPECT_GT(bytes_in(first, "read"), 0U);
        for (const char* stage : {"read", "upload frames", "decode frames"})
            EXPECT_EQ(bytes_in(again, stage), 0U) << stage;
        expect_same_tables(again.result, first.result);
        // Grouped by the host, it needs their values.
        const ks::Run by_host = run_of(*device, *of, GroupsOn::host, DecodeOn::best);
        EXPECT_EQ(bytes_in(by_host, "read"), of->frames() * of->frame_bytes());
        expect_same_tables(by_host.result, first.result);
    }
}

TEST_F(SpotsPacked, of_modules_and_within_a_small_budget_are_decoded_by_the_host) {
    const RandomScene some{.frames = 6, .height = 90, .width = 100, .seed = 121};
    const auto expect_by_host = [&](const SpotProblem& problem, std::optional<std::uint64_t> limit) {
        const auto stack = dynamic_cast<const MemoryFrames&>(problem.shared()->source()).stack();
        const ProblemPtr of = of_file(write(stack), problem);
        for (const auto& device : test_devices()) {
            device->shrink_resident(0);
            const ks::Run found = run_of(*device, *of, GroupsOn::device, DecodeOn::device, {}, limit);
            if (limit) {
                EXPECT_LE(found.device_bytes_peak, *limit);
            }
            expect_same_tables(found.result, run_of(*device, problem, GroupsOn::host, DecodeOn::host).result);
        }
    };
    expect_by_host(*scene<std::uint16_t>(some, with(3, 3, 1, 1), "40,45,5,5"), {});
    expect_by_host(*scene<std::uint16_t>(some, with(3, 3, 1, 1)), 400'000);
}

TEST_F(SpotsPacked, keep_to_a_budget_that_has_room_for_the_decoder) {
    const ProblemPtr problem =
        scene<std::uint16_t>({.frames = 12, .height = 90, .width = 100, .seed = 131}, with(3, 3, 1, 1));
    const auto stack = dynamic_cast<const MemoryFrames&>(problem->shared()->source()).stack();
    const ProblemPtr of = of_file(write(stack), *problem);
    for (const auto& device : test_devices()) {
        const ks::Run expected = run_of(*device, *problem, GroupsOn::host, DecodeOn::host);
        std::size_t decoded = 0;
        for (std::uint64_t limit = 400'000; limit < 2'000'000; limit += 100'000) {
            device->shrink_resident(0);
            const ks::Run found = run_of(*device, *of, GroupsOn::device, DecodeOn::device, {}, limit);
            EXPECT_LE(found.device_bytes_peak, limit);
            decoded += bytes_in(found, "decode frames") > 0 ? 1 : 0;
            expect_same_tables(found.result, expected.result);
        }
        EXPECT_GT(decoded, 3U);
    }
}

/// Overwrites bytes of a frame's chunk.
void damage(const std::string& file, std::size_t frame, std::size_t at, const std::string& bytes) {
    std::uint64_t place = 0;
    {
        const auto source = io::open_frames(file + "::/entry/data/data");
        place = source->packed()->find_packed(frame)->at;
    }
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(place + at));
    out << bytes;
}

/// Where a frame is missing or damaged is told by another number.
void expect_same_but_missing(Result found, Result expected) {
    for (Result* one : {&found, &expected}) {
        std::erase_if(one->datasets, [](const Dataset& dataset) { return dataset.name == "frame_missing"; });
        one->warnings.clear();
    }
    expect_same_tables(found, expected);
}

TEST_F(SpotsPacked, that_are_damaged_are_left_out_and_named_on_every_run) {
    for (const Thresholds& thresholds : {with(3, 3, 1, 1), with(3, 3, 0, 0, 2, -5)}) {
        const RandomScene some{.frames = 9, .seed = 141};
        const ProblemPtr problem = scene<std::uint16_t>(some, thresholds);
        const auto stack = dynamic_cast<const MemoryFrames&>(problem->shared()->source()).stack();
        const auto holes = std::make_shared<SharedFrames>(
            std::make_shared<Incomplete>(stack, std::set<std::size_t>{0, 4, 5}), 0, some.frames, 0);
        const SpotProblem without(holes, problem->mask(), problem->limit(), thresholds, problem->layout(),
                                  problem->grouping());
        const std::string file = write(stack);
        damage(file, 0, 16, std::string(40, '\xff'));  // tokens
        damage(file, 4, 12, std::string(4, '\xff'));   // a length
        damage(file, 5, 16, std::string(40, '\xff'));
        for (const auto& device : test_devices()) {
            const ks::Run expected = run_of(*device, without, GroupsOn::host, DecodeOn::host);
            for (const auto& [groups, decode] :
                 {std::pair{GroupsOn::device, DecodeOn::device}, std::pair{GroupsOn::device, DecodeOn::host},
                  std::pair{GroupsOn::host, DecodeOn::host}})
                for (const char* frames : {"", "4"}) {
                    device->shrink_resident(0);
                    for (int run = 0; run < 3; ++run) {
                        const ProblemPtr of = of_file(file, *problem);
                        for (int again = 0; again < 2; ++again) {
                            SCOPED_TRACE(fmt::format("groups {}, decode {}, frames '{}', run {}, again {}",
                                                     static_cast<int>(groups), static_cast<int>(decode),
                                                     frames, run, again));
                            const ks::Run found = run_of(*device, *of, groups, decode, frames);
                            expect_same_but_missing(found.result, expected.result);
                            EXPECT_EQ(found.result.facts["damaged_frames"], 3);
                            ASSERT_FALSE(found.result.warnings.empty());
                            EXPECT_NE(found.result.warnings[0].find("skipped: 0, 4, 5 (frame 0: "),
                                      std::string::npos)
                                << found.result.warnings[0];
                        }
                    }
                }
        }
    }
}

TEST_F(SpotsPacked, of_which_all_are_damaged_are_refused) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 2, .seed = 142}, with(3, 3, 1, 1));
    const auto stack = dynamic_cast<const MemoryFrames&>(problem->shared()->source()).stack();
    const std::string file = write(stack);
    for (const std::size_t frame : {0U, 1U}) damage(file, frame, 16, std::string(40, '\xff'));
    const ProblemPtr of = of_file(file, *problem);
    for (const auto& device : test_devices())
        EXPECT_THROW(run_of(*device, *of, GroupsOn::device, DecodeOn::device), Error);
}

/// Frames of which the device can decode some: of four, the first; the second lies there in another form, the
/// third's chunk is damaged although the frame can be read, the fourth's cannot be read.
class Awkward : public StreamedFrames, private PackedFrames {
  public:
    explicit Awkward(const Array& stack) : StreamedFrames("awkward", Array(stack)) {
        const io::h5::ChunkEncoder encoder({io::h5::Codec::bslz4, 0}, size_of(stack.type()));
        for (std::size_t k = 0; k < frames(); ++k) {
            RawBytes chunk = encoder.encode(stack.bytes().subspan(k * frame_bytes(), frame_bytes()));
            if (k % 4 == 2) std::fill_n(chunk.data() + 16, 40, std::byte{0xff});
            chunks_.push_back(std::move(chunk));
        }
    }
    const PackedFrames* packed() const override { return this; }
    bool reads_side_by_side() const override { return true; }

  private:
    std::optional<Place> find_packed(std::size_t frame) const override {
        if (frame % 4 == 1) return std::nullopt;
        return Place{0, chunks_[frame].size()};
    }
    bool read_packed(std::size_t frame, const Place&, std::span<std::byte> into) const override {
        if (frame % 4 == 3) return false;
        std::copy_n(chunks_[frame].data(), into.size(), into.begin());
        return true;
    }
    std::vector<RawBytes> chunks_;
};

TEST_F(SpotsPacked, that_the_device_cannot_decode_are_read_by_the_host) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 21, .seed = 151}, with(3, 3, 1, 1));
    const auto stack = dynamic_cast<const MemoryFrames&>(problem->shared()->source()).stack();
    const auto shared = std::make_shared<SharedFrames>(std::make_shared<Awkward>(stack), 0, 21, 0);
    const SpotProblem of(shared, PixelMask{problem->height(), problem->width(), problem->ignore()},
                         problem->limit(), problem->thresholds(), problem->layout(), problem->grouping());
    for (const auto& device : test_devices()) {
        const ks::Run expected = run_of(*device, *problem, GroupsOn::host, DecodeOn::host);
        for (const char* frames : {"", "2", "8"}) {
            device->shrink_resident(0);
            const ks::Run found = run_of(*device, of, GroupsOn::device, DecodeOn::device, frames);
            EXPECT_GT(bytes_in(found, "decode frames"), 0U);
            expect_same_tables(found.result, expected.result);
            // What was mended is what stays there.
            expect_same_tables(run_of(*device, of, GroupsOn::device, DecodeOn::device, frames).result,
                               expected.result);
        }
    }
}

}  // namespace
}  // namespace spots_packed_test
