#include "ui/devices/devices_page.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFont>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "core/base/json_text.h"
#include "core/devices/device_id.h"
#include "core/devices/devices_text.h"
#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "ui/base/form_parts.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/devices/ceiling_bars.h"
#include "ui/runs/device_titles.h"

namespace ks::ui::devices {
namespace {

/// Accepts rows of which a cell or the id contains the words; a group title is visible as long as one of its
/// rows is.
class FoundRows : public QSortFilterProxyModel {
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const auto& model = static_cast<const PropertyModel&>(*sourceModel());
        if (!model.isTitle(row)) return holds(row, parent);
        for (int next = row + 1; next < model.rowCount() && !model.isTitle(next); ++next)
            if (holds(next, parent)) return true;
        return false;
    }

  private:
    bool holds(int row, const QModelIndex& parent) const {
        const QRegularExpression words = filterRegularExpression();
        if (words.pattern().isEmpty()) return true;
        const QAbstractItemModel& model = *sourceModel();
        const QModelIndex first = model.index(row, 0, parent);
        if (first.data(PropertyModel::idRole).toString().contains(words)) return true;
        for (int column = 0; column < model.columnCount(); ++column)
            if (model.index(row, column, parent).data().toString().contains(words)) return true;
        return false;
    }
};

}  // namespace

void PropertyModel::setDevices(const std::vector<DeviceInfo>& devices,
                               const std::vector<std::vector<DeviceProperty>>& properties) {
    beginResetModel();
    devices_ = devices;
    rows_.clear();
    std::vector<std::string> groups;
    std::vector<Row> found;
    for (std::size_t device = 0; device < properties.size(); ++device)
        for (const DeviceProperty& one : properties[device]) {
            if (std::ranges::find(groups, one.group) == groups.end()) groups.push_back(one.group);
            auto row = std::ranges::find_if(
                found, [&](const Row& known) { return known.id == one.id && known.group == one.group; });
            if (row == found.end())
                row = found.insert(found.end(),
                                   {one.id, one.label, one.group, std::vector<QString>(devices.size())});
            row->values[device] = QString::fromStdString(value_text(one));
        }
    for (const std::string& group : groups) {
        rows_.push_back({{}, group, group, {}});
        for (Row& row : found)
            if (row.group == group) rows_.push_back(std::move(row));
    }
    endResetModel();
}

int PropertyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int PropertyModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(devices_.size()) + 1;
}

QVariant PropertyModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == idRole) return QString::fromStdString(row.id);
    if (role == groupRole) return QString::fromStdString(row.group);
    const bool title = row.id.empty();
    if (role == Qt::FontRole && title) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (index.column() == 0) {
        if (role == Qt::DisplayRole) return QString::fromStdString(row.label);
        if (role == Qt::ToolTipRole && !title) return QString::fromStdString(row.id);
        return {};
    }
    if (title || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    const QString& value = row.values[static_cast<std::size_t>(index.column() - 1)];
    if (role == Qt::ToolTipRole) return value.size() > 40 ? value : QString();
    return value.isEmpty() ? QStringLiteral("\u2013") : value;
}

QVariant PropertyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (section == 0) return role == Qt::DisplayRole ? tr("Property") : QVariant();
    const DeviceInfo& device = devices_[static_cast<std::size_t>(section - 1)];
    if (role == Qt::DisplayRole) return QString::fromStdString(DeviceId(device).text() + ": " + device.name);
    return role == Qt::ToolTipRole ? QString::fromStdString(device.title()) : QVariant();
}

Qt::ItemFlags PropertyModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return isTitle(index.row()) ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<DevicesPage>(context);
}

DevicesPage::DevicesPage(PageContext& context)
    : desk_(context.desk),
      model_(new PropertyModel(this)),
      rows_(new FoundRows(this)),
      table_(named(new QTableView, tr("Properties of the devices"))),
      search_(named(new QLineEdit, tr("Search in properties"),
                    tr("Show only properties whose name or value contains these words"))),
      measured_(named(new QComboBox, tr("Device to measure"), tr("Device whose ceilings are measured"))),
      measure_(new QToolButton),
      bars_(new CeilingBars) {
    setBody(makeTable(), {{tr("Ceilings"), makeCeilings(), false, tr("Peak rates measured on the device")}},
            1.2);
    connect(desk_.get(), &Desk::catalogueChanged, this, &DevicesPage::showDevices);
    connect(desk_.get(), &Desk::ceilingsChanged, this, &DevicesPage::showCeilings);
    connect(desk_.get(), &Desk::measurableChanged, this, &DevicesPage::showMeasurable);
    showDevices();
    showCeilings();
}

DevicesPage::~DevicesPage() {
    disconnectParts();
}

QWidget* DevicesPage::makeTable() {
    rows_->setSourceModel(model_);
    rows_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table_->setModel(rows_);
    table_->setWhatsThis(
        tr("Properties that platforms and devices report. The tool tip of a property is its OpenCL name."));
    setTourWords({tr("The devices"), table_->whatsThis()});
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
    table_->setWordWrap(false);
    table_->setAlternatingRowColors(true);
    table_->setShowGrid(false);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->horizontalHeader()->setMinimumSectionSize(80);
    table_->setFrameShape(QFrame::NoFrame);
    auto* copy = new QAction(tr("&Copy"), table_);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(selectedText()); });
    table_->addAction(copy);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    search_->setPlaceholderText(tr("Search: image, local, fp64 ..."));
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, rows_, [this](const QString& words) {
        rows_->setFilterFixedString(words.trimmed());
        fitTable();
    });
    auto* save = new QToolButton;
    save->setText(tr("Export..."));
    save->setToolTip(tr("Export all properties of all devices as JSON or text"));
    connect(save, &QToolButton::clicked, this, &DevicesPage::askExport);
    return boxed(inRows({inColumns({{search_, 1}, save}, {}, {8, 4, 8, 4}), {table_, 1}}, 0));
}

