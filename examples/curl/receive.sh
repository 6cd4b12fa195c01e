#!/bin/sh
# Follows the stream, since curl cannot receive webhooks, and prints the body of each message. It starts again after the last event.
set -eu
id=
while :; do
  curl -sSN "$POSTHORN_URL/sse?events=messages" -H "token: $POSTHORN_TOKEN" ${id:+-H "last-event-id: $id"} | while read -r name value; do
    case $name in
      id:) echo "$value" >"${POSITION:?}" ;;
      data:) printf '%s\n' "$value" ;;
      :) echo listening ;;
    esac
  done
  id=$(cat "$POSITION")
  sleep 1
done
