#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <memory>

#include "core/base/error.h"
#include "ui/base/form_parts.h"
#include "ui/devices/ceiling_bars.h"
#include "ui/devices/devices_page.h"

using namespace ks::ui;
using ks::ui::devices::DevicesPage;
using ks::ui::devices::PropertyModel;

/// What devices say of themselves, searched, copied, exported, and what they can do at most.
class DevicesPageTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    Jobs jobs_;
    std::optional<PageContext> context_;

    static std::vector<ks::DeviceInfo> devices() {
        ks::DeviceInfo one, host;
        one.index = 0;
        one.backend = "opencl";
        one.name = "Fast";
        one.platform_name = "Open";
        one.platform_vendor = "Maker";
        one.platform_version = "OpenCL 3.0";
        one.driver = "1.2";
        one.type = "GPU";
        host.backend = host.type = "host";
        host.name = "Processor";
        return {one, host};
    }
    static std::vector<std::vector<ks::DeviceProperty>> properties() {
        return {{{"platform_name", "Platform", "Platform", "", "Open"},
                 {"name", "Name", "Device", "", "Fast"},
                 {"max_work_item_sizes", "Largest local sizes", "Compute", "", {1024, 1024, 64}},
                 {"local_mem_size", "Local memory", "Memory", "B", std::uint64_t{49152}},
                 {"available", "Available", "Device", "", true}},
                {{"name", "Name", "Device", "", "Processor"}}};
    }
    void tell(std::vector<ks::DeviceInfo> devices, std::vector<std::vector<ks::DeviceProperty>> properties,
              std::vector<ks::Ceilings> ceilings = {}) {
        ks::wire::Catalogue catalogue;
        catalogue.devices = std::move(devices);
        catalogue.properties = std::move(properties);
        catalogue.ceilings = std::move(ceilings);
        context_->desk->setCatalogue(catalogue);
    }
    std::unique_ptr<DevicesPage> page() {
        auto made = std::make_unique<DevicesPage>(*context_);
        tell(devices(), properties());
        made->resize(900, 700);
        made->show();
        return made;
    }
    static ks::Ceilings measured(double rate) {
        ks::Ceilings all;
        all.device = devices().front();
        all.values.push_back({"copy", "Copy", "B/s", "1 MiB", 1, {rate, rate * 1.1, rate * 0.9}});
        return all;
    }

  private slots:
    void init() { context_.emplace(jobs_); }

    void rowsAreGroupedAndColumnsAreDevices() {
        PropertyModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setDevices(devices(), properties());
        QCOMPARE(model.columnCount(), 3);
        QStringList labels;
        for (int row = 0; row < model.rowCount(); ++row) labels << model.index(row, 0).data().toString();
        QCOMPARE(labels, (QStringList{"Platform", "Platform", "Device", "Name", "Available", "Compute",
                                      "Largest local sizes", "Memory", "Local memory"}));
        QVERIFY(model.isTitle(2) && !model.isTitle(3));
        QCOMPARE(model.index(6, 1).data().toString(), QString("1024 x 1024 x 64"));
        QCOMPARE(model.index(8, 1).data().toString(), QString("48 KiB (49152 B)"));
        QCOMPARE(model.index(4, 1).data().toString(), QString("yes"));
        QCOMPARE(model.index(8, 2).data().toString(), QString("\u2013"));
        QCOMPARE(model.index(6, 0).data(Qt::ToolTipRole).toString(), QString("max_work_item_sizes"));
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QString("0: Fast"));
        QCOMPARE(model.headerData(2, Qt::Horizontal).toString(), QString("host: Processor"));
        model.setDevices({}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void theSearchKeepsRowsAndTheirTitles() {
        const auto shown = page();
        QCOMPARE(shown->found(), 5);
        const QAbstractItemModelTester tester(shown->table().model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        shown->search().setText("local");
        QCOMPARE(shown->found(), 2);
        QCOMPARE(shown->table().model()->rowCount(), 4);
        shown->search().setText("max_work_item");
        QCOMPARE(shown->found(), 1);
        shown->search().setText("nothing of the kind");
        QCOMPARE(shown->table().model()->rowCount(), 0);
        shown->search().clear();
        QCOMPARE(shown->found(), 5);
        // Devices that come later: the worker was started anew.
        tell(devices(), properties());
        QCOMPARE(shown->found(), 5);
        tell({}, {});
        QCOMPARE(shown->found(), 0);
    }

    void selectedRowsAreCopied() {
        const auto shown = page();
        shown->search().setText("local_mem");
        shown->table().selectRow(1);
        QCOMPARE(shown->selectedText(), QString("Local memory\t48 KiB (49152 B)\t\u2013"));
        shown->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(shown.get()));
        shown->table().setFocus();
        QTest::keyClick(&shown->table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), shown->selectedText());
    }

    void allOfItIsExported() {
        const auto shown = page();
        const QString json = folder_.filePath("devices.json"), text = folder_.filePath("devices.txt");
        shown->exportTo(json, false);
        shown->exportTo(text, false);
        QFile file(json);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray list = QJsonDocument::fromJson(file.readAll()).array();
        QCOMPARE(list.size(), 2);
        const QJsonObject said = list[0].toObject().value("properties").toObject();
        QCOMPARE(said.value("max_work_item_sizes").toArray().size(), 3);
        QCOMPARE(said.value("available").toBool(), true);
        QFile plain(text);
        QVERIFY(plain.open(QIODevice::ReadOnly));
        const QByteArray lines = plain.readAll();
        QVERIFY(lines.contains("Largest local sizes              1024 x 1024 x 64"));
        QVERIFY2(lines.startsWith("Open\n"
                                  "  platform vendor      Maker\n"
                                  "  platform version     OpenCL 3.0\n"
                                  "  platform profile     not reported\n"
                                  "  device 0: Fast\n"),
                 lines.constData());
        QVERIFY2(lines.endsWith("\n\nHost\n  device host: Processor\n"), lines.constData());
        QVERIFY_THROWS_EXCEPTION(ks::Error, shown->exportTo(json, false));
    }

    void ceilingsAreMeasuredOnDemandAndDrawn() {
        const auto shown = page();
        QVERIFY(!shown->measure().isEnabled());
        context_->desk->setMeasurable(true);
        QVERIFY(shown->measure().isEnabled());
        QCOMPARE(shown->measured().count(), 1);  // kernels measure, and the host has none
        QString asked;
        connect(context_->desk.get(), &Desk::ceilingsWanted, this,
                [&](const ks::DeviceInfo& device) { asked = QString::fromStdString(device.name); });
        shown->measure().click();
        QCOMPARE(asked, QString("Fast"));
        context_->desk->takeCeilings(measured(2e9));
        QCOMPARE(shown->bars().ceilings().size(), std::size_t{1});
        const std::string csv = shown->bars().csv();
        QVERIFY2(csv.find("copy,B/s,2000000000") != std::string::npos, csv.c_str());
        const QImage seen = shown->bars().grab().toImage();
        QVERIFY(!seen.isNull());
        tell(devices(), properties());
        QVERIFY(shown->bars().grab().toImage() != seen);
    }

    void aPageThatIsMadeLaterShowsWhatIsKnown() {
        context_->desk->setMeasurable(true);
        tell(devices(), properties(), {measured(2e9)});
        DevicesPage later(*context_);
        QCOMPARE(later.found(), 5);
        QVERIFY(later.measure().isEnabled());
        QCOMPARE(later.bars().ceilings().size(), std::size_t{1});
    }

    // Results that come while another page is shown.
    void contentThatGrowsWhileItIsHiddenCanBeScrolled() {
        class Growing : public QWidget {
          public:
            QSize minimumSizeHint() const override { return {40, height}; }
            int height = 20;
        };
        auto* content = new Growing;
        const std::unique_ptr<QScrollArea> scroll(ks::ui::scrolled(content, QStringLiteral("rows")));
        scroll->resize(100, 100);
        scroll->show();
        QVERIFY(QTest::qWaitForWindowExposed(scroll.get()));
        QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
        scroll->hide();
        content->height = 300;
        content->updateGeometry();
        scroll->show();
        QTRY_COMPARE(content->size().height(), 300);
        QVERIFY(scroll->verticalScrollBar()->maximum() >= 200);
    }

    void withoutDevicesItIsEmptyAndWhole() {
        DevicesPage shown(*context_);
        tell({}, {});
        shown.resize(700, 500);
        shown.show();
        QCOMPARE(shown.found(), 0);
        QCOMPARE(shown.selectedText(), QString());
        context_->desk->setMeasurable(true);
        QVERIFY(!shown.measure().isEnabled());
    }
};

QTEST_MAIN(DevicesPageTest)
#include "tst_devices_page.moc"
