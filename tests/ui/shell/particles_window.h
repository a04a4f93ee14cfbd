#pragma once

#include "tests/ui/window_fixture.h"

namespace ks::tests {

/// A window of 1280 x 800 on the page of particle sums.
/// @param folder of its settings, test.ini
inline std::unique_ptr<ui::MainWindow> particles_window(const QTemporaryDir& folder) {
    auto made = window_on(folder.filePath("test.ini"), {1280, 800});
    made->setPage("particles");
    return made;
}

}  // namespace ks::tests
