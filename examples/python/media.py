"""Sends a picture from a file, with a text below it."""
import base64
import json
import os
import uuid

from posthorn import call

# A URL works too: "file": "https://example.org/picture.png".
with open(os.environ["PICTURE"], "rb") as picture:
    file = base64.b64encode(picture.read()).decode()
body = {"number": os.environ["CUSTOMER"], "type": "image", "file": file, "text": "Look!"}
sent = call("POST", "/send/media", body, key=uuid.uuid4().hex)
print(json.dumps({"messageid": sent["messageid"], "fileURL": sent["fileURL"]}))
