// How long the table and the plots of spots take with many spots: bench_ui_spot_table [spots]
#include <QApplication>
#include <QElapsedTimer>
#include <QTableView>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/ui/spots/fake_spots.h"
#include "ui/spots/spot_plots.h"
#include "ui/spots/spot_table.h"

namespace {

template <class Work>
void measure(const char* what, const Work& work) {
    std::vector<double> times;
    for (int i = 0; i < 7; ++i) {
        QElapsedTimer clock;
        clock.start();
        work(i);
        QApplication::processEvents();
        times.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-28s %8.2f ms (median of 7, %.2f to %.2f)\n", what, times[3], times.front(), times.back());
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const std::size_t spots = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
    const auto run = ks::tests::fake_run(ks::tests::fake_spots(spots));
    ks::ui::spots::SpotTable table;
    table.resize(900, 400);
    table.show();
    measure("set a result", [&](int) { table.setResult(run); });
    table.setKeptOnly(false);
    using Model = ks::ui::spots::SpotTableModel;
    const int columns[] = {Model::SumColumn, Model::DColumn, Model::XColumn, Model::SignificanceColumn};
    measure("sort by a column", [&](int i) {
        table.view().sortByColumn(columns[i % 4], i % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
    });
    measure("filter sum > N, d < 3",
            [&](int i) { table.setFilterText(QStringLiteral("sum > %1, d < 3").arg(200 + i)); });
    table.setFilterText({});
    table.setFrameOnly(true);
    measure("another frame", [&](int i) { table.setFrame(100 + i); });
    table.setFrameOnly(false);
    measure("select a spot", [&](int i) { table.select(i * 1000); });
    measure("CSV of all", [&](int) { std::printf("%zu bytes ", table.csv().size()); });
    ks::ui::spots::SpotPlots plots;
    plots.resize(560, 260);
    plots.show();
    measure("plots of one run", [&](int) { plots.setRuns({{1, run, true, false}}); });
    measure("mark another frame", [&](int i) { plots.setFrame(100 + i); });
}
