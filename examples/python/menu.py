"""Sends buttons and waits for the answer, through lost connections and restarts of the gateway."""
import json
import os
import uuid

from posthorn import call, events

MENU = {"number": os.environ["CUSTOMER"], "type": "button", "text": "Shall we deliver today?", "choices": ["Yes|yes", "No|no"]}
KEY = uuid.uuid4().hex


sent = None


def send():
    # The key makes it one menu, although the stream may open more than once.
    global sent
    sent = call("POST", "/send/menu", MENU, key=KEY)["messageid"]
    print("sent", sent, flush=True)


for event in events("messages", on_open=send):
    if event["message"]["quoted"] == sent:
        print(json.dumps({"choice": event["message"]["buttonOrListid"]}))
        break
