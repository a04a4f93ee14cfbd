#include "ui/kernels/access/access_panel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/judge/questions.h"
#include "core/kernels/compiler_message.h"
#include "ui/base/count_text.h"
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
    const char* fault;  ///< what was found if the answer is bad
};
constexpr std::array titles{
    QuestionTitle{"builds", "Builds", "that it does not build"},
    QuestionTitle{"guards", "Guard zones", "writes outside of buffers"},
    QuestionTitle{"ends", "Ends in time", "that it does not end"},
    QuestionTitle{"survives", "Process survives", "a crash"},
    QuestionTitle{"values", "Values", "wrong values"},
    QuestionTitle{"races", "Data races", "data races"},
    QuestionTitle{"accesses", "Wrong accesses", "wrong accesses"},
    QuestionTitle{"uninitialised", "Uninitialised memory", "uses of uninitialised memory"},
    QuestionTitle{"barriers", "Wrong barriers", "wrong barriers"}};

const QuestionTitle* titleOf(const Finding& finding) {
    const auto known =
        std::ranges::find_if(titles, [&](const QuestionTitle& one) { return finding.id == one.id; });
    return known == titles.end() ? nullptr : &*known;
}

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
    const QuestionTitle* const known = titleOf(finding);
    const QString title = known ? findingTr(known->title) : QString::fromStdString(finding.id);
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

QString hashOf(std::string_view text) {
    return QString::fromStdString(hash_text(hash_of(text)));
}

Finding::State worse(Finding::State a, Finding::State b) {
    for (const Finding::State state : {Finding::State::no, Finding::State::unknown})
        if (a == state || b == state) return state;
    return Finding::State::yes;
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
            const QString said = QString::fromStdString(place ? text_with_kind(message) : message.whole);
            if (!said.trimmed().isEmpty())
                rows.push_back({finding.state,
                                place ? QStringLiteral("%1: %2").arg(placeName(*place, file), said) : said,
                                place, true});
        }
    }
    return rows;
}

Finding::State worstState(const std::vector<Finding>& findings) {
    Finding::State worst = Finding::State::yes;
    for (const Finding& one : findings) worst = worse(worst, one.state);
    return worst;
}

AccessResult accessResult(const std::vector<Finding>& findings) {
    AccessResult result{racesAreKnown(findings)};
    for (const Finding& one : findings) {
        if (one.state != Finding::State::no) continue;
        const QuestionTitle* const known = titleOf(one);
        const QString fault = known ? findingTr(known->fault) : QString::fromStdString(one.id);
        if (!result.faults.contains(fault)) result.faults << fault;
    }
    return result;
}

QString findingsHeadline(const std::vector<Finding>& findings) {
    // One check can have several findings, such as races at different lines in different runs.
    std::map<std::string, Finding::State> checks;
    for (const Finding& one : findings) {
        const auto [check, isFirst] = checks.try_emplace(one.id, one.state);
        if (!isFirst) check->second = worse(check->second, one.state);
    }
    const auto in = [&checks](Finding::State state) {
        return std::ranges::count(checks, state, &std::pair<const std::string, Finding::State>::second);
    };
    const auto wrong = in(Finding::State::no), unknown = in(Finding::State::unknown);
    const QString open = unknown == 0 ? QString() : findingTr("; %1 unknown").arg(unknown);
    if (wrong == 0) return findingTr("no faults found") + open;
    return findingTr("%1 of %2 failed")
               .arg(wrong)
               .arg(counted(checks.size(), findingTr("1 check"), findingTr("%1 checks"))) +
           open;
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
        tr("Findings of the access check. A check has several rows if it failed in several ways. If a row "
           "names a line, click the row to go to that line."));
    rows_->hide();
    setLayout(inRows({underWay_, inColumns({{line_, 1}, {close_, 0, Qt::AlignTop}}), rows_}, 0));
    connect(underWay_, &UnderWay::cancelWanted, this, [this] { cancel(); });
    connect(&check_, &AccessCheck::progress, this, [this](const QString& step, const QString& stage) {
        QString what = checking();
        for (const QString& part : {step, stage})
            if (!part.isEmpty()) what += QStringLiteral(", ") + part;
        underWay_->tell(what);
    });
    connect(&check_, &AccessCheck::found, this, &AccessPanel::take);
    connect(&check_, &AccessCheck::failed, this, &AccessPanel::fail);
    const auto go = [this](QListWidgetItem* item) {
        const Judged* const of = shown();
        if (!of) return;
        const auto& place = of->found[static_cast<std::size_t>(rows_->row(item))].place;
        if (!place) return;
        if (place->file == of->file)
            emit lineWanted(static_cast<int>(place->line) - 1);
        else
            emit placeWanted(*place);
    };
    connect(rows_, &QListWidget::itemClicked, this, go);
    connect(rows_, &QListWidget::itemActivated, this, go);
    new Restyled(this, Restyled::By::palette, [this] { showAll(); });
}

const AccessPanel::Judged* AccessPanel::shown() const {
    const auto found = judged_.find(shown_);
    return found == judged_.end() ? nullptr : &found->second;
}

// Another kernel may be shown meanwhile.
QString AccessPanel::runningName() const {
    return QFileInfo(QString::fromStdString(running_)).completeBaseName();
}

QString AccessPanel::checking() const {
    return tr("Checking accesses of %1").arg(runningName());
}

void AccessPanel::check(const AccessPlan& plan, const std::string& file, const std::string& text,
                        const std::string& whole, const std::map<std::string, std::string>& kernelFiles) {
    cancel(tr("another check was started"));
    shown_ = running_ = file;
    now_ = text;
    judged_[file] = {file, text, whole, kernelFiles};
    waiting_ = plan;
    showAll();
    begin();
    emit runningChanged();
}

