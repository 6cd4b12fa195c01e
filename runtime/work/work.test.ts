import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { GatewayError } from '../../schemas/errors.js'
import { createWork, type SharedWorkKind, WORK_LIMITS } from './work.js'

const never = new Promise<never>(() => {})

describe('work of each kind', () => {
  for (const kind of Object.keys(WORK_LIMITS) as SharedWorkKind[]) {
    it(`begins at once for an instance while another one has as much as it can: ${kind}`, async () => {
      const refused: string[] = []
      const work = createWork({ onRefused: (limit) => refused.push(limit) })
      const { ownerMax, ownerWaitingMax } = WORK_LIMITS[kind]
      for (let index = 0; index < ownerMax + ownerWaitingMax; index++) void work.run(kind, 'hostile', () => never)
      await assert.rejects(
        work.run(kind, 'hostile', () => never),
        (error) => error instanceof GatewayError && error.status === 429 && error.retryAfterSeconds === 5,
      )
      await turn()
      assert.equal(refused.length, 1)
      let hasBegun = false
      void work.run(kind, 'other', async () => {
        hasBegun = true
        await never
      })
      await turn()
      assert.ok(hasBegun)
      const counts = work.counts().find((one) => one.kind === kind)
      assert.deepEqual([counts?.waiting, counts?.refused], [ownerWaitingMax, 1])
    })
  }
})
