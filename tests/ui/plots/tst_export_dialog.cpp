#include <algorithm>
#include <cmath>

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"

namespace ks::ui {
namespace export_dialog_test {

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

FigureText said() {
    return {"g2", {"7", "8"}, {"gram.tiled"}, {"NVIDIA H200"}, {"580.95"}, {"scan_012.h5"}};
}

class ExportDialogTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    CurvePlot plot_;

    QString path(const char* leaf) const { return folder_.filePath(leaf); }
    std::filesystem::path file(const char* leaf) const { return path(leaf).toStdString(); }
    template <class Kind>
    static Kind* named(QDialog& dialog, const QString& name) {
        for (Kind* one : dialog.findChildren<Kind*>())
            if (one->accessibleName() == name) return one;
        return nullptr;
    }

  private slots:
    void initTestCase() {
        plot_.setXAxis("delay", "s");
        plot_.setSeries({{"1", 1, "run 7", {1, 10, 100}, {1.4, 1.3, 1.25}, {0.01, 0.01, 0.02}}});
    }

    void aPictureIsAsWideAsWasAskedFor() {
        exportFigure(plot_, file("wide.png"), true, {86, 60, 8, 300, false}, said());
        const QImage image(path("wide.png"));
        QCOMPARE(image.size(), QSize(1016, 709));  // 86 and 60 mm of 25.4 mm, 300 times
        QCOMPARE(image.dotsPerMeterX(), 11811);
        QVERIFY(std::abs(image.width() * 1000.0 / image.dotsPerMeterX() - 86) < 0.1);
        QCOMPARE(image.pixelColor(1, 1), QColor(Qt::white));
        exportFigure(plot_, file("dark.png"), true, {86, 60, 8, 150, true}, said());
        QVERIFY(QImage(path("dark.png")).pixelColor(1, 1).lightness() < 60);
    }

    void drawingsAreAsWideAsWasAskedFor() {
        exportFigure(plot_, file("wide.svg"), true, {86, 60, 13, 300, false}, said());
        const QString svg = QString::fromUtf8(bytesOf(path("wide.svg")));
        const auto width = QRegularExpression("<svg width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\"").match(svg);
        QVERIFY2(width.hasMatch(), qPrintable(svg.left(300)));
        QVERIFY(std::abs(width.captured(1).toDouble() - 86) < 0.1);
        QVERIFY(std::abs(width.captured(2).toDouble() - 60) < 0.1);
        QVERIFY(svg.contains("font-size=\"13\""));
        exportFigure(plot_, file("wide.pdf"), true, {86, 60, 8, 300, false}, said());
        const auto box = QRegularExpression("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]")
                             .match(QString::fromLatin1(bytesOf(path("wide.pdf"))));
        QVERIFY(box.hasMatch());
        QVERIFY(std::abs(box.captured(1).toDouble() / 72 * 25.4 - 86) < 0.3);
    }

    void filesSayWhatTheyShowAndWhereItWasComputed() {
        for (const char* leaf : {"said.png", "said.svg", "said.pdf"})
            exportFigure(plot_, file(leaf), true, {}, said());
        const QImage image(path("said.png"));
        QCOMPARE(image.text("Title"), QString("g2"));
        QCOMPARE(image.text("Runs"), QString("7, 8"));
        QCOMPARE(image.text("Variant"), QString("gram.tiled"));
        QCOMPARE(image.text("Device"), QString("NVIDIA H200"));
        QCOMPARE(image.text("Driver"), QString("580.95"));
        QCOMPARE(image.text("File"), QString("scan_012.h5"));
        QVERIFY(image.text("Software").startsWith("Kernelscope "));
        for (const char* leaf : {"said.svg", "said.pdf"}) {
            const QByteArray bytes = bytesOf(path(leaf));
            for (const char* word : {"NVIDIA H200", "580.95", "gram.tiled", "scan_012.h5", "Kernelscope"})
                QVERIFY2(bytes.contains(word), word);
        }
    }

    void theHeightFollowsTheWidthUntilItIsChosen() {
        ExportDialog dialog(plot_, {}, nullptr);
        auto* width = named<QDoubleSpinBox>(dialog, "Width");
        auto* height = named<QDoubleSpinBox>(dialog, "Height");
        QVERIFY(width && height);
        width->setValue(80);
        QVERIFY(std::abs(height->value() - 80.0 * 560 / 800) < 0.06);
        height->setValue(30);
        width->setValue(100);
        QCOMPARE(height->value(), 30.0);
        QCOMPARE(dialog.options().width, 100.0);
    }

