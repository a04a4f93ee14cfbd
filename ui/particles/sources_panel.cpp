#include "ui/particles/sources_panel.h"

#include <QPushButton>

#include "core/particles/generator.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/base/parameter_form.h"
#include "ui/particles/source_set.h"

namespace ks::ui::particles {

SourcesPanel::SourcesPanel(QWidget* parent)
    : QWidget(parent),
      text_(new QLabel),
      form_(new ParameterForm),
      make_(new QPushButton(tr("Generate and open"))) {
    text_->setWordWrap(true);
    text_->setWhatsThis(tr("The open sources: number of points and weights, and their extent"));
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setAccessibleName(tr("Sources that are open"));
    // Repeated points are for checks of kernels.
    form_->setSpecs(ks::particles::point_parameters(), {QStringLiteral("repeated")});
    make_->setToolTip(tr("Generate synthetic sources in the unit box and open them (Ctrl+D)"));
    QLayout* const open =
        inRows({heading(tr("Sources"), tr("The points whose weights are summed")), text_}, 8);
    QLayout* const demo = inRows(
        {heading(tr("Demo"), tr("Synthetic points in place of a file")), form_, make_, Cell::space()}, 8);
    setLayout(inRows({open, {demo, 1}}, 16));
    connect(make_, &QPushButton::clicked, this, &SourcesPanel::demoRequested);
    setSources(nullptr);
}

void SourcesPanel::setSources(const SourceSet* sources) {
    text_->setText(sources ? QStringLiteral("%1\n%2\n%3")
                                 .arg(sources->countText(), sources->weightText(), sources->boxText())
                           : tr("none: open a file or generate some"));
}

QString SourcesPanel::text() const {
    return text_->text();
}

Demo SourcesPanel::demo() const {
    const ParameterSet values = form_->values();
    QStringList parts;
    for (const ParameterSpec& spec : form_->specs())
        parts << QString::fromStdString(to_text(values.at(spec.id)));
    return {values, QStringLiteral("h5"), parts.join(QLatin1Char('-'))};
}

}  // namespace ks::ui::particles
