#include "ui/particles/cost_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QObject>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/quantile.h"
#include "core/particles/parameters.h"
#include "core/particles/treecode/treecode_result.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/general/size_list.h"

namespace ks::ui::particles {
namespace {

using ks::particles::Cost;
using ks::particles::Crossover;

enum Bin { direct = 1, treecode = 2, change = 3 };  // colours

CurveSeries curveOf(const std::map<double, std::vector<double>>& times, const QString& label, Bin bin) {
    CurveSeries curve;
    curve.label = label;
    curve.bin = bin;
    curve.run = QObject::tr("measured");
    for (const auto& [n, samples] : times) {
        curve.x << n;
        curve.y << 1e3 * quantile(samples, 0.5);
        curve.low << 1e3 * quantile(samples, 0.25);
        curve.high << 1e3 * quantile(samples, 0.75);
    }
    return curve;
}

/// Direct sums of this many are fast anywhere: 0.4 s at 1e9 pairs per second.
constexpr double surelyShort = 20'000;
constexpr double longest = 2;  ///< seconds: direct sums expected to take longer are not measured

const ParameterSpec& specOfPoints() {
    static const std::vector<ParameterSpec> specs = ks::particles::analysis_info().benchmark;
    return *std::ranges::find(specs, "points", &ParameterSpec::id);
}

/// 1, 3, 10, 30, ... thousands, up to a hundred thousand or the problem's N if larger.
QString proposed(std::size_t largest) {
    const auto end = std::max<std::size_t>(100'000, largest);
    QStringList list;
    for (std::size_t n = 1000; n < end; n *= 10)
        for (const std::size_t one : {n, 3 * n})
            if (one < end) list << QString::number(one);
    return (list << QString::number(end)).join(QStringLiteral(", "));
}

/// The parameters that the cost of these points depends on, apart from N.
std::vector<ParameterSpec> specsOf(const std::vector<BenchPoint>& points) {
    Request of;
    if (!points.empty()) of.parameters = points.front().sizes;
    const auto idle = ks::particles::idle_parameters(of);
    std::vector<ParameterSpec> specs = ks::particles::analysis_info().benchmark;
    std::erase_if(specs, [&](const ParameterSpec& spec) {
        static const std::set<std::string> named{"kernel",  "sigma",     "wavenumber", "weights",
                                                 "vectors", "precision", "gradient",   "tolerance"};
        return !named.contains(spec.id) ||
               std::ranges::any_of(idle, [&](const auto& one) { return one.id == spec.id; });
    });
    return specs;
}

}  // namespace

QString roundedCount(double n) {
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(n)) - 1));
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(std::round(n / unit) * unit));
}

void CostCurves::add(const ParameterSet& sizes, const BenchRow& row) {
    const std::optional<double> n = size_number(sizes, "points");
    if (!n || row.samples.empty() || (row.variant.id != direct_ && row.variant.id != treecode_)) return;
    std::vector<double> seconds = row.times(&BenchSample::total);
    for (double& one : seconds) one *= 1e-9;
    times_[row.variant.id][*n] = std::move(seconds);
    if (row.verdict.state == Verdict::State::fail) wrong_.insert(row.variant.id);
}

std::vector<Cost> CostCurves::costs(const std::string& variant) const {
    std::vector<Cost> all;
    if (const auto found = times_.find(variant); found != times_.end())
        for (const auto& [n, samples] : found->second) all.push_back({n, quantile(samples, 0.5)});
    return all;
}

