# Writes OUT: a C++ file with the bytes of every file in FILES (a list), found by its path relative to ROOT.
set(arrays "")
set(rows "")
set(number 0)
foreach(file ${FILES})
  file(RELATIVE_PATH name ${ROOT} ${file})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "const unsigned char file_${number}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", file_${number}, sizeof(file_${number}) - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"gpu/runtime/kernel_files.h\"\n\nnamespace {\n${arrays}}\n\n"
  "namespace ks::gpu {\nconst std::vector<KernelFile>& kernel_files() {\n"
  "    static const std::vector<KernelFile> files{\n${rows}    };\n    return files;\n}\n}  // namespace ks::gpu\n")
