#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "tests/ui/particles/made_planes.h"
#include "ui/particles/map_picture.h"
#include "ui/particles/plane_scene.h"
#include "ui/particles/source_set.h"

using namespace ks::ui;
using namespace ks::ui::particles;
using C = std::complex<double>;

class MapPictureTest : public QObject {
    Q_OBJECT
    static PictureInput inputOf(std::shared_ptr<const ks::Run> run, const char* stem = "potential") {
        PictureInput input;
        input.first = std::move(run);
        input.stem = stem;
        return input;
    }

  private slots:
    void aStoppedPictureIsNotMade() {
        PictureInput input = inputOf(planesRun("a.csv", 1, 3, [](double, double, double) { return C(1); }));
        const auto stopped = std::make_shared<std::atomic<bool>>(false);
        input.stopped = stopped;
        QVERIFY(makePicture(input));
        stopped->store(true);
        try {
            makePicture(input);
            QFAIL("a picture was made");
        } catch (const ks::Error& error) {
            QCOMPARE(error.kind(), ks::ErrorKind::cancelled);
        }
    }

    void fieldsAreFoundByTheirNames() {
        const Function one = [](double, double, double) { return C(1); };
        auto run = planesRun("a.csv", 1, 3, one, true);
        addField(*run, "potential_2", "f", false, one);
        addField(*run, "gradient_x", "df/dx", true, one);
        run->result.datasets.push_back(
            {"lonely_xy", "", "", ks::DataKind::image, ks::Array(ks::ElementType::f64, {3, 3}), {}});
        run->result.datasets.push_back(
            {"curve_xy", "", "", ks::DataKind::curves, ks::Array(ks::ElementType::f64, {3, 3}), {}});
        const std::vector<FieldInfo> fields = fieldsOf(run->result);
        QCOMPARE(fields.size(), std::size_t{3});
        QCOMPARE(fields[0].stem, std::string("potential"));
        QCOMPARE(fields[0].title, QString("f"));
        QVERIFY(fields[0].isComplex);
        // Two of one title are told apart by their names.
        QCOMPARE(fields[1].title, QString("potential_2"));
        QVERIFY(!fields[1].isComplex);
        QCOMPARE(fields[2].stem, std::string("gradient_x"));
        QCOMPARE(fields[2].title, QString("df/dx"));
        QVERIFY(!fieldOf(*run, "gradient_y"));
    }

    void aPictureHasTheValuesWhereTheyBelong() {
        const auto run =
            planesRun("a.csv", 1, 5, [](double x, double y, double z) { return C(100 * x + 10 * y + z); });
        const auto picture = makePicture(inputOf(run));
        QVERIFY(picture);
        const auto xz = picture->nearest(Plane::xz, {0.26, 0.74});
        QVERIFY(xz);
        QCOMPARE(xz->i, std::size_t{1});
        QCOMPARE(xz->j, std::size_t{3});
        QCOMPARE(picture->value(*xz), 25.0F + 5 + 0.75F);
        QCOMPARE(picture->value(*picture->nearest(Plane::yz, {1, 0})), 85.0F);
        QCOMPARE(picture->value(*picture->nearest(Plane::xy, {0, 0})), 0.25F);
        QVERIFY(!picture->nearest(Plane::xy, {1.2, 0.5}));
        QVERIFY(!picture->nearest(Plane::xy, {0.5, -0.2}));
        QCOMPARE(placeText(*picture->field, *xz), QString("xz (0.25, 0.5, 0.75)"));
    }

    void partsOfComplexValuesAreWhatTheyAre() {
        const auto run = planesRun(
            "a.csv", 1, 9, [](double x, double y, double) { return std::polar(2 + x, 6 * (y - 0.5)); }, true);
        PictureInput input = inputOf(run);
        for (const Part part : {Part::magnitude, Part::phase, Part::real, Part::imaginary}) {
            input.part = part;
            const auto picture = makePicture(input);
            const auto at = *picture->nearest(Plane::xy, {0.5, 0.75});
            const C value = std::polar(2.5, 1.5);
            const double wanted = part == Part::magnitude ? 2.5
                                  : part == Part::phase   ? 1.5
                                  : part == Part::real    ? value.real()
                                                          : value.imag();
            QVERIFY(std::abs(picture->value(at) - wanted) < 1e-6);
            QCOMPARE(picture->colours.angles, part == Part::phase);
        }
        input.part = Part::phase;
        QCOMPARE(makePicture(input)->title, QString("arg f (rad)"));
        input.part = Part::real;
        input.kind = ScaleKind::log;
        const auto logarithmic = makePicture(input);
        QCOMPARE(logarithmic->title, QString("|Re f|"));
        for (const auto& plane : logarithmic->values)
            for (const float value : plane) QVERIFY(value >= 0);
    }

