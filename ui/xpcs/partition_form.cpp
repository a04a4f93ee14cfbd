#include "ui/xpcs/partition_form.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QToolButton>
#include <cmath>

#include "core/io/frame_format.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/files/file_filters.h"

namespace ks::ui::xpcs {

std::optional<ks::Rings> plainRings(const PartitionRecipe& recipe) {
    const Levels& levels = recipe.radial;
    if (recipe.in_q || recipe.sectors != 1 || levels.size() == 0) return std::nullopt;
    ks::Rings rings{recipe.geometry.beam_x, recipe.geometry.beam_y, levels.lower[0],
                    levels.upper[0] - levels.lower[0], levels.size()};
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const double from = rings.r0 + static_cast<double>(k) * rings.width;
        if (std::abs(levels.lower[k] - from) > 1e-9 * (1 + from) ||
            std::abs(levels.upper[k] - from - rings.width) > 1e-9 * (1 + from))
            return std::nullopt;
    }
    return rings;
}

PartitionForm::PartitionForm(QWidget* parent)
    : QWidget(parent),
      source_(new QComboBox),
      levels_(new LevelsForm),
      labelsPart_(new QWidget),
      drawnPart_(new QWidget),
      dataset_(new QComboBox),
      import_(new QPushButton(tr("Import..."))),
      export_(new QPushButton(tr("Export..."))),
      summary_(new QLabel) {
    fillFields();
    layOut();
    showSource();
    connectParts();
}

void PartitionForm::fillFields() {
    source_->addItems({tr("rings and sectors"), tr("labels from a file"), tr("drawn by hand")});
    named(source_, tr("Source of the bins"),
          tr("Source of the bins: rings and sectors, a file, or drawn on the image"));
    dataset_->setEditable(true);
    dataset_->setInsertPolicy(QComboBox::NoInsert);
    named(dataset_, tr("Dataset with the labels"),
          tr("FILE or FILE::PATH (%1) with one integer label per pixel; pixels with the label 0 are ignored")
              .arg(QString::fromStdString(io::format_titles())));
    dataset_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    dataset_->setMinimumContentsLength(12);
    dataset_->lineEdit()->setPlaceholderText(tr("FILE::PATH"));
    summary_->setWordWrap(true);
    summary_->setForegroundRole(QPalette::PlaceholderText);
    summary_->setWhatsThis(tr("Number of bins and of pixels in them, or an error"));
    import_->setToolTip(tr("Import labels from %1").arg(QString::fromStdString(io::format_titles())));
    export_->setToolTip(
        tr("Export the labels as %1, including those of masked pixels; an HDF5 file also contains q")
            .arg(QString::fromStdString(io::format_titles())));
    export_->setEnabled(false);
}

void PartitionForm::layOut() {
    auto* browseButton = new QToolButton;
    browseButton->setText(QStringLiteral("\u2026"));
    named(browseButton, tr("Choose a file with labels"), tr("Choose another file"));
    connect(browseButton, &QToolButton::clicked, this, &PartitionForm::browse);
    labelsPart_->setLayout(inColumns({{dataset_, 1}, browseButton}, 8));
    auto* explain =
        new QLabel(tr("Choose a drawing tool (R, E, P, B), then the bin in the card that appears."));
    explain->setWordWrap(true);
    drawnPart_->setLayout(inRows({explain}));
    setLayout(inRows({inColumns({heading(tr("q-bins"), source_->toolTip()), {source_, 1}}, 8), levels_,
                      labelsPart_, drawnPart_, inColumns({import_, export_}, 8), summary_},
                     8));
}

void PartitionForm::connectParts() {
    const auto edited = [this] {
        if (!setting_) emit changed();
    };
    connect(source_, &QComboBox::currentIndexChanged, this, [this, edited] {
        showSource();
        edited();
    });
    connect(levels_, &LevelsForm::changed, this, edited);
    connect(dataset_, &QComboBox::activated, this, edited);
    connect(dataset_->lineEdit(), &QLineEdit::editingFinished, this, edited);
    connect(import_, &QPushButton::clicked, this, &PartitionForm::importRequested);
    connect(export_, &QPushButton::clicked, this, &PartitionForm::exportRequested);
}

void PartitionForm::showSource() {
    const int source = source_->currentIndex();
    levels_->setVisible(source == PartitionChoice::Rings);
    labelsPart_->setVisible(source == PartitionChoice::Labels);
    drawnPart_->setVisible(source == PartitionChoice::Drawn);
}

void PartitionForm::browse() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("File with labels"), {}, imageFilters(tr("Labels")));
    if (!path.isEmpty()) setDataset(path);
}

void PartitionForm::propose(const Geometry& geometry, std::size_t height, std::size_t width,
                            const QStringList& datasets) {
    {
        const QScopedValueRollback quiet(setting_, true);
        levels_->propose(geometry, height, width);
        dataset_->clear();
        dataset_->addItems(datasets);
        dataset_->setCurrentIndex(datasets.isEmpty() ? -1 : 0);
        source_->setCurrentIndex(datasets.isEmpty() ? PartitionChoice::Rings : PartitionChoice::Labels);
    }
    emit changed();
}

PartitionChoice PartitionForm::choice() const {
    PartitionChoice choice;
    choice.source = static_cast<PartitionChoice::Source>(source_->currentIndex());
    choice.dataset = dataset_->currentText().trimmed();
    try {
        choice.recipe = levels_->recipe();
    } catch (const Error& error) {
        choice.problem = QString::fromUtf8(error.what());
    }
    return choice;
}

PartitionForm::Fields PartitionForm::fields() const {
    return {static_cast<PartitionChoice::Source>(source_->currentIndex()), levels_->fields(),
            dataset_->currentText().trimmed()};
}

void PartitionForm::setFields(const Fields& fields) {
    const QScopedValueRollback quiet(setting_, true);
    levels_->setFields(fields.levels);
    dataset_->setEditText(fields.dataset);
    source_->setCurrentIndex(fields.source);
}

void PartitionForm::setChoice(const PartitionChoice& choice, const std::optional<LevelsForm::Fields>& made) {
    {
        const QScopedValueRollback quiet(setting_, true);
        if (choice.recipe.radial.size() > 0) levels_->setRecipe(choice.recipe, made);
        dataset_->setEditText(choice.dataset);
        source_->setCurrentIndex(choice.source);
    }
    emit changed();
}

void PartitionForm::setDataset(const QString& name) {
    {
        const QScopedValueRollback quiet(setting_, true);
        dataset_->setEditText(name);
        source_->setCurrentIndex(PartitionChoice::Labels);
    }
    emit changed();
}

void PartitionForm::setGeometry(const Geometry& geometry) {
    const QScopedValueRollback quiet(setting_, true);
    levels_->setGeometry(geometry);
}

void PartitionForm::setRecipe(const PartitionRecipe& recipe) {
    const QScopedValueRollback quiet(setting_, true);
    levels_->setRecipe(recipe);
}

}  // namespace ks::ui::xpcs
