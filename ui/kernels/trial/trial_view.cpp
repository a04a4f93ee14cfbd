#include "ui/kernels/trial/trial_view.h"

#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QScrollBar>
#include <algorithm>
#include <utility>
#include <vector>

#include "core/kernels/compiler_message.h"
#include "ui/base/layouts.h"
#include "ui/base/restyled.h"
#include "ui/kernels/state_colours.h"
#include "ui/kernels/trial/trial_text.h"
#include "ui/kernels/trial/under_way.h"

namespace ks::ui {
namespace {

constexpr int messageHeight = 92;
constexpr int lineRole = Qt::UserRole, placeFileRole = Qt::UserRole + 1;

/// The line of "FILE:12", counted from 1.
std::optional<std::size_t> lineOf(const std::string& where, const std::string& file) {
    if (!where.starts_with(file + ":")) return std::nullopt;
    bool number = false;
    const qulonglong line = QString::fromStdString(where.substr(file.size() + 1)).toULongLong(&number);
    return number && line > 0 ? std::optional<std::size_t>(line) : std::nullopt;
}

/// Messages of an error by line: the line that it names itself, and those named by the compiler.
std::vector<CompilerMessage> messagesOf(const Error& error, const std::string& file) {
    std::vector<CompilerMessage> found;
    if (const auto line = lineOf(error.where(), file))
        found.push_back(
            {CompilerMessage::Kind::error, file, line, std::nullopt, error.message(), error.message()});
    if (error.kind() == ErrorKind::build)
        for (CompilerMessage& one : compiler_messages(error.details())) found.push_back(std::move(one));
    return found;
}

void addMark(TrialView::Marks& marks, const CompilerMessage& message, int line) {
    const bool isError = message.kind == CompilerMessage::Kind::error;
    if (isError && !marks.firstError) marks.firstError = line;
    KernelEditor::Message& mark = marks.lines[line];
    if (mark.text.isEmpty() || isError) mark.mark = isError ? CodeView::Mark::error : CodeView::Mark::warning;
    mark.text +=
        (mark.text.isEmpty() ? QString() : QStringLiteral("\n")) + QString::fromStdString(message.text);
}

}  // namespace

TrialView::TrialView(QWidget* parent)
    : QWidget(parent),
      messages_(named(new QListWidget, tr("Compiler messages"))),
      underWay_(new UnderWay),
      line_(named(new QLabel, tr("Result of the run"))) {
    messages_->setFrameShape(QFrame::NoFrame);
    messages_->setWhatsThis(tr("Messages of the compiler; click one to go to its line."));
    messages_->hide();
    line_->setContentsMargins(8, 6, 8, 6);
    line_->setWordWrap(true);
    line_->setTextFormat(Qt::RichText);
    line_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                   Qt::LinksAccessibleByKeyboard);
    setLayout(inRows({messages_, underWay_, line_}, 0));
    connect(underWay_, &UnderWay::cancelWanted, this, &TrialView::cancelWanted);
    connect(line_, &QLabel::linkActivated, this, &TrialView::worstPlaceWanted);
    const auto go = [this](QListWidgetItem* item) {
        const int line = item->data(lineRole).toInt();
        if (const QString file = item->data(placeFileRole).toString(); !file.isEmpty())
            emit placeWanted({file.toStdString(), static_cast<std::size_t>(line)});
        else if (line > 0)
            emit lineWanted(line - 1);
    };
    connect(messages_, &QListWidget::itemClicked, this, go);
    connect(messages_, &QListWidget::itemActivated, this, go);
    new Restyled(this, Restyled::By::palette, [this] { showLine(); });
}

void TrialView::setText(std::function<QString()> text, bool ofRun) {
    text_ = std::move(text);
    ofRun_ = ofRun;
    outdated_ = false;
    showLine();
}

void TrialView::showLine() {
    if (!text_) return;
    line_->setVisible(!text_().isEmpty());
    const bool old = ofRun_ && outdated_;
    line_->setText(old ? tr("<i>Before the last changes:</i> %1").arg(text_()) : text_());
    for (int i = 0; i < messages_->count(); ++i)
        messages_->item(i)->setForeground(palette().color(old ? QPalette::PlaceholderText : QPalette::Text));
}

void TrialView::setOutdated(bool outdated) {
    if (outdated == outdated_) return;
    outdated_ = outdated;
    showLine();
}

