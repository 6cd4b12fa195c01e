import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { quickReplyLimit } from '../../schemas/record-limits.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { connectDatabase } from '../support/statements.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>
interface Mutation {
  readonly index: readonly string[]
  readonly value: Json
}

describe('settings of chats', () => {
  /** A second instance that is linked to the same phone. */
  let other: TestInstance
  const [ANA, BEN, EVE] = ['15550610001', '15550610002', '15550610003']
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['chats', 'labels', 'chat_labels', 'blocks', 'suppressions'],
    complete: async () => {
      other = await world.linked(ANA, 'other')
      for (const instance of [ana, other]) {
        await world.write(BEN, ANA, 'hello')
        await instance.chat(BEN)
      }
    },
  })
  afterEach(() => world.network('DELETE', '/faults'))

  const chat = (instance: TestInstance, number: string, isSo: (chat: Json) => boolean) => instance.chat(number, isSo)
  const post = <T = Json>(path: string, body: Json) =>
    ana.call<T & { response: string; error: string }>('POST', path, body)
  const done: typeof ana.done = (path, body) => ana.done(path, body)
  const onPhone = async (kind: string): Promise<Json | undefined> =>
    (await world.network<Mutation[]>('GET', `/phones/${ANA}/app-state`)).findLast(({ index }) => index[0] === kind)
      ?.value

  it('archived, pinned and muted through the API change on the phone, on other devices and in events, and back', async () => {
    assert.equal((await done('/chat/pin', { number: BEN, pin: true })).response, 'Chat pinned')
    await chat(other, BEN, (one) => one.wa_isPinned === true)
    assert.deepEqual((await onPhone('pin_v1'))?.pinAction, { pinned: true })
    const began = Date.now()
    await done('/chat/mute', { number: BEN, muteEndTime: 8 })
    const { wa_muteEndTime } = await chat(other, BEN, (one) => one.wa_muteEndTime !== 0)
    assert.ok(Math.abs(Number(wa_muteEndTime) - began - 8 * 3_600_000) < 60_000, String(wa_muteEndTime))
    assert.equal((await chat(ana, BEN, () => true)).wa_muteEndTime, wa_muteEndTime)
    // Archiving unpins it, as on phones.
    assert.equal((await done('/chat/archive', { number: BEN, archive: true })).response, 'Chat archived successfully')
    await chat(other, BEN, (one) => one.wa_archived === true && one.wa_isPinned === false)
    await chat(ana, BEN, (one) => one.wa_archived === true && one.wa_isPinned === false)
    const archive = (await onPhone('archive'))?.archiveChatAction as Json | undefined
    assert.equal(archive?.archived, true)
    assert.equal(((archive?.messageRange as Json | undefined)?.messages as Json[] | undefined)?.length, 1)
    await eventually(() => receiver.of('chats').some(({ body }) => (body.chat as Json).wa_archived === true))
    await done('/chat/archive', { number: BEN, archive: false })
    await done('/chat/mute', { number: BEN, muteEndTime: 0 })
    await chat(other, BEN, (one) => !one.wa_archived && one.wa_muteEndTime === 0)
    await done('/chat/mute', { number: BEN, muteEndTime: -1 })
    await chat(other, BEN, (one) => one.wa_muteEndTime === -1)
    assert.equal((await chat(ana, BEN, () => true)).wa_lastMessageTextVote, 'hello')
  })

  it('include the disappearing time, which others and the own phone can set, and which sends obey', async () => {
    await world.network('POST', `/phones/${BEN}/disappearing`, { to: ANA, seconds: 604_800 })
    for (const instance of [ana, other]) await chat(instance, BEN, (one) => one.wa_ephemeralExpiration === 604_800)
    const { messageid } = await ana.text(BEN, 'for a week')
    const shown = await eventually(
      () => world.network<Json[]>('GET', `/phones/${BEN}/messages`),
      (messages) => messages.some(({ id }) => id === messageid),
    )
    assert.match(JSON.stringify(shown.find(({ id }) => id === messageid)), /"expiration":604800/)
    await world.network('POST', `/phones/${ANA}/disappearing`, { to: BEN, seconds: 0 })
    await chat(ana, BEN, (one) => one.wa_ephemeralExpiration === 0)
  })

  it('survive a conflict with another device: the collection is read again, then the change is written', async () => {
    await world.network('POST', '/faults', { kind: 'app-state-conflict', phone: ANA, times: 1 })
    await done('/chat/archive', { number: BEN, archive: true })
    await chat(other, BEN, (one) => one.wa_archived === true)
    await world.network('POST', `/phones/${ANA}/chats`, { chat: BEN, archived: false, pinned: true })
    await chat(ana, BEN, (one) => !one.wa_archived && one.wa_isPinned === true)
    await done('/chat/pin', { number: BEN, pin: false })
    await chat(other, BEN, (one) => one.wa_isPinned === false)
  })

  it('survive several conflicts in a row without a question to the phone', async () => {
    const sent = (after: number) =>
      world.network<{ sequence: number; tag: string }[]>(
        'GET',
        `/log/frames?device=${ANA}:1&direction=in&limit=20000&after=${after}`,
      )
    const before = (await sent(0)).at(-1)?.sequence ?? 0
    await world.network('POST', '/faults', { kind: 'app-state-conflict', phone: ANA, times: 2 })
    await done('/chat/archive', { number: BEN, archive: true })
    await chat(other, BEN, (one) => one.wa_archived === true)
    const rest = await sent(before)
    assert.deepEqual(
      rest.filter(({ tag }) => tag === 'message'),
      [],
    )
    await done('/chat/archive', { number: BEN, archive: false })
    await chat(other, BEN, (one) => one.wa_archived === false)
  })

  it('survive an unreadable collection at the network: the phone gives a copy', async () => {
    // The phone names chats by their numbers, we by their LIDs.
    const pinHere = async () =>
      (await world.network<Mutation[]>('GET', `/phones/${ANA}/app-state`)).find(
        ({ index }) => index[0] === 'pin_v1' && index[1]?.endsWith('@lid'),
      )?.value.pinAction
    await world.network('POST', `/phones/${ANA}/chats`, { chat: BEN, pinned: true })
    await chat(ana, BEN, (one) => one.wa_isPinned === true)
    await world.network('POST', `/phones/${ANA}/unreadable`, { collection: 'regular_low' })
    // Only the copy tells of this.
    await world.network('POST', `/phones/${ANA}/chats`, { chat: EVE, archived: true })
    await done('/chat/pin', { number: BEN, pin: false })
    assert.deepEqual(await pinHere(), { pinned: false })
    await chat(ana, EVE, (one) => one.wa_archived === true)
    // From then on it is read and written as before.
    await world.network('POST', `/phones/${ANA}/chats`, { chat: EVE, archived: false })
    await chat(ana, EVE, (one) => one.wa_archived === false)
    await done('/chat/pin', { number: BEN, pin: true })
    assert.deepEqual(await pinHere(), { pinned: true })
    // Of the other devices each asks when it writes.
    const answer = await other.call<Json>('POST', '/chat/pin', { number: BEN, pin: false })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await chat(ana, BEN, (one) => one.wa_isPinned === false)
  })

  it('return an error and stay unchanged when the network refuses them, and the next change works', async () => {
    await world.network('POST', '/faults', { kind: 'app-state-conflict', phone: ANA, code: 400 })
    const labels = { labelid: '50', name: 'Never', color: 1 }
    for (const [path, body, text] of [
      ['/chat/archive', { number: BEN, archive: true }, 'Error archiving chat'],
      ['/label/edit', labels, 'error editing label'],
      ['/profile/name', { name: 'Refused' }, 'Error changing name'],
    ] as const) {
      const answer = await post<{ provider_message: string }>(path, body)
      assert.deepEqual([answer.status, answer.body.error], [500, text])
      assert.match(answer.body.provider_message, /400/)
    }
    assert.equal((await chat(ana, BEN, () => true)).wa_archived, false)
    await world.network('DELETE', '/faults')
    await world.network('POST', '/faults', { kind: 'app-state-conflict', phone: ANA, code: 429 })
    const limited = await post('/profile/name', { name: 'Too often' })
    assert.deepEqual([limited.status, limited.body.error], [500, 'Change limit exceeded or account restricted'])
    await world.network('DELETE', '/faults')
    await done('/chat/archive', { number: BEN, archive: true })
    await chat(other, BEN, (one) => one.wa_archived === true)
    await done('/chat/archive', { number: BEN, archive: false })
    assert.equal((await ana.call<Json[]>('GET', '/labels')).body.length, 0)
  })

  it('include labels, which are created, added to chats, removed and deleted', async () => {
    assert.deepEqual(await done('/label/edit', { name: 'Paid', color: 2 }), { response: 'Label created', labelid: '1' })
    await done('/label/edit', { labelid: '7', name: 'Later', color: 19 })
    assert.equal((await done('/label/edit', { labelid: '7', name: 'Much later' })).response, 'Label edited')
    const list = async (instance: TestInstance) =>
      (await instance.call<Json[]>('GET', '/labels')).body.map(({ labelid, name, color, colorHex }) => [
        labelid,
        name,
        color,
        colorHex,
      ])
    const both = [
      ['1', 'Paid', 2, 'fed428'],
      ['7', 'Much later', 19, '9568cf'],
    ]
    assert.deepEqual(await list(ana), both)
    await eventually(
      () => list(other),
      (labels) => labels.length === 2 && labels[1]?.[1] === 'Much later',
    )
    const label = (body: Json) => done('/chat/labels', { number: BEN, ...body })
    assert.deepEqual((await label({ labelids: ['1', '7'] })).editions, ['Label 1 added', 'Label 7 added'])
    await chat(other, BEN, (one) => one.wa_label === '["1","7"]')
    assert.deepEqual((await label({ labelids: ['7'] })).editions, ['Label 1 removed'])
    assert.deepEqual((await label({ add_labelid: '7' })).editions, [])
    assert.deepEqual((await label({ add_labelid: '1' })).editions, ['Label 1 added'])
    assert.deepEqual((await label({ remove_labelid: '7' })).editions, ['Label 7 removed'])
    await chat(other, BEN, (one) => one.wa_label === '["1"]')
    assert.equal((await chat(ana, BEN, () => true)).wa_label, '["1"]')
    assert.deepEqual((await onPhone('label_jid'))?.labelAssociationAction, { labeled: false })
    await eventually(() => receiver.of('chat_labels').some(({ body }) => (body.chat as Json).wa_label === '["7"]'))
    await eventually(() => receiver.of('labels').some(({ body }) => (body.label as Json).name === 'Much later'))
    assert.equal((await done('/label/edit', { labelid: '1', delete: true })).response, 'Label deleted')
    await chat(other, BEN, (one) => one.wa_label === '[]')
    assert.deepEqual((await list(ana)).length, 1)
  })

  it('include labels, which are read again on request: what changed since, or all that the gateway has lost', async (t) => {
    const names = async () => (await ana.call<Json[]>('GET', '/labels')).body.map(({ name }) => name)
    await done('/label/edit', { labelid: '60', name: 'Kept', color: 3 })
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    await database.query('DELETE FROM label WHERE instance_id = $1', [ana.id])
    const refresh = (body: Json) => ana.call('POST', '/labels/refresh', body)
    const { status, body } = await refresh({})
    assert.deepEqual([status, body.success, body.fullSync], [202, true, false])
    assert.deepEqual(await names(), [])
    assert.equal((await refresh({ force: true })).body.fullSync, true)
    assert.deepEqual((await names()).includes('Kept'), true)
    assert.equal((await refresh({ force: 'perhaps' })).status, 400)
  })

  it('include quick replies, stored here, or on the phone and all its devices', async () => {
    type Reply = { id: string; shortCut: string; type: string; text: string; file: string; onWhatsApp: boolean }
    const list = async (instance = ana) => (await instance.call<Reply[]>('GET', '/quickreply/showall')).body
    const texts = (replies: readonly Reply[]) => replies.map(({ shortCut, text }) => [shortCut, text])
    const here = await done('/quickreply/edit', { shortCut: 'hi', type: 'text', text: 'Hello {{name}}' })
    assert.equal(here.message, 'Quick reply created')
    const kept = (here.quickReplies as Reply[]).at(-1)
    assert.deepEqual([kept?.shortCut, kept?.text, kept?.onWhatsApp], ['hi', 'Hello {{name}}', false])
    const file = 'https://files.example/price.pdf'
    await done('/quickreply/edit', { shortCut: 'price', type: 'document', file, docName: 'price.pdf' })
    await done('/quickreply/edit', { id: kept?.id, text: 'Good day' })
    assert.deepEqual(texts(await list()), [
      ['hi', 'Good day'],
      ['price', ''],
    ])
    assert.deepEqual(await list(other), [])
    assert.equal(await onPhone('quick_reply'), undefined)

    // Made and changed on the phone.
    await world.network('POST', `/phones/${ANA}/quick-replies`, { id: '1700000000', shortcut: 'bye', text: 'See you' })
    for (const instance of [ana, other])
      await eventually(
        () => list(instance),
        (all) => all.some(({ id, text, onWhatsApp }) => id === '1700000000' && text === 'See you' && onWhatsApp),
      )
    const refused = await post<Json>('/quickreply/edit', { id: '1700000000', text: 'Bye bye' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'QUICK_REPLY_OF_PHONE'])
    assert.equal((await post('/quickreply/edit', { id: '1700000000', delete: true })).status, 403)
    await done('/quickreply/edit', { id: '1700000000', text: 'Bye bye', onWhatsApp: true })
    assert.deepEqual(((await onPhone('quick_reply'))?.quickReplyAction as Json | undefined)?.message, 'Bye bye')
    await eventually(
      () => list(other),
      (all) => all[0]?.text === 'Bye bye' && all[0].shortCut === 'bye',
    )

    // Made and deleted there by us; two at once are two.
    await Promise.all(
      ['a', 'b'].map((shortCut) =>
        done('/quickreply/edit', { shortCut, type: 'text', text: `the ${shortCut}`, onWhatsApp: true }),
      ),
    )
    const all = await eventually(
      () => list(other),
      (replies) => replies.length === 3,
    )
    assert.deepEqual(texts(all).slice(1).toSorted(), [
      ['a', 'the a'],
      ['b', 'the b'],
    ])
    await done('/quickreply/edit', { id: all[1]?.id, delete: true, onWhatsApp: true })
    await eventually(
      () => list(other),
      (replies) => replies.length === 2,
    )
    await world.network('POST', `/phones/${ANA}/quick-replies`, { id: '1700000000', deleted: true })
    await eventually(list, (replies) => replies.every(({ id }) => id !== '1700000000'))
    const deleted = await done('/quickreply/edit', { id: kept?.id, delete: true })
    assert.equal(deleted.message, 'Quick reply deleted')
    assert.deepEqual((deleted.quickReplies as Reply[]).map(({ shortCut }) => shortCut).at(0), 'price')
  })

  it('limit the quick replies of callers, while those of the phone are always stored', async (t) => {
    const { countMax, bytesMax } = quickReplyLimit
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const list = async () => (await ana.call<Json[]>('GET', '/quickreply/showall')).body
    const clear = () => database.query('DELETE FROM quick_reply WHERE instance_id = $1', [ana.id])
    for (const onWhatsApp of [false, true]) {
      const fill = (count: number, length: number) =>
        database.query(
          `INSERT INTO quick_reply (instance_id, id, is_of_phone, shortcut, type, text, file, doc_name)
           SELECT $1, '2' || n, $2, 's', 'text', repeat('x', $3), '', '' FROM generate_series(1, $4::int) AS n`,
          [ana.id, onWhatsApp, length, count],
        )
      const editSome = (bodies: readonly Json[]) =>
        Promise.all(bodies.map((body) => post<Json>('/quickreply/edit', { ...body, onWhatsApp })))
      await clear()
      await fill(countMax - 1, 1)
      const six = 'abcdef'.split('').map((shortCut) => ({ shortCut, type: 'text', text: 'x' }))
      const answers = await editSome(six)
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409, 409])
      const refused = answers.find(({ status }) => status === 409)?.body
      assert.deepEqual([refused?.code, (refused?.details as Json[] | undefined)?.[0]?.field], ['RECORD_LIMIT', 'id'])
      // The phone is not refused.
      await world.network('POST', `/phones/${ANA}/quick-replies`, { id: '17', shortcut: 'bye', text: 'See you' })
      const all = await eventually(list, (replies) => replies.some(({ id }) => id === '17'))
      assert.equal(all.length, countMax + 1)
      const [changed] = await editSome([{ id: '21', text: 'longer' }])
      assert.equal(changed?.status, 200, JSON.stringify(changed?.body))
      // Each counts with its own.
      for (const id of onWhatsApp ? ['21', '22'] : ['22'])
        assert.equal((await editSome([{ id, delete: true }]))[0]?.status, 200)
      const [made] = await editSome([{ shortCut: 'g', type: 'text', text: 'again' }])
      assert.equal(made?.status, 200, JSON.stringify(made?.body))

      await clear()
      await fill(2, 1)
      await database.query(`UPDATE quick_reply SET text = repeat('x', $2) WHERE instance_id = $1 AND id = '22'`, [
        ana.id,
        bytesMax - 53,
      ])
      const text = 'x'.repeat(52)
      const [large, longer] = await editSome([
        { shortCut: 'b', type: 'text', text },
        { id: '21', text },
      ])
      for (const [answer, left] of [
        [large, 50],
        [longer, 52],
      ] as const) {
        const why = `makes 53 bytes of the record, and there is room for ${left}`
        assert.deepEqual([answer?.status, answer?.body.details], [409, [{ field: 'text', why }]])
      }
    }
  })

  it('include people to whom campaigns send nothing, each in every spelling of the number and by LID', async () => {
    // The network has the number without its ninth digit.
    const [ACCOUNT, WITH_NINE] = ['551187654321', '5511987654321']
    await world.phone(ACCOUNT, 'Caio')
    await world.write(ACCOUNT, ANA, 'hello')
    const lid = String((await chat(ana, ACCOUNT, (one) => one.wa_chatlid !== '')).wa_chatlid)
    const spellings = ['+55 (11) 8765-4321', WITH_NINE, lid]
    const found = async (instance = ana) => {
      const numbers = [...spellings, BEN]
      const answer = await instance.call<Json[]>('POST', '/sender/suppression/check', { numbers })
      assert.deepEqual(
        answer.body.map(({ query }) => query),
        numbers,
      )
      return answer.body.map(({ suppression }) => (suppression as Json | null)?.number ?? null)
    }
    const person = `${WITH_NINE}@s.whatsapp.net`
    for (const number of spellings) {
      assert.deepEqual(await found(), [null, null, null, null])
      assert.deepEqual(await done('/sender/suppression/add', { numbers: [number], reason: 'asked' }), {
        added: 1,
        known: 0,
      })
      assert.deepEqual(await found(), [person, person, person, null])
      assert.deepEqual(await found(other), [null, null, null, null])
      assert.deepEqual(await done('/sender/suppression/add', { numbers: spellings, reason: 'again' }), {
        added: 0,
        known: 3,
      })
      const { body } = await ana.call<{ suppressed: Json[]; next: null }>('GET', '/sender/suppression')
      const [{ created, ...entry } = {}] = body.suppressed
      assert.ok(Math.abs(Date.parse(String(created)) - Date.now()) < 60_000)
      assert.deepEqual([entry, body.next], [{ number: person, reason: 'asked', source: 'api', until: null }, null])
      const last = spellings.at(-1 - spellings.indexOf(number))
      assert.deepEqual(await done('/sender/suppression/remove', { numbers: [last] }), { removed: 1 })
    }
  })

  it('suppress people until a time, page by page, and refuse what names nobody', async (t) => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(15550700000 + index))
    assert.deepEqual(await done('/sender/suppression/add', { numbers: [...numbers.slice(0, 5), BEN, BEN] }), {
      added: 6,
      known: 1,
    })
    const pages: string[][] = []
    for (let next: string | null = ''; next !== null; ) {
      const path: string = `/sender/suppression?limit=4${next === '' ? '' : `&cursor=${next}`}`
      const { body } = await ana.call<{ suppressed: { number: string }[]; next: string | null }>('GET', path)
      pages.push(body.suppressed.map(({ number }) => number.split('@')[0] as string))
      next = body.next
    }
    assert.deepEqual(pages, [[BEN, ...numbers.slice(0, 3)], numbers.slice(3, 5)])

    const until = new Date(Date.now() + 3_600_000).toISOString()
    // The later end counts.
    await done('/sender/suppression/add', { numbers: [BEN, EVE], until })
    const ends = async () =>
      (
        await ana.call<{ suppression: Json | null }[]>('POST', '/sender/suppression/check', { numbers: [BEN, EVE] })
      ).body.map(({ suppression }) => suppression?.until)
    assert.deepEqual(await ends(), [null, until])
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    await database.query(`UPDATE suppression SET until = now() - interval '1 second' WHERE until IS NOT NULL`)
    assert.deepEqual(await ends(), [null, undefined])
    assert.deepEqual(await done('/sender/suppression/add', { numbers: [EVE], until }), { added: 1, known: 0 })

    const groups = ['120363000000000001@g.us', '5511', BEN, 'x']
    for (const operation of ['add', 'remove', 'check']) {
      const { status, body } = await post<Json>(`/sender/suppression/${operation}`, { numbers: groups })
      assert.deepEqual([status, body.code], [400, 'INVALID_NUMBER'])
      assert.deepEqual(
        (body.details as Json[]).map(({ field }) => field),
        ['numbers[0]', 'numbers[1]', 'numbers[3]'],
      )
      assert.equal((await post(`/sender/suppression/${operation}`, { numbers: [...numbers, BEN] })).status, 400)
    }
    for (const past of ['2020-01-01T00:00:00Z', 'soon']) {
      const { status, body } = await post<Json>('/sender/suppression/add', { numbers: [EVE], until: past })
      assert.deepEqual([status, (body.details as Json[])[0]?.field], [400, 'until'])
    }
    await database.query('DELETE FROM suppression')
  })

  it('include opting out by a word, which counts as a whole message and after a campaign', async (t) => {
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const address = `${BEN}@s.whatsapp.net`
    const reached = (days: number) =>
      database.query(
        `INSERT INTO campaign_contact VALUES ($1, $2, now() - $3::int * interval '1 day')
         ON CONFLICT (instance_id, address) DO UPDATE SET last_at = EXCLUDED.last_at`,
        [ana.id, address, days],
      )
    const optedOut = () => receiver.of('suppressions').map(({ body }) => body.event as Json)
    const entry = async () =>
      (await ana.call<{ suppression: Json | null }[]>('POST', '/sender/suppression/check', { numbers: [BEN] })).body[0]
        ?.suppression
    /** Has the person write, and waits until the message is stored. */
    const write = async (text: string): Promise<void> => {
      const id = await world.write(BEN, ANA, text)
      await eventually(
        () => ana.messages({ chatid: BEN, limit: 5 }),
        (messages) => messages.some(({ messageid }) => messageid === id),
      )
    }
    const words = await ana.call<Json>('GET', '/sender/suppression/words')
    assert.ok((words.body.words as string[]).includes('sair'))

    await write('SAIR')
    await reached(31)
    await write('SAIR')
    assert.equal(await entry(), null)
    await reached(29)
    for (const text of ['quero sair', 'sair sair', 'hello']) await write(text)
    assert.equal(await entry(), null)
    await write(' Saír! ')
    const made = await eventually(entry, (one) => one !== null)
    assert.deepEqual([made?.number, made?.source, made?.reason, made?.until], [address, 'opt_out', 'sair', null])
    await write('PARAR')
    const [event] = await eventually(optedOut, (events) => events.length > 0)
    assert.deepEqual([event?.JID, event?.Action, event?.Word], [address, 'opted_out', 'sair'])
    assert.equal((await entry())?.reason, 'sair')

    const set = await done('/sender/suppression/words', { words: ['Não quero mais', 'nao  quero MAIS', 'fora'] })
    assert.deepEqual(set.words, ['nao quero mais', 'fora'])
    await done('/sender/suppression/remove', { numbers: [BEN] })
    await write('sair')
    assert.equal(await entry(), null)
    await write('NÃO QUERO MAIS.')
    await eventually(entry, (one) => one?.reason === 'nao quero mais')
    assert.equal((await post<Json>('/sender/suppression/words', { words: ['!'] })).status, 400)
    await done('/sender/suppression/words', { words: [] })
    await done('/sender/suppression/remove', { numbers: [BEN] })
    await write('fora')
    await write('stop')
    assert.equal(await entry(), null)
    await eventually(optedOut, (events) => events.length === 2)
  })

  it('include the blocked people', async () => {
    const blocked = await done('/chat/block', { number: EVE, block: true })
    assert.deepEqual(blocked.blockList, [`${EVE}@s.whatsapp.net`])
    assert.deepEqual((await ana.call<Json>('GET', '/chat/blocklist')).body, { blockList: [`${EVE}@s.whatsapp.net`] })
    const { body } = await other.call<Json>('GET', '/chat/blocklist')
    assert.equal((body.blockList as string[]).length, 1)
    const event = await eventually(() => receiver.of('blocks').at(0))
    assert.deepEqual(
      [((event?.body.event ?? {}) as Json).Action, ((event?.body.event ?? {}) as Json).JID],
      ['block', `${EVE}@s.whatsapp.net`],
    )
    assert.deepEqual((await done('/chat/block', { number: EVE, block: false })).blockList, [])
  })

  it('include blocked people of whom only the LID is known, and name what the network refuses', async () => {
    const LIA = '15550610077'
    await world.phone(LIA, 'Lia')
    const lid = String((await world.network('GET', `/phones/${LIA}`)).lid)
    assert.deepEqual((await done('/chat/block', { number: lid, block: true })).blockList, [lid])
    const { id } = await world.network<{ id: string }>('POST', `/phones/${LIA}/text`, { to: ANA, text: 'blocked' })
    assert.deepEqual((await done('/chat/block', { number: lid, block: false })).blockList, [])
    await world.write(LIA, ANA, 'not blocked')
    await ana.chat(LIA)
    assert.deepEqual(await ana.messages({ id }), [])
    const { status, body } = await post('/chat/block', { number: '999999999999999@lid', block: true })
    assert.deepEqual([status, body.code, body.provider_code], [500, 'CHANGE_FAILED', 400])
  })

  it('are refused with a reason if they are invalid, and then change nothing', async () => {
    const before = await world.network<Mutation[]>('GET', `/phones/${ANA}/app-state`)
    for (const [path, body, status, error] of [
      ['/chat/archive', { number: 'me', archive: true }, 400, 'Invalid phone number format'],
      ['/chat/archive', { number: '15550619999', archive: true }, 404, 'Chat not found'],
      ['/chat/archive', { number: BEN }, 400, 'Invalid request: archive is required.'],
      ['/chat/mute', { number: BEN, muteEndTime: 9 }, 400, /^Invalid request: muteEndTime /],
      ['/chat/labels', { number: BEN }, 400, 'Use only one operation: labelids, add_labelid, or remove_labelid'],
      [
        '/chat/labels',
        { number: BEN, labelids: [], add_labelid: '7' },
        400,
        'Use only one operation: labelids, add_labelid, or remove_labelid',
      ],
      ['/chat/labels', { number: BEN, add_labelid: '99' }, 404, 'Label not found'],
      ['/chat/labels', { number: BEN, labelids: ['7', '99'] }, 404, 'Label not found'],
      ['/chat/labels', { number: '15550619999', add_labelid: '7' }, 404, 'Chat not found'],
      ['/label/edit', { labelid: '99', delete: true }, 404, 'Label not found'],
      ['/label/edit', { labelid: '99', color: 3 }, 400, 'invalid payload'],
      ['/label/edit', {}, 400, 'invalid payload'],
      ['/label/edit', { labelid: '7', color: 20 }, 400, 'invalid payload'],
      ['/chat/block', { number: '12036300000000000@g.us', block: true }, 400, /^Invalid number/],
      ['/chat/block', { number: '15550619999', block: true }, 404, /./],
      ['/quickreply/edit', { id: 'r00', text: 'x' }, 404, 'Quick reply not found'],
      ['/quickreply/edit', { delete: true }, 400, 'Invalid request: id is missing.'],
      ['/quickreply/edit', { type: 'text', text: 'x' }, 400, 'Invalid request: shortCut is missing.'],
      ['/quickreply/edit', { shortCut: 'x', text: 'x' }, 400, 'Invalid request: type is missing.'],
      ['/quickreply/edit', { shortCut: 'x', type: 'text' }, 400, 'Invalid request: text is missing.'],
      ['/quickreply/edit', { shortCut: 'x', type: 'image' }, 400, 'Invalid request: file is missing.'],
      ['/quickreply/edit', { shortCut: 'x', type: 'song', file: 'x' }, 400, /^Invalid request: type /],
      ['/quickreply/edit', { shortCut: 'x', type: 'ptt', file: 'x', onWhatsApp: true }, 400, /^Invalid request: type /],
      ['/profile/name', { name: 'a name of 26 characters ab' }, 400, /^Invalid request: name /],
      ['/profile/name', { name: '  ' }, 400, /^Invalid request: name /],
    ] as const) {
      const answer = await post(path, body)
      assert.equal(answer.status, status, JSON.stringify([path, body, answer.body]))
      if (typeof error === 'string') assert.equal(answer.body.error, error)
      else assert.match(answer.body.error, error)
    }
    assert.deepEqual(await world.network<Mutation[]>('GET', `/phones/${ANA}/app-state`), before)
    const unpaired = await world.instance('unpaired')
    for (const [path, body] of [
      ['/chat/archive', { number: BEN, archive: true }],
      ['/profile/name', { name: 'Nobody' }],
      ['/quickreply/edit', { shortCut: 'x', type: 'text', text: 'x', onWhatsApp: true }],
    ] as const) {
      const { status, body: answer } = await unpaired.call<{ error: string }>('POST', path, body)
      assert.deepEqual([status, answer.error], [409, 'No session'])
    }
  })

  it('disappear with the chat, when it is deleted from the store, from the devices, or from both', async () => {
    const EVA = '15550610005'
    await world.phone(EVA, 'Eva')
    const hear = async (text: string) => {
      await world.network('POST', `/phones/${EVA}/text`, { to: ANA, text })
      return await chat(ana, EVA, (one) => one.wa_lastMessageTextVote === text)
    }
    const messages = async () =>
      (await ana.call<{ messages: Json[] }>('POST', '/message/find', { chatid: `${EVA}@s.whatsapp.net` })).body.messages
    const first = await hear('one')
    await ana.call('POST', '/chat/editLead', { id: `${EVA}@s.whatsapp.net`, lead_name: 'Eva' })
    const emptied = await done('/chat/delete', { number: EVA, deleteMessagesDB: true, clearChatWhatsApp: true })
    assert.deepEqual(emptied.actions, ['Chat cleared on the devices', 'Messages deleted from the store'])
    assert.deepEqual([await messages(), emptied.errors], [[], []])
    const kept = await chat(ana, EVA, (one) => one.wa_unreadCount === 0)
    assert.deepEqual([kept.id, kept.lead_name, kept.wa_lastMessageTextVote], [first.id, 'Eva', ''])
    assert.ok(await onPhone('clearChat'))
    await hear('two')
    const gone = await done('/chat/delete', { number: EVA, deleteChatDB: true, deleteChatWhatsApp: true })
    assert.deepEqual(gone.errors, [])
    assert.ok(await onPhone('deleteChat'))
    assert.equal((await post('/chat/delete', { number: EVA, deleteChatDB: true })).status, 404)
    assert.deepEqual(await messages(), [])
    // It begins again.
    const anew = await hear('three')
    assert.notEqual(anew.id, first.id)
    assert.deepEqual([anew.lead_name, anew.wa_unreadCount], ['', 1])
    assert.deepEqual(
      (await messages()).map(({ text }) => text),
      ['three'],
    )
    assert.equal((await ana.text(EVA, 'four')).status, 'sent')
    assert.equal((await messages()).length, 2)
    assert.equal((await post('/chat/delete', { number: EVA })).status, 400)
  })

  it('wait for a phone that has not shared its key', async () => {
    const number = '15550610004'
    await world.phone(number, 'Silent', { greetCompanions: false })
    const silent = await world.instance('silent', number)
    const { body } = await silent.call<{ instance: { paircode: string } }>('POST', '/instance/connect', {
      phone: number,
    })
    await world.network('POST', `/phones/${number}/code`, { code: body.instance.paircode })
    await silent.connected()
    const { status, body: answer } = await silent.call<Json>('POST', '/profile/name', { name: 'Silent one' })
    assert.deepEqual([status, answer.code], [409, 'KEYS_MISSING'])
  })

  it('include the profile name, which others see as soon as it changes', async () => {
    const name = 'Ana of the shop in Rio 12'
    assert.equal(name.length, 25)
    const began = Date.now()
    const { success, profile } = await done('/profile/name', { name })
    assert.deepEqual([success, (profile as Json).name], [true, name])
    assert.equal((await ana.status()).instance.profileName, name)
    assert.ok(Number((profile as Json).updated_at) >= began)
    await ana.text(BEN, 'who am I?')
    const seen = await eventually(
      () => world.network<{ pushName: string }[]>('GET', `/phones/${BEN}/messages?text=who%20am%20I%3F`),
      (messages) => messages.length === 1,
    )
    assert.equal(seen[0]?.pushName, name)
    assert.deepEqual((await onPhone('setting_pushName'))?.pushNameSetting, { name })
    for (const instance of [ana, other])
      await eventually(async () => (await instance.status()).instance.profileName === name)
  })
})
