#include "core/io/hdf5/held/held_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ks::io {
namespace {

/// Number of frames that are checked one by one when a virtual dataset is opened.
constexpr std::size_t looked_at = 65536;

std::size_t product(const std::vector<std::size_t>& extents, std::size_t count) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    std::size_t all = 1;
    for (std::size_t i = 0; i < count; ++i)
        all = extents[i] != 0 && all > most / extents[i] ? most : all * extents[i];
    return all;
}

std::uint64_t elements_of(const std::vector<Along>& selection) {
    std::uint64_t all = 1;
    for (const Along& along : selection) {
        const std::uint64_t size = along.size();
        all = size != 0 && all > Along::endless / size ? Along::endless : all * size;
    }
    return all;
}

/// Whether two selections can be paired: equal numbers of indices, or one of them endless.
bool same_length(const Along& a, const Along& b) {
    return a.size() == b.size() || a.size() == Along::endless || b.size() == Along::endless;
}

/// The last two dimensions, rows and columns; missing ones have one index.
Along from_behind(const std::vector<Along>& selection, std::size_t place) {
    return selection.size() > place ? selection[selection.size() - 1 - place] : Along();
}

std::size_t outer_dimensions(std::size_t rank) {
    return rank > 2 ? rank - 2 : 0;
}

PixelBlocks rects_of(const std::vector<std::pair<std::size_t, std::size_t>>& rows,
                     const std::vector<std::pair<std::size_t, std::size_t>>& columns) {
    PixelBlocks all;
    for (const auto& [top, bottom] : rows)
        for (const auto& [left, right] : columns) all.push_back({top, bottom, left, right});
    return all;
}

}  // namespace

HeldDataset::HeldDataset(std::string where, std::vector<std::size_t> shape)
    : where_(std::move(where)), shape_(std::move(shape)) {
    const std::size_t rank = shape_.size();
    if (rank > 0) width_ = shape_[rank - 1];
    if (rank > 1) height_ = shape_[rank - 2];
    frames_ = end_ = product(shape_, outer_dimensions(rank));
}

void HeldDataset::hold_nothing() {
    whole_ = false;
    end_ = 0;
}

void HeldDataset::hold_first_bytes(std::uint64_t bytes, std::size_t element) {
    const std::uint64_t frame = std::uint64_t{height_} * width_ * element;
    if (frame == 0 || bytes / frame >= frames_) return;
    whole_ = false;
    end_ = static_cast<std::size_t>(bytes / frame);
}

void HeldDataset::hold_written_chunks(h5::Handle dataset) {
    const h5::Handle properties(H5Dget_create_plist(dataset));
    chunk_.resize(shape_.size());
    H5Pget_chunk(properties, static_cast<int>(chunk_.size()), chunk_.data());
    dataset_ = std::move(dataset);
    whole_ = false;
    const std::size_t rank = shape_.size();
    whole_frames_ = (rank < 1 || chunk_[rank - 1] >= width_) && (rank < 2 || chunk_[rank - 2] >= height_);
    list_few_chunks();
    // Searching many of them for each frame takes longer.
    if (!whole_frames_) find_whole_by_count();
}

std::uint64_t HeldDataset::claimed_chunks() const {
    std::uint64_t claimed = 1;
    for (std::size_t dim = 0; dim < shape_.size(); ++dim) {
        const std::uint64_t along = (shape_[dim] + chunk_[dim] - 1) / chunk_[dim];
        claimed = along != 0 && claimed > Along::endless / along ? Along::endless : claimed * along;
    }
    return claimed;
}

