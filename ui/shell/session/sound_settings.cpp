#include "ui/shell/session/sound_settings.h"

#include <QFile>

namespace ks::ui {
namespace {

/// QSettings takes invalid lines for keys; but it never writes a zero byte.
bool isText(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return true;
    constexpr qint64 piece = 1 << 16;
    while (!file.atEnd())
        if (file.read(piece).contains('\0')) return false;
    return true;
}

}  // namespace

std::unique_ptr<QSettings> soundSettings(std::unique_ptr<QSettings> given, QString* damaged) {
    auto settings = given ? std::move(given) : std::make_unique<QSettings>();
    const QString path = settings->fileName();
    const QSettings::Format format = settings->format();
    (void)settings->allKeys();
    if (settings->status() != QSettings::FormatError && (!QFile::exists(path) || isText(path)))
        return settings;
    const QString aside = path + QStringLiteral(".damaged");
    settings.reset();
    QFile::remove(aside);
    if (QFile::rename(path, aside) && damaged) *damaged = aside;
    return std::make_unique<QSettings>(path, format);
}

}  // namespace ks::ui
