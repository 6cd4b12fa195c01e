"""Sends a text. With the same key it is sent once, however often this program runs."""
import json
import os
import sys

from posthorn import PosthornError, call

try:
    sent = call("POST", "/send/text", {"number": os.environ["CUSTOMER"], "text": "Your order is ready."}, key=os.environ["KEY"])
    print(json.dumps({"messageid": sent["messageid"]}))
except PosthornError as error:
    sys.exit(str(error))
