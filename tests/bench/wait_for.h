#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <functional>

/// Lets the event loop run until done(), or so long: false.
inline bool waitFor(const std::function<bool()>& done, int milliseconds) {
    QElapsedTimer since;
    since.start();
    while (!done()) {
        if (since.elapsed() > milliseconds) return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    }
    return true;
}
