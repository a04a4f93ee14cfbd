#pragma once

// A view, an editor and the tool bar as a page has them, real mouse events, and what the tools must do,
// worked out pixel by pixel.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QWheelEvent>

#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/tools/brush_tool.h"
#include "ui/image/tools/flood_tool.h"
#include "ui/image/tools/polygon_tool.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui::test {

using Bytes = std::vector<std::uint8_t>;
using Points = std::vector<QPointF>;

constexpr int columns = 121, rows = 90;

/// Plateaus with steps between them, an island of NaN, and some lone bright pixels.
inline std::vector<float> landscape() {
    std::vector<float> values(columns * rows);
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            auto value = static_cast<float>(20 + 10 * ((x / 17 + y / 23) % 4) + (x * 7 + y * 3) % 3);
            if (x >= 40 && x < 44 && y >= 50 && y < 52) value = NAN;
            if ((x == 20 && y == 20) || (x == 77 && y == 61)) value = 5000;
            values[static_cast<std::size_t>(y * columns + x)] = value;
        }
    }
    return values;
}

inline std::shared_ptr<const Array> frameOf(const std::vector<float>& values) {
    return std::make_shared<Array>(Array::of<float>({rows, columns}, values));
}

struct Bench {
    QWidget window;
    RegionEditor editor;
    DetectorView* view = new DetectorView(&window);
    MaskBar* bar = new MaskBar(&window);

    explicit Bench(Jobs* jobs = nullptr) : editor(jobs) {
        auto* row = new QHBoxLayout(&window);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(0);
        row->addWidget(bar);
        row->addWidget(view, 1);
        window.resize(900, 640);
        const auto frame = frameOf(landscape());
        view->setFrame(frame);
        editor.setFrame(frame);
        bar->attach(view, &editor);
        window.show();
        window.activateWindow();
        view->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&window));
    }

    /// 0: all of it; 1: zoomed in and panned with the middle button; 2: small.
    void look(int way) {
        view->fit();
        if (way == 1) {
            view->zoomBy(1.7, {300, 250});
            drag({300, 300}, {341, 262}, Qt::MiddleButton);
        } else if (way == 2) {
            view->zoomBy(0.37, {200, 200});
        }
    }
    void drag(const QPoint& from, const QPoint& to, Qt::MouseButton button) {
        QTest::mousePress(view, button, {}, from);
        QTest::mouseMove(view, (from + to) / 2);
        QTest::mouseMove(view, to);
        QTest::mouseRelease(view, button, {}, to);
    }
    /// In the middle of a stroke of the left button.
    void panWithMiddle(const QPoint& from, const QPoint& to) {
        moved(from, Qt::LeftButton, QEvent::MouseButtonPress, Qt::MiddleButton);
        moved((from + to) / 2, Qt::LeftButton | Qt::MiddleButton);
        moved(to, Qt::LeftButton | Qt::MiddleButton);
        moved(to, Qt::LeftButton, QEvent::MouseButtonRelease, Qt::MiddleButton);
    }
    void moved(const QPointF& at, Qt::MouseButtons held, QEvent::Type type = QEvent::MouseMove,
               Qt::MouseButton button = Qt::NoButton) {
        QMouseEvent event(type, at, view->mapToGlobal(at), button, held, Qt::NoModifier);
        QCoreApplication::sendEvent(view, &event);
    }
    void wheel(const QPointF& at, int steps) {
        QWheelEvent event(at, view->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view, &event);
    }
    /// Where a widget point lies in the image.
    QPointF at(const QPoint& widget) const { return view->toImage(widget); }
    /// The widget point nearest to this one of the image.
    QPoint over(double x, double y) const { return view->toWidget({x, y}).toPoint(); }
    void act(const char* name) { bar->action(QLatin1String(name))->trigger(); }
    const Bytes& mask() const { return editor.mask().values(); }
};

inline Bytes nothing() {
    return Bytes(columns * rows, 0);
}

/// Calls inside(x, y) with the centre of each pixel.
template <class Inside>
Bytes bytesWhere(Inside inside) {
    Bytes bytes = nothing();
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x)
            bytes[static_cast<std::size_t>(y * columns + x)] = inside(x + 0.5, y + 0.5) ? 1 : 0;
    }
    return bytes;
}

inline Bytes operator|(Bytes a, const Bytes& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
    return a;
}
inline Bytes operator-(Bytes a, const Bytes& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] && !b[i];
    return a;
}

