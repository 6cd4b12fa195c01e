import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { eventually } from '../support/eventually.js'
import { startFileServer } from '../support/file-server.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { jpeg, mp4 } from '../support/samples.js'
import { visibleState } from './visible-state.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  kind: string
  own: boolean
  text: string | null
  menu: Json | null
  hidden: boolean
  arrivals: number
  quotedId: string | null
  media: ShownMedia[]
  message: Record<string, Json>
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const [ANA, BEN, EVE] = ['15550460001', '15550460002', '15550460003']

const reply = (text: string, value = text) => ({ text, does: 'reply', value })
const MENUS = {
  button: { type: 'button', text: 'Which?', footerText: 'Small', choices: ['Yes|y1', 'No'] },
  list: {
    type: 'list',
    text: 'Choose',
    listButton: 'Open',
    choices: ['Before', '[Phones]', 'One|p1|The small one', '[Books]', 'Two|b1'],
  },
  poll: { type: 'poll', text: 'Colour?', choices: ['Red', 'Blue', 'Green'], selectableCount: 2 },
  carousel: { type: 'carousel', text: 'Look', choices: ['[First\ncard]', 'Buy|buy-1', '[Second]', 'Buy|buy-2'] },
} as const
const CARDS = [
  { text: 'A', buttons: [{ text: 'Take A', id: 'a', type: 'REPLY' }] },
  { text: 'B', buttons: [{ text: 'Read', id: 'https://example.com/b', type: 'URL' }] },
]
const PIX = { pixType: 'email', pixKey: 'Pay@Example.com', pixName: '' }
const EVP = '123e4567-e89b-12d3-a456-426614174000'
const PAYMENT = { amount: 149.9, text: 'Your order', itemName: 'Oranges', invoiceNumber: '2026-118', pixKey: EVP }
/** Each operation, and the `messageType` of what it sends. */
const SENDS: readonly [path: string, body: Json, messageType: string][] = [
  ...Object.values(MENUS).map((menu): [string, Json, string] => [
    '/send/menu',
    menu,
    menu.type === 'carousel' ? 'button' : menu.type,
  ]),
  ['/send/carousel', { text: 'Look', carousel: CARDS }, 'button'],
  ['/send/pix-button', PIX, 'button'],
  ['/send/location-button', { text: 'Where are you?' }, 'button'],
  ['/send/request-payment', PAYMENT, 'button'],
]

