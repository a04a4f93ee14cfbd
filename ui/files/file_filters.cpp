#include "ui/files/file_filters.h"

#include <fmt/format.h>

#include <QCoreApplication>

#include "core/io/frame_format.h"

namespace ks::ui {
namespace {

QString line(const QString& title, const std::string& patterns) {
    return QStringLiteral("%1 (%2)").arg(title, QString::fromStdString(patterns));
}

QString tr(const char* text) {
    return QCoreApplication::translate("FileFilters", text);
}

}  // namespace

QString formatsFilter(const QString& title) {
    return line(title, io::name_patterns());
}

QString tablesFilter(const QString& title, bool objects) {
    std::string patterns = "*.csv";
    for (const io::FrameFormat& format : io::frame_formats())
        if (objects ? format.objects : format.tables)
            patterns.append(1, ' ').append(io::name_patterns(format));
    return line(title, patterns);
}

QStringList frameFilters() {
    QStringList filters{formatsFilter(tr("Frames"))};
    for (const io::FrameFormat& format : io::frame_formats())
        filters << line(QString::fromStdString(format.title), io::name_patterns(format));
    return filters;
}

QString imageFilters(const QString& title) {
    return formatsFilter(title) + QStringLiteral(";;") + tr("All files (*)");
}

QString saveFilters() {
    QStringList filters;
    for (const io::FrameFormat& format : io::frame_formats())
        if (io::can_write(format))
            filters << line(QString::fromStdString(format.title),
                            fmt::format("*{}", format.suffixes.front()));
    return filters.join(QStringLiteral(";;"));
}

}  // namespace ks::ui
