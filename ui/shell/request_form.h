#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/registry.h"
#include "core/wire/wire.h"
#include "ui/runs/device_box.h"

class QLabel;
class QSettings;

namespace ks::ui {

class Page;
class ParameterForm;
class VariantPicker;

/// What the next run of the page in sight is asked for beside the page's own inputs: device, variant,
/// parameters. It knows what the worker offers, and what was chosen on each page.
class RequestForm : public QObject {
    Q_OBJECT
  public:
    /// @param settings where the device is kept; outlives the form
    RequestForm(QSettings& settings, std::shared_ptr<const Registry> registry, QObject* parent = nullptr);

    /// What was chosen on a page.
    struct Choices {
        ParameterSet parameters = {};
        QString variant = {};
    };

    // Its widgets, which the window places and owns.
    ParameterForm& parameters() const { return *form_; }
    VariantPicker& variants() const { return *variants_; }
    DeviceBox& devices() const { return *devices_; }
    /// Name and memory of the device; its tip has the ceilings.
    QLabel& deviceText() const { return *device_; }

    /// The worker's, also of one that was started anew: what was chosen stays.
    void setCatalogue(const wire::Catalogue& catalogue);
    /// Another page is in sight: its choices come back.
    void setPage(Page* page);
    /// By analysis; those of the page in sight are as the widgets are.
    Choices choices(const QString& analysis) const;
    void setChoices(const QString& analysis, const Choices& choices);
    /// The device with this title now, or as soon as the worker tells that there is one.
    void wantDevice(const QString& title);
    /// Title of the chosen device, or of the one that is wanted.
    QString deviceTitle() const;

    /// Of the page in sight; null: the worker has not told its catalogue, or there is no such analysis.
    const AnalysisInfo* analysis() const;
    /// The chosen one, of several the first; null: none is known.
    const DeviceInfo* device() const;
    /// Its position in the catalogue; nothing: none is known.
    std::optional<std::size_t> devicePosition() const;
    /// As the worker told it.
    const wire::Catalogue& catalogue() const { return catalogue_; }
    /// Measured by the worker, and since.
    const std::vector<Ceilings>& ceilings() const { return catalogue_.ceilings; }
    void takeCeilings(const Ceilings& measured);
    void showMemory(const Run& run);

    /// The page's inputs are other ones: variants that do not take them are not to be chosen.
    void showTraits();
    /// Throws ks::Error(input) where the page's parameters are refused, ks::Error(run) where there is no
    /// worker yet. The page lacks nothing.
    Request request() const;
    /// The same of a page that is not in sight, without variant and device.
    Request request(const Page& page) const;
    /// The project whose expressions these parameters hold although the user did not allow them; empty: they
    /// may be compiled.
    QString refused(const std::string& analysis, const ParameterSet& parameters) const;
    /// The form is about to hold parameters of a request from a file: expressions that are not known are not
    /// compiled before the user allows it.
    void holdBack(const Request& request);
    /// Whether the next run takes values of the user's table.
    bool usesTuned() const;
    /// Labels of what the next run would have otherwise than this one: parameters, and the text of its
    /// kernel.
    QStringList differing(const Run& run) const;
    /// "Variant", "Device" where the next run would have another one than this run.
    QStringList otherChoices(const Run& run) const;
    /// Whether the run is of a kernel of the user's own whose text, included files and all, is another one
    /// now.
    bool kernelChanged(const Run& run) const;

  signals:
    /// Device, offers or page are other ones.
    void changed();
    /// The form was filled, not by hand.
    void filled();

  private:
    void keep();
    void showDevices();
    void showChoices();
    void showOffers();
    /// Of an analysis on the chosen devices: what all of them can run.
    std::vector<Offer> offersOf(const std::string& analysis) const;
    void showCeilings();
    void tellPage();

    QSettings& settings_;
    std::shared_ptr<const Registry> registry_;
    wire::Catalogue catalogue_;
    QHash<QString, Choices> choices_;
    Page* page_ = nullptr;
    QString analysis_;  ///< whose choices the widgets show; the page may work with another one already
    ParameterForm* form_;
    VariantPicker* variants_;
    DeviceBox* devices_;
    QLabel* device_;
};

}  // namespace ks::ui
