# What `cmake --install` puts where, and `cpack -G DEB` into a package of Debian 12. The window starts the command line that
# lies beside it.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # a package needs no tests
# The module for runs of several processes is a package of its own, since it alone needs MPI.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)

install(TARGETS kernelscope-cli)
if(KERNELSCOPE_HAS_MPI)
  install(TARGETS kernelscope-mpi DESTINATION ${CMAKE_INSTALL_LIBDIR}/kernelscope COMPONENT mpi)
endif()

# Completion comes from the command line's own table of options.
set(completion ${CMAKE_BINARY_DIR}/completion)
set(completion_files "")
foreach(row "bash|bash-completion/completions/kernelscope-cli" "zsh|zsh/vendor-completions/_kernelscope-cli"
            "fish|fish/vendor_completions.d/kernelscope-cli.fish")
  string(REPLACE "|" ";" row ${row})
  list(GET row 0 shell)
  list(GET row 1 path)
  get_filename_component(folder ${path} DIRECTORY)
  add_custom_command(
    OUTPUT ${completion}/${path}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${completion}/${folder}
    COMMAND kernelscope-cli completion ${shell} > ${completion}/${path}
    DEPENDS kernelscope-cli
    VERBATIM)
  list(APPEND completion_files ${completion}/${path})
  install(FILES ${completion}/${path} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endforeach()
add_custom_target(completion ALL DEPENDS ${completion_files})

if(KERNELSCOPE_GUI)
  install(TARGETS kernelscope)
  install(FILES packaging/org.kernelscope.Kernelscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES packaging/org.kernelscope.Kernelscope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES packaging/kernelscope-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
          RENAME kernelscope.xml)
  install(FILES resources/icons/kernelscope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The documents as they lie here, with all that they link to; a test of the installed tree follows each link.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES cmake/packages.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/cmake)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN images EXCLUDE)
install(DIRECTORY bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
# Once: the manual of the window shows them, too.
install(DIRECTORY docs/images DESTINATION ${CMAKE_INSTALL_DATADIR}/kernelscope)
install(CODE "
  set(documents \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/docs\")
  set(pictures \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/kernelscope/images\")
  file(RELATIVE_PATH pictures \"\${documents}\" \"\${pictures}\")
  file(CREATE_LINK \"\${pictures}\" \"\${documents}/images\" SYMBOLIC)")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "Kernelscope")
set(CPACK_PACKAGE_CONTACT "The Kernelscope authors <authors@kernelscope.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for detector data and OpenCL kernels")
set(CPACK_PACKAGE_DESCRIPTION
    "Shows detector data and the OpenCL kernels that process it: photon correlation,
diffraction spots, pixel clusters and particle sums. Every result says which
kernel made it, on which device, how long each stage took and how far it is
from an exact reference. The same runs work on the command line.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What is loaded while the program runs, which shlibdeps does not see: an OpenCL driver, HDF5's filters, Qt's platforms.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd, hdf5-filter-plugin, bitshuffle")
if(KERNELSCOPE_GUI)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "qt6-qpa-plugins")
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME kernelscope)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS kernelscope-mpi)
if(KERNELSCOPE_HAS_MPI)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME kernelscope-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "kernelscope (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
  set(CPACK_COMPONENT_MPI_DESCRIPTION
      "Runs of Kernelscope by several processes\nThe module by which the command line of Kernelscope computes one result
with all processes that mpirun or srun started.")
endif()
include(CPack)
