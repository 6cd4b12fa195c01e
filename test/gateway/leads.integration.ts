import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { png } from '../support/samples.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  text: string
  message: Json
}

const ANA = '15550720001'
const BEN = '15550720002'
const EVE = '15550720003'
const ben = `${BEN}@s.whatsapp.net`

describe('leads', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['leads', 'chats'],
    complete: async () => {
      await world.write(BEN, ANA, 'hello')
      // The chat is there when its message is.
      await eventually(
        () => ana.messages({ chatid: ben }),
        (messages) => messages.length > 0,
      )
    },
  })

  const edit = (body: Json) => ana.call<Json>('POST', '/chat/editLead', body)
  const edited = (body: Json) => ana.done('/chat/editLead', body)
  const names = (body: Json) => ana.call<Json>('POST', '/instance/updateFieldsMap', body)
  const atPhone = async (phone: string, id: unknown) => {
    const found = await eventually(
      async () =>
        (await world.network<Shown[]>('GET', `/phones/${phone}/messages?own=false`)).find((one) => one.id === id),
      (one) => one !== undefined,
    )
    assert.ok(found)
    return found
  }
  const arrives = async (text: string, more: Json = {}, phone = BEN) =>
    (await atPhone(phone, (await ana.text(phone, text, more)).messageid)).text
  const told = () => receiver.of('leads').map(({ body }) => body.chat as Json)

  const all = {
    lead_name: 'Benjamin',
    lead_fullName: 'Benjamin Button',
    lead_email: 'ben@example.org',
    lead_personalid: '123.456',
    lead_status: 'new',
    lead_notes: 'likes\nlines and “quotes”',
    lead_isTicketOpen: true,
    lead_assignedAttendant_id: 'a1',
    lead_kanbanOrder: 7,
    chatbot_disableUntil: 1_800_000_000_000,
    chatbot_agentResetMemoryAt: 1_700_000_000_000,
    lead_field01: 'Lisbon',
    lead_field20: '{{lead_name}} stays',
  }

  it('are edited in every field, reported with the chat, and keep the fields that a call leaves out', async () => {
    const record = await edited({ id: ben, ...all, lead_tags: ['vip', 'north'] })
    const expected: Json = { ...all, lead_tags: 'vip,north', wa_chatid: ben, wa_name: 'Ben', lead_field02: '' }
    for (const [field, value] of Object.entries(expected)) assert.deepEqual(record[field], value, field)
    const [event] = await eventually(told, (chats) => chats.length > 0)
    assert.deepEqual(event, record)
    const found = (await ana.call<{ chats: Json[] }>('POST', '/chat/find', { wa_chatid: ben })).body.chats[0]
    for (const [field, value] of Object.entries(expected)) assert.deepEqual(found?.[field], value, field)
    const changed = await edited({ id: `${ANA}:${BEN}`, lead_tags: [], lead_isTicketOpen: false, lead_kanbanOrder: 0 })
    assert.deepEqual(
      [changed.lead_tags, changed.lead_isTicketOpen, changed.lead_kanbanOrder, changed.lead_email],
      ['', false, 0, 'ben@example.org'],
    )
    // Nothing new, nothing told.
    await edited({ id: ben, lead_email: 'ben@example.org' })
    await edited({ id: ben, lead_status: 'told after it' })
    const last = await eventually(told, (chats) => chats.at(-1)?.lead_status === 'told after it')
    assert.equal(last.length, 3)
    assert.deepEqual(
      receiver
        .of('chats')
        .filter(
          ({ body }) => (body.chat as Json).wa_chatid === ben && (body.chat as Json).lead_status === 'told after it',
        ),
      [],
    )
  })

  it('fill the placeholders of the next message, whatever its kind, and of its changes', async () => {
    await edited({ id: ben, ...all })
    const fields = Object.entries(all).filter(([, value]) => typeof value === 'string' && !value.includes('{{'))
    for (const [field, value] of fields) assert.equal(await arrives(`[{{${field}}}]`), `[${value}]`)
    assert.equal(
      await arrives('{{name}}, {{first_name}}, {{ wa_name }}, {{wa_contactName}}'),
      'Benjamin, Benjamin, Ben, ',
    )
    // Unknown placeholders stay, and placeholders in a value are not filled in.
    assert.equal(
      await arrives('{{nobody}} {{lead_tags}} {{lead_field20}}'),
      '{{nobody}} {{lead_tags}} {{lead_name}} stays',
    )
    await edited({ id: ben, lead_name: '', lead_fullName: '' })
    assert.equal(await arrives('{{name}}'), 'Ben')
    await edited({ id: ben, lead_name: 'Benny', lead_field01: 'Porto' })

    const card = await ana.call<Json>('POST', '/send/contact', {
      number: BEN,
      fullName: 'For {{lead_name}}',
      phoneNumber: EVE,
      organization: '{{lead_field01}}',
    })
    const vcard = (await atPhone(BEN, card.body.messageid)).message.contactMessage as Json
    assert.equal(vcard.displayName, 'For Benny')
    assert.match(String(vcard.vcard), /ORG:Porto/)
    const place = await ana.call<Json>('POST', '/send/location', {
      number: BEN,
      latitude: 1,
      longitude: 2,
      name: '{{lead_name}}’s',
      address: 'near {{lead_field01}}',
    })
    const { name, address } = (await atPhone(BEN, place.body.messageid)).message.locationMessage as Json
    assert.deepEqual([name, address], ['Benny’s', 'near Porto'])
    const picture = await ana.call<Json>('POST', '/send/media', {
      number: BEN,
      type: 'image',
      file: (await png()).toString('base64'),
      text: '{{lead_name}} in {{lead_field01}}',
    })
    assert.equal((await atPhone(BEN, picture.body.messageid)).text, 'Benny in Porto')
    const preview = await ana.text(BEN, 'see https://a.example/', {
      linkPreview: true,
      linkPreviewTitle: 'For {{lead_name}}',
      linkPreviewDescription: 'in {{lead_field01}}',
    })
    const shown = (await atPhone(BEN, preview.messageid)).message.extendedTextMessage as Json
    assert.deepEqual([shown.title, shown.description], ['For Benny', 'in Porto'])
    const before = await ana.text(BEN, 'wrong')
    await ana.call('POST', '/message/edit', { id: before.messageid, text: 'right, {{lead_name}}' })
    await eventually(
      () => atPhone(BEN, before.messageid),
      (one) => one.text === 'right, Benny',
    )
  })

  it('have named custom fields, which are placeholders too', async () => {
    assert.equal(await arrives('{{city}}'), '{{city}}')
    const { status, body } = await names({ lead_field01: ' city ', lead_field02: 'favourite colour' })
    assert.deepEqual([status, body.fieldsMap], [200, { lead_field01: 'city', lead_field02: 'favourite colour' }])
    assert.deepEqual((await ana.status()).instance.fieldsMap, body.fieldsMap)
    await edited({ id: ben, lead_field01: 'Lisbon', lead_field02: '' })
    assert.equal(await arrives('{{city}} {{ lead_field01 }} [{{favourite colour}}]'), 'Lisbon Lisbon []')
    for (const isQueued of [false, true]) {
      const body = { number: BEN, text: '{{CITY}} {{citty}}', async: isQueued }
      const sent = await ana.call<{ messageid: string; warnings: string[] }>('POST', '/send/text', body)
      assert.deepEqual(sent.body.warnings, [
        '{{citty}} is not a placeholder and was sent as it is; did you mean {{city}}?',
      ])
      assert.equal((await atPhone(BEN, sent.body.messageid)).text, 'Lisbon {{citty}}')
    }
    // Someone without a chat has empty fields, not unknown ones.
    assert.equal(await arrives('[{{city}}{{name}}]', {}, EVE), '[]')
    const long = 'x'.repeat(255)
    assert.deepEqual((await names({ lead_field01: '', lead_field03: long })).body.fieldsMap, {
      lead_field02: 'favourite colour',
      lead_field03: long,
    })
    await edited({ id: ben, lead_field03: 'seen' })
    assert.equal(await arrives(`{{city}} {{${long}}}`), '{{city}} seen')
  })

  it('are seen by sends that were queued before the edit', async () => {
    await edited({ id: ben, lead_status: 'old' })
    // The queue stands behind a send that takes its time.
    const first = ana.call('POST', '/send/text', { number: BEN, text: 'first', async: true, delay: 1_500 })
    assert.equal((await first).status, 200)
    const { messageid } = await ana.text(BEN, 'you are {{lead_status}}', { async: true })
    await edited({ id: ben, lead_status: 'fresh' })
    assert.equal((await atPhone(BEN, messageid)).text, 'you are fresh')
  })

  it('are found by number, LID and short name', async () => {
    const MIA = '15550720004'
    await world.phone(MIA, 'Mia', { addressing: 'lid' })
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${MIA}`)
    await world.network('POST', `/phones/${MIA}/text`, { to: ANA, text: 'from the LID' })
    await eventually(
      async () => await edit({ id: lid, lead_name: 'Mia of the LID' }),
      ({ status }) => status === 200,
    )
    assert.equal((await edited({ id: `${ANA}:${MIA}`, lead_status: 'one' })).lead_name, 'Mia of the LID')
    assert.equal(await arrives('{{lead_name}} {{lead_status}}', {}, MIA), 'Mia of the LID one')
    const group = await world.network('POST', '/groups', { owner: BEN, subject: 'Trip', members: [ANA] })
    const jid = String(group.jid)
    const { messageid } = await ana.text(jid, 'hello all')
    await atPhone(BEN, messageid)
    const short = `${ANA}:${jid.split('@')[0]}`
    assert.equal((await edited({ id: short, lead_status: 'a group' })).wa_chatid, jid)
  })

  it('refuse invalid edits and names, and stay unchanged', async () => {
    // Earlier edits were reported by then.
    await edited({ id: ben, lead_status: 'before the refusals' })
    await eventually(told, (chats) => chats.at(-1)?.lead_status === 'before the refusals')
    const before = JSON.stringify([await edited({ id: ben }), (await ana.status()).instance.fieldsMap])
    const events = told().length
    for (const [id, status, error] of [
      ['15550729999', 404, 'Chat not found'],
      [`15550720009:${BEN}`, 404, 'Chat not found'],
      ['abc', 400, 'Invalid id: it is not a phone number with country code (6 to 15 digits).'],
    ] as const) {
      const answer = await edit({ id, lead_name: 'nobody' })
      assert.deepEqual([answer.status, answer.body.error], [status, error])
    }
    for (const [body, error] of [
      [{ lead_field04: 'name' }, 'Invalid request: lead_field04 must not be name: that is a placeholder already.'],
      [
        { lead_field04: 'lead_field05' },
        'Invalid request: lead_field04 must not be lead_field05: that is a placeholder already.',
      ],
      [{ lead_field04: 'same', lead_field05: 'same ' }, 'Invalid request: lead_field05 has the name of lead_field04.'],
      [{ lead_field01: 'favourite colour' }, 'Invalid request: lead_field01 has the name of lead_field02.'],
      [{ lead_field04: 'a{{b' }, 'Invalid request: lead_field04 has an invalid format.'],
      [{ lead_field04: 5 }, 'Invalid request: lead_field04 must be string.'],
      [{ lead_field04: 'x'.repeat(256) }, 'Invalid request: lead_field04 must not have more than 255 characters.'],
    ] as const) {
      const answer = await names(body)
      assert.deepEqual([answer.status, answer.body.error], [400, error])
    }
    assert.equal(JSON.stringify([await edited({ id: ben }), (await ana.status()).instance.fieldsMap]), before)
    await edited({ id: ben, lead_status: 'after the refusals' })
    await eventually(told, (chats) => chats.at(-1)?.lead_status === 'after the refusals')
    assert.equal(told().length, events + 1)
  })

  it('are edited while the instance is not connected', async () => {
    await ana.call('POST', '/instance/disconnect')
    assert.equal((await edited({ id: ben, lead_status: 'away' })).lead_status, 'away')
    await eventually(told, (chats) => chats.at(-1)?.lead_status === 'away')
  })
})
