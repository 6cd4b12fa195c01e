// Sends a text. With the same key it is sent once, however often this program runs.
import { createPosthorn, PosthornError } from 'posthorn-client'

const { POSTHORN_URL, POSTHORN_TOKEN, CUSTOMER, KEY } = process.env
const posthorn = createPosthorn({ url: POSTHORN_URL, token: POSTHORN_TOKEN })
try {
  const { messageid } = await posthorn.sendText(
    { number: CUSTOMER, text: 'Your order is ready.' },
    { idempotencyKey: KEY },
  )
  console.log(JSON.stringify({ messageid }))
} catch (error) {
  if (!(error instanceof PosthornError)) throw error
  // `retry` says what to do: never, later, safe, or check first whether it happened.
  console.error(`${error.code} (${error.retry}): ${error.message}`)
  process.exitCode = 1
}