std::vector<CostCurves::Compared> CostCurves::compared() const {
    std::vector<Compared> all;
    const auto direct = times_.find(direct_), others = times_.find(treecode_);
    if (direct == times_.end() || others == times_.end()) return all;
    for (const auto& [n, samples] : others->second) {
        const std::optional<double> seconds = expected(n);
        if (!seconds) continue;
        // Where they were not measured, as many as were, at the nearest N below.
        const auto& [measured, runs] = *std::prev(direct->second.upper_bound(n));
        const bool extrapolated = measured != n;
        std::vector<double> times = runs;
        if (extrapolated)
            for (double& time : times) time *= *seconds / quantile(runs, 0.5);
        const Taken taken = extrapolated ? Taken::apart : Taken::in_rounds;
        all.push_back({n, order_of(times, samples, taken), ratio_of_medians(times, samples, taken).known(),
                       extrapolated});
    }
    return all;
}

std::vector<CostCurves::Stretch> CostCurves::stretchesOf(const std::vector<Compared>& all) {
    std::vector<Stretch> stretches;
    for (auto from = all.begin(); from != all.end();) {
        const auto end =
            std::find_if(from, all.end(), [&](const Compared& one) { return one.order != from->order; });
        stretches.emplace_back(from, end);
        from = end;
    }
    return stretches;
}

std::optional<Crossover> CostCurves::crossover() const {
    if (!wrong_.empty()) return std::nullopt;
    const std::vector<Compared> all = compared();
    const std::vector<Stretch> stretches = stretchesOf(all);
    if (stretches.size() < 2 || stretches.back().front().order != Order::shorter ||
        (stretches.end() - 2)->front().order != Order::longer)
        return std::nullopt;
    return ks::particles::crossover_of(costs(direct_), costs(treecode_));
}

std::optional<double> CostCurves::expected(double n) const {
    return ks::particles::direct_seconds(costs(direct_), n);
}

QVector<CurveSeries> CostCurves::series() const {
    const auto labelOf = [this](const std::string& variant) {
        return markedLabel(QString::fromStdString(variant), wrong_.contains(variant));
    };
    QVector<CurveSeries> all;
    for (const auto& [variant, bin] : {std::pair{direct_, direct}, std::pair{treecode_, treecode}})
        if (const auto found = times_.find(variant); found != times_.end())
            all << curveOf(found->second, labelOf(variant), bin);
    const std::vector<Cost> direct_costs = costs(direct_), others = costs(treecode_);
    if (!direct_costs.empty() && !others.empty() && others.back().n > direct_costs.back().n) {
        CurveSeries beyond;
        beyond.label = labelOf(direct_);
        beyond.bin = direct;
        beyond.run = QObject::tr("extrapolated");
        beyond.style = CurveStyle::line;
        for (const double n : {direct_costs.back().n, others.back().n}) {
            beyond.x << n;
            beyond.y << 1e3 * expected(n).value_or(0);
        }
        all << beyond;
    }
    const std::optional<Crossover> found = crossover();
    if (!found || found->kind != Crossover::Kind::from) return all;
    double low = all.front().y.front(), high = low;
    for (const CurveSeries& one : all)
        for (const double y : one.y) {
            low = std::min(low, y);
            high = std::max(high, y);
        }
    CurveSeries line;
    line.label = QObject::tr("crossover");
    line.labelInFull = QObject::tr("crossover at N = %1").arg(roundedCount(found->n));
    line.bin = change;
    line.run = all.front().run;
    line.style = CurveStyle::line;
    line.x = {found->n, found->n};
    line.y = {low, high};
    return all << line;
}

