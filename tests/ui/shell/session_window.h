#pragma once

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "core/data/partition/partition_builder.h"
#include "core/data/regions/region_shapes.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/base/parameter_form.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session/window_session.h"
#include "ui/xpcs/xpcs_page.h"

namespace ks::tests {

inline ui::xpcs::XpcsPage& xpcs_page(ui::MainWindow& window) {
    return dynamic_cast<ui::xpcs::XpcsPage&>(*window.page());
}

/// A window whose questions fail the test, with settings of its own.
inline std::unique_ptr<ui::MainWindow> session_window(const QString& settings) {
    auto made = std::make_unique<ui::MainWindow>(std::make_unique<QSettings>(settings, QSettings::IniFormat));
    ui::SessionQuestions& asked = made->kept().questions();
    asked.bringBack = [] { return QTest::qFail("asked about the session", __FILE__, __LINE__), false; };
    asked.readOutside = [](const QStringList&) {
        return QTest::qFail("asked about files outside", __FILE__, __LINE__), false;
    };
    asked.whereIs = [](const QString&) {
        return QTest::qFail("asked where a file is", __FILE__, __LINE__), QString();
    };
    asked.lose = [](const QStringList&) {
        return QTest::qFail("asked about work", __FILE__, __LINE__), ui::WorkAnswer::discard;
    };
    asked.loseForGood = [](const QStringList&, const QString&) {
        return QTest::qFail("asked about work that cannot be saved", __FILE__, __LINE__), true;
    };
    asked.saveAs = [](const QString&) {
        return QTest::qFail("asked for a name", __FILE__, __LINE__), QString();
    };
    asked.stop = [](const QStringList&) {
        return QTest::qFail("asked about jobs in progress", __FILE__, __LINE__), true;
    };
    asked.replaceChanged = [](const QString&) {
        return QTest::qFail("asked about a project that was written elsewhere", __FILE__, __LINE__), false;
    };
    asked.loseKernels = [](const QStringList&) {
        return QTest::qFail("asked about texts of kernels", __FILE__, __LINE__), ui::WorkAnswer::discard;
    };
    asked.saveKernelAs = [](const QString&) {
        return QTest::qFail("asked for a copy of a kernel", __FILE__, __LINE__), QString();
    };
    made->show();
    return made;
}

/// Mask, geometry, rings with one switched off, frame, a parameter of the page xpcs: nothing as at the start.
inline void work_in(ui::MainWindow& window) {
    ui::xpcs::XpcsPage& page = xpcs_page(window);
    QTRY_VERIFY_WITH_TIMEOUT(page.imagePanel().frame() != nullptr, 30000);
    Geometry where = page.imagePanel().geometry();
    where.beam_x = 30.25;
    where.beam_y = 28.5;
    page.imagePanel().geometryForm().session().setGeometry(where, true);
    ui::RegionEditor& editor = page.imagePanel().editor();
    editor.apply(rectangle_region(editor.height(), editor.width(), {3, 4}, {20, 9}), true, "Box");
    ui::xpcs::PartitionChoice rings;
    rings.recipe.geometry = where;
    rings.recipe.radial = linear_levels(4, 25, 5);
    rings.recipe.sectors = 2;
    page.partitionForm().setChoice(rings);
    QTRY_VERIFY_WITH_TIMEOUT(page.missing().isEmpty() && page.partition()->bins() == 10, 30000);
    page.bins().setData(page.bins().index(2, ui::xpcs::BinTableModel::OnColumn), Qt::Unchecked,
                        Qt::CheckStateRole);
    page.imagePanel().slider().setFrame(7);
    window.parameters().setValue(QStringLiteral("max_delay"), std::int64_t{9});
}

inline void run_in(ui::MainWindow& window) {
    QSignalSpy added(&window.queue(), &ui::RunQueue::runAdded);
    QTRY_VERIFY_WITH_TIMEOUT(window.worker().ready(), 60000);
    window.startRun();
    QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(!window.queue().busy(), 60000);
}

/// What a user would miss.
struct Seen {
    QString file;
    int frame = 0;
    Geometry geometry;
    std::vector<std::uint8_t> mask;
    std::vector<std::int32_t> labels, drawn;
    std::vector<int> off, numbers, ticked;
    ParameterSet parameters;
    Array g2;
    bool operator==(const Seen&) const = default;
};

inline Seen seen_in(ui::MainWindow& window) {
    ui::xpcs::XpcsPage& page = xpcs_page(window);
    Seen seen;
    seen.file = window.file() ? window.file()->name : QString();
    seen.frame = page.imagePanel().slider().frame();
    seen.geometry = page.imagePanel().geometry();
    seen.mask = page.imagePanel().editor().mask().values();
    seen.drawn = page.imagePanel().editor().bins().values();
    if (page.partition()) seen.labels = page.partition()->labels();
    seen.off = page.bins().labelsOff();
    for (const ui::RunRow& row : window.runs().rows()) {
        seen.numbers.push_back(row.number);
        if (row.ticked) seen.ticked.push_back(row.number);
    }
    seen.parameters = window.parameters().values();
    if (!window.runs().rows().empty()) seen.g2 = window.runs().rows().front().run->result.at("g2").values;
    return seen;
}

inline void expect_same(ui::MainWindow& window, const Seen& before) {
    QTRY_VERIFY_WITH_TIMEOUT(window.worker().ready(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(xpcs_page(window).missing().isEmpty(), 30000);
    const Seen now = seen_in(window);
    QCOMPARE(now.file, before.file);
    QCOMPARE(now.frame, before.frame);
    QVERIFY(now.geometry == before.geometry);
    QVERIFY(now.mask == before.mask);
    QVERIFY(now.drawn == before.drawn);
    QVERIFY(now.off == before.off);
    QVERIFY(now.labels == before.labels);
    QVERIFY(now.numbers == before.numbers);
    QVERIFY(now.ticked == before.ticked);
    QVERIFY(now.parameters == before.parameters);
    QVERIFY(now.g2 == before.g2);
}

}  // namespace ks::tests
