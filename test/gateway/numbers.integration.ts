/** Numbers as people type them and as spreadsheets write them, in every operation that takes some. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { connectDatabase } from '../support/statements.js'

type Json = Record<string, unknown>

const ANA = '15550780001'
const BEN = '5511987650010'
/** The person that a reading without the dot reaches. */
const STRANGER = '55119876500100'
const EVE = '5511987650011'
const CAT = '15550780002'

/** Texts that mean Ben. */
const WRITTEN = [
  '5511987650010.0',
  '5511987650010,0',
  '+5511987650010.0',
  '5.511987650010E+12',
  '+55 (11) 98765-0010',
  '0055 11 98765.0010',
  '\u202a+55\u00a011 98765\u20110010\u202c',
  '＋５５１１９８７６５００１０',
  '+55 (0) 11 98765-0010',
]
/** Texts that mean Ben to people in Brazil. */
const NATIONAL = ['011 98765-0010', '(11) 98765-0010', '11987650010.0', '0 15 11 98765-0010']
/** Texts that may mean Ben, and somebody else. */
const DOUBTFUL: readonly (readonly [string, RegExp])[] = [
  ['5.51198765001E+12', /rounded by a spreadsheet/],
  ['5511987650010.5', /has decimals/],
  ['5511987650010-1', /single digit after a separator/],
  ['011987650010', /begins with 0, so it is a national number/],
  ['(11) 98765-0010', /not a possible number of the country code 1/],
  [STRANGER, /not a possible number of the country code 55/],
]

