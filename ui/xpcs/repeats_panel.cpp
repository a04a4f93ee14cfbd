#include "ui/xpcs/repeats_panel.h"

#include <QComboBox>
#include <QDateTime>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/io/files/data_name.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/repeats/average.h"
#include "ui/base/count_text.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/base/tables/space_ticks.h"
#include "ui/files/data_identity.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/order_colour.h"

namespace ks::ui::xpcs {
namespace {

enum Colours { ByFile, ByTime };

QString leafOf(const RepeatRow& row) {
    return QFileInfo(QString::fromStdString(io::DataName::parse(row.name).file.string())).fileName();
}

/// In any order.
bool isSameSet(std::vector<std::string> names, std::vector<RepeatRow> rows) {
    std::ranges::sort(names);
    std::ranges::sort(rows, {}, &RepeatRow::name);
    return std::ranges::equal(names, rows, [](const std::string& name, const RepeatRow& row) {
        return isSameData(name, row.name);
    });
}

QDateTime timeOf(const RepeatRow& row) {
    return row.modified ? QDateTime::fromMSecsSinceEpoch(*row.modified / 1'000'000) : QDateTime();
}

QVector<double> part(const std::vector<double>& values, std::size_t bin, std::size_t delays) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(bin * delays);
    return QVector<double>(from, from + static_cast<std::ptrdiff_t>(delays)).mid(1);
}

}  // namespace

void RepeatTableModel::setRepeats(std::vector<RepeatRow> rows, bool computed) {
    beginResetModel();
    rows_ = std::move(rows);
    colours_.clear();
    computed_ = computed;
    endResetModel();
}

void RepeatTableModel::setColours(std::vector<QColor> colours) {
    colours_ = std::move(colours);
    if (!rows_.empty()) emit dataChanged(index(0, FileColumn), index(rowCount() - 1, FileColumn));
}

std::vector<std::optional<bool>> RepeatTableModel::chosen() const {
    std::vector<std::optional<bool>> all;
    for (const RepeatRow& row : rows_) all.push_back(row.chosen);
    return all;
}

void RepeatTableModel::forgetChoice() {
    for (RepeatRow& row : rows_) row.chosen.reset();
    emit choiceChanged();
}

int RepeatTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RepeatTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RepeatTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const RepeatRow& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::CheckStateRole && column == FileColumn && computed_)
        return row.left_out.empty() ? Qt::Checked : Qt::Unchecked;
    const auto at = static_cast<std::size_t>(index.row());
    if (role == Qt::DecorationRole && column == FileColumn && at < colours_.size() && colours_[at].isValid())
        return colours_[at];
    if (role == Qt::TextAlignmentRole && column == Chi2Column)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && column == FileColumn) return QString::fromStdString(row.name);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    switch (column) {
        case FileColumn:
            return leafOf(row);
        case Chi2Column:
            return row.chi2 ? QString::number(*row.chi2, 'g', 3) : QString();
        case FramesColumn:
            return QString::fromStdString(row.left_out_frames);
        case TimeColumn:
            return timeOf(row).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        default:
            return QString::fromStdString(row.left_out);
    }
}

bool RepeatTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable)) return false;
    RepeatRow& row = rows_[static_cast<std::size_t>(index.row())];
    row.chosen = value.toInt() == Qt::Checked;
    row.left_out = *row.chosen ? std::string() : left_out_by_hand;
    emit dataChanged(this->index(index.row(), 0), this->index(index.row(), ColumnCount - 1));
    emit choiceChanged();
    return true;
}

QVariant RepeatTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    constexpr const char* titles[ColumnCount] = {QT_TR_NOOP("Repeat"), QT_TR_NOOP("\u03c7\u00b2 per point"),
                                                 QT_TR_NOOP("Frames left out"), QT_TR_NOOP("Left out, since"),
                                                 QT_TR_NOOP("File written")};
    constexpr const char* tips[ColumnCount] = {
        QT_TR_NOOP("File of the repeat. A tick means that it is part of the average"),
        QT_TR_NOOP(
            "Mean square distance of its g\u2082 from the median of all repeats, in units of its error"),
        QT_TR_NOOP("Frames of this repeat that were left out, counted from 0 in the correlated series"),
        QT_TR_NOOP("Why the repeat is not part of the average"),
        QT_TR_NOOP("When the file was last written")};
    if (role == Qt::DisplayRole) return tr(titles[section]);
    if (role == Qt::ToolTipRole) return tr(tips[section]);
    return {};
}

