#include "ui/kernels/access/access_panel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/hash.h"
#include "core/judge/questions.h"
#include "core/kernels/compiler_message.h"
#include "ui/base/layouts.h"
#include "ui/base/restyled.h"
#include "ui/kernels/state_colours.h"
#include "ui/kernels/trial/under_way.h"

namespace ks::ui {
namespace {

QString findingTr(const char* text) {
    return QCoreApplication::translate("Findings", text);
}

struct QuestionTitle {
    const char *id, *title;
};
constexpr std::array titles{
    QuestionTitle{"builds", "Builds"},           QuestionTitle{"guards", "Guard zones"},
    QuestionTitle{"ends", "Ends in time"},       QuestionTitle{"survives", "Process survives"},
    QuestionTitle{"values", "Values"},           QuestionTitle{"races", "Data races"},
    QuestionTitle{"accesses", "Wrong accesses"}, QuestionTitle{"uninitialised", "Uninitialised memory"},
    QuestionTitle{"barriers", "Wrong barriers"}};

/// The kernel's own file is the one shown: its name is removed, and its lines are referred to by number.
QString inShort(const std::string& text, const std::string& file) {
    QString shown = QString::fromStdString(text);
    if (file.empty()) return shown;
    const QString own = QRegularExpression::escape(QString::fromStdString(file));
    shown.replace(QRegularExpression(own + QStringLiteral(":(?=[0-9])")), findingTr("line "));
    return shown.remove(QRegularExpression(own + QStringLiteral(": ")));
}

QString placeName(const SourcePlace& place, const std::string& file) {
    return place.file == file
               ? findingTr("line %1").arg(place.line)
               : QStringLiteral("%1:%2").arg(QString::fromStdString(place.file)).arg(place.line);
}

FindingRow rowOf(const Finding& finding, const std::string& file) {
    const auto known =
        std::ranges::find_if(titles, [&](const QuestionTitle& one) { return finding.id == one.id; });
    const QString title =
        known == titles.end() ? QString::fromStdString(finding.id) : findingTr(known->title);
    const std::string answer = line_of(finding).substr(finding.id.size());
    FindingRow row{finding.state, title + inShort(answer, file), {}, false};
    if (!finding.places.empty()) row.place = finding.places.front();
    return row;
}

constexpr int mostRows = 10;  ///< visible without scrolling

/// Whether races were looked for in all runs, so that none can have been overlooked.
bool racesAreKnown(const std::vector<Finding>& findings) {
    bool known = false;
    for (const Finding& one : findings) {
        if (one.id != "races") continue;
        if (one.state == Finding::State::unknown) return false;
        known = true;
    }
    return known;
}

/// A mark that is understood without colour.
QString findingMark(const FindingRow& row) {
    if (row.further) return QStringLiteral("    ");
    switch (row.state) {
        case Finding::State::no:
            return QStringLiteral("\u2717 ");
        case Finding::State::yes:
            return QStringLiteral("\u2713 ");
        case Finding::State::unknown:
            break;
    }
    return QStringLiteral("? ");
}

QString hashOf(const QString& text) {
    return QString::fromStdString(hash_text(hash_of(std::string_view(text.toStdString()))));
}

}  // namespace

std::vector<FindingRow> findingRows(const std::vector<Finding>& findings, const std::string& file,
                                    const std::string& text,
                                    const std::map<std::string, std::string>& kernelFiles) {
    const ResolvedSource source = resolve_source(file, text, kernelFiles);
    std::vector<FindingRow> rows;
    for (const Finding& finding : findings) {
        rows.push_back(rowOf(finding, file));
        for (std::size_t i = 1; i < finding.places.size(); ++i)
            rows.push_back({finding.state, findingTr("and %1").arg(placeName(finding.places[i], file)),
                            finding.places[i], true});
        if (finding.details.empty()) continue;
        for (const CompilerMessage& message : compiler_messages(finding.details)) {
            const std::optional<SourcePlace> place = place_of(message, source, kernelFiles);
            const QString said = QString::fromStdString(place ? message.text : message.whole);
            if (!said.trimmed().isEmpty())
                rows.push_back({finding.state,
                                place ? QStringLiteral("%1: %2").arg(placeName(*place, file), said) : said,
                                place, true});
        }
    }
    return rows;
}

Finding::State worstState(const std::vector<Finding>& findings) {
    const auto any = [&](Finding::State state) {
        return std::ranges::find(findings, state, &Finding::state) != findings.end();
    };
    return any(Finding::State::no)        ? Finding::State::no
           : any(Finding::State::unknown) ? Finding::State::unknown
                                          : Finding::State::yes;
}

QString findingsHeadline(const std::vector<Finding>& findings) {
    const auto wrong = std::ranges::count(findings, Finding::State::no, &Finding::state),
               unknown = std::ranges::count(findings, Finding::State::unknown, &Finding::state);
    const QString open = unknown == 0 ? QString() : findingTr("; %1 unknown").arg(unknown);
    if (wrong == 0) return findingTr("no faults found") + open;
    return findingTr("%1 of %2 checks failed").arg(wrong).arg(findings.size()) + open;
}

AccessPanel::AccessPanel(QWidget* parent)
    : QWidget(parent),
      underWay_(new UnderWay),
      line_(named(new QLabel, tr("Result of the access check"))),
      close_(named(new QToolButton, tr("Close these findings"), tr("Close these findings"))),
      rows_(named(new QListWidget, tr("Findings"))) {
    line_->setContentsMargins(8, 6, 8, 4);
    line_->setWordWrap(true);
    line_->setTextFormat(Qt::RichText);
    line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line_->hide();
    close_->setText(QStringLiteral("\u00d7"));
    close_->setAutoRaise(true);
    close_->hide();
    connect(close_, &QToolButton::clicked, this, &AccessPanel::closeFindings);
    rows_->setFrameShape(QFrame::NoFrame);
    rows_->setTextElideMode(Qt::ElideRight);
    rows_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    rows_->setSpacing(1);
    rows_->setWhatsThis(
        tr("Results of the access check, one row per question. If a row names a line, click the row to go to "
           "that line."));
    rows_->hide();
    setLayout(inRows({underWay_, inColumns({{line_, 1}, {close_, 0, Qt::AlignTop}}), rows_}, 0));
    connect(underWay_, &UnderWay::cancelWanted, this, [this] { cancel(); });
    connect(&check_, &AccessCheck::progress, this, [this](const QString& step, const QString& stage) {
        QString what = tr("Checking accesses");
        for (const QString& part : {step, stage})
            if (!part.isEmpty()) what += QStringLiteral(", ") + part;
        underWay_->tell(what);
    });
    connect(&check_, &AccessCheck::found, this, &AccessPanel::take);
    connect(&check_, &AccessCheck::failed, this, &AccessPanel::fail);
    const auto go = [this](QListWidgetItem* item) {
        const auto& place = found_[static_cast<std::size_t>(rows_->row(item))].place;
        if (!place) return;
        if (place->file == subject_.file)
            emit lineWanted(static_cast<int>(place->line) - 1);
        else
            emit placeWanted(*place);
    };
    connect(rows_, &QListWidget::itemClicked, this, go);
    connect(rows_, &QListWidget::itemActivated, this, go);
    new Restyled(this, Restyled::By::palette, [this] {
        showLine();
        showRows();
    });
}

void AccessPanel::check(const AccessPlan& plan, const std::string& file, const QString& text,
                        const std::map<std::string, std::string>& kernelFiles) {
    clear();
    subject_ = {file, text, kernelFiles};
    now_ = text;
    waiting_ = plan;
    begin();
    emit runningChanged();
}

void AccessPanel::begin() {
    if (!waiting_) return;
    if (workerBusy_) return underWay_->begin(tr("The access check is waiting for the current run"));
    underWay_->begin(tr("Checking accesses"));
    const AccessPlan plan = *std::exchange(waiting_, std::nullopt);
    check_.start(plan);
}

void AccessPanel::setWorkerBusy(bool busy) {
    workerBusy_ = busy;
    if (!busy) begin();
}

void AccessPanel::cancel(const QString& why) {
    if (!isRunning()) return;
    waiting_.reset();
    check_.cancel();
    const QString said = why.isEmpty() ? tr("Cancelled") : why;
    endWith([said] { return tr("Accesses not checked: %1").arg(said.toHtmlEscaped()); });
}

void AccessPanel::clear() {
    waiting_.reset();
    check_.cancel();
    textHash_.clear();
    found_.clear();
    racesKnown_ = includesChanged_ = false;
    endWith(nullptr);
    showRows();
}

void AccessPanel::closeFindings() {
    clear();
    emit marked({});
}

void AccessPanel::endWith(std::function<QString()> text) {
    underWay_->end();
    text_ = std::move(text);
    showLine();
    emit runningChanged();
}

void AccessPanel::take(const AccessFindings& findings) {
    const QString seconds = secondsText(underWay_->seconds());
    textHash_ = findings.textHash;
    racesKnown_ = racesAreKnown(findings.findings);
    found_ = findingRows(findings.findings, subject_.file, subject_.text.toStdString(), subject_.kernelFiles);
    endWith([this, worst = worstState(findings.findings), headline = findingsHeadline(findings.findings),
             problems = findings.problems, seconds] {
        const QString dot = QStringLiteral(" &nbsp;\u00b7&nbsp; ");
        const QString on = problems.isEmpty()
                               ? QString()
                               : tr("on generated problems: %1").arg(problems.toHtmlEscaped()) + dot;
        return tr("Accesses: %1").arg(stateText(worst, headline.toHtmlEscaped(), palette())) + dot + on +
               seconds;
    });
    showRows();
    emit marked(marks());
}

void AccessPanel::fail(const Error& error) {
    endWith([this, why = QString::fromStdString(error.message())] {
        return stateText(Finding::State::no, tr("Accesses not checked"), palette()) + QLatin1Char(' ') +
               why.toHtmlEscaped();
    });
}

bool AccessPanel::isOutdated() const {
    if (found_.empty()) return false;
    if (includesChanged_) return true;
    return textHash_.isEmpty() ? now_ != subject_.text : hashOf(now_) != textHash_;
}

void AccessPanel::setText(const QString& text) {
    const bool before = isOutdated();
    now_ = text;
    if (before == isOutdated()) return;
    showLine();
    showRows();
}

void AccessPanel::setIncludesChanged(bool changed) {
    const bool before = isOutdated();
    includesChanged_ = changed;
    if (before == isOutdated()) return;
    showLine();
    showRows();
}

void AccessPanel::showLine() {
    line_->setVisible(text_ != nullptr);
    close_->setVisible(text_ != nullptr);
    if (text_) line_->setText(isOutdated() ? tr("<i>Before the last changes:</i> %1").arg(text_()) : text_());
}

void AccessPanel::showRows() {
    rows_->clear();
    for (const FindingRow& row : found_) {
        auto* item = new QListWidgetItem(findingMark(row) + row.text, rows_);
        const QString about =
            isOutdated()
                ? tr("%1\nThis is the result for the kernel's text as it was before the last changes.")
                      .arg(row.text)
                : row.text;
        item->setForeground(isOutdated() ? palette().color(QPalette::PlaceholderText)
                                         : stateColour(row.state, palette()));
        item->setToolTip(row.place ? tr("%1\nClick to go to the line.").arg(about) : about);
    }
    rows_->setVisible(!found_.empty());
    if (rows_->count() > 0)
        rows_->setFixedHeight(std::min(rows_->count(), mostRows) * (rows_->sizeHintForRow(0) + 2) + 4);
    const auto wrong = std::ranges::find(found_, Finding::State::no, &FindingRow::state);
    if (wrong != found_.end()) rows_->scrollToItem(rows_->item(static_cast<int>(wrong - found_.begin())));
}

QHash<int, KernelEditor::Message> AccessPanel::marks() const {
    QHash<int, KernelEditor::Message> all;
    QString about;
    for (const FindingRow& row : found_) {
        if (!row.further) about = row.text;
        if (row.state != Finding::State::no || !row.place || row.place->file != subject_.file) continue;
        KernelEditor::Message& mark = all[static_cast<int>(row.place->line) - 1];
        mark.mark = CodeView::Mark::error;
        if (!mark.text.isEmpty()) mark.text += QLatin1Char('\n');
        mark.text += about;
    }
    return all;
}

}  // namespace ks::ui
