#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>

#include "ui/base/appearance.h"
#include "ui/base/palette.h"

namespace ks::ui::appearance_test {

/// Contrast of two colours by WCAG 2: 1 (the same) to 21.
double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto part = [](double x) {
            return x <= 0.03928 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) + 0.0722 * part(colour.blueF());
    };
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// The largest contrast of any pixel of a widget with the window around it.
double drawn(QWidget& widget, const QSize& size) {
    widget.resize(size);
    const QImage image = widget.grab().toImage();
    const QColor ground = widget.palette().color(QPalette::Window);
    double largest = 1;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            largest = std::max(largest, contrast(image.pixelColor(x, y), ground));
    return largest;
}

class AppearanceTest : public QObject {
    Q_OBJECT
  private slots:
    void cleanup() { applyAppearance(*qApp, Appearance::light); }

    void itChangesWhileTheProgramRuns() {
        QWidget widget;
        widget.show();
        for (const Appearance one : {Appearance::dark, Appearance::light, Appearance::dark}) {
            applyAppearance(*qApp, one);
            QVERIFY(appearance() == one);
            QTRY_COMPARE(isDark(widget.palette()), one == Appearance::dark);
        }
        applyAppearance(*qApp, Appearance::desktop);
        QVERIFY(appearance() == Appearance::desktop);
        QTRY_VERIFY(!isDark(widget.palette()));  // of the offscreen platform
    }

    void namesOfTheSettingAreReadBack() {
        for (const Appearance one : {Appearance::desktop, Appearance::light, Appearance::dark})
            QVERIFY(appearanceFrom(nameOf(one)) == one);
        QVERIFY(appearanceFrom("mauve") == Appearance::desktop);
    }

    void whatCanBeTickedIsSeenOnDarkAndLight_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void whatCanBeTickedIsSeenOnDarkAndLight() {
        QFETCH(bool, dark);
        applyAppearance(*qApp, dark ? Appearance::dark : Appearance::light);
        // Non-text parts of controls want a contrast of 3 (WCAG 2, 1.4.11); Fusion's light lines have less.
        const double least = dark ? 3 : 1.4;
        QCheckBox box;
        QVERIFY2(drawn(box, {20, 20}) >= least, qPrintable(QString::number(drawn(box, {20, 20}))));
        QRadioButton radio;
        QVERIFY2(drawn(radio, {20, 20}) >= least, qPrintable(QString::number(drawn(radio, {20, 20}))));
        QSlider slider(Qt::Horizontal);
        QVERIFY2(drawn(slider, {120, 20}) >= least, qPrintable(QString::number(drawn(slider, {120, 20}))));
    }

    void whatHasTheFocusOfTheKeyboardIsSeen_data() { whatCanBeTickedIsSeenOnDarkAndLight_data(); }
    void whatHasTheFocusOfTheKeyboardIsSeen() {
        QFETCH(bool, dark);
        applyAppearance(*qApp, dark ? Appearance::dark : Appearance::light);
        QWidget window;
        auto *tool = new QToolButton, *open = new QToolButton;
        auto* push = new QPushButton(QStringLiteral("Pick"));
        auto* box = new QCheckBox(QStringLiteral("log x"));
        tool->setText(QStringLiteral("Run"));
        open->setText(QStringLiteral("Open"));
        for (QToolButton* one : {tool, open}) {
            one->setAutoRaise(true);
            one->setFocusPolicy(Qt::StrongFocus);
        }
        auto* line = new QHBoxLayout(&window);
        for (QWidget* one : std::initializer_list<QWidget*>{tool, open, push, box}) line->addWidget(one);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        tool->setFocus();
        QTest::keyClick(tool, Qt::Key_Tab);
        for (QWidget* one : std::initializer_list<QWidget*>{open, push, box}) {
            QVERIFY(one->hasFocus());
            const QImage with = one->grab().toImage();
            QTest::keyClick(one, Qt::Key_Tab);
            const QImage without = one->grab().toImage();
            int seen = 0;
            for (int y = 0; y < with.height(); ++y)
                for (int x = 0; x < with.width(); ++x)
                    seen += contrast(with.pixelColor(x, y), without.pixelColor(x, y)) >= 3 ? 1 : 0;
            QVERIFY2(seen >= 2 * (with.height() - 8),
                     qPrintable(QStringLiteral("%1: %2").arg(one->metaObject()->className()).arg(seen)));
        }
    }

    void theFrameOfTheFieldWithTheFocusIsSeen_data() { whatCanBeTickedIsSeenOnDarkAndLight_data(); }
    void theFrameOfTheFieldWithTheFocusIsSeen() {
        QFETCH(bool, dark);
        applyAppearance(*qApp, dark ? Appearance::dark : Appearance::light);
        QWidget window;
        auto* number = new QSpinBox;
        auto* text = new QLineEdit;
        auto* choice = new QComboBox;
        choice->setEditable(true);
        auto* line = new QHBoxLayout(&window);
        for (QWidget* one : std::initializer_list<QWidget*>{number, text, choice}) line->addWidget(one);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QWidget* one : std::initializer_list<QWidget*>{number, text, choice}) {
            one->setFocus();
            QVERIFY(one->hasFocus());
            const QImage image = one->grab().toImage();
            double seen = 1;  // at the left edge, halfway down
            for (int x = 0; x < 3; ++x)
                seen = std::max(seen, contrast(image.pixelColor(x, image.height() / 2),
                                               one->palette().color(QPalette::Base)));
            QVERIFY2(
                seen >= 3,
                qPrintable(
                    QStringLiteral("%1: %2").arg(QLatin1String(one->metaObject()->className())).arg(seen)));
        }
    }

    void disabledTextCanBeRead() {
        for (const Appearance one : {Appearance::light, Appearance::dark}) {
            applyAppearance(*qApp, one);
            const QPalette palette = QApplication::palette();
            for (const auto& [text, ground] : {std::pair{QPalette::WindowText, QPalette::Window},
                                               {QPalette::Text, QPalette::Base},
                                               {QPalette::ButtonText, QPalette::Button}}) {
                const double seen = contrast(palette.color(QPalette::Disabled, text),
                                             palette.color(QPalette::Disabled, ground));
                QVERIFY2(seen >= 3, qPrintable(QString::number(seen)));
            }
        }
    }
};

}  // namespace ks::ui::appearance_test

using ks::ui::appearance_test::AppearanceTest;
QTEST_MAIN(AppearanceTest)
#include "tst_appearance.moc"
