"""What the reports compute and draw: percentiles, gathered rows, tables, plots, plans. `python3 -m unittest discover perf/load`."""
import http.server, io, json, os, re, shutil, tempfile, threading, unittest

import cache, charts, gateway, generators, machine, policies, processes, services, stats, tables
from bench import Target
from fitted import FITTED, Fitted
from lengths import LENGTHS
from processes import CannotMeasure
from progress import Progress

WRK = """Running 2s test @ http://127.0.0.1:1/
  1 threads and 100 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.54ms  812.00us  22.67ms   94.35%
    Req/Sec    66.43k     5.31k   78.17k    70.00%
  Latency Distribution
     50%    1.43ms
     75%    1.72ms
     90%    2.08ms
     99%    {p99}
  132437 requests in 2.00s, 30.18MB read
{more}Requests/sec:  66127.99
Transfer/sec:     15.07MB
"""
WRK2 = """  Latency Distribution (HdrHistogram - Recorded Latency)
 50.000%    1.05s
 75.000%    1.51s
 99.000%    2.00m
 99.900%    2.01m
  1000 requests in 10.00s, 30.18MB read
"""
OHA = """{"summary": {"total": 2.0, "requestsPerSec": 500.0}, "latencyPercentiles": {"p50": 0.001, "p99": 0.0125},
 "statusCodeDistribution": {"200": 990, "503": 10}, "errorDistribution": {"aborted due to deadline": 7, "connection closed": 2}}"""

SAFEPOINTS = """[1.2s][info][safepoint] Safepoint "ZMarkStartYoung", Time since last: 1200 ns, Reaching safepoint: 90 ns, At safepoint: 25000 ns, Leaving safepoint: 10 ns, Total: 25100 ns, Threads: 0 runnable, 20 total
[1.3s][info][safepoint] Safepoint "Cleanup", Time since last: 1200 ns, Reaching safepoint: 90 ns, At safepoint: 2 ns, Total: 9000000 ns
[1.4s][info][safepoint] Safepoint "G1CollectForAllocation", Time since last: 1200 ns, Reaching safepoint: 90 ns, At safepoint: 3400000 ns, Total: 3500000 ns
"""


def row(name, round, cpu_us, rps=100.0, **more):
    return {"name": name, "round": round, "cpu_us": cpu_us, "rps": rps, "p50": 1.0, "p99": 2.0, "bad": 0, "errors": 0, "requests": 10, **more}


class Stats(unittest.TestCase):
    def test_a_percentile_is_the_nearest_rank(self):
        values = list(range(1, 101))
        self.assertEqual([stats.percentile(values, share) for share in (0.5, 0.99, 1.0, 0.0)], [50, 99, 100, 1])
        self.assertEqual(stats.percentile([7], 0.99), 7)
        with self.assertRaises(ValueError):
            stats.percentile([], 0.5)

    def test_rows_are_gathered_by_medians_and_failures_summed(self):
        rows = [row("a", 0, 10, rps=90), row("a", 1, 30, rps=110, bad=3), row("b", 0, 5), row("a", 2, 20, rps=100)]
        gathered = stats.gather(rows, ("name",))
        self.assertEqual([each["name"] for each in gathered], ["a", "b"])
        self.assertEqual((gathered[0]["rps"], gathered[0]["cpu_us"], gathered[0]["bad"], gathered[0]["rounds"]), (100, 20, 3, 3))
        self.assertAlmostEqual(gathered[0]["spread"], 0.1)
        self.assertFalse(stats.is_valid(gathered[0]))
        self.assertTrue(stats.is_valid(gathered[1]))

    def test_what_was_not_measured_stays_out_of_a_gathered_row(self):
        self.assertNotIn("cpu_us", stats.gather([{**row("a", 0, None)}], ("name",))[0])

    def test_differences_and_ratios_are_taken_within_each_round(self):
        rows = [row("base", 0, 10), row("x", 0, 12), row("base", 1, 20), row("x", 1, 23), row("x", 2, 99)]
        self.assertEqual(stats.differences(rows, "base")["x"], [2, 3])
        self.assertEqual(stats.ratios(rows, "base")["x"], [1.2, 1.15])

    def test_replicas_are_rounded_up_with_one_to_spare(self):
        self.assertEqual([stats.replicas(rate, 1000, 0.65) for rate in (1, 650, 651, 6500)], [2, 2, 3, 11])


