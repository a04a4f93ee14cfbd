#include <cmath>
#include <filesystem>

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "core/base/error.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/plots/timing_plot.h"

using namespace ks;
using namespace ks::ui;

namespace {

std::unique_ptr<QWidget> make(const QString& which) {
    if (which == "curves") {
        auto plot = std::make_unique<CurvePlot>();
        plot->setXAxis("delay", "s");
        plot->setYAxis("g2");
        plot->setSeries({{"1", 1, "run 7", {1, 10, 100}, {1.4, 1.3, 1.25}, {0.01, 0.01, 0.02}}});
        return plot;
    }
    if (which == "map") {
        auto plot = std::make_unique<MapPlot>();
        plot->setMap({2, 3, {1, 2, 3, 4, 5, std::nan("")}, 0, 0, 0, 0});
        return plot;
    }
    if (which == "timing") {
        auto plot = std::make_unique<TimingPlot>();
        plot->setRuns(
            {{"7", {{"gram", StageKind::kernel, 38'000'000}, {"read", StageKind::read, 2'000'000}}}});
        return plot;
    }
    auto view = std::make_unique<DetectorView>();
    view->setFrame(std::make_shared<Array>(Array::of<std::uint16_t>({2, 3}, {1, 2, 3, 4, 5, 65535})));
    return view;
}

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestExportPlot : public QObject {
    Q_OBJECT
  private slots:
    void filesAreWhatTheirSuffixSays_data() {
        QTest::addColumn<QString>("which");
        for (const char* name : {"curves", "map", "timing", "frame"}) QTest::newRow(name) << QString(name);
    }

    void filesAreWhatTheirSuffixSays() {
        QFETCH(QString, which);
        const std::unique_ptr<QWidget> widget = make(which);
        const auto& plot = dynamic_cast<const ExportablePlot&>(*widget);
        QTemporaryDir folder;
        const auto path = [&](const char* suffix) { return folder.filePath(which + suffix); };
        for (const char* suffix : {".png", ".svg", ".pdf", ".csv"}) {
            exportPlot(plot, path(suffix).toStdString(), false);
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 4);

        const QImage image(path(".png"));
        QCOMPARE(image.size(), plot.figureSize() * 2);
        QCOMPARE(image.pixelColor(1, 1), QColor(Qt::white));
        bool painted = false;
        for (int y = 0; y < image.height() && !painted; y += 2) {
            for (int x = 0; x < image.width(); x += 2)
                painted = painted || image.pixelColor(x, y).lightness() < 100;
        }
        QVERIFY(painted);

        QXmlStreamReader xml(content(path(".svg")));
        int shapes = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            if (xml.name() == u"path" || xml.name() == u"polyline" || xml.name() == u"rect") ++shapes;
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(shapes >= 4);
        QVERIFY(content(path(".pdf")).startsWith("%PDF"));
        QVERIFY(content(path(".csv")).count('\n') >= 2);
    }

    void csvHoldsTheValues() {
        QTemporaryDir folder;
        for (const QString which : {"curves", "map", "timing", "frame"}) {
            exportPlot(dynamic_cast<const ExportablePlot&>(*make(which)),
                       folder.filePath(which + ".csv").toStdString(), false);
        }
        const QList<QByteArray> curve = content(folder.filePath("curves.csv")).trimmed().split('\n');
        QCOMPARE(curve.size(), 4);
        QCOMPARE(curve[0], QByteArray("run,label,delay (s),g2,error of g2"));
        const QList<QByteArray> point = curve[2].split(',');
        QCOMPARE(point[0], QByteArray("run 7"));
        QCOMPARE(point[2].toDouble(), 10.0);
        QCOMPARE(point[3].toDouble(), 1.3);
        QCOMPARE(point[4].toDouble(), 0.01);
        QCOMPARE(content(folder.filePath("map.csv")), QByteArray("y\\x,0,1,2\n0,1,2,3\n1,4,5,nan\n"));
        QVERIFY(content(folder.filePath("timing.csv")).contains("\"7\",\"gram\",kernel,,38000000,0,0,1\n"));
        QCOMPARE(content(folder.filePath("frame.csv")), QByteArray("1,2,3\n4,5,65535\n"));
    }

    void csvOfCurvesNamesRunQuantitiesAndTheMark() {
        CurvePlot plot;
        plot.setXAxis("delay", "frames");
        plot.setYAxis("g2");
        plot.setNote("computed with other settings (Mask)");
        plot.setOfBins(true);
        CurveSeries curve{"1  0.0123", 1, "", {1}, {1.5}, {}};
        curve.labelInFull = "bin 1, q 0.0123";
        curve.runInFull = "run 7, gram.tiled";
        plot.setSeries({curve});
        QCOMPARE(QByteArray::fromStdString(plot.csv()),
                 QByteArray("run,bin,label,delay (frames),g2,note\n"
                            "\"run 7, gram.tiled\",1,\"bin 1, q 0.0123\",1,1.5,computed with other settings "
                            "(Mask)\n"));
    }

    void whatCannotBeWrittenLeavesNothing() {
        QTemporaryDir folder;
        const std::unique_ptr<QWidget> widget = make("timing");
        const auto& plot = dynamic_cast<const ExportablePlot&>(*widget);
        QVERIFY_EXCEPTION_THROWN(exportPlot(plot, folder.filePath("plot.jpeg").toStdString(), true),
                                 ks::Error);
        QVERIFY_EXCEPTION_THROWN(exportPlot(plot, folder.filePath("none/plot.png").toStdString(), true),
                                 ks::Error);
        QFile kept(folder.filePath("plot.png"));
        QVERIFY(kept.open(QIODevice::WriteOnly));
        kept.write("mine");
        kept.close();
        QVERIFY_EXCEPTION_THROWN(exportPlot(plot, folder.filePath("plot.png").toStdString(), false),
                                 ks::Error);
        QCOMPARE(content(folder.filePath("plot.png")), QByteArray("mine"));
        exportPlot(plot, folder.filePath("plot.png").toStdString(), true);
        QVERIFY(!QImage(folder.filePath("plot.png")).isNull());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList("plot.png"));
    }
};

QTEST_MAIN(TestExportPlot)
#include "tst_export_plot.moc"
