#include "ui/image/tools/tool_fields.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/image/tools/brush_tool.h"
#include "ui/image/tools/flood_tool.h"

namespace ks::ui {

ToolFields::ToolFields(BrushTool* brush, FloodTool* flood, QWidget* parent)
    : QWidget(parent),
      brush_(brush),
      flood_(flood),
      sizeText_(new QLabel(tr("Size"), this)),
      lowerText_(new QLabel(this)),
      upperText_(new QLabel(this)),
      size_(new WholeBox(this)),
      reach_(new QComboBox(this)),
      lower_(new NumberBox(this, 9, QStringLiteral("0000000"))),
      upper_(new NumberBox(this, 9, QStringLiteral("0000000"))),
      take_(new QToolButton(this)) {
    setLayout(inColumns({sizeText_, size_, reach_, lowerText_, lower_, upperText_, upper_, take_}, 4));
    size_->setRange(1, BrushTool::largest);
    size_->setSuffix(tr(" px"));
    size_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    named(size_, tr("Brush size"), tr("Brush diameter in image pixels ([ and ])"));
    reach_->addItems({tr("Similar"), tr("Range")});
    named(reach_, tr("Selection by click"),
          tr("Similar: connected pixels whose values are close to the clicked one. Range: all pixels of "
             "the frame whose values are within a range."));
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
    connect(flood_, &FloodTool::settingsChanged, this, &ToolFields::settingsToFields);
    connect(reach_, &QComboBox::currentIndexChanged, this, [this](int index) {
        FloodSettings settings = flood_->settings();
        settings.reach = static_cast<FloodSettings::Reach>(index);
        flood_->setSettings(settings);
    });
    for (QDoubleSpinBox* box : {lower_, upper_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ToolFields::fieldsToSettings);
    connect(take_, &QToolButton::clicked, this,
            [this] { emit rangeAsked(flood_->settings().low, flood_->settings().high); });
    size_->setValue(brush_->size());
    settingsToFields();
    showFor(nullptr);
}

void ToolFields::showFor(const ImageTool* tool) {
    const bool brush = tool == brush_, flood = tool && tool == flood_;
    for (QWidget* widget : std::initializer_list<QWidget*>{sizeText_, size_}) widget->setVisible(brush);
    for (QWidget* widget : std::initializer_list<QWidget*>{reach_, lowerText_, lower_, upperText_, upper_})
        widget->setVisible(flood);
    take_->setVisible(flood && flood_->settings().reach == FloodSettings::Reach::range);
    setVisible(brush || flood);
}

void ToolFields::settingsToFields() {
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
    lowerText_->setVisible(similar && reach_->isVisibleTo(this));
    named(lower_, similar ? tr("Offset below") : tr("Lowest value"),
          similar ? tr("How far values may be below the clicked one") : tr("Lowest selected value"));
    named(upper_, similar ? tr("Offset above") : tr("Highest value"),
          similar ? tr("How far values may be above the clicked one") : tr("Highest selected value"));
    take_->setVisible(!similar && reach_->isVisibleTo(this));
}

void ToolFields::fieldsToSettings() {
    FloodSettings settings = flood_->settings();
    const bool similar = settings.reach == FloodSettings::Reach::similar;
    (similar ? settings.below : settings.low) = lower_->value();
    (similar ? settings.above : settings.high) = upper_->value();
    flood_->setSettings(settings);
}

}  // namespace ks::ui
