#include "ui/shell/general/result_view.h"

#include <QEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTabWidget>

#include "core/judge/questions.h"
#include "core/run/errors/not_compared.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/elided_label.h"
#include "ui/base/input/focus_outline.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/base/tables/filtered_table.h"

namespace ks::ui {
namespace {

CurvePlot* curvePlot(const CurvesExhibit& shown) {
    auto* plot = new CurvePlot;
    plot->setLogX(shown.logX);
    plot->setLogY(shown.logY);
    plot->setXAxis(shown.xTitle, shown.xUnit);
    // Curves that share a plot share a unit, which alone does not say what is plotted.
    const bool isRate = shown.yTitle.isEmpty() && shown.yUnit.endsWith(QStringLiteral("/s"));
    plot->setYAxis(isRate ? QObject::tr("Rate") : shown.yTitle, shown.yUnit);
    plot->setSeries(shown.series);
    plot->setLegendVisible(shown.series.size() > 1);
    return plot;
}

const QString joiner(QChar(0x2060));  ///< a word joiner: no line breaks here

MapPlot* mapPlot(const MapExhibit& shown) {
    auto* plot = new MapPlot;
    plot->setRowsDown(true);
    plot->setXAxis(shown.xTitle, shown.xUnit);
    plot->setYAxis(shown.yTitle, shown.yUnit);
    plot->setValueAxis({}, shown.valueUnit);
    // A picture of one row or one column would be a line; a single value is both.
    plot->setSquare((shown.map.rows > 1) == (shown.map.columns > 1));
    plot->setMap(shown.map);
    plot->setPixelText(shown.pixelText);
    return plot;
}

QPlainTextEdit* textView(const TextExhibit& shown) {
    auto* view = new QPlainTextEdit;
    view->setReadOnly(true);
    view->setLineWrapMode(QPlainTextEdit::NoWrap);
    view->setFrameShape(QFrame::NoFrame);
    view->document()->setDefaultFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    view->setPlainText(shown.text);
    new FocusOutline(view);
    return view;
}

}  // namespace

ResultView::ResultView(QWidget* parent)
    : QWidget(parent),
      made_(new ElidedLabel),
      noteLine_(new ElidedLabel),
      facts_(new QLabel),
      empty_(new QLabel),
      reason_(new QLabel),
      tabs_(new QTabWidget) {
    made_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    made_->setAccessibleName(tr("Variant and check of the newest run"));
    made_->setContentsMargins(8, 6, 8, 0);
    noteLine_->setAccessibleName(tr("Note on the displayed runs"));
    noteLine_->setContentsMargins(8, 6, 8, 0);
    facts_->setWordWrap(true);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    facts_->setAccessibleName(tr("Facts about the result"));
    facts_->setContentsMargins(8, 6, 8, 2);
    reason_->setWordWrap(true);
    reason_->setTextFormat(Qt::PlainText);
    reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    reason_->setAccessibleName(tr("Why the newest run is wrong"));
    reason_->setContentsMargins(8, 2, 8, 6);
    // A verdict arrives later than the result: below it, its reason moves nothing that is being read.
    reason_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Maximum);
    made_->installEventFilter(this);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setWhatsThis(tr("Results of the ticked runs"));
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Result"));
    tabs_->setWhatsThis(tr("Results of the ticked runs: curves, pictures, tables and texts."));
    // A verdict or a note that comes or goes moves nothing below.
    auto* line = inColumns({{made_, 2}, {noteLine_, 1}}, 0);
    // Where a result has only facts, the room below them is the reason's.
    auto* below = boxed(inRows({{tabs_, 1}, {empty_, 1}, reason_}, 0));
    setLayout(inRows({line, facts_, {below, 1}}, 0));
    setRuns({});
    new Restyled(this, Restyled::By::palette, [this] { showMade(); });
}

ResultView::~ResultView() = default;

void ResultView::setEmptyText(const QString& text) {
    empty_->setText(text);
}

QString ResultView::facts() const {
    QStringList all = noteLine_->whole().isEmpty() ? QStringList() : QStringList(noteLine_->whole());
    if (!facts_->text().isEmpty())
        all << facts_->text().replace(QChar(QChar::Nbsp), QLatin1Char(' ')).remove(joiner);
    return all.join(QStringLiteral("     "));
}