describe('a number as people write it', () => {
  const { world, account: ana } = gatewaySuite({
    env: { MCP: 'true', NEW_CHATS_PER_DAY: '0', NEW_CHATS_WARM_UP: 'none', NUMBER_CHECKS_PER_MINUTE: '0' },
    phones: { [ANA]: 'Ana', [BEN]: 'Ben', [EVE]: 'Eve', [STRANGER]: 'Stranger' },
    account: [ANA, 'Ana'],
  })
  const listTexts = async (phone: string) =>
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
      () => listTexts(BEN),
      (texts) => expected.every((text) => texts.includes(text)),
    )
    assert.deepEqual(await listTexts(STRANGER), [])
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
    for (const phone of [BEN, STRANGER]) assert.ok(!(await listTexts(phone)).includes('doubtful'))
  })

  it('finds chats, contacts and instances in their searches', async (t) => {
    const listChats = async (filter: Json) => {
      const { status, body } = await ana.call<{ chats: Json[] }>('POST', '/chat/find', filter)
      assert.equal(status, 200, JSON.stringify(body))
      return body.chats.map(({ wa_chatid: chat }) => chat)
    }
    for (const number of [...WRITTEN, '+55 11 8765-0010', '98765-0010', BEN]) {
      for (const field of ['phone', 'wa_chatid'])
        assert.deepEqual(await listChats({ [field]: number }), [`${BEN}@s.whatsapp.net`], `${field} ${number}`)
      assert.ok(!(await listChats({ phone: `!~${number}` })).includes(`${BEN}@s.whatsapp.net`), number)
    }
    for (const number of WRITTEN) {
      assert.ok(!(await listChats({ phone: `!=${number}` })).includes(`${BEN}@s.whatsapp.net`), number)
      assert.ok(!(await listChats({ wa_chatid: `!=${number}` })).includes(`${BEN}@s.whatsapp.net`), number)
    }
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    await database.query(
      `INSERT INTO contact (instance_id, jid, push_name) VALUES ($1, $2, 'Ben') ON CONFLICT DO NOTHING`,
      [ana.id, `${BEN}@s.whatsapp.net`],
    )
    for (const search of [...WRITTEN, '+55 11 8765-0010']) {
      const { contacts } = await ana.done<{ contacts: Json[] }>('/contacts/list', { search })
      assert.deepEqual(
        contacts.map(({ jid }) => jid),
        [`${BEN}@s.whatsapp.net`],
        search,
      )
    }
    const messages = await ana.done<{ messages: Json[] }>('/message/find', { chatid: '+55 11 8765-0010' })
    assert.ok(messages.messages.length > 0)
    for (const number of ['+1 (555) 078-0001', '15550780001.0', '1.5550780001E+10']) {
      for (const filter of [{ number }, { search: number }]) {
        const { body } = await world.gateway.call<{ instances: { instance: Json }[] }>('POST', '/instance/find', {
          admin: true,
          body: { filter },
        })
        assert.deepEqual(
          body.instances.map(({ instance }) => instance.id),
          [ana.id],
          JSON.stringify(filter),
        )
      }
    }
  })

  it('of Brazil, Mexico and Argentina is one person in lists, with the digit of mobile phones and without it', async (t) => {
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const common = { type: 'text', text: 'x', delayMin: 0, delayMax: 0, dryRun: true }
    const createList = (...numbers: string[]) => Buffer.from(['number', ...numbers].join('\n')).toString('base64')
    const readCounts = async (path: string, body: Json) => {
      const { count, duplicates, optedOut } = await ana.done<Json>(path, { ...body, ...common })
      return [count, duplicates, optedOut]
    }
    const isFound = async (number: string) =>
      (await ana.call<Json[]>('POST', '/sender/suppression/check', { numbers: [number] })).body[0]?.suppression !== null
    for (const pair of [
      ['5511976540099', '551176540099'],
      ['5215512345678', '525512345678'],
      ['5491123456789', '541123456789'],
    ] as const) {
      assert.deepEqual((await readCounts('/sender/simple', { numbers: pair })).slice(0, 2), [1, 1], pair[0])
      assert.deepEqual(await readCounts('/sender/import', { recipients: createList(...pair) }), [1, 1, 0], pair[0])
      for (const [one, other] of [pair, pair.toReversed() as [string, string]]) {
        await ana.done('/sender/suppression/add', { numbers: [one] })
        assert.deepEqual([await isFound(one), await isFound(other)], [true, true], one)
        assert.deepEqual(await readCounts('/sender/import', { recipients: createList(other) }), [0, 0, 1], one)
        await ana.done('/sender/suppression/remove', { numbers: [other] })
        assert.equal(await isFound(one), false)
        // As a former release stored it.
        const stored = [ana.id, `${one}@s.whatsapp.net`]
        await database.query(
          `INSERT INTO suppression (instance_id, address, reason, source) VALUES ($1, $2, '', 'api')`,
          stored,
        )
        assert.equal(await isFound(other), true)
        assert.deepEqual(await readCounts('/sender/import', { recipients: createList(other) }), [0, 0, 1], one)
        await ana.done('/sender/suppression/remove', { numbers: [other] })
        assert.equal(await isFound(one), false)
      }
    }
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
      () => listTexts(EVE),
      (texts) => ['campaign', 'simple', 'advanced'].every((text) => texts.includes(text)),
    )
    await eventually(
      () => listTexts(BEN),
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
    assert.deepEqual(await listTexts(STRANGER), [])
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

describe('an instance with a country', () => {
  const {
    world,
    account: ana,
    cleanup,
  } = gatewaySuite({
    env: { MCP: 'true', NEW_CHATS_PER_DAY: '0', NEW_CHATS_WARM_UP: 'none', NUMBER_CHECKS_PER_MINUTE: '0' },
    phones: { [ANA]: 'Ana', [BEN]: 'Ben', [EVE]: 'Eve', [CAT]: 'Cat' },
    account: [ANA, 'Ana'],
    complete: async () => {
      const set = await ana.done<Json>('/instance/updateDefaultCountry', { defaultCountry: 'br' })
      assert.equal(set.defaultCountry, 'BR')
    },
  })
  const listTexts = async (phone: string) =>
    (await world.network<{ text: string }[]>('GET', `/phones/${phone}/messages?own=false`)).map(({ text }) => text)

  it('shows it, keeps it, and refuses what is none', async () => {
    assert.equal((await ana.status()).instance.defaultCountry, 'BR')
    for (const defaultCountry of ['XX', 'B', '55', 'constructor']) {
      const { status, body } = await ana.call<Json>('POST', '/instance/updateDefaultCountry', { defaultCountry })
      assert.deepEqual([status, (body.details as Json[])[0]?.field], [400, 'defaultCountry'], defaultCountry)
    }
    assert.equal((await ana.status()).instance.defaultCountry, 'BR')
  })

  it('takes its national numbers in every operation', async () => {
    for (const number of NATIONAL) {
      const sent = await ana.done<{ chatid: string }>('/send/text', { number, text: `to ${number}` })
      assert.equal(sent.chatid, `${BEN}@s.whatsapp.net`, number)
    }
    // Numbers with their country code and numbers of simulated networks stay what they are.
    for (const number of [EVE, `+${EVE}`, CAT, `${CAT}@s.whatsapp.net`]) {
      const sent = await ana.done<{ chatid: string }>('/send/text', { number, text: 'as it is' })
      assert.equal(sent.chatid, `${number.replace(/\D/g, '')}@s.whatsapp.net`, number)
    }
    const [national = ''] = NATIONAL
    const checked = await ana.call<{ query: string; jid: string }[]>('POST', '/chat/check', { numbers: [national] })
    assert.deepEqual(
      checked.body.map(({ query, jid }) => [query, jid]),
      [[national, `${BEN}@s.whatsapp.net`]],
    )
    const group = await ana.done<Json>('/group/create', { name: 'National', participants: [national] })
    assert.ok(JSON.stringify(group.Participants).includes(BEN))
    const added = await ana.done<{ contact: Json }>('/contact/add', { phone: national, name: 'Ben' })
    assert.equal(added.contact.jid, `${BEN}@s.whatsapp.net`)
    await ana.done('/sender/suppression/add', { numbers: ['011 98765-0011'] })
    const found = await ana.call<Json>('POST', '/sender/suppression/check', { numbers: [EVE] })
    assert.ok(JSON.stringify(found.body).includes(EVE), JSON.stringify(found.body))
    await ana.done('/sender/suppression/remove', { numbers: ['(11) 98765-0011'] })
    const card = { number: national, fullName: 'Eve', phoneNumber: '(11) 98765-0011, 011987650011' }
    assert.ok(JSON.stringify(await ana.done<Json>('/send/contact', card)).includes(`waid=${EVE}`))
    for (const phone of NATIONAL) {
      const { chats } = await ana.done<{ chats: Json[] }>('/chat/find', { phone })
      assert.deepEqual(
        chats.map(({ wa_chatid: chat }) => chat),
        [`${BEN}@s.whatsapp.net`],
        phone,
      )
    }
    const found2 = await ana.call<{ messages: Json[] }>('POST', '/message/find', { chatid: national })
    assert.ok(found2.body.messages.length > 0)
  })

  it('takes them in campaigns, and counts them in their dry runs', async () => {
    const common = { type: 'text', text: 'national', delayMin: 0, delayMax: 0 }
    const recipients = Buffer.from(`number\n${NATIONAL.map((one) => `"${one}"`).join('\n')}\n`).toString('base64')
    const dry = await ana.call<Json>('POST', '/sender/import', { recipients, dryRun: true, ...common })
    assert.deepEqual([dry.status, dry.body.count, dry.body.invalid], [200, 1, 0], JSON.stringify(dry.body))
    await ana.done('/sender/import', { recipients, ...common })
    await ana.done('/sender/simple', { numbers: ['011 98765-0011'], ...common })
    const messages = [{ number: '11987650011.0', type: 'text', text: 'advanced' }]
    await ana.done('/sender/advanced', { messages, delayMin: 0, delayMax: 0 })
    await eventually(
      () => listTexts(EVE),
      (texts) => ['national', 'advanced'].every((text) => texts.includes(text)),
    )
    await eventually(
      () => listTexts(BEN),
      (texts) => texts.includes('national'),
    )
  })

  it('takes them of agents over MCP', async () => {
    const client = new Client({ name: 'tests', version: '1' })
    const headers = { authorization: `Bearer ${ana.token}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${world.gateway.url}/mcp`), { requestInit: { headers } }),
    )
    cleanup.after(() => client.close())
    const use = (name: string, args: Json) => client.callTool({ name, arguments: args })
    const checked = JSON.stringify(await use('check_number', { numbers: ['011 98765-0010', '5511987650011.0'] }))
    for (const person of [BEN, EVE]) assert.ok(checked.includes(person), checked)
    const sent = JSON.stringify(await use('send_message', { to: '(11) 98765-0010', text: 'of an agent' }))
    assert.ok(sent.includes(BEN), sent)
    await eventually(
      () => listTexts(BEN),
      (texts) => texts.includes('of an agent'),
    )
  })

  it('refuses what is a number there and elsewhere, with both', async () => {
    const both = /may be \+51987654321 or \+5551987654321/
    for (const [path, body] of [
      ['/send/text', { number: '51987654321', text: 'whose?' }],
      ['/sender/simple', { numbers: ['51987654321'], type: 'text', text: 'whose?' }],
      ['/group/create', { name: 'Whose', participants: ['51987654321'] }],
      ['/contact/add', { number: '51987654321', name: 'Whose' }],
    ] as const) {
      const answer = await ana.call<Json>('POST', path, body)
      assert.equal(answer.status, 400, path)
      assert.match(JSON.stringify(answer.body), both, path)
    }
  })
})