    void theLastChoiceComesBack() {
        QSettings settings(path("kept.ini"), QSettings::IniFormat);
        {
            ExportDialog dialog(plot_, {"", said(), {}}, &settings);
            named<QDoubleSpinBox>(dialog, "Width")->setValue(86);
            named<QSpinBox>(dialog, "Font size")->setValue(7);
            named<QSpinBox>(dialog, "Resolution")->setValue(600);
            named<QComboBox>(dialog, "Look")->setCurrentIndex(1);
            named<QComboBox>(dialog, "Legend")->setCurrentIndex(1);
            named<QComboBox>(dialog, "Format")->setCurrentIndex(1);
            dialog.write(path("chosen.svg"));
            QCOMPARE(dialog.written(), path("chosen.svg"));
        }
        ExportDialog again(plot_, {}, &settings);
        QCOMPARE(again.format(), QString("svg"));
        QCOMPARE(again.options().width, 86.0);
        QCOMPARE(again.options().font, 7);
        QCOMPARE(again.options().dpi, 600);
        QVERIFY(again.options().dark);
        QVERIFY(!again.options().legend);
        QVERIFY(!named<QSpinBox>(again, "Resolution")->isEnabled());  // a drawing has none
    }

    void aFigureWithoutItsLegendHasMoreRoomForTheCurves() {
        CurvePlot plot;
        plot.setSeries({{"1", 1, "run 7", {1, 10, 100}, {1.4, 1.3, 1.25}, {0.01, 0.01, 0.02}},
                        {"2", 2, "run 7", {1, 10, 100}, {1.3, 1.2, 1.15}, {0.01, 0.01, 0.02}}});
        const auto frameEnds = [&](bool legend) {
            FigureOptions options{85, 60, 9, 200};
            options.legend = legend;
            const QImage image = drawnFigure(plot, options);
            // The frame of the axes is the longest dark column at the right.
            int right = 0;
            for (int x = image.width() / 2; x < image.width(); ++x) {
                int dark = 0;
                for (int y = 0; y < image.height(); ++y) dark += qGray(image.pixel(x, y)) < 200;
                if (dark > image.height() / 2) right = x;
            }
            return right;
        };
        QVERIFY2(frameEnds(false) > frameEnds(true), qPrintable(QString::number(frameEnds(true))));
        QVERIFY(plot.hasLegend());
        ExportDialog dialog(plot, {}, nullptr);
        QVERIFY(dialog.options().legend && named<QComboBox>(dialog, "Legend")->isEnabled());
        named<QComboBox>(dialog, "Format")->setCurrentIndex(3);
        QVERIFY(!named<QComboBox>(dialog, "Legend")->isEnabled());
    }

    void aPictureGoesToTheClipboard() {
        ExportDialog dialog(plot_, {"", said(), {}}, nullptr);
        named<QDoubleSpinBox>(dialog, "Width")->setValue(50.8);
        named<QSpinBox>(dialog, "Resolution")->setValue(100);
        dialog.copy();
        QCOMPARE(QGuiApplication::clipboard()->image().width(), 200);
        named<QComboBox>(dialog, "Format")->setCurrentIndex(3);
        dialog.copy();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("run,label,delay (s)"));
    }

    void aFileThatIsReadIsNotReplaced() {
        QFile data(path("data.csv"));
        QVERIFY(data.open(QIODevice::WriteOnly) && data.write("mine") == 4);
        data.close();
        ExportDialog dialog(plot_, {"", {}, {{"the open file", path("data.csv").toStdString()}}}, nullptr);
        named<QComboBox>(dialog, "Format")->setCurrentIndex(3);
        QVERIFY_EXCEPTION_THROWN(dialog.write(path("data.csv")), ks::Error);
        QCOMPARE(bytesOf(path("data.csv")), QByteArray("mine"));
    }

