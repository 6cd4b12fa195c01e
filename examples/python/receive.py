"""Receives webhooks and prints messages. Set PORT and WEBHOOK_SECRET, and name the address of this program in POST /webhook."""
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()


def is_signed(headers, body):
    event_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event_id or not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return False
    digest = hmac.new(KEY, f"{event_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, one.encode()) for one in headers.get("webhook-signature", "").split(" "))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        is_good = is_signed(self.headers, body)
        self.send_response(204 if is_good else 400)
        self.end_headers()
        event = json.loads(body) if is_good else {}
        # In a real program: a unique key in the database, in the transaction that stores the event, before the answer.
        if event.get("EventType") == "messages" and event["eventId"] not in seen:
            print(json.dumps({"from": event["message"]["sender"], "text": event["message"]["text"]}), flush=True)
        seen.add(event.get("eventId"))

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print("listening", flush=True)
server.serve_forever()
