#pragma once

#include <QTextBrowser>
#include <functional>
#include <optional>
#include <vector>

#include "core/kernels/compiler_message.h"
#include "core/kernels/resolved_source.h"
#include "core/run/build_log.h"

namespace ks::ui {

/// The programs of a run as passed to the compiler: options, origin of the binary, kernels, messages.
/// Messages with a position link to their line.
class BuildLogView : public QTextBrowser {
    Q_OBJECT
  public:
    /// Position of a program's message in the files; nothing: unknown.
    using Find = std::function<std::optional<SourcePlace>(const BuildLog&, const CompilerMessage&)>;

    explicit BuildLogView(QWidget* parent = nullptr);

    /// @param title of the run; empty: there is none
    void setBuilds(const QString& title, const std::vector<BuildLog>& builds, const Find& find);

  signals:
    void placeClicked(const ks::SourcePlace& place);

  protected:
    void changeEvent(QEvent* event) override;
    QMimeData* createMimeDataFromSelection() const override;

  private:
    void showBuilds();

    QString title_;
    std::vector<BuildLog> builds_;
    Find find_;
    std::vector<SourcePlace> places_;  ///< of the links, which refer to them by index
};

}  // namespace ks::ui
