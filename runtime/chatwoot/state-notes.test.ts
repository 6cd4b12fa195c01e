import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChatwootState } from '../../schemas/ports/chatwoot.js'
import { testLog } from '../../test/support/store.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { ChatwootRefusal, type RefusalKind } from './refusal.js'
import { chatwootState, StateNotes } from './state-notes.js'

function scene() {
  const looks: string[] = []
  const written: string[] = []
  const noteState = async (_: unknown, state: string, error: string) => void written.push(`${state} ${error}`.trim())
  const configs = { noteState, noteSent: async () => {} }
  const parts = { store: { configs }, known: { forget() {} }, logger: testLog }
  const notes = new StateNotes({ ...parts, onBack: (instance: string) => looks.push(instance) } as never)
  const config = (state: ChatwootState) => ({ instance: 'i', state, lastError: '' }) as ChatwootConfig
  return {
    looks,
    written,
    succeeded: (state: ChatwootState, lane = 1) => notes.succeeded(config(state), lane),
    failed: (state: ChatwootState, lane: number, now: ChatwootState, error: string) =>
      notes.failed(config(state), lane, now, error),
  }
}

describe('the state of a Chatwoot', () => {
  it('that was away makes the gateway look for replies, and one with a limit of calls does not', () => {
    const { looks, succeeded } = scene()
    for (const state of ['ok', 'busy', 'refused'] as const) succeeded(state)
    assert.equal(looks.length, 0)
    for (const state of ['unreachable', 'auth_failed', 'inbox_gone'] as const) succeeded(state)
    assert.equal(looks.length, 3)
  })

  it('names the failure of a chat while others are taken, until that chat is taken too', () => {
    const { written, failed, succeeded, looks } = scene()
    failed('ok', 1, 'unreachable', 'page')
    succeeded('unreachable', 2)
    assert.deepEqual([written, looks.length], [['unreachable page'], 0])
    failed('unreachable', 2, 'refused', 'too long')
    // Its next event is taken, so the page is what is left.
    succeeded('refused', 2)
    assert.deepEqual(written.splice(0), ['unreachable page', 'refused too long', 'unreachable page'])
    succeeded('unreachable', 1)
    assert.deepEqual([written, looks.length], [['ok'], 1])
  })

  it('names what a refusal is about', () => {
    const state = (kind: RefusalKind) => chatwootState(new ChatwootRefusal(kind, 422, 'x'))
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
