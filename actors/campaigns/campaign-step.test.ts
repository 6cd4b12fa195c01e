import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import type { ActiveCampaign, WaitingRecipient } from '../../schemas/campaign.js'
import { parseAddress } from '../../schemas/jid.js'
import { createMessageIds } from '../../schemas/message-id.js'
import type { Change } from '../instance/ports.js'
import type { SendsContext } from '../instance/sends/context.js'
import type { Manner } from '../instance/sends/delivery.js'
import { CampaignStep } from './campaign-step.js'

const ADDRESS = '15550740002@s.whatsapp.net'
const CAMPAIGN = {
  id: 'r1',
  timezone: 'UTC',
  dailyCap: null,
  window: null,
  variants: [],
  recent: '',
  delayMinMs: 0,
  delayMaxMs: 0,
  send: { content: { kind: 'text', text: 'hello' }, options: {} },
} as unknown as ActiveCampaign
const recipient = (ordinal: number) =>
  ({
    ordinal,
    address: ADDRESS,
    wasParked: false,
    attempts: 0,
    hasWritten: null,
    send: null,
    vars: null,
  }) as WaitingRecipient

const KILLED = 'terminating connection due to administrator command'
const killed = () => Object.assign(new Error(KILLED), { code: '57P01' })

/** A turn whose step fails as long as `failing` returns an error, and what it has written. */
function turns(step: 'decide' | 'compose' | 'find', failing: () => Error | null) {
  const written: Change[] = []
  const logged: string[] = []
  const fail = (at: string): void => {
    const error = at === step ? failing() : null
    if (error !== null) throw error
  }
  const chat = { address: parseAddress(ADDRESS) }
  const context = {
    id: 'i1',
    pacer: {
      nowMs: async () => 0,
      newChatsHold: async () => null,
      decide: async () => {
        fail('decide')
        return { now: true }
      },
      taken: () => [],
    },
    reader: { messagesById: async () => [] },
    journal: { settled: () => undefined, write: async (changes: readonly Change[]) => void written.push(...changes) },
    timing: { ackTimeoutMs: 1_000 },
    random: () => 0,
    messageIds: createMessageIds(Buffer.alloc(32)),
    logger: pino({ level: 'error' }, { write: (line) => void logged.push(line) }),
  }
  const parts = {
    checks: {
      find: async () => {
        fail('find')
        return { chat }
      },
    },
    known: { isKnownIfNeeded: async () => true },
    queue: { heldMs: () => null, mayHaveRows: false },
    delayed: { heldMs: () => null },
    refused: { leaves() {}, wasParked: () => false },
    watchHalts: () => () => false,
    delivery: {
      deliver: async (_command: unknown, _chat: unknown, { alongside }: Manner) => {
        fail('compose')
        written.push(...(alongside?.() ?? []))
      },
    },
  }
  const turn = new CampaignStep(
    context as unknown as SendsContext,
    parts as unknown as ConstructorParameters<typeof CampaignStep>[1],
  )
  return { turn, written, logged }
}

for (const step of ['find', 'decide', 'compose'] as const)
  it(`sends to a recipient whose turn met an error of the database once (${step})`, async () => {
    let failures = 1
    const { turn, written } = turns(step, () => (failures-- > 0 ? killed() : null))
    await assert.rejects(turn.serve(CAMPAIGN, recipient(0), 0), { message: KILLED })
    assert.deepEqual(written, [])
    const served = await turn.serve(CAMPAIGN, recipient(0), 0)
    assert.equal(served.step === 'next' && served.outcome, 'taken')
    assert.deepEqual(
      written.map(({ type }) => type),
      ['campaign.taken'],
    )
  })

it('closes no recipient while the database is away, however often it tries', async () => {
  const { turn, written } = turns('compose', killed)
  for (let tries = 0; tries < 20; tries += 1) await assert.rejects(turn.serve(CAMPAIGN, recipient(0), 0))
  assert.deepEqual(written, [])
})

it('gives up a recipient whose message can never be composed, and shows the error in the log only', async () => {
  const words = 'relation "secret_table" has no such row'
  const { turn, written, logged } = turns('compose', () => new Error(words))
  for (let tries = 1; tries < 6; tries += 1) await assert.rejects(turn.serve(CAMPAIGN, recipient(0), 0))
  assert.deepEqual(written, [])
  const served = await turn.serve(CAMPAIGN, recipient(0), 0)
  assert.equal(served.step === 'next' && served.outcome, 'failed')
  const closed = written.at(0) as Change | undefined
  assert.ok(closed?.type === 'campaign.recipient' && closed.outcome.kind === 'failed')
  assert.equal(closed.outcome.reason, 'internal')
  assert.doesNotMatch(JSON.stringify(written), /secret_table/)
  assert.match(String(logged.at(-1)), /secret_table/)
  // The next one is counted from the start.
  await assert.rejects(turn.serve(CAMPAIGN, recipient(1), 0))
  assert.equal(written.length, 1)
})
