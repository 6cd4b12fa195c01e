import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Jid } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { unsendableReason } from './unsendable.js'

const own: ChatAddress = { pn: '1@s.whatsapp.net' as Jid, lid: '2@lid' as Jid }

function why(sender: string, ageMs: number, account: ChatAddress | null = own): string | null {
  const record = { sender_lid: sender.startsWith('5') ? '2@lid' : '' }
  const message = { sender, record, waitsSinceMs: performance.now() - ageMs } as unknown as MessageForActor
  return unsendableReason(message, { own: account, oldestMs: performance.now() - 1_000 })?.why ?? null
}

it('sends a waiting message only from the account that accepted it, and only up to its maximum age', () => {
  // The fifth had another number before.
  for (const sender of ['1@s.whatsapp.net', '2@lid', '5@s.whatsapp.net', '']) assert.equal(why(sender, 500), null)
  assert.equal(why('3@s.whatsapp.net', 500, null), null)
  assert.match(why('1@s.whatsapp.net', 1_500) ?? '', /SEND_MAX_AGE_MS/)
  assert.match(why('3@s.whatsapp.net', 500) ?? '', /account 3 .* no longer paired/)
})
