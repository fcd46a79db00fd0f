"""What perf/chaos judges by, and that its attackers and good clients do what they say. `python3 -m unittest discover perf/load`."""
import asyncio, os, socket, tempfile, threading, time, unittest, unittest.mock, xml.dom.minidom

import attacks, callers, chaos, chaos_page, chaos_rig, chaos_verdict, clients, frames
from attacks import heads
from attacks.attack import Attack
from attacks.link import Place
from attacks.swarm import Swarm

W1_CONNECTIONS = 16384


def kind(p99, direct=False, failures=None):
    return {"requests": 1000, "p50": 0.5, "p99": p99, "failures": failures or {}}


def phase(p99, direct=1.0, failures=None):
    return {**{name: kind(p99) for name in chaos_verdict.KINDS_TOLD}, "get": kind(p99, failures=failures), callers.DIRECT: kind(direct)}


def round_of(quiet, attacked, direct=1.0, failures=None):
    return {"quiet": phase(quiet), "attack": phase(attacked, direct, failures)}


def sample(second, **more):
    return {"at": 100.0 + second, "second": float(second), "round": 0, "rss": 500.0, "live": 200, "live took": 0.01, "ready": 200, "ready took": 0.01,
            "heap": 100.0, "committed": 400.0, "direct": 20.0, "outside": 100.0, "connections": 10, "in flight": 1, "waiting": 0, "sockets": 0, "refused": 0,
            **more}


def told(rounds, **more):
    return {"deaths": [], "samples": [sample(second) for second in range(30)], "live": [50.0, 51.0, 52.0],
            "recoveries": [{"answer": 0.5, "empty": 3.0, "left": ""}], "rounds": rounds, **more}


class Verdicts(unittest.TestCase):
    def verdict(self, found, name):
        return next(each for each in chaos_verdict.verdicts(found) if each.name == name)

    def test_p99_may_double_by_the_median_of_the_rounds(self):
        rounds = [round_of(1.0, beside) for beside in (1.5, 9.0, 2.0, 1.9, 8.0)]

        self.assertTrue(self.verdict(told(rounds), "p99 of all good clients").passed)
        self.assertFalse(self.verdict(told(rounds + [round_of(1.0, 2.5)] * 2), "p99 of all good clients").passed)

    def test_rounds_in_which_the_upstream_alone_is_slow_count_for_nothing(self):
        slow, good = round_of(1.0, 50.0, direct=5.1), round_of(1.0, 1.5, direct=4.9)

        self.assertTrue(self.verdict(told([slow, slow, good, good, good]), "p99 of all good clients").passed)
        invalid = self.verdict(told([slow, slow, slow, good, good]), "p99 of all good clients")
        self.assertIsNone(invalid.passed)
        self.assertIn("invalid", invalid.seen)

    def test_each_kind_of_client_is_judged(self):
        found = round_of(1.0, 1.5)
        found["attack"]["tls"] = kind(3.0)

        self.assertEqual([each.name for each in chaos_verdict.verdicts(told([found])) if each.passed is False], ["p99 of GET over TLS"])

    def test_what_was_not_answered_well_counts_and_is_told(self):
        few, many = round_of(1.0, 1.0, failures={"503": 1}), round_of(1.0, 1.0, failures={"503": 40, "no connection": 2})

        self.assertTrue(self.verdict(told([few]), "failed requests of good clients").passed)
        judged = self.verdict(told([many]), "failed requests of good clients")
        self.assertFalse(judged.passed)
        self.assertIn("get: 503 40", judged.seen)

    def test_memory_is_flat_when_the_last_third_is_little_above_the_first(self):
        self.assertTrue(chaos_verdict.is_flat("direct", [100, 150, 100, 100, 181, 90]))
        self.assertFalse(chaos_verdict.is_flat("direct", [100, 150, 100, 100, 182, 90]))
        self.assertEqual(chaos_verdict.thirds([1, 2, 9, 3, 4, 5, 6]), (2, 6))

    def test_memory_that_grows_or_nears_the_limit_is_no_pass(self):
        growing = told([], samples=[sample(second, direct=20.0 + 2 * second) for second in range(60)])
        large = told([], samples=[sample(second, rss=1908.0) for second in range(3)])

        self.assertFalse(self.verdict(growing, "direct memory").passed)
        self.assertFalse(self.verdict(large, "resident memory").passed)
        self.assertTrue(self.verdict(told([]), "resident outside of the heap").passed)

    def test_the_beginning_of_an_attack_fills_buffers_and_is_left_out(self):
        self.assertEqual(chaos_verdict.settled(list(range(10))), list(range(2, 10)))

    def test_health_has_to_answer_and_live_to_be_200(self):
        silent, unready = sample(1, live=None), sample(1, ready=503)

        self.assertFalse(self.verdict(told([], samples=[silent]), "health").passed)
        self.assertTrue(self.verdict(told([], samples=[unready]), "health").passed)
        self.assertIn("1 times not ready", self.verdict(told([], samples=[unready]), "health").seen)

    def test_a_recovery_has_its_deadlines_and_says_what_is_left(self):
        self.assertTrue(chaos_verdict.recovery([{"answer": 5.0, "empty": 60.0, "left": ""}]).passed)
        never = chaos_verdict.recovery([{"answer": 0.1, "empty": None, "left": "connections 9"}])
        self.assertEqual((never.passed, "connections 9" in never.seen), (False, True))

    def test_a_death_fails_and_what_could_not_be_told_is_no_success(self):
        self.assertEqual(chaos_verdict.exit_code([chaos_verdict.up(["died"]), chaos_verdict.recovery([])]), 1)
        self.assertEqual(chaos_verdict.exit_code([chaos_verdict.up([]), chaos_verdict.recovery([])]), 3)
        self.assertEqual(chaos_verdict.exit_code([chaos_verdict.up([])]), 0)

    def test_a_stall_is_the_longest_run_of_seconds_in_which_nobody_was_served(self):
        self.assertEqual(chaos_verdict.longest_stall([(0, 9, 1, 2), (1, 9, 1000, 2), (2, 9, 3000, 2), (3, 9, 1, 2), (4, 9, 5000, 2)]), 2)


