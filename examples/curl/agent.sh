#!/bin/sh
# Makes an agent that answers people whose message has a word, with a language model. MODEL, MODEL_KEY, and MODEL_URL for servers like OpenAI's.
set -eu
. "$(dirname "$0")/posthorn.sh"

if [ -n "${MODEL_URL:-}" ]; then provider="\"provider\": \"custom\", \"baseUrl\": \"$MODEL_URL\""; else provider='"provider": "openai"'; fi
agent=$(post /agent/edit "{\"agent\": {\"name\": \"Baker\", $provider, \"model\": \"$MODEL\", \"apikey\": \"${MODEL_KEY:-}\", \"basePrompt\": \"You help customers of a bakery.\"}}" | field id)
trigger=$(post /trigger/edit "{\"trigger\": {\"type\": \"agent\", \"agent_id\": \"$agent\", \"wordsToStart\": \"bread\", \"responseDelay_seconds\": 0}}" | field id)
post /instance/updatechatbotsettings '{"chatbot_enabled": true}' >/dev/null
printf '{"agent": "%s", "trigger": "%s"}\n' "$agent" "$trigger"
