#include "core/spots/results/spot_part.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "core/base/error.h"

namespace ks::spots {
namespace {

/// Plain values as bytes: a part is read by the same program that wrote it.
template <class T>
Array bytes_of(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    Array bytes = Array::undefined(ElementType::u8, {values.size() * sizeof(T)});
    if (!values.empty()) std::memcpy(bytes.bytes().data(), values.data(), bytes.bytes().size());
    return bytes;
}

template <class T>
void read_back(const Array& bytes, std::vector<T>& values, const T& blank) {
    if (bytes.type() != ElementType::u8 || bytes.size() % sizeof(T) != 0)
        throw Error(ErrorKind::run, "the message does not contain a part of a spots run");
    values.assign(bytes.size() / sizeof(T), blank);
    if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), bytes.bytes().data(), bytes.size());
}

}  // namespace

Result result_of(SpotPart part) {
    Result result;
    const auto put = [&result](const char* name, Array values) {
        result.datasets.push_back({name, name, "", DataKind::overlay, std::move(values)});
    };
    put("sums", bytes_of(part.sums));
    put("first_runs", bytes_of(part.first_runs));
    put("last_runs", bytes_of(part.last_runs));
    put("signal_sizes", Array::of<std::uint64_t>({part.signal_sizes.size()}, part.signal_sizes));
    put("signal_pixel", std::move(part.signal));
    result.facts = {{"any", part.any},
                    {"first_frame", part.first_frame},
                    {"last_frame", part.last_frame},
                    {"marked_signal", part.marked_signal}};
    return result;
}

SpotPart spot_part_of(Result result) {
    SpotPart part;
    read_back(result.at("sums").values, part.sums, SpotSums(0, 0, 0));
    read_back(result.at("first_runs").values, part.first_runs, SignalRun{});
    read_back(result.at("last_runs").values, part.last_runs, SignalRun{});
    const auto sizes = result.at("signal_sizes").values.as<std::uint64_t>();
    part.signal_sizes.assign(sizes.begin(), sizes.end());
    const Array& signal = result.at("signal_pixel").values;
    part.signal = signal.slice(0, signal.shape());
    part.any = result.facts.at("any").get<bool>();
    part.first_frame = result.facts.at("first_frame").get<std::size_t>();
    part.last_frame = result.facts.at("last_frame").get<std::size_t>();
    part.marked_signal = result.facts.at("marked_signal").get<std::size_t>();
    return part;
}

}  // namespace ks::spots
