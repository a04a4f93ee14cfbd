// Processor time that a CurvePlot takes to draw many points, from the new data or the turn of the wheel to
// the painted widget; the fastest of several turns. Usage: bench_ui_curves [ROW...], rows counted from 1

#include <QApplication>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>
#include <vector>

#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"

using namespace ks::ui;

namespace {

constexpr int notches = 15;

/// g2-like curves with noise and errors, or noise alone.
QVector<CurveSeries> curves(int number, qsizetype points, bool errors) {
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0, 0.02);
    QVector<CurveSeries> all;
    for (int bin = 1; bin <= number; ++bin) {
        CurveSeries one{QString::number(bin), bin, {}, {}, {}, {}};
        one.x.resize(points);
        one.y.resize(points);
        if (errors) one.yerr.fill(0.02, points);
        for (qsizetype i = 0; i < points; ++i) {
            const double x = static_cast<double>(i) + 1;
            one.x[i] = x;
            one.y[i] = 1 + 0.3 * std::exp(-x * bin / 500) + noise(random);
        }
        all << one;
    }
    return all;
}

double milliseconds(CurvePlot& plot, const std::function<void()>& change) {
    const std::clock_t since = std::clock();
    change();
    plot.repaint();
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    return 1e3 * static_cast<double>(std::clock() - since) / CLOCKS_PER_SEC;
}

void row(const char* what, int number, qsizetype points, bool logX, bool errors) {
    CurvePlot plot;
    plot.resize(900, 600);
    plot.setLogX(logX);
    plot.show();
    QCoreApplication::processEvents();
    const QVector<CurveSeries> series = curves(number, points, errors);
    const double first = milliseconds(plot, [&] { plot.setSeries(series); });
    const double noted = milliseconds(plot, [&] { plot.setNote(QStringLiteral("outdated")); });
    plot.hide();
    QCoreApplication::processEvents();
    const double again = milliseconds(plot, [&] { plot.show(); });
    std::vector<double> turns;
    auto& figure = const_cast<CurveFigure&>(plot.figure());
    const QPointF at(300, 200);
    for (int i = 0; i < notches; ++i)
        turns.push_back(milliseconds(plot, [&] {
            QWheelEvent wheel(at, figure.mapToGlobal(at), {}, {0, i % 3 == 2 ? -120 : 120}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&figure, &wheel);
        }));
    std::sort(turns.begin(), turns.end());
    std::printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f |\n", what, first, noted, again, turns.front(),
                turns.back());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    struct Row {
        const char* what;
        int curves;
        qsizetype points;
        bool logX, errors;
    };
    const Row rows[] = {{"10 x 100, with errors", 10, 100, true, true},
                        {"120 x 500, with errors", 120, 500, true, true},
                        {"1000 x 500, with errors", 1000, 500, true, true},
                        {"1000 x 500, linear axis", 1000, 500, false, false},
                        {"120 x 500, linear axis", 120, 500, false, false},
                        {"1 x 10^4", 1, 10'000, false, false},
                        {"1 x 10^5", 1, 100'000, false, false},
                        {"1 x 10^6", 1, 1'000'000, false, false},
                        {"1 x 10^7", 1, 10'000'000, false, false}};
    std::printf(
        "| curves x points | new data, ms | a note, ms | shown again, ms | a notch, ms | (slowest) |\n");
    int number = 0;
    for (const Row& one : rows) {
        ++number;
        const bool chosen = std::any_of(argv + 1, argv + argc, [number](const char* given) {
            return QByteArray(given) == QByteArray::number(number);
        });
        if (argc == 1 || chosen) row(one.what, one.curves, one.points, one.logX, one.errors);
    }
}
