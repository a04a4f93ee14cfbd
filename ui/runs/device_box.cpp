#include "ui/runs/device_box.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "core/devices/device_id.h"
#include "core/devices/device_list.h"
#include "ui/runs/device_titles.h"

namespace ks::ui {
namespace {

/// Of the entry that opens the dialog; no request names it.
const char* const askForTicks = "?";

/// "0 + 1 + 2: 2 \u00d7 NVIDIA H200, pthread": the indices tell which they are when the window is opened
/// again.
QString titleOf(const std::vector<DeviceInfo>& devices) {
    QStringList indices, names, parts;
    for (const DeviceInfo& device : devices) {
        indices << QString::number(device.index);
        names << QString::fromStdString(device.name);
    }
    for (const QString& name : names) {
        const qsizetype times = names.count(name);
        parts << (times == 1 ? name : QStringLiteral("%1 \u00d7 %2").arg(times).arg(name));
    }
    parts.removeDuplicates();
    return QStringLiteral("%1: %2").arg(indices.join(QStringLiteral(" + ")),
                                        parts.join(QStringLiteral(", ")));
}

/// What names all GPUs or all devices in a request, of a title that may count more or fewer than are here;
/// else empty.
QString allLike(const QString& title) {
    static const QRegularExpression gpus(
        QRegularExpression::anchoredPattern(DeviceBox::tr("All %1 GPUs").arg(QStringLiteral("[0-9]+")))),
        devices(QRegularExpression::anchoredPattern(
            DeviceBox::tr("All %1 devices").arg(QStringLiteral("[0-9]+"))));
    if (gpus.match(title).hasMatch()) return QStringLiteral("gpu");
    return devices.match(title).hasMatch() ? QStringLiteral("all") : QString();
}

/// As wide as its texts, and as high as its rows where they are few.
void fitToRows(QListWidget& list) {
    constexpr int mostRows = 12;
    list.setTextElideMode(Qt::ElideNone);
    list.setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    list.setSpacing(1);
    const int frame = 2 * list.frameWidth(), row = list.sizeHintForRow(0) + 2 * list.spacing();
    list.setMinimumWidth(std::min(list.sizeHintForColumn(0) + 2 * list.spacing() + frame + 8, 900));
    list.setFixedHeight(row * std::clamp(list.count(), 2, mostRows) + frame + 4);
}

}  // namespace

DeviceBox::DeviceBox(QWidget* parent) : QComboBox(parent) {
    connect(this, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index >= 0 && itemData(index).toString() == QLatin1String(askForTicks)) {
            chooseSeveral();
            return;
        }
        before_ = index;
    });
}

void DeviceBox::add(const QString& text, const std::string& requested) {
    // The host stays the last one.
    const bool beforeHost = count() > 0 && itemData(count() - 1).toString() == QLatin1String("host");
    const int at = beforeHost ? count() - 1 : count();
    insertItem(at, text, QString::fromStdString(requested));
    setItemData(at, text, Qt::ToolTipRole);
}

void DeviceBox::setDevices(const std::vector<DeviceInfo>& devices, const QString& title) {
    const QSignalBlocker quiet(this);
    devices_ = devices;
    clear();
    const QStringList titles = deviceTitles(devices_);
    for (std::size_t i = 0; i < devices_.size(); ++i)
        add(titles[static_cast<qsizetype>(i)], DeviceId(devices_[i]).text());
    const auto gpus = std::ranges::count(devices_, std::string("GPU"), &DeviceInfo::type),
               onOpenCl = static_cast<std::ptrdiff_t>(devices_.size()) -
                          std::ranges::count(devices_, std::string("host"), &DeviceInfo::type);
    if (gpus > 1) add(tr("All %1 GPUs").arg(gpus), "gpu");
    if (onOpenCl > 1 && onOpenCl > gpus) add(tr("All %1 devices").arg(onOpenCl), "all");
    if (onOpenCl > 1) add(tr("Several devices\u2026"), askForTicks);
    setEnabled(count() > 0);
    if (!choose(title) && !devices_.empty())
        setCurrentIndex(placeOf(DeviceId(choose_device(devices_, {})).text()));
    before_ = currentIndex();
}