class Answers(unittest.TestCase):
    def test_an_unanswered_request_counts_as_one_that_took_the_whole_deadline(self):
        seen = clients.Kind("get", 100, 1, None, 0.0)
        for number in range(98):
            seen.answer(number / 100, number / 100 + 0.001)
        seen.fail(0.5, "503")
        seen.fail(0.6, "reset")
        seen.fail(7.0, "after the end")

        found = clients.told(seen, 0.0, 2.0)

        self.assertEqual((found["requests"], found["failures"]), (100, {"503": 1, "reset": 1}))
        self.assertEqual(chaos_verdict.summary({"get": found, callers.DIRECT: found})["all"]["p99"], clients.DEADLINE * 1000)

    def test_the_upstream_alone_is_not_among_the_good_clients(self):
        one = {"requests": 1, "failures": {}, "latencies": [1.0], "seconds": []}
        slow = {"requests": 1, "failures": {"reset": 1}, "latencies": [900.0], "seconds": []}

        found = chaos_verdict.summary({"get": one, callers.DIRECT: slow})

        self.assertEqual((found["all"]["p99"], found["all"]["failures"], found[callers.DIRECT]["p99"]), (1.0, {}, 900.0))

    def test_the_shares_of_the_kinds_make_one(self):
        self.assertAlmostEqual(sum(each.share for each in callers.KINDS), 1.0)