QWidget* DevicesPage::makeCeilings() {
    measured_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    measured_->setMinimumContentsLength(16);
    measure_->setText(tr("Measure"));
    measure_->setToolTip(tr("Measure the peak rates of this device; the results are kept"));
    connect(measure_, &QToolButton::clicked, this, [this] {
        if (measured_->currentIndex() < 0) return;
        const auto position = static_cast<std::size_t>(measured_->currentData().toInt());
        const DeviceInfo device = desk_->catalogue().devices[position];
        bars_->setMeasuring(QString::fromStdString(device.name));
        desk_->measureCeilings(device);
    });
    return boxed(inRows(
        {inColumns({{measured_, 1}, measure_}, {}, {8, 4, 8, 4}), {scrolled(bars_, tr("Ceilings")), 1}}, 0));
}

void DevicesPage::showDevices() {
    const std::vector<DeviceInfo>& devices = desk_->catalogue().devices;
    model_->setDevices(devices, desk_->catalogue().properties);
    measured_->clear();
    const QStringList titles = deviceTitles(devices);
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (!DeviceId(devices[i]).is_host())
            measured_->addItem(titles[static_cast<qsizetype>(i)], static_cast<int>(i));
    fitTable();
    showMeasurable();
}

void DevicesPage::fitTable() {
    QHeaderView& header = *table_->horizontalHeader();
    // The devices share the width equally; longer text is shown in a tool tip.
    for (int column = 0; column < model_->columnCount(); ++column)
        header.setSectionResizeMode(column,
                                    column == 0 ? QHeaderView::ResizeToContents : QHeaderView::Stretch);
    table_->clearSpans();
    for (int row = 0; row < rows_->rowCount(); ++row)
        if (model_->isTitle(rows_->mapToSource(rows_->index(row, 0)).row()) && model_->columnCount() > 1)
            table_->setSpan(row, 0, 1, model_->columnCount());
}

void DevicesPage::showCeilings() {
    // Of devices that are available, in their order.
    std::vector<Ceilings> here;
    for (const DeviceInfo& device : desk_->catalogue().devices)
        if (const Ceilings* known = find_ceilings(desk_->catalogue().ceilings, device))
            here.push_back(*known);
    bars_->setCeilings(std::move(here));
}

void DevicesPage::showMeasurable() {
    measure_->setEnabled(desk_->measurable() && measured_->count() > 0);
    if (desk_->measurable()) bars_->setMeasuring({});
}

int DevicesPage::found() const {
    int count = 0;
    for (int row = 0; row < rows_->rowCount(); ++row)
        if (!model_->isTitle(rows_->mapToSource(rows_->index(row, 0)).row())) ++count;
    return count;
}

QString DevicesPage::selectedText() const {
    QStringList lines;
    for (int row = 0; row < rows_->rowCount(); ++row) {
        QStringList cells;
        for (int column = 1; column < rows_->columnCount(); ++column)
            if (const QModelIndex at = rows_->index(row, column);
                table_->selectionModel()->isSelected(at) ||
                table_->selectionModel()->isSelected(rows_->index(row, 0)))
                cells << at.data().toString();
        if (!cells.isEmpty()) lines << rows_->index(row, 0).data().toString() + '\t' + cells.join('\t');
    }
    return lines.join('\n');
}

void DevicesPage::exportTo(const QString& path, bool overwrite) const {
    const std::vector<DeviceInfo>& devices = desk_->catalogue().devices;
    const std::vector<std::vector<DeviceProperty>>& said = desk_->catalogue().properties;
    std::string content;
    if (path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)) {
        nlohmann::json list = nlohmann::json::array();
        for (std::size_t i = 0; i < devices.size(); ++i) list.push_back(device_json(devices[i], said[i]));
        content = dump_json(list, 2) + "\n";
    } else {
        content = devices_text(devices, said);
    }
    io::write_text(path.toStdString(), content, overwrite);
}

void DevicesPage::askExport() {
    const QString path = askSavePath(this, tr("Export devices"), QStringLiteral("devices.json"),
                                     tr("JSON (*.json);;Text (*.txt)"));
    if (path.isEmpty()) return;
    try {
        io::require_not_read("exporting", path.toStdString(), filesRead(this));
        exportTo(path, true);  // the dialog has asked
        reportSaveSucceeded(this);
        reportSaved(this, tr("Saved %1").arg(path));
    } catch (const Error& error) {
        reportSaveFailed(this, error);
        emit failed(error);
    }
}

std::vector<NamedPlot> DevicesPage::plots() const {
    return {{tr("Ceilings"), bars_, {}}};
}

std::vector<PicturePlace> DevicesPage::pictures() const {
    const QRectF all(table_->rect());
    return {placeIn(*this, *table_, {all, all})};
}

std::optional<PageState> DevicesPage::state(Scope scope) const {
    if (scope != Scope::settings) return std::nullopt;
    return PageState{{{"search", search_->text().toStdString()}}, {}};
}

void DevicesPage::setState(const PageState& state, Scope scope) {
    if (scope == Scope::settings) search_->setText(jsonText(state.values, "search"));
}

}  // namespace ks::ui::devices
