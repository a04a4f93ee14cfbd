#include "ui/shell/demo.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "core/base/error.h"
#include "core/base/progress.h"

namespace ks::ui {

QString demoFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
}

QString demoFile(const Registry& registry, const QString& analysis, const Demo& demo) {
    const QDir folder(demoFolder());
    // The version is part of the name: a newer program may generate other data.
    const QString name = demo.name.isEmpty() ? QString() : QLatin1Char('-') + demo.name;
    const QString path = folder.filePath(
        QStringLiteral("demo-%1-" KERNELSCOPE_VERSION "%2.%3").arg(analysis, name, demo.suffix));
    if (QFileInfo::exists(path)) return path;
    if (!folder.mkpath(QStringLiteral(".")))
        throw Error(ErrorKind::input, "the cache folder cannot be created", folder.path().toStdString());
    const Analysis& maker = registry.analysis(analysis.toStdString());
    Progress progress;
    maker.generate(checked(maker.info().generator, demo.parameters), path.toStdString(), true, progress);
    return path;
}

}  // namespace ks::ui
