"""Sends one text to many people, with pauses, and follows it to its end."""
import json
import os
import time
import uuid

from posthorn import call

body = {
    "numbers": os.environ["CUSTOMERS"].split(","),
    "type": "text",
    "text": "Hello, we open on Sunday.",
    "delayMin": int(os.environ.get("DELAY_MIN", 10)),
    "delayMax": int(os.environ.get("DELAY_MAX", 30)),
}
campaign = call("POST", "/sender/simple", body, key=uuid.uuid4().hex)["folder_id"]
while (state := call("GET", f"/sender/folder?id={campaign}"))["status"] != "done":
    time.sleep(0.5)
print(json.dumps({"id": campaign, "sent": state["log_sucess"], "failed": state["log_failed"]}))
