#include "ui/kernels/kernel_documents.h"

#include <QFileInfo>
#include <QPlainTextDocumentLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextDocument>
#include <utility>

namespace ks::ui {

QTextDocument& KernelDocuments::of(const QString& file, const QString& text) {
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

void KernelDocuments::keepPlace(const QString& analysis, const QString& file, const QString& before) {
    const auto known = kept_.find(file);
    if (known == kept_.end() || known->second.document != editor_.document()) return;
    known->second.analysis = analysis;
    known->second.before = before;
    known->second.cursor = editor_.textCursor();
    known->second.top = editor_.verticalScrollBar()->value();
    known->second.left = editor_.horizontalScrollBar()->value();
}

std::optional<KernelDrafts::Draft> KernelDocuments::unsaved(const QString& file) const {
    const auto known = kept_.find(file);
    if (file.isEmpty() || known == kept_.end() || !known->second.document->isModified()) return std::nullopt;
    const Kept& kept = known->second;
    return KernelDrafts::Draft{kept.analysis, file, kept.document->toPlainText(), kept.before};
}

std::set<QString> KernelDocuments::allUnsaved() const {
    std::set<QString> files;
    for (const auto& [file, kept] : kept_)
        if (!file.isEmpty() && kept.document->isModified()) files.insert(file);
    return files;
}

void KernelDocuments::restorePlace(const QString& file) {
    const auto known = kept_.find(file);
    if (known == kept_.end() || known->second.document != editor_.document()) return;
    editor_.setTextCursor(known->second.cursor);
    editor_.verticalScrollBar()->setValue(known->second.top);
    editor_.horizontalScrollBar()->setValue(known->second.left);
}

void KernelDocuments::drop(const QString& file) {
    const auto known = kept_.find(file);
    if (known == kept_.end()) return;
    known->second.document->deleteLater();
    kept_.erase(known);
}

void KernelDocuments::rename(const QString& from, const QString& to) {
    drop(to);
    auto node = kept_.extract(from);
    if (node.empty()) return;
    node.key() = to;
    kept_.insert(std::move(node));
}

void KernelDocuments::dropMissing(const QString& shown) {
    for (auto at = kept_.begin(); at != kept_.end();) {
        const auto& [file, kept] = *at++;
        if (file != shown && !file.isEmpty() && !kept.document->isModified() && !QFileInfo::exists(file))
            drop(QString(file));
    }
}

}  // namespace ks::ui
