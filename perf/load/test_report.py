"""The report is whole for whatever has been measured, and says what is invalid, contended or left out."""
import json, os, tempfile, unittest

import readme, report, sections_cache
from processes import CannotMeasure

ROW = {"p50": 1.0, "p99": 2.5, "errors": 0, "requests": 100, "cpu_us": 16.0, "load": 0.1}
PART = {"length": "default", "began": 0.0, "minutes": 1.0, "load_before": 0.1, "load_after": 1.0, "others": 0.01, "stolen": 0.0, "settings": {}, "notes": ["W1 is held"]}
CORES = {"W1": {"gateway": [0], "load": [1]}, "W2": {"gateway": [0, 1], "load": [1]}}
JVM = {"heap_used": 50.0, "heap_max": 1144.0, "rss": 250, "peak_threads": 18, "blocked": 0, "collections": {"G1 young": {"count": 5, "ms": 12.0}}}
MACHINE = {"cpu": "a CPU", "virtual": True, "cpus": 2, "memory_mb": 8000, "kernel": "6", "java": "25", "tools": {"nginx": "1.22"}}


def rows(bad=0):
    found = [{"name": "upstream alone", "request": "GET", "connections": 100, "round": 0, "rps": 150000.0, "bad": 0, **ROW, "cpu_us": None}]
    for connections in (100, 500):
        for mode, name, rps in (("off", "ES Off", 60000.0), ("on", "ES On", 54000.0)):
            found.append({"name": name, "mode": mode, "request": "GET", "connections": connections, "round": 0, "rps": rps + connections,
                          "bad": bad if connections == 500 else 0, **ROW})
    return found


def throughput(bad=0):
    sample = {"request": "GET", "connections": 100, "round": 0, "caught_up": 2.5, "accepted": 1000, "indexed": 600, "dropped": 0, "rejected": 0}
    return {"rows": rows(bad), "traffic": [sample, {**sample, "caught_up": None}], "diagnostics": {"off": JVM, "on": JVM}, "documents": 2000, "admits": 256,
            "elasticsearch": "9"}


def latency():
    times = {"p90": 1.0, "p999": 4.0, "max": 6.0, "lagP50": 0.02, "lagP99": 0.2, "cpu_share": 0.8, "generator_cpu": 1.0}
    return {"rows": [{"name": name, "mode": mode, "share": 0.8, "peak": 60000, "round": 0, "request": "GET", "connections": 100,
                      "wanted": 48000.0, "rps": 30000.0, "bad": 0, **ROW, **times} for name, mode in (("upstream alone", "direct"), ("ES Off", "off"))]}


def side(*names):
    return [{"name": name, "request": "GET", "connections": 100, "round": number, "rps": 1000.0, "bad": 0, **ROW, "cpu_us": 10.0 + number + index}
            for number in range(2) for index, name in enumerate(names)]


EVERY = {
    "policies": {"rows": [{**row, "request": "POST", "connections": 50} if "xslt" in row["name"] else row for row in
                          side("no policy", "no policy again", "no policy, beside cors", "cors", "no policy, beside xslt", "xslt")],
                 "left_out": {"oidc": "answered 401"}},
    "peers": {"rows": side("nginx", "gateway"), "left_out": {"Envoy": "not installed"}, "rss": {"nginx": 10, "gateway": 250}},
    "stores": {"rows": [{**row, "redis_us": 5.0} for row in side("embedded", "Redis, exact")], "clients": 10,
               "memory": [{"name": "embedded", "heap_bytes": 400.0, "redis_bytes": None, "bad": 0, "errors": 0}]},
    "cache": {"rows": side("no policy", "hit", "miss, kept", "nginx, hit"), "left_out": {"Varnish, hit": "varnishd is not installed"},
              "members": [{**row, "name": "component, ZGC", "request": request, "rps": rps} for row in side("component, ZGC")
                          for request, rps in (("PUT 1 KB", 14000.0), ("GET 1 KB", 18000.0))],
              "fixed": [{**row, "wanted": 1000.0} for row in side("hit")], "pauses": {"component, ZGC": [0.02, 0.04, 0.06], "component, G1": []}},
    "footprint": {"idle": {"rss": 100, "heap": 9.0}, "loaded": {"rss": 200, "heap": 12.0},
                  "starts": [{"aot": aot, "cpu": 0.9, "wall": 1.2, "rss": 99} for aot in (True, False)]},
    "jmh": {"rows": [{"name": "none", "score": 15.6, "error": 0.3, "unit": "ns/op", "bytes": 112.0}]},
    "tune": {"rows": [{**row, "gc_share": 0.01} for row in side("as the tier", "Serial")], "fixed": side("as the tier", "Serial"),
             "diagnostics": {"as the tier": JVM, "Serial": JVM}, "starts": {name: {"cpu": 1.0, "wall": 1.0, "rss": 99} for name in ("as the tier", "Serial")},
             "left_out": {"heap share 65 %": "more than there is"}, "peak": 60000.0},
    "tune-cache": {"rows": [{**row, "request": request} for row in side("as the tier", "G1", "1 operation threads") for request in ("PUT 1 KB", "GET 1 KB")],
                   "pauses": {"as the tier": [0.02], "G1": [3.0, 5.5], "1 operation threads": []}, "left_out": {"Parallel": "it does not start"}},
}