class Tables(unittest.TestCase):
    def test_a_table_has_a_head_a_line_and_rows_and_no_empty_last_column(self):
        self.assertEqual(tables.markdown(["a", ""], [[1, ""], ["x|y", ""]]), "| a |\n| --- |\n| 1 |\n| x\\|y |\n")
        self.assertIn("| 1 | no |", tables.markdown(["a", ""], [[1, "no"]]))

    def test_numbers_are_written_for_people(self):
        self.assertEqual([tables.count(1234567.8), tables.decimals(1.25, 2), tables.milliseconds(0.5), tables.percent(-0.051, sign=True)],
                         ["1,234,568", "1.25", "0.50 ms", "-5.1 %"])
        self.assertEqual(tables.interval([3, 1, 2]), "2.00 [1.00..3.00]")
        self.assertEqual(tables.count(None), "-")

    def test_failures_make_a_row_invalid_in_words(self):
        self.assertEqual(tables.failures(row("a", 0, 1)), "")
        self.assertEqual(tables.failures(row("a", 0, 1, bad=12, errors=1) | {"errors": 1}),
                         "**invalid**: 12 answers not 2xx, 1 broken connections")


class Charts(unittest.TestCase):
    def test_the_median_of_the_rounds_is_drawn_with_the_least_and_the_most(self):
        self.assertEqual(charts.bar("nginx", [3.0, 1.0, 2.0], "2 µs"),
                         {"name": "nginx", "value": 2.0, "low": 1.0, "high": 3.0, "words": "2 µs", "ours": False})

    def test_points_may_tell_what_they_varied_by(self):
        self.assertEqual(charts.lines("t", "connections", "ms", {"GET": [(100, 2.0, 1.5, 2.5), (250, 3.0)]})["lines"][0]["points"],
                         [{"x": 100, "y": 2.0, "low": 1.5, "high": 2.5}, {"x": 250, "y": 3.0}])


class Generators(unittest.TestCase):
    def test_wrk_is_read_with_its_failures(self):
        found = generators.read_wrk(WRK.format(p99="950.00us", more="  Socket errors: connect 0, read 2, write 0, timeout 1\n"
                                               "  Non-2xx or 3xx responses: 12\n"))
        self.assertEqual(found, generators.Found(132437, 2.0, 1.43, 0.95, 12, 3))
        self.assertEqual(generators.read_wrk(WRK.format(p99="3.10ms", more="")).bad, 0)

    def test_wrk2_is_read_likewise(self):
        self.assertEqual(generators.read_wrk(WRK2), generators.Found(1000, 10.0, 1050.0, 120000.0))

    def test_oha_is_read_and_what_the_end_cut_off_is_no_error(self):
        self.assertEqual(generators.read_oha(OHA), generators.Found(1000, 2.0, 1.0, 12.5, 10, 2))

    def test_what_cannot_be_read_is_told(self):
        for read in (generators.read_wrk, generators.read_fixed_rate):
            with self.assertRaises(CannotMeasure):
                read("unable to connect to 127.0.0.1:1 Connection refused")

    def test_headers_are_quoted_in_wrks_script(self):
        script = generators.lua(generators.REQUESTS["post-1k"].with_headers('X-A: say "hi"'))
        self.assertIn('wrk.headers["X-A"] = "say \\"hi\\""', script)
        self.assertIn('string.rep("x", 1024)', script)

    def test_a_body_is_quoted_in_wrks_script_and_sent_by_oha(self):
        request = generators.Request("POST", "POST", body='{"a": "\\n"}\n')
        self.assertIn('wrk.body = "{\\"a\\": \\"\\\\n\\"}\\n"\n', generators.lua(request))
        self.assertEqual(generators.Generator._oha(None, request, 1, 1)[-2:], ["-d", request.body])

    def test_numbers_in_paths_come_in_turn_or_never_twice(self):
        self.assertIn('string.format("/g%d/k", at % 1000)', generators.lua(cache.READ))
        missed, next_one = (generators.lua(cache.request(cache.MISS, number)) for number in (7, 8))
        self.assertIn('string.format("?s=7&n=%d", first + at)', missed)
        self.assertNotEqual(missed, next_one)

    @unittest.skipUnless(shutil.which("nginx"), "needs nginx on the PATH")
    def test_nginx_keeps_what_the_origin_answers_and_the_origin_says_that_it_still_holds(self):
        with processes.Processes() as started:
            origin = cache.origin(started, (0,))
            nginx, port = cache.caching(started, (0,), origin)
            self.assertEqual(processes.probe(f"http://127.0.0.1:{origin}/x", {"If-None-Match": '"1"'})[:3], "304")
            self.assertEqual([processes.probe(f"http://127.0.0.1:{port}/x") for _ in range(3)], ["200"] * 3)
            cache.fill(Target("nginx", f"http://127.0.0.1:{port}/x", None), generators.Request("GET", numbered=("?n=%d", 3)))
            kept = 5  # of / when it was started, of /x, and three; the last is named after its answer has left
            started.wait(nginx, lambda: sum(len(files) for _, _, files in os.walk(started.path("nginx-cache"))) == kept, f"{kept} files kept", 5)
            with self.assertRaises(CannotMeasure):
                cache.fill(Target("nginx", f"http://127.0.0.1:{port}/x", None), generators.Request("GET", headers=("Content-Length: x",), numbered=("?n=%d", 1)))

    def test_pauses_are_read_from_the_jvms_safepoints_those_for_collections_alone(self):
        with tempfile.NamedTemporaryFile("w") as log:
            log.write(SAFEPOINTS)
            log.flush()
            self.assertEqual(cache.read_pauses(log.name), [0.0251, 3.5])


