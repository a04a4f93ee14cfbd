#pragma once

#include <QtTest>

#include <string>

/// A folder's Qt tests are one program: QTEST_MAIN(Class) and its relatives give it, instead of a main
/// function, one that is called by the name of the file: PROGRAM tst_FILE [options of Qt Test]. CMake
/// includes this before each file.
namespace ks::tests {

using Main = int (*)(int argc, char** argv);

/// Makes PROGRAM NAME call `main`, with NAME as argv[1] left out.
class Program {
  public:
    Program(const std::string& file, Main main);
};

}  // namespace ks::tests

#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestObject, ...)                                \
    static int main_of_##TestObject(int argc, char** argv) {               \
        QT_PREPEND_NAMESPACE(QTest::Internal::callInitMain)<TestObject>(); \
        __VA_ARGS__                                                        \
        TestObject test;                                                   \
        QTEST_SET_MAIN_SOURCE_PATH                                         \
        return QTest::qExec(&test, argc, argv);                            \
    }                                                                      \
    static const ks::tests::Program program_of_##TestObject(__FILE__, main_of_##TestObject);