class Readme(unittest.TestCase):
    def test_figures_come_out_of_one_run_and_rows_with_failures_are_left_out(self):
        failed = [{**row, "name": "HAProxy", "bad": 3} for row in side("nginx")]
        parts = {"throughput": throughput(), "peers": {**EVERY["peers"], "rows": side("nginx", "gateway") + failed}, "stores": EVERY["stores"]}
        text = readme.figures("perf/results/x", {part: {**data, "began": 0.0, "commit": "abc1234"} for part, data in parts.items()})
        self.assertIn("| gateway | 1.10 [1.09..1.10] | 1,000 |", text)
        self.assertIn("1970-01-01, commit abc1234, tier W1", text)
        self.assertIn("| Redis, exact | 11.5 µs | 1,000 |", text)
        self.assertIn("60,500 GETs a second with the traffic log off", text)
        self.assertNotIn("HAProxy", text)


class Report(unittest.TestCase):
    def write(self, parts):
        with tempfile.TemporaryDirectory() as out:
            report.remember(out, {"machine": MACHINE, "left_out": {"W4": "needs 4 CPUs"}, "command": "perf/run", "commit": "abc1234"})
            for (part, tier), data in parts.items():
                with open(f"{out}/{part}-{tier}.json", "w") as file:
                    json.dump({"part": part, "tier": tier, **PART, "contended": tier == "W2", "cores": CORES[tier], **data}, file)
            with open(report.write(out)) as file:
                return file.read(), sorted(name for name in os.listdir(out) if name.endswith(".svg"))

    def test_every_part_has_its_section_and_its_plots(self):
        text, plots = self.write({("throughput", "W1"): throughput(), ("latency", "W1"): latency(),
                                  **{(part, "W1"): data for part, data in EVERY.items()}})
        for title in (*report.PER_TIER, *report.ALONE, "Settings of W1", "Settings of a member of the cache component, W1"):
            self.assertIn(f"## {title}\n", text)
        self.assertEqual(plots, ["cache.svg", "peers.svg", "policies.svg", "w1-p99.svg", "w1-rps.svg"])
        for plot in plots:
            self.assertIn(f"({plot})", text)
        self.assertIn("**Left out:** W4 needs 4 CPUs.", text)
        self.assertIn("| G1 | GET 1 KB | 1,000 | 1.00 [1.00..1.00] | 2.50 ms | 11.5 µs | 1.10 [1.09..1.10] | 2 | 5.50 ms |", text)
        self.assertIn("Not measured: Parallel (it does not start).", text)
        self.assertRegex(text, r"\| `cors` \| 1,000 \| [\d.]+ µs \| 3.00 \[3.00..3.00\] µs \| 1.00 \[1.00..1.00\] µs \|")
        self.assertIn("| `xslt` (POST, 50 connections) | 1,000 | 15.5 µs | 5.00 [5.00..5.00] µs | 1.00 [1.00..1.00] µs |", text)
        self.assertIn("Not measured: oidc (answered 401).", text)
        self.assertIn("Not measured: Varnish, hit (varnishd is not installed).", text)
        self.assertIn("| component, ZGC | 3 | 0.04 ms | 0.06 ms | 0.12 ms |", text)
        self.assertIn("| component, G1 | 0 | - | - | 0.00 ms |", text)
        self.assertIn("**the rate was not reached**", text)
        self.assertIn("36.9 times the reference's", text)
        self.assertIn("| W1 | GET | upstream alone | 80% | 48,000 | 30,000 |", text)

    def test_the_goals_stand_first_beside_the_reference(self):
        text, _ = self.write({("throughput", "W1"): throughput(), ("latency", "W1"): latency(), ("footprint", "W1"): EVERY["footprint"]})
        self.assertIn("## Goals\n\n| W1 | reference | here | goal |  |\n", text)
        self.assertIn("| GET, ES Off, requests/s | 1,638 | 60,500 (36.9 times) | 15 times | reached |", text)
        self.assertIn("| ES On against ES Off, requests/s | - | -10.0 %, at worst -10.0 % | at most -5 % | **missed** |", text)
        self.assertIn("| P99 at 80 % of the peak, GET, ES Off | - | 2.50 ms | under 5 ms | **missed** |", text)  # 30,000 of 48,000 came
        self.assertIn("| resident at rest | - | 104 [104..104] MB | under 200 MB | reached |", text)
        self.assertNotIn("GET, upstream alone", text)
        self.assertNotIn("## Goals", self.write({("peers", "W1"): EVERY["peers"]})[0])

    def test_members_are_counted_from_what_one_carries(self):
        text, _ = self.write({("cache", "W1"): EVERY["cache"]})
        self.assertIn("| GET 1 KB | 18,000 | 3 | 6 | 10 |", text)
        self.assertEqual(sections_cache.needed(1, 17000), 3)

    def test_the_caches_goals_are_judged_by_ratios_of_sound_rounds_alone(self):
        spoilt = [{**row, "bad": 9, "cpu_us": 900.0} if (row["name"], row["round"]) == ("hit", 1) else row for row in EVERY["cache"]["rows"]]
        text, _ = self.write({("cache", "W1"): {**EVERY["cache"], "rows": spoilt}})
        self.assertIn("| cache, a hit's CPU time over that of a request without policies | - | 1.10 [1.10..1.10] | at most 0.75 | **missed** |", text)
        self.assertIn("| cache, a hit's CPU time over that of a hit of nginx | - | 0.85 [0.85..0.85] | at most 1.3 | reached |", text)
        self.assertIn("| cache, a miss of 1 KB that is kept, over no policy | - | 2.00 [2.00..2.00] µs | at most 3 µs more | reached |", text)
        self.assertIn("| cache component, GET 1 KB, requests/s | 2,169 | 18,000 (8.3 times) | at least 17,000 | reached |", text)
        self.assertIn("| cache component, PUT 1 KB, requests/s | 1,974 | 14,000 (7.1 times) | at least 15,000 | **missed** |", text)

    def test_rows_with_failures_are_shown_as_invalid_and_give_no_peak(self):
        text, _ = self.write({("throughput", "W1"): throughput(bad=7)})
        self.assertIn("**invalid**: 7 answers not 2xx", text)
        self.assertIn("| W1 | GET | 150,000 | 60,100 | 100 |", text)
        self.assertIn("W1 lets 256 requests be in flight and four times as many wait", text)

    def test_a_short_run_asks_for_answers_of_whatever_is_sampled(self):
        with tempfile.TemporaryDirectory() as out:
            for part, data in (("throughput", {"rows": [{"name": "ES Off", "requests": 5, "bad": 5}]}), ("footprint", EVERY["footprint"])):
                with open(f"{out}/{part}-W1.json", "w") as file:
                    json.dump({"part": part, "tier": "W1", **data}, file)
            with self.assertRaisesRegex(CannotMeasure, "throughput W1, ES Off: 5 answers, 5 of them not 2xx"):
                report.require_answers(out)
            os.remove(f"{out}/throughput-W1.json")
            report.require_answers(out)

    def test_a_busy_machine_is_warned_of(self):
        self.assertNotIn("busy", self.write({("throughput", "W1"): throughput()})[0])
        self.assertIn("busy with other things (throughput W1)", self.write({("throughput", "W1"): {**throughput(), "others": 0.3}})[0])

    def test_tiers_run_apart_are_merged_and_contention_is_named(self):
        text, _ = self.write({("throughput", "W1"): throughput(), ("throughput", "W2"): throughput()})
        self.assertIn("| W2 (contended) | GET |", text)
        self.assertIn("tells nothing of scaling", text)


    def test_commits_of_all_runs_into_a_folder_are_named(self):
        with tempfile.TemporaryDirectory() as out:
            for commit in ("abc1234", "def5678 with changes", "abc1234"):
                report.remember(out, {"machine": MACHINE, "left_out": {}, "command": "perf/run", "commit": commit})
            with open(f"{out}/run.json") as file:
                told = json.load(file)
        self.assertEqual(told["commits"], ["abc1234", "def5678 with changes"])
        self.assertIn("Commit: abc1234, def5678 with changes.", report.head(told, {"throughput": {"W1": {**PART, **throughput(), "cores": CORES["W1"],
                                                                                                      "contended": False}}}))

    def test_a_start_without_its_aot_cache_is_marked(self):
        refused = {"cpu": 0.9, "wall": 1.2, "rss": 99, "without_aot": "another JVM"}
        footprint = {**EVERY["footprint"], "starts": [{"aot": True, **refused}]}
        tune = {**EVERY["tune"], "starts": {**EVERY["tune"]["starts"], "Serial": refused}}
        text, _ = self.write({("footprint", "W1"): footprint, ("tune", "W1"): tune})
        self.assertIn("| on, **refused in 1** | 1 |", text)
        self.assertIn("| Serial (AOT cache refused) |", text)
        self.assertIn("| as the tier | 1,000 |", text)


if __name__ == "__main__":
    unittest.main()
