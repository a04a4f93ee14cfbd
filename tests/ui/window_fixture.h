#pragma once

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>

#include "ui/shell/main_window.h"

namespace ks::tests {

/// A shown window with the settings in this file.
/// @param size empty: as large as it is without settings
inline std::unique_ptr<ui::MainWindow> window_on(const QString& settings, const QSize& size = {}) {
    auto made = std::make_unique<ui::MainWindow>(std::make_unique<QSettings>(settings, QSettings::IniFormat));
    if (!size.isEmpty()) made->resize(size);
    made->show();
    return made;
}

/// A test with windows whose worker is the program of this build, and a folder for their settings and files.
class WindowFixture : public QObject {
  public:
    WindowFixture() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }

  protected:
    QString path(const QString& leaf) const { return folder_.filePath(leaf); }
    /// The next start of the program, with the settings of the previous window.
    std::unique_ptr<ui::MainWindow> window(const QSize& size = {}) const {
        return window_on(path("test.ini"), size);
    }
    /// The first start of the program.
    std::unique_ptr<ui::MainWindow> firstWindow(const QSize& size = {}) const {
        QFile::remove(path("test.ini"));
        return window(size);
    }

    QTemporaryDir folder_;
    std::unique_ptr<ui::MainWindow> window_;
};

}  // namespace ks::tests
