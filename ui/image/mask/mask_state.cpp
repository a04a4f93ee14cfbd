#include "ui/image/mask/mask_state.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "ui/files/data_identity.h"

namespace ks::ui {
namespace {

constexpr std::size_t mostPixels = std::size_t{1} << 31;

/// Calls use(start, length, label) for each run.
template <class Use>
void eachRun(const MaskState& state, const Array& runs, std::size_t columns, Use&& use) {
    const auto refuse = [] { throw Error(ErrorKind::input, "the saved mask cannot be read"); };
    if (state.height > mostPixels || state.width > mostPixels || state.height * state.width > mostPixels ||
        runs.type() != ElementType::u32 || runs.rank() != 2 || runs.shape()[1] != columns)
        refuse();
    const std::size_t pixels = state.height * state.width;
    const auto all = runs.as<std::uint32_t>();
    for (std::size_t i = 0; i + columns <= all.size(); i += columns) {
        const std::size_t start = all[i], length = all[i + 1];
        const std::uint32_t label = columns == 3 ? all[i + 2] : 1;
        if (start > pixels || length > pixels - start || label > 1'000'000) refuse();
        use(start, length, label);
    }
}

template <class T>
std::vector<T> unpacked(const MaskState& state, const Array& runs, std::size_t columns) {
    requireSound(state);
    std::vector<T> values(state.height * state.width);
    eachRun(state, runs, columns, [&](std::size_t start, std::size_t length, std::uint32_t label) {
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(start), length, static_cast<T>(label));
    });
    return values;
}

}  // namespace

MaskPlace maskPlace(const std::string& data, const MaskState& state) {
    const std::size_t end = endOfFile(data);
    return {data.substr(0, end), end < data.size() ? data.substr(end + 2) : std::string(), state.height,
            state.width};
}

std::string dataOf(const MaskPlace& place) {
    return place.object && !place.object->empty() ? place.file + "::" + *place.object : place.file;
}

void renameMasks(Masks& masks, const std::function<std::string(const std::string&)>& nameNow) {
    Masks renamed;
    for (auto& [place, state] : masks) {
        const std::string data = dataOf(place), now = nameNow(data);
        // First those that have this name already.
        if (now == data) renamed.insert_or_assign(place, std::move(state));
    }
    for (auto& [place, state] : masks) {
        const std::string data = dataOf(place), now = nameNow(data);
        if (now == data) continue;
        MaskPlace other = maskPlace(now, state);
        if (!place.object) other.object.reset();
        renamed.try_emplace(std::move(other), std::move(state));
    }
    masks = std::move(renamed);
}

Array labelRuns(const std::vector<std::int32_t>& labels) {
    std::vector<std::uint32_t> runs;
    for (std::size_t at = 0; at < labels.size();) {
        const std::size_t start = at;
        const std::int32_t label = labels[at];
        while (at < labels.size() && labels[at] == label) ++at;
        if (label > 0)
            runs.insert(runs.end(),
                        {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at - start),
                         static_cast<std::uint32_t>(label)});
    }
    return Array::of({runs.size() / 3, 3}, runs);
}

void requireSound(const MaskState& state) {
    const auto nothing = [](std::size_t, std::size_t, std::uint32_t) {};
    eachRun(state, state.mask, 2, nothing);
    eachRun(state, state.bins, 3, nothing);
}

std::vector<std::uint8_t> maskOf(const MaskState& state) {
    return unpacked<std::uint8_t>(state, state.mask, 2);
}

std::vector<std::int32_t> binsOf(const MaskState& state) {
    return unpacked<std::int32_t>(state, state.bins, 3);
}

Array runsOf(const std::vector<std::uint8_t>& ignore) {
    std::vector<std::uint32_t> runs;
    const std::size_t n = ignore.size();
    std::size_t at = 0;
    while (at < n) {
        // Eight free pixels at a time, as most of a mask is free.
        std::uint64_t eight = 0;
        while (at + 8 <= n && (std::memcpy(&eight, ignore.data() + at, 8), eight == 0)) at += 8;
        while (at < n && ignore[at] == 0) ++at;
        const std::size_t start = at;
        while (at < n && ignore[at] != 0) ++at;
        if (at > start) {
            runs.push_back(static_cast<std::uint32_t>(start));
            runs.push_back(static_cast<std::uint32_t>(at - start));
        }
    }
    return Array::of({runs.size() / 2, 2}, runs);
}

void FrozenMask::refresh(const std::vector<std::uint8_t>& ignore) const {
    if (fresh_) return;
    runs_ = runsOf(ignore);
    copy_.reset();
    fresh_ = true;
}

const Array& FrozenMask::runs(const std::vector<std::uint8_t>& ignore) const {
    refresh(ignore);
    return runs_;
}

std::shared_ptr<const std::vector<std::uint8_t>> FrozenMask::copy(
    const std::vector<std::uint8_t>& ignore) const {
    refresh(ignore);
    if (!copy_ && runs_.size() > 0) copy_ = std::make_shared<const std::vector<std::uint8_t>>(ignore);
    return copy_;
}

}  // namespace ks::ui