QString CostCurves::verdict() const {
    QStringList wrong;
    for (const std::string& variant : wrong_)
        wrong << QObject::tr("%1 is wrong").arg(QString::fromStdString(variant));
    if (!wrong.isEmpty()) return wrong.join(QStringLiteral(", "));
    const std::vector<Compared> all = compared();
    if (all.empty()) return {};
    if (std::ranges::none_of(all, &Compared::known))
        return QObject::tr("too few runs to compare them: measure again");
    const QString direct = QString::fromStdString(direct_), other = QString::fromStdString(treecode_);
    const std::vector<Stretch> stretches = stretchesOf(all);
    const auto end = crossover();
    QStringList parts;
    for (const Stretch& one : stretches) {
        const Order order = one.front().order;
        const QString first = roundedCount(one.front().n), last = roundedCount(one.back().n);
        const bool starts = &one == &stretches.front(), ends = &one == &stretches.back();
        // That of the crossover says it.
        if (end && starts && stretches.size() == 2) continue;
        bool extrapolated = one.front().extrapolated;
        QString where = one.size() == 1 ? QObject::tr("at N = %1").arg(first)
                                        : QObject::tr("between N = %1 and %2").arg(first, last);
        if (order != Order::undecided && starts && ends && order == Order::shorter) {
            where = QObject::tr("at all N from %1 on").arg(first);
        } else if (order != Order::undecided && starts) {
            where = QObject::tr("up to N = %1").arg(last);
            extrapolated = one.back().extrapolated;
        } else if (order != Order::undecided && ends) {
            where = QObject::tr("from N = %1").arg(end ? roundedCount(end->n) : first);
            if (end) extrapolated = end->extrapolated;
        }
        QString text =
            order == Order::undecided
                ? QObject::tr("no significant difference %1").arg(where)
                : QObject::tr("%1 is faster %2").arg(order == Order::shorter ? other : direct, where);
        if (extrapolated) text += QObject::tr(" (direct sums extrapolated as N\u00b2)");
        parts << text;
    }
    return parts.join(QStringLiteral("; "));
}

CostPanel::CostPanel(std::function<SizeLists()> problem, QWidget* parent)
    : MeasuringPanel(tr("Measure cost"), parent),
      problem_(std::move(problem)),
      sizes_(new QLineEdit),
      plot_(new CurvePlot) {
    auto* label = new QLabel(tr("N"));
    label->setBuddy(sizes_);
    named(sizes_, tr("N sources and N targets"),
          tr("Values of N, separated by commas. The problems are synthetic, with N sources and N targets, "
             "and use the kernel, precision and tolerance set on this page."));
    // Wide enough for the proposed sizes.
    sizes_->setMinimumWidth(
        sizes_->fontMetrics().horizontalAdvance(QStringLiteral("1000, 3000, 10000, 30000, 100000")) + 16);
    sizes_->setMaximumWidth(420);
    plot_->setAccessibleName(tr("Time against N"));
    plot_->setLogX(true);
    plot_->setLogY(true);
    plot_->setXAxis(tr("N sources and N targets"));
    plot_->setYAxis(tr("End to end"), QStringLiteral("ms"));
    plot_->setEmptyText(
        tr("Press \"Measure cost\" to time direct sums and a treecode for these N, and to find the N above "
           "which the treecode is faster"));
    QLayout* const head = inColumns({label, {sizes_, 2}, measure_, Cell::space(3)}, 8, {8, 4, 8, 0});
    setLayout(inRows({head, makeLine(), {plot_, 1}}, 0));
    setWhatsThis(
        tr("Cost of a run against N: direct sums grow with N\u00b2, a treecode with N log N at the given "
           "tolerance. Dashed lines are not measured: they extrapolate the direct sums as N\u00b2."));
    connect(sizes_, &QLineEdit::textEdited, this, [this](const QString& text) { typed_ = text; });
    connect(sizes_, &QLineEdit::textChanged, &refusal_, &PassingError::review);
    setLargest(0);
    showButton();
    draw();
}

void CostPanel::setVariant(const Variant* next) {
    if (const std::string id = next ? next->id : std::string(); std::exchange(next_, id) != id)
        refusal_.review();
}

void CostPanel::setLargest(std::size_t n) {
    largest_ = n;
    if (typed_.isEmpty()) setSizes({});
}

QString CostPanel::sizes() const {
    return sizes_->text();
}

void CostPanel::setSizes(const QString& text) {
    typed_ = text;
    sizes_->setText(text.isEmpty() ? proposed(largest_) : text);
    sizes_->setCursorPosition(0);
}