void AccessPanel::begin() {
    if (!waiting_) return;
    if (workerBusy_)
        return underWay_->begin(
            tr("The access check of %1 is waiting for the current run").arg(runningName()));
    underWay_->begin(checking());
    plan_ = *std::exchange(waiting_, std::nullopt);
    check_.start(plan_);
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

void AccessPanel::showFor(const std::string& file, const std::string& text) {
    shown_ = file;
    now_ = text;
    showAll();
    if (shown() && !isOutdated()) emit marked(marks());
}

void AccessPanel::rename(const std::string& from, const std::string& to) {
    if (running_ == from) cancel(tr("the kernel was renamed"));
    auto node = judged_.extract(from);
    judged_.erase(to);
    if (node.empty()) return;
    node.key() = node.mapped().file = to;
    for (FindingRow& row : node.mapped().found)
        if (row.place && row.place->file == from) row.place->file = to;
    judged_.insert(std::move(node));
}

void AccessPanel::forget(const std::string& file) {
    if (running_ == file) cancel();
    judged_.erase(file);
    if (file == shown_) showAll();
}

void AccessPanel::closeFindings() {
    forget(shown_);
    emit marked({});
}

void AccessPanel::endWith(std::function<QString()> line) {
    underWay_->end();
    judged_[running_].line = std::move(line);
    if (running_ == shown_) showAll();
    emit runningChanged();
}

void AccessPanel::take(const AccessFindings& findings) {
    const QString seconds = secondsText(underWay_->seconds());
    Judged& of = judged_[running_];
    of.textHash = findings.textHash;
    of.found = findingRows(findings.findings, of.file, of.whole, of.kernelFiles);
    endWith([this, worst = worstState(findings.findings), headline = findingsHeadline(findings.findings),
             problems = findings.problems, seconds] {
        const QString dot = QStringLiteral(" &nbsp;\u00b7&nbsp; ");
        const QString on = problems.isEmpty()
                               ? QString()
                               : tr("on generated problems: %1").arg(problems.toHtmlEscaped()) + dot;
        return tr("Accesses: %1").arg(stateText(worst, headline.toHtmlEscaped(), palette())) + dot + on +
               seconds;
    });
    if (running_ == shown_) emit marked(marks());
    // Otherwise the file was written between the start and the check.
    if (of.textHash.isEmpty() || of.textHash == hashOf(of.text))
        emit judged(plan_, of.whole, accessResult(findings.findings));
}

void AccessPanel::fail(const Error& error) {
    endWith([this, why = QString::fromStdString(error.message())] {
        return stateText(Finding::State::no, tr("Accesses not checked"), palette()) + QLatin1Char(' ') +
               why.toHtmlEscaped();
    });
}

bool AccessPanel::isOutdated() const {
    const Judged* const of = shown();
    if (!of || !of->line) return false;
    if (of->includesChanged) return true;
    return of->textHash.isEmpty() ? now_ != of->text : hashOf(now_) != of->textHash;
}

void AccessPanel::setText(const std::string& text) {
    const bool before = isOutdated();
    now_ = text;
    if (before != isOutdated()) showAll();
}

void AccessPanel::setIncludesChanged(bool changed) {
    const auto of = judged_.find(shown_);
    if (of == judged_.end()) return;
    const bool before = isOutdated();
    of->second.includesChanged = changed;
    if (before != isOutdated()) showAll();
}

void AccessPanel::showAll() {
    showLine();
    showRows();
}

void AccessPanel::showLine() {
    const bool any = shown() && shown()->line;
    line_->setVisible(any);
    close_->setVisible(any);
    if (!any) return;
    const QString line = shown()->line();
    line_->setText(isOutdated() ? tr("<i>Before the last changes:</i> %1").arg(line) : line);
}

void AccessPanel::showRows() {
    rows_->clear();
    const std::vector<FindingRow> found = shown() ? shown()->found : std::vector<FindingRow>();
    const bool outdated = isOutdated();
    for (const FindingRow& row : found) {
        auto* item = new QListWidgetItem(findingMark(row) + row.text, rows_);
        const QString about =
            outdated ? tr("%1\nThis is the result for the kernel's text as it was before the last changes.")
                           .arg(row.text)
                     : row.text;
        item->setForeground(outdated ? palette().color(QPalette::PlaceholderText)
                                     : stateColour(row.state, palette()));
        item->setToolTip(row.place ? tr("%1\nClick to go to the line.").arg(about) : about);
    }
    rows_->setVisible(!found.empty());
    if (rows_->count() > 0)
        rows_->setFixedHeight(std::min(rows_->count(), mostRows) * (rows_->sizeHintForRow(0) + 2) + 4);
    const auto wrong = std::ranges::find(found, Finding::State::no, &FindingRow::state);
    if (wrong != found.end()) rows_->scrollToItem(rows_->item(static_cast<int>(wrong - found.begin())));
}

QHash<int, KernelEditor::Message> AccessPanel::marks() const {
    QHash<int, KernelEditor::Message> all;
    const Judged* const of = shown();
    if (!of) return all;
    QString about;
    for (const FindingRow& row : of->found) {
        if (!row.further) about = row.text;
        if (row.state != Finding::State::no || !row.place || row.place->file != of->file) continue;
        KernelEditor::Message& mark = all[static_cast<int>(row.place->line) - 1];
        mark.mark = CodeView::Mark::error;
        if (!mark.text.isEmpty()) mark.text += QLatin1Char('\n');
        mark.text += about;
    }
    return all;
}

}  // namespace ks::ui
