#pragma once

#include <QSignalSpy>
#include <QtTest>
#include <cstdint>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "tests/ui/window_fixture.h"

namespace ks::tests {

/// Writes frames of photon correlation, the other options of `generate` by their defaults.
inline void generate_xpcs(const QString& path, std::int64_t frames, std::int64_t height, std::int64_t width,
                          bool geometry = false) {
    const Registry registry;
    const Analysis& analysis = registry.analysis("xpcs");
    ParameterSet parameters = defaults(analysis.info().generator);
    parameters["frames"] = frames;
    parameters["height"] = height;
    parameters["width"] = width;
    parameters["geometry"] = geometry;
    Progress progress;
    analysis.generate(parameters, path.toStdString(), true, progress);
}

/// A window that begins with settings of its own, in this file.
inline std::unique_ptr<ui::MainWindow> new_window(const QString& settings) {
    QFile::remove(settings);
    return window_on(settings);
}

/// Opens a file and waits until a run of it can start.
inline void open_data(ui::MainWindow& window, const QString& name) {
    QSignalSpy opened(&window, &ui::MainWindow::fileOpened);
    window.open(name);
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
    QTRY_VERIFY_WITH_TIMEOUT(window.worker().ready(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(window.page()->missing().isEmpty(), 30000);
}

}  // namespace ks::tests
