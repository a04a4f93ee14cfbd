#include "ui/shell/pages.h"

#include "collected_ui.h"

namespace ks::ui {

std::vector<MakePage> collectedPages() {
    std::vector<MakePage> all;
#define KS_ADD_PAGE(folder) all.emplace_back(&folder::makePage);
    KS_COLLECTED_ui(KS_ADD_PAGE)
#undef KS_ADD_PAGE
        return all;
}

}  // namespace ks::ui
