// Receives webhooks and prints messages. Set PORT and WEBHOOK_SECRET, and name the address of this program in POST /webhook.
import { createServer } from 'node:http'
import { verifyWebhook, WebhookError } from 'posthorn-client'

const { PORT, WEBHOOK_SECRET } = process.env
const seen = new Set()

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const event = await verifyWebhook(Buffer.concat(chunks), request.headers, WEBHOOK_SECRET)
    // In a real program: a unique key in the database, in the transaction that stores the event.
    if (!seen.has(event.eventId) && event.EventType === 'messages')
      console.log(JSON.stringify({ from: event.message.sender, text: event.message.text }))
    seen.add(event.eventId)
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    response.writeHead(400).end(error.reason)
  }
})
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening'))
