#!/bin/sh
# Starts the gateway with the settings of a tier (W1, W2, W4, W8), named by GATEWAY_TIER or derived from the limits of
# the cgroup. Every value can be overridden: docs/tiers.md. Arguments are those of the gateway. With GATEWAY_ROLE=cache it
# starts a member of the cache component.
set -euf

home=$(dirname "$(readlink -f "$0")")
# shellcheck source=cgroup.sh
. "$home/cgroup.sh"

cgroup=${GATEWAY_CGROUP_ROOT:-/sys/fs/cgroup}
proc=${GATEWAY_PROC_ROOT:-/proc}
mib=1048576
table=

fail() {
    printf 'gateway: %s\n' "$1" >&2
    exit 1
}

warn() {
    printf 'gateway: %s\n' "$1" >&2
}

# --- what is asked for ---

is_number() {
    case $1 in
        0) return 0 ;;
        '' | 0* | *[!0-9]*) return 1 ;;
    esac
    [ "${#1}" -le 15 ]
}

# number VARIABLE TEXT LEAST MOST
number() {
    if ! is_number "$2" || [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
        fail "$1: expected a whole number from $3 to $4, got \"$2\""
    fi
    printf '%s\n' "$2"
}

# bytes VARIABLE TEXT: k, m and g are the JVM's, of 1024; KB, MB and GB are of 1000
bytes() {
    count=${2%%[!0-9]*}
    case ${2#"$count"} in
        '') unit=1 ;;
        k | K | KiB | Ki) unit=1024 ;;
        m | M | MiB | Mi) unit=$mib ;;
        g | G | GiB | Gi) unit=$((mib * 1024)) ;;
        KB) unit=1000 ;;
        MB) unit=1000000 ;;
        GB) unit=1000000000 ;;
        *) count= ;;
    esac
    if ! is_number "$count" || [ "${#count}" -gt 13 ] || [ "$count" = 0 ] || [ $((count * unit / unit)) != "$count" ]; then
        fail "$1: expected a size such as \"512m\" or \"1GiB\", got \"$2\""
    fi
    echo $((count * unit))
}

# mebibytes VARIABLE TEXT: rounded down, at least 1
mebibytes() {
    size=$(bytes "$1" "$2") || exit 1
    [ "$size" -ge "$mib" ] || fail "$1: expected 1MiB or more, got \"$2\""
    echo $((size / mib))
}

# given VARIABLE FALLBACK: what the operator set, else the fallback
given() {
    eval "printf '%s\\n' \"\${$1:-\$2}\""
}

# row NAME VALUE VARIABLE FALLBACK-ORIGIN
row() {
    eval "origin=\${$3:+\$3}"
    table=$table$(printf '  %-24s %-12s %s' "$1" "$2" "${origin:-$4}")'
'
}

override_limits() {
    real=$(in_words "$cpu_limit" "$memory_limit")
    if [ -n "${GATEWAY_CPUS:-}" ]; then
        asked=$(number GATEWAY_CPUS "$GATEWAY_CPUS" 1 1024)000
        [ "$asked" -le "$cpu_limit" ] || warn "GATEWAY_CPUS: $GATEWAY_CPUS is more than $version gives, $real"
        cpu_limit=$asked
    fi
    if [ -n "${GATEWAY_MEMORY:-}" ]; then
        asked=$(bytes GATEWAY_MEMORY "$GATEWAY_MEMORY")
        [ "$asked" -le "$memory_limit" ] || warn "GATEWAY_MEMORY: $GATEWAY_MEMORY is more than $version gives, $real: \
the kernel may end the process"
        memory_limit=$asked
        limited=$asked
    fi
}

# one_of VARIABLE FIRST SECOND: refuses another value; nothing is fine
one_of() {
    case $(given "$1" "$2") in
        "$2" | "$3") ;;
        *) fail "$1: expected $2 or $3, got \"$(given "$1" '')\"" ;;
    esac
}