class Policies(unittest.TestCase):
    def test_those_that_are_fitted_have_pages_and_name_their_resources(self):
        examples = policies.pages()
        for name, fitted in FITTED.items():
            policy = fitted.policy or examples[name]
            self.assertEqual(policy["type"], name)
            for id in re.findall(r'"resource": "(.*?)"', json.dumps(policy)):
                self.assertIn(id, fitted.resources)

    def test_the_route_without_is_asked_beside_those_that_are_sent_anything_of_their_own(self):
        self.assertEqual([Fitted().is_usual(), Fitted(headers=("X: 1",)).is_usual(), Fitted(body="x").is_usual(), Fitted(connections=50).is_usual()],
                         [True, False, False, False])


class Plans(unittest.TestCase):
    def test_a_tier_gets_cores_and_the_load_the_rest(self):
        self.assertEqual(machine.place("W1", (0, 1), 8 * 10**9), machine.Placement((0,), (1,), False))
        self.assertEqual(machine.place("W2", (0, 1), 8 * 10**9), machine.Placement((0, 1), (1,), True))
        self.assertEqual(machine.place("W2", tuple(range(8)), 8 * 10**9), machine.Placement((0, 1), (2, 3, 4, 5, 6, 7), False))

    def test_a_tier_that_the_machine_cannot_hold_is_left_out_with_the_reason(self):
        self.assertEqual(machine.place("W4", (0, 1), 64 * 10**9), "needs 4 CPUs, this machine gives 2")
        self.assertIn("needs 4,000 MB", machine.place("W1", (0, 1), 3 * 10**9))

    def test_a_command_is_told_without_folders_and_passwords(self):
        import run
        self.assertEqual(run.told_command(["--only", "peers", "--out", "/tmp/x", "--elasticsearch-user=a:b", "--tiers", "W1", "--elasticsearch", "http://h"]),
                         "perf/run --only peers --tiers W1")

        self.assertEqual(run.told_command(["--set", "GATEWAY_STORE=redis://:secret@h", "--set=GATEWAY_ADMIN_TOKEN=secret", "--set", "GATEWAY_IO_THREADS=2"]),
                         "perf/run --set GATEWAY_STORE=... --set=GATEWAY_ADMIN_TOKEN=... --set GATEWAY_IO_THREADS=2")

    def test_an_elasticsearch_that_is_not_there_is_told_before_anything_is_measured(self):
        with self.assertRaisesRegex(CannotMeasure, "Elasticsearch at http://127.0.0.1:1: "):
            services.Elasticsearch(None, (), "http://127.0.0.1:1")

    def test_lengths_keep_to_what_is_promised(self):
        import run
        for name, least, most in (("smoke", 10, 60), ("quick", 120, 200), ("default", 600, 1900), ("full", 3600, 6 * 3600)):
            length = LENGTHS[name]
            tiers = [tier for tier in length.tiers if tier in ("W1", "W2")]
            chosen = [(part, tier) for tier in tiers for part in length.parts if part in run.EVERY_TIER or tier == "W1"]
            total = sum(run.planned(part, tier, length, chosen) for part, tier in chosen)
            self.assertTrue(least <= total <= most, f"{name} takes {total} s")

    def test_settings_of_a_member_are_tried_by_both_words_together(self):
        import run
        chosen = [run.choose(run.arguments(words), LENGTHS["quick"])[0] for words in (["--tune"], ["--cache"], ["--tune", "--cache"], ["--only", "tune-cache"])]
        self.assertEqual(chosen, [[("tune", "W1")], [("cache", "W1")], [("tune-cache", "W1")], [("tune-cache", "W1")]])

    def test_the_members_of_the_capacity_guide_take_what_their_tiers_give(self):
        with open(f"{processes.ROOT}/docs/cache-component.md") as page, open(f"{processes.ROOT}/docker/entrypoint.sh") as script:
            told, tiers = page.read(), script.read()
        for tier, (_, memory) in machine.TIERS.items():
            share = int(re.search(rf"{tier}\) set -- \d+ \d+ \d+ \d+ (\d+) ", tiers).group(1))
            heap = memory // 2**20 * share // 100
            most = heap * 0.4 * 7 / 8
            row = next(line for line in told.splitlines() if line.startswith("| W") and tier in line.split("|")[1].replace(",", "").split())
            self.assertEqual([int(cell.strip().removesuffix(" MiB").replace(",", "")) for cell in row.split("|")[2:6]],
                             [heap, round(most), round(most * 3 / 2), round(most)])

    def test_warming_up_ends_when_three_figures_in_a_row_are_no_better(self):
        from bench import Settling
        settling, seen = Settling(least=10, most=100), []
        for figure in (358, 248, 176, 107, 83, 41, 40, 45, 34, 38, 33, 33, 31, 30):
            if settling.done:
                break
            settling.take(4, figure)
            seen.append(figure)
        self.assertEqual(seen[-1], 33)
        self.assertEqual(len(seen), 12)

    def test_warming_up_ends_at_the_most_though_figures_fall(self):
        from bench import Settling
        settling, passes = Settling(least=10, most=30), 0
        while not settling.done:
            settling.take(10, 100 / (passes + 1))
            passes += 1
        self.assertEqual(passes, 3)

    def test_no_setting_is_always_the_first_of_its_round(self):
        import tune
        rounds = [[name for name, _ in tune.in_turn(dict.fromkeys("abcde"), number, 3)] for number in range(3)]
        self.assertEqual(["".join(names) for names in rounds], ["abcde", "bcdea", "deabc"])

    def test_the_time_left_is_the_plan_stretched_by_what_was_seen(self):
        clock = [0.0]
        progress = Progress(100, io.StringIO(), lambda: clock[0])
        self.assertEqual(progress.left(), 100)
        with progress.spend("a", 50):
            clock[0] = 100.0
        self.assertEqual(progress.left(), 100)
        self.assertEqual(progress.out.getvalue(), "[1:40 left] a\n")


