#!/bin/sh
# Sends buttons and waits for the answer.
set -eu
. "$(dirname "$0")/posthorn.sh"

sent=$(post /send/menu "{\"number\": \"$CUSTOMER\", \"type\": \"button\", \"text\": \"Shall we deliver today?\", \"choices\": [\"Yes|yes\", \"No|no\"]}" "menu-$$-$(date +%s)")
id=$(printf %s "$sent" | field messageid)
echo "sent $id"
# Answers have the id of the message that they quote.
until choice=$(post /message/find "{\"chatid\": \"$CUSTOMER\", \"limit\": 20}" | tr '{' '\n' | grep "\"quoted\":\"$id\"" | field buttonOrListid) && [ -n "$choice" ]; do
  sleep 1
done
printf '{"choice": "%s"}\n' "$choice"
