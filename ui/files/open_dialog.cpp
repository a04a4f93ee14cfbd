#include "ui/files/open_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>

#include "core/io/files/data_name.h"
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

QString OpenDialog::typedName() const {
    const QString typed = name_ ? name_->text().trimmed() : QString();
    const io::DataName data = io::DataName::parse(typed.toStdString());
    if (!data.object.empty()) {
        const QFileInfo file(directory(), QString::fromStdString(data.file.string()));
        if (fileMode() != ExistingFiles || !file.isFile()) return {};
        return QDir::cleanPath(file.absoluteFilePath()) + QStringLiteral("::") +
               QString::fromStdString(data.object);
    }
    const QString leaf = QFileInfo(typed).fileName();
    if (leaf.isEmpty() || !io::NamePattern::parse(leaf.toStdString())) return {};
    const QString name = QDir::cleanPath(directory().absoluteFilePath(typed));
    return !QFileInfo::exists(name) && io::is_there(name.toStdString()) ? name : QString();
}

void OpenDialog::showWhetherOpen() {
    if (!open_->isEnabled() && !typedName().isEmpty()) open_->setEnabled(true);
}

bool OpenDialog::eventFilter(QObject* object, QEvent* event) {
    if (object == open_ && event->type() == QEvent::EnabledChange) showWhetherOpen();
    return QFileDialog::eventFilter(object, event);
}

void OpenDialog::accept() {
    typed_ = typedName();
    if (typed_.isEmpty()) return QFileDialog::accept();
    QDialog::accept();
}

}  // namespace ks::ui
