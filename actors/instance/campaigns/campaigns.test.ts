import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import type { ActiveCampaign } from '../../../schemas/campaign.js'
import type { SendsContext } from '../../operations/context.js'
import { TurnBrake } from '../../turn-brake.js'
import type { LoopTimes } from '../../turn-pace.js'
import { Campaigns, type CampaignsParts } from './campaigns.js'

const DUE = {
  id: 'r1',
  status: 'sending',
  waitMs: 0,
  ownAccount: '',
  holdReason: '',
  lastOrdinal: -1,
} as ActiveCampaign

/** The campaigns of an instance with one that is due, and what they have read. */
function due(campaignBrake: TurnBrake) {
  const read: string[] = []
  const session = { isConnected: true }
  const context: Partial<Record<keyof SendsContext, unknown>> = {
    campaignBrake,
    reader: {
      activeCampaigns: async () => {
        read.push('campaigns')
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
    logger: pino({ level: 'silent' }),
    account: { own: null },
    session,
    pacer: { noteParked() {}, newChatsHold: async () => null, asksForNewChats: async () => false },
  }
  const parts = { queue: { isBusy: false, onLeft() {} } }
  return { read, campaigns: new Campaigns(context as unknown as SendsContext, parts as unknown as CampaignsParts) }
}

it('reads and sends nothing for campaigns while the node is busy, and goes on when it is their turn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let times: LoopTimes = { atMs: 0, activeMs: 0, idleMs: 0 }
  const brake = new TurnBrake({ shareMax: 0.5, loopTimes: () => times })
  brake.turnsOf(() => {}).takes()
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
  const brake = new TurnBrake({ shareMax: 0.5, loopTimes: () => ({ atMs: 0, activeMs: 0, idleMs: 0 }) })
  brake.turnsOf(() => {}).takes()
  const { campaigns } = due(brake)
  await campaigns.run()
  campaigns.stop()
  assert.equal(brake.waiting, 0)
})