int DeviceBox::placeOf(const std::string& requested) const {
    return findData(QString::fromStdString(requested));
}

bool DeviceBox::choose(const QString& title) {
    int index = findText(title);
    if (index < 0) {
        static const QRegularExpression several(QStringLiteral("^([0-9]+(?: \\+ [0-9]+)+): "));
        const QRegularExpressionMatch match = several.match(title);
        QString list = match.captured(1);
        if (match.hasMatch())
            index =
                findText(addSeveral(list.replace(QStringLiteral(" + "), QStringLiteral(",")).toStdString()));
        else if (const QString all = allLike(title); !all.isEmpty())
            index = placeOf(all.toStdString());
        else if (const auto at = deviceOfTitle(devices_, title))
            index = placeOf(DeviceId(devices_[*at]).text());
    }
    if (index < 0 || itemData(index).toString() == QLatin1String(askForTicks)) return false;
    setCurrentIndex(index);
    return true;
}

QString DeviceBox::addSeveral(const std::string& requested) {
    try {
        const QString title = titleOf(choose_devices(devices_, requested));
        if (findText(title) < 0) {
            const QSignalBlocker quiet(this);
            add(title, requested);
        }
        return title;
    } catch (const Error&) {
        return {};  // they are not there any more
    }
}

std::string DeviceBox::requested() const {
    return currentData().toString().toStdString();
}

std::vector<std::size_t> DeviceBox::positions() const {
    std::vector<std::size_t> places;
    if (currentIndex() < 0 || devices_.empty() || requested() == askForTicks) return places;
    for (const DeviceInfo& one : choose_devices(devices_, requested()))
        places.push_back(static_cast<std::size_t>(std::ranges::find_if(devices_,
                                                                       [&one](const DeviceInfo& other) {
                                                                           return other.index == one.index &&
                                                                                  other.backend ==
                                                                                      one.backend;
                                                                       }) -
                                                  devices_.begin()));
    return places;
}

void DeviceBox::chooseSeveral() {
    {
        const QSignalBlocker quiet(this);
        setCurrentIndex(before_);
    }
    QDialog dialog(this);
    dialog.setWindowTitle(tr("Devices that share a run"));
    auto* const layout = new QVBoxLayout(&dialog);
    auto* const said =
        new QLabel(tr("A run is cut into pieces. Each ticked device takes the next piece as soon as it has "
                      "finished the previous one, so faster devices process more pieces."));
    said->setWordWrap(true);
    layout->addWidget(said);
    auto* const list = new QListWidget;
    list->setAccessibleName(tr("Devices"));
    const std::vector<std::size_t> now = positions();
    const QStringList titles = deviceTitles(devices_);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        if (devices_[i].type == "host") continue;
        auto* const item = new QListWidgetItem(titles[static_cast<qsizetype>(i)], list);
        item->setData(Qt::UserRole, QString::fromStdString(DeviceId(devices_[i]).text()));
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(std::ranges::find(now, i) != now.end() ? Qt::Checked : Qt::Unchecked);
    }
    fitToRows(*list);
    layout->addWidget(list);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    layout->addWidget(buttons);
    const auto ticked = [list] {
        QStringList names;
        for (int i = 0; i < list->count(); ++i)
            if (list->item(i)->checkState() == Qt::Checked)
                names << list->item(i)->data(Qt::UserRole).toString();
        return names;
    };
    const auto allow = [&] { buttons->button(QDialogButtonBox::Ok)->setEnabled(!ticked().isEmpty()); };
    connect(list, &QListWidget::itemChanged, &dialog, allow);
    allow();
    connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    if (dialog.exec() != QDialog::Accepted) return;
    const std::string chosen = ticked().join(',').toStdString();
    if (!names_several(chosen))
        setCurrentIndex(placeOf(chosen));
    else
        choose(addSeveral(chosen));
}

}  // namespace ks::ui
