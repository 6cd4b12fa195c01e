"""Makes an agent that answers people whose message has a word, with a language model. MODEL, MODEL_KEY, and MODEL_URL for servers like OpenAI's."""
import json
import os

from posthorn import call

url = os.environ.get("MODEL_URL")
agent = {
    "name": "Baker",
    **({"provider": "custom", "baseUrl": url} if url else {"provider": "openai"}),
    "model": os.environ["MODEL"],
    "apikey": os.environ.get("MODEL_KEY", ""),
    "basePrompt": "You help customers of a bakery.",
}
agent_id = call("POST", "/agent/edit", {"agent": agent})["id"]
trigger = {"type": "agent", "agent_id": agent_id, "wordsToStart": "bread", "responseDelay_seconds": 0}
trigger_id = call("POST", "/trigger/edit", {"trigger": trigger})["id"]
call("POST", "/instance/updatechatbotsettings", {"chatbot_enabled": True})
print(json.dumps({"agent": agent_id, "trigger": trigger_id}))
