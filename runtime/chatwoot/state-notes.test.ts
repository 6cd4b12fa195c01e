import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChatwootState } from '../../schemas/ports/chatwoot.js'
import { testLog } from '../../test/support/store.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { ChatwootRefusal, type RefusalKind } from './refusal.js'
import { StateNotes, stateOf } from './state-notes.js'

function scene() {
  const looks: string[] = []
  const configs = { noteState: async () => {}, noteSent: async () => {} }
  const parts = { store: { configs }, known: { forget() {} }, logger: testLog }
  const notes = new StateNotes({ ...parts, onBack: (instance: string) => looks.push(instance) } as never)
  return { looks, succeeded: (state: ChatwootState) => notes.succeeded({ instance: 'i', state } as ChatwootConfig) }
}

describe('the state of a Chatwoot', () => {
  it('that was away makes the gateway look for replies, and one with a limit of calls does not', () => {
    const { looks, succeeded } = scene()
    for (const state of ['ok', 'busy', 'refused'] as const) succeeded(state)
    assert.equal(looks.length, 0)
    for (const state of ['unreachable', 'auth_failed', 'inbox_gone'] as const) succeeded(state)
    assert.equal(looks.length, 3)
  })

  it('names what a refusal is about', () => {
    const state = (kind: RefusalKind) => stateOf(new ChatwootRefusal(kind, 422, 'x'))
    assert.deepEqual((['away', 'busy', 'auth', 'missing', 'large', 'invalid'] as const).map(state), [
      'unreachable',
      'busy',
      'auth_failed',
      'inbox_gone',
      'refused',
      'refused',
    ])
  })
})
