#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ks::spots {

/// Union-find over 0 .. n - 1. The root of a set is its smallest member.
class DisjointSets {
  public:
    explicit DisjointSets(std::uint32_t n = 0) : parent_(n) {
        for (std::uint32_t i = 0; i < n; ++i) parent_[i] = i;
    }
    /// Adds a set with one member.
    std::uint32_t add() {
        parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
        return parent_.back();
    }
    /// Adds this many sets with one member each; returns the first.
    std::uint32_t add(std::size_t sets) {
        const auto first = static_cast<std::uint32_t>(parent_.size());
        parent_.resize(parent_.size() + sets);
        std::iota(parent_.begin() + first, parent_.end(), first);
        return first;
    }
    std::size_t size() const { return parent_.size(); }
    std::uint32_t root(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    bool is_root(std::uint32_t i) const { return parent_[i] == i; }
    /// The two roots before the sets were joined: the one that remains, and the one that was replaced. They
    /// are the same if nothing changed.
    std::pair<std::uint32_t, std::uint32_t> join(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        if (b < a) std::swap(a, b);
        parent_[b] = a;
        return {a, b};
    }

  private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace ks::spots
