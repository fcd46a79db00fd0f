"""Signs webhooks with standardwebhooks: one on each line."""
import datetime
import json
import sys

from standardwebhooks.webhooks import Webhook


def show(good, secret, at, body, sent=None, identity="msg_1"):
    signature = Webhook(secret).sign(msg_id=identity, timestamp=at, data=body)
    print(json.dumps({"good": good, "body": sent or body, "headers": {
        "webhook-id": identity, "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signature}}))


def main():
    secret, other = sys.argv[1], sys.argv[2]
    now = datetime.datetime.now(tz=datetime.timezone.utc)
    body = '{"type":"user.created","data":{"name":"J\u00f6rg"}}'
    show(True, secret, now, body)
    show(False, secret, now, body)  # once more
    show(True, secret, now, body, identity="msg_2")
    show(False, other, now, body, identity="msg_3")
    show(False, secret, now, body, sent=body + " ", identity="msg_4")
    show(False, secret, now - datetime.timedelta(minutes=6), body, identity="msg_5")
    show(False, secret, now + datetime.timedelta(minutes=6), body, identity="msg_6")
    show(True, secret, now, "x" * 60_000, identity="msg_7")


main()
