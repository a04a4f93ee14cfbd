#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "tests/ui/child.h"
#include "tests/ui/particles/page_fixture.h"
#include "ui/particles/particles_page.h"

using ks::tests::child;
using namespace ks::ui;
using namespace ks::ui::particles;

/// How near a run is to what its device can do at most.
class ParticlesCeilingsTest : public PageFixture {
    Q_OBJECT

    static ks::DeviceInfo device() {
        ks::DeviceInfo made;
        made.index = 0;
        made.backend = "opencl";
        made.type = "GPU";
        made.name = "Fast Graphics 4090";
        made.driver = "580.1";
        return made;
    }
    static ks::Ceilings ceilings(double exp2) {
        ks::Ceilings made;
        made.device = device();
        made.values = {{ks::ceiling_ids::fma_f32, "", "flop/s", "", 1, {1e12}},
                       {ks::ceiling_ids::exp2, "", "1/s", "", 1, {exp2}}};
        return made;
    }
    void tell(std::vector<ks::Ceilings> known) {
        ks::wire::Catalogue catalogue;
        catalogue.ceilings = std::move(known);
        context_.desk->setCatalogue(catalogue);
    }
    /// 2.5e9 pairs/s of rbf, on the device.
    RunRow rowOn(const ks::DeviceInfo& where, const std::string& precision = "f32") {
        RunRow one = row(1, slope);
        auto run = std::make_shared<ks::Run>(*one.run);
        run->device = where;
        run->request.parameters["precision"] = precision;
        one.run = run;
        return one;
    }

  private slots:
    void theShareIsToldWhereCeilingsOfTheDeviceAreKnown() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({rowOn(device())});
        QVERIFY(idle());
        QVERIFY2(page->status().endsWith("2.50 Gpairs/s"), qPrintable(page->status()));
        QVERIFY(child<QToolButton>(*page, "measure").isVisible());
        tell({ceilings(1e10)});
        QVERIFY2(page->status().endsWith("2.50 Gpairs/s, 25 % of the ceiling of exponentials"),
                 qPrintable(page->status()));
        QVERIFY(!child<QToolButton>(*page, "measure").isVisible());
        tell({ceilings(1e9)});
        QVERIFY2(page->status().endsWith("2.50 Gpairs/s, 2.5 x the ceiling of one exponential per pair"),
                 qPrintable(page->status()));
        tell({});
        QVERIFY(!page->status().contains("ceiling"));
        QVERIFY(child<QToolButton>(*page, "measure").isVisible());
    }

    void ofAnotherDeviceOrDriverNothingIsTold() {
        const auto page = shownPage();
        QVERIFY(page);
        ks::DeviceInfo updated = device();
        updated.driver = "581.0";
        tell({ceilings(1e10)});
        page->setRuns({rowOn(updated)});
        QVERIFY(idle());
        QVERIFY2(!page->status().contains("ceiling"), qPrintable(page->status()));
        QVERIFY(child<QToolButton>(*page, "measure").isVisible());
    }

    void inDoubleAndOnTheHostThereIsNoneToTell() {
        const auto page = shownPage();
        QVERIFY(page);
        ks::DeviceInfo host;
        host.backend = host.type = "host";
        tell({ceilings(1e10)});
        for (const RunRow& one : {rowOn(device(), "f64"), rowOn(host)}) {
            page->setRuns({one});
            QVERIFY(idle());
            QVERIFY2(page->status().endsWith("2.50 Gpairs/s"), qPrintable(page->status()));
            QVERIFY(!child<QToolButton>(*page, "measure").isVisible());
            tell({});
            QVERIFY(!child<QToolButton>(*page, "measure").isVisible());
        }
    }

    void theButtonAsksForTheDeviceOfTheRunThatIsShown() {
        const auto page = shownPage();
        QVERIFY(page);
        QVERIFY(!child<QToolButton>(*page, "measure").isVisible());
        page->setRuns({rowOn(device())});
        QVERIFY(idle());
        std::vector<ks::DeviceInfo> wanted;
        context_.desk->setMeasurable(true);
        connect(context_.desk.get(), &Desk::ceilingsWanted, this,
                [&wanted](const ks::DeviceInfo& one) { wanted.push_back(one); });
        child<QToolButton>(*page, "measure").click();
        QCOMPARE(wanted.size(), std::size_t{1});
        QCOMPARE(wanted[0].name, device().name);
    }
};

QTEST_MAIN(ParticlesCeilingsTest)
#include "tst_particles_ceilings.moc"
