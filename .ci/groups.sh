# Real limits for a process, by control groups of our own, where the kernel lets us. Sourced; $work is a folder for notes.
# shellcheck shell=sh disable=SC2154

# make_groups CPUS BYTES: sets groups, or says why not
make_groups() {
    name=gateway-test-$$-$1
    root=/sys/fs/cgroup
    groups=
    if [ -f $root/cpu/cpu.cfs_quota_us ] || [ -d $root/cpu ]; then
        if ! mkdir "$root/cpu/$name" 2>"$work/why"; then return 1; fi
        groups=$root/cpu/$name
        mkdir "$root/memory/$name" 2>"$work/why" || return 1
        groups="$groups $root/memory/$name"
        { echo 100000 >"$root/cpu/$name/cpu.cfs_period_us" && echo "$1"00000 >"$root/cpu/$name/cpu.cfs_quota_us" &&
            echo "$2" >"$root/memory/$name/memory.limit_in_bytes"; } 2>"$work/why"
        return
    fi
    if ! grep -qs 'cpu.*memory' $root/cgroup.subtree_control; then
        echo "no group here may have limits of its own" >"$work/why"
        return 1
    fi
    mkdir "$root/$name" 2>"$work/why" || return 1
    groups=$root/$name
    { echo "$1"00000 100000 >"$root/$name/cpu.max" && echo "$2" >"$root/$name/memory.max"; } 2>"$work/why"
}

remove_groups() {
    for group in $groups; do
        tries=0
        until rmdir "$group" 2>/dev/null || [ "$tries" = 50 ]; do
            tries=$((tries + 1))
            sleep 0.1
        done
    done
    groups=
}

# in_groups COMMAND...: in the background; the process moves itself before it becomes the command
in_groups() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    exec sh -c 'for group in $1; do echo $$ >"$group/cgroup.procs" || exit 99; done; shift; exec "$@"' move "$groups" "$@"
}
