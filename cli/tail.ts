import type { EventKind, PosthornEvent } from '../clients/typescript/src/index.js'
import { createClient, type Output, read, visible } from './options.js'

/** Follows the events until Ctrl+C, through lost connections and restarts of the gateway. */
export async function tail(typed: readonly string[], { write, note }: Output): Promise<number> {
  const options = read(typed, [0, 0], {
    kinds: { type: 'string' },
    from: { type: 'string' },
    json: { type: 'boolean' },
  })
  const { kinds, from, json } = options.values
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  const events = createClient(options, 'instance').events({
    ...(typeof kinds === 'string' ? { kinds: kinds.split(',') as EventKind[] } : {}),
    ...(typeof from === 'string' ? { from } : {}),
    signal: controller.signal,
    onWarnings: (warnings) => {
      for (const warning of warnings) note(`${visible(warning)}\n`)
    },
    onOpen: () => note('Connected.\n'),
    onLost: () => note('The connection is lost; connecting again.\n'),
    onReset: ({ advice }) => note(`${visible(advice)}\n`),
  })
  for await (const event of events) write(`${json === true ? formatLine(event) : formatSummary(event)}\n`)
  if (events.lastEventId !== '') note(`Continue with --from ${events.lastEventId}\n`)
  return 0
}

/** JSON hides control characters itself, except those above 0x7f. */
function formatLine(event: PosthornEvent): string {
  return visible(JSON.stringify(event))
}

function formatSummary(event: PosthornEvent): string {
  const time = new Date(event.timestamp ?? Date.now()).toISOString()
  return visible([time, event.sequence, event.EventType, ...listDetails(event)].join(' '))
}

function listDetails(event: PosthornEvent): readonly string[] {
  switch (event.EventType) {
    case 'messages': {
      const { fromMe, sender = '', chatid = '', text = '', messageType = '' } = event.message
      return fromMe ? ['to', chatid, messageType, text] : ['from', sender, messageType, text]
    }
    case 'messages_update':
      return [event.state ?? event.type, event.event.MessageIDs.join(' ')]
    case 'connection':
      return [event.instance.status, event.instance.cause ?? '']
    default:
      return []
  }
}
