#include <filesystem>
#include <fstream>
#include <limits>

#include <QApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWindow>

#include "core/io/labels/label_file.h"
#include "tests/full_disk/file_size_limit.h"
#include "tests/ui/image/mask_bench.h"
#include "ui/base/appearance.h"
#include "ui/base/jobs.h"
#include "ui/image/mask/tool_card.h"

using namespace ks;
using namespace ks::ui;
using namespace ks::ui::test;

namespace {

/// What the bar says went wrong.
struct Errors {
    std::vector<Error> seen;

    explicit Errors(MaskBar* bar) {
        QObject::connect(bar, &MaskBar::failed, bar, [this](const Error& error) { seen.push_back(error); });
    }
    int count() const { return static_cast<int>(seen.size()); }
};

Bytes bytesOf(const QString& file) {
    std::ifstream in(file.toStdString(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void drawBox(Bench& bench, double x0, double y0, double x1, double y1) {
    bench.bar->setTool("rectangle");
    const QPoint a = bench.over(x0, y0), b = bench.over(x1, y1);
    QTest::mousePress(bench.view, Qt::LeftButton, {}, a);
    QTest::mouseMove(bench.view, b);
    QTest::mouseRelease(bench.view, Qt::LeftButton, {}, b);
}

}  // namespace

class TestMaskBar : public QObject {
    Q_OBJECT
  private slots:
    void theViewsMenuHasTheOrderOfTheColumn() {
        Bench bench;
        QStringList names, column;
        for (const QAction* one : bench.view->actions())
            if (one->isSeparator() || bench.bar->action(one->objectName()) == one)
                names << (one->isSeparator() ? QStringLiteral("-") : one->objectName());
        while (!names.isEmpty() && names.front() == "-") names.removeFirst();
        QCOMPARE(
            names,
            (QStringList{"pointer", "rectangle", "ellipse",   "polygon", "brush",        "flood",  "-",
                         "remove",  "-",         "hotPixels", "invert",  "grow",         "shrink", "clear",
                         "-",       "undo",      "redo",      "-",       "withoutCount", "load",   "save"}));
        for (const QToolButton* button : bench.bar->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly))
            if (button->defaultAction()) column << button->defaultAction()->objectName();
        names.removeAll("-");
        QCOMPARE(names.mid(0, column.size()), column);
    }

    void theKeysChooseTheToolsAndTheSameKeyLeavesThem() {
        Bench bench;
        QSignalSpy hints(bench.bar, &MaskBar::hint);
        const std::vector<std::pair<Qt::Key, const char*>> keys{{Qt::Key_R, "rectangle"},
                                                                {Qt::Key_E, "ellipse"},
                                                                {Qt::Key_P, "polygon"},
                                                                {Qt::Key_B, "brush"},
                                                                {Qt::Key_F, "flood"}};
        for (const auto& [key, name] : keys) {
            QTest::keyClick(bench.view, key);
            QVERIFY(bench.bar->action(name)->isChecked());
            QVERIFY(bench.view->tool() && bench.view->tool() == bench.bar->tool());
            QCOMPARE(hints.last().at(0).toString(), bench.bar->tool()->hint());
        }
        QTest::keyClick(bench.view, Qt::Key_F);
        QVERIFY(!bench.view->tool());
        QVERIFY(!bench.bar->tool());
        QCOMPARE(hints.last().at(0).toString(), QString());
        // The buttons do the same.
        for (QToolButton* button : bench.bar->findChildren<QToolButton*>()) {
            if (!button->defaultAction() || button->defaultAction()->objectName() != "ellipse") continue;
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(bench.view->tool() && bench.view->tool()->title() == "Ellipse");
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(!bench.view->tool());
        }
    }

    void aToolOfSomeoneElseTakesThePlaceOfTheBarsOwn() {
        Bench bench;
        bench.act("brush");
        PolygonTool other;
        bench.view->setTool(&other);
        QVERIFY(!bench.bar->tool());
        QCOMPARE(bench.view->tool(), &other);
        bench.act("brush");
        QCOMPARE(bench.view->tool(), bench.bar->brush());
        bench.view->setTool(nullptr);
        QVERIFY(!bench.bar->action("brush")->isChecked());
    }

    void invertGrowShrinkAndClearAreOneStepEach_data() {
        QTest::addColumn<int>("way");
        QTest::newRow("fitted") << 0;
        QTest::newRow("zoomed in and panned") << 1;
    }
    void invertGrowShrinkAndClearAreOneStepEach() {
        QFETCH(int, way);
        Bench bench;
        bench.look(way);
        drawBox(bench, 40.2, 30.3, 60.7, 50.1);
        bench.act("brush");
        QTest::mouseClick(bench.view, Qt::LeftButton, {}, bench.over(70.5, 60.5));
        std::vector<Bytes> history{bench.mask()};
        const auto after = [&](Qt::Key key, Qt::KeyboardModifiers modifiers, const Bytes& expected) {
            QTest::keyClick(bench.view, key, modifiers);
            SAME_BYTES(bench.mask(), expected);
            QVERIFY(expected != history.back());
            history.push_back(expected);
        };
        after(Qt::Key_G, Qt::NoModifier, grownByOne(history.back()));
        after(Qt::Key_G, Qt::NoModifier, grownByOne(history.back()));
        after(Qt::Key_G, Qt::ShiftModifier, inverse(grownByOne(inverse(history.back()))));
        after(Qt::Key_I, Qt::NoModifier, inverse(history.back()));
        after(Qt::Key_G, Qt::NoModifier, grownByOne(history.back()));
        after(Qt::Key_Delete, Qt::ShiftModifier, nothing());
        for (std::size_t i = history.size() - 1; i-- > 0;) {
            QTest::keyClick(bench.view, Qt::Key_Z, Qt::ControlModifier);
            SAME_BYTES(bench.mask(), history[i]);
        }
        for (std::size_t i = 1; i < history.size(); ++i) {
            QTest::keyClick(bench.view, Qt::Key_Y, Qt::ControlModifier);
            SAME_BYTES(bench.mask(), history[i]);
        }
        for (std::size_t i = 0; i < history.size() + 1; ++i) bench.act("undo");
        SAME_BYTES(bench.mask(), nothing());
        QVERIFY(!bench.bar->action("undo")->isEnabled());
    }

    void hotPixelsAreThoseThatStandOut() {
        Bench bench;
        bench.bar->sigma()->setValue(50);
        QTest::keyClick(bench.view, Qt::Key_H);
        // The plateaus differ by tens; the two lone pixels of 5000 and the island of NaN stand out.
        const std::vector<float> values = landscape();
        Bytes expected = nothing();
        for (std::size_t i = 0; i < values.size(); ++i) expected[i] = !(values[i] < 1000);
        QCOMPARE(chosen(expected), std::size_t{10});
        SAME_BYTES(bench.mask(), expected);
        QCOMPARE(bench.bar->countText(), QString("10 px masked"));
        bench.act("undo");
        SAME_BYTES(bench.mask(), nothing());
        bench.act("redo");
        SAME_BYTES(bench.mask(), expected);
    }

    void oneClickMasksWhatDetectorsWriteWhereThereIsNoCount() {
        Bench bench;
        QAction* const action = bench.bar->action("withoutCount");
        QVERIFY(!action->isEnabled());  // floats have NaN for that
        const auto masked = [&](auto highest, const std::vector<std::size_t>& places) {
            using T = decltype(highest);
            std::vector<T> values(columns * rows, 7);
            for (std::size_t i = 0; i < 3; ++i) values[100 + i] = static_cast<T>(highest - i);
            const auto frame = std::make_shared<const Array>(Array::of<T>({rows, columns}, values));
            bench.editor.beginAnew();
            bench.view->setFrame(frame);
            bench.editor.setFrame(frame);
            QVERIFY(action->isEnabled());
            bench.act("withoutCount");
            Bytes expected = nothing();
            for (const std::size_t place : places) expected[place] = 1;
            SAME_BYTES(bench.mask(), expected);
        };
        masked(std::numeric_limits<std::uint8_t>::max(), {100});
        masked(std::numeric_limits<std::uint16_t>::max(), {100, 101});
        masked(std::numeric_limits<std::uint32_t>::max(), {100, 101});
        bench.act("undo");
        SAME_BYTES(bench.mask(), nothing());
        bench.editor.setTarget(1);
        QVERIFY(!action->isEnabled());
    }

    void takeAllTakesTheRange() {
        Bench bench;
        bench.act("flood");
        bench.bar->card()->reach()->setCurrentIndex(1);
        bench.bar->card()->lower()->setValue(4000);
        bench.bar->card()->upper()->setValue(6000);
        for (QToolButton* button : bench.bar->card()->findChildren<QToolButton*>()) {
            QVERIFY(button->isVisible());
            QTest::mouseClick(button, Qt::LeftButton);
        }
        QCOMPARE(chosen(bench.mask()), std::size_t{2});
        QVERIFY(bench.mask()[20 * columns + 20] && bench.mask()[61 * columns + 77]);
    }

    void theTargetChooserDrawsBinsAndLeavesTheMask() {
        Bench bench;
        drawBox(bench, 10.3, 10.3, 30.6, 30.6);
        const Bytes mask = bench.mask();
        QComboBox* targets = bench.bar->targets();
        const auto choose = [&](int index) {
            targets->setCurrentIndex(index);
            emit targets->activated(index);
        };
        QCOMPARE(targets->count(), 2);
        QCOMPARE(targets->itemText(1), QString("New bin"));
        choose(1);
        QCOMPARE(targets->currentText(), QString("Bin 1"));
        QCOMPARE(targets->count(), 3);
        drawBox(bench, 20.3, 20.3, 60.6, 60.6);
        choose(2);
        QCOMPARE(targets->currentText(), QString("Bin 2"));
        drawBox(bench, 50.3, 50.3, 90.6, 80.6);
        SAME_BYTES(bench.mask(), mask);
        const auto corner = [&](double x, double y) { return bench.at(bench.over(x, y)); };
        const Bytes one = boxBetween(corner(20.3, 20.3), corner(60.6, 60.6));
        const Bytes two = boxBetween(corner(50.3, 50.3), corner(90.6, 80.6));
        const auto& bins = bench.editor.bins().values();
        for (std::size_t i = 0; i < bins.size(); ++i) QCOMPARE(bins[i], two[i] ? 2 : one[i] ? 1 : 0);
        QCOMPARE(bench.bar->countText(), QString("%1 px in bin 2").arg(QLocale("en").toString(chosen(two))));
        QVERIFY(!bench.bar->action("hotPixels")->isEnabled());
        choose(0);
        QCOMPARE(bench.bar->countText(), QString("%1 px masked").arg(QLocale("en").toString(chosen(mask))));
        for (int i = 0; i < 3; ++i) bench.act("undo");
        SAME_BYTES(bench.mask(), nothing());
        QVERIFY(std::all_of(bins.begin(), bins.end(), [](auto label) { return label == 0; }));
    }

    void aMaskIsSavedAndLoadedAsItIs_data() {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<bool>("inJobs");
        QTest::newRow("HDF5") << "h5" << false;
        QTest::newRow("NumPy") << "npy" << false;
        QTest::newRow("TIFF") << "tif" << false;
        QTest::newRow("HDF5, in jobs") << "h5" << true;
    }
    void aMaskIsSavedAndLoadedAsItIs() {
        QFETCH(QString, suffix);
        QFETCH(bool, inJobs);
        Jobs jobs;
        Bench bench(inJobs ? &jobs : nullptr);
        Errors failed(bench.bar);
        QSignalSpy hints(bench.bar, &MaskBar::reported);
        QTemporaryDir folder;
        const QString file = folder.filePath("mask." + suffix);
        drawBox(bench, 20.3, 20.3, 60.6, 60.6);
        const Bytes drawn = bench.mask();
        bench.bar->saveMask(file);
        QTRY_VERIFY(std::any_of(hints.begin(), hints.end(), [](const auto& one) {
            return one.at(0).toString().startsWith("Mask saved");
        }));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
        bench.act("clear");
        bench.bar->loadMask(file);
        QTRY_VERIFY(bench.mask() == drawn);
        QCOMPARE(failed.count(), 0);
        QVERIFY(bench.view->valueText(40, 40).startsWith("masked"));
        bench.act("undo");
        SAME_BYTES(bench.mask(), nothing());
    }

    void onAFullDiskTheOldMaskStaysAndTheBarTellsSo_data() {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<bool>("inJobs");
        for (const char* suffix : {"h5", "npy", "tif"}) QTest::newRow(suffix) << suffix << false;
        QTest::newRow("HDF5, in jobs") << "h5" << true;
    }
    void onAFullDiskTheOldMaskStaysAndTheBarTellsSo() {
        QFETCH(QString, suffix);
        QFETCH(bool, inJobs);
        Jobs jobs;
        Bench bench(inJobs ? &jobs : nullptr);
        Errors failed(bench.bar);
        QSignalSpy hints(bench.bar, &MaskBar::reported);
        QTemporaryDir folder;
        const QString file = folder.filePath("mask." + suffix);
        drawBox(bench, 20.3, 20.3, 60.6, 60.6);
        bench.bar->saveMask(file);
        const auto saved = [&] {
            return static_cast<int>(std::count_if(hints.begin(), hints.end(), [](const auto& one) {
                return one.at(0).toString().startsWith("Mask saved");
            }));
        };
        QTRY_COMPARE(saved(), 1);
        const Bytes old = bytesOf(file);
        for (int level = 0; level < 100; ++level) {
            const tests::FileSizeLimit full(old.size() * static_cast<std::size_t>(level) / 100);
            bench.bar->saveMask(file);
            QTRY_VERIFY(failed.count() == level + 1 || saved() > 1);
            QCOMPARE(saved(), 1);
            QCOMPARE(QString(failed.seen.back().what()),
                     file + ": the file could not be written: it would exceed the maximum file size");
            SAME_BYTES(bytesOf(file), old);
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
        }
        bench.bar->saveMask(file);
        QTRY_COMPARE(saved(), 2);
    }

    void theFileThatIsReadIsNotReplacedByItsMask() {
        Bench bench;
        Errors failed(bench.bar);
        QTemporaryDir folder;
        const QString frames = folder.filePath("scan.h5");
        io::write_mask(frames.toStdString(), {2, 2, Bytes(4, 1)}, false);
        const Bytes before = bytesOf(frames);
        bench.bar->setRead({{"frames", frames.toStdString() + "::/entry/mask"}});
        bench.bar->saveMask(frames);
        QCOMPARE(failed.count(), 1);
        QVERIFY2(QString(failed.seen.back().what()).contains("would replace a file that is read as frames"),
                 failed.seen.back().what());
        SAME_BYTES(bytesOf(frames), before);
        bench.bar->saveMask(folder.filePath("mask.h5"));
        QCOMPARE(failed.count(), 1);
    }

    void aMaskThatDoesNotFitOrIsBrokenGivesOneErrorAndChangesNothing() {
        Bench bench;
        Errors failed(bench.bar);
        QTemporaryDir folder;
        drawBox(bench, 20.3, 20.3, 60.6, 60.6);
        const Bytes drawn = bench.mask();
        const QString other = folder.filePath("other.h5"), good = folder.filePath("good.h5");
        io::write_mask(other.toStdString(), {30, 20, Bytes(600, 1)}, false);
        bench.bar->saveMask(good);
        std::vector<QString> bad{other, folder.filePath("missing.npy")};
        for (const char* suffix : {"h5", "npy", "tif"}) {
            const QString whole = folder.filePath(QString("whole.") + suffix);
            bench.bar->saveMask(whole);
            const Bytes bytes = bytesOf(whole);
            QVERIFY(bytes.size() > 100);
            bad.push_back(folder.filePath(QString("half.") + suffix));
            std::ofstream half(bad.back().toStdString(), std::ios::binary);
            half.write(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size() / 2));
        }
        const std::size_t steps = bench.editor.mask().undo_steps();
        for (std::size_t i = 0; i < bad.size(); ++i) {
            bench.bar->loadMask(bad[i]);
            QCOMPARE(failed.count(), static_cast<int>(i) + 1);
            const Error error = failed.seen.back();
            QVERIFY2(QString(error.what()).contains(QFileInfo(bad[i]).fileName()), error.what());
            QVERIFY2(!QString(error.what()).contains('\n'), error.what());
            SAME_BYTES(bench.mask(), drawn);
            QCOMPARE(bench.editor.mask().undo_steps(), steps);
        }
        const QString shapes = failed.seen.front().what();
        QVERIFY2(shapes.contains("30 x 20") && shapes.contains("90 x 121"), qPrintable(shapes));
    }

    void savingIsAllOrNothing() {
        Bench bench;
        Errors failed(bench.bar);
        QTemporaryDir folder;
        const QString file = folder.filePath("mask.npy");
        drawBox(bench, 20.3, 20.3, 60.6, 60.6);
        bench.bar->saveMask(file);
        const Bytes before = bytesOf(file);
        QVERIFY(!before.empty());
        // A folder stands where the file should go; an unknown kind; a place that is not there.
        const QString inTheWay = folder.filePath("folder.npy");
        QVERIFY(QDir().mkdir(inTheWay));
        const QStringList wrong{inTheWay, folder.filePath("mask.xyz"), folder.filePath("no/such/mask.npy")};
        for (int i = 0; i < wrong.size(); ++i) {
            bench.bar->saveMask(wrong[i]);
            QCOMPARE(failed.count(), i + 1);
        }
        QVERIFY(bytesOf(file) == before);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"mask.npy"});
        // An existing file is replaced as a whole.
        bench.act("invert");
        bench.bar->saveMask(file);
        QCOMPARE(failed.count(), 3);
        bench.act("clear");
        bench.bar->loadMask(file);
        QVERIFY(bench.mask()[0]);
    }

    void everythingHasANameAndATipWithItsKey() {
        Bench bench;
        for (QToolButton* button : bench.bar->findChildren<QToolButton*>()) {
            if (button->objectName().startsWith("qt_")) continue;
            QVERIFY2(!button->accessibleName().isEmpty(), qPrintable(button->toolTip()));
            QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->accessibleName()));
            const QAction* action = button->defaultAction();
            if (!action) continue;
            QVERIFY(!action->shortcut().isEmpty());
            QVERIFY2(button->toolTip().contains(action->shortcut().toString(QKeySequence::NativeText)),
                     qPrintable(button->toolTip()));
        }
        for (QWidget* field : std::initializer_list<QWidget*>{
                 bench.bar->card()->brushSize(), bench.bar->card()->reach(), bench.bar->card()->lower(),
                 bench.bar->card()->upper(), bench.bar->sigma(), bench.bar->targets()}) {
            QVERIFY(!field->accessibleName().isEmpty());
            QVERIFY(!field->toolTip().isEmpty());
        }
    }

    void thePointerIsCheckedWhileNoToolIsInUse() {
        Bench bench;
        QAction* const pointer = bench.bar->action("pointer");
        QVERIFY(pointer->isChecked());
        bench.act("brush");
        QVERIFY(!pointer->isChecked());
        pointer->trigger();
        QVERIFY(pointer->isChecked());
        QVERIFY(!bench.view->tool() && !bench.bar->tool());
        pointer->trigger();
        QVERIFY(pointer->isChecked());
        // A tool of someone else is one, too; the default one is none.
        PolygonTool other, usual;
        bench.view->setTool(&other);
        QVERIFY(!pointer->isChecked());
        QTest::keyClick(bench.view, Qt::Key_V);
        QVERIFY(pointer->isChecked() && !bench.view->tool());
        bench.view->setDefaultTool(&usual);
        QVERIFY(pointer->isChecked());
        QCOMPARE(bench.view->tool(), &usual);
        bench.act("flood");
        QVERIFY(!pointer->isChecked());
        pointer->trigger();
        QCOMPARE(bench.view->tool(), &usual);
        bench.view->setDefaultTool(nullptr);
    }

    void escForgetsWhatIsHalfDoneAndThenLeavesTheTool() {
        for (const char* name : {"rectangle", "ellipse", "polygon", "brush", "flood"}) {
            Bench bench;
            bench.act(name);
            QTest::keyClick(bench.view, Qt::Key_Escape);
            QVERIFY2(!bench.view->tool() && bench.bar->action("pointer")->isChecked(), name);
            QVERIFY(!bench.bar->card()->isVisible());
        }
        Bench bench;
        bench.act("polygon");
        QTest::mouseClick(bench.view, Qt::LeftButton, {}, bench.over(30, 30));
        QTest::keyClick(bench.view, Qt::Key_Escape);
        QCOMPARE(bench.view->tool(), bench.bar->tool());
        QVERIFY(bench.bar->tool());
        QTest::keyClick(bench.view, Qt::Key_Escape);
        QVERIFY(!bench.view->tool());
        SAME_BYTES(bench.mask(), nothing());
    }

    void theColumnFitsFromLowToHighAndItsMenuHasAll_data() {
        QTest::addColumn<int>("height");
        for (const int height : {212, 300, 380, 500, 900}) QTest::addRow("%d", height) << height;
    }
    void theColumnFitsFromLowToHighAndItsMenuHasAll() {
        QFETCH(int, height);
        Bench bench;
        bench.window.resize(900, height);
        QCoreApplication::processEvents();
        QCOMPARE(bench.bar->height(), height);
        QVERIFY(bench.bar->width() <= 34);
        QStringList shown, inMenu;
        std::vector<QRect> places;
        for (QToolButton* button : bench.bar->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly)) {
            if (!button->isVisible()) continue;
            QVERIFY(bench.bar->rect().contains(button->geometry()));
            for (const QRect& other : places) QVERIFY(!other.intersects(button->geometry()));
            places.push_back(button->geometry());
            if (button->defaultAction()) shown += button->defaultAction()->objectName();
            if (!button->menu()) continue;
            for (QAction* action : button->menu()->actions()) inMenu += action->objectName();
        }
        for (const char* name : {"pointer", "rectangle", "ellipse", "polygon", "brush", "flood"})
            QVERIFY2(shown.contains(name), name);
        QCOMPARE(shown.contains("clear"), height >= 500);
        QCOMPARE(shown.contains("undo"), height >= 300);
        for (const char* name :
             {"pointer", "rectangle", "ellipse", "polygon", "brush", "flood", "remove", "hotPixels", "invert",
              "grow", "shrink", "clear", "undo", "redo", "withoutCount", "load", "save"})
            QVERIFY2(inMenu.contains(name), name);
    }

    void theCardOfTheToolMovesNoButtonAndCutsNothing() {
        Bench bench;
        bench.window.resize(480, 400);
        QCoreApplication::processEvents();
        const auto places = [&] {
            QList<QRect> all;
            for (QToolButton* button : bench.bar->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly))
                all += button->isVisible() ? button->geometry() : QRect();
            return all;
        };
        const QList<QRect> before = places();
        const QRect view = bench.view->geometry();
        ToolCard* const card = bench.bar->card();
        QVERIFY(!card->isVisible());
        for (const char* tool : {"rectangle", "brush", "flood"}) {
            bench.bar->setTool(tool);
            bench.bar->card()->reach()->setCurrentIndex(1);
            bench.act("invert");
            QVERIFY(card->height() >= card->minimumSizeHint().height());
            QCoreApplication::processEvents();
            QCOMPARE(places(), before);
            QCOMPARE(bench.view->geometry(), view);
            QVERIFY(card->isVisible());
            QCOMPARE(card->parentWidget(), bench.view);
            QVERIFY(card->x() <= 12 && card->y() <= 12);
            QVERIFY2(bench.view->imageArea().contains(QRectF(card->geometry())), tool);
            for (QWidget* child : card->findChildren<QWidget*>()) {
                if (!child->isVisible() || child->isWindow()) continue;
                QVERIFY(child->width() >= child->minimumSizeHint().width());
                if (child->parentWidget() == card) QVERIFY(card->rect().contains(child->geometry()));
            }
        }
        bench.bar->setTool({});
        QVERIFY(!card->isVisible());
    }

    void aClickOnTheCardDoesNotDrawAndOneBesideItDoes() {
        Bench bench;
        bench.act("brush");
        QCoreApplication::processEvents();
        ToolCard* const card = bench.bar->card();
        const QPoint onCard = card->mapTo(&bench.window, QPoint(3, 3)),
                     beside = card->mapTo(&bench.window, QPoint(card->width() + 5, card->height() + 5));
        for (const QPoint& at : {onCard, beside})
            QTest::mouseClick(bench.window.windowHandle(), Qt::LeftButton, {}, at);
        QVERIFY(bench.editor.canUndo());
        bench.act("undo");
        QVERIFY(!bench.editor.canUndo());
        SAME_BYTES(bench.mask(), nothing());
    }

    void barViewAndEditorMayGoInAnyOrder() {
        for (int order = 0; order < 3; ++order) {
            auto view = std::make_unique<DetectorView>();
            auto editor = std::make_unique<RegionEditor>();
            auto bar = std::make_unique<MaskBar>();
            const auto frame = frameOf(landscape());
            view->setFrame(frame);
            editor->setFrame(frame);
            bar->attach(view.get(), editor.get());
            bar->setTool("brush");
            view->resize(400, 300);
            QTest::mousePress(view.get(), Qt::LeftButton, {}, {150, 150});
            if (order == 0) {
                bar.reset();
                QVERIFY(!view->tool());
            }
            if (order == 1) {
                editor.reset();
                QTest::mouseMove(view.get(), {160, 160});
                QTest::mouseRelease(view.get(), Qt::LeftButton, {}, {170, 160});
                QVERIFY(!bar->isEnabled());
            }
            if (order == 2) {
                view.reset();
                bar->action("invert")->trigger();
                QVERIFY(editor->canUndo());
            }
            QTest::mouseRelease(bar ? static_cast<QWidget*>(bar.get()) : view.get(), Qt::LeftButton);
        }
    }

    /// Pictures to look at: PICTURES=folder tst_mask_bar pictures
    void pictures() {
        const QString folder = qEnvironmentVariable("PICTURES");
        for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
            applyAppearance(*qApp, appearance);
            Bench bench;
            connect(&bench.editor, &RegionEditor::labelsEdited, bench.view, &DetectorView::labelsChanged);
            bench.view->setLabels(bench.editor.bins().shared());
            bench.window.resize(1280, 800);
            QCoreApplication::processEvents();
            ColourScale scale;
            scale.low = 0;
            scale.high = 60;
            scale.automatic = false;
            bench.view->setColourScale(scale);
            drawBox(bench, 80.3, 10.3, 100.6, 30.6);
            bench.editor.setTarget(1);
            bench.bar->setTool("ellipse");
            bench.drag(bench.over(20, 20), bench.over(50, 45), Qt::LeftButton);
            bench.editor.setTarget(2);
            bench.drag(bench.over(60, 40), bench.over(95, 75), Qt::LeftButton);
            bench.editor.setTarget(0);
            for (const char* tool : {"rectangle", "ellipse", "polygon", "brush", "flood"}) {
                bench.bar->setTool(tool);
                const QPoint from = bench.over(30, 50), to = bench.over(70, 80);
                QTest::mousePress(bench.view, Qt::LeftButton, {}, from);
                QTest::mouseMove(bench.view, to);
                if (QByteArray(tool) == "polygon") {
                    QTest::mouseRelease(bench.view, Qt::LeftButton, {}, to);
                    QTest::mouseClick(bench.view, Qt::LeftButton, {}, to);
                    bench.moved(bench.over(90, 60), Qt::NoButton);
                }
                const QPixmap picture = bench.window.grab();
                QVERIFY(!picture.isNull());
                const QString name =
                    QString("%1_%2.png").arg(appearance == Appearance::dark ? "dark" : "light", tool);
                if (!folder.isEmpty()) QVERIFY(picture.save(QDir(folder).filePath(name)));
                QTest::keyClick(bench.view, Qt::Key_Escape);
                QTest::mouseRelease(bench.view, Qt::LeftButton, {}, to);
            }
            if (!folder.isEmpty()) {
                bench.window.resize(900, 600);
                bench.bar->setTool("flood");
                bench.bar->card()->reach()->setCurrentIndex(1);
                QCoreApplication::processEvents();
                QVERIFY(bench.window.grab().save(QDir(folder).filePath(
                    appearance == Appearance::dark ? "dark_narrow.png" : "light_narrow.png")));
            }
        }
    }
};

QTEST_MAIN(TestMaskBar)
#include "tst_mask_bar.moc"
