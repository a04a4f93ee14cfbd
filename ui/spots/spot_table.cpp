#include "ui/spots/spot_table.h"

#include <QColor>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/run/parameter_spec.h"
#include "core/spots/results/spot_columns.h"
#include "ui/base/count_text.h"
#include "ui/base/json_read.h"

namespace ks::ui::spots {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

using ks::spots::Spot;

QString whole(double value) {
    return QString::number(value, 'f', 0);
}

/// As many decimal places for all values: a centroid is accurate to sqrt(var / sum), some hundredths of a
/// pixel, even if x has four digits.
template <int n>
QString places(double value) {
    return std::isfinite(value) ? QString::number(value, 'f', n) : QStringLiteral("\u2013");
}

/// Four significant digits, in at most so many decimal places, so that the digits of a column line up.
template <int n>
QString digits(double value) {
    if (!std::isfinite(value)) return QStringLiteral("\u2013");
    const double size = std::abs(value);
    const int before = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    return QString::number(value, 'f', std::clamp(n, 0, std::max(0, 4 - before)));
}

/// Counts are integers, but frames may contain real numbers.
QString counts(double value) {
    return std::isfinite(value) && value == std::floor(value) ? whole(value) : digits<3>(value);
}

/// One column: its texts, the number of a spot (null: not of the spot alone), and how it is written.
struct SpotColumn {
    ColumnText text;
    double (*number)(const Spot& spot);
    QString (*written)(double value);
};

constexpr std::array<SpotColumn, SpotTableModel::ColumnCount> spotColumns{{
    {{"number", "#", "", "Number of the spot; spots are numbered in the order of their first pixels"},
     nullptr,
     whole},
    {{"frame", "Frames", "", "First to last frame with a signal pixel of the spot, counted from 0"},
     [](const Spot& s) -> double { return s.z0; },
     whole},
    {{"x", "x", "px", "Count-weighted centroid; the first pixel spans 0 to 1"},
     [](const Spot& s) { return s.x; },
     places<2>},
    {{"y", "y", "px", "Count-weighted centroid; the first pixel spans 0 to 1"},
     [](const Spot& s) { return s.y; },
     places<2>},
    {{"z", "z", "frames", "Count-weighted centroid; the middle of frame 7 is at 7.5"},
     [](const Spot& s) { return s.z; },
     places<2>},
    {{"pixels", "Pixels", "", "Signal pixels"},
     [](const Spot& s) { return static_cast<double>(s.n_signal); },
     whole},
    {{"sum", "Sum", "counts", "Counts of the signal pixels, including background"},
     [](const Spot& s) { return s.sum; },
     counts},
    {{"peak", "Peak", "counts", "Counts of the brightest pixel"},
     [](const Spot& s) { return s.peak; },
     counts},
    {{"background", "Bkg", "counts/px", "Background: mean of the surrounding valid non-signal pixels"},
     [](const Spot& s) { return s.background; },
     digits<2>},
    {{"i_sigma", "I/\u03c3", "",
      "(sum - pixels * background) / sqrt(gain * sum): uses only the counting error of the sum"},
     nullptr,  // depends on the gain of the run as well
     digits<1>},
    {{"d", "d", "\u00c5", "Resolution"}, [](const Spot& s) { return s.d; }, digits<3>},
    {{"q", "q", "1/\u00c5", "Scattering vector"}, [](const Spot& s) { return s.q; }, digits<6>},
    {{"var_x", "var x", "px\u00b2", "Variance of the counts around the centroid"},
     [](const Spot& s) { return s.var_x; },
     digits<3>},
    {{"var_y", "var y", "px\u00b2", "Variance of the counts around the centroid"},
     [](const Spot& s) { return s.var_y; },
     digits<3>},
    {{"var_z", "var z", "frames\u00b2", "Variance of the counts around the centroid"},
     [](const Spot& s) { return s.var_z; },
     digits<3>},
    {{"saturated", "Saturated", "px", "Saturated pixels in or next to the spot, excluded from the sums"},
     [](const Spot& s) -> double { return s.saturated; },
     whole},
    {{"why", "Kept", "", "Whether the spot is kept, or why it was dropped", true},
     [](const Spot& s) { return static_cast<double>(s.dropped); },
     [](double why) { return QString::fromUtf8(name_of(static_cast<ks::spots::Dropped>(why))); }},
}};

const SpotColumn& of(int column) {
    return spotColumns[static_cast<std::size_t>(column)];
}

/// Counts per photon that the run was given.
double gainOf(const Run& run) {
    const ParameterSet& set = run.request.parameters;
    const double gain = set.contains("gain") ? real(set, "gain") : 1;
    return gain > 0 ? gain : 1;
}

}  // namespace

double significance(const ks::spots::Spot& spot, double gain) {
    if (!(spot.sum > 0)) return unknown;
    return (spot.sum - static_cast<double>(spot.n_signal) * spot.background) / std::sqrt(gain * spot.sum);
}

