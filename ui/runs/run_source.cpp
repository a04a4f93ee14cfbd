#include "ui/runs/run_source.h"

#include <QFileInfo>
#include <algorithm>

#include "core/io/open_frames.h"

namespace ks::ui {

bool readFrom(const Run& run, const std::string& role, const QString& name) {
    const auto input = run.request.inputs.find(role);
    return input != run.request.inputs.end() && input->second.name == name.toStdString();
}

bool readFrom(const Run& run, const std::string& role, const QString& name,
              const std::map<std::string, std::size_t>& counts) {
    return readFrom(run, role, name) && std::ranges::all_of(counts, [&run](const auto& count) {
               return run.result.facts.value(count.first, std::size_t{0}) == count.second;
           });
}

QString sourceText(const Run& run, const std::string& role, const QString& beside) {
    const auto input = run.request.inputs.find(role);
    if (input == run.request.inputs.end()) return QObject::tr("other data");
    const io::DataName name = io::DataName::parse(input->second.name);
    QString text = QFileInfo(QString::fromStdString(name.file.string())).fileName();
    if (io::DataName::parse(beside.toStdString()).file == name.file && !name.object.empty())
        text += QStringLiteral("::") + QString::fromStdString(name.object);
    return text;
}

}  // namespace ks::ui
