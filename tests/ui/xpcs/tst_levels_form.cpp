#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QtTest>
#include <cmath>

#include "core/base/error.h"
#include "ui/xpcs/levels_form.h"
#include "ui/xpcs/partition_form.h"

using ks::Levels;
using ks::PartitionRecipe;
using namespace ks::ui::xpcs;

namespace {

ks::Geometry saxs() {
    return {0.59, 540.8, 30, 40, 172, 172};
}

template <class Box>
Box* named(const QWidget& form, const char* name) {
    for (Box* box : form.findChildren<Box*>())
        if (box->accessibleName() == QLatin1String(name)) return box;
    return nullptr;
}

QString failure(const QString& text) {
    try {
        parseLevels(text);
    } catch (const ks::Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class LevelsFormTest : public QObject {
    Q_OBJECT
  private slots:
    void edgesAndRangesAreReadFromText() {
        const Levels edges = parseLevels("0.01, 0.02,0.035");
        QCOMPARE(edges.lower, (std::vector<double>{0.01, 0.02}));
        QCOMPARE(edges.upper, (std::vector<double>{0.02, 0.035}));
        const Levels ranges = parseLevels("1e-2-0.015, 0.02-2.5e-2");
        QCOMPARE(ranges.lower, (std::vector<double>{0.01, 0.02}));
        QCOMPARE(ranges.upper, (std::vector<double>{0.015, 0.025}));
        QCOMPARE(parseLevels(levelsText(ranges)), ranges);
        QCOMPARE(parseLevels(levelsText(edges)), edges);
    }

    void whatIsNoEdgeIsSaid() {
        QVERIFY(failure("0.01, abc").contains("abc"));
        QVERIFY(failure("0.01, 0.02-0.03").contains("both"));
        QVERIFY(failure("0.02-0.03, 0.025-0.04").contains("overlap"));
        QVERIFY(!failure("0.03, 0.02").isEmpty());
        QVERIFY(!failure("").isEmpty());
    }

    void aProposalFillsThreeQuartersOfTheFrame() {
        LevelsForm form;
        form.propose(saxs(), 101, 121);
        const PartitionRecipe recipe = form.recipe();
        QCOMPARE(recipe.radial.size(), std::size_t{8});
        const double farthest = std::hypot(121 - 30, 101 - 40);
        QVERIFY(recipe.radial.upper.back() > 0.6 * farthest && recipe.radial.upper.back() <= farthest);
        QVERIFY(!recipe.in_q);
    }

    void limitsInQHaveSignificantDigitsAndAreKeptExactly() {
        LevelsForm form;
        form.propose(saxs(), 101, 121);
        LevelsForm::Fields fields = form.fields();
        fields.inQ = true;
        fields.from = 4e-6;
        fields.to = 0.00052312345;
        form.setFields(fields);
        auto* from = named<QDoubleSpinBox>(form, "Inner edge of the first ring");
        auto* to = named<QDoubleSpinBox>(form, "Outer edge of the last ring");
        QVERIFY(from && to);
        QCOMPARE(from->text().toDouble(), 4e-6);
        QCOMPARE(to->text(), QString("0.000523123"));
        QCOMPARE(form.fields().to, 0.00052312345);
        // An edit of one limit leaves the other as it was.
        form.show();
        from->setFocus();
        from->selectAll();
        QTest::keyClicks(from, "0.000001234567");
        QTest::keyClick(from, Qt::Key_Return);
        QCOMPARE(form.fields().from, 0.000001234567);
        QCOMPARE(form.fields().to, 0.00052312345);
    }

    void anotherUnitKeepsTheRingsWhereTheyAre() {
        LevelsForm form;
        form.propose(saxs(), 101, 121);
        const PartitionRecipe before = form.recipe();
        auto* unit = named<QComboBox>(form, "Unit of the rings");
        QVERIFY(unit);
        unit->setCurrentIndex(1);
        emit unit->activated(1);
        const PartitionRecipe after = form.recipe();
        QVERIFY(after.in_q);
        // Boxes round to 5 decimals.
        QVERIFY(std::abs(after.radial.upper.back() - saxs().q_of_radius(before.radial.upper.back())) < 1e-5);
    }

    void aRecipeComesBackAsItWasGiven_data() {
        QTest::addColumn<QString>("levels");
        QTest::addColumn<int>("spacing");
        QTest::newRow("equal") << "2, 6, 10, 14" << int(LevelsForm::Linear);
        QTest::newRow("gaps") << "2-5, 6-9, 10-13" << int(LevelsForm::WidthAndGap);
        QTest::newRow("uneven") << "2, 6.5, 7, 20" << int(LevelsForm::Edges);
        QTest::newRow("uneven gaps") << "2-5, 7-9, 10-13" << int(LevelsForm::Edges);
    }
    void aRecipeComesBackAsItWasGiven() {
        QFETCH(QString, levels);
        QFETCH(int, spacing);
        LevelsForm form;
        form.propose(saxs(), 101, 121);
        PartitionRecipe recipe = form.recipe();
        recipe.radial = parseLevels(levels);
        recipe.sectors = 6;
        recipe.phi_start = -45;
        QSignalSpy changed(&form, &LevelsForm::changed);
        form.setRecipe(recipe);
        QCOMPARE(changed.count(), 0);
        QCOMPARE(form.recipe(), recipe);
        QCOMPARE(named<QComboBox>(form, "Spacing of the rings")->currentIndex(), spacing);
    }

    void theRuleThatMadeARecipeComesBack_data() {
        QTest::addColumn<int>("spacing");
        QTest::newRow("equal") << int(LevelsForm::Linear);
        QTest::newRow("logarithmic") << int(LevelsForm::Logarithmic);
        QTest::newRow("width and gap") << int(LevelsForm::WidthAndGap);
    }
    void theRuleThatMadeARecipeComesBack() {
        QFETCH(int, spacing);
        LevelsForm form;
        form.propose(saxs(), 101, 121);
        LevelsForm::Fields made = form.fields();
        made.spacing = spacing;
        made.rings = 7;
        made.from = 2.5;
        made.to = 33.3;
        made.width = 1.3;
        form.setFields(made);
        made = form.fields();
        const PartitionRecipe recipe = form.recipe();
        LevelsForm later;
        later.setRecipe(recipe, made);
        QCOMPARE(later.fields().spacing, spacing);
        QCOMPARE(later.fields().rings, 7);
        QCOMPARE(later.recipe(), recipe);
    }

    void aRuleThatMakesOtherLevelsIsNotShown() {
        LevelsForm form;
        form.propose(saxs(), 101, 121);
        PartitionRecipe recipe = form.recipe();
        LevelsForm::Fields made = form.fields();
        made.spacing = LevelsForm::Logarithmic;
        recipe.radial = parseLevels("2, 6.5, 7, 20");
        form.setRecipe(recipe, made);
        QCOMPARE(form.fields().spacing, int(LevelsForm::Edges));
        QCOMPARE(form.recipe(), recipe);
        made.rings = 0;
        made.from = -1;
        form.setRecipe(recipe, made);
        QCOMPARE(form.recipe(), recipe);
    }

    void plainRingsAreTheOnesOfTheCommandLine() {
        PartitionRecipe recipe;
        recipe.geometry = saxs();
        recipe.radial = ks::linear_levels(2, 14, 3);
        const auto rings = plainRings(recipe);
        QVERIFY(rings.has_value());
        QCOMPARE(QString::fromStdString(rings->to_string()), QString("30,40,2,4,3"));
        recipe.sectors = 2;
        QVERIFY(!plainRings(recipe));
        recipe.sectors = 1;
        recipe.radial = ks::edge_levels({2, 5, 14});
        QVERIFY(!plainRings(recipe));
    }
};

QTEST_MAIN(LevelsFormTest)
#include "tst_levels_form.moc"
