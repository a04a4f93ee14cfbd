#include "ui/base/parameter_steps.h"

#include <QStringList>

namespace ks::ui {

ParameterSteps::Name parameterChange(const std::vector<ParameterSpec>& specs, const ParameterSet& before,
                                     const ParameterSet& now) {
    QStringList labels, ids;
    for (const ParameterSpec& spec : specs) {
        const auto was = before.find(spec.id), is = now.find(spec.id);
        if (was == before.end() || is == now.end() || was->second == is->second) continue;
        labels << QString::fromStdString(spec.label);
        ids << QString::fromStdString(spec.id);
    }
    const QString text =
        labels.size() == 1 ? labels.front() : QObject::tr("%1 parameters").arg(labels.size());
    return {text, ids.join(QLatin1Char(' '))};
}

}  // namespace ks::ui
