#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

namespace ks::ui {

struct Workbench;

/// Builds the kernels of the visible page in the background, once it has been shown for a while, so that the
/// first run need not wait for them.
class WarmStart : public QObject {
    Q_OBJECT
  public:
    /// Initially off. @param bench outlives it
    explicit WarmStart(Workbench& bench, QObject* parent = nullptr);

    void setOn(bool on);

  signals:
    /// @param built the kernels are there
    void ended(bool built);

  private:
    void build();

    Workbench& bench_;
    QTimer later_;
    bool on_ = false;
    QSet<QString> asked_;  ///< "xpcs, 0, gram.tiled, u8"
};

}  // namespace ks::ui
