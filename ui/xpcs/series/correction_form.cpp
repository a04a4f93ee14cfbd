#include "ui/xpcs/series/correction_form.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "core/io/files/data_name.h"
#include "core/io/frame_format.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/files/file_filters.h"
#include "ui/files/watched_inputs.h"

namespace ks::ui::xpcs {
namespace {

/// Roles of the inputs, and keys of the files of a state.
constexpr const char *darkRole = "dark", *flatRole = "flat";

/// A session is brought back in another folder.
QString absolute(const QString& typed) {
    const QString name = typed.trimmed();
    if (name.isEmpty()) return {};
    io::DataName parts = io::DataName::parse(name.toStdString());
    parts.file = QFileInfo(QString::fromStdString(parts.file.string())).absoluteFilePath().toStdString();
    return QString::fromStdString(parts.to_string());
}

}  // namespace

void CorrectionFiles::fill(Request& request) const {
    if (!dark.isEmpty()) request.inputs[darkRole] = {dark.toStdString(), {}};
    if (!flat.isEmpty()) request.inputs[flatRole] = {flat.toStdString(), {}};
}

CorrectionFiles CorrectionFiles::of(const Request& request) {
    const auto name = [&request](const char* role) {
        const auto found = request.inputs.find(role);
        return found == request.inputs.end() ? QString() : QString::fromStdString(found->second.name);
    };
    return {name(darkRole), name(flatRole)};
}

void CorrectionFiles::keep(PageState& state) const {
    if (!dark.isEmpty()) state.files[darkRole] = dark.toStdString();
    if (!flat.isEmpty()) state.files[flatRole] = flat.toStdString();
}

CorrectionFiles CorrectionFiles::of(const PageState& state) {
    const auto name = [&state](const char* role) {
        const auto found = state.files.find(role);
        return found == state.files.end() ? QString() : QString::fromStdString(found->second);
    };
    return {name(darkRole), name(flatRole)};
}

void CorrectionFiles::watch(WatchedInputs& inputs, const QString& open) const {
    const auto other = [&open](const QString& name) {
        const std::string file = io::DataName::parse(name.toStdString()).file.string();
        return file == open.toStdString() ? QString() : name;
    };
    inputs.set(darkRole, other(dark));
    inputs.set(flatRole, other(flat));
}

CorrectionForm::CorrectionForm(QWidget* parent)
    : QWidget(parent), dark_(new QLineEdit), flat_(new QLineEdit) {
    const QString formats = QString::fromStdString(io::format_titles());
    named(dark_, tr("Dark field"),
          tr("FILE or FILE::PATH (%1) that is subtracted from each frame; several frames are averaged. The "
             "picture shows the frames as they are.")
              .arg(formats));
    named(flat_, tr("Flat field"),
          tr("FILE or FILE::PATH (%1) by which each frame is divided, after the dark field is subtracted; "
             "pixels where it is not above 0 are masked. The picture shows the frames as they are.")
              .arg(formats));
    dark_->setObjectName(QStringLiteral("darkField"));
    flat_->setObjectName(QStringLiteral("flatField"));
    auto* grid = formGrid(this);
    int line = 0;
    grid->addWidget(heading(tr("Correction"), tr("Dark and flat field of the detector")), line++, 0, 1, 3);
    for (QLineEdit* const one : {dark_, flat_}) {
        one->setPlaceholderText(tr("none"));
        one->setClearButtonEnabled(true);
        connect(one, &QLineEdit::editingFinished, this, &CorrectionForm::take);
        // The button that clears it ends no editing.
        connect(one, &QLineEdit::textChanged, this, [this, one](const QString& text) {
            if (text.isEmpty() && one->isModified()) take();
        });
        const QString title = one->accessibleName();
        auto* label = new QLabel(title);
        label->setBuddy(one);
        label->setToolTip(one->toolTip());
        auto* browse =
            named(new QToolButton, tr("Choose the file of the %1").arg(title.toLower()), tr("Choose a file"));
        browse->setText(QStringLiteral("\u2026"));
        connect(browse, &QToolButton::clicked, this, [this, one, title] {
            const QString path = QFileDialog::getOpenFileName(this, title, {}, imageFilters(title));
            if (path.isEmpty()) return;
            one->setText(path);
            take();
        });
        grid->addWidget(label, line, 0);
        grid->addWidget(one, line, 1);
        grid->addWidget(browse, line++, 2);
    }
}

void CorrectionForm::take() {
    const CorrectionFiles now{absolute(dark_->text()), absolute(flat_->text())};
    if (now == files_) return;
    files_ = now;
    if (steps_) steps_->edited(true);
    emit changed();
}

void CorrectionForm::setFiles(const CorrectionFiles& files) {
    files_ = files;
    dark_->setText(files.dark);
    flat_->setText(files.flat);
    if (steps_) steps_->settle();
}

void CorrectionForm::keepSteps(History& history) {
    using Steps = Undoable<CorrectionFiles>;
    steps_ = std::make_unique<Steps>(
        history, this, [this] { return files_; },
        [this](const CorrectionFiles& files) {
            setFiles(files);
            emit changed();
        },
        [](const CorrectionFiles& before, const CorrectionFiles& now) {
            return Steps::Name{before.dark != now.dark ? tr("change of the dark field")
                                                       : tr("change of the flat field")};
        });
}

}  // namespace ks::ui::xpcs
