import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

const ANA = '15550480001'
const BEN = '15550480002'
const EVE = '15550480003'

describe('notes of chats', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben Silva', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'chats'],
  })
  const chat = `${BEN}@s.whatsapp.net`
  const note = () => ana.done('/chat/notes', { number: BEN })
  const edit = (notes: string) => ana.done('/chat/notes/edit', { number: BEN, notes })
  const becomes = (text: string) => eventually(note, ({ wa_notes }) => wa_notes === text)
  const onPhone = (what: string, body: Json) => world.network('POST', `/phones/${ANA}/${what}`, body)
  /** Notes as the phone has them. */
  const held = async (): Promise<Json[]> =>
    (
      await world.network<{ collection: string; index: string[]; value: Json }[]>('GET', `/phones/${ANA}/app-state`)
    ).flatMap(({ index, value }) =>
      index[0] === 'note_edit' ? [{ id: index[1], ...(value.noteEditAction as Json) }] : [],
    )

  it('are written for all devices, and read back', async () => {
    await receiver.message(await world.write(BEN, ANA, 'hello'))
    assert.deepEqual(await note(), { chat, wa_notes: '', source: 'database' })
    assert.deepEqual(await edit('Prefers mornings ☕'), { chat, wa_notes: 'Prefers mornings ☕', source: 'whatsapp' })
    assert.deepEqual(await note(), { chat, wa_notes: 'Prefers mornings ☕', source: 'database' })
    const [first, ...others] = await eventually(held, (all) => all.length > 0)
    assert.deepEqual(
      [first?.unstructuredContent, first?.deleted, first?.type, others],
      ['Prefers mornings ☕', false, 'UNSTRUCTURED', []],
    )
    assert.ok(receiver.of('chats').some(({ body }) => (body.chat as Json).wa_notes === 'Prefers mornings ☕'))
    await edit('Prefers evenings')
    const second = await eventually(held, ([one]) => one?.unstructuredContent === 'Prefers evenings')
    assert.deepEqual([second.length, second[0]?.id], [1, first?.id])
    const found = await ana.call<{ chats: Json[] }>('POST', '/chat/find', { wa_notes: 'evening' })
    assert.deepEqual(
      found.body.chats.map(({ wa_chatid }) => wa_chatid),
      [chat],
    )
    assert.equal((await edit('')).wa_notes, '')
    await eventually(held, ([one]) => one?.deleted === true)
  })

  it('that the phone writes are stored, one for each chat, and its end of another one changes nothing', async () => {
    await onPhone('notes', { chat: BEN, id: 'A', text: 'from the phone' })
    await becomes('from the phone')
    await onPhone('notes', { chat: BEN, id: 'B', text: '' })
    await onPhone('notes', { chat: EVE, id: 'C', text: 'of a new chat' })
    await ana.chat(`${EVE}@s.whatsapp.net`, ({ wa_notes }) => wa_notes === 'of a new chat')
    assert.equal((await note()).wa_notes, 'from the phone')
    // An edit changes the note of the phone, and makes no second one.
    await edit('from here')
    await eventually(held, (all) => all.some((one) => one.id === 'A' && one.unstructuredContent === 'from here'))
    await onPhone('notes', { chat: BEN, id: 'A' })
    await becomes('')
    // A text that no client takes is kept in part.
    await onPhone('notes', { chat: BEN, id: 'A', text: 'x'.repeat(200_000) })
    await becomes('x'.repeat(10_000))
    await edit('')
  })

  it('are read again on request, in part or from the beginning', async () => {
    await onPhone('notes', { chat: BEN, id: 'D', text: 'to be read' })
    for (const body of [{}, { force: true }]) {
      const answer = await ana.done('/chat/notes/refresh', { number: BEN, ...body })
      assert.deepEqual(answer, { chat, wa_notes: 'to be read', source: 'whatsapp' })
    }
  })

  it('are refused with a reason, and then nothing changes', async () => {
    await edit('stays')
    for (const [path, body, status, code] of [
      ['/chat/notes', {}, 400, 'INVALID_REQUEST'],
      ['/chat/notes', { number: 'x' }, 400, 'INVALID_NUMBER'],
      ['/chat/notes', { number: '15550489999' }, 404, 'CHAT_NOT_FOUND'],
      ['/chat/notes/refresh', { number: '15550489999' }, 404, 'CHAT_NOT_FOUND'],
      ['/chat/notes/refresh', { number: BEN, force: 'perhaps' }, 400, 'INVALID_REQUEST'],
      ['/chat/notes/edit', { number: BEN }, 400, 'INVALID_REQUEST'],
      ['/chat/notes/edit', { number: BEN, notes: 5 }, 400, 'INVALID_REQUEST'],
      ['/chat/notes/edit', { number: BEN, notes: 'x'.repeat(5_001) }, 400, 'INVALID_REQUEST'],
      ['/chat/notes/edit', { number: '15550489999', notes: 'x' }, 404, 'CHAT_NOT_FOUND'],
    ] as const) {
      const answer = await ana.call<Json>('POST', path, body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
    assert.equal((await note()).wa_notes, 'stays')
    const idle = await world.instance('idle')
    const answer = await idle.call<Json>('POST', '/chat/notes/edit', { number: BEN, notes: 'x' })
    assert.deepEqual([answer.status, answer.body.error], [409, 'No session'])
  })
})
