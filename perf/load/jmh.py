"""Part: the JMH benchmarks of perf/jmh that tell what the steps of a pipeline cost, where their jar has been built."""
import json, os, subprocess

from gateway import find_jdk
from machine import online
from processes import ROOT, CannotMeasure, cores

JAR = f"{ROOT}/perf/jmh/target/benchmarks.jar"
FORK = 25  # seconds a benchmark, with the iterations below


def seconds(length):
    return 4 * FORK if os.path.exists(JAR) else 1


def measure(bench, tier):
    if not os.path.exists(JAR):
        return {"rows": [], "left_out": "perf/jmh/target/benchmarks.jar is not built: mvn -Pjmh -DskipTests package"}
    os.makedirs(bench.out, exist_ok=True)
    result = f"{bench.out}/jmh-raw.json"
    with bench.progress.spend("JMH: PipelineBenchmark", 4 * FORK):
        done = subprocess.run(["taskset", "-c", cores(online()[:1]), f"{find_jdk()}/bin/java", "-jar", JAR, "PipelineBenchmark", "-f", "1",
                               "-wi", "3", "-w", "2s", "-i", "3", "-r", "2s", "-prof", "gc", "-rf", "json", "-rff", result],
                              capture_output=True, text=True, cwd=bench.out)
    if done.returncode or not os.path.exists(result):
        raise CannotMeasure(f"JMH ended with {done.returncode}: {done.stdout[-400:]}")
    with open(result) as file:
        rows = [_row(found) for found in json.load(file)]
    os.remove(result)
    return {"rows": rows}


def _row(found):
    metric, params = found["primaryMetric"], found.get("params") or {}
    allocated = next((m["score"] for n, m in found.get("secondaryMetrics", {}).items() if n.endswith("alloc.rate.norm")), None)
    error = metric["scoreError"]
    return {"name": found["benchmark"].rsplit(".", 1)[1] + "".join(f", {key} {value}" for key, value in params.items()),
            "score": metric["score"], "error": error if isinstance(error, float) else None, "unit": metric["scoreUnit"], "bytes": allocated}
