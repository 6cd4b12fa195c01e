import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { revisionTarget } from './revisions.js'

const now = 1_800_000_000_000

function message(more: Partial<MessageForActor> = {}, messageType = 'text'): MessageForActor {
  const chat = { pn: '5511999990002@s.whatsapp.net' }
  return {
    ...{ chat, fromMe: true, status: 'read', messageTimestampMs: now },
    ...{ record: { messageType } },
    ...more,
  } as MessageForActor
}

it('only a sent message of ours can be changed', () => {
  const [mine, theirs] = [message(), message({ fromMe: false })]
  for (const kind of ['edit', 'delete'] as const) {
    assert.equal(revisionTarget([theirs, mine], kind, now), mine)
    assert.throws(() => revisionTarget([], kind, now), { code: 'MESSAGE_NOT_FOUND' })
    assert.throws(() => revisionTarget([theirs], kind, now), { code: 'NOT_OWN_MESSAGE' })
    for (const status of ['queued', 'failed', 'canceled'] as const)
      assert.throws(() => revisionTarget([message({ status })], kind, now), { code: 'MESSAGE_NOT_SENT' })
    assert.throws(() => revisionTarget([message({}, 'reaction')], kind, now), { code: 'NOT_EDITABLE' })
  }
})

it('only texts are edited, for twenty minutes and while they are there; anything is deleted, at any age and again', () => {
  const old = message({ messageTimestampMs: now - 20 * 60_000 })
  assert.equal(revisionTarget([old], 'edit', now), old)
  assert.throws(() => revisionTarget([old], 'edit', now + 1), { code: 'MESSAGE_TOO_OLD' })
  assert.equal(revisionTarget([old], 'delete', now + 365 * 86_400_000), old)
  const contact = message({}, 'contact')
  assert.throws(() => revisionTarget([contact], 'edit', now), { code: 'NOT_EDITABLE' })
  assert.equal(revisionTarget([contact], 'delete', now), contact)
  const gone = message({ status: 'deleted' })
  assert.throws(() => revisionTarget([gone], 'edit', now), { code: 'MESSAGE_NOT_FOUND' })
  assert.equal(revisionTarget([gone], 'delete', now), gone)
})
