"""How long a measurement takes: smoke, quick, default, full. Seconds unless named otherwise."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Length:
    name: str
    parts: tuple
    tiers: tuple
    warm: int  # of load on every process, before it is measured
    seconds: int  # of every sample
    rounds: int
    connections: tuple
    requests: tuple
    elasticsearch: bool
    settle: int  # at most, until the traffic log has shipped what a sample left
    latency_rounds: int
    latency_seconds: int
    latency_requests: tuple
    side_rounds: int  # of policies, peers, stores
    side_seconds: int
    starts: int
    aot: bool = True


EVERY = ("throughput", "latency", "policies", "peers", "stores", "footprint")
POSTS = ("get", "post-1k", "post-5k")
TIERS = ("W1", "W2", "W4", "W8")
LENGTHS = {length.name: length for length in (
    Length("smoke", ("throughput", "latency"), ("W1",), 2, 1, 1, (20,), ("get",), False, 2, 1, 2, ("get",), 1, 1, 1, False),
    Length("quick", ("throughput", "latency", "footprint"), ("W1",), 8, 2, 2, (100,), POSTS, True, 6, 1, 2, ("get",), 2, 2, 2),
    Length("default", EVERY, TIERS, 30, 2, 3, (100, 250, 500), POSTS, True, 10, 3, 4, ("get",), 3, 2, 3),
    Length("full", (*EVERY, "jmh"), TIERS, 60, 30, 3, (100, 250, 500), POSTS, True, 60, 3, 30, POSTS, 6, 5, 10),
)}
