#include "ui/tune/kept_model.h"

#include <QDateTime>
#include <cstdint>
#include <utility>

#include "ui/tune/configurations.h"

namespace ks::ui::tune {

QString problemsText(const TunedFor& of) {
    QString text = QString::fromStdString(of.kind).replace(QLatin1Char(' '), QStringLiteral(", "));
    if (of.size_class) {
        if (!text.isEmpty()) text += QStringLiteral(", ");
        const std::uint64_t first = std::uint64_t{1} << (2 * *of.size_class);
        text += KeptModel::tr("size %1 to %2").arg(first).arg(4 * first - 1);
    }
    return text;
}

void KeptModel::setRows(std::vector<TunedRow> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int KeptModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int KeptModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString KeptModel::text(const TunedRow& row, int column) {
    switch (column) {
        case VariantColumn:
            return QString::fromStdString(row.of.analysis + " / " + row.of.variant);
        case ValuesColumn:
            return definesText(row.defines);
        case SpeedUpColumn:
            return QString::number(row.speed_up, 'f', 2) + QStringLiteral(" \u00d7");
        case ForColumn: {
            const QString problems = problemsText(row.of);
            return problems.isEmpty() ? tr("all problems") : problems;
        }
        case DeviceColumn:
            return QString::fromStdString(row.device);
        default:
            break;
    }
    const QDateTime found =
        QDateTime::fromString(QString::fromStdString(row.found), Qt::ISODate).toLocalTime();
    return found.isValid() ? found.toString(QStringLiteral("yyyy-MM-dd HH:mm"))
                           : QString::fromStdString(row.found);
}

QVariant KeptModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const TunedRow& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return text(row, index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant((index.column() == SpeedUpColumn ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    if (role != Qt::ToolTipRole) return {};
    return tr("%1 with %2, on %3, driver %4\nfor %5")
        .arg(text(row, VariantColumn), text(row, ValuesColumn))
        .arg(text(row, DeviceColumn), QString::fromStdString(row.driver), text(row, ForColumn));
}

QVariant KeptModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    static const struct {
        const char *name, *tip;
    } columns[ColumnCount] = {
        {QT_TR_NOOP("Variant"), QT_TR_NOOP("Analysis and variant whose runs use the values")},
        {QT_TR_NOOP("Values"), QT_TR_NOOP("Values used instead of the built-in ones")},
        {QT_TR_NOOP("Speed-up"),
         QT_TR_NOOP("Time with the default values divided by the time with these values, as measured when "
                    "they were found")},
        {QT_TR_NOOP("Device"),
         QT_TR_NOOP("The device that the values are for, with its driver at that time")},
        {QT_TR_NOOP("Found"), QT_TR_NOOP("When the values were found")},
        {QT_TR_NOOP("For"), QT_TR_NOOP("Kind and sizes of the problems that the values are for")}};
    if (role == Qt::DisplayRole) return tr(columns[section].name);
    if (role == Qt::ToolTipRole) return tr(columns[section].tip);
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

}  // namespace ks::ui::tune