check_words() {
    one_of GATEWAY_DRY_RUN yes no
    one_of GATEWAY_UNDERSIZED allow refuse
    one_of GATEWAY_ROLE gateway cache
    role=$(given GATEWAY_ROLE gateway)
    [ -z "${GATEWAY_JAVA:-}" ] || { [ -f "$GATEWAY_JAVA" ] && [ -x "$GATEWAY_JAVA" ]; } ||
        fail "GATEWAY_JAVA: expected a java that can be run, got \"$GATEWAY_JAVA\""
}

# --- the tiers ---

# tier_values TIER: memory in MB of 1000000 bytes, the heap's share in percent, G1 regions in MiB, the pause in ms
tier_values() {
    case $1 in
        W1) set -- 1 2000 2 256 60 1 65536 ;;
        W2) set -- 2 2000 4 512 60 1 65536 ;;
        W4) set -- 4 4000 8 1024 65 2 131072 ;;
        W8) set -- 8 8000 16 3072 65 4 262144 ;;
        *) fail "GATEWAY_TIER: expected W1, W2, W4 or W8, got \"$1\"" ;;
    esac
    cpus=$1 memory=$2 io_threads=$3 requests=$4 heap_share=$5 region=$6 open_files=$7
}

# The kernel keeps a little of a machine's memory for itself, so 95% of the tier's is enough.
fits() {
    [ "$cpu_limit" -ge $((cpus * 1000)) ] && [ "$memory_limit" -ge $((memory * 950000)) ]
}

in_words() {
    printf '%s CPUs and %s MB' "$(($1 / 1000)).$(($1 % 1000 / 100))" $(($2 / 1000000))
}

choose_tier() {
    tier=$(printf '%s' "${GATEWAY_TIER:-}" | tr w W)
    if [ -n "$tier" ]; then
        tier_values "$tier"
        chosen=GATEWAY_TIER
    else
        for tier in W8 W4 W2 W1; do
            tier_values "$tier"
            ! fits || break
        done
        chosen="largest that fits"
    fi
    fits && return 0
    told="tier $tier needs $cpus CPUs and $memory MB; $version gives $(in_words "$cpu_limit" "$memory_limit")"
    [ "${GATEWAY_UNDERSIZED:-refuse}" = allow ] || fail "$told. Raise the limits, \
take a smaller tier, or set GATEWAY_UNDERSIZED=allow to start all the same"
    warn "$told; starting all the same, as GATEWAY_UNDERSIZED=allow says"
    chosen=${GATEWAY_TIER:+GATEWAY_TIER}
    chosen=${chosen:-smallest}
}

# --- from the tier to the JVM ---

# Without a limit the process keeps to its tier's memory: the rest is its neighbours'.
memory_budget() {
    budget=$memory_limit
    if [ -z "$limited" ]; then
        budget=$(smaller "$budget" $((memory * 1000000)))
    fi
    budget=$((budget / mib))
}