Qt::ItemFlags RepeatTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid()) return flags;
    const bool has = computed_ && rows_[static_cast<std::size_t>(index.row())].curve.has_value();
    if (index.column() == FileColumn && has) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

RepeatsPanel::RepeatsPanel(QWidget* parent)
    : QWidget(parent),
      view_(new QTableView),
      summary_(new QLabel),
      automatic_(new QPushButton(tr("&Undo choice"))),
      colours_(new QComboBox),
      plot_(new CurvePlot) {
    view_->setModel(&model_);
    named(view_, tr("Repeats"),
          tr("Files of the set with their chi2 per point; a ticked one is part of the average"));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setWordWrap(false);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 6);
    view_->setIconSize({10, 10});
    tickRowsBySpace(*view_, RepeatTableModel::FileColumn);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setWordWrap(true);
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    automatic_->setToolTip(tr("Let the outlier test decide again which repeats are part of the average"));
    colours_->addItems({tr("Colour by file"), tr("Colour by time")});
    colours_->setAccessibleName(tr("Colours of the repeats"));
    colours_->setToolTip(
        tr("Colours of the curves of the single repeats: one per file, or from the earliest "
           "to the latest file"));
    plot_->setAccessibleName(tr("Curves of the single repeats"));
    plot_->setLogX(true);
    plot_->setYAxis(QStringLiteral("g\u2082"));
    plot_->setLegendVisible(false);  // the table has the colours
    auto* both = new QSplitter;
    both->addWidget(view_);
    both->addWidget(plot_);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    both->setSizes({600, 400});
    both->setChildrenCollapsible(false);
    setLayout(inRows({inColumns({{summary_, 1}, automatic_, colours_}, 8), {both, 1}}, 4));
    connect(&model_, &RepeatTableModel::choiceChanged, this, [this] {
        if (shown_)
            emit chosen(shown_->number, model_.chosen());
        else
            emit choiceUndone();
    });
    connect(automatic_, &QPushButton::clicked, &model_, &RepeatTableModel::forgetChoice);
    connect(colours_, &QComboBox::currentIndexChanged, this, &RepeatsPanel::showCurves);
    new Restyled(this, Restyled::By::palette, [this] { showCurves(); });
    setRepeats({}, nullptr, {}, {});
}

QString RepeatsPanel::summary() const {
    return summary_->text();
}

void RepeatsPanel::setRepeats(const RepeatSet& next, const RunRow* shown,
                              const std::vector<RepeatRow>& ofShown, const QString& note) {
    std::vector<RepeatRow> rows = ofShown;
    if (!shown) {
        for (const std::string& name : next.names) {
            RepeatRow& row = rows.emplace_back();
            row.name = name;
            row.chosen = next.choice_for(name);
            if (!row.chosen.value_or(true)) row.left_out = left_out_by_hand;
        }
    }
    const auto byHand = std::ranges::count_if(
        next.names, [&next](const std::string& name) { return !next.choice_for(name).value_or(true); });
    const bool sameSet = isSameSet(next.names, rows);
    shown_ = shown ? std::optional(*shown) : std::nullopt;
    QString text = tr("Repeats of a measurement: File > Open repeats");
    if (shown) {
        text = tr("%1: %2").arg(runLabel(*shown), QString::fromStdString(average_text(*shown->run)));
        if (byHand > 0 && sameSet)
            text += counted(static_cast<std::size_t>(byHand),
                            tr("; the next run leaves out the same repeat by hand"),
                            tr("; the next run leaves out the same %1 repeats by hand"));
        const auto chi2 = shown->run->result.facts.find("repeats_chi2");
        if (chi2 != shown->run->result.facts.end() && chi2->is_number())
            text += tr("; scatter %1 times the errors").arg(std::sqrt(chi2->get<double>()), 0, 'g', 3);
        if (!note.isEmpty()) text += QStringLiteral("; ") + note;
    } else if (!next.names.empty()) {
        text = byHand > 0
                   ? tr("%1 repeats, %2 left out by hand: press Run (F5) for the average of the others")
                         .arg(next.names.size())
                         .arg(byHand)
                   : tr("%1 repeats: press Run (F5) for their average").arg(next.names.size());
    }
    summary_->setText(text);
    summary_->setToolTip(text);
    automatic_->setEnabled(
        std::ranges::any_of(rows, [](const RepeatRow& row) { return row.chosen.has_value(); }));
    model_.setRepeats(std::move(rows), shown != nullptr);
    showCurves();
    view_->resizeColumnsToContents();  // with the colours
}

