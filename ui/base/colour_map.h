#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <QRgb>
#include <QString>
#include <QStringList>

namespace ks::ui {

/// 256 colours from low to high.
class ColourMap {
  public:
    ColourMap() : ColourMap(named(QStringLiteral("viridis"))) {}
    /// "viridis", "inferno", "cividis", "grey", and each with " reversed".
    static QStringList names();
    /// Throws ks::Error(input) for an unknown name.
    static ColourMap named(const QString& name);
    /// For angles: the same colour at both ends.
    static ColourMap cyclic();
    /// For values of both signs: blue, white in the middle, red.
    static ColourMap diverging();

    const QString& name() const { return name_; }
    const std::array<QRgb, 256>& table() const { return table_; }
    /// @param position 0 to 1, clamped
    QRgb at(double position) const;
    /// Colour of pixels that hold no valid value; it is not in the table.
    QRgb invalid() const { return invalid_; }

  private:
    ColourMap(QString name, std::span<const QRgb> points, QRgb invalid, bool reversed);

    QString name_;
    std::array<QRgb, 256> table_{};
    QRgb invalid_ = 0;
};

/// arcsinh: asinh((v - low) / softening), linear near the lower limit and logarithmic far above it. Unlike
/// log it shows zero and negative values, too.
enum class ScaleKind { linear, log, sqrt, arcsinh };

/// The smallest and the largest value of a picture where they are beyond the limits of its scale. Such values
/// have the colours of the limits.
struct BeyondLimits {
    std::optional<double> below, above;
    /// A sentence with the values; empty: there are none.
    QString text() const;
    bool operator==(const BeyondLimits&) const = default;
};

/// Value -> position on the colour map.
struct ColourScale {
    ScaleKind kind = ScaleKind::linear;
    double low = 0;
    double high = 1;
    bool automatic = true;  ///< limits follow each frame
    double percentile =
        99.5;            ///< of the valid pixels, for the upper limit; 100 - percentile for the lower one
    bool whole = false;  ///< of numbers of things: there are no ticks between whole numbers

    /// The range in units of the softening: weak structure is linear up to a hundredth of the range.
    static constexpr double softParts = 100;

    /// 0 at low, 1 at high, clamped; NaN stays NaN. On the log scale, values <= 0 and a lower limit <= 0
    /// count as the smallest sensible value; see logFloor().
    double position(double value) const;
    /// Inverse of position on [0, 1].
    double value(double position) const;
    /// Effective lower limit on the log scale: low where positive, otherwise half a count, or high / 1000
    /// where the values are small.
    double logFloor() const;
    /// Distance above low at which the arcsinh scale changes from linear to logarithmic.
    double softening() const { return (high - low) / softParts; }
    /// @param smallest of all values; NaN: there are none
    BeyondLimits beyond(double smallest, double largest) const;
    /// The same scale with limits taken from the values (NaN ignored) if `automatic`; always low < high.
    ColourScale fitted(std::vector<double> values) const;
    /// Positions and texts of readable ticks, no more than `most`.
    std::vector<std::pair<double, QString>> ticks(int maximum) const;

    bool operator==(const ColourScale&) const = default;
};

}  // namespace ks::ui
