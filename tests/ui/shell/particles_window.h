#pragma once

#include <QSettings>
#include <QTemporaryDir>
#include <memory>

#include "ui/shell/main_window.h"

namespace ks::tests {

/// A window of 1280 x 800 on the page of particle sums.
/// @param folder of its settings, test.ini
inline std::unique_ptr<ui::MainWindow> particles_window(const QTemporaryDir& folder) {
    auto made = std::make_unique<ui::MainWindow>(
        std::make_unique<QSettings>(folder.filePath("test.ini"), QSettings::IniFormat));
    made->resize(1280, 800);
    made->setPage("particles");
    made->show();
    return made;
}

}  // namespace ks::tests
