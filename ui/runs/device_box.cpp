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
#include "core/devices/device_list.h"

namespace ks::ui {
namespace {

/// Of the entry that opens the dialog; no request names it.
const char* const askForTicks = "?";

std::string nameInRequest(const DeviceInfo& device) {
    return device.type == "host" ? "host" : std::to_string(device.index);
}

/// "0 + 2: NVIDIA H200, pthread": the indices tell which they are when the window is opened again.
QString titleOf(const std::vector<DeviceInfo>& devices) {
    QStringList indices, names;
    for (const DeviceInfo& device : devices) indices << QString::number(device.index);
    for (const std::string& label : labels_of(devices)) names << QString::fromStdString(label);
    return QStringLiteral("%1: %2").arg(indices.join(QStringLiteral(" + ")),
                                        names.join(QStringLiteral(", ")));
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
    for (const DeviceInfo& device : devices_)
        add(QString::fromStdString(device.title()), nameInRequest(device));
    const auto gpus = std::ranges::count(devices_, std::string("GPU"), &DeviceInfo::type),
               onOpenCl = static_cast<std::ptrdiff_t>(devices_.size()) -
                          std::ranges::count(devices_, std::string("host"), &DeviceInfo::type);
    if (gpus > 1) add(tr("All %1 GPUs").arg(gpus), "gpu");
    if (onOpenCl > 1 && onOpenCl > gpus) add(tr("All %1 devices").arg(onOpenCl), "all");
    if (onOpenCl > 1) add(tr("Several devices\u2026"), askForTicks);
    setEnabled(count() > 0);
    if (!choose(title) && !devices_.empty())
        setCurrentIndex(placeOf(nameInRequest(choose_device(devices_, {}))));
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
        if (!match.hasMatch()) return false;
        QString list = match.captured(1);
        index = findText(addSeveral(list.replace(QStringLiteral(" + "), QStringLiteral(",")).toStdString()));
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
    auto* const said = new QLabel(tr("Pieces of a run go to the ticked devices, to each as fast as it is."));
    said->setWordWrap(true);
    layout->addWidget(said);
    auto* const list = new QListWidget;
    list->setAccessibleName(tr("Devices"));
    const std::vector<std::size_t> now = positions();
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        if (devices_[i].type == "host") continue;
        auto* const item = new QListWidgetItem(QString::fromStdString(devices_[i].title()), list);
        item->setData(Qt::UserRole, QString::fromStdString(nameInRequest(devices_[i])));
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(std::ranges::find(now, i) != now.end() ? Qt::Checked : Qt::Unchecked);
    }
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
