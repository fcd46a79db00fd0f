# shellcheck shell=sh
# What .ci/entrypoint and .ci/entrypoint-jvm share: cases, and an invented machine with a java that only says how it
# was called.

entrypoint=$PWD/docker/entrypoint.sh
work=$(mktemp -d)
shell="sh"
passed=0
failed=0
skipped=0
groups=
open_files=8192

clean_up() {
    for group in $groups; do
        rmdir "$group" 2>/dev/null
    done
    rm -rf "$work"
}
trap clean_up EXIT

pass() {
    passed=$((passed + 1))
    printf 'ok    %s\n' "$1"
}

fail() {
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$1"
    sed 's/^/      | /' "$work/out" | head -n 30
}

skip() {
    skipped=$((skipped + 1))
    printf 'skip  %s: %s\n' "$1" "$2"
}

# --- an invented machine ---

# machine CPUS MEMORY-KB
machine() {
    rm -rf "${work:?}/bin" "$work/proc" "$work/cgroup"
    mkdir -p "$work/bin" "$work/proc/self" "$work/cgroup"
    printf '#!/bin/sh\necho %s\n' "$1" >"$work/bin/nproc"
    cat >"$work/bin/java" <<'END'
#!/bin/sh
printf 'pid %s\n' "$$"
for argument in "$@"; do printf 'argument %s\n' "$argument"; done
env | sed -n 's/^GATEWAY_/variable GATEWAY_/p' | sort
printf 'files %s, %s at most\n' "$(ulimit -S -n)" "$(ulimit -H -n)"
END
    chmod +x "$work/bin/nproc" "$work/bin/java"
    printf 'MemTotal:       %s kB\nMemFree: 1 kB\n' "$2" >"$work/proc/meminfo"
}

write() {
    mkdir -p "$(dirname "$work/$1")"
    printf '%s\n' "$2" >"$work/$1"
}

# v2 CPU.MAX MEMORY.MAX, v1 QUOTA MEMORY: a container of a large machine
v2() {
    machine 64 263000000
    write proc/self/cgroup '0::/'
    write cgroup/cgroup.controllers 'cpuset cpu io memory pids'
    write cgroup/cpu.max "$1"
    write cgroup/memory.max "$2"
}

v1() {
    machine 64 263000000
    write proc/self/cgroup '4:memory:/docker/0123
3:cpuacct,cpu:/docker/0123
1:name=systemd:/docker/0123'
    write cgroup/cpu/cpu.cfs_quota_us "$1"
    write cgroup/cpu/cpu.cfs_period_us 100000
    write cgroup/memory/memory.limit_in_bytes "$2"
}

# run [VARIABLE=VALUE...] [-- ARGUMENT...]: on the invented machine
run() {
    variables=
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        variables="$variables $1"
        shift
    done
    [ $# = 0 ] || shift
    # shellcheck disable=SC2086 # variables are words
    (
        # shellcheck disable=SC3045 # dash and bash know it
        ulimit -S -n "${files:-1024}"
        env PATH="$work/bin:$PATH" GATEWAY_CGROUP_ROOT="$work/cgroup" GATEWAY_PROC_ROOT="$work/proc" \
            GATEWAY_JAVA="$work/bin/java" GATEWAY_OPEN_FILES="$open_files" $variables $shell "$entrypoint" "$@"
    ) >"$work/out" 2>&1
}

says() {
    grep -qF -e "$1" "$work/out"
}

# starts CASE TEXT [VARIABLE=VALUE...]; refuses alike: the text is in what was printed, and it started or not
starts() {
    title=$1 text=$2
    shift 2
    if run "$@" && says "$text"; then pass "$title"; else fail "$title: expected a start and \"$text\""; fi
}

refuses() {
    title=$1 text=$2
    shift 2
    if run "$@"; then
        fail "$title: expected a refusal"
    elif says "$text" && ! says argument; then
        pass "$title"
    else
        fail "$title: expected \"$text\""
    fi
}

# finish: the sum as the last line, and the exit code
finish() {
    printf '%s: %s passed, %s failed, %s skipped\n' "${0##*/}" "$passed" "$failed" "$skipped"
    [ "$failed" = 0 ]
}