class Frames(unittest.TestCase):
    def test_frames_are_read_in_whatever_pieces_they_come(self):
        sent = frames.settings({frames.INITIAL_WINDOW: 7}) + frames.frame(frames.DATA, frames.END_STREAM, 3, b"abc")
        reader = frames.Frames()

        found = [each for byte in sent for each in reader.of(bytes([byte]))]

        self.assertEqual(found, [(frames.SETTINGS, 0, 0, b"\x00\x04\x00\x00\x00\x07"), (frames.DATA, frames.END_STREAM, 3, b"abc")])

    def test_statuses_are_read_as_the_gateway_writes_them(self):
        self.assertEqual([frames.status(each) for each in (b"\x88", b"\x8d\x00", b"\x08\x03503", b"\x20\x88", b"", b"\x40\x01a")],
                         [200, 404, 503, 200, None, None])

    def test_long_values_have_lengths_of_several_bytes(self):
        section = frames.fields("GET", "/" + "a" * 299, "h")

        self.assertIn(b"\x04\x7f\xad\x01/aaa", section)

    def test_errors_are_told_by_their_names(self):
        self.assertEqual(frames.error(b"\x00\x00\x00\x07\x00\x00\x00\x0b", 4), "ENHANCE_YOUR_CALM")


class Attacks(unittest.TestCase):
    def test_all_at_once_stay_within_the_connections_of_the_tier(self):
        good = sum(each.connections for each in callers.KINDS)

        self.assertLess(sum(each.connections for each in attacks.FOUND.values()) + good, W1_CONNECTIONS)

    def test_each_says_what_it_is(self):
        for each in attacks.FOUND.values():
            self.assertTrue(each.what and each.name.startswith(each.family), each.name)

    def test_they_are_chosen_by_name_and_by_family(self):
        self.assertEqual([each.name for each in attacks.chosen(["places-posts", "admin"])], ["admin-bombs", "places-posts"])
        self.assertEqual(len(attacks.chosen([])), len(attacks.FOUND))
        with self.assertRaisesRegex(ValueError, "no such attack: tsl"):
            attacks.chosen(["tsl"])

    def test_heads_are_as_large_as_they_may_be_and_have_no_end(self):
        names = heads.QUERY.split(b"?", 1)[1].split(b"&")

        self.assertEqual(len(set(names)), len(names))
        self.assertTrue(16_000 < len(heads.QUERY) <= heads.LINE and 31_000 < len(heads.FIELDS) <= heads.HEAD)
        self.assertFalse([each for each in (heads.QUERY, heads.FIELDS, heads.TINY, heads.COOKIES) if b"\r\n\r\n" in each])

    def test_a_swarm_renews_what_ends_and_counts_what_it_met(self):
        with Server(b"HTTP/1.1 503 no\r\n\r\n") as server:
            async def life(link):
                await link.connect()
                await link.send(b"x")
                await link.until_closed()
            swarm = Swarm(Attack("test", "test", "", 2, 100.0, life), Place(server.port, 0, 0), 9)

            found = asyncio.run(swarm.run(0.5))

        self.assertGreater(found["counted"]["connections"], 2)
        self.assertGreater(found["counted"]["503"], 2)
        self.assertEqual({peer[0] for peer in server.peers}, {"127.0.9.2", "127.0.9.3"})

    def test_one_client_is_one_address(self):
        swarm = Swarm(Attack("test", "test", "", 1, 1.0, None), None, 9, one_client=True)

        self.assertEqual({swarm.source(number) for number in range(300)}, {"127.0.9.2"})


class Server:
    """Says the same to each connection and closes it."""

    def __init__(self, answer):
        self.answer, self.peers, self.socket = answer, [], socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()

    def serve(self):
        while True:
            try:
                link, peer = self.socket.accept()
            except OSError:
                return
            self.peers.append(peer)
            link.recv(1000)
            link.sendall(self.answer)
            link.close()


LASTED = 0.295  # seconds, in which 30 requests begin at 100 a second: the next is not due by any rounding