describe('menus', () => {
  const {
    world,
    account: ana,
    receiver,
    cleanup,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben Silva', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
  })

  before(() => world.network('POST', `/phones/${ANA}/payments`, {}))

  const ask = (path: string, body: Json, headers: Record<string, string> = {}) =>
    ana.call<Json>('POST', path, { number: BEN, ...body }, headers)
  const send = (path: string, body: Json, headers: Record<string, string> = {}) =>
    ana.done(path, { number: BEN, ...body }, headers)
  const at = (phone: string, id: unknown) => world.shownAt<Shown>(phone, id)
  const told = (id: unknown) => receiver.message(id)
  const find = (query: Json) => ana.messages(query)
  const tap = (id: unknown, choice: string, more: Json = {}) =>
    world.network<Json>('POST', `/phones/${BEN}/tap`, { id, choice, ...more })
  /** Files that wait to be brought to the network. */
  const storedFiles = () => {
    const folder = path.join(world.gateway.environment.DATA_DIR ?? '', 'media', 'outgoing')
    if (!existsSync(folder)) return []
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  }
  const refuse = (code: number, times = 1) =>
    world.network('POST', '/faults', { kind: 'ack-error', code, phone: ANA, recipient: BEN, times })

  it('buttons are drawn with their actions, also by the own phone, and a tap returns its id', async () => {
    const choices = ['Yes|y1', 'No', 'Code|copy:A|B', 'Ring|call:+1 555', 'Site|url:example.com/?a=1']
    const sent = await send('/send/menu', { ...MENUS.button, choices })
    assert.deepEqual(
      [sent.messageType, sent.text, sent.convertOptions, sent.status, sent.sendFunction],
      ['button', 'Which?', 'Yes|No|Code|Ring|Site', 'sent', 'menu'],
    )
    assert.match(String((sent.warnings as string[])[0]), /can only be viewed on the phone/)
    const menu = {
      type: 'buttons',
      text: 'Which?',
      footer: 'Small',
      image: false,
      buttons: [
        reply('Yes', 'y1'),
        reply('No'),
        { text: 'Code', does: 'copy', value: 'A|B' },
        { text: 'Ring', does: 'call', value: '+1555' },
        { text: 'Site', does: 'open', value: 'https://example.com/?a=1' },
      ],
    }
    assert.deepEqual((await at(BEN, sent.messageid)).menu, menu)
    assert.deepEqual((await at(ANA, sent.messageid)).menu, menu)
    assert.deepEqual((await told(sent.messageid)).convertOptions, sent.convertOptions)
    assert.deepEqual(await tap(sent.messageid, 'Code'), { copy: 'A|B' })
    for (const [form, choice, id] of [
      ['interactive', 'Yes', 'y1'],
      ['buttons', 'No', 'No'],
      ['template', 'y1', 'y1'],
    ]) {
      const answer = await told((await tap(sent.messageid, choice as string, { form })).id)
      assert.deepEqual(
        [answer.messageType, answer.buttonOrListid, answer.vote, answer.text, answer.quoted, answer.fromMe],
        ['button', id, id === 'y1' ? 'Yes' : 'No', '', sent.messageid, false],
        form,
      )
    }
  })

  it('a list is drawn with its sections, and a choice returns the id of its row', async () => {
    const sent = await send('/send/menu', MENUS.list)
    assert.deepEqual([sent.messageType, sent.text, sent.convertOptions], ['list', 'Choose', 'Before|One|Two'])
    const row = (text: string, id = text, description = '') => ({ text, description, id })
    assert.deepEqual((await at(BEN, sent.messageid)).menu, {
      type: 'list',
      text: 'Choose',
      footer: '',
      button: 'Open',
      sections: [
        { title: '', rows: [row('Before')] },
        { title: 'Phones', rows: [row('One', 'p1', 'The small one')] },
        { title: 'Books', rows: [row('Two', 'b1')] },
      ],
    })
    const answer = await told((await tap(sent.messageid, 'One')).id)
    assert.deepEqual(
      [answer.messageType, answer.mediaType, answer.buttonOrListid, answer.vote, answer.text, answer.quoted],
      ['list', 'list_response', 'p1', 'One', '', sent.messageid],
    )
  })

  it('a carousel is drawn, from either operation; a card alone is drawn as buttons', async () => {
    const sent = await send('/send/menu', MENUS.carousel)
    const cards = [
      { text: 'First\ncard', image: false, buttons: [reply('Buy', 'buy-1')] },
      { text: 'Second', image: false, buttons: [reply('Buy', 'buy-2')] },
    ]
    assert.deepEqual((await at(BEN, sent.messageid)).menu, { type: 'carousel', text: 'Look', cards })
    const answer = await told((await tap(sent.messageid, 'buy-2')).id)
    assert.deepEqual([answer.buttonOrListid, answer.vote, answer.quoted], ['buy-2', 'Buy', sent.messageid])
    const other = await send('/send/carousel', { text: 'Look', carousel: CARDS })
    assert.deepEqual([other.sendFunction, other.convertOptions], ['carousel', 'Take A|Read'])
    assert.deepEqual((await at(BEN, other.messageid)).menu?.cards, [
      { text: 'A', image: false, buttons: [reply('Take A', 'a')] },
      { text: 'B', image: false, buttons: [{ text: 'Read', does: 'open', value: 'https://example.com/b' }] },
    ])
    const alone = await send('/send/carousel', { text: 'Look', carousel: CARDS.slice(0, 1) })
    assert.deepEqual((await at(BEN, alone.messageid)).menu?.buttons, [reply('Take A', 'a')])
  })

  it('a payment key is drawn with the name of the payee', async () => {
    const sent = await send('/send/pix-button', PIX)
    assert.deepEqual((sent.response as Json).status, 'success')
    assert.deepEqual([sent.text, sent.messageType, sent.sendFunction], ['Pix\npay@example.com', 'button', 'pix-button'])
    const key = { type: 'payment', name: 'Pix', key: 'pay@example.com', keyType: 'EMAIL' }
    assert.deepEqual((await at(BEN, sent.messageid)).menu, key)
  })

  it('a button for the location is drawn, and a tap sends the location', async () => {
    const sent = await send('/send/location-button', { text: 'Where are you?' })
    assert.deepEqual([sent.text, sent.messageType, sent.sendFunction], ['Where are you?', 'button', 'location-button'])
    for (const phone of [BEN, ANA])
      assert.deepEqual((await at(phone, sent.messageid)).menu, { type: 'location', text: 'Where are you?' })
    const answer = await told((await tap(sent.messageid, '')).id)
    assert.deepEqual([answer.messageType, answer.quoted], ['location', sent.messageid])
  })

  it('a request for a payment is drawn with its amount, its document and every way to pay', async () => {
    const files = await startFileServer(cleanup)
    files.on('/invoice.pdf', Buffer.from('%PDF-1.4\nnothing on it\n%%EOF\n'))
    const boletoCode = '03399.02585 97800.000006 00000.101012 1 99990000014990'
    const sent = await send('/send/request-payment', {
      ...PAYMENT,
      ...{ title: 'Bill', footer: 'Thanks', boletoCode, paymentLink: 'https://pay.example/x' },
      ...{ fileUrl: `${files.url}/invoice.pdf`, fileName: 'invoice.pdf' },
    })
    assert.deepEqual([sent.text, sent.messageType, sent.sendFunction], ['Your order', 'button', 'request-payment'])
    assert.deepEqual((await at(BEN, sent.messageid)).menu, {
      type: 'order',
      ...{ title: 'Bill', text: 'Your order', footer: 'Thanks', document: true, amount: 'BRL 149.90', item: 'Oranges' },
      ...{ reference: '2026-118', pix: EVP, link: 'https://pay.example/x', boleto: boletoCode.replaceAll(/[ .]/g, '') },
    })
    assert.deepEqual(
      (await at(BEN, sent.messageid)).media.map(({ kind, fileName, error }) => [kind, fileName, error]),
      [['document', 'invoice.pdf', null]],
    )
    assert.deepEqual(await tap(sent.messageid, 'link'), { open: 'https://pay.example/x' })
    const bare = await send('/send/request-payment', { amount: 5, pixKey: EVP, pixName: 'Ana' })
    assert.equal(bare.text, `BRL 5.00\nAna\n${EVP}`)
  })

  it('a request for a payment of an account that may not send one is refused with its reason', async () => {
    await world.network('POST', `/phones/${ANA}/payments`, { allowed: false })
    try {
      const { status, body } = await ask('/send/request-payment', PAYMENT)
      assert.deepEqual([status, body.provider_code, body.error_key], [502, 473, 'WHATSAPP_PAYMENT_REFUSED'])
      assert.equal(body.error, 'Failed to send the request for a payment')
      await eventually(
        () => find({ id: body.messageid }),
        ([stored]) => stored?.status === 'failed' && stored.provider_code === 473,
      )
    } finally {
      await world.network('POST', `/phones/${ANA}/payments`, {})
    }
  })

  it('a group shows the menu to everyone, and a tap names the member', async () => {
    const body = { owner: BEN, subject: 'Trip', members: [ANA, EVE] }
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', body)
    const sent = await send('/send/menu', { ...MENUS.button, number: jid, mentions: EVE })
    for (const phone of [BEN, EVE]) assert.equal((await at(phone, sent.messageid)).menu?.type, 'buttons', phone)
    const { id } = await world.network('POST', `/phones/${EVE}/tap`, { id: sent.messageid, choice: 'No' })
    const answer = await told(id)
    assert.deepEqual(
      [answer.buttonOrListid, answer.chatid, answer.sender_pn, answer.quoted],
      ['No', jid, `${EVE}@s.whatsapp.net`, sent.messageid],
    )
  })

  it('placeholders are filled in every text, but not in ids, unless the text is the id', async () => {
    await world.network('POST', `/phones/${BEN}/text`, { to: ANA, text: 'it is me' })
    await eventually(() => receiver.of('messages').some(({ body }) => (body.message as Json).text === 'it is me'))
    const p = '{{first_name}}'
    const buttons = await send('/send/menu', {
      type: 'button',
      text: `Hi ${p}`,
      footerText: `F ${p}`,
      choices: [`Yes ${p}`, `No ${p}|no-${p}`, `Code ${p}|copy:C-${p}`],
    })
    assert.deepEqual((await at(BEN, buttons.messageid)).menu, {
      type: 'buttons',
      text: 'Hi Ben',
      footer: 'F Ben',
      image: false,
      buttons: [reply('Yes Ben'), reply('No Ben', `no-${p}`), { text: 'Code Ben', does: 'copy', value: 'C-Ben' }],
    })
    const list = await send('/send/menu', {
      type: 'list',
      text: p,
      listButton: `Open ${p}`,
      choices: [`[S ${p}]`, `One ${p}|1|D ${p}`],
    })
    const drawn = (await at(BEN, list.messageid)).menu
    assert.doesNotMatch(JSON.stringify(drawn), /\{\{/)
    assert.match(JSON.stringify(drawn), /"Open Ben".*"S Ben".*"One Ben".*"D Ben"/)
    const carousel = await send('/send/carousel', { text: p, carousel: [{ ...CARDS[0], text: p }, CARDS[1]] })
    assert.deepEqual([carousel.text, (await at(BEN, carousel.messageid)).menu?.text], ['Ben', 'Ben'])
    const pix = await send('/send/pix-button', { ...PIX, pixName: `For ${p}` })
    assert.equal((await at(BEN, pix.messageid)).menu?.name, 'For Ben')
    const located = await send('/send/location-button', { text: `Where are you, ${p}?` })
    assert.equal((await at(BEN, located.messageid)).menu?.text, 'Where are you, Ben?')
    const payment = await send('/send/request-payment', { ...PAYMENT, title: `T ${p}`, itemName: `For ${p}` })
    const order = (await at(BEN, payment.messageid)).menu
    assert.deepEqual([order?.title, order?.item], ['T Ben', 'For Ben'])
    const unknown = await send('/send/menu', { ...MENUS.button, text: '{{nothing}}' })
    assert.equal((await at(BEN, unknown.messageid)).text, '{{nothing}}')
    // A menu that is invalid once they are filled is refused, and a queued one fails.
    const same = { type: 'poll', text: 'Who?', choices: ['Ben', p] }
    const refused = await ask('/send/menu', same)
    assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_REQUEST'], JSON.stringify(refused.body))
    const queued = await send('/send/menu', { ...same, async: true })
    const failed = await eventually(
      async () => (await find({ id: queued.messageid }))[0],
      (one) => one?.status === 'failed',
    )
    assert.match(String(failed?.error), /choices\[1\]/)
  })

  for (const [path, body, messageType] of SENDS) {
    const what = `${path} ${String(body.type ?? '')}`
    it(`${what} takes what every send takes: replies, forwards, delays, tracking and the queue`, async () => {
      const { id: question } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, {
        to: ANA,
        text: what,
      })
      await told(question)
      const started = Date.now()
      const common = { replyid: question, forward: true, track_source: 'crm', track_id: what, readchat: true }
      const direct = await send(path, { ...body, ...common, delay: 200 })
      assert.ok(Date.now() - started >= 200)
      const queued = await send(path, { ...body, ...common, async: true })
      assert.deepEqual([queued.status, queued.messageType, queued.track_id], ['queued', messageType, what])
      for (const { messageid } of [direct, queued]) {
        const got = await at(BEN, messageid)
        assert.deepEqual([got.quotedId, got.hidden], [question, false])
        const part = got.message[got.kind] as Json
        assert.equal((part.contextInfo as Json).isForwarded, true)
      }
      const found = await eventually(
        () => find({ track_id: what }),
        (all) => all.length === 2 && all.every(({ status }) => status === 'delivered'),
      )
      for (const field of ['messageType', 'sendFunction', 'quoted', 'text', 'convertOptions', 'type', 'track_source'])
        assert.deepEqual(found[0]?.[field], found[1]?.[field], field)
      assert.deepEqual([found[0]?.messageType, found[0]?.quoted], [messageType, question])
    })
  }

  it('repeated under the same Idempotency-Key are sent once', async () => {
    for (const [index, [path, body]] of SENDS.entries()) {
      const key = { 'idempotency-key': `menu-${index}` }
      const answers = await Promise.all([1, 2, 3].map(() => send(path, body, key)))
      const ids = new Set(answers.map(({ messageid }) => messageid))
      assert.equal(ids.size, 1, path)
      assert.equal((await at(BEN, [...ids][0])).arrivals, 1)
      assert.equal((await ask(path, { ...body, track_id: 'other' }, key)).status, 409)
    }
  })

  it('refused by the network give an error with its code', async () => {
    for (const [code, path, body, status, error] of [
      [405, '/send/menu', MENUS.button, 502, /\(405\)/],
      [463, '/send/menu', MENUS.list, 502, /\(463\)/],
      // 429 would rest the queue for a minute.
      [420, '/send/carousel', { text: 'Look', carousel: CARDS }, 502, /\(420\)/],
      [479, '/send/pix-button', PIX, 502, /^Failed to send PIX button$/],
    ] as const) {
      await refuse(code)
      const answer = await ask(path, body)
      assert.deepEqual([answer.status, answer.body.provider_code], [status, code], JSON.stringify(answer.body))
      assert.match(String(answer.body.error), error)
      await eventually(
        () => find({ id: answer.body.messageid }),
        ([stored]) => stored?.status === 'failed' && stored.provider_code === code,
      )
    }
  })

  it('refused for their form become numbered texts on request, under the same id', async () => {
    await refuse(405)
    const direct = await send('/send/menu', { ...MENUS.list, fallback: true, footerText: 'Small' })
    const text = 'Choose\n\n1. Before\n\n*Phones*\n2. One: The small one\n\n*Books*\n3. Two\n\n_Small_'
    assert.deepEqual(
      [direct.text, direct.messageType, direct.convertOptions, direct.status],
      [text, 'text', '', 'sent'],
    )
    assert.match(String((direct.warnings as string[]).at(-1)), /refused the menu \(405\).*numbered choices/)
    await refuse(479)
    const queued = await send('/send/carousel', { text: 'Look', carousel: CARDS, fallback: true, async: true })
    for (const { messageid } of [direct, queued]) {
      const got = await at(BEN, messageid)
      assert.deepEqual([got.kind, got.hidden, got.arrivals], ['extendedTextMessage', false, 1])
      await eventually(() =>
        receiver
          .of('messages_update')
          .some(
            ({ body: { type, event } }) =>
              type === 'Fallback' && ((event as Json).MessageIDs as string[])[0] === messageid,
          ),
      )
    }
    assert.equal((await at(BEN, direct.messageid)).text, text)
    // The text too, and a refusal that says nothing of the form.
    await refuse(405, 2)
    assert.equal((await ask('/send/menu', { ...MENUS.button, fallback: true })).body.provider_code, 405)
    await refuse(463)
    assert.equal((await ask('/send/menu', { ...MENUS.button, fallback: true })).body.provider_code, 463)
  })

  it('show pictures, videos and documents above buttons and in cards, by URL or as base64', async () => {
    const files = await startFileServer(cleanup)
    const [picture, film, document] = [await jpeg(40, 30), mp4(), Buffer.from('%PDF-1.4\nnothing on it\n%%EOF\n')]
    files.on('/a.jpg', picture)
    files.on('/a.mp4', film)
    const base64 = picture.toString('base64')
    const drawn = async (path: string, body: Json) => {
      const { messageid } = await send(path, body)
      const { menu, media } = await at(BEN, messageid)
      return { menu, media: media.map(({ kind, sha256: hash, fileName }) => [kind, hash, fileName]) }
    }
    const shownPicture = ['image', sha256(picture), null]
    for (const imageButton of [`${files.url}/a.jpg`, base64, `data:image/jpeg;base64,${base64}`]) {
      const { menu, media } = await drawn('/send/menu', { ...MENUS.button, imageButton })
      assert.deepEqual([menu?.image, media], [true, [shownPicture]])
    }
    const choices = ['[A]', `{${files.url}/a.jpg}`, 'Yes', '[B]', 'No', '[C]', `{${base64}}`, 'Maybe']
    const carousel = await drawn('/send/menu', { type: 'carousel', text: 'Look', choices, async: true })
    assert.deepEqual(
      [((carousel.menu?.cards ?? []) as Json[]).map(({ image }) => image), carousel.media],
      [
        [true, false, true],
        [shownPicture, shownPicture],
      ],
    )
    const cards = await drawn('/send/carousel', {
      text: 'Look',
      carousel: [
        { ...CARDS[0], video: `${files.url}/a.mp4` },
        { ...CARDS[1], image: base64 },
        { ...CARDS[0], document: document.toString('base64'), filename: 'Terms.pdf' },
      ],
    })
    assert.deepEqual(cards.media, [
      ['video', sha256(film), null],
      shownPicture,
      ['document', sha256(document), 'Terms.pdf'],
    ])
    // Sent menus are not kept.
    await eventually(storedFiles, (names) => names.length === 0)
  })

  it('accept pictures as base64 above the limit of a body, and are sent once when repeated with one', async () => {
    const picture = await jpeg(1300, 1000)
    const base64 = picture.toString('base64')
    assert.ok(base64.length > 1024 * 1024)
    for (const [path, body, times] of [
      ['/send/menu', { ...MENUS.button, imageButton: `data:image/jpeg;base64,${base64}` }, 1],
      ['/send/menu', { type: 'carousel', text: 'Look', choices: ['[A]', `{${base64}}`, 'Yes', '[B]', 'No'] }, 1],
      [
        '/send/carousel',
        {
          text: 'Look',
          carousel: [
            { ...CARDS[0], image: base64 },
            { ...CARDS[1], image: base64 },
          ],
        },
        2,
      ],
    ] as const) {
      const headers = { 'idempotency-key': `large-${path}-${Object.keys(body).length}` }
      const { messageid } = await send(path, body, headers)
      const { media } = await at(BEN, messageid)
      assert.deepEqual(
        media.map(({ sha256: hash }) => hash),
        Array(times).fill(sha256(picture)),
      )
      assert.equal((await send(path, body, headers)).messageid, messageid)
      const other = { ...body, text: 'Another' }
      assert.equal((await ask(path, other, headers)).body.code, 'IDEMPOTENCY_CONFLICT')
      assert.equal((await at(BEN, messageid)).arrivals, 1)
    }
    const broken = { type: 'carousel', text: 'Look', choices: ['[A]', `{${base64}!}`, 'Yes'] }
    const { status, body } = await ask('/send/menu', broken)
    assert.deepEqual([status, body.error], [400, 'Invalid request: choices[1] must be a URL or base64.'])
    const forged = { ...MENUS.button, imageButton: `arrived-file:0-${'a'.repeat(64)}` }
    const { error } = (await ask('/send/menu', forged)).body
    assert.equal(error, 'Invalid request: imageButton must be a URL or base64.')
    await eventually(storedFiles, (names) => names.length === 0)
  })

  it('with a picture and an Idempotency-Key can be repeated after the picture is gone', async () => {
    const files = await startFileServer(cleanup)
    files.on('/a.jpg', await jpeg(40, 30))
    const headers = { 'idempotency-key': 'with-a-picture' }
    const body = { ...MENUS.button, imageButton: `${files.url}/a.jpg` }
    const { messageid } = await send('/send/menu', body, headers)
    files.on('/a.jpg', (response) => void response.writeHead(404).end())
    assert.equal((await send('/send/menu', body, headers)).messageid, messageid)
    const other = await ask('/send/menu', { ...body, imageButton: `${files.url}/b.jpg` }, headers)
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_CONFLICT'])
    assert.equal((await at(BEN, messageid)).arrivals, 1)
  })

  it('with unavailable pictures are refused with the field; nothing is sent, and no file is left', async () => {
    // What was refused before is told before its row says so, and what was sent arrives later.
    await eventually(
      () => find({}),
      (all) => all.every(({ status }) => status !== 'pending' && status !== 'sent'),
    )
    const files = await startFileServer(cleanup)
    const good = await jpeg(40, 30)
    files.on('/a.jpg', good)
    files.on('/a.txt', Buffer.from('no picture at all'))
    const words = Buffer.from('no picture at all, whatever it says').toString('base64')
    const before = await visibleState(world, ana)
    const choices = ['[A]', `{${files.url}/a.jpg}`, 'Yes', '[B]', `{${words}}`, 'No']
    const carousel = [
      { ...CARDS[0], image: good.toString('base64') },
      { ...CARDS[1], video: `${files.url}/a.jpg` },
    ]
    for (const [path, body, code, field] of [
      ['/send/menu', { ...MENUS.button, imageButton: `${files.url}/a.txt` }, 'MEDIA_TYPE_REFUSED', 'imageButton'],
      ['/send/menu', { ...MENUS.button, imageButton: `${files.url}/none` }, 'FETCH_FAILED', 'imageButton'],
      ['/send/menu', { ...MENUS.button, imageButton: words }, 'MEDIA_TYPE_REFUSED', 'imageButton'],
      ['/send/menu', { type: 'carousel', text: 'Look', choices }, 'MEDIA_TYPE_REFUSED', 'choices[4]'],
      ['/send/carousel', { text: 'Look', carousel }, 'MEDIA_TYPE_REFUSED', 'carousel[1].video'],
    ] as const) {
      const { body: answer } = await ask(path, body)
      assert.deepEqual([answer.code, (answer.details as Json[])[0]?.field], [code, field], JSON.stringify(answer))
      assert.ok(String(answer.error).startsWith(`${field}: `), String(answer.error))
    }
    assert.equal(await visibleState(world, ana), before)
    await eventually(storedFiles, (names) => names.length === 0)
  })

  it('of an instance that is not connected are answered with No session', async () => {
    const idle = await world.instance('idle')
    for (const [path, body] of SENDS) {
      const answer = await idle.call<Json>('POST', path, { number: BEN, ...body })
      assert.deepEqual([answer.status, answer.body.error], [409, 'No session'])
    }
  })

  it('leave no message undecryptable, and none that a phone does not show', async () => {
    assert.deepEqual(await world.network('GET', `/phones/${BEN}/failures`), [])
    const all = await world.network<Shown[]>('GET', `/phones/${BEN}/messages`)
    assert.deepEqual(
      all.filter(({ hidden }) => hidden),
      [],
    )
  })

  it('are drawn by a phone that could not decrypt them once they are sent again', async () => {
    for (const [path, body] of SENDS) {
      // From a session in which both have written, so that only the keys of the other side open what is written.
      const { id: word } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text: 'word' })
      await told(word)
      await ana.text(BEN, 'read before')
      await world.network('DELETE', `/phones/${BEN}/sessions`)
      const before = (await world.network<Json[]>('GET', `/phones/${BEN}/failures`)).length
      const { messageid } = await send(path, body)
      const got = await at(BEN, messageid)
      assert.deepEqual([got.hidden, got.menu === null], [false, body.type === 'poll'], path)
      assert.equal((await world.network<Json[]>('GET', `/phones/${BEN}/failures`)).length, before + 1)
    }
  })

  it('become texts also when the gateway is killed after the refusal', async () => {
    // From now on nothing must be asked of the network before one is sent.
    await ana.text(BEN, 'a session')
    const refusal = await refuse(405, 2)
    const delay = await world.network('POST', '/faults', { kind: 'delay', delayMs: 60_000, phone: ANA, device: 1 })
    const track_id = 'refused-before-the-end'
    const unanswered = ask('/send/menu', { ...MENUS.button, fallback: true, track_id }).catch(() => null)
    await eventually(
      () => world.network<{ rules: { id: number; applied: number }[] }>('GET', '/faults'),
      ({ rules }) => rules.some(({ id, applied }) => id === refusal.id && applied === 1),
    )
    await world.gateway.kill('SIGKILL')
    await unanswered
    await world.network('DELETE', `/faults/${String(delay.id)}`)
    await world.gateway.start()
    const [stored] = await eventually(
      () => find({ track_id }),
      ([one]) => one?.status === 'delivered',
    )
    const got = await at(BEN, stored?.messageid)
    assert.deepEqual([got.text, got.arrivals], ['Which?\n\n1. Yes\n2. No\n\n_Small_', 1])
  })

  it('with pictures survive a kill -9 in the queue before the upload of the pictures', async () => {
    const files = await startFileServer(cleanup)
    const [first, second] = [await jpeg(40, 30), await jpeg(50, 40)]
    files.on('/a.jpg', first)
    const away = await world.network<{ id: number }>('POST', '/faults', { kind: 'media-upload', code: 500 })
    const choices = ['[A]', `{${files.url}/a.jpg}`, 'Yes', '[B]', `{${second.toString('base64')}}`, 'No']
    const { messageid, status } = await send('/send/menu', { type: 'carousel', text: 'Look', choices, async: true })
    assert.deepEqual([status, storedFiles().length], ['queued', 2])
    await world.gateway.kill('SIGKILL')
    await world.network('DELETE', `/faults/${String(away.id)}`)
    await world.gateway.start()
    const { arrivals, media } = await at(BEN, messageid)
    assert.deepEqual(
      [arrivals, media.map(({ sha256: hash }) => hash), files.asked('/a.jpg')],
      [1, [sha256(first), sha256(second)], 1],
    )
    await eventually(storedFiles, (names) => names.length === 0)
  })
})
