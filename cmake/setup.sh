# Sourced by app/run and tests/run: installs missing packages on Debian, then configures and builds a preset.

# install_packages KIND...: installs the packages of these kinds from cmake/packages.txt.
install_packages() {
    local kinds=" $* " kind name missing=()
    local all=()
    while read -r kind name; do
        [[ "$kinds" == *" $kind "* ]] && all+=("$name")
    done < <(grep -v '^#' cmake/packages.txt)

    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        # Not Debian or a derivative: package names differ there; the compiler and CMake report what is missing.
        command -v cmake >/dev/null && command -v ninja >/dev/null && return 0
        echo "This script installs packages on Debian 12 only. Needed, by their Debian names:" >&2
        printf '    %s\n' "${all[@]}" >&2
        exit 1
    fi
    for name in "${all[@]}"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
    done
    [[ ${#missing[@]} -eq 0 ]] && return 0

    echo "Installing: ${missing[*]}"
    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        if ! command -v sudo >/dev/null; then
            echo "sudo is not installed. As root: apt-get install --no-install-recommends ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# build_preset PRESET [TARGET...]
build_preset() {
    local preset=$1
    shift
    local options=()
    command -v ccache >/dev/null && options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    local log
    log=$(mktemp)
    if ! cmake --preset "$preset" "${options[@]}" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
    cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
}
