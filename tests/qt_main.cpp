// The main function of a folder's Qt program: PROGRAM tst_FILE [options of Qt Test]
// What is skipped has to be allowed by tests/may_skip.txt.

#include <QTemporaryDir>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "tests/may_skip.h"
#include "tests/qt_program.h"

namespace ks::tests {
namespace {

std::map<std::string, Main>& programs() {
    static std::map<std::string, Main> made;
    return made;
}

/// Of the lines "SKIP   : Class::test() reason".
bool all_that_must_run_ran(const std::string& log) {
    const std::string start = "SKIP   : ";
    bool good = true;
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(start)) continue;
        const std::size_t end = line.find(") ", start.size());
        good &= may_skip(line.substr(start.size(), end - start.size() + 1), line.substr(end + 2));
    }
    return good;
}

}  // namespace

Program::Program(const std::string& file, Main main) {
    programs()[std::filesystem::path(file).stem().string()] = main;
}

}  // namespace ks::tests

int main(int argc, char** argv) {
    using namespace ks::tests;
    const auto found = argc > 1 ? programs().find(argv[1]) : programs().end();
    if (found == programs().end()) {
        std::printf("One of these has to be named:\n");
        for (const auto& [name, main] : programs()) std::printf("    %s\n", name.c_str());
        return 1;
    }
    std::vector<char*> arguments{argv[0]};
    arguments.insert(arguments.end(), argv + 2, argv + argc);
    const QTemporaryDir folder;
    // Not the kernels of who runs the tests.
    setenv("KERNELSCOPE_VARIANTS", folder.filePath("variants").toLocal8Bit().constData(), 0);
    const std::string log = folder.filePath("log").toStdString();
    std::string to_log = log + ",txt", to_output = "-,txt", option = "-o";
    if (found->first.starts_with("tst_"))
        arguments.insert(arguments.end(), {option.data(), to_log.data(), option.data(), to_output.data()});
    int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    const int failed = found->second(count, arguments.data());
    return all_that_must_run_ran(log) ? failed : 1;
}