    void isolinesAreInTheCoordinatesOfTheirPlane() {
        const auto run = planesRun(
            "a.csv", 1, 65, [](double x, double y, double) { return C(std::hypot(x - 0.5, y - 0.5)); });
        PictureInput input = inputOf(run);
        input.isolines = {true, true, 0, 0.3};
        input.limits = std::pair{0.1, 0.5};
        const auto picture = makePicture(input);
        QCOMPARE(picture->levels, (std::vector<double>{0.3}));
        QCOMPARE(picture->lines[0].size(), std::size_t{1});
        for (const QPointF& point : picture->lines[0][0].line)
            QVERIFY(std::abs(std::hypot(point.x() - 0.5, point.y() - 0.5) - 0.3) < 1e-4);
    }

    void theErrorIsTheDistanceFromTheReference() {
        const auto exact = [](double x, double y, double z) { return C(1 + x + y * z, x - y); };
        const auto reference = planesRun("a.csv", 1, 5, exact, true);
        const auto run = planesRun(
            "a.csv", 1, 5,
            [&](double x, double y, double z) {
                C value = exact(x, y, z);
                if (x == 0.5 && y == 0.25 && z == 0.25) value += C(3e-3, 4e-3);
                return value;
            },
            true);
        PictureInput input = inputOf(run);
        input.reference = reference;
        input.shown = Shown::error;
        input.part = Part::phase;  // of no meaning here
        const auto picture = makePicture(input);
        QVERIFY(picture && picture->error);
        QVERIFY(std::abs(picture->error->absolute - 5e-3) < 1e-6);
        const double size = std::abs(exact(0.5, 0.25, 0.25));
        QVERIFY(std::abs(picture->error->relative - 5e-3 / size) < 1e-6);
        QCOMPARE(placeText(*picture->field, picture->error->worst), QString("xy (0.5, 0.25, 0.25)"));
        QVERIFY(std::abs(picture->value(picture->error->worst) - 5e-3) < 1e-6);
        input.reference.reset();
        QVERIFY(!makePicture(input));
        // Another grid cannot be compared.
        input.reference = planesRun("a.csv", 1, 6, exact, true);
        QVERIFY_THROWS_EXCEPTION(ks::Error, makePicture(input));
    }

    void positionsHaveTheDigitsThatTellPlanesApart() {
        QCOMPARE(positionText(1234.5, 3000), QString("1234.5"));
        QCOMPARE(positionText(1000.26, 3000), QString("1000.26"));
        QCOMPARE(positionText(0.5, 1), QString("0.5"));
        QCOMPARE(positionText(0, 1), QString("0"));
        QCOMPARE(positionText(1.0 / 3, 1), QString("0.3333"));
        QCOMPARE(positionText(1000 + 1.0 / 3, 1), QString("1000.3333"));
        QCOMPARE(positionText(2000.0 / 3, 3000), QString("666.7"));
    }

    void aNotANumberIsAnInfiniteError() {
        const auto run =
            planesRun("a.csv", 1, 3, [](double x, double, double) { return C(x == 0.5 ? NAN : 1); });
        const auto other = planesRun("a.csv", 1, 3, [](double, double, double) { return C(1); });
        QVERIFY(std::isinf(errorOf(*fieldOf(*run, "potential"), *fieldOf(*other, "potential")).absolute));
    }

    void aReferenceThatIsNextToNothingHasNoRelativeError() {
        const auto run =
            planesRun("a.csv", 1, 3, [](double x, double, double) { return C(x == 0 ? 1e-9 : 1.5); });
        const auto other =
            planesRun("a.csv", 1, 3, [](double x, double, double) { return C(x == 0 ? 1e-300 : 1); });
        const FieldError found = errorOf(*fieldOf(*run, "potential"), *fieldOf(*other, "potential"));
        QCOMPARE(found.absolute, 0.5);
        QCOMPARE(found.relative, 0.5);
    }

    void profilesRunAlongBothCoordinates() {
        const auto run =
            planesRun("a.csv", 1, 5, [](double x, double y, double z) { return C(100 * x + 10 * y + z); });
        PictureInput input = inputOf(run);
        input.second = planesRun("a.csv", 1, 5, [](double x, double, double) { return C(x); });
        const auto picture = makePicture(input);
        const auto curves = profilesOf(*picture, {Plane::yz, {0.25, 1}}, "run 2", "run 1");
        QCOMPARE(curves.size(), qsizetype{4});
        QCOMPARE(curves[0].label, QString("along y: z 1"));
        QCOMPARE(curves[0].y[2], 75.0 + 5 + 1);
        QCOMPARE(curves[1].label, QString("along z: y 0.25"));
        QCOMPARE(curves[1].y[0], 75 + 2.5);
        QCOMPARE(curves[1].run, QString("run 2"));
        QCOMPARE(curves[2].run, QString("run 1"));
        QCOMPARE(curves[2].y[4], 0.75);
        QVERIFY(profilesOf(*picture, {Plane::yz, {0.25, 1.4}}, "", "").isEmpty());
    }

