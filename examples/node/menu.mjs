// Sends buttons and waits for the answer, through lost connections and restarts of the gateway.
import { createPosthorn } from 'posthorn-client'

const { POSTHORN_URL, POSTHORN_TOKEN, CUSTOMER } = process.env
const posthorn = createPosthorn({ url: POSTHORN_URL, token: POSTHORN_TOKEN })
const menu = { number: CUSTOMER, type: 'button', text: 'Shall we deliver today?', choices: ['Yes|yes', 'No|no'] }

const events = posthorn.events({ kinds: ['messages'], onOpen: send })
let sent

function send() {
  // Once, although the stream may open more than once.
  sent ??= posthorn.sendMenu(menu)
  sent.then(({ messageid }) => console.log('sent', messageid))
}

for await (const event of events) {
  if (event.EventType !== 'messages' || event.message.quoted !== (await sent).messageid) continue
  console.log(JSON.stringify({ choice: event.message.buttonOrListid }))
  break
}
