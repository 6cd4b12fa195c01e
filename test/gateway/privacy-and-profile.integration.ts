import assert from 'node:assert/strict'
import { afterEach, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { png } from '../support/samples.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>
interface Shown {
  readonly about: string
  readonly picture: string
  readonly privacy: Readonly<Record<string, string>>
  readonly disappearingSeconds: number
}

const [ANA, BEN] = ['15550680001', '15550680002']

describe('privacy and profile', () => {
  let world: World
  let ana: TestInstance
  const cleanup = suiteCleanup()
  before(async () => {
    world = await startWorld(cleanup)
    await world.phone(BEN, 'Ben')
    ana = await world.paired(ANA, 'Ana')
  })
  afterEach(() => world.network('DELETE', '/faults'))

  const shown = () => world.network<Shown>('GET', `/phones/${ANA}`)
  const change = (body: Json) => ana.call<Json>('POST', '/instance/privacy', body)
  const settings = async () => (await ana.call<Json>('GET', '/instance/privacy')).body
  const listReceipts = async (id: string) =>
    (await world.network<{ type: string }[]>('GET', `/phones/${BEN}/receipts?id=${id}`)).map(({ type }) => type)
  /** Marks a new message of Ben as read. Resolves to its id. */
  const readOne = async () => {
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text: 'hello' })
    await eventually(async () => {
      const { body } = await ana.call<{ results: { status: string }[] }>('POST', '/message/markread', { id: [id] })
      return body.results[0]?.status === 'success'
    })
    return id
  }

  it('show each category of the network, and a change with all settings after it', async () => {
    const before = await settings()
    assert.deepEqual(
      [before.last, before.online, before.calladd, before.defense, before.disappearing],
      ['all', 'all', 'all', 'off', 0],
    )
    const wanted = {
      groupadd: 'contact_blacklist',
      last: 'none',
      status: 'contacts',
      profile: 'contacts',
      online: 'match_last_seen',
      calladd: 'known',
      messages: 'contacts',
      defense: 'on_standard',
      stickers: 'contact_allowlist',
      linked_profiles: 'none',
      pix: 'contacts',
      disappearing: 604_800,
    }
    const { status, body } = await change(wanted)
    assert.deepEqual([status, body], [200, { ...wanted, readreceipts: 'all' }])
    const { privacy, disappearingSeconds } = await shown()
    assert.deepEqual({ ...privacy, disappearing: disappearingSeconds }, wanted)
    assert.deepEqual(await settings(), body)
    assert.equal((await change({ disappearing: 0 })).body.disappearing, 0)
  })

  it('of read receipts count for the next message, whichever device has changed them', async () => {
    const open = await readOne()
    await eventually(
      () => listReceipts(open),
      (types) => types.includes('read'),
    )
    assert.equal((await change({ readreceipts: 'none' })).status, 200)
    const hidden = await readOne()
    await world.network('POST', `/phones/${ANA}/privacy`, { category: 'readreceipts', value: 'all' })
    // The gateway reads the settings again when it hears of the change.
    await eventually(async () => {
      const id = await readOne()
      return await eventually(
        () => listReceipts(id),
        (types) => types.includes('read'),
        1_000,
      ).catch(() => false)
    })
    assert.equal((await listReceipts(hidden)).includes('read'), false)
  })

  it('are named if they are not allowed or refused by the network, and the others are kept', async () => {
    const before = await settings()
    for (const body of [{ last: 'everybody' }, { disappearing: 5 }, {}, { last: 7 }]) {
      const { status, body: answer } = await change(body)
      assert.deepEqual([status, answer.code], [400, 'INVALID_REQUEST'], JSON.stringify(body))
    }
    await world.network('POST', '/faults', { kind: 'privacy-refused', phone: ANA, name: 'online', code: 403 })
    const { status, body } = await change({ last: 'all', online: 'all', pix: 'all' })
    assert.deepEqual([status, body.code, body.provider_code, body.changed], [500, 'CHANGE_FAILED', 403, ['last']])
    assert.equal(body.error, 'WhatsApp refused the setting online (403). Changed before it: last.')
    assert.deepEqual(await settings(), { ...before, last: 'all' })
  })

  it('take an about text, and an empty one removes it', async () => {
    const { status, body } = await ana.call<Json>('POST', '/profile/status', { text: ' Aberto das 8 às 18 ' })
    assert.deepEqual([status, body.message], [200, 'Profile status updated'])
    assert.equal((body.profile as Json).status, 'Aberto das 8 às 18')
    assert.equal((await shown()).about, 'Aberto das 8 às 18')
    assert.equal((await ana.call('POST', '/profile/status', { text: 'a'.repeat(140) })).status, 400)
    await world.network('POST', '/faults', { kind: 'mex-refused', phone: ANA, code: 429 })
    const refused = await ana.call<Json>('POST', '/profile/status', { text: 'never' })
    assert.deepEqual([refused.status, refused.body.code, refused.body.provider_code], [500, 'CHANGE_FAILED', 429])
    await world.network('DELETE', '/faults')
    assert.equal((await shown()).about, 'Aberto das 8 às 18')
    assert.equal((await ana.call('POST', '/profile/status', { text: '' })).status, 200)
    assert.equal((await shown()).about, '')
  })

  it('take a picture, cut it to a square JPEG, show its address, and remove it', async () => {
    const image = (await png(900, 500)).toString('base64')
    const { status, body } = await ana.call<Json>('POST', '/profile/image', { image })
    assert.deepEqual([status, body.message], [200, 'Profile image updated'])
    assert.deepEqual([(body.profile as Json).image_updated, (body.profile as Json).image_removed], [true, false])
    const { format, width, height } = await sharp(Buffer.from((await shown()).picture, 'base64')).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 640, 640])
    await eventually(async () => /^https:\/\/.+/.test(String((await ana.status()).instance.profilePicUrl)))
    const wrong = await ana.call<Json>('POST', '/profile/image', { image: Buffer.alloc(99).toString('base64') })
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'INVALID_REQUEST'])
    const removed = await ana.call<Json>('POST', '/profile/image', { image: 'remove' })
    assert.deepEqual([removed.status, removed.body.message], [200, 'Profile image removed'])
    assert.equal((await shown()).picture, '')
    await eventually(async () => (await ana.status()).instance.profilePicUrl === '')
  })
})
