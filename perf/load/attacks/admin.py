"""Definitions with regular expressions that grow past all measure when they are compiled, offered to be validated."""
import json

from attacks.attack import attack

BOMBS = ("((a{1000}){1000}){1000}", "((((a{100}){100}){100}){100}){100}", "(a?){1000}" * 90, "(\\pL{1000}){1000}", "(x{0,1000}){0,1000}",
         "|".join(["a{999}"] * 100), "[^\\x00-\\x{10FFFF}]" + "(((((((((a+)+)+)+)+)+)+)+)+)+" * 30)


def definition(regex):
    return {"id": "bomb", "match": {"path": "/bomb"}, "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]},
            "policies": [{"type": "path-rules", "block": [{"regex": regex}]}]}


@attack(connections=1, pace=1)
async def admin_bombs(link):
    """regular expressions such as ((a{1000}){1000}){1000} in POST validate, one a second"""
    await link.connect(link.place.admin)
    body = json.dumps(definition(BOMBS[(link.swarm.tally["connections"] - 1) % len(BOMBS)])).encode()
    head = (f"POST /admin/v1/validate HTTP/1.1\r\nHost: chaos\r\nAuthorization: Bearer {link.place.token}\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
    await link.send(head + body)
    await link.until_closed()
