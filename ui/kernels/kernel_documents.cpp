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
    if (known != kept_.end() && known->second.document->toPlainText() == text) return *known->second.document;
    auto* made = new QTextDocument(&editor_);
    made->setDocumentLayout(new QPlainTextDocumentLayout(made));
    made->setPlainText(text);
    made->setModified(false);
    // The editor may show the old one until it is given this one.
    if (known != kept_.end()) known->second.document->deleteLater();
    kept_[file] = {made, QTextCursor(made)};
    return *made;
}

void KernelDocuments::keepPlace(const QString& file) {
    const auto known = kept_.find(file);
    if (known == kept_.end() || known->second.document != editor_.document()) return;
    known->second.cursor = editor_.textCursor();
    known->second.top = editor_.verticalScrollBar()->value();
    known->second.left = editor_.horizontalScrollBar()->value();
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
        const QString file = (at++)->first;
        if (file != shown && !file.isEmpty() && !QFileInfo::exists(file)) drop(file);
    }
}

}  // namespace ks::ui