    void resultsOnOtherPlanesAreNotSubtracted() {
        const auto f = [](double x, double, double) { return C(x); };
        PictureInput input = inputOf(planesRun("a.csv", 1, 5, f));
        input.second = planesRun("a.csv", 2, 6, f);
        input.shown = Shown::difference;
        std::string said;
        try {
            makePicture(input);
        } catch (const ks::Error& error) {
            said = error.what();
        }
        QVERIFY2(said.find("on different planes") != std::string::npos, said.c_str());
        QVERIFY2(said.find("reference") == std::string::npos, said.c_str());
    }

    void aBoxWithoutAnInsideLeavesTheOneBefore() {
        CubeView view;
        view.setWhole(0, 2);
        const double low = view.low(0), high = view.high(0);
        view.setWhole(2, 1);
        QCOMPARE(view.low(0), low);
        QCOMPARE(view.high(0), high);
    }

    void theThreeMapsShowOneCube() {
        CubeView view;
        view.setWhole(0, 2);
        const QRectF area(10, 20, 200, 200);
        for (int axis = 0; axis < 3; ++axis) {
            QVERIFY(view.low(axis) < 0 && view.low(axis) > -0.1);
            QVERIFY(view.high(axis) > 2 && view.high(axis) < 2.1);
        }
        // The anchor stays, the second coordinate goes upwards.
        const QPointF at(0.5, 1.5), before = view.toScreen(Plane::xz, area, at);
        QVERIFY(before.y() < area.center().y() && before.x() < area.center().x());
        view.zoomBy(4, {0.5, 0.7, 1.5});
        QVERIFY(QLineF(view.toScreen(Plane::xz, area, at), before).length() < 1e-9);
        QVERIFY(QLineF(view.toPlane(Plane::xz, area, before), at).length() < 1e-9);
        // What two maps have in common is at the same place: x of xy, z of yz.
        QCOMPARE(view.toScreen(Plane::xy, area, {0.5, 1}).x(), view.toScreen(Plane::xz, area, {0.5, 0}).x());
        QCOMPARE(view.toScreen(Plane::yz, area, {1, 1.5}).y(), view.toScreen(Plane::xz, area, {0, 1.5}).y());
        QVERIFY(std::abs(view.length() - 2 * 1.04 / 4) < 1e-9);
        view.panBy({100, 0, 0});
        QVERIFY((view.low(0) + view.high(0)) / 2 <= 2);
        view.fit();
        QVERIFY(view.fitted());
    }

    void mapsHaveRoomAndDoNotOverlap() {
        for (const QSizeF size : {QSizeF(480, 190), QSizeF(700, 300), QSizeF(2000, 700), QSizeF(900, 1200)}) {
            const MapLayout layout = layOut(size, 16, 40, 60, {Plane::xy, Plane::xz, Plane::yz});
            double right = 0;
            for (const QRectF& area : layout.areas) {
                QVERIFY(area.left() >= right && area.width() == area.height());
                QVERIFY(area.top() >= 16 && area.bottom() + 2 * 16 <= size.height());
                right = area.right();
            }
            QVERIFY(layout.bar.x() > right && layout.bar.x() + 60 <= size.width());
        }
    }

    void sourcesSayWhatTheyAre() {
        QTemporaryDir folder;
        const auto read = [&](const char* leaf, const char* text) {
            const std::string path = folder.filePath(leaf).toStdString();
            std::ofstream(path) << text;
            return readSources(path);
        };
        const auto real = read("real.csv", "x,y,z,weight\n0,1,2,-4\n1,1,5,1\n");
        QCOMPARE(real->countText(), QString("2 sources"));
        QCOMPARE(real->boxText(), QString("x 0 .. 1\ny 1\nz 2 .. 5"));
        QCOMPARE(real->weightText(), QString("real weights, -4 .. 1"));
        QCOMPARE(real->extent(), 3.0);
        const auto dots = sourceDots(*real, 100);
        QCOMPARE(dots[0].source, std::size_t{0});  // the heavier one below
        QCOMPARE(dots[0].colour, 0xff000000);
        QCOMPARE(dots[1].colour, 0xffffffff);
        QVERIFY(std::abs(dots[0].radius / dots[1].radius - 2) < 1e-9);
        const auto none = read("none.csv", "x,y,z\n0,0,0\n");
        QCOMPARE(none->countText(), QString("1 source"));
        QCOMPARE(none->weightText(), QString("no weights: all are 1"));
        const auto complex = read("complex.csv", "x,y,z,weight,weight_im\n0,0,0,3,4\n1,2,3,0,-1\n");
        QCOMPARE(complex->weightText(), QString("complex weights, |w| 1 .. 5"));
        QVERIFY2(complex->describe(1).contains("weight 0 \u2212 1i"), qPrintable(complex->describe(1)));
        QVERIFY(sourceDots(*complex, 100)[0].colour != sourceDots(*complex, 100)[1].colour);
        QCOMPARE(sourceDots(*complex, 1).size(), std::size_t{1});
        QVERIFY_THROWS_EXCEPTION(ks::Error, read("bad.csv", "module,x\n1,2\n"));
    }
};

QTEST_MAIN(MapPictureTest)
#include "tst_map_picture.moc"
