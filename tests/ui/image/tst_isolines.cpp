#include <QLineF>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ui/image/overlay/isolines.h"

using ks::ui::isolines;

class IsolinesTest : public QObject {
    Q_OBJECT
    template <class F>
    static std::vector<float> field(std::size_t rows, std::size_t columns, const F& f) {
        std::vector<float> values;
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j)
                values.push_back(static_cast<float>(f(static_cast<double>(i), static_cast<double>(j))));
        return values;
    }
    static double length(const QPolygonF& line) {
        double sum = 0;
        for (qsizetype k = 1; k < line.size(); ++k) sum += QLineF(line[k - 1], line[k]).length();
        return sum;
    }

  private slots:
    void aRadiusGivesACircle() {
        const double ci = 49.3, cj = 40.7, radius = 30;
        const auto values = field(100, 90, [&](double i, double j) { return std::hypot(i - ci, j - cj); });
        const auto lines = isolines(values, 100, 90, radius);
        QCOMPARE(lines.size(), std::size_t{1});
        const QPolygonF& circle = lines[0];
        QVERIFY(circle.isClosed());
        double worst = 0;
        for (const QPointF& point : circle)
            worst = std::max(worst, std::abs(std::hypot(point.x() - ci, point.y() - cj) - radius));
        // Along an edge of the grid the radius bends by 1 / (8 r).
        QVERIFY2(worst < 1 / (8 * radius) + 1e-4, qPrintable(QString::number(worst)));
        QVERIFY(std::abs(length(circle) / (2 * M_PI * radius) - 1) < 1e-3);
        // It passes every column twice, within the grid's step of each other.
        for (qsizetype k = 1; k < circle.size(); ++k)
            QVERIFY(QLineF(circle[k - 1], circle[k]).length() <= std::sqrt(2.0) + 1e-9);
    }

    void aLineThatLeavesTheFieldIsOpenAndOnePiece() {
        const auto values = field(20, 30, [](double i, double j) { return i + 0.5 * j; });
        const auto lines = isolines(values, 20, 30, 10.3);
        QCOMPARE(lines.size(), std::size_t{1});
        QVERIFY(!lines[0].isClosed());
        for (const QPointF& point : lines[0]) QVERIFY(std::abs(point.x() + 0.5 * point.y() - 10.3) < 1e-5);
        QVERIFY(std::abs(length(lines[0]) - std::hypot(10.3, 20.6)) < 1e-4);
    }

    void twoHillsAreTwoLinesAndTheirSumOfHeightsOne() {
        const auto values = field(60, 60, [](double i, double j) {
            const auto hill = [&](double ci) {
                return std::exp(-(std::pow(i - ci, 2) + std::pow(j - 30, 2)) / 60);
            };
            return hill(18) + hill(42);
        });
        QCOMPARE(isolines(values, 60, 60, 0.9).size(), std::size_t{2});
        QCOMPARE(isolines(values, 60, 60, 0.05).size(), std::size_t{1});
        QVERIFY(isolines(values, 60, 60, 3).empty());
    }

    void aSaddleJoinsWhatItsMiddleSays() {
        // Corners (0,0) and (1,1) high: with a high middle they are joined, and the lines cut off the others.
        for (const float corner : {0.9F, 0.3F}) {
            const std::vector<float> values{corner + 0.1F, 0, 0, corner + 0.1F};
            const auto lines = isolines(values, 2, 2, 0.25);
            QCOMPARE(lines.size(), std::size_t{2});
            const bool joined = (corner + 0.1) / 2 >= 0.25;
            for (const QPolygonF& line : lines) {
                const QPointF middle = (line.first() + line.last()) / 2;
                // The cut-off corners are at i + j = 1, else at 0 and 2.
                QCOMPARE(std::abs(middle.x() + middle.y() - 1) < 1e-6, joined);
            }
        }
    }

    void whatIsNotFiniteHasNoLine() {
        auto values = field(5, 5, [](double i, double) { return i; });
        values[2 * 5 + 2] = std::numeric_limits<float>::quiet_NaN();
        double whole = 0;
        for (const QPolygonF& line : isolines(values, 5, 5, 1.5)) whole += length(line);
        QCOMPARE(whole, 2.0);  // of four cells along it two have the bad corner
    }

    void anAngleThatJumpsIsNoLine() {
        const auto values = field(40, 40, [](double i, double j) { return std::atan2(j - 19.5, i - 19.5); });
        // Where the angle is 0 there is a line; at pi it jumps by 2 pi.
        const auto bounded = isolines(values, 40, 40, 0, M_PI);
        double worst = 0;
        for (const QPolygonF& line : bounded)
            for (const QPointF& point : line) worst = std::max(worst, std::abs(point.y() - 19.5));
        QVERIFY(!bounded.empty());
        QVERIFY2(worst < 1e-4, qPrintable(QString::number(worst)));
        for (const QPolygonF& line : bounded)
            for (const QPointF& point : line) QVERIFY(point.x() > 19);
        // Without the bound the jump is taken for one.
        bool atJump = false;
        for (const QPolygonF& line : isolines(values, 40, 40, 0))
            for (const QPointF& point : line) atJump = atJump || point.x() < 18;
        QVERIFY(atJump);
    }
};

QTEST_APPLESS_MAIN(IsolinesTest)
#include "tst_isolines.moc"
