#include "ui/image/overlay/isolines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace ks::ui {
namespace {

/// A point where a line crosses an edge of the grid, with its neighbours on the line.
struct Crossing {
    QPointF at;
    std::array<int, 2> next{-1, -1};
    bool taken = false;

    bool isEnd() const { return next[1] < 0; }
    void join(int other) { next[next[0] < 0 ? 0 : 1] = other; }
};

constexpr int none = -1;

/// Walks the cells row by row and stores the crossings on the edges of one row.
class Tracer {
  public:
    Tracer(std::span<const float> values, std::size_t rows, std::size_t columns, double level, double maxStep)
        : values_(values), rows_(rows), columns_(columns), level_(level), maxStep_(maxStep) {}

    std::vector<QPolygonF> lines() {
        if (rows_ < 2 || columns_ < 2) return {};
        march();
        std::vector<QPolygonF> all;
        // Ends first, so that an open line is one piece; all remaining lines are closed.
        for (const bool closed : {false, true})
            for (std::size_t start = 0; start < crossings_.size(); ++start)
                if (!crossings_[start].taken && (closed || crossings_[start].isEnd()))
                    all.push_back(follow(static_cast<int>(start), closed));
        return all;
    }

  private:
    float at(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }

    void march() {
        std::vector<std::uint8_t> here(columns_), next(columns_);
        const auto compare = [this](std::size_t i, std::vector<std::uint8_t>& inside) {
            const float* row = values_.data() + i * columns_;
            const auto level = static_cast<float>(level_);
            for (std::size_t j = 0; j < columns_; ++j) inside[j] = row[j] >= level;
        };
        across_.assign(columns_, none);
        before_.assign(columns_, none);
        after_.assign(columns_, none);
        compare(0, here);
        for (std::size_t i = 0; i + 1 < rows_; ++i) {
            compare(i + 1, next);
            std::fill(across_.begin(), across_.end(), none);
            std::fill(after_.begin(), after_.end(), none);
            for (std::size_t j = 0; j + 1 < columns_; ++j) {
                const int inside = here[j] | next[j] << 1 | next[j + 1] << 2 | here[j + 1] << 3;
                if (inside != 0 && inside != 15) cell(i, j, inside);
            }
            std::swap(here, next);
            std::swap(before_, after_);
        }
    }

    /// @param inside bits of the corners a (i, j), b (i + 1, j), c (i + 1, j + 1), d (i, j + 1)
    void cell(std::size_t i, std::size_t j, int inside) {
        const float a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
        const auto [minimum, maximum] = std::minmax({a, b, c, d});
        if (!std::isfinite(a + b + c + d) || double{maximum} - minimum > maxStep_) return;
        const auto crossing = [&](int& known, double from, double to, bool alongJ, std::size_t ci,
                                  std::size_t cj) {
            if (known != none) return known;
            const double share = (level_ - from) / (to - from);
            known = static_cast<int>(crossings_.size());
            crossings_.push_back({QPointF(static_cast<double>(ci) + (alongJ ? 0 : share),
                                          static_cast<double>(cj) + (alongJ ? share : 0)),
                                  {none, none},
                                  false});
            return known;
        };
        const auto low = [&] { return crossing(across_[j], a, b, false, i, j); };
        const auto high = [&] { return crossing(across_[j + 1], d, c, false, i, j + 1); };
        const auto left = [&] { return crossing(before_[j], a, d, true, i, j); };
        const auto right = [&] { return crossing(after_[j], b, c, true, i + 1, j); };
        // Cases that differ only in sign are listed once.
        switch (std::min(inside, 15 - inside)) {
            case 1:
                return join(left(), low());
            case 2:
                return join(low(), right());
            case 3:
                return join(left(), right());
            case 4:
                return join(right(), high());
            case 6:
                return join(low(), high());
            case 7:
                return join(left(), high());
            default:
                break;
        }
        const bool middle = (double{a} + b + c + d) / 4 >= level_;
        // a and c are inside (5) or b and d (10): the middle joins the corners of its sign.
        if (middle == (inside == 5)) {
            join(left(), high());
            join(low(), right());
        } else {
            join(left(), low());
            join(right(), high());
        }
    }

    void join(int one, int other) {
        crossings_[static_cast<std::size_t>(one)].join(other);
        crossings_[static_cast<std::size_t>(other)].join(one);
    }

    QPolygonF follow(int start, bool closed) {
        QPolygonF line;
        for (int here = start; here != none;) {
            Crossing& one = crossings_[static_cast<std::size_t>(here)];
            one.taken = true;
            line << one.at;
            here = none;
            for (const int next : one.next)
                if (next != none && here == none && !crossings_[static_cast<std::size_t>(next)].taken)
                    here = next;
        }
        if (closed) line << line.front();
        return line;
    }

    std::span<const float> values_;
    std::size_t rows_, columns_;
    double level_, maxStep_;
    std::vector<Crossing> crossings_;
    /// Crossings on the edges along i in this row of cells, and on those along j before and after it:
    /// index or none.
    std::vector<int> across_, before_, after_;
};

}  // namespace

std::vector<QPolygonF> isolines(std::span<const float> values, std::size_t rows, std::size_t columns,
                                double level, double maxStep) {
    return Tracer(values, rows, columns, level, maxStep).lines();
}

}  // namespace ks::ui
