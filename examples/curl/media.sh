#!/bin/sh
# Sends a picture from a file, with a text below it.
set -eu
. "$(dirname "$0")/posthorn.sh"

# A URL works too: "file": "https://example.org/picture.png".
file=$(base64 <"$PICTURE" | tr -d '\n')
answer=$(post /send/media "{\"number\": \"$CUSTOMER\", \"type\": \"image\", \"file\": \"$file\", \"text\": \"Look!\"}" "media-$$-$(date +%s)")
printf '{"messageid": "%s", "fileURL": "%s"}\n' "$(printf %s "$answer" | field messageid)" "$(printf %s "$answer" | field fileURL)"