const Offer* CostPanel::best(bool approximate) const {
    const auto suits = [approximate](const Offer& one) {
        return one.why_not.empty() && ks::particles::is_approximate(one.variant) == approximate &&
               why_not(one.variant, {{"targets", std::string("points")}}, true).empty();
    };
    const auto chosen = std::ranges::find_if(
        offers_, [&](const Offer& one) { return one.variant.id == next_ && suits(one); });
    if (chosen != offers_.end()) return &*chosen;
    const auto found = std::ranges::find_if(offers_, suits);
    return found == offers_.end() ? nullptr : &*found;
}

void CostPanel::begin() {
    std::vector<double> sizes;
    ParameterSpec field = specOfPoints();
    field.label = "N";
    for (const ParameterValue& one : sizesFrom(field, sizes_->text()))
        sizes.push_back(static_cast<double>(std::get<std::int64_t>(one)));
    std::ranges::sort(sizes);
    if (sizes.front() > surelyShort)
        throw Error(ErrorKind::input,
                    "the smallest N must be at most " + roundedCount(surelyShort).toStdString() +
                        ", so that direct sums can be measured",
                    "N");
    const Offer *const direct = best(false), *const treecode = best(true);
    if (!direct || !treecode)
        throw Error(ErrorKind::input, direct ? "no treecode runs on this device with these parameters"
                                             : "no direct sum runs on this device with these parameters");
    measured_.begin({direct->variant.id, treecode->variant.id});
    beside_ = problem_();
    left_ = std::move(sizes);
    stopped_ = false;
    ask();
}

void CostPanel::stop() {
    left_.clear();
    stopped_ = true;
    emit cancelled();
}

BenchPlan CostPanel::planOf(double n, bool direct) const {
    const Measured& of = measured_.newest();
    BenchPlan plan;
    plan.analysis = "particles";
    plan.sizes = beside_;
    for (const char* id : {"points", "targets"}) plan.sizes[id] = {static_cast<std::int64_t>(n)};
    if (direct) plan.variants.push_back(of.direct);
    plan.variants.push_back(of.treecode);
    plan.repeats = runs_for_an_order(2);
    plan.check = CheckMode::sample;
    return plan;
}

void CostPanel::ask() {
    begun_ = false;
    if (left_.empty()) return setRunning(false);  // stopped earlier
    const CostCurves& curves = measured_.newest().curves;
    const bool first = curves.empty();
    const auto end = first ? std::ranges::upper_bound(left_, surelyShort) : left_.end();
    std::vector<BenchPlan> plans;
    for (auto n = left_.begin(); n != end; ++n)
        plans.push_back(planOf(*n, first || curves.expected(*n).value_or(longest) < longest));
    left_.erase(left_.begin(), end);
    asked_ = plans.size();
    ended_ = 0;
    emit wanted(plans);
    // The window refuses while something else runs, and reports it.
    if (!begun_) setRunning(false);
}

void CostPanel::setRunning(bool running) {
    if (running) begun_ = true;
    // All were measured: the larger sizes follow.
    const bool allEnded = begun_ && ended_ == asked_;
    if (!running && allEnded && !left_.empty() && !measured_.newest().curves.empty()) {
        QTimer::singleShot(0, this, &CostPanel::ask);
        return;
    }
    if (!running) {
        left_.clear();
        if (measured_.isArriving()) measured_.arriving().complete = !stopped_ && allEnded;
        measured_.end();
    }
    running_ = running;
    showButton();
    draw();
}

void CostPanel::showButton() {
    MeasuringPanel::showButton(
        running_
            ? measured_.last().replaces()
                  ? tr("Stop measuring; the complete results of the earlier measurement are shown again")
                  : tr("Stop measuring; the results so far are kept")
            : tr("Measure how long direct sums and a treecode take for these N, on the device of the next "
                 "run"));
}

void CostPanel::addRow(std::size_t, const ParameterSet& sizes, const BenchRow& row) {
    if (!measured_.isArriving()) return;
    measured_.arriving().curves.add(sizes, row);
    draw();
}

