/** Numbers as people type them and as spreadsheets write them, in every operation that takes some. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

const ANA = '15550780001'
const BEN = '5511987650010'
/** Whom a reading without the dot reaches. */
const STRANGER = '55119876500100'
const EVE = '5511987650011'

/** Texts that mean Ben. */
const WRITTEN = [
  '5511987650010.0',
  '5511987650010,0',
  '5.511987650010E+12',
  '+55 (11) 98765-0010',
  '0055 11 98765.0010',
  '\u202a+55\u00a011 98765\u20110010\u202c',
  '＋５５１１９８７６５００１０',
  '+55 (0) 11 98765-0010',
]
/** Texts that may mean Ben, and somebody else. */
const DOUBTFUL: readonly (readonly [string, RegExp])[] = [
  ['5.51198765001E+12', /rounded by a spreadsheet/],
  ['5511987650010.5', /has decimals/],
  ['5511987650010-1', /single digit after a separator/],
  ['011987650010', /begins with 0, so it is a national number/],
  ['(11) 98765-0010', /no possible number of the country code 1/],
  [STRANGER, /no possible number of the country code 55/],
]

describe('a number as people write it', () => {
  const { world, account: ana } = gatewaySuite({
    env: { MCP: 'true', NEW_CHATS_PER_DAY: '0', NEW_CHATS_WARM_UP: 'none', NUMBER_CHECKS_PER_MINUTE: '0' },
    phones: { [ANA]: 'Ana', [BEN]: 'Ben', [EVE]: 'Eve', [STRANGER]: 'Stranger' },
    account: [ANA, 'Ana'],
  })
  const textsOf = async (phone: string) =>
    (await world.network<{ text: string }[]>('GET', `/phones/${phone}/messages?own=false`)).map(({ text }) => text)
  const refusal = async (path: string, body: Json) => {
    const { status, body: answer } = await ana.call<Json>('POST', path, body)
    assert.equal(status, 400, `${path} ${JSON.stringify(body)} ${JSON.stringify(answer)}`)
    return JSON.stringify(answer)
  }

  it('reaches the person whom a reader means, by a send', async () => {
    for (const number of WRITTEN) {
      const sent = await ana.done<{ chatid: string }>('/send/text', { number, text: `to ${number}` })
      assert.equal(sent.chatid, `${BEN}@s.whatsapp.net`, number)
    }
    await ana.done('/send/text', { number: Number(BEN), text: 'to a JSON number' })
    const expected = [...WRITTEN.map((number) => `to ${number}`), 'to a JSON number']
    await eventually(
      () => textsOf(BEN),
      (texts) => expected.every((text) => texts.includes(text)),
    )
    assert.deepEqual(await textsOf(STRANGER), [])
  })

  it('is refused with its reason where it may mean somebody else, and nothing is sent', async () => {
    for (const [number, why] of DOUBTFUL) {
      assert.match(await refusal('/send/text', { number, text: 'doubtful' }), why, number)
      assert.match(await refusal('/sender/simple', { numbers: [number], type: 'text', text: 'doubtful' }), why, number)
      assert.match(await refusal('/group/create', { name: 'Doubtful', participants: [number] }), why, number)
      assert.match(await refusal('/chat/block', { number, block: true }), why, number)
      assert.match(await refusal('/contact/add', { number, name: 'Doubtful' }), why, number)
      assert.match(await refusal('/send/contact', { number: BEN, fullName: 'X', phoneNumber: number }), why, number)
      assert.match(await refusal('/sender/suppression/add', { numbers: [number] }), why, number)
    }
    for (const phone of [BEN, STRANGER]) assert.ok(!(await textsOf(phone)).includes('doubtful'))
  })

  it('is found by the check of numbers', async () => {
    const numbers = [...WRITTEN, ...DOUBTFUL.map(([number]) => number)]
    const { body } = await ana.call<{ query: string; jid: string; isInWhatsapp: boolean; error?: string }[]>(
      'POST',
      '/chat/check',
      { numbers },
    )
    assert.deepEqual(
      body.map(({ query }) => query),
      numbers,
    )
    for (const one of body.slice(0, WRITTEN.length)) assert.equal(one.jid, `${BEN}@s.whatsapp.net`, one.query)
    body.slice(WRITTEN.length).forEach((one, at) => {
      assert.equal(one.isInWhatsapp, false, one.query)
      assert.match(String(one.error), DOUBTFUL[at]?.[1] ?? /never/, one.query)
    })
  })

  it('is the same recipient in all ways to make a campaign, and in their dry runs', async () => {
    const list = ['number', ...WRITTEN.map((number) => `"${number}"`), `${EVE}.0`].join('\n')
    const recipients = Buffer.from(list).toString('base64')
    const common = { type: 'text', text: 'campaign', delayMin: 0, delayMax: 0 }
    const dry = await ana.call<Json>('POST', '/sender/import', { recipients, dryRun: true, ...common })
    assert.deepEqual([dry.status, dry.body.count, dry.body.invalid], [200, 2, 0], JSON.stringify(dry.body))
    const made = await ana.call<Json>('POST', '/sender/import', { recipients, ...common })
    assert.deepEqual([made.status, made.body.count], [200, 2], JSON.stringify(made.body))
    await ana.done('/sender/simple', { numbers: [`${EVE}.0`], ...common, text: 'simple' })
    await ana.done('/sender/advanced', {
      messages: [{ number: `${EVE}.0`, type: 'text', text: 'advanced' }],
      delayMin: 0,
      delayMax: 0,
    })
    await eventually(
      () => textsOf(EVE),
      (texts) => ['campaign', 'simple', 'advanced'].every((text) => texts.includes(text)),
    )
    await eventually(
      () => textsOf(BEN),
      (texts) => texts.includes('campaign'),
    )
    const wrong = `number\n${DOUBTFUL.map(([number]) => `"${number}"`).join('\n')}\n`
    const counted = await ana.call<Json>('POST', '/sender/import', {
      ...{ recipients: Buffer.from(wrong).toString('base64'), dryRun: true },
      ...common,
    })
    const errors = (counted.body.errors ?? counted.body.details) as { why: string }[]
    DOUBTFUL.forEach(([number, why], at) => {
      assert.match(String(errors[at]?.why), why, number)
    })
    assert.deepEqual(await textsOf(STRANGER), [])
  })

  it('is a member of a group, a blocked person and a contact under the number that is read', async () => {
    const group = await ana.done<{ Participants: { PhoneNumber?: string; JID: string }[] }>('/group/create', {
      name: 'Readers',
      participants: [`${BEN}.0`, `+${EVE}`],
    })
    const members = JSON.stringify(group.Participants)
    for (const person of [BEN, EVE]) assert.ok(members.includes(`${person}@s.whatsapp.net`), members)
    const { contact } = await ana.done<{ contact: Json }>('/contact/add', { phone: `${EVE}.0`, name: 'Eve' })
    assert.equal(contact.jid, `${EVE}@s.whatsapp.net`)
    await ana.done('/chat/block', { number: `${EVE}.0`, block: true })
    const list = await ana.call<{ blockList: string[] }>('GET', '/chat/blocklist')
    assert.ok(JSON.stringify(list.body).includes(EVE), JSON.stringify(list.body))
  })
})
