#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/run/request.h"
#include "ui/runs/desk.h"
#include "ui/runs/device_box.h"

class QLabel;
class QSettings;

namespace ks::ui {

class AnalysisPage;
class ParameterForm;
class VariantPicker;

/// The part of the next request that is not the page's own: device, variant, parameters. It knows the
/// worker's offers and the choices made on each page.
class RequestForm : public QObject {
    Q_OBJECT
  public:
    /// @param settings stores the device; outlives the form, as the desk does
    RequestForm(QSettings& settings, Desk& desk, QObject* parent = nullptr);

    /// Choices made on a page.
    struct Choices {
        ParameterSet parameters = {};
        QString variant = {};
    };

    // Its widgets, which the window places and owns.
    ParameterForm& parameters() const { return *form_; }
    VariantPicker& variants() const { return *variants_; }
    DeviceBox& devices() const { return *devices_; }
    /// Name and memory of the device; its tool tip shows the ceilings.
    QLabel& deviceText() const { return *device_; }

    /// Another page is visible: its choices are restored. Null: it shows no analysis.
    void setPage(AnalysisPage* page);
    /// Whose choices the widgets show; empty: none.
    const QString& shownAnalysis() const { return analysis_; }
    /// By analysis; for the visible page as in the widgets.
    Choices choices(const QString& analysis) const;
    void setChoices(const QString& analysis, const Choices& choices);
    /// Selects the device with this title, now or as soon as the worker reports it.
    void wantDevice(const QString& title);
    /// Title of the chosen device, or of the one that is wanted.
    QString deviceTitle() const;

    /// Of the visible page; null: the worker has not reported its catalogue, or there is no such analysis.
    const AnalysisInfo* analysis() const;
    /// The chosen device, the first one of several; null: none is known.
    const DeviceInfo* device() const;
    /// Its position in the catalogue; nothing: none is known.
    std::optional<std::size_t> devicePosition() const;
    /// Shows the device memory that a run used whenever the devices that it ran on are the chosen ones.
    void showMemory(const Run& run);

    /// The page's inputs have changed: variants that do not take them cannot be chosen.
    void showTraits();
    /// Disables the fields of the parameters that neither the next run nor anything else on the page uses.
    void showIdle(const Request& next);
    /// Throws ks::Error(input) if the page's parameters are invalid, ks::Error(run) if there is no worker
    /// yet.
    /// @param filled by AnalysisPage::fill()
    Request request(const Request& filled) const;
    /// The same for a page that is not visible, without variant and device.
    Request request(const AnalysisPage& page) const;
    /// The project with the expressions in these parameters, if the user did not allow them; empty: they may
    /// be compiled.
    QString refused(const std::string& analysis, const ParameterSet& parameters) const;
    /// The form is about to receive the parameters of a request from a file: unknown expressions are not
    /// compiled before the user allows it.
    void holdBack(const Request& request);
    /// Whether the next run uses values of the user's table.
    bool usesTuned() const;
    /// Labels of the parameters that differ between the next run and this one.
    QStringList differing(const Run& run) const;
    /// "Kernel text", "Definitions" if the next run would compile another kernel under the name of this run's
    /// variant.
    QStringList otherKernel(const Run& run) const;
    /// "Variant", "Device" if the next run would have another one than this run.
    /// @param othersDiffer other parameters: a variant that they lead to and nobody asked for is not named
    QStringList otherChoices(const Run& run, bool othersDiffer = false) const;
    /// Whether the run is of a user's kernel whose text, including files it includes, has changed since.
    bool kernelChanged(const Run& run) const;

  signals:
    /// Device, offers or page have changed.
    void changed();
    /// The form was filled, not by the user.
    void filled();

  private:
    std::multiset<std::string> chosenTitles() const;
    static std::multiset<std::string> titlesOf(const Run& run);
    /// Of the chosen devices: the memory that the last run there used, otherwise the name.
    void showDevice();
    /// It ran on exactly the chosen devices.
    bool ranOnChosen(const Run& run) const;
    const wire::Catalogue& catalogue() const { return desk_.catalogue(); }
    void keep();
    /// Of the worker, also after a restart: choices are kept.
    void takeCatalogue();
    /// The fields are those that the catalogue has for the page.
    bool showsParameters() const;
    void showDevices();
    void showChoices();
    void showOffers();
    /// For an analysis on the chosen devices: variants that all of them can run.
    std::vector<Offer> offersOf(const std::string& analysis) const;
    void showCeilings();
    void tellPage();

    QSettings& settings_;
    Desk& desk_;
    QHash<QString, Choices> choices_;
    std::map<std::multiset<std::string>, QString>
        used_;  ///< memory of the last run, by titles of its devices
    AnalysisPage* page_ = nullptr;
    QString analysis_;  ///< whose choices the widgets show; the page may already have selected another one
    ParameterForm* form_;
    VariantPicker* variants_;
    DeviceBox* devices_;
    QLabel* device_;
};

}  // namespace ks::ui