void RepeatsPanel::setBin(int label) {
    if (std::exchange(bin_, label) != label) showCurves();
}

void RepeatsPanel::showCurves() {
    plot_->setEmptyText(tr("The curves of the single repeats appear here"));
    plot_->setNote({});
    if (!shown_) return plot_->setSeries({});
    const Run& run = *shown_->run;
    std::vector<ks::xpcs::RepeatedCurves> curves;
    try {
        curves = ks::xpcs::curves_of_repeats(run);
    } catch (const Error&) {
        plot_->setEmptyText(tr("The run does not contain the curves of its repeats"));
        return plot_->setSeries({});
    }
    const std::vector<std::size_t> shape = run.result.at("g2").values.shape();
    const std::size_t delays = shape[1], bin = bin_ > 0 ? static_cast<std::size_t>(bin_) - 1 : 0;
    if (bin >= shape[0]) return plot_->setSeries({});
    const bool seconds = run.result.find("delay_time") != nullptr;
    const QVector<double> x = part(shownDelays(run, seconds), 0, delays);
    std::vector<RepeatRow> rows;
    for (const RepeatRow& row : model_.repeats())
        if (row.curve && *row.curve < curves.size()) rows.push_back(row);
    const bool byTime = colours_->currentIndex() == ByTime;
    if (byTime)
        std::ranges::stable_sort(rows, {}, [](const RepeatRow& row) { return row.modified.value_or(0); });
    QVector<CurveSeries> series;
    std::vector<QColor> ofRows(model_.repeats().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CurveSeries one;
        one.bin = static_cast<int>(i) + 1;
        one.label = leafOf(rows[i]);
        if (byTime && timeOf(rows[i]).isValid())
            one.label +=
                QStringLiteral("  ") + timeOf(rows[i]).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        if (!rows[i].left_out.empty()) one.label += tr("  (left out)");
        if (byTime) one.colour = orderColour(i, rows.size(), isDark(palette()));
        const auto place = std::ranges::find(model_.repeats(), rows[i].name, &RepeatRow::name);
        ofRows[static_cast<std::size_t>(place - model_.repeats().begin())] =
            one.colour.value_or(binColour(one.bin, isDark(palette())));
        one.style = CurveStyle::line;
        one.x = x;
        one.y = part(curves[*rows[i].curve].g2, bin, delays);
        if (std::ranges::any_of(one.y, [](double y) { return std::isfinite(y); })) series << one;
    }
    CurveSeries average;
    average.bin = static_cast<int>(rows.size()) + 1;
    average.label = tr("average");
    average.colour = palette().color(QPalette::Text);
    average.x = x;
    average.y = part(run.result.at("g2").values.to_doubles(), bin, delays);
    average.yerr = part(run.result.at("g2_err").values.to_doubles(), bin, delays);
    if (std::ranges::any_of(average.y, [](double y) { return std::isfinite(y); })) series << average;
    plot_->setXAxis(tr("delay"), seconds ? QStringLiteral("s") : QStringLiteral("frames"));
    plot_->setNote(tr("bin %1").arg(bin + 1));
    model_.setColours(std::move(ofRows));
    plot_->setSeries(series);
}

}  // namespace ks::ui::xpcs