choose_values() {
    memory_budget
    [ "$budget" -ge 256 ] || fail "memory: no JVM of the gateway fits $budget MiB, 256 MiB are the least"
    cpus=$(number GATEWAY_CPUS "$(given GATEWAY_CPUS "$cpus")" 1 1024)
    heap_share=$(number GATEWAY_HEAP_SHARE "$(given GATEWAY_HEAP_SHARE "$heap_share")" 10 90)
    heap=$(mebibytes GATEWAY_HEAP "$(given GATEWAY_HEAP $((budget * heap_share / 100))m)")
    initial=$(mebibytes GATEWAY_INITIAL_HEAP "$(given GATEWAY_INITIAL_HEAP $((heap / 16 + 1))m)")
    direct=$(mebibytes GATEWAY_DIRECT_MEMORY "$(given GATEWAY_DIRECT_MEMORY $((budget / 8))m)")
    metaspace=$(mebibytes GATEWAY_METASPACE "$(given GATEWAY_METASPACE 128m)")
    code_cache=$(mebibytes GATEWAY_CODE_CACHE "$(given GATEWAY_CODE_CACHE 96m)")
    # A member holds entries for long, and much of the heap: pauses would grow with it.
    collector=G1
    [ "$role" != cache ] || collector=Z
    collector=$(given GATEWAY_COLLECTOR "$collector")
    region=$(mebibytes GATEWAY_REGION_SIZE "$(given GATEWAY_REGION_SIZE "${region}m")")
    pause=$(given GATEWAY_PAUSE_GOAL 50ms)
    pause=$(number GATEWAY_PAUSE_GOAL "${pause%ms}" 1 10000)
    parallel=$(number GATEWAY_GC_THREADS "$(given GATEWAY_GC_THREADS "$cpus")" 1 1024)
    concurrent=$(number GATEWAY_CONCURRENT_GC_THREADS \
        "$(given GATEWAY_CONCURRENT_GC_THREADS $(((parallel + 3) / 4)))" 1 "$parallel")
    compact=$(given GATEWAY_COMPACT_HEADERS on)
    parallelism=$(number GATEWAY_SCHEDULER_PARALLELISM "$(given GATEWAY_SCHEDULER_PARALLELISM "$cpus")" 1 1024)
    io_threads=$(number GATEWAY_IO_THREADS "$(given GATEWAY_IO_THREADS "$io_threads")" 1 256)
    requests=$(number GATEWAY_REQUESTS_IN_FLIGHT "$(given GATEWAY_REQUESTS_IN_FLIGHT "$requests")" 1 1000000)
    tier_files=$open_files
    open_files=$(number GATEWAY_OPEN_FILES "$(given GATEWAY_OPEN_FILES "$open_files")" 256 1073741824)
    aot_cache=$(given GATEWAY_AOT_CACHE "$home/gateway.aot")
    [ -n "${GATEWAY_AOT_CACHE:-}" ] || [ -r "$aot_cache" ] || aot_cache=off
}

check_values() {
    case $region in
        1 | 2 | 4 | 8 | 16 | 32) ;;
        *) fail "GATEWAY_REGION_SIZE: expected 1m, 2m, 4m, 8m, 16m or 32m, got \"${region}m\"" ;;
    esac
    case $compact in
        on | off) ;;
        *) fail "GATEWAY_COMPACT_HEADERS: expected on or off, got \"$compact\"" ;;
    esac
    [ "$initial" -le "$heap" ] || fail "GATEWAY_INITIAL_HEAP: expected at most the heap, $heap MiB, got $initial MiB"
    collected=$(collector_options) || exit 1
    [ "$aot_cache" = off ] || [ -r "$aot_cache" ] || fail "GATEWAY_AOT_CACHE: cannot read $aot_cache"
    # A twentieth of the heap for the collector's tables, 1 MiB for each thread, 48 MiB for the JVM itself. What TLS takes
    # beside the heap is held to half as much as direct memory: the gateway counts it.
    threads=$((io_threads + parallelism + parallel + concurrent + 16))
    engines=$((direct / 2))
    sum=$((heap + direct + engines + metaspace + code_cache + heap / 20 + threads + 48))
    [ "$sum" -le "$budget" ] || fail "heap $heap, direct memory $direct, TLS $engines, metaspace $metaspace, code cache \
$code_cache and the JVM's own $((heap / 20 + threads + 48)) make $sum MiB, more than the $budget MiB there are: lower \
GATEWAY_HEAP_SHARE, GATEWAY_HEAP or GATEWAY_DIRECT_MEMORY, or raise the limit"
}