inline Bytes boxBetween(const QPointF& a, const QPointF& b) {
    return bytesWhere([&](double x, double y) {
        return x >= std::min(a.x(), b.x()) && x < std::max(a.x(), b.x()) && y >= std::min(a.y(), b.y()) &&
               y < std::max(a.y(), b.y());
    });
}

inline Bytes ellipseBetween(const QPointF& a, const QPointF& b) {
    const QPointF centre = (a + b) / 2, half = (b - a) / 2;
    return bytesWhere([&](double x, double y) {
        return std::hypot((x - centre.x()) / half.x(), (y - centre.y()) / half.y()) < 1;
    });
}

/// Even-odd rule: edges that a ray to the right crosses.
inline Bytes polygonOf(const Points& corners) {
    return bytesWhere([&](double x, double y) {
        bool in = false;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const QPointF a = corners[i], b = corners[(i + 1) % corners.size()];
            if ((a.y() > y) == (b.y() > y)) continue;
            if (x < a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) in = !in;
        }
        return in;
    });
}

/// Within diameter / 2 of the line through the points, and the pixels below them.
inline Bytes strokeAlong(const Points& points, double diameter) {
    return bytesWhere([&](double x, double y) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            const QPointF a = points[i], b = points[std::min(i + 1, points.size() - 1)], way = b - a;
            if (std::floor(a.x()) == x - 0.5 && std::floor(a.y()) == y - 0.5) return true;
            const double length2 = QPointF::dotProduct(way, way);
            const double share =
                length2 > 0 ? std::clamp(QPointF::dotProduct(QPointF(x, y) - a, way) / length2, 0.0, 1.0) : 0;
            const QPointF nearest = a + share * way;
            if (std::hypot(x - nearest.x(), y - nearest.y()) < diameter / 2) return true;
        }
        return false;
    });
}

/// Step by step to the neighbours, until nothing is added.
inline Bytes floodFrom(const std::vector<float>& values, int x, int y, double below, double above) {
    Bytes in = nothing();
    const auto index = [](int c, int r) { return static_cast<std::size_t>(r * columns + c); };
    const double value = values[index(x, y)];
    const auto fits = [&](int c, int r) {
        const double v = values[index(c, r)];
        return v >= value - below && v <= value + above;
    };
    if (!fits(x, y)) return in;
    in[index(x, y)] = 1;
    for (bool more = true; more;) {
        more = false;
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                if (in[index(c, r)] || !fits(c, r)) continue;
                const bool touches = (c > 0 && in[index(c - 1, r)]) ||
                                     (c + 1 < columns && in[index(c + 1, r)]) ||
                                     (r > 0 && in[index(c, r - 1)]) || (r + 1 < rows && in[index(c, r + 1)]);
                if (!touches) continue;
                in[index(c, r)] = 1;
                more = true;
            }
        }
    }
    return in;
}

/// Chosen pixels and their 8 neighbours.
inline Bytes grownByOne(const Bytes& bytes) {
    return bytesWhere([&](double x, double y) {
        for (int r = static_cast<int>(y) - 1; r <= static_cast<int>(y) + 1; ++r) {
            for (int c = static_cast<int>(x) - 1; c <= static_cast<int>(x) + 1; ++c) {
                if (c < 0 || r < 0 || c >= columns || r >= rows) continue;
                if (bytes[static_cast<std::size_t>(r * columns + c)]) return true;
            }
        }
        return false;
    });
}

inline Bytes inverse(Bytes bytes) {
    for (std::uint8_t& byte : bytes) byte = !byte;
    return bytes;
}

inline std::size_t chosen(const Bytes& bytes) {
    return static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), [](auto b) { return b != 0; }));
}

/// "3 of 410 pixels differ, the first at (12, 40)", or nothing.
inline QByteArray difference(const Bytes& found, const Bytes& expected) {
    if (found == expected) return {};
    std::size_t n = 0, first = 0;
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
        if (found[i] != expected[i] && n++ == 0) first = i;
    }
    return QString("%1 pixels differ (%2 found, %3 expected), the first at (%4, %5)")
        .arg(n)
        .arg(chosen(found))
        .arg(chosen(expected))
        .arg(first % columns)
        .arg(first / columns)
        .toUtf8();
}

}  // namespace ks::ui::test

/// The mask, byte for byte.
#define SAME_BYTES(found, expected)                                            \
    do {                                                                       \
        const QByteArray said = ks::ui::test::difference((found), (expected)); \
        QVERIFY2(said.isEmpty(), said.constData());                            \
    } while (false)