QString noSpotsText(bool wrong) {
    return wrong ? SpotTable::tr(
                       "No spots found, but the result is wrong: correct the kernel or choose another "
                       "variant.")
                 : SpotTable::tr("No spots found: lower the thresholds or the minimum size.");
}

SpotTableModel::SpotTableModel(QObject* parent) : OrderedTableModel({}, parent) {
    std::vector<ColumnText> texts;
    texts.reserve(std::size(spotColumns));
    for (const SpotColumn& one : spotColumns) texts.push_back(one.text);
    setColumns(std::move(texts));
}

void SpotTableModel::setSpots(std::vector<ks::spots::Spot> spots, int firstFrame, double gain) {
    beginResetModel();
    spots_ = std::move(spots);
    firstFrame_ = firstFrame;
    gain_ = gain;
    resetItems(spots_.size());
    endResetModel();
}

double SpotTableModel::number(int spot, int column) const {
    const ks::spots::Spot& one = spots_[static_cast<std::size_t>(spot)];
    if (column == NumberColumn) return spot + 1;
    if (column == SignificanceColumn) return significance(one, gain_);
    const double first = column == FramesColumn || column == ZColumn ? firstFrame_ : 0;
    return first + of(column).number(one);
}

double SpotTableModel::lastFrame(int spot) const {
    return firstFrame_ + static_cast<double>(spots_[static_cast<std::size_t>(spot)].z1) - 1;
}

std::pair<double, double> SpotTableModel::range(int spot, int column) const {
    if (column == FramesColumn) return {number(spot, column), lastFrame(spot)};
    return OrderedTableModel::range(spot, column);
}

std::vector<std::string> SpotTableModel::csvKeys(int column) const {
    if (column == FramesColumn) return {"first_frame", "last_frame"};
    return OrderedTableModel::csvKeys(column);
}

QString SpotTableModel::text(int spot, int column) const {
    const double value = number(spot, column);
    const QString text = of(column).written(value);
    if (column != FramesColumn || lastFrame(spot) == value) return text;
    return text + QStringLiteral("\u2013") + whole(lastFrame(spot));
}

QVariant SpotTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int spot = spotAt(index.row());
    const ks::spots::Spot& s = spots_[static_cast<std::size_t>(spot)];
    switch (role) {
        case Qt::ForegroundRole:
            // A grey equally far from black and white.
            return s.dropped == ks::spots::Dropped::kept ? QVariant() : QVariant(QColor(0x80, 0x80, 0x80));
        case Qt::ToolTipRole:
            return tr("Spot %1 in frame %2: x %3 to %4, y %5 to %6; peak at %7, %8 in frame %9")
                       .arg(spot + 1)
                       .arg(text(spot, FramesColumn))
                       .arg(s.x0)
                       .arg(s.x1)
                       .arg(s.y0)
                       .arg(s.y1)
                       .arg(s.peak_x)
                       .arg(s.peak_y)
                       .arg(firstFrame_ + static_cast<qint64>(s.peak_z)) +
                   (s.dropped == ks::spots::Dropped::kept
                        ? QString()
                        : tr("; dropped: %1").arg(QString::fromUtf8(name_of(s.dropped))));
        default:
            return OrderedTableModel::data(index, role);
    }
}

FilterNames spotFilterNames() {
    using Model = SpotTableModel;
    FilterNames names;
    for (int c = 0; c < Model::KeptColumn; ++c)
        names.columns.push_back({QString::fromUtf8(of(c).text.key), c});
    names.synonyms = {{QStringLiteral("frames"), Model::FramesColumn},
                      {QStringLiteral("size"), Model::PixelsColumn},
                      {QStringLiteral("intensity"), Model::SumColumn},
                      {QStringLiteral("bg"), Model::BackgroundColumn},
                      {QStringLiteral("isigi"), Model::SignificanceColumn},
                      {QStringLiteral("resolution"), Model::DColumn},
                      {QStringLiteral("i\u03c3"), Model::SignificanceColumn}};
    for (const ks::spots::Dropped why : ks::spots::all_reasons)
        names.words.push_back({QString::fromUtf8(name_of(why)), Model::KeptColumn, static_cast<double>(why)});
    names.example = QStringLiteral("sum > 500, d < 3");
    return names;
}

SpotTable::SpotTable(QWidget* parent) : SpotTable(new SpotTableModel, parent) {}

