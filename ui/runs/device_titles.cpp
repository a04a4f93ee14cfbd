#include "ui/runs/device_titles.h"

#include <algorithm>

#include "core/devices/device_id.h"

namespace ks::ui {
namespace {

/// Texts that occur more than once get the index of their device.
QStringList numbered(QStringList texts, const std::vector<DeviceInfo>& devices) {
    const QStringList plain = texts;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        if (plain.count(plain[i]) == 1) continue;
        const DeviceId device(devices[static_cast<std::size_t>(i)]);
        texts[i] = QStringLiteral("%1: %2").arg(QString::fromStdString(device.text()), plain[i]);
    }
    return texts;
}

}  // namespace

QStringList deviceTitles(const std::vector<DeviceInfo>& devices) {
    QStringList titles;
    for (const DeviceInfo& device : devices) titles << QString::fromStdString(device.title());
    return numbered(std::move(titles), devices);
}

QStringList deviceNames(const std::vector<DeviceInfo>& devices) {
    QStringList names;
    for (const DeviceInfo& device : devices) names << QString::fromStdString(device.name);
    return numbered(std::move(names), devices);
}

QString titleAmong(const std::vector<DeviceInfo>& devices, const DeviceInfo& device) {
    const auto same = std::ranges::find_if(devices, [&device](const DeviceInfo& one) {
        return one.index == device.index && one.title() == device.title();
    });
    return same == devices.end() ? QString::fromStdString(device.title())
                                 : deviceTitles(devices)[same - devices.begin()];
}

QString ranOn(const Run& run) {
    return QString::fromStdString(run.devices.empty() ? run.device.title() : shares_text(run.devices));
}

std::optional<std::size_t> deviceOfTitle(const std::vector<DeviceInfo>& devices, const QString& title) {
    if (const qsizetype at = deviceTitles(devices).indexOf(title); at >= 0)
        return static_cast<std::size_t>(at);
    const auto plain = std::ranges::find(devices, title.toStdString(), &DeviceInfo::title);
    if (plain == devices.end()) return std::nullopt;
    return static_cast<std::size_t>(plain - devices.begin());
}

}  // namespace ks::ui
