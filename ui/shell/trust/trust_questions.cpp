#include "ui/shell/trust/trust_questions.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/count_text.h"

namespace ks::ui {
namespace {

constexpr std::size_t mostListed = 12;
constexpr int codeWidth = 760, codeHeight = 520;

QString tr(const char* text) {
    return QCoreApplication::translate("TrustQuestions", text);
}

bool askToCompile(QWidget* parent, const QString& file, const QString& what, const QString& code) {
    QDialog dialog(parent);
    dialog.setWindowTitle(tr("Code from a file"));
    auto* const rows = new QVBoxLayout(&dialog);
    auto* const says = new QLabel(
        tr("%1 contains code that has never run here: %2. May it be compiled and run?\nA kernel that runs on "
           "the processor has all your permissions: it can read and write your files.")
            .arg(file, what));
    says->setTextFormat(Qt::PlainText);
    says->setWordWrap(true);
    rows->addWidget(says);
    auto* const text = new QPlainTextEdit(code);
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(tr("Code"));
    rows->addWidget(text, 1);
    auto* const buttons = new QDialogButtonBox;
    QPushButton* const yes = buttons->addButton(tr("&Allow"), QDialogButtonBox::AcceptRole);
    QPushButton* const no = buttons->addButton(tr("&Do not allow"), QDialogButtonBox::RejectRole);
    yes->setAutoDefault(false);
    no->setDefault(true);
    no->setFocus();
    rows->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    dialog.resize(codeWidth, codeHeight);
    return dialog.exec() == QDialog::Accepted;
}

bool askToFollow(QWidget* parent, const std::vector<io::NamedElsewhere>& names) {
    const QString from = QString::fromStdString(names.front().from.string());
    QMessageBox box(QMessageBox::Question, tr("Files elsewhere"),
                    tr("%1 refers to files outside its folder. Read them?").arg(from),
                    QMessageBox::Yes | QMessageBox::No, parent);
    QStringList files;
    for (const io::NamedElsewhere& one : names) files << QString::fromStdString(one.named.string());
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(listedText(files, mostListed, "\n") + QLatin1Char('\n') +
                           tr("The answer \"Yes\" is remembered for the folder of the referring file and for "
                              "the folders of the files that it refers to."));
    if (files.size() > static_cast<qsizetype>(mostListed)) box.setDetailedText(files.join(QLatin1Char('\n')));
    box.setDefaultButton(QMessageBox::No);
    return box.exec() == QMessageBox::Yes;
}

}  // namespace

TrustQuestions trustDialogs(QWidget* parent) {
    return {[parent](const QString& file, const QString& what, const QString& code) {
                return askToCompile(parent, file, what, code);
            },
            [parent](const std::vector<io::NamedElsewhere>& names) { return askToFollow(parent, names); }};
}

}  // namespace ks::ui
