#include "core/run/result.h"

#include "core/base/error.h"

namespace ks {

const char* name_of(DataKind kind) {
    switch (kind) {
        case DataKind::axis:
            return "axis";
        case DataKind::curves:
            return "curves";
        case DataKind::image:
            return "image";
        case DataKind::table:
            return "table";
        case DataKind::overlay:
            break;
    }
    return "overlay";
}

DataKind data_kind_from(const std::string& name) {
    using enum DataKind;
    for (const DataKind kind : {axis, curves, image, table, overlay})
        if (name == name_of(kind)) return kind;
    throw Error(ErrorKind::run, "expected axis, curves, image, table or overlay, found \"" + name + "\"",
                "kind of a dataset");
}

const Dataset* Result::find(const std::string& name) const {
    for (const Dataset& dataset : datasets)
        if (dataset.name == name) return &dataset;
    return nullptr;
}

const Dataset& Result::at(const std::string& name) const {
    if (const Dataset* dataset = find(name)) return *dataset;
    std::string names;
    for (const Dataset& dataset : datasets) names += (names.empty() ? "" : ", ") + dataset.name;
    throw Error(ErrorKind::run, "the result has no dataset \"" + name + "\", it has " +
                                    (names.empty() ? std::string("none") : names));
}

}  // namespace ks
