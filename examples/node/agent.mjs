// Makes an agent that answers people whose message has a word, with a language model. MODEL, MODEL_KEY, and MODEL_URL for servers like OpenAI's.
import { createPosthorn } from 'posthorn-client'

const { POSTHORN_URL, POSTHORN_TOKEN, MODEL, MODEL_KEY = '', MODEL_URL } = process.env
const posthorn = createPosthorn({ url: POSTHORN_URL, token: POSTHORN_TOKEN })
const model = MODEL_URL ? { provider: 'custom', baseUrl: MODEL_URL } : { provider: 'openai' }
const { id: agent } = await posthorn.editAgent({
  agent: { name: 'Baker', ...model, model: MODEL, apikey: MODEL_KEY, basePrompt: 'You help customers of a bakery.' },
})
const { id: trigger } = await posthorn.editTrigger({
  trigger: { type: 'agent', agent_id: agent, wordsToStart: 'bread', responseDelay_seconds: 0 },
})
await posthorn.updateChatbotSettings({ chatbot_enabled: true })
console.log(JSON.stringify({ agent, trigger }))
