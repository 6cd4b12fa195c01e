import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { mp4, opus, png } from '../support/samples.js'

type Json = Record<string, unknown>
interface Debug {
  readonly audience: string
  readonly from_setting: boolean
  readonly requested: number
  readonly recipients: number
  readonly discarded: number
  readonly discarded_recipients: readonly { readonly input: string; readonly reason: string }[]
  readonly partial_send: boolean
}
type Posted = Json & { readonly Id: string; readonly debug: Debug; readonly code?: string }
interface Shown {
  readonly id: string
  readonly chat: string
  readonly text: string | null
  readonly media: readonly ShownMedia[]
  readonly message: { readonly extendedTextMessage?: Json; readonly audioMessage?: Json }
  readonly arrivals: number
  readonly deleted: boolean
}

const [ANA, BEN, CAI, DAN] = ['15550420001', '15550420002', '15550420003', '15550420004']
const NOBODY = '15550429999'
const STATUS = 'status@broadcast'

describe('status posts', () => {
  const { world, account: ana } = gatewaySuite({
    phones: { [BEN]: 'Ben', [CAI]: 'Cai', [DAN]: { name: 'Dan', addressing: 'lid' } },
    account: [ANA, 'Ana'],
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const post = (body: Json, headers?: Record<string, string>) => ana.call<Posted>('POST', '/send/status', body, headers)
  const posted = async (body: Json): Promise<Posted> => {
    const { status, body: answer } = await post(body)
    assert.equal(status, 200, JSON.stringify(answer))
    return answer
  }
  const at = async (phone: string, id: string): Promise<Shown[]> =>
    await network<Shown[]>('GET', `/phones/${phone}/messages?id=${id}`)
  const shown = async (phone: string, id: string) => await world.shownAt<Shown>(phone, id)
  const views = async (id: string) =>
    (await ana.call<Json & { viewers: Json[] }>('POST', '/message/views', { id })).body

  before(async () => {
    for (const [phone, name] of [
      [BEN, 'Benedict'],
      [CAI, 'Caio'],
      [DAN, 'Daniel'],
    ] as const)
      await network('POST', `/phones/${ANA}/contacts`, { number: phone, name })
    await eventually(
      async () => (await ana.call<Json[]>('GET', '/contacts?contactScope=address_book')).body.length,
      (count) => count === 3,
    )
  })

  it('go to the people of an allow list and nobody else, with their colors and font, and say who was left out', async () => {
    const answer = await posted({
      type: 'text',
      text: 'open until {{name}}',
      background_color: 3,
      font: 8,
      recipients: [BEN, `+${DAN}`, BEN, NOBODY, 'no number'],
      track_id: 'post-1',
    })
    assert.deepEqual(
      [answer.status, answer.chatid, answer.messageType, answer.track_id, answer.Id],
      ['sent', STATUS, 'text', 'post-1', answer.messageid],
    )
    assert.deepEqual(answer.debug, {
      audience: 'allowlist',
      from_setting: false,
      requested: 5,
      recipients: 2,
      discarded: 3,
      discarded_recipients: [
        { input: 'no number', reason: 'invalid' },
        { input: NOBODY, reason: 'not_on_network' },
        { input: BEN, reason: 'duplicate' },
      ],
      partial_send: true,
    })
    for (const phone of [BEN, DAN, ANA]) {
      const message = await shown(phone, answer.Id)
      assert.deepEqual([message.chat, message.text], [STATUS, 'open until {{name}}'])
      const { backgroundArgb, textArgb, font } = message.message.extendedTextMessage ?? {}
      assert.equal(typeof backgroundArgb, 'number')
      assert.deepEqual([textArgb, font], [0xffffffff, 'CALISTOGA_REGULAR'])
    }
    assert.deepEqual(await at(CAI, answer.Id), [])
    const stanzas = await network<Json[]>('GET', '/log/status')
    assert.deepEqual(
      stanzas.filter(({ id }) => id === answer.Id).map(({ setting, devices }) => [setting, devices]),
      [['allowlist', 3]],
    )
    // The acknowledgement may be stored with a later write.
    const [stored] = await eventually(
      () => ana.messages({ track_id: 'post-1' }),
      ([post]) => post?.status === 'sent',
    )
    assert.equal(stored?.sendFunction, 'status')
  })

  it('go to all contacts, or to those who are not on the deny list', async () => {
    const all = await posted({ type: 'text', text: 'for all', audience: 'contacts' })
    assert.deepEqual([all.debug.audience, all.debug.recipients, all.debug.discarded], ['contacts', 3, 0])
    const some = await posted({ type: 'text', text: 'not for Cai', audience: 'denylist', recipients: [CAI] })
    assert.deepEqual([some.debug.audience, some.debug.recipients], ['denylist', 2])
    assert.deepEqual(
      some.debug.discarded_recipients.map(({ reason, input }) => [reason, input.startsWith(CAI)]),
      [['excluded', true]],
    )
    for (const phone of [BEN, DAN]) await shown(phone, some.Id)
    await shown(CAI, all.Id)
    assert.deepEqual(await at(CAI, some.Id), [])
    const few = await posted({ type: 'text', text: 'for one', audience: 'contacts', max_recipients: 1 })
    assert.deepEqual(
      few.debug.discarded_recipients.map(({ reason }) => reason),
      ['over_limit', 'over_limit'],
    )
  })

  it('go to those whom the phone has set, if the caller names nobody, and to nobody if that is not known', async () => {
    await network('POST', `/phones/${ANA}/status-setting`, { type: 'blacklist', people: [DAN] })
    const answer = await posted({ type: 'text', text: 'as on the phone' })
    assert.deepEqual([answer.debug.audience, answer.debug.from_setting, answer.debug.recipients], ['denylist', true, 2])
    await shown(BEN, answer.Id)
    assert.deepEqual(await at(DAN, answer.Id), [])
    await network('POST', `/phones/${ANA}/status-setting`, { type: 'refused' })
    const refused = await post({ type: 'text', text: 'for nobody' })
    assert.deepEqual([refused.status, refused.body.code], [502, 'NETWORK_REFUSED'], JSON.stringify(refused.body))
    await network('POST', `/phones/${ANA}/status-setting`, { type: 'contacts' })
  })

  it('may be images, videos and voice messages', async () => {
    const file = async (of: Promise<Buffer> | Buffer) => (await of).toString('base64')
    const image = await posted({ type: 'image', file: await file(png()), text: 'a view', recipients: [BEN] })
    const video = await posted({ type: 'video', file: await file(mp4()), recipients: [BEN] })
    const voice = await posted({ type: 'ptt', file: await file(opus()), background_color: 2, recipients: [BEN] })
    const kinds = await Promise.all(
      [image, video, voice].map(async ({ Id }) => {
        const { media, text } = await shown(BEN, Id)
        return [media[0]?.kind, media[0]?.error, text]
      }),
    )
    assert.deepEqual(
      kinds.map(([, error]) => error),
      [null, null, null],
    )
    assert.deepEqual(
      [kinds[0]?.[2], image.messageType, video.messageType, voice.mediaType],
      ['a view', 'image', 'video', 'ptt'],
    )
    assert.equal(typeof (await shown(BEN, voice.Id)).message.audioMessage?.backgroundArgb, 'number')
  })

  it('have a list of those who received and saw them, which strangers do not join', async () => {
    const { Id } = await posted({ type: 'text', text: 'who sees it', recipients: [BEN, CAI] })
    for (const phone of [BEN, CAI]) await shown(phone, Id)
    await network('POST', `/phones/${BEN}/read`, { ids: [Id] })
    const seen = await eventually(
      () => views(Id),
      (answer) => answer.seen === 1 && answer.delivered === 2,
    )
    assert.deepEqual([seen.recipients, seen.reached, seen.hasMore], [2, 0, false])
    const [first, second] = seen.viewers
    assert.deepEqual([first?.phone, first?.name, second?.phone, second?.seen], [BEN, 'Benedict', CAI, ''])
    assert.match(String(first?.seen), /^\d{4}-/)
    const paged = await ana.call<{ viewers: Json[]; hasMore: boolean }>('POST', '/message/views', { id: Id, limit: 1 })
    assert.deepEqual([paged.body.viewers.length, paged.body.hasMore], [1, true])
    const text = await ana.text(BEN, 'no post')
    const none = await ana.call('POST', '/message/views', { id: text.messageid })
    assert.deepEqual([none.status, none.body.code], [404, 'MESSAGE_NOT_FOUND'])
  })

  it('are deleted for the same people, and are not edited', async () => {
    const { Id } = await posted({ type: 'text', text: 'a mistake', recipients: [BEN, CAI] })
    await shown(CAI, Id)
    const edited = await ana.call('POST', '/message/edit', { id: Id, text: 'no mistake' })
    assert.deepEqual([edited.status, edited.body.code], [400, 'NOT_EDITABLE'])
    await ana.done('/message/delete', { id: Id })
    for (const phone of [BEN, CAI])
      await eventually(
        () => at(phone, Id),
        ([message]) => message?.deleted === true,
      )
    assert.equal((await ana.messages({ id: Id }))[0]?.status, 'deleted')
  })

  it('with the same key are posted once, and get the same answer', async () => {
    const headers = { 'idempotency-key': 'status-1' }
    const body = { type: 'text', text: 'once', recipients: [BEN, NOBODY] }
    const [first, second] = [await post(body, headers), await post(body, headers)]
    assert.deepEqual([first.status, second.body.Id, second.body.debug], [200, first.body.Id, first.body.debug])
    const stanzas = await network<Json[]>('GET', '/log/status')
    assert.equal(stanzas.filter(({ id }) => id === first.body.Id).length, 1)
    const other = await post({ ...body, text: 'twice' }, headers)
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('are given again to a person who could not read them, and to nobody else', async () => {
    const { Id } = await posted({ type: 'text', text: 'only for Ben', recipients: [BEN] })
    await shown(BEN, Id)
    for (const phone of [CAI, BEN])
      await network('POST', `/phones/${phone}/ask-again`, { of: ANA, id: Id, status: true })
    await eventually(
      () => at(BEN, Id),
      ([message]) => (message?.arrivals ?? 0) > 1,
    )
    assert.deepEqual(await at(CAI, Id), [])
  })

  it('are refused with a reason, and then nothing is posted', async () => {
    const before = (await network<Json[]>('GET', '/log/status')).length
    const refused = async (body: Json, code: string, error: RegExp, status = 400) => {
      const answer = await post(body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
      assert.match(String(answer.body.error), error)
    }
    await refused({ type: 'text' }, 'INVALID_REQUEST', /text is missing/)
    await refused({ type: 'image' }, 'INVALID_REQUEST', /file is missing/)
    await refused({ type: 'text', text: 'x', font: 5 }, 'INVALID_REQUEST', /font/)
    await refused({ type: 'text', text: 'x', background_color: 20 }, 'INVALID_REQUEST', /background_color/)
    await refused({ type: 'text', text: 'x'.repeat(657) }, 'INVALID_REQUEST', /text/)
    await refused({ type: 'text', text: 'x', audience: 'denylist' }, 'INVALID_REQUEST', /recipients is missing/)
    await refused({ type: 'text', text: 'x', audience: 'contacts', recipients: [BEN] }, 'INVALID_REQUEST', /recipients/)
    await refused({ type: 'text', text: 'x', recipients: [NOBODY, '1@g.us'] }, 'NO_RECIPIENTS', /none of the 2/)
    await network('POST', '/faults', { kind: 'ack-error', phone: ANA, code: 479, times: 1 })
    await refused({ type: 'text', text: 'x', recipients: [BEN] }, 'SEND_REFUSED', /479|refused/, 502)
    assert.equal((await network<Json[]>('GET', '/log/status')).length, before)
  })
})
