#pragma once

#include <QFileInfo>
#include <QString>
#include <QStringList>

#include "core/io/files/data_name.h"
#include "core/run/request.h"

namespace ks::ui {

/// Whole paths of the files that a request reads, that of the frames first.
inline QStringList filesOf(const Request& request) {
    QStringList files;
    for (const bool ofFrames : {true, false})
        for (const auto& [role, input] : request.inputs) {
            if ((role == "frames") != ofFrames || input.values || input.name.empty()) continue;
            const QFileInfo file(QString::fromStdString(io::DataName::parse(input.name).file.string()));
            if (!file.suffix().isEmpty()) files << file.absoluteFilePath();  // not "rings:20,20,0,4,5"
        }
    return files;
}

/// The name of the input that is in this one of filesOf(), with the object: "FILE" or "FILE::/path".
inline QString dataOf(const Request& request, const QString& file) {
    for (const auto& [role, input] : request.inputs) {
        if (input.values || input.name.empty()) continue;
        const io::DataName name = io::DataName::parse(input.name);
        if (QFileInfo(QString::fromStdString(name.file.string())).absoluteFilePath() == file)
            return QString::fromStdString(io::DataName{file.toStdString(), name.object}.to_string());
    }
    return file;
}

}  // namespace ks::ui