/// A dataset may claim any number of chunks. If they outnumber the bytes of its file, only few exist.
void HeldDataset::list_few_chunks() {
    constexpr hsize_t few = 4096;  // to find each, HDF5 1.10 counts from the first one
    const h5::Handle file(H5Iget_file_id(dataset_)), space(H5Dget_space(dataset_));
    hsize_t bytes = 0, there = 0;
    if (H5Fget_filesize(file, &bytes) < 0 || claimed_chunks() <= bytes ||
        H5Dget_num_chunks(dataset_, space, &there) < 0 || there > few)
        return;
    std::set<std::vector<hsize_t>> found;
    std::vector<hsize_t> offset(shape_.size());
    std::size_t end = 0;
    for (hsize_t i = 0; i < there; ++i) {
        hsize_t size = 0;
        if (H5Dget_chunk_info(dataset_, space, i, offset.data(), nullptr, nullptr, &size) < 0) return;
        if (size == 0) continue;
        found.insert(offset);
        if (shape_.size() > 2) end = std::max<std::size_t>(end, offset[0] + chunk_[0]);
    }
    chunks_ = std::move(found);
    counted_ = true;
    if (shape_.size() == 3) end_ = std::min(frames_, end);
}

bool HeldDataset::find_whole_by_count() const {
    if (whole_ || counted_ || !dataset_.valid()) return whole_;
    counted_ = true;
    const h5::Handle space(H5Dget_space(dataset_));
    hsize_t there = 0;
    whole_ = H5Dget_num_chunks(dataset_, space, &there) >= 0 && there == claimed_chunks();
    return whole_;
}

/// H5Dget_chunk_info_by_coord() searches all chunks before this one.
bool HeldDataset::chunk_written(const std::vector<hsize_t>& offset) const {
    hsize_t bytes = 0;
    return H5Dget_chunk_storage_size(dataset_, offset.data(), &bytes) >= 0 && bytes > 0;
}

PixelBlocks HeldDataset::chunks_of(std::size_t frame) const {
    const std::size_t rank = shape_.size();
    const std::vector<std::size_t> outer = outer_index(frame);
    std::vector<hsize_t> offset(rank, 0);
    for (std::size_t dim = 0; dim < outer.size(); ++dim) offset[dim] = outer[dim] / chunk_[dim] * chunk_[dim];
    const std::size_t rows = rank > 1 ? chunk_[rank - 2] : 1, columns = rank > 0 ? chunk_[rank - 1] : 1;
    PixelBlocks all;
    if (chunks_) {
        // There may be any number of others.
        for (const std::vector<hsize_t>& there : *chunks_) {
            if (!std::equal(offset.begin(), offset.begin() + static_cast<std::ptrdiff_t>(outer.size()),
                            there.begin()))
                continue;
            const std::size_t y = rank > 1 ? there[rank - 2] : 0, x = rank > 0 ? there[rank - 1] : 0;
            all.push_back({y, std::min(y + rows, height_), x, std::min(x + columns, width_)});
        }
        return disjoint(all);
    }
    bool every = true;
    for (std::size_t y = 0; y < height_; y += rows)
        for (std::size_t x = 0; x < width_; x += columns) {
            if (rank > 1) offset[rank - 2] = y;
            if (rank > 0) offset[rank - 1] = x;
            if (chunk_written(offset))
                all.push_back({y, std::min(y + rows, height_), x, std::min(x + columns, width_)});
            else
                every = false;
        }
    return every ? PixelBlocks{all_pixels()} : disjoint(all);
}

std::vector<std::size_t> HeldDataset::outer_index(std::size_t frame) const {
    std::vector<std::size_t> index(outer_dimensions(shape_.size()));
    for (std::size_t dim = index.size(); dim-- > 0;) {
        const std::size_t extent = std::max<std::size_t>(shape_[dim], 1);
        index[dim] = frame % extent;
        frame /= extent;
    }
    return index;
}