void CostPanel::setReport(const BenchReport& report) {
    if (!measured_.isArriving()) return;
    ++ended_;
    measured_.arriving().take(report);
    draw();
}

nlohmann::json CostPanel::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    if (!typed_.isEmpty()) kept["sizes"] = typed_.toStdString();
    const Measured& made = measured_.last();
    if (made.reports.empty()) return kept;
    kept["direct"] = made.direct;
    kept["treecode"] = made.treecode;
    for (const auto& report : made.reports) kept["reports"].push_back(*report);
    return kept;
}

void CostPanel::bringBack(const nlohmann::json& kept) {
    if (running_) return;
    if (const QString typed = jsonText(kept, "sizes"); !typed.isEmpty()) setSizes(typed);
    const nlohmann::json reports = jsonPart(kept, "reports");
    if (!reports.is_array()) return;
    try {
        std::vector<BenchReport> read;
        for (const nlohmann::json& one : reports)
            read.push_back(from_json<BenchReport>(one, "a measurement"));
        Measured made(jsonText(kept, "direct").toStdString(), jsonText(kept, "treecode").toStdString());
        for (const BenchReport& one : read) made.take(one);
        made.complete = true;
        measured_.setLast(std::move(made));
    } catch (const std::exception&) {
        measured_.setLast({});  // from another version: it can be measured again
    }
    draw();
}

CostPanel::Measured::Measured(std::string ofDirect, std::string ofTreecode)
    : direct(std::move(ofDirect)), treecode(std::move(ofTreecode)), curves(direct, treecode) {}

void CostPanel::Measured::take(const BenchReport& report) {
    reports.push_back(std::make_shared<const nlohmann::json>(to_json(report)));
    device = report.device.title();
    for (const BenchPoint& point : report.points) {
        points.push_back({point.sizes, {}});
        for (const BenchRow& row : point.rows) {
            curves.add(point.sizes, row);
            BenchRow& kept = points.back().rows.emplace_back();
            kept.variant.id = row.variant.id;
            kept.text_mark = row.text_mark;
            kept.verdict = row.verdict;
            kept.not_run = row.not_run;
            kept.failed = row.failed;
        }
    }
}

QString CostPanel::Measured::untimed() const {
    QStringList sizes;
    for (const BenchPoint& point : points) {
        const std::optional<double> n = size_number(point.sizes, "points");
        const bool timed =
            std::ranges::any_of(point.rows, [this](const BenchRow& row) { return row.variant.id == direct; });
        if (n && !timed) sizes << QLocale(QLocale::English).toString(static_cast<qlonglong>(*n));
    }
    if (sizes.isEmpty()) return {};
    return tr("%1 was not timed at N = %2, where it was expected to take more than %3 s")
        .arg(QString::fromStdString(direct), sizes.join(QStringLiteral("; ")))
        .arg(longest);
}

void CostPanel::showMade() {
    const Measured& shown = measured_.shown();
    PresentSettings now = now_;
    for (const auto& [id, values] : problem_())
        if (!values.empty()) now.values[id] = values.front();
    const MeasuredWith made = measuredWith(shown.points, shown.device, specsOf(shown.points), now, {});
    say(*made_, made.text);
    say(*message_, joinedTexts({troublesText(shown.points, now_.texts, Excluded::named), shown.untimed()},
                               QStringLiteral(". ")));
    plot_->setNote(joinedTexts({made.mark, shown.curves.verdict()}));
    if (shown.points.empty()) return;
    made_->setToolTip(tr("%1\nThe synthetic sources fill a cube with sides of 1; the width and the "
                         "wavenumber are scaled to this cube.")
                          .arg(made_->whole()));
}

void CostPanel::draw() {
    const Measured& shown = measured_.shown();
    plot_->setSeries(shown.curves.series());
    showMade();
}

}  // namespace ks::ui::particles
