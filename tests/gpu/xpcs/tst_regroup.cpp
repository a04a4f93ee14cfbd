// Pixels by bin, as groups of several work-items make them on GPUs: rows that are whole, and rows in steps.
// What must lie where is computed here from the description in gpu/xpcs/regroup.cl.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gpu/runtime/kernel_files.h"
#include "tests/gpu/runtime/on_first_device.h"

namespace {

constexpr std::size_t frames = 37, padded = 128, pixels = 4200, group = 64, frames_at_once = 4;

class Regroup : public ks::tests::OnFirstDevice {
  protected:
    void SetUp() override {
        OnFirstDevice::SetUp();
        std::mt19937 random(3);
        std::uniform_int_distribution<int> count(0, 255);
        for (unsigned char& value : counts) value = static_cast<unsigned char>(count(random));
        for (std::size_t i = 0; i < pixels; ++i) places.push_back(static_cast<cl_uint>(i * 37 % pixels));
        for (std::size_t bin = 0; bin + 1 < offsets.size(); ++bin) {
            rows.push_back((offsets[bin + 1] - offsets[bin] + 63) / 64 * 64);
            blocks.push_back(elements);
            elements += cl_ulong{rows.back()} * padded;
        }
    }

    template <class T>
    cl::Buffer buffer(std::vector<T>& values) {
        return {context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, values.size() * sizeof(T), values.data()};
    }

    void run(const std::string& more) {
        cl::Program program(context, ks::gpu::resolve_includes(ks::gpu::kernel_text("gpu/xpcs/regroup.cl")));
        const std::string options =
            "-cl-std=CL1.2 -DELEM=uchar -DSRC=uchar -DS_T=ulong -DSUM=uint -DLANES=4 -DFRAMES=" +
            std::to_string(frames_at_once) + " -DWG=" + std::to_string(group) + more;
        program.build({found[0].device}, options.c_str());
        cl::CommandQueue queue(context, found[0].device);
        made.assign(elements, 99);
        sums.assign(rows.size() * padded, 99);
        cl::Buffer arguments[] = {buffer(counts), buffer(offsets), buffer(places), buffer(blocks),
                                  buffer(rows),   buffer(made),    buffer(sums)};
        cl::Kernel kernel(program, "regroup");
        cl_uint index = 0;
        for (const cl::Buffer& argument : arguments) kernel.setArg(index++, argument);
        kernel.setArg(index++, static_cast<cl_uint>(frames));
        kernel.setArg(index++, static_cast<cl_uint>(pixels));
        kernel.setArg(index++, static_cast<cl_uint>(padded));
        queue.enqueueNDRangeKernel(kernel, cl::NullRange,
                                   cl::NDRange(group, rows.size(), padded / frames_at_once),
                                   cl::NDRange(group, 1, 1));
        queue.enqueueReadBuffer(arguments[5], CL_TRUE, 0, made.size(), made.data());
        queue.enqueueReadBuffer(arguments[6], CL_TRUE, 0, sums.size() * sizeof(cl_ulong), sums.data());
    }

    /// The count of element `i` of a row; 0 past the last frame and the last pixel.
    unsigned expected(std::size_t bin, std::size_t frame, std::size_t i) const {
        const bool there = frame < frames && i < offsets[bin + 1] - offsets[bin];
        return there ? counts[frame * pixels + places[offsets[bin] + i]] : 0u;
    }

    std::vector<unsigned char> counts = std::vector<unsigned char>(frames * pixels), made;
    std::vector<cl_uint> offsets{0, 0, 700, 701, 2000, 4000}, places, rows;  // the first bin is empty
    std::vector<cl_ulong> blocks, sums;
    cl_ulong elements = 0;
};

TEST_F(Regroup, rows_are_whole_and_their_sums_exact) {
    run("");
    for (std::size_t bin = 0; bin < rows.size(); ++bin)
        for (std::size_t frame = 0; frame < padded; ++frame) {
            cl_ulong sum = 0;
            for (std::size_t i = 0; i < rows[bin]; ++i) {
                ASSERT_EQ(made[blocks[bin] + frame * rows[bin] + i], expected(bin, frame, i))
                    << "bin " << bin << ", frame " << frame << ", element " << i;
                sum += expected(bin, frame, i);
            }
            ASSERT_EQ(sums[bin * padded + frame], sum) << "bin " << bin << ", frame " << frame;
        }
}

TEST_F(Regroup, rows_in_steps_lie_frame_by_frame_within_a_step) {
    run(" -DSTEP=32");
    for (std::size_t bin = 0; bin < rows.size(); ++bin)
        for (std::size_t step = 0; step < rows[bin] / 32; ++step)
            for (std::size_t frame = 0; frame < padded; ++frame)
                for (std::size_t e = 0; e < 32; ++e)
                    ASSERT_EQ(made[blocks[bin] + step * 32 * padded + frame * 32 + e],
                              expected(bin, frame, step * 32 + e))
                        << "bin " << bin << ", step " << step << ", frame " << frame << ", element " << e;
}

TEST_F(Regroup, a_row_has_its_planes_of_bytes_one_after_another) {
    for (cl_ulong& block : blocks) block *= 3;
    elements *= 3;
    run(" -DSTEP=32 -DPLANES=3");
    for (std::size_t bin = 0; bin < rows.size(); ++bin)
        for (std::size_t step = 0; step < rows[bin] / 32; ++step)
            for (std::size_t frame = 0; frame < padded; ++frame)
                for (std::size_t e = 0; e < 32; ++e) {
                    const unsigned count = expected(bin, frame, step * 32 + e);
                    const unsigned planes[] = {count % 128, count / 128, count % 128 + count / 128};
                    for (std::size_t plane = 0; plane < 3; ++plane)
                        ASSERT_EQ(made[blocks[bin] + plane * rows[bin] * padded + step * 32 * padded +
                                       frame * 32 + e],
                                  planes[plane])
                            << "bin " << bin << ", plane " << plane << ", step " << step << ", frame "
                            << frame << ", element " << e;
                }
}

TEST_F(Regroup, planes_alternate_from_step_to_step_with_exchanged_halves) {
    for (cl_ulong& block : blocks) block *= 2;
    elements *= 2;
    run(" -DSTEP=32 -DPLANES=2 -DALTERNATE=1");
    for (std::size_t bin = 0; bin < rows.size(); ++bin)
        for (std::size_t i = 0; i < rows[bin]; ++i)
            for (std::size_t frame = 0; frame < padded; ++frame) {
                const unsigned count = expected(bin, frame, i);
                const unsigned bytes[] = {count % 256, count / 256};
                const std::size_t e = i % 32, in_row = frame / 4 % 2 == 0 ? e : e < 16 ? e + 16 : e - 16;
                for (std::size_t plane = 0; plane < 2; ++plane)
                    ASSERT_EQ(made[blocks[bin] + (i / 32 * 2 + plane) * 32 * padded + frame * 32 + in_row],
                              bytes[plane])
                        << "bin " << bin << ", plane " << plane << ", frame " << frame << ", element " << i;
            }
}

}  // namespace