SpotTable::SpotTable(SpotTableModel* model, QWidget* parent)
    : FilteredTable(*model, spotFilterNames(),
                    {tr("Spots"), tr("spots"),
                     tr("Conditions separated by commas; a row must meet all of them. Example: sum > 500, 2 "
                        "< d < 3, frame 10..20, ice.\nFrames are counted from 0. The tooltip of a column "
                        "gives the name to use here."),
                     QStringLiteral("spots"), tr("spot")},
                    parent),
      model_(model),
      kept_(new QCheckBox(tr("&Kept only"), this)),
      here_(new QCheckBox(tr("This fra&me"), this)) {
    // After the view among the children, so that it is destroyed later.
    model_->setParent(this);
    kept_->setChecked(true);
    kept_->setToolTip(tr("Hide spots that were dropped (too small, too large, on an ice ring, ...)"));
    here_->setToolTip(tr("Only spots with a signal pixel in the displayed frame"));
    addChoice(kept_);
    addChoice(here_);
    chooseSpots();
    chooseColumns();
    setResult(nullptr);
    connect(this, &FilteredTable::rowsChanged, this, &SpotTable::visibleSpotsChanged);
    connect(kept_, &QCheckBox::toggled, this, [this] {
        chooseColumns();  // reason for dropping a spot
        countAll();
        chooseSpots();
        remember();
    });
    connect(here_, &QCheckBox::toggled, this, [this] {
        chooseSpots();
        remember();
    });
}

nlohmann::json SpotTable::keep() const {
    nlohmann::json kept = FilteredTable::keep();
    if (!keptOnly()) kept["dropped"] = true;
    if (frameOnly()) kept["frame"] = true;
    return kept;
}

void SpotTable::bringBack(const nlohmann::json& kept) {
    FilteredTable::bringBack(kept);
    setKeptOnly(!jsonBoolean(kept, "dropped"));
    setFrameOnly(jsonBoolean(kept, "frame"));
}

void SpotTable::setResult(std::shared_ptr<const Run> run, const QString& missing) {
    std::vector<ks::spots::Spot> found;
    int first = 0;
    const QString none = missing.isEmpty() ? tr("Press Run (F5) to search for spots.") : missing;
    showLost(nullptr);
    try {
        if (run) {
            found = ks::spots::spots_of(run->result);
            first = run->result.facts.value("first_frame", 0);
        }
    } catch (const Error&) {
        setSpots({}, 0);
        refresh(none);
        throw;
    }
    setSpots(std::move(found), first, run ? gainOf(*run) : 1);
    showLost(run.get());
    const bool wrong = run && run->verdict.state == Verdict::State::fail;
    refresh(run ? noSpotsText(wrong) : none, run != nullptr);
}

void SpotTable::showLost(const Run* run) {
    const std::size_t all = run ? run->result.facts.value("spots", spots().size()) : 0;
    if (all <= spots().size()) return setRemark({});
    setRemark(
        tr("%1 dropped spots were not saved").arg(grouped(all - spots().size())),
        tr("The run was saved without its dropped spots, so its spots are numbered differently. \"Save all "
           "spots\" in the set-up of a run keeps them all."));
}

void SpotTable::setSpots(std::vector<ks::spots::Spot> spots, int firstFrame, double gain) {
    using Spot = ks::spots::Spot;
    const auto any = [&](const auto& holds) { return std::any_of(spots.begin(), spots.end(), holds); };
    located_ = any([](const Spot& s) { return std::isfinite(s.d); });
    deep_ = any([](const Spot& s) { return s.z1 > s.z0 + 1; });
    dropped_ = any([](const Spot& s) { return s.dropped != ks::spots::Dropped::kept; });
    saturated_ = any([](const Spot& s) { return s.saturated > 0; });
    model_->setSpots(std::move(spots), firstFrame, gain);
    holdAccepted(accepted(), noneLeft());
    countAll();
}

// Dropped spots cannot be chosen while they are hidden.
void SpotTable::countAll() {
    const auto& all = spots();
    const auto kept = [](const ks::spots::Spot& s) { return s.dropped == ks::spots::Dropped::kept; };
    setTotal(keptOnly() ? std::optional(static_cast<std::size_t>(std::ranges::count_if(all, kept)))
                        : std::nullopt);
}

QString SpotTable::noneLeft() const {
    return keptOnly() || ofFrame() ? tr("No spot passes the filters.") : QString();
}

std::function<bool(int)> SpotTable::accepted() const {
    if (!keptOnly() && !ofFrame()) return {};
    return [this](int spot) {
        const ks::spots::Spot& s = spots()[static_cast<std::size_t>(spot)];
        if (keptOnly() && s.dropped != ks::spots::Dropped::kept) return false;
        const std::int64_t frame = std::int64_t{frame_} - model_->firstFrame();
        return !ofFrame() || (frame >= s.z0 && frame < s.z1);
    };
}

void SpotTable::chooseSpots() {
    setAccepted(accepted(), noneLeft());
}

void SpotTable::chooseColumns() {
    setShownColumns([this](int column) {
        switch (column) {
            case SpotTableModel::DColumn:
                return located_;
            case SpotTableModel::QColumn:  // equivalent to d
                return false;
            case SpotTableModel::ZColumn:
            case SpotTableModel::VarZColumn:
                return deep_;
            case SpotTableModel::KeptColumn:
                return dropped_ && !keptOnly();
            case SpotTableModel::SaturatedColumn:
                return saturated_;
            default:
                return true;
        }
    });
}

void SpotTable::setFrame(int frame) {
    if (frame_ == frame) return;
    frame_ = frame;
    if (frameOnly()) chooseSpots();
}

}  // namespace ks::ui::spots