# A request holds two sockets; 1024 are for idle connections, files and the JVM. Both limits are set, as the JVM raises the
# soft one to the hard one.
# shellcheck disable=SC3045 # every sh there is knows these options
limit_open_files() {
    least=$((requests * 2 + 1024))
    [ "$open_files" -ge "$least" ] || fail "GATEWAY_OPEN_FILES: $requests requests in flight need $least, got $open_files"
    hard=$(ulimit -H -n)
    if [ "$hard" != unlimited ] && [ "$hard" -lt "$open_files" ]; then
        [ "$hard" -ge "$least" ] || fail "the hard limit of open files is $hard, but $requests requests in flight need \
$least: raise it (docker run --ulimit nofile=$open_files:$open_files) or lower GATEWAY_REQUESTS_IN_FLIGHT"
        warn "the hard limit of open files is $hard, below the tier's $open_files; taking $hard"
        open_files=$hard
    fi
    ulimit -n "$open_files"
}

# A connection of a client holds a file, and so does that to the upstream of each request in flight and each WebSocket.
# With fewer files than the tier's there are fewer connections, unless the operator has said how many.
limit_connections() {
    if [ "$open_files" -lt "$tier_files" ]; then
        connections=$(smaller $((open_files / 4)) $(((open_files - requests - 1024) / 2)))
    else
        connections=$((tier_files / 4))
    fi
    connections=$(number GATEWAY_CONNECTIONS "$(given GATEWAY_CONNECTIONS "$connections")" 1 10000000)
    web_sockets=$(number GATEWAY_WEB_SOCKETS "$(given GATEWAY_WEB_SOCKETS $((connections / 2)))" 0 10000000)
    needed=$((connections + web_sockets + requests + 1024))
    [ "$open_files" -ge "$needed" ] || warn "$connections connections, $web_sockets WebSockets and $requests requests in \
flight may need $needed open files, and there are $open_files: raise GATEWAY_OPEN_FILES and the hard limit \
(docker run --ulimit nofile=$needed:$needed), or lower GATEWAY_CONNECTIONS"
}

collector_options() {
    workers="-XX:ParallelGCThreads=$parallel"
    case $collector in
        G1) echo "-XX:+UseG1GC -XX:G1HeapRegionSize=${region}m -XX:MaxGCPauseMillis=$pause $workers \
-XX:ConcGCThreads=$concurrent" ;;
        Parallel) echo "-XX:+UseParallelGC -XX:MaxGCPauseMillis=$pause $workers" ;;
        Serial) echo "-XX:+UseSerialGC" ;;
        Z) echo "-XX:+UseZGC $workers -XX:ConcGCThreads=$concurrent" ;;
        Shenandoah) echo "-XX:+UseShenandoahGC $workers -XX:ConcGCThreads=$concurrent" ;;
        *) fail "GATEWAY_COLLECTOR: expected G1, Serial, Parallel, Z or Shenandoah, got \"$collector\"" ;;
    esac
}

jvm_options() {
    headers=-
    [ "$compact" = off ] || headers=+
    options="-XX:ActiveProcessorCount=$cpus -Xms${initial}m -Xmx${heap}m -XX:MaxDirectMemorySize=${direct}m \
-XX:MaxMetaspaceSize=${metaspace}m -XX:ReservedCodeCacheSize=${code_cache}m $collected \
-XX:${headers}UseCompactObjectHeaders -Djdk.virtualThreadScheduler.parallelism=$parallelism \
-Djdk.nio.maxCachedBufferSize=262144 \
-XX:+ExitOnOutOfMemoryError --sun-misc-unsafe-memory-access=allow"
}

