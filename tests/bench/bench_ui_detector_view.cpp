// How fast the detector view is with a frame of 16 million pixels: a table of medians, quartiles and the
// median of the CPU time of all threads, with the limit of each line, in windows of 1600 x 1000 and 2560 x
// 1440. QT_QPA_PLATFORM=offscreen bench_ui_detector_view [runs]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <QApplication>
#include <QMouseEvent>
#include <QTimer>

#include "ui/image/colours/image_controls.h"
#include "ui/image/view/detector_view.h"

using namespace ks;
using namespace ks::ui;

namespace {

constexpr std::size_t height = 4362, width = 4148;
int runs = 21;

double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Speckles of 4 pixels below a ring, counted, with 200 hot pixels.
template <class T>
std::shared_ptr<const Array> speckles(unsigned seed) {
    std::mt19937 random(seed);
    std::exponential_distribution<float> exponential(1);
    constexpr std::size_t grain = 4, across = width / grain + 1;
    std::vector<float> grains(across * (height / grain + 1));
    for (float& value : grains) value = exponential(random);
    const std::shared_ptr<Array> array =
        std::make_shared<Array>(element_type_of<T>(), std::vector<std::size_t>{height, width});
    const auto pixels = array->as<T>();
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const float dx = static_cast<float>(x) - 2100, dy = static_cast<float>(y) - 2200;
            const float r = std::sqrt(dx * dx + dy * dy), ring = std::exp(-(r - 900) * (r - 900) / 1e5F);
            const float mean = grains[y / grain * across + x / grain] * (1 + 20 * ring);
            const float noise = static_cast<float>(random() & 1023) / 512.0F;
            pixels[y * width + x] = static_cast<T>(std::min(mean * noise, 120.0F));
        }
    }
    for (int i = 0; i < 200; ++i) pixels[random() % (height * width)] = std::numeric_limits<T>::max();
    return array;
}

/// Of all threads: what a step costs, however busy the machine is.
double cpu() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct Line {
    std::string name;
    double limit;
    std::vector<double> times, work = {};
};

void print(Line line) {
    std::sort(line.times.begin(), line.times.end());
    std::sort(line.work.begin(), line.work.end());
    const auto at = [&](double share) {
        return line.times[static_cast<std::size_t>(share * static_cast<double>(line.times.size() - 1) + 0.5)];
    };
    std::printf("| %-62s | %6.1f | %6.1f | %6.1f | %6.1f | %6.1f | %5.0f | %s |\n", line.name.c_str(),
                at(0.5), at(0.25), at(0.75), at(1), line.work.empty() ? 0 : line.work[line.work.size() / 2],
                line.limit, at(0.5) <= line.limit ? "yes" : "NO");
    std::fflush(stdout);
}

double kilobytes(const char* key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        double value = 0;
        if (word == key && status >> value) return value;
    }
    return 0;
}

Line measure(const std::string& name, double limit, const std::function<void()>& before,
             const std::function<void()>& step) {
    Line line{name, limit, {}};
    for (int i = 0; i < runs + 3; ++i) {
        before();
        const double start = now(), busy = cpu();
        step();
        if (i < 3) continue;
        line.times.push_back(now() - start);
        line.work.push_back(cpu() - busy);
    }
    return line;
}

/// Sees when the view has been painted.
class PaintWatch : public QObject {
  public:
    bool painted = false;
    bool eventFilter(QObject*, QEvent* event) override {
        painted |= event->type() == QEvent::Paint;
        return false;
    }
};

void paintNow(DetectorView& view) {
    PaintWatch watch;
    view.installEventFilter(&watch);
    while (!watch.painted) QCoreApplication::processEvents();
    view.removeEventFilter(&watch);
}

void rest(int ms) {
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

void drag(DetectorView& view, const QPointF& from, const QPointF& to) {
    const auto send = [&](QEvent::Type type, const QPointF& at) {
        QMouseEvent event(type, at, view.mapToGlobal(at), Qt::MiddleButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::MiddleButton,
                          Qt::NoModifier);
        QCoreApplication::sendEvent(&view, &event);
    };
    send(QEvent::MouseButtonPress, from);
    send(QEvent::MouseMove, to);
    send(QEvent::MouseButtonRelease, to);
}

Line colourMaps(DetectorView& view, const std::string& name) {
    bool turn = false;
    return measure(
        name, 16, [] {},
        [&] {
            view.setColourMap(ColourMap::named((turn = !turn) ? "inferno" : "viridis"));
            paintNow(view);
        });
}

/// What a hand does: pan, zoom, colours; each step until it is painted.
void interactions(DetectorView& view, const std::string& prefix) {
    bool turn = false;
    const auto nothing = [] {};
    const QPointF middle = view.imageArea().center();
    const auto panAt = [&](const char* name, double zoom) {
        view.zoomBy(zoom / view.zoom(), middle);
        paintNow(view);
        print(measure(prefix + name, 16, nothing, [&] {
            turn = !turn;
            drag(view, middle, middle + (turn ? QPointF(37, 19) : QPointF(-37, -19)));
            paintNow(view);
        }));
    };
    panAt("pan, whole frame in sight", view.zoom());
    panAt("pan, 1 point for 1.9 pixels", 1 / 1.9);
    panAt("pan, 8 points for a pixel", 8);
    view.fit();
    paintNow(view);
    Line zoom{prefix + "zoom steps, whole frame to 8:1 and back", 16, {}};
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 34; ++i) {
            const double start = now(), busy = cpu();
            view.zoomBy(i < 17 ? 1.25 : 1 / 1.25, middle);
            paintNow(view);
            zoom.times.push_back(now() - start);
            zoom.work.push_back(cpu() - busy);
        }
    }
    print(zoom);
    view.fit();
    ColourScale scale = view.colourScale();
    print(measure(prefix + "colour scale changed (log, arcsinh)", 16, nothing, [&] {
        scale.kind = (turn = !turn) ? ScaleKind::log : ScaleKind::arcsinh;
        view.setColourScale(scale);
        paintNow(view);
    }));
}