/// False if the two selections do not correspond dimension by dimension.
bool HeldDataset::pair_dimensions(Mapped& one) const {
    const VirtualMapping& mapping = one.source.mapping;
    const std::vector<std::size_t>& there = one.source.dataset->shape_;
    const bool all_of_it = mapping.from.empty();
    std::vector<Along> from = mapping.from;
    if (all_of_it)
        for (const std::size_t extent : there) from.push_back(Along::interval(0, extent));
    if (!mapping.regular || from.size() != there.size() || mapping.to.size() != shape_.size()) return false;
    one.to_rows = from_behind(mapping.to, 1);
    one.to_columns = from_behind(mapping.to, 0);
    one.from_rows = from_behind(from, 1);
    one.from_columns = from_behind(from, 0);
    if (!same_length(one.to_rows, one.from_rows) || !same_length(one.to_columns, one.from_columns))
        return false;
    const std::size_t outer = outer_dimensions(shape_.size()), source_outer = outer_dimensions(there.size());
    for (std::size_t dim = 0; dim < source_outer; ++dim) one.source_start.push_back(from[dim].start);
    // A source used as a whole may have grown or be too short.
    const auto run_together = [&](std::size_t dim, std::size_t source_dim) {
        one.outer.emplace_back(dim, source_dim);
        return all_of_it || same_length(mapping.to[dim], from[source_dim]);
    };
    if (outer == source_outer) {
        for (std::size_t dim = 0; dim < outer; ++dim)
            if (!run_together(dim, dim)) return false;
        return true;
    }
    std::vector<std::size_t> longer, source_longer;
    for (std::size_t dim = 0; dim < outer; ++dim)
        if (mapping.to[dim].size() != 1) longer.push_back(dim);
    for (std::size_t dim = 0; dim < source_outer; ++dim)
        if (from[dim].size() != 1) source_longer.push_back(dim);
    if (longer.size() != source_longer.size()) return false;
    for (std::size_t i = 0; i < longer.size(); ++i)
        if (!run_together(longer[i], source_longer[i])) return false;
    return true;
}

/// Whether the source has values for everything that is mapped.
bool HeldDataset::holds_all(const Source& source) {
    const HeldDataset& dataset = *source.dataset;
    const VirtualMapping& mapping = source.mapping;
    if (mapping.from.empty()) {
        if (mapping.regular && elements_of(mapping.to) != product(dataset.shape_, dataset.shape_.size()))
            return false;
    } else {
        if (mapping.from.size() != dataset.shape_.size() ||
            (mapping.regular && elements_of(mapping.to) != elements_of(mapping.from)))
            return false;
        for (std::size_t dim = 0; dim < mapping.from.size(); ++dim)
            if (mapping.from[dim].end() > dataset.shape_[dim]) return false;
    }
    if (dataset.whole_) return true;
    if (dataset.frames_ > looked_at) return false;
    for (std::size_t frame = 0; frame < dataset.frames_; ++frame)
        if (!dataset.whole(frame)) return false;
    return true;
}

HeldDataset::Mapped HeldDataset::mapped(Source source) const {
    Mapped one;
    one.source = std::move(source);
    if (!pair_dimensions(one)) {
        one.all_or_none = holds_all(one.source);
        const auto inside = [](const Along& along, std::size_t extent) {
            return carried(along, along, 0, Along::endless, extent);
        };
        one.covered = rects_of(inside(from_behind(one.source.mapping.to, 1), height_),
                               inside(from_behind(one.source.mapping.to, 0), width_));
        return one;
    }
    const HeldDataset& from = *one.source.dataset;
    const PixelBlocks all = rects_of(carried(one.to_rows, one.to_rows, 0, Along::endless, height_),
                                     carried(one.to_columns, one.to_columns, 0, Along::endless, width_));
    one.covered = rects_of(carried(one.from_rows, one.to_rows, 0, from.height_, height_),
                           carried(one.from_columns, one.to_columns, 0, from.width_, width_));
    one.lost = disjoint(all, one.covered);
    if (!one.lost.empty()) one.covered = all;
    return one;
}

