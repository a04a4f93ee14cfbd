#include "ui/plots/export_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/input/input_files.h"
#include "ui/base/number_box.h"
#include "ui/base/save_folders.h"

namespace ks::ui {
namespace {

constexpr QSize previewSize(340, 260);

QDoubleSpinBox* millimetres(const QString& name) {
    auto* box = new DecimalBox;
    box->setRange(20, 1000);
    box->setDecimals(1);
    box->setSuffix(QStringLiteral(" mm"));
    box->setAccessibleName(name);
    return box;
}

QSpinBox* whole(int from, int to, const QString& suffix, const QString& name) {
    auto* box = new WholeBox;
    box->setRange(from, to);
    box->setSuffix(suffix);
    box->setAccessibleName(name);
    return box;
}

QString titleOf(const Figure& figure) {
    return figure.file.text.title.isEmpty() ? figure.plot->figureName() : figure.file.text.title;
}

}  // namespace

ExportDialog::ExportDialog(const ExportablePlot& plot, FigureFile file, QSettings* settings, QWidget* parent)
    : ExportDialog({{&plot, std::move(file)}}, 0, settings, parent) {}

ExportDialog::ExportDialog(std::vector<Figure> figures, std::size_t chosen, QSettings* settings,
                           QWidget* parent)
    : QDialog(parent),
      figures_(std::move(figures)),
      settings_(settings),
      which_(new QComboBox),
      format_(new QComboBox),
      look_(new QComboBox),
      legend_(new QComboBox),
      width_(millimetres(tr("Width"))),
      height_(millimetres(tr("Height"))),
      shape_(new QCheckBox(tr("&Keep aspect ratio"))),
      font_(whole(4, 36, tr(" pt"), tr("Font size"))),
      dpi_(whole(50, 1200, tr(" dpi"), tr("Resolution"))),
      preview_(new QLabel),
      wrong_(new QLabel),
      copy_(new QPushButton(tr("Copy to clip&board"))),
      save_(new QPushButton(tr("&Save..."))) {
    setWindowTitle(tr("Export plot"));
    fillFields(chosen);
    layOut();
    restore();
    showWhyEmpty();
    showChoices();
    connectParts();
}

void ExportDialog::fillFields(std::size_t chosen) {
    which_->setAccessibleName(tr("Plot"));
    for (const Figure& one : figures_) {
        which_->addItem(titleOf(one));
        const QString why = one.plot->whyEmpty();
        if (why.isEmpty()) continue;
        const int last = which_->count() - 1;
        which_->setItemData(last, QVariant(0), Qt::UserRole - 1);  // greyed
        which_->setItemData(last, why, Qt::ToolTipRole);
    }
    which_->setCurrentIndex(static_cast<int>(chosen));
    format_->setAccessibleName(tr("Format"));
    format_->addItem(tr("PNG image"), QStringLiteral("png"));
    format_->addItem(tr("SVG drawing"), QStringLiteral("svg"));
    format_->addItem(tr("PDF document"), QStringLiteral("pdf"));
    format_->addItem(tr("CSV table"), QStringLiteral("csv"));
    look_->setAccessibleName(tr("Look"));
    look_->addItem(tr("Light"), false);
    look_->addItem(tr("Dark"), true);
    legend_->setAccessibleName(tr("Legend"));
    legend_->addItem(tr("In the figure"), true);
    legend_->addItem(tr("None"), false);
    legend_->setToolTip(
        tr("Whether the figure contains a legend; it is placed next to the axes or below them"));
    shape_->setChecked(true);
    shape_->setToolTip(tr("Scale the height with the width"));
    dpi_->setToolTip(tr("Resolution of the PNG image in pixels per inch"));
    preview_->setAccessibleName(tr("Preview"));
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setTextFormat(Qt::PlainText);
    preview_->setMinimumSize(previewSize);
    preview_->setSizePolicy(QSizePolicy::Ignored,
                            QSizePolicy::Ignored);  // otherwise it grows with its picture
    wrong_->setWordWrap(true);
    wrong_->hide();
    copy_->setAutoDefault(false);
}

void ExportDialog::layOut() {
    auto* form = new QFormLayout;
    form->addRow(tr("&Plot"), which_);
    form->addRow(tr("&Format"), format_);
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    form->addRow(QString(), shape_);
    form->addRow(tr("Fo&nt size"), font_);
    form->addRow(tr("&Resolution"), dpi_);
    form->addRow(tr("&Look"), look_);
    form->addRow(tr("Le&gend"), legend_);
    auto* top = new QHBoxLayout;
    top->addLayout(form);
    top->addWidget(preview_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(save_, QDialogButtonBox::AcceptRole);
    buttons->addButton(copy_, QDialogButtonBox::ActionRole);
    auto* rows = new QVBoxLayout(this);
    rows->addLayout(top, 1);
    rows->addWidget(wrong_);
    rows->addWidget(buttons);
    save_->setDefault(true);
    format_->setFocus();
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ExportDialog::connectParts() {
    connect(width_, &QDoubleSpinBox::valueChanged, this, [this] {
        fitHeight();
        showPreview();
    });
    connect(height_, &QDoubleSpinBox::valueChanged, this, [this] {
        const QSignalBlocker quiet(shape_);
        shape_->setChecked(false);
        showPreview();
    });
    connect(shape_, &QCheckBox::toggled, this, [this] {
        fitHeight();
        showPreview();
    });
    connect(font_, &QSpinBox::valueChanged, this, &ExportDialog::showPreview);
    for (QComboBox* one : {look_, legend_})
        connect(one, &QComboBox::currentIndexChanged, this, &ExportDialog::showPreview);
    connect(which_, &QComboBox::currentIndexChanged, this, &ExportDialog::showPlot);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::showChoices);
    connect(save_, &QPushButton::clicked, this, &ExportDialog::save);
    connect(copy_, &QPushButton::clicked, this, &ExportDialog::copy);
}

const Figure& ExportDialog::figure() const {
    return figures_.at(static_cast<std::size_t>(which_->currentIndex()));
}

void ExportDialog::showPlot() {
    fitHeight();
    showWhyEmpty();
    showChoices();
}

void ExportDialog::showWhyEmpty() {
    const QString why = figure().plot->whyEmpty();
    wrong_->setText(why);
    wrong_->setVisible(!why.isEmpty());
    for (QPushButton* one : {save_, copy_}) {
        one->setEnabled(why.isEmpty());
        one->setToolTip(why);
    }
}

FigureOptions ExportDialog::options() const {
    return {width_->value(),
            height_->value(),
            font_->value(),
            dpi_->value(),
            look_->currentData().toBool(),
            legend_->currentData().toBool()};
}

QString ExportDialog::format() const {
    return format_->currentData().toString();
}

void ExportDialog::restore() {
    const auto kept = [this](const char* key, const QVariant& standard) {
        return settings_ ? settings_->value(QStringLiteral("figure/") + QLatin1String(key), standard)
                         : standard;
    };
    format_->setCurrentIndex(std::max(format_->findData(kept("format", "png").toString()), 0));
    look_->setCurrentIndex(kept("dark", false).toBool() ? 1 : 0);
    legend_->setCurrentIndex(kept("legend", true).toBool() ? 0 : 1);
    width_->setValue(kept("width", 120).toDouble());
    font_->setValue(kept("font", 9).toInt());
    dpi_->setValue(kept("dpi", 300).toInt());
    // Heights are stored as an aspect ratio, as plots differ in theirs.
    const double shape = kept("shape", 0).toDouble();
    shape_->setChecked(!(shape > 0));
    fitHeight();
    if (shape > 0) height_->setValue(width_->value() * shape);
}

void ExportDialog::keep() const {
    if (!settings_) return;
    settings_->beginGroup(QStringLiteral("figure"));
    settings_->setValue(QStringLiteral("format"), format());
    settings_->setValue(QStringLiteral("dark"), look_->currentData().toBool());
    settings_->setValue(QStringLiteral("legend"), legend_->currentData().toBool());
    settings_->setValue(QStringLiteral("width"), width_->value());
    settings_->setValue(QStringLiteral("font"), font_->value());
    settings_->setValue(QStringLiteral("dpi"), dpi_->value());
    settings_->setValue(QStringLiteral("shape"),
                        shape_->isChecked() ? 0.0 : height_->value() / width_->value());
    settings_->endGroup();
}

void ExportDialog::fitHeight() {
    if (!shape_->isChecked()) return;
    const QSignalBlocker quiet(height_);
    height_->setValue(figureMillimetres(*figure().plot, {width_->value()}).height());
}

void ExportDialog::showChoices() {
    const bool drawn = format() != QStringLiteral("csv");
    for (QWidget* one : std::initializer_list<QWidget*>{width_, height_, shape_, font_, look_})
        one->setEnabled(drawn);
    legend_->setEnabled(drawn && figure().plot->hasLegend());
    dpi_->setEnabled(format() == QStringLiteral("png"));
    showPreview();
}

void ExportDialog::showPreview() {
    if (format() == QStringLiteral("csv")) {
        const QString table = QString::fromStdString(figure().plot->csvBegin());
        QStringList lines = table.section(QLatin1Char('\n'), 0, 11).split(QLatin1Char('\n'));
        const int width = std::max(preview_->width(), previewSize.width());
        for (QString& line : lines) line = preview_->fontMetrics().elidedText(line, Qt::ElideRight, width);
        preview_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        preview_->setText(lines.join(QLatin1Char('\n')));
        return;
    }
    preview_->setAlignment(Qt::AlignCenter);
    FigureOptions coarse = options();
    const QSizeF room = QSizeF(preview_->size().expandedTo(previewSize)) * devicePixelRatioF();
    const double scale = std::min(room.width() / coarse.width, room.height() / coarse.height);
    coarse.dpi = std::max(static_cast<int>(scale * 25.4), 20);
    QPixmap picture = QPixmap::fromImage(drawnFigure(*figure().plot, coarse));
    picture.setDevicePixelRatio(devicePixelRatioF());
    preview_->setPixmap(picture);
}

void ExportDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    showPreview();
}

void ExportDialog::copy() {
    if (format() == QStringLiteral("csv"))
        QGuiApplication::clipboard()->setText(QString::fromStdString(figure().plot->csv()));
    else
        QGuiApplication::clipboard()->setImage(drawnFigure(*figure().plot, options(), figure().file.text));
    keep();
}

void ExportDialog::write(const QString& path) {
    io::require_not_read("exporting", path.toStdString(), figure().file.read);
    exportFigure(*figure().plot, path.toStdString(), true, options(), figure().file.text);
    keep();
    written_ = path;
}

void ExportDialog::save() {
    const QString path =
        askSavePath(this, tr("Export plot"), figure().file.proposal + QLatin1Char('.') + format(),
                    QStringLiteral("%1 (*.%2)").arg(format_->currentText(), format()));
    if (path.isEmpty()) return;
    try {
        write(path);
        accept();
    } catch (const Error& error) {
        wrong_->setText(QString::fromUtf8(error.what()));
        wrong_->show();
    }
}

}  // namespace ks::ui
