#include "ui/image/mask/tool_card.h"

#include <QComboBox>
#include <QLabel>

#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/image/tools/tool_fields.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {

ToolCard::ToolCard(BrushTool* brush, FloodTool* flood, QWidget* parent)
    : FloatingCard(Qt::TopLeftCorner, parent),
      fields_(new ToolFields(brush, flood, this)),
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
    hide();
}

void ToolCard::showFor(const ImageTool* tool) {
    fields_->showFor(tool);
    setVisible(tool != nullptr);
    fitNow();
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
