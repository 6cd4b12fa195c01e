import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Change } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { aMessage, openTestStore, received } from '../../../test/support/store.js'

type Step = readonly [
  status: 'pending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed',
  options?: 'silent' | 'ends request',
]

const sequences: readonly (readonly Step[])[] = [
  [['sent', 'silent'], ['delivered']],
  [['sent'], ['delivered'], ['read']],
  [['sent', 'ends request'], ['delivered']],
  [['delivered'], ['sent', 'ends request']],
  [['delivered'], ['read'], ['sent'], ['played']],
  [['sent'], ['failed'], ['delivered']],
  [
    ['sent', 'ends request'],
    ['sent', 'ends request'],
    ['read', 'ends request'],
  ],
  [['pending'], ['read', 'ends request'], ['delivered']],
  [['delivered'], ['delivered'], ['delivered']],
  [['read'], ['delivered'], ['sent', 'ends request'], ['played'], ['read']],
]

describe('changes of the status of a message', () => {
  it('have the same effects and events in one write as one after the other', async (t) => {
    const store = await openTestStore(t)
    for (const [index, steps] of sequences.entries())
      for (const first of [0, 1, 2]) {
        const ids = [await store.newInstance(), await store.newInstance()] as const
        const outcomes: unknown[] = []
        for (const [way, instance] of ids.entries()) {
          const journal = store.journal.forInstance(instance, store.findEpoch(instance))
          const message = aMessage({ fromMe: true, wasSentByApi: true, status: 'pending' })
          await journal.write([received({ ...message, queuedRequest: { text: 'request' } } as typeof message)])
          const changes = steps.map(([status, option]): Change => {
            const announce = { type: 'ReadReceipt', state: status, event: {} }
            return {
              type: 'message.update',
              messageids: [message.messageid],
              fromMe: true,
              set: { status, ...(option === 'ends request' ? { queuedRequest: null } : {}) },
              ...(option === 'silent' ? {} : { announce }),
            }
          })
          // The first ones are written before, so that a chain meets a message that has them already.
          for (const change of changes.slice(0, first)) await journal.write([change])
          if (way === 0) await journal.write(changes)
          else for (const change of changes) await journal.write([change])
          outcomes.push(await readOutcome(instance))
        }
        assert.deepEqual(outcomes[0], outcomes[1], `sequence ${index} after ${first}`)
      }

    async function readOutcome(instance: InstanceId) {
      const rows = await store.rows<{ status: string; request: boolean }>(
        'SELECT "status", queued_request IS NOT NULL AS request FROM message WHERE instance_id = $1',
        [instance],
      )
      const events = await store.rows<{ body: string }>(
        'SELECT body FROM event WHERE instance_id = $1 ORDER BY sequence',
        [instance],
      )
      const told = events.map(({ body }) => JSON.parse(body) as { state?: string; status?: string })
      return { rows, told: told.map(({ state, status }) => [state, status]) }
    }
  })
})