void HeldDataset::hold_sources(std::vector<Source> sources) {
    virtual_ = true;
    whole_ = false;
    for (Source& source : sources) sources_.push_back(mapped(std::move(source)));
    const auto begin = [](const Mapped& one) {
        return one.source.mapping.to.empty() ? std::uint64_t{0} : one.source.mapping.to[0].start;
    };
    if (shape_.size() > 2) std::ranges::stable_sort(sources_, {}, begin);
    std::uint64_t reach = 0;
    for (const Mapped& one : sources_) {
        const std::vector<Along>& to = one.source.mapping.to;
        reach = std::max(reach, to.empty() ? std::uint64_t{1} : to[0].end());
        reach_.push_back(reach);
        const bool full = one.covered == PixelBlocks{all_pixels()} && one.lost.empty();
        whole_frames_ = whole_frames_ && full && one.source.dataset->whole_frames_;
    }
    end_ = find_end();
    // Frames made from several sources are checked for each source, unless these are known to be whole.
    const bool known = std::ranges::all_of(sources_, [&](const Mapped& one) {
        const HeldDataset& dataset = *one.source.dataset;
        return whole_frames_ ? dataset.whole_ : dataset.find_whole_by_count();
    });
    whole_ = known && find_whole();
}

template <class Use>
void HeldDataset::each_source(std::size_t frame, const Use& use) const {
    const std::vector<std::size_t> outer = outer_index(frame);
    std::size_t behind = sources_.size();
    if (!outer.empty()) {
        const auto after = std::ranges::upper_bound(
            sources_, outer[0], {}, [](const Mapped& one) { return one.source.mapping.to[0].start; });
        behind = static_cast<std::size_t>(after - sources_.begin());
    }
    for (std::size_t i = behind; i-- > 0;) {
        if (!outer.empty() && reach_[i] <= outer[0]) break;
        const Mapped& one = sources_[i];
        const VirtualMapping& mapping = one.source.mapping;
        bool covers = true;
        for (std::size_t dim = 0; dim < outer.size() && covers; ++dim)
            covers = mapping.to[dim].number(outer[dim]).has_value();
        if (!covers) continue;
        if (one.all_or_none) {
            use(one, std::optional<std::size_t>());
            continue;
        }
        const HeldDataset& dataset = *one.source.dataset;
        std::vector<std::uint64_t> index(one.source_start.begin(), one.source_start.end());
        for (const auto& [dim, source_dim] : one.outer) {
            const std::uint64_t number = *mapping.to[dim].number(outer[dim]);
            index[source_dim] = mapping.from.empty() ? number : mapping.from[source_dim].index(number);
        }
        std::optional<std::size_t> there = std::size_t{0};
        for (std::size_t dim = 0; dim < index.size() && there; ++dim) {
            if (index[dim] >= dataset.shape_[dim])
                there.reset();
            else
                there = *there * dataset.shape_[dim] + index[dim];
        }
        use(one, there);
    }
}

