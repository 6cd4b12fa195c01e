/** One burst of inbound messages into journals: row, two Signal keys, chat and event of each. */
import type { Change } from '../../actors/instance/ports.js'
import type { Jid } from '../../schemas/ids.js'
import { aMessage, type openTestStore, received } from '../../test/support/store.js'

export type Journal = ReturnType<Awaited<ReturnType<typeof openTestStore>>['journal']['forInstance']>

const payload = Buffer.alloc(400, 3)

export async function writeBurst(journals: readonly Journal[], size: number): Promise<void> {
  const writes: Promise<unknown>[] = []
  for (let index = 0; index < size; index++) {
    const journal = journals[index % journals.length]
    const jid = `55119${String(10_000_000 + (index % 100))}@s.whatsapp.net` as Jid
    const keys: Change = {
      type: 'keys',
      entries: [
        { kind: 'session', id: jid, value: () => payload },
        { kind: 'device-list', id: String(index % 100), value: () => payload },
      ],
    }
    const message = aMessage({
      chat: { pn: jid },
      sender: jid,
      proto: payload,
      content: { text: 'Bom dia, tudo bem?' },
    })
    if (journal) writes.push(journal.write([keys, received(message)]))
  }
  await Promise.all(writes)
}
