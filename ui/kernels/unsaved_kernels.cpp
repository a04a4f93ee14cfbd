#include "ui/kernels/unsaved_kernels.h"

#include <QFileInfo>
#include <QPlainTextDocumentLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextDocument>
#include <utility>

#include "core/base/error.h"
#include "ui/base/count_text.h"

namespace ks::ui {
namespace {

constexpr int draftMs = 1000, draftAgainMs = 5000;

}  // namespace

UnsavedKernels::UnsavedKernels(QPlainTextEdit& editor, QObject* parent) : QObject(parent), editor_(editor) {
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, &UnsavedKernels::due);
}

QTextDocument& UnsavedKernels::of(const QString& file, const QString& text) {
    const auto known = kept_.find(file);
    if (known != kept_.end()) {
        QTextDocument& document = *known->second.document;
        if (document.isModified() || document.toPlainText() == text) return document;
    }
    auto* made = new QTextDocument(&editor_);
    made->setDocumentLayout(new QPlainTextDocumentLayout(made));
    made->setPlainText(text);
    made->setModified(false);
    // The editor may show the old one until it is given this one.
    if (known != kept_.end()) known->second.document->deleteLater();
    kept_[file] = {made, QTextCursor(made)};
    return *made;
}

UnsavedKernels::Kept* UnsavedKernels::shown(const QString& file) {
    const auto known = kept_.find(file);
    return known == kept_.end() || known->second.document != editor_.document() ? nullptr : &known->second;
}

void UnsavedKernels::keepPlace(const QString& analysis, const QString& file, const QString& before) {
    if (Kept* const kept = shown(file))
        *kept = {kept->document,
                 editor_.textCursor(),
                 analysis,
                 before,
                 editor_.verticalScrollBar()->value(),
                 editor_.horizontalScrollBar()->value()};
}

void UnsavedKernels::restorePlace(const QString& file) {
    const Kept* const kept = shown(file);
    if (!kept) return;
    editor_.setTextCursor(kept->cursor);
    editor_.verticalScrollBar()->setValue(kept->top);
    editor_.horizontalScrollBar()->setValue(kept->left);
}

std::optional<KernelDrafts::Draft> UnsavedKernels::edit(const QString& file) const {
    const auto known = kept_.find(file);
    if (file.isEmpty() || known == kept_.end() || !known->second.document->isModified()) return std::nullopt;
    const Kept& kept = known->second;
    return Draft{kept.analysis, file, kept.document->toPlainText(), kept.before};
}

std::set<QString> UnsavedKernels::modified() const {
    std::set<QString> files;
    for (const auto& [file, kept] : kept_)
        if (!file.isEmpty() && kept.document->isModified()) files.insert(file);
    return files;
}

void UnsavedKernels::forget(const QString& file) {
    const auto known = kept_.find(file);
    if (known == kept_.end()) return;
    known->second.document->deleteLater();
    kept_.erase(known);
}

void UnsavedKernels::rename(const QString& from, const QString& to) {
    forget(to);
    auto node = kept_.extract(from);
    if (node.empty()) return;
    node.key() = to;
    kept_.insert(std::move(node));
}

void UnsavedKernels::dropMissing(const QString& shown) {
    for (auto at = kept_.begin(); at != kept_.end();) {
        const auto& [file, kept] = *at++;
        if (file != shown && !file.isEmpty() && !kept.document->isModified() && !QFileInfo::exists(file))
            forget(QString(file));
    }
}

void UnsavedKernels::setFolder(const QString& folder) {
    drafts_.setFolder(folder);
    pending_ = modified();
}

// At the latest this long after a change, however fast the user types.
void UnsavedKernels::edited(const QString& file) {
    if (file.isEmpty()) return;
    pending_.insert(file);
    if (!soon_.isActive()) soon_.start(draftMs);
}

void UnsavedKernels::keep() {
    if (!drafts_.hasFolder()) return;
    QStringList names;
    std::string why;
    for (const QString& file : std::set<QString>(pending_)) try {
            if (const std::optional<Draft> draft = edit(file))
                drafts_.keep(*draft);
            else
                drafts_.drop(file);
            pending_.erase(file);
        } catch (const Error& error) {
            names << QFileInfo(file).completeBaseName();
            why = error.message();
        }
    if (!pending_.empty()) soon_.start(draftAgainMs);
    const QString sentence =
        names.isEmpty() ? QString()
                        : tr("The text of the kernel %1 cannot be kept for the next start. Kernelscope tries "
                             "again every few seconds; Ctrl+S saves the text to its file. %2")
                              .arg(names.join(tr(" and of ")), capitalised(QString::fromStdString(why)));
    if (std::exchange(sentence_, sentence) != sentence) emit keepingChanged(sentence);
}

void UnsavedKernels::drop(const QString& file) {
    drafts_.drop(file);
    pending_.erase(file);
}

std::optional<KernelDrafts::Draft> UnsavedKernels::find(const QString& file) const {
    return kept_.contains(file) ? edit(file) : drafts_.find(file);
}

std::set<QString> UnsavedKernels::files(const QString& analysis, const QString& open) const {
    std::set<QString> files;
    for (const QString& file : modified())
        if (file == open || kept_.at(file).analysis == analysis) files.insert(file);
    for (const Draft& draft : drafts_.all())
        if (draft.analysis == analysis && !kept_.contains(draft.file)) files.insert(draft.file);
    return files;
}

std::vector<KernelDrafts::Draft> UnsavedKernels::unkept() const {
    std::vector<Draft> left;
    for (const QString& file : pending_)
        if (std::optional<Draft> one = edit(file)) left.push_back(*std::move(one));
    return left;
}

}  // namespace ks::ui