QWidget* ResultView::viewOf(const Exhibit& exhibit) {
    if (const auto* curves = std::get_if<CurvesExhibit>(&exhibit.content)) {
        CurvePlot* const plot = curvePlot(*curves);
        connect(plot, &CurvePlot::pointHovered, this, &ResultView::pointHovered);
        return plot;
    }
    if (const auto* map = std::get_if<MapExhibit>(&exhibit.content)) {
        MapPlot* const plot = mapPlot(*map);
        connect(plot, &MapPlot::pointHovered, this, [this](QString said) {
            emit pointHovered(said.replace(QLatin1Char('\n'), QStringLiteral("   ")));
        });
        return plot;
    }
    if (const auto* text = std::get_if<TextExhibit>(&exhibit.content)) {
        QPlainTextEdit* const view = textView(*text);
        if (!text->runs.empty()) numbers_.emplace_back(view, *text);
        return view;
    }
    auto* model = new ResultTableModel(std::get<TableExhibit>(exhibit.content).columns);
    FilterNames names = filterNames(*model, {});
    std::erase_if(names.columns, [model](const auto& one) { return model->isWords(one.column); });
    if (!names.columns.empty()) names.example = names.columns.front().name + QStringLiteral(" > 1");
    auto* table = new FilteredTable(*model, names,
                                    {exhibit.title, tr("rows"), tr("Conditions on columns"), exhibit.name});
    model->setParent(table);
    table->refresh(tr("The table is empty"), true);
    connect(table, &FilteredTable::failed, this, &ResultView::failed);
    return table;
}

void ResultView::setRuns(const std::vector<RunRow>& runs, const Analysis* analysis) {
    std::vector<std::pair<int, std::shared_ptr<const Run>>> wanted;
    wanted.reserve(runs.size());
    for (const RunRow& row : runs) wanted.emplace_back(row.number, row.run);
    // The window notifies all of its pages of each tick, whichever runs it concerns.
    if (!shown_.empty() && wanted == shown_) return;
    shown_ = std::move(wanted);
    // Titles may contain numbers, and are not unique.
    const QVariant before = tabs_->tabBar()->tabData(tabs_->currentIndex());
    numbers_.clear();
    while (tabs_->count() > 0) {
        QWidget* const gone = tabs_->widget(0);
        tabs_->removeTab(0);
        gone->deleteLater();
    }
    for (const Exhibit& exhibit : exhibitsOf(runs, analysis))
        tabs_->tabBar()->setTabData(tabs_->addTab(viewOf(exhibit), exhibit.title), exhibit.name);
    for (int i = 0; i < tabs_->count(); ++i)
        if (auto* const table = qobject_cast<FilteredTable*>(tabs_->widget(i)))
            table->setData(runs.front().files.value(0));
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->tabBar()->tabData(i) == before) tabs_->setCurrentIndex(i);
    tabs_->tabBar()->setVisible(tabs_->count() > 1);
    tabs_->setVisible(tabs_->count() > 0);
    empty_->setVisible(runs.empty());
    showFacts();
    showNoteInPlots();
    showMarks();
}

void ResultView::setMarks(const std::map<int, QString>& marks) {
    if (marks == marks_) return;
    marks_ = marks;
    showMarks();
}

void ResultView::showMarks() {
    for (const auto& [view, exhibit] : numbers_) {
        QStringList lines = exhibit.text.split(QLatin1Char('\n'));
        for (std::size_t i = 0; i < exhibit.runs.size(); ++i)
            if (const auto mark = marks_.find(exhibit.runs[i]); mark != marks_.end())
                lines[static_cast<qsizetype>(i) + 1] += QStringLiteral("   ") + mark->second;
        if (const QString text = lines.join(QLatin1Char('\n')); text != view->toPlainText())
            view->setPlainText(text);
    }
}

void ResultView::setChecked(const RunRow& row) {
    for (auto& [number, run] : shown_)
        if (number == row.number) run = row.run;
    showMade();
}

