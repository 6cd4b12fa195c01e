#!/bin/sh
# Sends a text. With the same key it is sent once, however often this program runs.
set -eu
. "$(dirname "$0")/posthorn.sh"

answer=$(post /send/text "{\"number\": \"$CUSTOMER\", \"text\": \"Your order is ready.\"}" "$KEY")
printf '{"messageid": "%s"}\n' "$(printf %s "$answer" | field messageid)"
