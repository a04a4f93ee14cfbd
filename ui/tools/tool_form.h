#pragma once

#include <QStringList>
#include <QWidget>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

#include "core/run/registry.h"
#include "core/wire/wire.h"

class QComboBox;
class QFormLayout;
class QPushButton;

namespace ks::ui {

/// The settings of a tool page: an analysis, and what a tool adds. It remembers the choices for each
/// analysis. A tool that only shows something has no buttons.
class ToolForm : public QWidget {
    Q_OBJECT
  public:
    ~ToolForm() override;

    void setCatalogue(const wire::Catalogue& catalogue);
    void setRunning(bool running);
    /// Whether there is a button Run.
    bool canRun() const { return run_ != nullptr; }
    /// What is missing before the tool can start, as a sentence; empty if it can.
    QString missing() const;
    /// Id of the chosen analysis.
    QString analysis() const;
    const AnalysisInfo& info() const;
    /// Has no effect if there is no such analysis.
    void choose(const QString& analysis);
    /// The user's input for all analyses.
    virtual nlohmann::json keep() const = 0;
    /// Restores what keep() returned; entries that no longer apply are ignored.
    virtual void bringBack(const nlohmann::json& kept) = 0;

    QComboBox& analyses() { return *analyses_; }
    QPushButton& run() { return *run_; }
    QPushButton& cancel() { return *cancel_; }

  signals:
    void analysisChanged();
    /// The result of missing(), or the plan, may have changed.
    void changed();
    void runWanted();
    void cancelWanted();

  protected:
    struct Texts {
        QString analysis;               ///< tool tip
        QString run = {}, cancel = {};  ///< tool tips; empty: there is no such button
        QString running = {};           ///< what is missing while the tool works
    };
    ToolForm(std::shared_ptr<const Registry> registry, Texts texts);

    virtual void showAnalysis() = 0;
    virtual void showCatalogue() = 0;
    virtual void showButtons();
    /// What is missing() if devices are known and nothing is running.
    virtual QString lacking() const { return {}; }
    /// Labels with their fields.
    static QFormLayout* fieldRows(std::initializer_list<std::pair<QString, QWidget*>> fields);
    /// Positions of the wanted devices in the catalogue; of the default one if none is wanted.
    std::vector<std::size_t> wantedDevices() const;

    std::shared_ptr<const Registry> registry_;
    wire::Catalogue catalogue_;
    QStringList wanted_;    ///< titles of devices; empty: the default one
    bool filling_ = false;  ///< changes are not the user's
    bool running_ = false;
    QComboBox* analyses_;
    QPushButton *run_ = nullptr, *cancel_ = nullptr;  ///< null: the tool has none

  private:
    Texts texts_;
};

}  // namespace ks::ui
