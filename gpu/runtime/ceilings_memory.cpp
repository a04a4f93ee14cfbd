// Peak rates of a device's memory and transfers.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/host_memory.h"
#include "gpu/runtime/ceiling_meter.h"

namespace ks::gpu {
namespace {

constexpr std::uint64_t fill_at_once = 16 * mib;

}  // namespace

void CeilingMeter::measure_memory() {
    begin(ceiling_ids::copy);
    const std::uint64_t of_group = bytes_of_group();
    const std::uint64_t cache = context_.device().device().getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>();
    const std::uint64_t wanted = processor_ ? std::max(512 * mib, 4 * cache) : 2048 * mib;
    const std::uint64_t bytes = std::min({wanted, context_.info().largest_allocation, context_.budget() / 2});
    const std::uint64_t groups = bytes / of_group;
    context_.device().shrink_resident(context_.budget() - 2 * groups * of_group);
    const Buffer from = filled(groups * of_group), to = filled(groups * of_group);
    cl::Kernel copy = kernel("copy", "float", lanes_of_memory());
    cl::Kernel read = kernel("read", "float", lanes_of_memory());
    copy.setArg(0, from.cl());
    copy.setArg(1, to.cl());
    read.setArg(0, from.cl());
    read.setArg(1, to.cl());
    read.setArg(3, cl_float{-1});
    // Launches cycle through the buffers, so that caches hold nothing of the next one.
    std::uint64_t first = 0;
    const auto around = [&](cl::Kernel& one) {
        return [&](std::uint64_t units) {
            if (first + units > groups) first = 0;
            one.setArg(2, cl_ulong{first * group() * vectors_each()});
            first += units;
            return timed(one, units);
        };
    };
    const auto description = [&](const Ceiling& ceiling, const char* what, double copies) {
        return fmt::format("{:.0f} MiB {} of {:.0f} MiB", ceiling.amount / copies / static_cast<double>(mib),
                           what, static_cast<double>(groups * of_group) / static_cast<double>(mib));
    };
    Ceiling rate = rates(around(copy), groups, 2 * static_cast<double>(of_group));
    keep(std::move(rate), ceiling_ids::copy, "Copy in device memory, read and written", "B/s",
         description(rate, "read from and written to buffers", 2));
    begin(ceiling_ids::read);
    rate = rates(around(read), groups, static_cast<double>(of_group));
    keep(std::move(rate), ceiling_ids::read, "Read from device memory", "B/s",
         description(rate, "read from a buffer", 1));
}

Buffer CeilingMeter::filled(std::uint64_t bytes) {
    Buffer made = context_.buffer(bytes);
    const cl::CommandQueue& queue = context_.device().queue();
    // In parts, since one fill of all of it takes PoCL seconds, which no request to stop would end.
    for (std::uint64_t first = 0; first < bytes; first += fill_at_once) {
        progress_.check();
        queue.enqueueFillBuffer(made.cl(), cl_float{1}, first, std::min(fill_at_once, bytes - first));
        queue.finish();
    }
    return made;
}

void CeilingMeter::measure_transfers() {
    begin(ceiling_ids::upload);
    const std::uint64_t bytes =
        std::min({256 * mib, context_.info().largest_allocation, context_.budget()}) / mib * mib;
    const cl::CommandQueue& queue = context_.device().queue();
    const Buffer on_device = filled(bytes);
    const cl::Buffer pinned(context_.device().context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes);
    auto* const host = static_cast<std::byte*>(
        queue.enqueueMapBuffer(pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes));
    std::memset(host, 1, bytes);
    std::uint64_t first = 0;
    const auto around = [&](bool up) {
        return [&, up](std::uint64_t units) {
            progress_.check();
            if ((first + units) * mib > bytes) first = 0;
            cl::Event event;
            if (up)
                queue.enqueueWriteBuffer(on_device.cl(), CL_TRUE, first * mib, units * mib,
                                         host + first * mib, nullptr, &event);
            else
                queue.enqueueReadBuffer(on_device.cl(), CL_TRUE, first * mib, units * mib, host + first * mib,
                                        nullptr, &event);
            first += units;
            return std::max<std::uint64_t>(duration(event), 1);
        };
    };
    const auto description = [](const Ceiling& rate, const char* where) {
        return fmt::format("{:.0f} MiB {} page-locked memory", rate.amount / static_cast<double>(mib), where);
    };
    try {
        Ceiling rate = rates(around(true), bytes / mib, static_cast<double>(mib));
        keep(std::move(rate), ceiling_ids::upload, "Upload", "B/s", description(rate, "from"));
        begin(ceiling_ids::download);
        rate = rates(around(false), bytes / mib, static_cast<double>(mib));
        keep(std::move(rate), ceiling_ids::download, "Download", "B/s", description(rate, "to"));
    } catch (...) {
        queue.enqueueUnmapMemObject(pinned, host);
        throw;
    }
    queue.enqueueUnmapMemObject(pinned, host);
    queue.finish();
}

void CeilingMeter::measure_space(const char* id, const char* label, const char* entry_point,
                                 std::size_t window, const char* where) {
    begin(id);
    constexpr std::size_t steps = 4;  // per round
    const std::size_t lanes = lanes_of_memory(), reads = processor_ ? 8 : 4;
    const std::size_t vector = lanes * sizeof(cl_float), bytes = reads * window * vector;
    cl::Kernel one = kernel(entry_point, "float", lanes,
                            {{"READS", std::to_string(reads)}, {"WINDOW", std::to_string(window)}});
    const Buffer from = filled(bytes), out = filled(vector);
    const std::size_t groups = groups_of_chains();
    const Launch launch = [&](std::uint64_t rounds) {
        set_arguments(one, from, out, static_cast<cl_uint>(rounds), cl_uint{1}, cl_float{-1});
        return timed(one, groups);
    };
    const auto each = static_cast<double>(steps * reads * vector * groups * group());
    Ceiling rate = rates(launch, 1U << 30, each);
    rate.sample = fmt::format("{} work-items x {:.0f} reads of {}, {} {}", groups * group(),
                              rate.amount / each * static_cast<double>(steps * reads),
                              vector_type("float", lanes), memory_text(bytes), where);
    keep(std::move(rate), id, label, "B/s", rate.sample);
}

void CeilingMeter::measure_spaces() {
    measure_space(ceiling_ids::local, "Read from local memory", "read_local", processor_ ? 16 : group(),
                  "per group");
    measure_space(ceiling_ids::private_array, "Read from private memory", "read_private", processor_ ? 16 : 2,
                  "per work-item, indexed at run time");
    measure_space(ceiling_ids::constant, "Read from constant memory", "read_constant", processor_ ? 16 : 32,
                  "in total, the same for the whole group");
}

}  // namespace ks::gpu
