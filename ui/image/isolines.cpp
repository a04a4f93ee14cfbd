#include "ui/image/isolines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace ks::ui {
namespace {

/// An edge of the grid: twice the number of its first corner, plus 1 where it goes along j.
using Edge = std::size_t;

/// A crossing of an edge with its neighbours on the line, at most two.
struct Crossing {
    QPointF at;
    std::array<Edge, 2> next{};
    int neighbours = 0;
    bool taken = false;
};

class Tracer {
  public:
    Tracer(std::span<const float> values, std::size_t rows, std::size_t columns, double level)
        : values_(values), rows_(rows), columns_(columns), level_(level) {}

    void march(double mostStep) {
        for (std::size_t i = 0; i + 1 < rows_; ++i)
            for (std::size_t j = 0; j + 1 < columns_; ++j) cell(i, j, mostStep);
    }

    std::vector<QPolygonF> lines() {
        std::vector<QPolygonF> all;
        // Ends first, so that an open line is one piece; what is left is closed.
        for (const bool closed : {false, true})
            for (const Edge edge : order_)
                if (Crossing& start = crossings_.at(edge); !start.taken && (closed || start.neighbours == 1))
                    all.push_back(follow(edge, closed));
        return all;
    }

  private:
    float at(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }

    void cell(std::size_t i, std::size_t j, double mostStep) {
        const float a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
        const int inside = (a >= level_) | (b >= level_) << 1 | (c >= level_) << 2 | (d >= level_) << 3;
        if (inside == 0 || inside == 15) return;
        const auto [least, most] = std::minmax({a, b, c, d});
        if (!std::isfinite(a + b + c + d) || double{most} - least > mostStep) return;
        const Edge corner = 2 * (i * columns_ + j);
        const Edge low = corner, right = corner + 2 * columns_ + 1, high = corner + 2, left = corner + 1;
        // Sides in the order a-b, b-c, c-d, d-a; of the cases that differ in the sign alone one is written.
        switch (std::min(inside, 15 - inside)) {
            case 1:
                return join(left, low);
            case 2:
                return join(low, right);
            case 3:
                return join(left, right);
            case 4:
                return join(right, high);
            case 6:
                return join(low, high);
            case 7:
                return join(left, high);
            default:
                break;
        }
        const bool middle = (double{a} + b + c + d) / 4 >= level_;
        // a and c are inside (5) or b and d (10): the middle joins its like.
        if (middle == (inside == 5)) {
            join(left, high);
            join(low, right);
        } else {
            join(left, low);
            join(right, high);
        }
    }

    Crossing& crossing(Edge edge) {
        const auto [found, made] = crossings_.try_emplace(edge);
        if (made) {
            order_.push_back(edge);
            const std::size_t corner = edge / 2, i = corner / columns_, j = corner % columns_;
            const bool alongJ = edge % 2 == 1;
            const double from = at(i, j), to = alongJ ? at(i, j + 1) : at(i + 1, j);
            const double share = (level_ - from) / (to - from);
            found->second.at = {static_cast<double>(i) + (alongJ ? 0 : share),
                                static_cast<double>(j) + (alongJ ? share : 0)};
        }
        return found->second;
    }

    void join(Edge one, Edge other) {
        for (const auto& [edge, next] : {std::pair{one, other}, std::pair{other, one}}) {
            Crossing& here = crossing(edge);
            if (here.neighbours < 2) here.next[static_cast<std::size_t>(here.neighbours++)] = next;
        }
    }

    QPolygonF follow(Edge edge, bool closed) {
        QPolygonF line;
        for (Crossing* here = &crossings_.at(edge); here;) {
            here->taken = true;
            line << here->at;
            Crossing* next = nullptr;
            for (int k = 0; k < here->neighbours && !next; ++k)
                if (Crossing& one = crossings_.at(here->next[static_cast<std::size_t>(k)]); !one.taken)
                    next = &one;
            here = next;
        }
        if (closed) line << line.front();
        return line;
    }

    std::span<const float> values_;
    std::size_t rows_, columns_;
    double level_;
    std::unordered_map<Edge, Crossing> crossings_;
    std::vector<Edge> order_;
};

}  // namespace

std::vector<QPolygonF> isolines(std::span<const float> values, std::size_t rows, std::size_t columns,
                                double level, double mostStep) {
    Tracer tracer(values, rows, columns, level);
    tracer.march(mostStep);
    return tracer.lines();
}

}  // namespace ks::ui
