#pragma once

#include <QComboBox>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <memory>
#include <string>

#include "tests/ui/particles/made_planes.h"
#include "ui/particles/particles_page.h"

/// The page by itself, with runs made by hand.
class PageFixture : public QObject {
  protected:
    using Plane = ks::ui::particles::Plane;
    using PlaneMaps = ks::ui::particles::PlaneMaps;
    using ParticlesPage = ks::ui::particles::ParticlesPage;

    /// 100 x + 10 y + z
    static std::complex<double> slope(double x, double y, double z) { return {100 * x + 10 * y + z, 0}; }

    QTemporaryDir folder_;
    ks::ui::Jobs jobs_;
    ks::ui::PageContext context_{jobs_};

    QString written(const QString& leaf, const std::string& text) {
        const QString path = folder_.filePath(leaf);
        std::ofstream(path.toStdString()) << text;
        return path;
    }
    std::shared_ptr<const ks::ui::OpenFile> someFile() {
        const QString path = written("some.csv", "x,y,z,weight\n0.2,0.3,0.4,1\n0.6,0.7,0.8,-0.5\n");
        return std::make_shared<const ks::ui::OpenFile>(ks::ui::openAnyFile(path));
    }
    std::unique_ptr<ParticlesPage> emptyPage() {
        auto page = std::make_unique<ParticlesPage>(context_);
        for (QWidget* part : {page->inputWidget(), page->dataWidget()}) {
            part->setParent(page.get());
            part->hide();
        }
        return page;
    }
    std::unique_ptr<ParticlesPage> shownPage() {
        auto page = emptyPage();
        page->resize(900, 700);
        page->show();
        page->setFile(someFile());
        const bool there = QTest::qWaitForWindowExposed(page.get()) &&
                           QTest::qWaitFor([&] { return page->sources() != nullptr; }, 10000) && idle();
        return there ? std::move(page) : nullptr;
    }
    bool idle() {
        return QTest::qWaitFor([&] { return jobs_.running() == 0; }, 20000);
    }
    ks::ui::RunRow row(int number, const Function& f, bool isComplex = false, std::size_t side = 21) {
        return {number, planesRun(folder_.filePath("some.csv").toStdString(), 2, side, f, isComplex), true,
                false};
    }
    /// Moves the mouse over a point of a map.
    static void hover(PlaneMaps& maps, Plane plane, double u, double v,
                      Qt::MouseButtons buttons = Qt::NoButton) {
        move(maps, maps.toWidget({plane, {u, v}}), buttons);
    }
    static void move(PlaneMaps& maps, const QPointF& at, Qt::MouseButtons buttons) {
        QMouseEvent event(QEvent::MouseMove, at, maps.mapToGlobal(at), Qt::NoButton, buttons, Qt::NoModifier);
        QApplication::sendEvent(&maps, &event);
    }
    static void press(PlaneMaps& maps, const QPointF& at, bool down) {
        QMouseEvent event(down ? QEvent::MouseButtonPress : QEvent::MouseButtonRelease, at,
                          maps.mapToGlobal(at), Qt::LeftButton, down ? Qt::LeftButton : Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(&maps, &event);
    }
    static int distance(const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    }
    static QColor seen(PlaneMaps& maps, Plane plane, double u, double v) {
        return maps.grab().toImage().pixelColor(maps.toWidget({plane, {u, v}}).toPoint());
    }
};
