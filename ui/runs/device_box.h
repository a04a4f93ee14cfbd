#pragma once

#include <QComboBox>
#include <QString>
#include <cstddef>
#include <string>
#include <vector>

#include "core/devices/device_info.h"

namespace ks::ui {

/// The device of the next run, or several that share it: all GPUs, all devices, or those that are ticked in a
/// dialog. Where the machine has one device beside the host, there is nothing to share.
class DeviceBox : public QComboBox {
    Q_OBJECT
  public:
    explicit DeviceBox(QWidget* parent = nullptr);

    /// @param title of the entry that is to be the current one, where there is or can be one
    void setDevices(const std::vector<DeviceInfo>& devices, const QString& title);
    /// Makes the entry of that title the current one; false where there can be none.
    bool choose(const QString& title);
    /// What a request names: "0", "host", "gpu", "0,2".
    std::string requested() const;
    /// Places of the chosen devices in the list; the first one is the run's. Empty: there are none.
    std::vector<std::size_t> positions() const;
    /// The same of devices that a request names: the title of an entry that is made where there is none.
    QString addSeveral(const std::string& requested);

  private:
    void add(const QString& text, const std::string& requested);
    void chooseSeveral();
    int placeOf(const std::string& requested) const;

    std::vector<DeviceInfo> devices_;
    int before_ = -1;  ///< the current entry before the one that asks for ticks
};

}  // namespace ks::ui
