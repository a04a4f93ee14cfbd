#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/devices/device_info.h"
#include "core/run/run.h"

namespace ks::ui {

/// Titles of devices for lists to choose from, each once: those of several that have one title begin with the
/// index that `kernelscope-cli devices` prints, "1: NVIDIA H200 (580.95)".
QStringList deviceTitles(const std::vector<DeviceInfo>& devices);
/// Names alike, for legends: "1: NVIDIA H200".
QStringList deviceNames(const std::vector<DeviceInfo>& devices);
/// That title of a device that was listed earlier, or elsewhere; its plain title where it is not in the list.
QString titleAmong(const std::vector<DeviceInfo>& devices, const DeviceInfo& device);
/// What a run was computed on: "NVIDIA H200 (580.95)", or the shares of several.
QString ranOn(const Run& run);
/// The device of a title: of one without an index, which was kept where no other had it, the first.
std::optional<std::size_t> deviceOfTitle(const std::vector<DeviceInfo>& devices, const QString& title);

}  // namespace ks::ui
