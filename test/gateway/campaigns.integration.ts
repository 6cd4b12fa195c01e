import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, beforeEach, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { mp4, opus, png } from '../support/samples.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>

const PEOPLE = ['15550740002', '15550740003', '15550740004'] as const
const [BEN, EVE, MIA] = PEOPLE
const NOBODY = '15550749999'
const AN_HOUR = { delayMin: 3_600, delayMax: 3_600 }
/** The files of each type, as a phone shows them. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  image: ['image'],
  video: ['video'],
  videoplay: ['video gif'],
  document: ['document'],
  ptv: ['ptv'],
  audio: ['audio'],
  myaudio: ['audio ptt'],
  ptt: ['audio ptt'],
  sticker: ['sticker'],
  carousel: ['image', 'image'],
}
const AT_ONCE = { delayMin: 0, delayMax: 0 }
const sortedByName = (all: readonly Json[]) => [...all].sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))

describe('a campaign', () => {
  let world: World
  let receiver: Receiver
  let ana: TestInstance
  let number = 15550740100
  const cleanup = suiteCleanup()
  before(async () => {
    // The tests write to many who never wrote.
    const unpaced = { NEW_CHATS_PER_DAY: '0', NEW_CHATS_WARM_UP: 'none', SEND_RATE_PER_MINUTE: '0' }
    world = await startWorld(cleanup, { ...unpaced, NUMBER_CHECKS_PER_MINUTE: '0' })
    receiver = await startReceiver(cleanup)
    for (const person of PEOPLE) await world.phone(person, `phone ${person}`)
  })
  beforeEach(async () => {
    number += 1
    ana = await world.paired(String(number))
    await ana.hook(receiver.url, { events: ['sender'] })
  })

  const post = (path: string, body: Json, headers?: Record<string, string>) =>
    ana.call<Json>('POST', `/sender/${path}`, body, headers)
  const created = async (path: string, body: Json): Promise<string> => {
    const answer = await post(path, body)
    assert.deepEqual([answer.status, answer.body.status], [200, 'queued'], JSON.stringify(answer.body))
    return String(answer.body.folder_id)
  }
  const simple = (numbers: readonly string[], more: Json = {}) =>
    created('simple', { numbers, type: 'text', text: 'hello', ...AT_ONCE, ...more })
  const folder = async (id: string) => (await ana.call<Json>('GET', `/sender/folder?id=${id}`)).body
  const until = (id: string, isSo: (folder: Json) => boolean) => eventually(() => folder(id), isSo)
  const done = (id: string) => until(id, ({ status }) => status === 'done')
  const edit = (id: string, action: string) => post('edit', { folder_id: id, action })
  const list = async (id: string, more: Json = {}) =>
    (await post('listmessages', { folder_id: id, ...more })).body as {
      messages: Json[]
      pagination: Json
      next: unknown
    }
  /** The texts that a phone got from Ana, in their order. */
  const texts = async (phone: string) => {
    const all = await world.network<{ text: string; from: string; own: boolean }[]>(
      'GET',
      `/phones/${phone}/messages?own=false`,
    )
    const mine = all.filter((message) => JSON.stringify(message).includes(ana.number))
    return mine.map(({ text }) => text)
  }
  const events = () => receiver.of('sender').flatMap(({ body }) => (body.owner === ana.number ? [body as Json] : []))

  it('reaches each recipient once, counts receipts, and records who has no account', async () => {
    const more = { text: 'hello {{name}}!', allowEmpty: true, track_id: 'may', folder: 'Offers' }
    const id = await simple([BEN, EVE, NOBODY, MIA], more)
    const ended = await until(id, ({ status, log_delivered: delivered }) => status === 'done' && delivered === 3)
    assert.deepEqual(
      [ended.folder, ended.log_total, ended.log_sucess, ended.log_failed, ended.log_pending, ended.delayMin],
      ['Offers', 4, 3, 1, 0, 0],
    )
    for (const person of PEOPLE) assert.deepEqual(await texts(person), ['hello !'])
    const { messages, pagination } = await list(id)
    assert.deepEqual(
      messages.map(({ chatid, status }) => [String(chatid).split('@')[0], status]),
      [
        [BEN, 'delivered'],
        [EVE, 'delivered'],
        [NOBODY, 'failed'],
        [MIA, 'delivered'],
      ],
    )
    assert.equal(pagination.total, 4)
    const failed = (await list(id, { messageStatus: 'Failed' })).messages
    assert.deepEqual(
      failed.map(({ reason, ordinal, messageid }) => [reason, ordinal, messageid]),
      [['not_on_network', 2, '']],
    )
    const course = await ana.call<{ rows: Json[]; reasons: Json[]; ends: unknown }>('GET', `/sender/course?id=${id}`)
    const sums = ['sent', 'failed', 'skipped', 'replied'].map((name) =>
      course.body.rows.reduce((sum, row) => sum + Number(row[name]), 0),
    )
    assert.deepEqual(sums, [3, 1, 0, 0])
    assert.deepEqual(
      [course.body.reasons, course.body.ends],
      [[{ state: 'failed', reason: 'not_on_network', count: 1 }], null],
    )
    assert.equal((await ana.call('GET', '/sender/course?id=none')).status, 404)
    const [first] = (await list(id, { messageStatus: 'Sent', pageSize: 1 })).messages
    assert.equal((await ana.messages({ id: first?.messageid }))[0]?.track_id, 'may')
    const told = await eventually(events, (all) => all.some(({ status }) => status === 'done'))
    assert.deepEqual(
      [told[0]?.status, told[0]?.sentCount, told[0]?.messageCount, told[0]?.folder_id],
      ['sending', 0, 4, id],
    )
    assert.deepEqual([told.at(-1)?.status, told.at(-1)?.sentCount, told.at(-1)?.failed], ['done', 3, 1])
  })

  it('sends each its own message, of every kind, and several to one number in their order', async () => {
    const image = (await png()).toString('base64')
    const [video, note] = [mp4().toString('base64'), opus().toString('base64')]
    // The kind, the message, and a text of it that its reader sees with the value of the placeholder.
    const kinds: [type: string, message: Json, shown?: string][] = [
      ['text', { text: 'one {{lead_notes}}' }, 'one papaya'],
      ['button', { text: 'two {{lead_notes}}', choices: ['{{lead_notes}}!|reply:yes', 'No|no'] }, 'papaya!'],
      [
        'list',
        { text: '3 {{lead_notes}}', buttonText: 'Open', choices: ['[A]', '{{lead_notes}}?|1|the first'] },
        'papaya?',
      ],
      ['poll', { text: 'four {{lead_notes}}', choices: ['A {{lead_notes}}', 'B'] }, 'A papaya'],
      ['contact', { fullName: 'Eve {{lead_notes}}', phoneNumber: EVE }, 'Eve papaya'],
      ['location', { latitude: 1, longitude: 2, name: 'at {{lead_notes}}' }, 'at papaya'],
      ['image', { file: image, text: 'seven {{lead_notes}}' }, 'seven papaya'],
      ['video', { file: video, text: 'eight {{lead_notes}}' }, 'eight papaya'],
      ['videoplay', { file: video, text: 'nine {{lead_notes}}' }, 'nine papaya'],
      ['document', { file: image, docName: 'x.png', text: 'ten {{lead_notes}}' }, 'ten papaya'],
      ['ptv', { file: video }],
      ['audio', { file: note }],
      ['myaudio', { file: note }],
      ['ptt', { file: note }],
      ['sticker', { file: image }],
      [
        'carousel',
        {
          text: '16 {{lead_notes}}',
          choices: ['[Card {{lead_notes}}]', `{${image}}`, 'Yes|yes', '[Card two]', `{${image}}`, 'No|no'],
        },
        'Card papaya',
      ],
      ['pix', { pixType: 'EMAIL', pixKey: 'shop@example.com', pixName: 'Shop {{lead_notes}}' }, 'Shop papaya'],
      ['text', { text: 'last' }],
    ]
    const { numbers } = await world.network<{ numbers: string[] }>('POST', '/crowd', { first: '15550760001' })
    const [person = ''] = numbers
    await ana.done('/send/text', { number: person, text: 'first' })
    await ana.done('/chat/editLead', { id: `${person}@s.whatsapp.net`, lead_notes: 'papaya' })
    const messages = kinds.map(([type, message]) => ({ number: person, type, ...message }))
    const ended = await done(await created('advanced', { messages, ...AT_ONCE }))
    const [all, sent] = [await list(String(ended.id)), kinds.length]
    assert.deepEqual([ended.log_total, ended.log_sucess, ended.log_failed], [sent, sent, 0], JSON.stringify(all))
    const shown = await world.network<Json[]>('GET', `/phones/${person}/messages?own=false`)
    const arrived = shown.slice(1)
    assert.equal(arrived.length, sent)
    for (const [index, [type, , text]] of kinds.entries()) {
      const { hidden, media } = arrived[index] as {
        hidden: boolean
        media: { kind: string; ptt: boolean; gif: boolean }[]
      }
      const written = JSON.stringify(arrived[index])
      assert.ok(written.includes(text ?? ''), `${type}: ${written}`)
      assert.ok(!written.includes('{{lead_notes'), `${type}: ${written}`)
      const files = media.map(({ kind, ptt, gif }) => `${kind}${ptt ? ' ptt' : ''}${gif ? ' gif' : ''}`)
      assert.deepEqual([files, hidden], [FILES[type] ?? [], false], `${type}: ${written}`)
    }
    const { properties } = JSON.parse(readFileSync('schemas/sender/simple.json', 'utf8')).$defs.request as {
      properties: { type: { enum: string[] } }
    }
    const types = properties.type.enum
    assert.deepEqual([...types].sort(), [...new Set(kinds.map(([type]) => type))].sort(), 'every type is tried')
  })

  it('uploads its file once, keeps it for all recipients, and shares texts by weight', async () => {
    const uploads = async () =>
      (await world.network<Json[]>('GET', `/log/frames?device=${ana.number}:1&tag=iq&direction=in`)).length
    const file = (await png()).toString('base64')
    const variants = [{ text: 'either' }, { text: 'or', weight: 3 }]
    const id = await created('simple', {
      numbers: [BEN, EVE, MIA, BEN],
      type: 'image',
      file,
      variants,
      dedupe: false,
      ...AT_ONCE,
    })
    assert.equal((await done(id)).log_sucess, 4)
    assert.ok((await uploads()) > 0)
    const { messages } = await list(id)
    for (const { variant } of messages) assert.ok(variant === 0 || variant === 1)
    for (const person of [EVE, MIA]) assert.match((await texts(person)).join(), /^(either|or)$/)
    assert.equal((await texts(BEN)).length, 2)
  })

  it('stops, continues no sooner than its delay allows, and its deletion keeps what was sent', async () => {
    const id = await simple(PEOPLE, AN_HOUR)
    await until(id, ({ log_sucess: sent }) => sent === 1)
    const stopped = await edit(id, 'stop')
    assert.deepEqual([stopped.status, stopped.body.status], [200, 'paused'])
    assert.equal((await edit(id, 'stop')).body.status, 'paused')
    assert.deepEqual([(await folder(id)).status, (await folder(id)).reason], ['paused', 'asked'])
    assert.equal((await edit(id, 'continue')).body.status, 'scheduled')
    const going = await folder(id)
    assert.ok(Number(going.next_at) - Date.now() > 3_500_000, String(going.next_at))
    assert.deepEqual(await texts(EVE), [])
    assert.equal((await edit(id, 'delete')).body.status, 'deleting')
    const ended = await done(id)
    assert.deepEqual([ended.log_total, ended.log_sucess], [1, 1])
    assert.equal((await list(id)).messages.length, 1)
    for (const action of ['stop', 'continue'])
      assert.deepEqual([(await edit(id, action)).status, (await edit(id, action)).body.code], [409, 'CAMPAIGN_ENDED'])
    const other = await simple([MIA], { text: 'stays' })
    await done(other)
    assert.equal((await edit(id, 'delete')).body.status, 'deleting')
    await eventually(async () => (await ana.call('GET', `/sender/folder?id=${id}`)).status === 404)
    assert.equal((await folder(other)).status, 'done')
    assert.equal((await texts(BEN)).length, 1)
    assert.equal((await edit('r00000000000000', 'stop')).status, 404)
    const never = await simple(PEOPLE, { scheduled_for: 60 })
    assert.equal((await folder(never)).status, 'scheduled')
    await edit(never, 'delete')
    await eventually(async () => (await ana.call('GET', `/sender/folder?id=${never}`)).status === 404)
    assert.deepEqual(await texts(EVE), [])
  })

  it('takes turns with other campaigns, and keeps the order of each chat beside direct and queued sends', async () => {
    // The first one shows that it types while the second is made, and has more than leave until then on a busy machine.
    const ofFirst = Array.from({ length: 12 }, (_, index) => `A${index}`)
    const ofSecond = ['B0', 'B1', 'B2']
    const messages = ofFirst.map((text, index) => ({
      number: EVE,
      type: 'text',
      text,
      ...(index === 0 ? { delay: 6_000 } : {}),
    }))
    const first = await created('advanced', { messages, ...AT_ONCE })
    const second = await created('advanced', {
      messages: ofSecond.map((text) => ({ number: EVE, type: 'text', text })),
      ...AT_ONCE,
    })
    await Promise.all([done(first), done(second)])
    const taken = await texts(EVE)
    // Either may be the first: one waits until its number was looked up.
    assert.match(taken.map((text) => text[0]).join(''), /^A*(?:BA){3}A*$/)
    const ofKind = (kind: string) => taken.filter((text) => text.startsWith(kind))
    assert.deepEqual([...ofKind('A'), ...ofKind('B')], [...ofFirst, ...ofSecond])
    const queued = Array.from({ length: 40 }, (_, index) => `queued ${index}`)
    for (const text of queued) await ana.text(BEN, text, { async: true })
    const beside = await simple([MIA, BEN], { text: 'beside' })
    const direct = ['direct 0', 'direct 1', 'direct 2']
    for (const text of direct) await ana.text(BEN, text)
    await done(beside)
    const shown = await texts(BEN)
    assert.deepEqual(
      ['queued', 'direct', 'beside'].map((kind) => shown.filter((text) => text.startsWith(kind))),
      [queued, direct, ['beside']],
    )
    // It is sent behind what was queued for this chat before it.
    assert.equal(shown.at(-1), 'beside')
  })

  it('is created once for an idempotency key, and once under a name', async () => {
    const body = { numbers: [BEN], type: 'text', text: 'x', folder: 'Once', ...AN_HOUR, scheduled_for: 60 }
    const key = { 'idempotency-key': 'the-key' }
    const answers = await Promise.all([post('simple', body, key), post('simple', body, key)])
    assert.deepEqual([answers[0].status, answers[1].status], [200, 200])
    assert.equal(answers[0].body.folder_id, answers[1].body.folder_id)
    assert.equal((await post('simple', { ...body, text: 'y' }, key)).body.code, 'IDEMPOTENCY_CONFLICT')
    const second = await post('simple', { ...body, folder: 'oNCE' })
    assert.deepEqual([second.status, second.body.code], [409, 'CAMPAIGN_EXISTS'])
    const folders = (await ana.call<Json[]>('GET', '/sender/listfolders?status=Active')).body
    assert.deepEqual(
      folders.map((one) => one.folder),
      ['Once'],
    )
    const spellings = ['5511998880001', '+55 11 99888-0001', '551198880001', '5511998880001@s.whatsapp.net']
    const single = await post('simple', { ...body, numbers: spellings, folder: 'One person' })
    assert.deepEqual([single.body.count, single.body.duplicates], [1, 3])
    const several = await post('simple', { ...body, numbers: spellings, dedupe: false, folder: 'Several messages' })
    assert.deepEqual([several.body.count, several.body.duplicates], [4, 0])
    const messages = spellings.map((spelling) => ({ number: spelling, type: 'text', text: 'x' }))
    const own = await post('advanced', { messages, scheduled_for: 60 })
    assert.deepEqual([own.body.count, own.body.duplicates], [4, 0])
  })

  it('refuses what cannot be sent, names each bad entry, and creates nothing', async () => {
    const good = { numbers: [BEN], type: 'text', text: 'x' }
    const bad: [string, Json, RegExp][] = [
      ['simple', { ...good, numbers: [BEN, 'abc', '12'] }, /2 of 3 entries are invalid/],
      ['simple', { ...good, numbers: [] }, /numbers/],
      ['simple', { ...good, text: '' }, /text is required/],
      ['simple', { ...good, type: 'image' }, /file is required/],
      ['simple', { ...good, type: 'reaction' }, /type must be one of/],
      ['simple', { ...good, type: 'pix', pixType: 'CPF', pixKey: '1' }, /pixKey/],
      [
        'simple',
        { ...good, type: 'contact', fullName: 'x', phoneNumber: BEN, variants: [{ text: 'y' }] },
        /variants is for/,
      ],
      ['simple', { ...good, scheduled_for: 1_706_198_400 }, /looks like Unix seconds/],
      ['simple', { ...good, scheduled_for: -1 }, /scheduled_for/],
      ['simple', { ...good, scheduled_for: 1.5 }, /scheduled_for/],
      ['simple', { ...good, scheduled_for: 366 * 24 * 60 + 2 }, /at most 366 days/],
      ['simple', { ...good, delayMin: -1 }, /delayMin/],
      [
        'advanced',
        {
          messages: [
            { number: BEN, type: 'text', text: 'x' },
            { number: BEN, type: 'poll', text: 'x' },
          ],
        },
        /messages\[1\]\.choices is required/,
      ],
      [
        'advanced',
        { messages: [{ number: BEN, type: 'button', text: 'x', choices: ['a|url:ftp://x'] }] },
        /messages\[0\]/,
      ],
      ['advanced', { messages: [{ number: 'x', type: 'text', text: 'x' }] }, /entries are invalid/],
      ['edit', { action: 'stop' }, /folder_id is required/],
      ['listmessages', { folder_id: 'x', pageSize: 1_001 }, /pageSize/],
    ]
    for (const [path, body, why] of bad) {
      const answer = await post(path, body)
      assert.equal(answer.status, 400, JSON.stringify([path, body, answer.body]))
      assert.match(JSON.stringify(answer.body), why)
    }
    const skipping = await post('simple', {
      ...good,
      numbers: ['abc', BEN, BEN],
      onInvalid: 'skip',
      dedupe: true,
      scheduled_for: 60,
    })
    assert.deepEqual(
      [skipping.body.count, skipping.body.duplicates, (skipping.body.invalid as Json[]).map(({ index }) => index)],
      [1, 1, [0]],
    )
    assert.equal((await ana.call<Json[]>('GET', '/sender/listfolders')).body.length, 1)
  })

  it('keeps to its maximum of messages in a day, says until when it waits, and continues when that is raised', async () => {
    const zone = { timezone: 'America/Sao_Paulo' }
    const id = await simple(PEOPLE, { text: 'two a day', dailyCap: 2, ...zone })
    const held = await until(id, ({ hold }) => hold !== null)
    assert.deepEqual(
      [held.status, held.dailyCap, held.timezone, held.sentToday, held.window],
      ['sending', 2, zone.timezone, 2, null],
    )
    const { reason, until: end } = held.hold as Json
    assert.equal(reason, 'daily_cap')
    assert.match(String(end), /T0(3:00:0|2:59:59)/)
    await eventually(events, (all) => all.some(({ hold }) => (hold as Json | null)?.reason === 'daily_cap'))
    assert.deepEqual(await texts(MIA), [])
    const refused = await edit(id, 'update')
    assert.deepEqual([refused.status, (refused.body.details as Json[])[0]?.field], [400, 'dailyCap'])
    for (const wrong of [{ dailyCap: 0 }, { dailyCap: 1.5 }, { dailyCap: 3, timezone: 'Mars' }])
      assert.equal((await post('edit', { folder_id: id, action: 'update', ...wrong })).status, 400)
    assert.equal((await post('edit', { folder_id: id, action: 'stop', dailyCap: 3 })).status, 400)
    const raised = await post('edit', { folder_id: id, action: 'update', dailyCap: 3 })
    assert.deepEqual([raised.status, raised.body.status], [200, 'sending'])
    const ended = await done(id)
    assert.deepEqual([ended.log_sucess, ended.sentToday, ended.dailyCap], [3, 3, 3])
    assert.deepEqual(await texts(MIA), ['two a day'])
    const copy = await folder(await created('copy', { folder_id: id, recipients: 'all', scheduled_for: 60 }))
    assert.deepEqual([copy.dailyCap, copy.timezone, copy.sentToday], [3, zone.timezone, 0])
  })

  it('says so if its messages leave late because the node is busy', async () => {
    const id = await simple([BEN, EVE], AN_HOUR)
    assert.equal((await until(id, ({ log_sucess: sent }) => sent === 1)).hold, null)
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    // As the message stores it after a wait for its turn.
    await database.query('UPDATE campaign_progress SET node_wait_ms = 6000 WHERE folder_id = $1', [id])
    assert.deepEqual((await folder(id)).hold, { reason: 'node_busy', until: null })
    await edit(id, 'stop')
    assert.equal((await folder(id)).hold, null)
    await edit(id, 'continue')
    assert.equal((await until(id, ({ status }) => status !== 'paused')).hold, null)
    const metrics = await world.gateway.call<string>('GET', '/metrics')
    assert.match(metrics.body, /posthorn_campaign_node_wait_seconds_count [1-9]/)
    assert.match(metrics.body, /posthorn_campaigns_braked \d/)
  })

  it('counts each person who replies once, among those of a crowd', async () => {
    const first = 15550750001
    const { numbers } = await world.network<{ numbers: string[] }>('POST', '/crowd', {
      ...{ first: String(first), count: 12, reply: 'yes please' },
    })
    const id = await simple([...numbers, BEN, EVE], { text: 'do you want it?' })
    await until(id, ({ status, log_replied: replied }) => status === 'done' && replied === 12)
    // Further messages of the same person count no more; one of a stranger never does.
    for (const text of ['one', 'two']) await world.write(BEN, ana.number, text)
    await world.write(MIA, ana.number, 'who are you?')
    await until(id, ({ log_replied: replied }) => replied === 13)
    await eventually(
      () => ana.messages({}),
      (all) => all.some(({ text }) => text === 'two') && all.some(({ text }) => text === 'who are you?'),
    )
    assert.deepEqual([(await folder(id)).log_replied, (await folder(id)).log_sucess], [13, 14])
    const replied = await list(id, { messageStatus: 'Replied', pageSize: 1_000 })
    assert.deepEqual([replied.messages.length, replied.pagination.total], [13, 13])
    assert.deepEqual(
      replied.messages.map(({ ordinal }) => ordinal),
      Array.from({ length: 13 }, (_, index) => index),
    )
    const { messages } = await list(id, { pageSize: 1_000 })
    assert.deepEqual([messages[12]?.status, messages[13]?.status === 'replied'], ['replied', false])
    assert.notEqual(messages[12]?.replied_at, '')
    const results = await fetch(`${world.gateway.url}/sender/results?folder_id=${id}`, {
      headers: { token: ana.token },
    })
    const lines = (await results.text()).split('\r\n')
    assert.match(lines[0] ?? '', /,replied_at,/)
    assert.equal(lines.filter((line) => line.includes(',replied,')).length, 13)
  })

  it('is repeated for those whose message failed, and cleared', async () => {
    await world.network('POST', '/faults', {
      kind: 'ack-error',
      phone: ana.number,
      recipient: EVE,
      code: 479,
      times: 1,
    })
    const id = await simple(PEOPLE, { text: 'again' })
    const ended = await done(id)
    assert.deepEqual([ended.log_sucess, ended.log_failed], [2, 1])
    const [failed] = (await list(id, { messageStatus: 'Failed' })).messages
    assert.deepEqual([failed?.provider_code, failed?.reason], [479, 'refused'])
    const copy = await created('copy', { folder_id: id })
    const second = await done(copy)
    assert.deepEqual([second.source, second.log_total, second.log_sucess], [id, 1, 1])
    for (const person of PEOPLE) assert.deepEqual(await texts(person), ['again'])
    const [message] = await ana.messages({ id: (await list(copy)).messages[0]?.messageid })
    assert.equal(message?.send_folder_id, copy)
    const nobody = await post('copy', { folder_id: copy })
    assert.deepEqual([nobody.status, (nobody.body.details as Json[])[0]?.field], [400, 'recipients'])
    assert.equal((await post('cleardone', {})).body.folders_deleted, 0)
    const cleared = await ana.call<Json>('DELETE', '/sender/clearall')
    assert.deepEqual([cleared.body.folders_deleted, cleared.body.messages_deleted], [2, 4])
    await eventually(async () => (await ana.call<Json[]>('GET', '/sender/listfolders')).body.length === 0)
  })

  it('pauses by itself when the network refuses too many of its messages', async () => {
    await world.network('POST', '/faults', { kind: 'ack-error', phone: ana.number, code: 479 })
    const id = await simple(
      Array.from({ length: 30 }, () => BEN),
      { dedupe: false },
    )
    const paused = await until(id, ({ status }) => status === 'paused')
    assert.deepEqual([paused.reason, Number(paused.log_failed) < 30], ['error_rate', true])
    const never = { errorRateMax: 100, weight: 3, dedupe: false }
    const ended = await done(
      await simple(
        Array.from({ length: 22 }, () => EVE),
        never,
      ),
    )
    assert.deepEqual([ended.log_failed, ended.errorRateMax, ended.weight], [22, 100, 3])
    for (const wrong of [{ errorRateMax: 0 }, { errorRateMax: 101 }, { weight: 0 }, { weight: 1.5 }])
      assert.equal((await post('simple', { numbers: [BEN], type: 'text', text: 'x', ...wrong })).status, 400)
  })

  it('pauses when the account is logged out, and continues only with the same account', async () => {
    const id = await simple(PEOPLE, AN_HOUR)
    await until(id, ({ log_sucess: sent }) => sent === 1)
    await ana.call('POST', '/instance/disconnect', {})
    const paused = await until(id, ({ status }) => status === 'paused')
    assert.equal(paused.reason, 'logged_out')
    assert.equal((await edit(id, 'continue')).status, 409)
    await relink(ana, EVE)
    assert.deepEqual(
      [(await edit(id, 'continue')).status, (await edit(id, 'continue')).body.code],
      [409, 'CAMPAIGN_OTHER_ACCOUNT'],
    )
    await ana.call('POST', '/instance/disconnect', {})
    await relink(ana, ana.number)
    assert.equal((await folder(id)).status, 'paused')
    assert.equal((await edit(id, 'continue')).body.status, 'scheduled')
  })

  async function relink(instance: TestInstance, phone: string): Promise<void> {
    const shown = await instance.call<{ instance: { paircode: string } }>('POST', '/instance/connect', { phone })
    assert.equal(shown.status, 200, JSON.stringify(shown.body))
    await world.network('POST', `/phones/${phone}/code`, { code: shown.body.instance.paircode })
    await instance.connected()
  }

  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const imported = (list: string, more: Json = {}, headers?: Record<string, string>) =>
    post(
      'import',
      { recipients: base64(list), type: 'text', text: 'hello {{name}} of {{city}}', ...AT_ONCE, ...more },
      headers,
    )

  /** Leaves out the estimated end, which is another one each time. */
  const withoutEnd = ({ today, ...rest }: Json) => {
    const { ends, ...other } = today as Json
    assert.ok(Math.abs(Date.parse(String(ends)) - Date.now()) < 60_000, String(ends))
    return { ...rest, today: other }
  }

  it('is made of a list: each its own values, without doubles, suppressed people and bad lines', async () => {
    const sheet = [
      '\uFEFFnumber;name;city',
      `+${BEN};"Ben; the first";Recife`,
      `${BEN};Ben again;Natal`,
      `${EVE};Eve;Belém`,
      'x;Nobody;',
      `${MIA};Mia;"São Paulo"`,
    ].join('\r\n')
    await ana.done('/sender/suppression/add', { numbers: [EVE] })
    const counts = { count: 2, lines: 5, duplicates: 1, optedOut: 1, recent: 0, invalid: 1 }
    const errors = [{ line: 5, why: 'has a number that is not a phone number with country code (6 to 15 digits)' }]
    const today = { leaving: 2, waiting: 0, reason: null, until: null }
    const preview = await imported(sheet, { dryRun: true, onInvalid: 'skip' })
    assert.deepEqual(withoutEnd(preview.body), {
      today,
      ...{ folder_id: '', status: 'dry_run', ...counts, errors, placeholders: [] },
      messages: [
        { number: `+${BEN}`, text: 'hello Ben; the first of Recife' },
        { number: MIA, text: 'hello Mia of São Paulo' },
      ],
    })
    const refused = await imported(sheet)
    assert.deepEqual([refused.status, (refused.body.details as Json[])[0]?.field], [400, 'recipients line 5'])
    assert.deepEqual((await imported(sheet, { dryRun: true })).body, refused.body)
    assert.deepEqual((await ana.call<Json[]>('GET', '/sender/listfolders')).body, [])

    const answer = await imported(sheet, { onInvalid: 'skip' })
    const { folder_id: id, ...rest } = answer.body
    assert.deepEqual(withoutEnd(rest), { status: 'queued', ...counts, errors, placeholders: [], messages: [], today })
    assert.equal((await done(String(id))).log_sucess, 2)
    assert.deepEqual(await texts(BEN), ['hello Ben; the first of Recife'])
    assert.deepEqual(await texts(EVE), [])
    assert.deepEqual(await texts(MIA), ['hello Mia of São Paulo'])
    const results = await fetch(`${world.gateway.url}/sender/results?folder_id=${String(id)}`, {
      headers: { token: ana.token },
    })
    assert.match(results.headers.get('content-type') ?? '', /^text\/csv/)
    const lines = (await results.text()).split('\r\n')
    assert.match(lines[0] ?? '', /^ordinal,number,status,messageid,/)
    assert.match(lines[1] ?? '', new RegExp(`^0,${BEN},(sent|delivered),3EB0`))
    assert.equal(lines.length, 4)
    assert.equal((await ana.call('GET', '/sender/results?folder_id=none')).status, 404)

    // People who got it are left out of the next one.
    const next = await imported(`{"number":"${BEN}"}\n{"phone":${MIA}}\n{"number":"${NOBODY}","city":"x"}`, {
      ...{ format: 'ndjson', skipRecentDays: 7, dryRun: true, allowEmpty: true },
    })
    assert.deepEqual([next.body.count, next.body.recent, next.body.invalid], [1, 2, 0])
    assert.deepEqual(next.body.placeholders, [{ name: 'name', problem: 'empty', recipients: 1 }])
  })

  it('is made of a list that is the body itself, also while it is still being written', async () => {
    const post = (fields: Record<string, string>, body: string | ReadableStream, type = 'text/csv') =>
      fetch(`${world.gateway.url}/sender/import?${new URLSearchParams({ type: 'text', delayMin: '0', ...fields })}`, {
        method: 'POST',
        headers: { token: ana.token, 'content-type': type },
        body,
        duplex: 'half',
      } as RequestInit)
    const pieces = ['number,na', `me\n${BEN},B`, `en\n${MIA},"Mi\n`, 'a"\n', 'x,Nobody\n']
    const text = 'line one\nfor {{name}}'
    const stream = () => ReadableStream.from(pieces.map((piece) => Buffer.from(piece))) as ReadableStream
    const preview = (await (await post({ text, dryRun: 'true', onInvalid: 'skip' }, stream())).json()) as Json
    assert.deepEqual([preview.status, preview.count, preview.invalid, preview.warnings], ['dry_run', 2, 1, undefined])
    assert.match(await (await post({ text }, stream())).text(), /line 5 has a number that is not a phone number/)
    const answer = (await (await post({ text, onInvalid: 'skip', delayMax: '0' }, stream())).json()) as Json
    assert.equal((await done(String(answer.folder_id))).log_sucess, 2, JSON.stringify(answer))
    assert.deepEqual(await texts(BEN), ['line one\nfor Ben'])
    assert.deepEqual(await texts(MIA), ['line one\nfor Mi\na'])
    const variants = JSON.stringify([{ text: 'a variant for {{name}}' }])
    const lines = (await (
      await post({ variants, dryRun: 'true' }, `{"number":"${BEN}","Nome":"Ben"}`, 'application/x-ndjson')
    ).json()) as Json
    assert.deepEqual(lines.messages, [{ number: BEN, text: 'a variant for Ben' }])
  })

  it('fills placeholders by the columns of its list, whatever their case and language', async () => {
    await ana.done('/send/text', { number: MIA, text: 'first' })
    await ana.done('/chat/editLead', { id: `${MIA}@s.whatsapp.net`, lead_name: 'Mia of the chat' })
    const sheet = `Nome;Telefone;Código\nBen Silva;${BEN};7\n;${MIA};8\n`
    const text = '{{nome}}|{{NOME}}|{{name}}|{{first_name}}|{{codigo}}|{{telefone}}'
    const more = { text, allowEmpty: true }
    const filled = [`Ben Silva|Ben Silva|Ben Silva|Ben|7|${BEN}`, `||Mia of the chat|Mia|8|${MIA}`]
    const preview = await imported(sheet, { ...more, dryRun: true })
    assert.deepEqual(
      (preview.body.messages as Json[]).map((one) => one.text),
      filled,
    )
    const problems = ['nome', 'NOME'].map((name) => ({ name, problem: 'empty', recipients: 1 }))
    assert.deepEqual(preview.body.placeholders, problems)
    const answer = await imported(sheet, more)
    assert.deepEqual(answer.body.placeholders, problems)
    await done(String(answer.body.folder_id))
    assert.deepEqual([(await texts(BEN)).at(-1), (await texts(MIA)).at(-1)], filled)
  })

  it('names the placeholders that recipients lack before anything is stored, however it is made', async () => {
    await ana.done('/send/text', { number: BEN, text: 'first' })
    await ana.done('/chat/editLead', { id: `${BEN}@s.whatsapp.net`, lead_name: 'Ben', lead_status: 'new' })
    await ana.done('/sender/suppression/add', { numbers: [EVE] })
    const text = 'Oi {{first_name}}, {{nmae}} {{lead_status}}'
    const sheet = `number\n${BEN}\n${MIA}\n${MIA}\n${EVE}\n`
    const messages = [BEN, MIA].map((person) => ({ number: person, type: 'text', text }))
    const calls = {
      import: { recipients: base64(sheet), type: 'text', text },
      simple: { numbers: [BEN, MIA, MIA], type: 'text', text, dedupe: true },
      advanced: { messages },
    }
    const placeholders = [
      { name: 'first_name', problem: 'empty', recipients: 1 },
      { name: 'nmae', problem: 'unknown', recipients: 2 },
      { name: 'lead_status', problem: 'empty', recipients: 1 },
    ]
    for (const [path, body] of Object.entries(calls)) {
      for (const dryRun of [true, false]) {
        const refused = await post(path, { ...body, ...AN_HOUR, dryRun })
        const about = `${path} ${dryRun}: ${JSON.stringify(refused.body)}`
        assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_REQUEST'], about)
        const found = new Set(refused.body.placeholders as Json[])
        assert.deepEqual(sortedByName([...found]), sortedByName(placeholders), about)
        assert.match(
          String(refused.body.error),
          /\{\{nmae\}\} is not a placeholder for 2 recipients.*did you mean \{\{name\}\}/,
        )
        const { field } = (refused.body.details as Json[])[0] as Json
        assert.equal(field, path === 'advanced' ? 'messages[0].text' : 'text')
      }
      assert.deepEqual((await ana.call<Json[]>('GET', '/sender/listfolders')).body, [])
    }
    for (const [path, body] of Object.entries(calls)) {
      const more = { ...body, ...AN_HOUR, allowEmpty: true }
      const [trial, made] = [await post(path, { ...more, dryRun: true }), await post(path, more)]
      assert.deepEqual(
        [trial.status, trial.body.status, made.status, made.body.status],
        [200, 'dry_run', 200, 'queued'],
      )
      for (const { body: answer } of [trial, made]) {
        assert.deepEqual(sortedByName(answer.placeholders as Json[]), sortedByName(placeholders))
        assert.equal(answer.count, 2)
        assert.equal((answer.warnings as string[]).length, 3, JSON.stringify(answer))
      }
    }
  })

  it('is refused by a dry run for all that refuses the call, in the same words, and nothing is stored', async () => {
    await simple([BEN], { folder: 'Taken', scheduled_for: 60 })
    const text = { type: 'text', text: 'Oi' }
    const window = { from: '09:00', to: '18:00', timezone: 'UTC' }
    const wrong: readonly [body: Json, status: number][] = [
      [{ ...text, window: { ...window, timezone: 'Mars/Olympus' } }, 400],
      [{ ...text, window: { ...window, to: '09:00' } }, 400],
      [{ ...text, timezone: 'nowhere' }, 400],
      [{ ...text, scheduled_for: 1_706_198_400 }, 400],
      [{ ...text, scheduled_for: 366 * 24 * 60 + 2 }, 400],
      [{ ...text, folder: 'taken' }, 409],
      [{ type: 'text' }, 400],
      [{ type: 'poll', text: 'x', choices: [] }, 400],
      [{ type: 'image', file: 'bm90IGFuIGltYWdl' }, 415],
      [{ type: 'image', file: 'http://127.0.0.1:9/away.png' }, 0],
      [{ ...text, variants: Array.from({ length: 21 }, () => ({ text: 'x' })) }, 400],
      [{ ...text, text: '{{nobody}}' }, 400],
    ]
    const ways = {
      simple: { numbers: [BEN, MIA] },
      import: { recipients: base64(`number\n${BEN}\n${MIA}\n`) },
    }
    for (const [path, recipients] of Object.entries(ways))
      for (const [body, status] of wrong) {
        const [trial, call] = [
          await post(path, { ...recipients, ...body, dryRun: true }),
          await post(path, { ...recipients, ...body }),
        ]
        const about = JSON.stringify([path, body, trial.body])
        assert.ok(call.status === status || (status === 0 && call.status >= 400), about)
        assert.deepEqual([trial.status, trial.body], [call.status, call.body], about)
      }
    const good = await post('import', { ...ways.import, ...text, dryRun: true })
    assert.deepEqual([good.status, good.body.count], [200, 2])
    assert.equal((await ana.call<Json[]>('GET', '/sender/listfolders')).body.length, 1)
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    assert.equal((await database.query('SELECT FROM campaign_import WHERE instance_id = $1', [ana.id])).rowCount, 0)
  })

  it('is made once of a list that is sent again with its key, and never of one that cannot be read', async () => {
    const sheet = `number,name,city\n${BEN},Ben,Recife\n`
    const key = { 'idempotency-key': `list-${ana.number}` }
    const answers = [await imported(sheet, AN_HOUR, key), await imported(sheet, AN_HOUR, key)]
    assert.equal(answers[0]?.body.folder_id, answers[1]?.body.folder_id)
    assert.equal((await imported(`${sheet}\n${MIA},M,R`, AN_HOUR, key)).body.code, 'IDEMPOTENCY_CONFLICT')
    for (const [list, why] of [
      ['\n', 'is empty'],
      ['number\n', 'has no line but its header'],
      [`${BEN}\n`, 'one of them must be "number"'],
      ['number\nJos\xe9', 'is not UTF-8'],
      ['n\0u\0m\0', 'is UTF-16'],
      ['number,__proto__\n1,2', 'cannot be a placeholder'],
    ] as const) {
      const { status, body } = await post('import', {
        recipients: Buffer.from(list, 'latin1').toString('base64'),
        type: 'text',
        text: 'x',
      })
      assert.equal(status, 400, why)
      assert.ok(JSON.stringify(body).includes(why.replaceAll('"', '\\"')), JSON.stringify(body))
    }
    // The list is good, the message is not: nothing of the import stays.
    assert.equal((await imported(sheet, { text: '' })).status, 400)
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    assert.equal((await database.query('SELECT FROM campaign_import')).rowCount, 0)
    assert.equal((await ana.call<Json[]>('GET', '/sender/listfolders')).body.length, 1)
  })

  it('looks a number up once, and on a day no more of them than its budget allows', async () => {
    const lookUps = async () =>
      (await world.network<Json[]>('GET', `/log/frames?device=${ana.number}:1&tag=iq&direction=in`)).filter(
        ({ xmlns }) => xmlns === 'usync',
      ).length
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    const checks = async () =>
      (await database.query('SELECT address, found FROM number_check WHERE instance_id = $1', [ana.id])).rows as Json[]
    const reasons = async (id: string) => (await list(id)).messages.map(({ reason, status }) => reason ?? status)
    const first = await simple([NOBODY])
    await done(first)
    assert.deepEqual(await reasons(first), ['not_on_network'])
    assert.deepEqual(await checks(), [{ address: `${NOBODY}@s.whatsapp.net`, found: null }])
    const before = await lookUps()
    assert.ok(before > 0)
    const second = await simple([NOBODY])
    await done(second)
    assert.deepEqual([await reasons(second), await lookUps()], [['not_on_network'], before])

    const other = await world.paired('15550740199')
    await database.query(
      `INSERT INTO number_check (instance_id, address) SELECT $1, i || '@s.whatsapp.net' FROM generate_series(1, 1000) AS i`,
      [other.id],
    )
    await world.write(MIA, other.number, 'hello')
    await eventually(
      () => other.messages({ text: 'hello' }),
      (all) => all.length === 1,
    )
    const body = { numbers: [BEN, MIA], type: 'text', text: 'in the budget', ...AT_ONCE }
    const { folder_id: id } = (await other.call<Json>('POST', '/sender/simple', body)).body
    const held = await eventually(
      async () => (await other.call<Json>('GET', `/sender/folder?id=${String(id)}`)).body,
      ({ log_sucess: sent, log_parked: parked }) => sent === 1 && parked === 1,
    )
    assert.deepEqual([held.status, held.log_failed], ['sending', 0])
    const metrics = await (await fetch(`${world.gateway.url}/metrics`)).text()
    for (const outcome of ['asked', 'cached', 'refused'])
      assert.match(metrics, new RegExp(`posthorn_number_checks_total\\{outcome="${outcome}"[^}]*\\} [1-9]`))
  })

  it('leaves people out who have got as many messages of campaigns lately as it allows', async () => {
    const frequencyCap = { messages: 2, days: 7 }
    await done(await simple([BEN, EVE], { text: 'one' }))
    const id = await simple([BEN, BEN, BEN, EVE], { text: 'two', frequencyCap, dedupe: false })
    const ended = await done(id)
    assert.deepEqual(
      [ended.log_sucess, ended.log_skipped, ended.frequencyCap],
      [2, 2, frequencyCap],
      JSON.stringify(await list(id)),
    )
    const skipped = (await list(id, { messageStatus: 'Skipped' })).messages
    assert.deepEqual(
      skipped.map(({ ordinal, reason }) => [ordinal, reason]),
      [
        [1, 'frequency'],
        [2, 'frequency'],
      ],
    )
    for (const wrong of [{ messages: 11, days: 7 }, { messages: 1 }, { messages: 1, days: 0 }])
      assert.equal((await post('simple', { numbers: [BEN], type: 'text', text: 'x', frequencyCap: wrong })).status, 400)
    const lately = await post('simple', { numbers: [BEN, MIA, EVE], type: 'text', text: 'x', skipRecentDays: 1 })
    assert.deepEqual([lately.body.count, lately.body.recent], [1, 2], JSON.stringify(lately.body))
    assert.deepEqual(
      (await list(String(lately.body.folder_id))).messages.map(({ chatid }) => chatid),
      [`${MIA}@s.whatsapp.net`],
    )
    const messages = [BEN, EVE].map((person) => ({ number: person, type: 'text', text: 'x' }))
    const nobody = await post('advanced', { messages, skipRecentDays: 365 })
    assert.deepEqual([nobody.body.count, nobody.body.recent], [0, 2])
    await done(String(nobody.body.folder_id))
  })

  it('takes groups and channels as recipients however it is made, and no status posts', async () => {
    const group = await ana.done<{ JID: string }>('/group/create', { name: 'Crew', participants: [BEN] })
    const jid = group.JID
    const calls = (to: string) => ({
      simple: { numbers: [to], type: 'text', text: 'to the crew' },
      advanced: { messages: [{ number: to, type: 'text', text: 'to the crew' }] },
      import: { recipients: base64(`number\n${to}\n`), type: 'text', text: 'to the crew' },
    })
    for (const [path, body] of Object.entries(calls(jid))) await done(await created(path, { ...body, ...AT_ONCE }))
    const sent = await ana.messages({ chatid: jid })
    assert.equal(sent.filter(({ text }) => text === 'to the crew').length, 3)
    for (const [path, body] of Object.entries(calls('status@broadcast'))) {
      const refused = await post(path, body)
      assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_REQUEST'], path)
    }
  })

  it('sends nothing to who is suppressed when their turn comes', async () => {
    await ana.done('/sender/suppression/add', { numbers: [BEN] })
    const ended = await done(await simple([BEN, MIA], { text: 'not for Ben' }))
    assert.deepEqual([ended.log_sucess, ended.log_skipped, ended.log_failed], [1, 1, 0])
    const [skipped] = (await list(String(ended.id), { messageStatus: 'Skipped' })).messages
    assert.deepEqual([skipped?.reason, skipped?.messageid], ['opted_out', ''])
    assert.ok(!(await texts(BEN)).includes('not for Ben'))
  })

  it('lists people who opt out after their message as such, at once or after a first reply', async () => {
    const id = await simple([EVE, MIA])
    await done(id)
    const statuses = async () => (await list(id)).messages.map(({ status, reason }) => [status, reason])
    await world.write(EVE, ana.number, 'hello')
    await eventually(statuses, ([eve]) => eve?.[0] === 'replied')
    for (const person of [EVE, MIA]) await world.write(person, ana.number, 'Sair!')
    await eventually(statuses, (all) => all.every(([status]) => status === 'opted_out'))
    assert.deepEqual(await statuses(), [
      ['opted_out', 'opted_out'],
      ['opted_out', 'opted_out'],
    ])
    const { log_sucess: sent, log_replied: replied, log_skipped: skipped } = await folder(id)
    assert.deepEqual([sent, replied, skipped], [2, 2, 0])
  })

  it('waits for its window, by the zone of each recipient if it has one', async () => {
    const now = new Date()
    const at = (hours: number) => `${String((now.getUTCHours() + hours) % 24).padStart(2, '0')}:00`
    const [from, to] = [at(2), at(4)]
    const closed = await imported(`number\n${BEN}\n`, { window: { from, to, timezone: 'UTC' }, text: 'x' })
    assert.equal(closed.status, 200, JSON.stringify(closed.body))
    const held = await until(String(closed.body.folder_id), ({ hold }) => hold !== null)
    assert.equal((held.hold as Json).reason, 'window')
    assert.deepEqual(held.window, {
      ...{ days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from, timezone: 'UTC' },
      to: to === '00:00' ? '24:00' : to,
    })
    const zones = `number,timezone\n${BEN},Asia/Tokyo\n${MIA},UTC\n`
    const open = { from: at(0), to: at(2), timezone: 'recipient', fallbackTimezone: 'UTC' }
    const byZone = await imported(zones, { window: open, text: 'by zone' })
    await eventually(
      () => texts(MIA),
      (all) => all.includes('by zone'),
    )
    assert.ok(!(await texts(BEN)).includes('by zone'))
    const byZoneNow = await folder(String(byZone.body.folder_id))
    assert.deepEqual([byZoneNow.log_parked, (byZoneNow.window as Json).timezone], [1, 'recipient'])
    const wrong = await imported(`number\n${BEN}\n`, { window: { from: '09:00', to: '09:00', timezone: 'UTC' } })
    assert.deepEqual([wrong.status, (wrong.body.details as Json[])[0]?.field], [400, 'window.to'])
  })
})
