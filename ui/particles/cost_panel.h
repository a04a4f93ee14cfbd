#pragma once

#include <QString>
#include <QVector>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/particles/crossover.h"
#include "core/run/bench.h"
#include "core/run/bench_statistics.h"
#include "ui/base/newest.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/general/measured_with.h"
#include "ui/shell/general/measuring_panel.h"

class QLineEdit;

namespace ks::ui {
class CurvePlot;
}  // namespace ks::ui

namespace ks::ui::particles {

/// Measured end-to-end times of direct sums and of a treecode as functions of N.
class CostCurves {
  public:
    CostCurves() = default;
    /// @param direct, treecode ids of the variants
    CostCurves(std::string direct, std::string treecode)
        : direct_(std::move(direct)), treecode_(std::move(treecode)) {}

    /// Adds the samples of a row of one of the two variants.
    void add(const ParameterSet& sizes, const BenchRow& row);
    bool empty() const { return times_.empty(); }
    /// Medians by ascending N.
    std::vector<ks::particles::Cost> costs(const std::string& variant) const;
    /// From where on the treecode is faster, if direct sums are at the measured N before; both significantly.
    /// None if one of the two is wrong: it may be fast because work was left out.
    std::optional<ks::particles::Crossover> crossover() const;
    /// Time that direct sums would take at n, extrapolated from the measurements, in seconds.
    std::optional<double> expected(double n) const;

    /// The curves in ms over N, with the N^2 extrapolation dashed and the crossover as a line.
    QVector<CurveSeries> series() const;
    /// "treecode is faster from N = 23,000", "no significant difference between N = 500 and 8,000", or
    /// "user.mine is wrong"; empty: not known yet.
    QString verdict() const;

  private:
    /// Both at one N.
    struct Compared {
        double n;
        Order order;        ///< of the treecode's times compared with those of direct sums
        bool known;         ///< there are enough runs to tell
        bool extrapolated;  ///< the latter were not measured at n
    };
    /// By ascending N: those with a known time of direct sums.
    std::vector<Compared> compared() const;
    /// Of the same order, one after another.
    using Stretch = std::span<const Compared>;
    static std::vector<Stretch> stretchesOf(const std::vector<Compared>& all);

    std::string direct_, treecode_;
    std::map<std::string, std::map<double, std::vector<double>>> times_;  ///< seconds, [variant][N]
    std::set<std::string> wrong_;  ///< variants that failed the check at some N
};

/// "23,000": rounded to two significant digits.
QString roundedCount(double n);

/// Cost of a run against N, by direct sums and by a treecode. Requests benchmarks of synthetic problems with
/// N sources and N targets and plots them as they arrive, with the N from which the treecode is faster.
/// Direct sums that would take long are not measured: their time is extrapolated by N^2.
class CostPanel : public MeasuringPanel {
    Q_OBJECT
  public:
    /// @param problem sizes of the synthetic problem other than N, as they are when measuring starts; a list
    /// without values is left to the window's form
    explicit CostPanel(std::function<SizeLists()> problem, QWidget* parent = nullptr);

    void setOffers(const std::vector<Offer>& offers) override { offers_ = offers; }
    /// It is measured, together with the best available one of the other kind.
    void setVariant(const Variant* next) override;
    /// The problem on the page may have changed.
    void showMade();
    /// Number of sources on the page: default sizes extend up to it.
    void setLargest(std::size_t n);
    /// The sizes N, "1000, 3000".
    QString sizes() const;
    void setSizes(const QString& text);
    /// Empty: the default ones.
    QString typedSizes() const { return typed_; }

    void setRunning(bool running) override;
    void addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row) override;
    void setReport(const BenchReport& report) override;

    /// The typed sizes and, unless measuring is in progress, the last measurement.
    nlohmann::json keep() const;
    /// Restores what keep() returned; invalid parts are ignored.
    void bringBack(const nlohmann::json& kept);

    const CostCurves& curves() const { return measured_.shown().curves; }
    CurvePlot& plot() { return *plot_; }

  private:
    struct Measured {
        std::string direct = {}, treecode = {};  ///< ids of the variants
        CostCurves curves = {};
        std::vector<std::shared_ptr<const nlohmann::json>> reports = {};  ///< from which the curves are made
        std::vector<BenchPoint> points = {};                              ///< of the reports
        std::string device = {};                                          ///< title
        bool complete = false;

        Measured() = default;
        Measured(std::string ofDirect, std::string ofTreecode);
        void take(const BenchReport& report);
        /// For which N direct sums were not measured, since they were expected to take long; empty: for none.
        QString untimed() const;
        bool empty() const { return curves.empty() && !complete; }
        bool replaces() const { return complete; }
    };
    void showNext() override { showMade(); }
    void begin() override;
    void stop() override;
    /// Requests plans for the remaining sizes: first small ones, then direct sums expected to be short, and
    /// the treecode for all.
    void ask();
    BenchPlan planOf(double n, bool direct) const;
    void showButton();
    void draw();
    const Offer* best(bool approximate) const;

    std::function<SizeLists()> problem_;
    std::vector<Offer> offers_;
    std::string next_;  ///< id; empty: none
    QString typed_;
    std::size_t largest_ = 0;

    SizeLists beside_;
    std::vector<double> left_;  ///< sizes not yet in any plan
    std::size_t asked_ = 0, ended_ = 0;
    bool begun_ = false, stopped_ = false;
    Newest<Measured> measured_;

    QLineEdit* sizes_;
    CurvePlot* plot_;
};

}  // namespace ks::ui::particles
