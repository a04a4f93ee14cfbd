#include "ui/tune/kept_panel.h"

#include <QAction>
#include <QDateTime>
#include <QFileInfo>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <cstdint>
#include <utility>

#include "core/base/cache_folder.h"
#include "ui/base/layouts.h"
#include "ui/files/nearest_folder.h"
#include "ui/tune/configurations.h"

namespace ks::ui::tune {
namespace {

constexpr int settleMs = 200;  ///< a file is written in several steps

QString tableFile() {
    return QString::fromStdString(UserTuning(data_folder()).file().string());
}

}  // namespace

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
        {QT_TR_NOOP("Speed-up"), QT_TR_NOOP("Time with the default values divided by the time with these "
                                            "values, as measured when these values were found")},
        {QT_TR_NOOP("Device"),
         QT_TR_NOOP("The device that the values are for, with its driver when the values were found")},
        {QT_TR_NOOP("Found"), QT_TR_NOOP("When the values were found")},
        {QT_TR_NOOP("For"), QT_TR_NOOP("Kind and sizes of the problems that the values are for")}};
    if (role == Qt::DisplayRole) return tr(columns[section].name);
    if (role == Qt::ToolTipRole) return tr(columns[section].tip);
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

KeptPanel::KeptPanel(Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      model_(new KeptModel(this)),
      table_(named(new QTableView, tr("Kept values"))),
      message_(named(new QLabel, tr("Contents of the table"))),
      forget_(new QToolButton),
      forgetAll_(new QToolButton) {
    build();
    settle_.setSingleShot(true);
    settle_.setInterval(settleMs);
    connect(&settle_, &QTimer::timeout, this, &KeptPanel::look);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, qOverload<>(&QTimer::start));
    connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
    connect(forget_, &QToolButton::clicked, this, &KeptPanel::forgetSelected);
    connect(forgetAll_, &QToolButton::clicked, this, &KeptPanel::forgetAll);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &KeptPanel::showButtons);
    auto* erase = new QAction(tr("Forget"), table_);
    erase->setShortcut(QKeySequence::Delete);
    erase->setShortcutContext(Qt::WidgetShortcut);
    connect(erase, &QAction::triggered, this, &KeptPanel::forgetSelected);
    table_->addAction(erase);
    showTable({});
}

KeptPanel::Written KeptPanel::writtenNow() {
    const QFileInfo file(tableFile());
    if (!file.exists()) return std::nullopt;
    return std::pair(file.lastModified(), file.size());
}

// The file is replaced when it is written: its folder is watched as well.
void KeptPanel::watch() {
    const QString file = tableFile();
    if (file.isEmpty()) return;
    const QString folder = QFileInfo(file).path();
    QStringList paths{QFileInfo(folder).isDir() ? folder : nearestFolder(folder)};
    if (QFileInfo::exists(file)) paths << file;
    const QStringList before = watcher_.files() + watcher_.directories();
    for (const QString& one : before)
        if (!paths.contains(one)) watcher_.removePath(one);
    for (const QString& one : paths)
        if (!before.contains(one)) watcher_.addPath(one);
}

void KeptPanel::look() {
    watch();
    if (writtenNow() != written_) work(nullptr);
}

void KeptPanel::build() {
    table_->setModel(model_);
    table_->setWhatsThis(
        tr("Values that were found to be faster, with the problems and the device that they are for. Press "
           "\"Forget\" to remove the selected rows."));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setAlternatingRowColors(true);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
    table_->horizontalHeader()->setStretchLastSection(true);
    message_->setWordWrap(true);
    message_->setContentsMargins(0, 0, 8, 0);
    forget_->setText(tr("Forget"));
    forget_->setToolTip(tr("Remove the selected rows (Delete); runs then use the built-in values again"));
    forgetAll_->setText(tr("Forget all"));
    forgetAll_->setToolTip(tr("Remove all rows of the table"));
    setLayout(inRows({inColumns({{message_, 1}, forget_, forgetAll_}, {}, {8, 4, 8, 4}), {table_, 1}}, 0));
}

void KeptPanel::work(const std::function<void(UserTuning&)>& change) {
    // Unique subjects, so that no change makes another one stale.
    const QString subject =
        change ? QStringLiteral("change %1 of kept values").arg(++changes_) : QStringLiteral("kept values");
    jobs_.start(
        Jobs::Lane::files, this, subject,
        [change] {
            UserTuning table(data_folder());
            if (change) change(table);
            const Written written = writtenNow();
            return Table{table.rows(), QString::fromStdString(table.why_not_read()), written};
        },
        [this](const Table& table) { showTable(table); }, [this](const Error& error) { emit failed(error); });
}

void KeptPanel::refresh() {
    watch();
    work(nullptr);
}

void KeptPanel::keep(const TunedRow& row) {
    work([row](UserTuning& table) { table.keep(row); });
}

void KeptPanel::forgetSelected() {
    std::vector<TunedRow> chosen;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        chosen.push_back(model_->rows()[static_cast<std::size_t>(index.row())]);
    if (chosen.empty()) return;
    work([chosen](UserTuning& table) {
        for (const TunedRow& row : chosen) table.forget(row);
    });
}

void KeptPanel::forgetAll() {
    work([](UserTuning& table) { table.forget({}, {}); });
}

void KeptPanel::showTable(Table table) {
    const bool damaged = !table.whyNotRead.isEmpty();
    written_ = table.written;
    model_->setRows(std::move(table.rows));
    table_->resizeColumnsToContents();
    message_->setText(
        damaged ? tr("%1; press \"Forget all\" to remove the damaged table").arg(table.whyNotRead)
        : model_->rows().empty()
            ? tr("No values are kept. After a tuning, press \"Keep\" to store its best values here; they "
                 "must be significantly faster than the default")
            : tr("Runs with a matching problem and device use these values instead of the built-in ones"));
    showButtons();
    forgetAll_->setEnabled(damaged || !model_->rows().empty());
    emit changed();
}

void KeptPanel::showButtons() {
    forget_->setEnabled(table_->selectionModel()->hasSelection());
}

QString KeptPanel::message() const {
    return message_->text();
}

}  // namespace ks::ui::tune