void ResultView::setNote(const QString& note, const QString& ofNewest, const QString& brief) {
    note_ = note;
    briefNote_ = brief;
    noteOfNewest_ = ofNewest;
    showFacts();
    showNoteInPlots();
}

// Figures are made of the plots alone.
void ResultView::showNoteInPlots() {
    for (int i = 0; i < tabs_->count(); ++i) {
        if (auto* const curves = qobject_cast<CurvePlot*>(tabs_->widget(i)))
            curves->setNote(note_, briefNote_);
        if (auto* const map = qobject_cast<MapPlot*>(tabs_->widget(i))) map->setTitle(noteOfNewest_);
    }
}

QString ResultView::made() const {
    return made_->whole();
}

// A wrong product looks plausible: the result of the check is shown next to it.
void ResultView::showMade() {
    QString text, reason;
    QStringList shorter;
    bool wrong = false;
    if (!shown_.empty() && !shown_.front().second->variant.id.empty()) {
        const auto& [number, run] = shown_.front();
        const QString kernel = QString::fromStdString(shown_kernel(*run)),
                      device = QString::fromStdString(run->device.name);
        wrong = run->verdict.state == Verdict::State::fail;
        const QString found = QString::fromStdString(without_verdict(run->verdict.text));
        const QString left = QString::fromStdString(not_compared_in(run->verdict.text));
        QString verdict;
        if (wrong)
            verdict = tr("; its result is wrong: %1").arg(found);
        else if (run->verdict.state == Verdict::State::sampled)
            verdict = tr("; %1 sampled values passed the check").arg(run->verdict.samples);
        else if (run->verdict.state == Verdict::State::pass)
            verdict = left.isEmpty() ? tr("; the check passed") : tr("; the check passed; %1").arg(left);
        else if (!found.isEmpty())
            verdict = tr("; not checked: %1").arg(found);
        text = tr("Run %1: %2 on %3").arg(number).arg(kernel, device) + verdict;
        // Where there is little room, the verdict matters more than the device.
        shorter << tr("Run %1: %2").arg(number).arg(kernel) + verdict;
        if (wrong) {
            shorter << tr("Run %1: wrong result").arg(number);
            reason = tr("Run %1: its result is wrong: %2").arg(number).arg(found);
        }
    }
    QPalette colours = palette();
    if (wrong) colours.setColor(QPalette::WindowText, QColor(isDark(colours) ? 0xff8a80 : 0xb71c1c));
    for (QLabel* const one : {static_cast<QLabel*>(made_), reason_}) one->setPalette(colours);
    made_->setWhole(text, shorter);
    made_->setVisible(!text.isEmpty());
    reason_->setText(reason);
    showReason();
}

// Only where the line above has no room for it.
void ResultView::showReason() {
    reason_->setVisible(!reason_->text().isEmpty() && made_->text() != made_->whole());
}

bool ResultView::eventFilter(QObject* watched, QEvent* event) {
    // It shortens its text only when it handles the event.
    if (watched == made_ && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &ResultView::showReason, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

void ResultView::showFacts() {
    showMade();
    QStringList parts;
    if (!shown_.empty()) {
        parts = factLines(shown_.front().second->result);
        // Lines break between the facts, and not within "GB/s" either.
        for (QString& part : parts)
            part.replace(QLatin1Char(' '), QChar(QChar::Nbsp))
                .replace(QLatin1Char('/'), QLatin1Char('/') + joiner);
    }
    const QString note = shown_.empty() ? QString() : briefNote_.isEmpty() ? note_ : briefNote_;
    noteLine_->setWhole(note);
    noteLine_->setToolTip(briefNote_.isEmpty() ? note : note_);
    noteLine_->setVisible(!note.isEmpty());
    facts_->setText(parts.join(QStringLiteral("     ")));
    facts_->setVisible(!parts.isEmpty());
}

std::vector<ResultView::Plot> ResultView::plots() const {
    std::vector<Plot> all;
    for (int i = 0; i < tabs_->count(); ++i)
        if (const auto* plot = dynamic_cast<const ExportablePlot*>(tabs_->widget(i)))
            all.push_back({tabs_->tabText(i), plot});
    return all;
}

}  // namespace ks::ui
