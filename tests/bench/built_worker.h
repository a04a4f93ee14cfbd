#pragma once

#include <QCoreApplication>
#include <QDir>

/// The worker of the same build, one folder up, unless KERNELSCOPE_CLI names another one.
inline void useBuiltWorker() {
    if (qEnvironmentVariableIsSet("KERNELSCOPE_CLI")) return;
    qputenv("KERNELSCOPE_CLI", QDir(QCoreApplication::applicationDirPath())
                                   .filePath(QStringLiteral("../kernelscope-cli"))
                                   .toLocal8Bit());
}
