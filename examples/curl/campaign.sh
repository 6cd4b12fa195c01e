#!/bin/sh
# Sends one text to many people, with pauses, and follows it to its end.
set -eu
. "$(dirname "$0")/posthorn.sh"

numbers=$(printf %s "$CUSTOMERS" | sed 's/,/", "/g')
body="{\"numbers\": [\"$numbers\"], \"type\": \"text\", \"text\": \"Hello, we open on Sunday.\", \"delayMin\": ${DELAY_MIN:-10}, \"delayMax\": ${DELAY_MAX:-30}}"
id=$(post /sender/simple "$body" "campaign-$$-$(date +%s)" | field folder_id)
until state=$(get "/sender/folder?id=$id") && [ "$(printf %s "$state" | field status)" = done ]; do sleep 1; done
printf '{"id": "%s", "sent": %s, "failed": %s}\n' "$id" "$(printf %s "$state" | field log_sucess)" "$(printf %s "$state" | field log_failed)"