    void eachOfSeveralPlotsHasItsFile() {
        CurvePlot other;
        other.setXAxis("delay", "s");
        other.setSeries({{"2", 2, "run 8", {1, 10}, {2.5, 2.25}, {}}});
        FigureFile first{"a", said(), {}}, second{"b", {}, {}};
        second.text.title = "I(q)";
        ExportDialog dialog({{&plot_, first}, {&other, second}}, 1, nullptr);
        auto* plots = named<QComboBox>(dialog, "Plot");
        QCOMPARE(plots->currentText(), QString("I(q)"));
        QCOMPARE(dialog.proposal(), QString("b"));
        named<QComboBox>(dialog, "Format")->setCurrentIndex(3);
        dialog.write(path("two.csv"));
        QCOMPARE(bytesOf(path("two.csv")), QByteArray::fromStdString(other.csv()));
        plots->setCurrentIndex(0);
        QCOMPARE(dialog.proposal(), QString("a"));
        dialog.write(path("one.csv"));
        QCOMPARE(bytesOf(path("one.csv")), QByteArray::fromStdString(plot_.csv()));
    }

    void anEmptyPlotIsGreyedAndNotExported() {
        CurvePlot empty;
        empty.setEmptyText("Press Run (F5) to see the curves here");
        FigureFile first{"a", said(), {}}, second{"b", {}, {}};
        ExportDialog dialog({{&plot_, first}, {&empty, second}}, 0, nullptr);
        auto* plots = named<QComboBox>(dialog, "Plot");
        QVERIFY(plots->model()->flags(plots->model()->index(0, 0)).testFlag(Qt::ItemIsEnabled));
        QVERIFY(!plots->model()->flags(plots->model()->index(1, 0)).testFlag(Qt::ItemIsEnabled));
        QCOMPARE(plots->itemData(1, Qt::ToolTipRole).toString(), empty.whyEmpty());
        dialog.show();
        plots->setFocus();
        QTest::keyClick(plots, Qt::Key_Down);
        QCOMPARE(plots->currentIndex(), 0);
        // It may become empty or be opened from its own menu.
        ExportDialog other({{&plot_, first}, {&empty, second}}, 1, nullptr);
        for (const QPushButton* one : other.findChildren<QPushButton*>())
            if (one->text().contains("Save") || one->text().contains("Copy")) QVERIFY(!one->isEnabled());
        QVERIFY(std::ranges::any_of(other.findChildren<QLabel*>(), [&](const QLabel* one) {
            return !one->isHidden() && one->text() == empty.whyEmpty();
        }));
        empty.setSeries(plot_.series());
        QCOMPARE(empty.whyEmpty(), QString());
    }

    void thePreviewOfATableBeginsAtTheLeftAndCutsLongLines() {
        ExportDialog dialog(plot_, {}, nullptr);
        dialog.resize(700, 420);
        dialog.show();
        named<QComboBox>(dialog, "Format")->setCurrentIndex(3);
        auto* preview = named<QLabel>(dialog, "Preview");
        QVERIFY(preview->alignment().testFlag(Qt::AlignLeft) && preview->alignment().testFlag(Qt::AlignTop));
        QVERIFY(preview->text().startsWith("run,label,delay (s),"));
        CurvePlot wide;
        wide.setXAxis(QString(300, 'x'), "s");
        wide.setSeries(plot_.series());
        ExportDialog cut(wide, {}, nullptr);
        cut.resize(700, 420);
        cut.show();
        named<QComboBox>(cut, "Format")->setCurrentIndex(3);
        preview = named<QLabel>(cut, "Preview");
        const QString head = preview->text().section('\n', 0, 0);
        QVERIFY(head.startsWith("run,label,") && head.endsWith(QChar(0x2026)));
        QVERIFY(preview->fontMetrics().horizontalAdvance(head) <= preview->width());
        named<QComboBox>(cut, "Format")->setCurrentIndex(0);
        QVERIFY(preview->alignment().testFlag(Qt::AlignHCenter));
    }

    void allFieldsHaveNamesAndTakeTheFocus() {
        ExportDialog dialog(plot_, {}, nullptr);
        QList<QWidget*> fields;
        for (auto* one : dialog.findChildren<QAbstractSpinBox*>()) fields << one;
        for (auto* one : dialog.findChildren<QComboBox*>()) fields << one;
        QCOMPARE(fields.size(), 8);
        for (const QWidget* one : fields) {
            QVERIFY(!one->accessibleName().isEmpty());
            QVERIFY(one->focusPolicy() & Qt::TabFocus);
        }
        int standard = 0;
        for (const auto* one : dialog.findChildren<QPushButton*>()) standard += one->isDefault();
        QCOMPARE(standard, 1);
    }
};

}  // namespace export_dialog_test
}  // namespace ks::ui

using ks::ui::export_dialog_test::ExportDialogTest;
QTEST_MAIN(ExportDialogTest)
#include "tst_export_dialog.moc"
