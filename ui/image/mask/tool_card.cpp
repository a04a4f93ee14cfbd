#include "ui/image/mask/tool_card.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <initializer_list>
#include <limits>

#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/image/tools/brush_tool.h"
#include "ui/image/tools/flood_tool.h"

namespace ks::ui {

ToolCard::ToolCard(BrushTool* brush, FloodTool* flood, QWidget* parent)
    : FloatingCard(Qt::TopLeftCorner, parent),
      brush_(brush),
      flood_(flood),
      sizeText_(new QLabel(tr("Size"))),
      lowerText_(new QLabel),
      upperText_(new QLabel),
      size_(new WholeBox),
      reach_(new QComboBox),
      lower_(new NumberBox(nullptr, 9, QStringLiteral("0000000"))),
      upper_(new NumberBox(nullptr, 9, QStringLiteral("0000000"))),
      take_(new QToolButton),
      fields_(makeFields()),
      targets_(new QComboBox(this)),
      sigma_(new DecimalBox(this)),
      count_(new QLabel(this)) {
    named(targets_, tr("Drawing target"), tr("Draw on the mask of ignored pixels, or on a bin"));
    targets_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    sigma_->setRange(1, 1000);
    sigma_->setDecimals(1);
    sigma_->setValue(6);
    sigma_->setPrefix(tr("Hot: "));
    sigma_->setSuffix(QStringLiteral(" \u03c3"));
    named(sigma_, tr("Hot pixel threshold"),
          tr("Hot pixels exceed their surroundings by more than this many sigma (H masks them)"));
    count_->setAccessibleName(tr("Number of pixels"));
    setLayout(inRows({fields_, inColumns({targets_, sigma_, count_, Cell::space()}, 8)}, 4, {8, 6, 8, 6}));
    size_->setValue(brush_->size());
    settingsToFields();
    showFor(nullptr);
}

QWidget* ToolCard::makeFields() {
    QWidget* const made =
        boxed(inColumns({sizeText_, size_, reach_, lowerText_, lower_, upperText_, upper_, take_}, 4));
    size_->setRange(1, BrushTool::largest);
    size_->setSuffix(tr(" px"));
    size_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    named(size_, tr("Brush size"), tr("Brush diameter in image pixels ([ and ])"));
    reach_->addItems({tr("Similar"), tr("Range")});
    named(reach_, tr("Selection by click"),
          tr("\"Similar\": connected pixels whose values are close to that of the clicked pixel. "
             "\"Range\": all pixels of the frame whose values are within a range."));
    take_->setText(tr("Select all"));
    named(take_, tr("Select all pixels in the range"),
          tr("Select all pixels of the frame whose values are within the range"));
    sizeText_->setBuddy(size_);
    lowerText_->setBuddy(lower_);
    upperText_->setBuddy(upper_);

    connect(size_, &QSpinBox::valueChanged, brush_, &BrushTool::setSize);
    connect(brush_, &BrushTool::sizeChanged, this, [this](int pixels) {
        const QSignalBlocker quiet(size_);
        size_->setValue(pixels);
    });
    connect(flood_, &FloodTool::settingsChanged, this, &ToolCard::settingsToFields);
    connect(reach_, &QComboBox::currentIndexChanged, this, [this](int index) {
        FloodSettings settings = flood_->settings();
        settings.reach = static_cast<FloodSettings::Reach>(index);
        flood_->setSettings(settings);
    });
    for (QDoubleSpinBox* box : {lower_, upper_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ToolCard::fieldsToSettings);
    connect(take_, &QToolButton::clicked, this,
            [this] { emit rangeAsked(flood_->settings().low, flood_->settings().high); });
    return made;
}

void ToolCard::showFor(const ImageTool* tool) {
    const bool brush = tool == brush_, flood = tool && tool == flood_;
    for (QWidget* widget : std::initializer_list<QWidget*>{sizeText_, size_}) widget->setVisible(brush);
    for (QWidget* widget : std::initializer_list<QWidget*>{reach_, lowerText_, lower_, upperText_, upper_})
        widget->setVisible(flood);
    take_->setVisible(flood && flood_->settings().reach == FloodSettings::Reach::range);
    fields_->setVisible(brush || flood);
    setVisible(tool != nullptr);
    fitNow();
}

void ToolCard::settingsToFields() {
    const FloodSettings& settings = flood_->settings();
    const bool similar = settings.reach == FloodSettings::Reach::similar;
    const QSignalBlocker a(reach_), b(lower_), c(upper_);
    reach_->setCurrentIndex(static_cast<int>(settings.reach));
    const double minimum = similar ? 0 : std::numeric_limits<double>::lowest();
    for (QDoubleSpinBox* box : {lower_, upper_}) box->setMinimum(minimum);
    lower_->setValue(similar ? settings.below : settings.low);
    upper_->setValue(similar ? settings.above : settings.high);
    lowerText_->setText(similar ? QStringLiteral("\u2212") : QString());
    upperText_->setText(similar ? QStringLiteral("+") : tr("to"));
    lowerText_->setVisible(similar && reach_->isVisibleTo(fields_));
    named(lower_, similar ? tr("Offset below") : tr("Lowest value"),
          similar ? tr("How far a selected value can be below the value of the clicked pixel")
                  : tr("Lowest selected value"));
    named(upper_, similar ? tr("Offset above") : tr("Highest value"),
          similar ? tr("How far a selected value can be above the value of the clicked pixel")
                  : tr("Highest selected value"));
    take_->setVisible(!similar && reach_->isVisibleTo(fields_));
}

void ToolCard::fieldsToSettings() {
    FloodSettings settings = flood_->settings();
    const bool similar = settings.reach == FloodSettings::Reach::similar;
    (similar ? settings.below : settings.low) = lower_->value();
    (similar ? settings.above : settings.high) = upper_->value();
    flood_->setSettings(settings);
}

void ToolCard::setCount(const QString& text) {
    count_->setText(text);
    fitNow();
}

// At once and not in the next pass of the event loop, so that nothing is cut off meanwhile.
void ToolCard::fitNow() {
    fields_->layout()->activate();
    layout()->activate();
    arrange();
}

}  // namespace ks::ui
