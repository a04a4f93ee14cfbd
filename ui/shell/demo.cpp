#include "ui/shell/demo.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

#include "core/run/error.h"
#include "core/run/progress.h"

namespace ks::ui {

QString demoFile(const Registry& registry) {
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::CacheLocation));
    // The version in the name: a newer program may make other data.
    const QString path = folder.filePath(QStringLiteral("demo-speckle-" KERNELSCOPE_VERSION ".h5"));
    if (QFileInfo::exists(path)) return path;
    if (!folder.mkpath(QStringLiteral(".")))
        throw Error(ErrorKind::input, "the cache folder cannot be made", folder.path().toStdString());
    const Analysis& analysis = registry.analysis("xpcs");
    ParameterSet parameters = defaults(analysis.info().generator);
    for (const ParameterSpec& spec : analysis.info().generator)
        if (std::find(spec.choices.begin(), spec.choices.end(), "speckle") != spec.choices.end())
            parameters[spec.id] = std::string("speckle");
    parameters["frame_time"] = 0.001;
    Progress progress;
    analysis.generate(parameters, path.toStdString(), true, progress);
    return path;
}

}  // namespace ks::ui