REFUSED = """gateway: tier W1
[0.016s][warning][aot] Unable to use AOT cache.
[                    ] The AOT cache's setting does not equal the current setting.
[0.016s][error  ][aot] An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.
[0.016s][error  ][aot] Loading static archive failed.
[0.016s][error  ][aot] Unable to map shared spaces
"""
GONE = """[0.053s][error  ][aot] An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.
[0.053s][error  ][aot] shared class paths mismatch
"""


class BusyServer(http.server.BaseHTTPRequestHandler):
    """Answers 429 so many times, then a count."""
    refusals = 0

    def do_GET(self):
        type(self).refusals -= not self.path.startswith("/_nodes")
        asked_version = self.path.startswith("/_nodes")
        body = b'{"nodes": {"a": {"version": "9"}}}' if asked_version else b'{"count": 7}'
        self.send_response(429 if type(self).refusals >= 0 and not asked_version else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Documents(unittest.TestCase):
    def asked(self, refusals, patience):
        BusyServer.refusals = refusals
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), BusyServer) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                return services.Elasticsearch(None, (), f"http://127.0.0.1:{server.server_port}").documents("logs", patience)
            finally:
                server.shutdown()

    def test_a_server_that_has_too_much_to_do_is_asked_again(self):
        self.assertEqual(self.asked(1, 30), 7)

    def test_one_that_stays_busy_costs_the_count_and_not_the_measurement(self):
        self.assertIsNone(self.asked(1000, 0))


class Staleness(unittest.TestCase):
    def test_a_refused_aot_cache_is_found_in_the_log_with_its_reason(self):
        self.assertEqual(gateway.aot_refusal(REFUSED), "The AOT cache's setting does not equal the current setting.")
        self.assertEqual(gateway.aot_refusal(GONE), "shared class paths mismatch")
        self.assertEqual(gateway.aot_refusal("[1s][error][aot] Unable to map shared spaces\n"), "the JVM does not say why")
        self.assertIsNone(gateway.aot_refusal("gateway: java -XX:AOTCache=gateway.aot -jar gateway-app.jar\n"))

    def test_a_source_newer_than_the_jar_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/deep")
            open(f"{folder}/deep/A.java", "w").close()
            os.utime(f"{folder}/deep/A.java", (1000, 1000))
            self.assertIsNone(gateway.newer_than(1000, folder))
            self.assertEqual(gateway.newer_than(999, folder, f"{folder}/none"), f"{folder}/deep/A.java")

    def test_a_commit_is_named_or_unknown(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(machine.commit(folder), "unknown")


if __name__ == "__main__":
    unittest.main()
