import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Change, InstanceJournal } from '../../../actors/instance/ports.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId, Jid, MessageId } from '../../../schemas/ids.js'
import type { NewCampaign } from '../../../schemas/ports/campaigns.js'
import { aMessage, openTestStore, received, type TestStore } from '../../../test/support/store.js'
import { createReader } from '../reader.js'
import { createCampaigns } from './campaigns.js'

const ID = 'r00000000000001'
const PAUSE_MS = 3_600_000

function campaignFor(count: number, more: Partial<NewCampaign> = {}): NewCampaign {
  return {
    id: ID,
    info: '',
    send: { content: { kind: 'text', text: 'hello' }, options: {} },
    variants: [],
    delayMinMs: 0,
    delayMaxMs: 0,
    startsInMs: 0,
    recipients: Array.from({ length: count }, (_, index) => ({
      address: `5511${index}@s.whatsapp.net` as Jid,
      send: null,
    })),
    dedupe: false,
    ...more,
  }
}

interface Scene {
  readonly store: TestStore
  readonly instance: InstanceId
  readonly campaigns: ReturnType<typeof createCampaigns>
  readonly reader: ReturnType<typeof createReader>
  readonly journal: InstanceJournal
}

async function start(t: TestContext, count: number, more: Partial<NewCampaign> = {}): Promise<Scene> {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  const campaigns = createCampaigns(store.database.pool)
  await campaigns.create(instance, campaignFor(count, more))
  const journal = store.journal.forInstance(instance, store.findEpoch(instance))
  return { store, instance, campaigns, reader: createReader(store.database.pool, store.encryption), journal }
}

const taken = (ordinal: number, messageid: string): Change[] => [
  {
    type: 'message',
    announce: false,
    message: aMessage({
      messageid: messageid as MessageId,
      fromMe: true,
      status: 'pending',
      wasSentByApi: true,
      campaign: { folderId: ID, ordinal },
    }),
  },
  {
    type: 'campaign.taken',
    folderId: ID,
    ordinal,
    messageid: messageid as MessageId,
    wasParked: false,
    variant: null,
    nextInMs: PAUSE_MS,
    day: 20_000,
    nodeWaitMs: 1_500.4,
  },
]
const status = (messageid: string, to: 'sent' | 'delivered' | 'read' | 'failed' | 'deleted'): Change => ({
  type: 'message.update',
  messageids: [messageid as MessageId],
  fromMe: true,
  set: { status: to, ...(to === 'failed' ? { error: 'No.', providerCode: 463 } : {}) },
})

