import assert from 'node:assert/strict'
import { it } from 'node:test'
import { collectCalls } from './past-calls.js'

const makeEvent = (CallID: string, state: string, more: object = {}) => ({
  EventType: 'call',
  state,
  event: { CallID, IsVideo: false, Timestamp: 1_700_000_000, ...more },
})

it('makes one call of its events, with the last state, the newest call first', () => {
  const calls = collectCalls([
    makeEvent('A', 'Ringing', { From: '1@s.whatsapp.net', IsVideo: true }),
    makeEvent('B', 'Ringing', { To: '2@s.whatsapp.net', IsOutgoing: true }),
    makeEvent('A', 'Timeout', { From: '1@s.whatsapp.net', Timestamp: 1_700_000_030 }),
    { EventType: 'call', state: 'Ringing' },
    makeEvent('', 'Ringing'),
  ])
  assert.deepEqual(
    calls.map((one) => [one.id, one.with, one.isOutgoing, one.isVideo, one.state, one.atMs]),
    [
      ['B', '2@s.whatsapp.net', true, false, 'Ringing', 1_700_000_000_000],
      ['A', '1@s.whatsapp.net', false, true, 'Timeout', 1_700_000_000_000],
    ],
  )
})
