import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { InstanceId } from '../../schemas/ids.js'
import { createMarks } from './marks.js'

describe('the outcome of deliveries', () => {
  it('is reported as a failure when the store refused it, even if more follow', { timeout: 60_000 }, async () => {
    const marks = createMarks(
      { webhookId: 'w', lane: 1 },
      {
        record: async () => {
          throw new Error('away')
        },
      },
    )
    marks.delivered('i1' as InstanceId, 1)
    await turn()
    marks.delivered('i1' as InstanceId, 2)
    // Without an end, this held up the whole process.
    await assert.rejects(marks.settled(), { message: 'away' })
  })
})