describe('the stored campaign', () => {
  it('gives a recipient one message, whoever asks again: nothing of the second write is kept', async (t) => {
    const { store, journal, reader, instance } = await start(t, 3)
    await journal.write(taken(0, 'ONE'))
    await assert.rejects(
      journal.write(taken(0, 'TWO')),
      (error) => error instanceof GatewayError && error.code === 'STORE_UNAVAILABLE',
    )
    const rows = await store.rows<{ messageid: string }>('SELECT messageid FROM message')
    assert.deepEqual(rows, [{ messageid: 'ONE' }])
    const [active] = await reader.activeCampaigns(instance)
    assert.deepEqual([active?.taken, active?.lastOrdinal], [1, 0])
    assert.ok(Number(active?.waitMs) > PAUSE_MS - 60_000, 'the pause is stored with the send')
    assert.deepEqual([active?.day, active?.dayTaken], [20_000, 1], 'the count of the day is stored with the send')
    const next = await reader.nextRecipients(instance, ID, 0, 10, { withNew: false, cap: null, withWritten: true })
    assert.deepEqual(
      next.map(({ ordinal }) => ordinal),
      [1, 2],
    )
  })

  it('counts each state of a recipient once, cumulatively, in whatever order receipts come', async (t) => {
    const { store, journal, reader, instance } = await start(t, 4)
    for (const ordinal of [0, 1, 2, 3]) await journal.write(taken(ordinal, `M${ordinal}`))
    await journal.write([status('M0', 'read'), status('M1', 'sent'), status('M2', 'failed')])
    await journal.write([
      status('M0', 'delivered'),
      status('M0', 'sent'),
      status('M0', 'read'),
      status('M1', 'delivered'),
    ])
    const row = await reader.campaign(instance, ID)
    assert.ok(row)
    const { total, taken: open, sent, delivered, read, failed } = row
    assert.deepEqual(
      { total, open, sent, delivered, read, failed },
      { total: 4, open: 1, sent: 2, delivered: 2, read: 1, failed: 1 },
    )
    await journal.write([status('M0', 'deleted')])
    const [deleted] = await store.rows<{ status: number }>('SELECT status FROM campaign_recipient WHERE ordinal = 0')
    assert.equal(deleted?.status, 4, 'a message that was deleted after it was read counts as read')
  })

  it('finds people who have got too many messages of campaigns within some days, by each of their addresses', async (t) => {
    const { store, journal, reader, instance } = await start(t, 3)
    const tooFrequent = async (messages: number, days = 7) => {
      const next = await reader.nextRecipients(instance, ID, -1, 10, {
        withNew: false,
        cap: { messages, days },
        withWritten: false,
      })
      return next.flatMap(({ ordinal, isTooFrequent }) => (isTooFrequent ? [ordinal] : []))
    }
    assert.deepEqual(await tooFrequent(1), [])
    await journal.write(taken(0, 'M0'))
    await store.rows('UPDATE campaign_recipient SET place = 1, status = 0 WHERE ordinal = 0')
    assert.deepEqual([await tooFrequent(1), await tooFrequent(2)], [[0], []])
    await journal.write(taken(0, 'M1'))
    await store.rows('UPDATE campaign_recipient SET place = 1, status = 0 WHERE ordinal = 0')
    assert.deepEqual([await tooFrequent(2), await tooFrequent(3)], [[0], []])
    await store.rows(`UPDATE campaign_contact SET recent[2] = now() - interval '8 days'`)
    assert.deepEqual([await tooFrequent(1), await tooFrequent(2), await tooFrequent(2, 9)], [[0], [], [0]])
    await store.rows(`UPDATE campaign_contact SET address = '88@lid'`)
    assert.deepEqual(await tooFrequent(1), [])
    await journal.write([{ type: 'mapping', lid: '88@lid' as Jid, pn: '55110@s.whatsapp.net' as Jid }])
    assert.deepEqual(await tooFrequent(1), [0])
  })

  it('counts the first message of each person after theirs once, however often it is delivered', async (t) => {
    const { store, journal, reader, instance } = await start(t, 3)
    const [one, two] = ['55110@s.whatsapp.net', '55111@s.whatsapp.net'] as [Jid, Jid]
    const reply = (messageid: string, pn: Jid | undefined, agoMs = 0, lid?: Jid): Change[] => {
      const chat = { ...(pn === undefined ? {} : { pn }), ...(lid === undefined ? {} : { lid }) }
      const sentAtMs = Date.now() - agoMs
      const message = aMessage({ messageid: messageid as MessageId, chat, messageTimestampMs: sentAtMs })
      return [
        { type: 'message', announce: false, message },
        { type: 'campaign.reply', chat, messageid: messageid as MessageId, sentAtMs },
      ]
    }
    const replied = async () => (await reader.campaign(instance, ID))?.replied
    assert.equal(await reader.awaitsReplies(instance), false)
    await journal.write([
      { type: 'campaign.status', folderId: ID, from: ['scheduled'], to: 'sending' },
      ...taken(0, 'M0'),
      // The message of the campaign has not left yet.
      ...reply('EARLY', one),
    ])
    assert.deepEqual([await reader.awaitsReplies(instance), await replied()], [true, 0])
    await journal.write([...taken(1, 'M1'), status('M0', 'sent')])
    await journal.write([...reply('OLD', one, 3_600_000), ...reply('STRANGER', '559999@s.whatsapp.net' as Jid)])
    assert.equal(await replied(), 0)
    await journal.write([...reply('R1', one), ...reply('R1', one), ...reply('R2', one)])
    assert.equal(await replied(), 1)
    // The next campaign reaches the person too: the message that is delivered again is not a reply to it.
    await store.rows(`UPDATE campaign_contact SET folder_id = '${ID}', ordinal = 2 WHERE address = '${one}'`)
    await store.rows('UPDATE campaign_recipient SET status = 2, place = 0 WHERE ordinal = 2')
    await journal.write(reply('R1', one))
    assert.equal(await replied(), 1)
    // A reply from an address that is known to be the same person.
    await journal.write([{ type: 'mapping', lid: '77@lid' as Jid, pn: two }])
    await journal.write(reply('R3', undefined, 0, '77@lid' as Jid))
    const rows = await store.rows<{ ordinal: number }>(
      'SELECT ordinal FROM campaign_recipient WHERE replied_at IS NOT NULL ORDER BY ordinal',
    )
    assert.deepEqual([rows.map(({ ordinal }) => ordinal), await replied()], [[0, 1], 2])
    // Receipts continue to count.
    await journal.write([status('M0', 'read')])
    const row = await reader.campaign(instance, ID)
    assert.deepEqual([row?.sent, row?.delivered, row?.read, row?.replied], [1, 1, 1, 2])
  })

  it('deletes what was not sent some at a time, and keeps the record of what was', async (t) => {
    const { journal, reader, campaigns, instance } = await start(t, 25)
    await journal.write(taken(0, 'ONE'))
    await journal.write([status('ONE', 'sent')])
    const purge = { type: 'campaign.purge', folderId: ID, all: false, rowsMax: 10 } as const
    await journal.write([purge])
    assert.equal((await reader.campaign(instance, ID))?.deleted, 0, 'nothing goes before the campaign is being deleted')
    await journal.write([{ type: 'campaign.status', folderId: ID, from: ['scheduled'], to: 'deleting' }])
    for (const left of [true, true, false]) {
      await journal.write([purge])
      assert.equal(await reader.hasRecipientsToDelete(instance, ID, false), left)
    }
    assert.equal((await reader.campaign(instance, ID))?.deleted, 24)
    const rows = await campaigns.recipients(instance, ID, { filter: null, limit: 50, offset: 0 })
    assert.deepEqual(
      rows.map(({ ordinal }) => ordinal),
      [0],
    )
  })

  it('lists pages of each state, from the front and along a cursor', async (t) => {
    const { journal, campaigns, instance } = await start(t, 30)
    for (const ordinal of [0, 1, 2, 3]) await journal.write(taken(ordinal, `M${ordinal}`))
    await journal.write([status('M0', 'sent'), status('M1', 'failed')])
    const park = { kind: 'parked', forMs: PAUSE_MS, reason: 'refused' } as const
    await journal.write([
      { type: 'campaign.recipient', folderId: ID, ordinal: 4, wasParked: false, outcome: park, nextInMs: 0 },
    ])
    const page = async (filter: 'scheduled' | 'sent' | 'failed' | null, more: object = {}) =>
      (await campaigns.recipients(instance, ID, { filter, limit: 3, offset: 0, ...more })).map(({ ordinal }) => ordinal)
    assert.deepEqual(await page('sent'), [0])
    assert.deepEqual(await page('failed'), [1])
    assert.deepEqual(await page('scheduled'), [2, 3, 4])
    assert.deepEqual(await page('scheduled', { offset: 3 }), [5, 6, 7])
    assert.deepEqual(await page('scheduled', { after: 4 }), [5, 6, 7])
    assert.deepEqual(await page(null, { after: 27 }), [28, 29])
  })

  it('takes one connection of the pool for all creations of an instance', async (t) => {
    const { store, instance, campaigns } = await start(t, 1)
    const { writes: pool } = store.database.lanes
    let [busy, busyMax] = [0, 0]
    pool.on('acquire', () => {
      busyMax = Math.max(busyMax, ++busy)
    })
    pool.on('release', () => {
      busy -= 1
    })
    const ids = ['r2', 'r3', 'r4', 'r5', 'r6']
    const made = await Promise.all([
      ...ids.map((id) => campaigns.create(instance, campaignFor(2, { id }))),
      campaigns.copy(instance, ID, 'all', { id: 'r7', startsInMs: 0 }),
    ])
    assert.deepEqual(
      made.map((one) => one?.count),
      [2, 2, 2, 2, 2, 1],
    )
    assert.equal(busyMax, 1)
  })

  it('says of the next recipients who has written, if the pacing asks', async (t) => {
    const { journal, reader, instance } = await start(t, 3)
    const [one, two] = ['55110@s.whatsapp.net', '55111@s.whatsapp.net'] as [Jid, Jid]
    const message = (pn: Jid, fromMe: boolean) => received(aMessage({ chat: { pn }, fromMe }))
    await journal.write([message(one, false), message(one, true), message(two, true)])
    const written = async (withWritten: boolean) =>
      (await reader.nextRecipients(instance, ID, -1, 10, { withNew: false, cap: null, withWritten })).map(
        ({ hasWritten }) => hasWritten,
      )
    assert.deepEqual(await written(true), [true, false, false])
    assert.deepEqual(await written(false), [null, null, null])
  })

  it('parks whom the network refuses for now, keeps its last answers, and gives strangers out only when asked for', async (t) => {
    const { journal, reader, instance, store } = await start(t, 6)
    const next = async (withNew: boolean) =>
      (await reader.nextRecipients(instance, ID, -1, 10, { withNew, cap: null, withWritten: false })).map(
        ({ ordinal, isBehind, isParkedAsNew }) =>
          isBehind ? `${ordinal} behind` : isParkedAsNew ? `${ordinal} new` : ordinal,
      )
    for (const ordinal of [0, 1, 2]) await journal.write(taken(ordinal, `M${ordinal}`))
    const parks = (forMs: number | null) => ({ parks: { forMs, reason: 'refused' } }) as const
    await journal.write([{ ...status('M0', 'failed'), ...parks(PAUSE_MS) } as Change])
    // The same refusal a second time, and one of a message that was taken.
    await journal.write([{ ...status('M0', 'failed'), ...parks(PAUSE_MS) } as Change, status('M1', 'sent')])
    await journal.write([status('M2', 'failed')])
    const strangers = await reader.strangersAmong(instance, ID, 2, 2)
    assert.deepEqual(
      strangers.map(({ ordinal }) => ordinal),
      [3, 4],
    )
    const parkNew = { type: 'campaign.parkNew', folderId: ID, reason: 'new_chat_budget', forMs: PAUSE_MS } as const
    await journal.write([{ ...parkNew, ordinals: [3, 4] }])
    const [active] = await reader.activeCampaigns(instance)
    assert.deepEqual(
      [active?.parked, active?.taken, active?.recent, active?.holdReason],
      [3, 0, '01', 'new_chat_budget'],
    )
    assert.deepEqual([await next(false), await next(true)], [[5], ['3 new', '4 new', 5]])
    const first = await reader.firstParked(instance, ID)
    assert.ok(first?.reason === 'refused' && Number(first.inMs) > PAUSE_MS - 60_000)
    // A person who writes is due at once. A second entry of somebody who is parked stands behind.
    await store.rows(`UPDATE campaign_recipient SET address = '55110@s.whatsapp.net' WHERE ordinal = 5`)
    assert.deepEqual(await next(false), ['5 behind'])
    await journal.write([{ type: 'campaign.heard', addresses: ['55110@s.whatsapp.net', '55113@s.whatsapp.net'] }])
    assert.deepEqual(await next(false), [0, 3, 5])
    // A refusal after the campaign was deleted is final.
    await journal.write(taken(5, 'M5'))
    await journal.write([{ type: 'campaign.status', folderId: ID, from: ['scheduled'], to: 'deleting' }])
    await journal.write([{ ...status('M5', 'failed'), ...parks(null) } as Change])
    const after = await reader.campaign(instance, ID)
    assert.deepEqual([after?.failed, after?.parked, after?.sent], [2, 3, 1])
  })
})
