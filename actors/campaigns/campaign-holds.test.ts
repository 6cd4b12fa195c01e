import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import type { ActiveCampaign } from '../../schemas/campaign.js'
import type { Jid } from '../../schemas/ids.js'
import type { SendsContext } from '../instance/sends/context.js'
import { CampaignHolds, type HoldsParts } from './campaign-holds.js'

const CAMPAIGN = { id: 'r1', holdReason: '', parked: 1 } as ActiveCampaign
const HOLD = { reason: 'reachout_timelock', ms: 3_600_000 }

/** Holds of an instance. `read` answers the question for its first parked recipient. */
function holds() {
  const written: string[] = []
  let answer = (_first: { inMs: null; reason: string }): void => {}
  const first = new Promise((resolve) => {
    answer = resolve
  })
  const counts = { forgotten: 0, begun: 0 }
  const context: Partial<Record<keyof SendsContext, unknown>> = {
    id: 'i1',
    reader: { firstParked: () => first },
    journal: { write: async (changes: { type: string }[]) => void written.push(...changes.map(({ type }) => type)) },
    logger: pino({ level: 'silent' }),
    pacer: { newChatsHold: async () => HOLD },
  }
  const parts = {
    agenda: {
      postpone() {},
      held() {},
      forget() {
        counts.forgotten += 1
      },
    },
    events: { tell: async () => {} },
    isHalted: () => false,
    begin() {
      counts.begun += 1
    },
  }
  const made = new CampaignHolds(context as unknown as SendsContext, parts as unknown as HoldsParts)
  return { made, written, read: () => answer({ inMs: null, reason: HOLD.reason }), counts }
}

it('does not let a campaign wait for an hour because of what was read before a parked person wrote', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { made, written, read, counts } = holds()
  const waiting = made.waitForParked(CAMPAIGN)
  made.heard({ pn: '5511900000001@s.whatsapp.net' as Jid })
  read()
  await waiting
  assert.deepEqual(written, ['campaign.heard'])
  assert.deepEqual(counts, { forgotten: 1, begun: 1 })
})

it('lets a campaign wait for the hold when nobody writes', async () => {
  const { made, written, read, counts } = holds()
  read()
  await made.waitForParked(CAMPAIGN)
  assert.deepEqual(written, ['campaign.wait'])
  assert.equal(counts.forgotten, 0)
})