print_table() {
    row "CPUs" "$cpus" GATEWAY_CPUS "tier"
    row "memory" "$budget MiB" GATEWAY_MEMORY "$([ -n "$limited" ] && echo limit || echo "tier, no limit")"
    row "heap" "$heap MiB" GATEWAY_HEAP "$heap_share% of memory${GATEWAY_HEAP_SHARE:+, GATEWAY_HEAP_SHARE}"
    row "initial heap" "$initial MiB" GATEWAY_INITIAL_HEAP "a sixteenth of the heap"
    row "direct memory" "$direct MiB" GATEWAY_DIRECT_MEMORY "an eighth of memory"
    row "metaspace" "$metaspace MiB" GATEWAY_METASPACE "every tier"
    row "code cache" "$code_cache MiB" GATEWAY_CODE_CACHE "every tier"
    row "collector" "$collector" GATEWAY_COLLECTOR "every tier, role $role"
    row "region size" "$region MiB" GATEWAY_REGION_SIZE "tier"
    row "pause goal" "$pause ms" GATEWAY_PAUSE_GOAL "every tier"
    row "GC threads" "$parallel" GATEWAY_GC_THREADS "CPUs"
    row "concurrent GC threads" "$concurrent" GATEWAY_CONCURRENT_GC_THREADS "a quarter of GC threads"
    row "compact headers" "$compact" GATEWAY_COMPACT_HEADERS "every tier"
    row "scheduler parallelism" "$parallelism" GATEWAY_SCHEDULER_PARALLELISM "CPUs"
    row "IO threads" "$io_threads" GATEWAY_IO_THREADS "tier"
    row "requests in flight" "$requests" GATEWAY_REQUESTS_IN_FLIGHT "tier"
    row "open files" "$open_files" GATEWAY_OPEN_FILES "tier"
    row "connections" "$connections" GATEWAY_CONNECTIONS "open files"
    row "AOT cache" "$aot_cache" GATEWAY_AOT_CACHE "when there is one"
    printf 'gateway: tier %s (%s; %s: %s)\n%s' "$tier" "$chosen" "$version" \
        "$(in_words "$cpu_limit" "$memory_limit")" "$table" >&2
}

find_java() {
    for java in "${GATEWAY_JAVA:-}" "$home/java/bin/java" "${JAVA_HOME:+$JAVA_HOME/bin/java}"; do
        [ ! -x "$java" ] || return 0
    done
    java=java
}

# The gateway refuses variables it does not know, and these were for this script.
forget() {
    unset GATEWAY_CPUS GATEWAY_MEMORY GATEWAY_HEAP_SHARE GATEWAY_HEAP GATEWAY_INITIAL_HEAP GATEWAY_DIRECT_MEMORY \
        GATEWAY_METASPACE GATEWAY_CODE_CACHE GATEWAY_COLLECTOR GATEWAY_REGION_SIZE GATEWAY_PAUSE_GOAL GATEWAY_GC_THREADS \
        GATEWAY_CONCURRENT_GC_THREADS GATEWAY_COMPACT_HEADERS GATEWAY_SCHEDULER_PARALLELISM GATEWAY_OPEN_FILES \
        GATEWAY_AOT_CACHE GATEWAY_UNDERSIZED GATEWAY_CGROUP_ROOT GATEWAY_PROC_ROOT GATEWAY_JAVA GATEWAY_JAR \
        GATEWAY_DRY_RUN GATEWAY_JAVA_OPTS GATEWAY_ROLE
}

start() {
    find_java
    jar=${GATEWAY_JAR:-$home/gateway-app.jar}
    dry_run=${GATEWAY_DRY_RUN:-no}
    [ "$role" = gateway ] || set -- "$role" "$@"
    # shellcheck disable=SC2086 # options are words
    set -- $options ${GATEWAY_JAVA_OPTS:-} -jar "$jar" "$@"
    [ "$aot_cache" = off ] || set -- "-XX:AOTCache=$aot_cache" "$@"
    printf 'gateway: %s %s\n' "$java" "$*" >&2
    [ "$dry_run" != yes ] || exit 0
    forget
    export GATEWAY_TIER="$tier" GATEWAY_IO_THREADS="$io_threads" GATEWAY_REQUESTS_IN_FLIGHT="$requests"
    # Said only where they differ from what the gateway takes from its tier: a file of settings may name them, too.
    [ "$open_files" -ge "$tier_files" ] || export GATEWAY_CONNECTIONS="$connections" GATEWAY_WEB_SOCKETS="$web_sockets"
    exec "$java" "$@"
}

check_words
read_limits
override_limits
choose_tier
choose_values
check_values
limit_open_files
limit_connections
jvm_options
print_table
start "$@"
