#include "ui/files/open_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>

#include "core/io/series/name_pattern.h"
#include "core/io/series/series.h"

namespace ks::ui {

OpenDialog::OpenDialog(QWidget* parent, const QString& title, const QString& folder,
                       const QStringList& filters)
    : QFileDialog(parent, title, folder) {
    setOption(DontUseNativeDialog);
    setFileMode(ExistingFiles);
    setNameFilters(filters);
    name_ = findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    const auto* const buttons = findChild<QDialogButtonBox*>();
    open_ = buttons ? buttons->button(QDialogButtonBox::Open) : nullptr;
    if (!name_ || !open_) return;
    connect(name_, &QLineEdit::textChanged, this, &OpenDialog::showWhetherOpen);
    open_->installEventFilter(this);  // the base class disables it for a name that no file has
}

QStringList OpenDialog::ask(QWidget* parent, const QString& title, const QString& folder,
                            const QStringList& filters) {
    OpenDialog dialog(parent, title, folder, filters);
    return dialog.exec() == Accepted ? dialog.names() : QStringList();
}

QString OpenDialog::typedSeries() const {
    const QString typed = name_ ? name_->text().trimmed() : QString();
    const QString leaf = QFileInfo(typed).fileName();
    if (leaf.isEmpty() || !io::NamePattern::parse(leaf.toStdString())) return {};
    const QString name = QDir::cleanPath(directory().absoluteFilePath(typed));
    return !QFileInfo::exists(name) && io::is_there(name.toStdString()) ? name : QString();
}

void OpenDialog::showWhetherOpen() {
    if (!open_->isEnabled() && !typedSeries().isEmpty()) open_->setEnabled(true);
}

bool OpenDialog::eventFilter(QObject* object, QEvent* event) {
    if (object == open_ && event->type() == QEvent::EnabledChange) showWhetherOpen();
    return QFileDialog::eventFilter(object, event);
}

void OpenDialog::accept() {
    series_ = typedSeries();
    if (series_.isEmpty()) return QFileDialog::accept();
    QDialog::accept();
}

}  // namespace ks::ui