class GoodClients(unittest.TestCase):
    def drive(self, answer):
        with Server(answer) as server:
            begin = time.monotonic()
            made = clients.Clients([("new", 100.0, 0, lambda: callers.Caller(server.port, b"GET"))], begin)
            made.run(begin + LASTED)
            return clients.told(made.kinds[0], begin, begin + LASTED)

    def test_each_request_has_a_connection_and_a_latency(self):
        found = self.drive(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

        self.assertEqual((found["requests"], found["failures"]), (30, {}))
        self.assertLess(found["latencies"][0], 1000)

    def test_other_answers_and_none_are_failures(self):
        self.assertEqual(self.drive(b"HTTP/1.1 503 no\r\nContent-Length: 0\r\n\r\n")["failures"], {"503": 30})
        self.assertEqual(self.drive(b"")["failures"], {"closed": 30})

    def test_what_waits_until_the_end_and_longer_has_failed(self):
        with socket.create_server(("127.0.0.1", 0)) as silent, unittest.mock.patch.object(clients, "DEADLINE", 0.2):
            port, begin = silent.getsockname()[1], time.monotonic()
            made = clients.Clients([("get", 100.0, 1, lambda: callers.Caller(port, b"GET"))], begin)
            made.run(begin + LASTED)
            found = clients.told(made.kinds[0], begin, begin + LASTED)

        self.assertEqual((found["requests"], sum(found["failures"].values())), (30, 30))


class Pages(unittest.TestCase):
    HEAD = {"mode": "rounds", "attacks": ["a"], "commit": "abc", "limits": "taskset", "open files": 20000, "settings": {}, "one client": False, "others": 0.3,
            "stolen": 0.0, "peak": 50000.0, "rate": 5000.0, "length": vars(chaos.LENGTHS["default"]),
            "machine": {"cpus": 2, "cpu": "one", "kernel": "6", "java": "25"}}

    def test_a_page_has_its_verdicts_plots_and_rounds(self):
        seconds = {"get": [(0, 10, 0.5, 1.0), (1, 10, 0.5, 2.0)]}
        found = {**self.HEAD, **told([round_of(1.0, 3.0, direct=6.0)]), "timeline": [{"quiet": seconds, "attack": seconds}],
                 "attackers": [[{"attack": "a", "counted": {"503": 7}, "held": [(0, 1), (1, 9)]}]]}
        found["verdicts"] = [vars(each) for each in chaos_verdict.verdicts(found)]

        with tempfile.TemporaryDirectory() as out:
            with open(chaos_page.write(found, out)) as page:
                text = page.read()
            names = [name for name in os.listdir(out) if name.endswith(".svg")]
            for name in names:
                xml.dom.minidom.parse(f"{out}/{name}")

        self.assertEqual(sorted(names), ["gauges.svg", "memory.svg", "p99.svg", "ratios.svg"])
        for words in ("**invalid**: the upstream alone", "**3.00**", "no latency here means anything", "| a | 9 | 503 7 |", "![memory.svg](memory.svg)"):
            self.assertIn(words, text)

    def test_a_plot_keeps_the_highest_of_each_stretch(self):
        self.assertEqual(chaos_page.peaks([(x, 9 if x == 5 else 1) for x in range(8)], 4), [(0, 1), (2, 1), (4, 9), (6, 1)])

    def test_what_an_attack_did_alone_is_told_in_words(self):
        row = {"died": None, "ran out": None, "stall": 0, "recovery": {"answer": 0.2, "empty": 3.0, "left": ""}}

        self.assertEqual(chaos_page.outcome(row), "served on, nothing left after 3 s")
        self.assertEqual(chaos_page.outcome({**row, "stall": 4, "recovery": {"answer": None, "empty": None, "left": "connections 7"}}),
                         "nobody served for 4 s, no answers afterwards")
        self.assertEqual(chaos_page.outcome({**row, "died": "died after 2 s"}), "**died after 2 s**")


class Command(unittest.TestCase):
    def test_a_length_is_the_modes_with_what_was_asked_for(self):
        length = chaos.choose_length(chaos.arguments(["--seconds", "30", "--rounds", "2"]))

        self.assertEqual((length.attack, length.rounds, length.quiet), (30, 2, 60))

    def test_with_too_few_files_the_connections_of_the_tier_are_asked_for(self):
        self.assertNotIn("GATEWAY_CONNECTIONS", chaos_rig.environment(65536, 1, "c", {}))
        few = chaos_rig.environment(20000, 1, "c", {"GATEWAY_HTTP2": "tls"})
        self.assertEqual((few["GATEWAY_CONNECTIONS"], few["GATEWAY_HTTP2"]), ("16384", "tls"))


if __name__ == "__main__":
    unittest.main()