template <class T>
void bench(const char* type) {
    const auto a = speckles<T>(1), b = speckles<T>(2);
    auto mask = std::make_shared<std::vector<std::uint8_t>>(height * width);
    auto labels = std::make_shared<std::vector<std::int32_t>>(height * width);
    for (std::size_t i = 0; i < labels->size(); ++i)
        (*labels)[i] = static_cast<std::int32_t>((i / width / 100 + i % width / 100) % 20);
    const auto line = [&](const char* name) { return std::string(type) + ": " + name; };
    const auto nothing = [] {};

    print(measure(line("all levels"), 80, nothing, [&] {
        const LevelOfDetail detail(a);
        for (std::size_t n = 1; n < detail.levels(); ++n) detail.level(n);
    }));

    // Zeroes the peak, so that it is that of what follows.
    std::ofstream("/proc/self/clear_refs") << "5";
    const double resident = kilobytes("VmRSS:");
    std::unique_ptr<DetectorView> view;
    ImageControls controls;
    print(measure(
        line("first picture"), 30,
        [&] {
            view = std::make_unique<DetectorView>();
            view->resize(1600, 1000);
            view->show();
            paintNow(*view);
        },
        [&] {
            view->setFrame(a);
            paintNow(*view);
        }));
    controls.attach(view.get());
    controls.show();
    rest(400);

    bool turn = false;
    print(measure(line("next frame, with histogram"), 33, nothing, [&] {
        view->setFrame((turn = !turn) ? b : a);
        paintNow(*view);
        for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();  // the histogram, too
    }));
    rest(400);

    interactions(*view, line(""));
    view->setMask(mask);
    view->setLabels(labels);
    print(colourMaps(*view, line("colour map changed, labels shown")));
    print(measure(line("next frame, mask and labels"), 33, nothing, [&] {
        view->setFrame((turn = !turn) ? b : a);
        paintNow(*view);
    }));
    rest(400);
    std::int64_t place = 500;
    const auto brush = [&](auto& values, auto value) {
        place = 500 + (place + 137) % 3000;
        for (std::int64_t y = place; y < place + 60; ++y) {
            auto* row = values.data() + static_cast<std::size_t>(y) * width + place;
            std::fill(row, row + 60, value);
        }
        return PixelRect{place, place, 60, 60};
    };
    for (const double factor : {1.0, 4.0}) {
        view->fit();
        view->zoomBy(factor, {700, 500});
        paintNow(*view);
        rest(500);
        const std::string where = factor > 1 ? ", zoomed in" : ", whole frame";
        print(measure(line("brush on the mask") + where, 8, nothing, [&] {
            view->maskChanged(brush(*mask, std::uint8_t{1}));
            view->update(0, 0, 1, 1);  // the brush may lie outside of what is seen
            paintNow(*view);
        }));
        print(measure(line("brush on the labels") + where, 8, nothing, [&] {
            view->labelsChanged(brush(*labels, 7));
            view->update(0, 0, 1, 1);
            paintNow(*view);
        }));
    }
    view->resize(2560, 1440);
    view->fit();
    paintNow(*view);
    rest(500);
    const std::string large = line("2560 x 1440, labels, ");
    interactions(*view, large);
    print(colourMaps(*view, large + "colour map"));
    view->setLabels(nullptr);
    interactions(*view, line("2560 x 1440, "));
    print(colourMaps(*view, line("2560 x 1440, colour map")));
    view->resize(1600, 1000);
    view->setReduction(Reduction::mean);
    view->fit();
    paintNow(*view);
    std::printf("| %s: memory beyond frames, mask, labels: peak %.0f MB (limit 120) |||||||\n", type,
                (kilobytes("VmHWM:") - resident) / 1e3);
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    if (argc > 1) runs = std::max(15, std::atoi(argv[1]));
    std::printf(
        "4148 x 4362 pixels, 1600 x 1000 window where nothing else is said, %d runs; milliseconds\n\n", runs);
    std::printf(
        "| %-62s | median |  25 %%  |  75 %%  |  most  |  CPU   | limit | kept "
        "|\n|---|---|---|---|---|---|---|---|\n",
        "");
    bench<std::uint16_t>("u16");
    bench<std::int32_t>("i32");
    bench<std::uint8_t>("u8");
    return 0;
}