void TrialView::setAccesses(const AccessResult& accesses) {
    if (std::exchange(accesses_, accesses) != accesses) showLine();
}

void TrialView::dropMessages() {
    messages_->clear();
    messages_->hide();
}

void TrialView::setHint(const QString& text) {
    dropMessages();
    line_->setToolTip({});
    setText([text] { return text.toHtmlEscaped(); }, false);
}

void TrialView::begin(const QString& what) {
    setHint({});
    underWay_->begin(what);
}

void TrialView::setStep(const QString& what) {
    if (isRunning()) underWay_->tell(what);
}

void TrialView::end() {
    underWay_->end();
}

bool TrialView::isRunning() const {
    return underWay_->isRunning();
}

TrialView::Marks TrialView::setResult(const TrialResult& result, const std::string& file,
                                      const std::string& text,
                                      const std::map<std::string, std::string>& kernelFiles) {
    line_->setToolTip(result.guarded ? guardZonesTip() : QString());
    const auto line = [this, result] {
        TrialResult shown = result;
        shown.accesses = accesses_;
        return trialText(shown, palette());
    };
    setText(line, true);
    // Some compilers also report what they did.
    std::vector<CompilerMessage> warnings = compiler_messages(result.buildLog);
    std::erase_if(warnings, [](const CompilerMessage& one) {
        return one.kind != CompilerMessage::Kind::warning && one.kind != CompilerMessage::Kind::error;
    });
    return list(warnings, file, text, kernelFiles);
}

TrialView::Marks TrialView::setError(const Error& error, const std::string& file, const std::string& text,
                                     const std::map<std::string, std::string>& kernelFiles) {
    line_->setToolTip({});
    const auto line = [this, error] {
        if (error.kind() == ErrorKind::cancelled && error.message() == "cancelled") return tr("Cancelled");
        if (error.kind() == ErrorKind::cancelled)
            return tr("Cancelled: %1").arg(QString::fromStdString(error.message()).toHtmlEscaped());
        const QString what = QString::fromStdString(error.message()).toHtmlEscaped(),
                      hint = QString::fromStdString(error.hint()).toHtmlEscaped();
        return stateText(Finding::State::no, hint.isEmpty() ? what : what + QLatin1Char(';'), palette()) +
               QLatin1Char(' ') + hint;
    };
    setText(line, true);
    return list(messagesOf(error, file), file, text, kernelFiles);
}

TrialView::Marks TrialView::list(const std::vector<CompilerMessage>& messages, const std::string& file,
                                 const std::string& text,
                                 const std::map<std::string, std::string>& kernelFiles) {
    dropMessages();
    const ResolvedSource source = resolve_source(file, text, kernelFiles);
    Marks marks;
    for (const CompilerMessage& one : messages) {
        const std::optional<SourcePlace> place = place_of(one, source, kernelFiles);
        const QString said = QString::fromStdString(place ? text_with_kind(one) : one.whole);
        const bool isHere = place && place->file == file;
        const QString other = place && !isHere ? QString::fromStdString(place->file) : QString(),
                      row = !place   ? said
                            : isHere ? tr("Line %1: %2").arg(place->line).arg(said)
                                     : QStringLiteral("%1:%2: %3").arg(other).arg(place->line).arg(said);
        // Some compilers report a message twice.
        if (!messages_->findItems(row, Qt::MatchExactly).isEmpty()) continue;
        auto* item = new QListWidgetItem(row, messages_);
        if (!place) continue;
        item->setData(lineRole, static_cast<int>(place->line));
        if (isHere)
            addMark(marks, one, static_cast<int>(place->line) - 1);
        else
            item->setData(placeFileRole, other);
    }
    messages_->setVisible(messages_->count() > 0);
    fitMessages();
    return marks;
}

void TrialView::fitMessages() {
    if (messages_->count() == 0) return;
    const int rows = messages_->count() * (messages_->sizeHintForRow(0) + 1) + 6;
    // The bar would cover the only row.
    const bool wide = messages_->sizeHintForColumn(0) > width();
    const int bar = wide ? messages_->horizontalScrollBar()->sizeHint().height() : 0;
    messages_->setFixedHeight(std::min(messageHeight, rows + bar));
}

void TrialView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitMessages();
}

}  // namespace ks::ui
