import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import type { ActiveCampaign } from '../../schemas/campaign.js'
import type { SendsContext } from '../instance/sends/context.js'
import { LoopBrake } from '../loop-brake.js'
import type { LoopTimes } from '../loop-pace.js'
import { Campaigns, type CampaignsParts } from './campaigns.js'

const DUE = {
  id: 'r1',
  status: 'sending',
  waitMs: 0,
  ownAccount: '',
  holdReason: '',
  lastOrdinal: -1,
} as ActiveCampaign

/** The campaigns of an instance with one that is due, what they have read, and when they ask to be called again. */
function due(brake: LoopBrake, campaignsRead: () => void = () => {}) {
  const read: string[] = []
  const wakes: number[] = []
  const session = { isConnected: true }
  const context: Partial<Record<keyof SendsContext, unknown>> = {
    reader: {
      activeCampaigns: async () => {
        read.push('campaigns')
        campaignsRead()
        return [DUE]
      },
      nextRecipients: async () => {
        session.isConnected = false
        read.push('recipients')
        return []
      },
      campaign: async () => null,
    },
    journal: { settled: () => undefined },
    wakeDueIn: (inMs: number) => wakes.push(inMs),
    logger: pino({ level: 'silent' }),
    account: { own: null },
    session,
    pacer: { noteParked() {}, newChatsHold: async () => null, asksForNewChats: async () => false },
  }
  const parts = { sends: { queue: { isBusy: false, onLeft() {} } }, brake }
  return {
    read,
    wakes,
    campaigns: new Campaigns(context as unknown as SendsContext, parts as unknown as CampaignsParts),
  }
}

it('reads and sends nothing for campaigns while the node is busy, and continues when it is their turn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let times: LoopTimes = { atMs: 0, activeMs: 0, idleMs: 0 }
  const brake = new LoopBrake({ shareMax: 0.5, loopTimes: () => times })
  brake.createSteps(() => {}).takes()
  const { read, campaigns } = due(brake)
  await campaigns.run()
  assert.deepEqual(read, [])
  assert.equal(brake.waiting, 1)
  times = { atMs: 100, activeMs: 0, idleMs: 100 }
  t.mock.timers.tick(1_000)
  await new Promise(setImmediate)
  assert.deepEqual(read.slice(0, 2), ['campaigns', 'recipients'])
})

it('waits no more for its turn after it was stopped', async () => {
  const brake = new LoopBrake({ shareMax: 0.5, loopTimes: () => ({ atMs: 0, activeMs: 0, idleMs: 0 }) })
  brake.createSteps(() => {}).takes()
  const { campaigns } = due(brake)
  await campaigns.run()
  campaigns.stop()
  assert.equal(brake.waiting, 0)
})

it('tries again soon when the store failed and the connection lives, also if it was called meanwhile', async () => {
  let failures = 2
  const { read, wakes, campaigns } = due(new LoopBrake({ shareMax: 1 }), () => {
    failures -= 1
    if (failures < 0) return
    // A connection that opens at this moment calls once, and not again.
    void campaigns.run()
    throw new Error('the connection was terminated')
  })
  await campaigns.run()
  assert.deepEqual(wakes, [1_000])
  await campaigns.run()
  assert.deepEqual(wakes, [1_000, 2_000])
  await campaigns.run()
  assert.deepEqual(read.slice(0, 4), ['campaigns', 'campaigns', 'campaigns', 'recipients'])
})