HeldDataset::Found HeldDataset::sources_of(std::size_t frame) const {
    Found found;
    const auto add = [](PixelBlocks& to, const PixelBlocks& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    each_source(frame, [&](const Mapped& one, std::optional<std::size_t> there) {
        if (one.all_or_none) return add(*one.all_or_none ? found.held : found.lost, one.covered);
        if (!there) return add(found.lost, one.covered);
        add(found.lost, one.lost);
        const HeldDataset& dataset = *one.source.dataset;
        if (dataset.whole(*there)) return add(found.held, one.covered);
        for (const PixelBlock& rect : dataset.held(*there))
            add(found.held,
                rects_of(carried(one.from_rows, one.to_rows, rect.top, rect.bottom, height_),
                         carried(one.from_columns, one.to_columns, rect.left, rect.right, width_)));
    });
    return found;
}

/// The same few sets of rectangles occur again and again.
const PixelBlocks& HeldDataset::settled(const Found& found) const {
    constexpr std::size_t most = 1024;
    const auto known = settled_.find(found);
    if (known != settled_.end()) return known->second;
    if (settled_.size() == most) settled_.clear();
    return settled_.emplace(found, disjoint(found.held, found.lost)).first->second;
}

PixelBlocks HeldDataset::held(std::size_t frame) const {
    if (frame >= end_) return {};
    if (whole_) return {all_pixels()};
    if (virtual_) return settled(sources_of(frame));
    return dataset_.valid() ? chunks_of(frame) : PixelBlocks{all_pixels()};
}

bool HeldDataset::whole(std::size_t frame) const {
    if (frame >= end_) return false;
    if (whole_) return true;
    if (!virtual_) return !dataset_.valid() || chunks_of(frame) == PixelBlocks{all_pixels()};
    const Found found = sources_of(frame);
    if (found.lost.empty() && found.held.size() == 1) return found.held[0] == all_pixels();
    return settled(found) == PixelBlocks{all_pixels()};
}

std::string HeldDataset::why_not_whole(std::size_t frame) const {
    if (!virtual_) return "was never written";
    std::string why;
    const auto name = [](const Mapped& one) { return " (source " + one.source.dataset->where_ + ")"; };
    each_source(frame, [&](const Mapped& one, std::optional<std::size_t> there) {
        const HeldDataset& dataset = *one.source.dataset;
        if (one.all_or_none) {
            if (!*one.all_or_none) why = "is incomplete in a source" + name(one);
        } else if (!there || !one.lost.empty()) {
            why = fmt::format("is beyond the end of a source with the shape {}{}",
                              h5::to_text(dataset.shape_), name(one));
        } else if (!dataset.whole(*there)) {
            why = dataset.why_not_whole(*there);
            if (why.find("(source ") == std::string::npos) why += name(one);
        }
    });
    return why.empty() ? "is in none of the sources of this virtual dataset" : why;
}

/// The end of the range after `frame` within which the sources do not change.
std::size_t HeldDataset::same_until(std::size_t frame) const {
    if (shape_.size() != 3) return frame + 1;
    std::uint64_t until = frames_;
    each_source(frame, [&](const Mapped& one, std::optional<std::size_t> there) {
        const VirtualMapping& mapping = one.source.mapping;
        const bool simple = there && mapping.to[0].solid() && one.outer.size() == 1 &&
                            (mapping.from.empty() || mapping.from[one.outer[0].second].solid()) &&
                            one.source.dataset->shape_.size() == 3 && one.source.dataset->whole_;
        if (!simple)
            until = frame + 1;
        else
            until = std::min<std::uint64_t>(
                {until, mapping.to[0].end(), frame + (one.source.dataset->frames_ - *there)});
    });
    const auto next = std::ranges::upper_bound(
        sources_, frame, {}, [](const Mapped& one) { return one.source.mapping.to[0].start; });
    if (next != sources_.end()) until = std::min(until, next->source.mapping.to[0].start);
    return std::max<std::size_t>(until, frame + 1);
}

bool HeldDataset::find_whole() const {
    if (end_ < frames_) return false;
    std::size_t frame = 0;
    for (std::size_t step = 0; step < looked_at && frame < frames_; ++step) {
        if (!whole(frame)) return false;
        frame = same_until(frame);
    }
    return frame >= frames_;
}

std::size_t HeldDataset::find_end() const {
    if (shape_.size() != 3) return frames_;
    std::uint64_t end = 0;
    for (const Mapped& one : sources_) {
        const VirtualMapping& mapping = one.source.mapping;
        const Along& to = mapping.to[0];
        std::uint64_t given = to.size();
        if (!one.all_or_none && one.outer.size() == 1) {
            const HeldDataset& dataset = *one.source.dataset;
            const std::size_t dim = one.outer[0].second;
            const std::uint64_t there =
                dataset.shape_.size() == 3 ? dataset.end_ : std::uint64_t{dataset.shape_[dim]};
            given = std::min(given, mapping.from.empty() ? there : mapping.from[dim].below(there));
        }
        if (given == 0) continue;
        end = std::max(end, given >= Along::endless ? Along::endless : to.index(given - 1) + 1);
    }
    return static_cast<std::size_t>(std::min<std::uint64_t>(end, frames_));
}

}  // namespace ks::io
