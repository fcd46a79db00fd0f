# shellcheck shell=sh disable=SC2034,SC2154 # entrypoint.sh sets cgroup and proc, and reads what read_limits sets
# What this process may use of CPU and memory, as the cgroup (version 1 or 2) and the machine say.

# read_limits: sets cpu_limit (thousandths of a CPU), memory_limit (bytes), limited (bytes, empty when no group limits the
# memory), version (of the cgroup, for people)
read_limits() {
    if [ -r "$cgroup/cgroup.controllers" ]; then
        version="cgroup v2"
        cpu_limit=$(tightest "$cgroup" "$(own_group '')" cpu_v2)
        memory_limit=$(tightest "$cgroup" "$(own_group '')" memory_v2)
    else
        version="cgroup v1"
        cpu_limit=$(tightest "$(controller cpu cpu,cpuacct)" "$(own_group cpu)" cpu_v1)
        memory_limit=$(tightest "$(controller memory)" "$(own_group memory)" memory_v1)
    fi
    [ -n "$cpu_limit$memory_limit" ] || version="the machine"
    online=$(($(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc) * 1000)) # nproc would believe them
    installed=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' "$proc/meminfo") * 1024))
    limited=$memory_limit
    cpu_limit=$(smaller "$cpu_limit" "$online")
    memory_limit=$(smaller "$memory_limit" "$installed")
}

first_line() {
    [ -r "$1" ] && IFS= read -r line <"$1" && printf '%s\n' "$line"
}

# own_group CONTROLLER: this process's group; version 2 has no controllers' names
own_group() {
    if [ -r "$proc/self/cgroup" ]; then
        while IFS=: read -r _ controllers group; do
            case ,$controllers, in
                *,"$1",*)
                    printf '%s\n' "$group"
                    return 0
                    ;;
            esac
        done <"$proc/self/cgroup"
    fi
    echo /
}

# Each prints one group's limit, or nothing: thousandths of a CPU, bytes.
cpu_v2() {
    limit=$(first_line "$1/cpu.max") || return 0
    [ "${limit% *}" = max ] || echo $((${limit% *} * 1000 / ${limit#* }))
}

cpu_v1() {
    quota=$(first_line "$1/cpu.cfs_quota_us") || return 0
    period=$(first_line "$1/cpu.cfs_period_us") || return 0
    [ "$quota" -le 0 ] || echo $((quota * 1000 / period))
}

memory_v2() {
    limit=$(first_line "$1/memory.max") || return 0
    [ "$limit" = max ] || echo "$limit"
}

# No limit is a number near 2^63.
memory_v1() {
    limit=$(first_line "$1/memory.limit_in_bytes") || return 0
    [ "${#limit}" -gt 18 ] || echo "$limit"
}

smaller() {
    if [ -z "$1" ] || { [ -n "$2" ] && [ "$2" -lt "$1" ]; }; then
        printf '%s\n' "$2"
    else
        printf '%s\n' "$1"
    fi
}

# tightest MOUNT GROUP READER: limits of parents hold too. In a container the own group is often the mount itself.
tightest() {
    path=$2
    found=
    while :; do
        found=$(smaller "$found" "$("$3" "$1$path")")
        case $path in '' | /) break ;; esac
        path=${path%/*}
    done
    printf '%s\n' "$found"
}

# controller NAME...: the first of the mounts that is there
controller() {
    for name in "$@"; do
        if [ -d "$cgroup/$name" ]; then
            printf '%s\n' "$cgroup/$name"
            return 0
        fi
    done
    printf '%s\n' "$cgroup/$1"
}
