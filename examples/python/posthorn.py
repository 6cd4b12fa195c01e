"""Calls the gateway with the standard library: JSON in and out, retries that send nothing twice, and the stream of events."""
import json
import os
import random
import time
import urllib.error
import urllib.request

URL = os.environ.get("POSTHORN_URL", "").rstrip("/")
TOKEN = os.environ.get("POSTHORN_TOKEN", "")


class PosthornError(Exception):
    """A refusal, with the code of docs/reference/errors.md."""

    def __init__(self, status, text):
        body = json.loads(text) if text.startswith("{") else {}
        self.status = status
        self.code = body.get("code", "NOT_POSTHORN")
        super().__init__(f"{self.code}: {body.get('error', text)}")


def call(method, path, body=None, key=None, attempts=4):
    """Returns the answer. A call that may have happened is repeated only if it reads, or has a key."""
    headers = {"token": TOKEN, "content-type": "application/json"}
    if key:
        headers["idempotency-key"] = key
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(attempts):
        is_last = attempt == attempts - 1 or not (key or method == "GET")
        wait = random.uniform(0.25, 0.5) * 2**attempt
        try:
            request = urllib.request.Request(URL + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if is_last or error.code not in (408, 429, 502, 503, 504):
                raise PosthornError(error.code, error.read().decode()) from None
            wait = max(wait, float(error.headers.get("retry-after", 0)))
        except OSError:
            if is_last:
                raise
        time.sleep(wait)


def events(kinds, on_open=lambda: None):
    """Yields events, and continues after the last one when the connection ends."""
    last_id = ""
    while True:
        headers = {"token": TOKEN, **({"last-event-id": last_id} if last_id else {})}
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{URL}/sse?events={kinds}", headers=headers), timeout=60) as stream:
                on_open()
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name == "id":
                        event_id = value
                    elif name == "data":
                        yield json.loads(value)
                    elif not line.strip():
                        last_id = event_id
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise PosthornError(error.code, error.read().decode()) from None
        except OSError:
            pass
        time.sleep(random.uniform(0.5, 2))
