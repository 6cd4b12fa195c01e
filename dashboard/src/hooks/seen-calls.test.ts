import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addCall } from './seen-calls.js'

const event = { CallID: 'A', From: '1@lid', sender_pn: '5511999990002@s.whatsapp.net', IsVideo: true, Timestamp: 10 }

it('shows a call from its first ring to its end, once', () => {
  const ringing = addCall(addCall([], 'Ringing', event), 'Ringing', event)
  assert.deepEqual(ringing, [
    { id: 'A', from: event.sender_pn, chatId: event.sender_pn, isVideo: true, state: 'Ringing', at: 10_000 },
  ])
  // The account's own refusal names the account, not the caller.
  const ended = addCall(ringing, 'Rejected', { CallID: 'A', From: 'me@s.whatsapp.net' })
  assert.equal(ended[0]?.state, 'Rejected')
  assert.equal(ended[0]?.from, event.sender_pn)
})

it('names the person whom the account calls', () => {
  const to = '5511999990003@s.whatsapp.net'
  assert.equal(addCall([], 'Ringing', { ...event, IsOutgoing: true, To: to })[0]?.from, to)
})

it('names the group of a call to a group, and keeps the newest three', () => {
  const group = { CallID: 'G', From: '1@lid', GroupJID: '1@g.us', IsGroup: true }
  let calls = addCall([], 'Ringing', group)
  assert.equal(calls[0]?.chatId, '1@g.us')
  for (const id of ['B', 'C', 'D']) calls = addCall(calls, 'Ringing', { CallID: id, From: '1@lid' })
  assert.deepEqual(
    calls.map(({ id }) => id),
    ['D', 'C', 'B'],
  )
  assert.equal(addCall(calls, 'Ringing', {}), calls)
})
