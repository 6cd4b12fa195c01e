import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { ReceivedMessage } from '../../sandbox/phones/records.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { jpeg } from '../support/samples.js'

type Json = Record<string, unknown>

const [ANA, BEN, EVE] = ['15550490001', '15550490002', '15550490003']
const { MESSAGE_EDIT, HD_IMAGE, SD_IMAGE_PARENT } = {
  MESSAGE_EDIT: 14,
  HD_IMAGE: 10,
  SD_IMAGE_PARENT: 'SD_IMAGE_PARENT',
}

describe('a picture or video in high definition', () => {
  let group: string
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
    complete: async () => {
      const body = { owner: BEN, subject: 'Pictures', members: [ANA, EVE] }
      group = (await world.network<{ jid: string }>('POST', '/groups', body)).jid
    },
  })

  const send = async (from: string, to: string, bytes: Buffer, more: Json = {}) => {
    const body = { to, kind: 'image', base64: bytes.toString('base64'), ...more }
    return (await world.network<{ id: string }>('POST', `/phones/${from}/media`, body)).id
  }
  const told = (id: string) => receiver.message(id)
  const find = async (id: string) => (await ana.messages({ id }))[0]
  const updates = (id: string, type: string) =>
    receiver
      .of('messages_update')
      .filter(({ body }) => body.type === type && ((body.event as Json).MessageIDs as string[]).includes(id))
  const updated = (id: string, type: string) =>
    eventually(
      () => updates(id, type),
      ({ length }) => length > 0,
    )
  const findFile = async (id: string) => {
    const { fileURL } = await ana.done<{ fileURL: string }>('/message/download', { id })
    return Buffer.from(await (await fetch(fileURL)).arrayBuffer())
  }
  /** All that the phone wrote before has been taken. */
  const settled = async (from: string, to: string) => void (await told(await world.write(from, to, 'settled')))

  for (const [name, from, to, kind] of [
    ['a person', BEN, () => ANA, 'image'],
    ['a member of a group', BEN, () => group, 'video'],
    ['the own phone', ANA, () => BEN, 'image'],
  ] as const)
    it(`of ${name} is one message, whose small file the large one replaces`, async () => {
      const [small, large] = [randomBytes(2_000), randomBytes(9_000)]
      const id = await send(from, to(), small, { kind, caption: 'a view' })
      const { chatid } = await told(id)
      const unread = async () => Number((await ana.chat(String(chatid))).wa_unreadCount)
      const before = await unread()
      assert.ok((await findFile(id)).equals(small))
      const copy = await send(from, to(), large, { kind, hdOf: id })
      const [update] = await updated(id, 'HighDefinition')
      assert.equal(update?.body.state, 'FileReplaced')
      assert.ok((await findFile(id)).equals(large))
      const record = await find(id)
      assert.deepEqual([record?.messageType, record?.text, record?.edited ?? ''], [kind, 'a view', ''])
      // Once more: nothing changes.
      const again = await send(from, to(), large, { kind, hdOf: id })
      await settled(from, to())
      assert.equal(updates(id, 'HighDefinition').length, 1)
      for (const one of [copy, again]) {
        assert.equal(await find(one), undefined)
        assert.ok(!receiver.of('messages').some(({ body }) => (body.message as Json).messageid === one))
      }
      assert.equal(await unread(), from === ANA ? before : before + 1)
    })

  it('gets the new caption when the copy is edited', async () => {
    const id = await send(BEN, ANA, randomBytes(2_000), { caption: 'before' })
    await told(id)
    const large = randomBytes(9_000)
    const copy = await send(BEN, ANA, large, { hdOf: id })
    await updated(id, 'HighDefinition')
    const remoteJid = `${ANA}@s.whatsapp.net`
    const editedMessage = {
      associatedChildMessage: { message: { imageMessage: { caption: 'after' } } },
      messageContextInfo: {
        messageAssociation: { associationType: HD_IMAGE, parentMessageKey: { id, fromMe: true, remoteJid } },
      },
    }
    const protocolMessage = { type: MESSAGE_EDIT, key: { id: copy, fromMe: true, remoteJid }, editedMessage }
    await world.network('POST', `/phones/${BEN}/message`, { to: ANA, message: { protocolMessage } })
    const edits = await updated(id, 'Edited')
    assert.deepEqual(
      edits.map(({ body }) => (body.event as Json).Text),
      ['after'],
    )
    assert.ok((await findFile(id)).equals(large))
  })

  for (const [form, who, from, to] of [
    ['secret', 'a person', BEN, () => ANA],
    ['secret', 'a member of a group', BEN, () => group],
    ['secret', 'the own phone', ANA, () => BEN],
    ['plain', 'a person', BEN, () => ANA],
  ] as const)
    it(`gets the new caption when a ${form} edit of ${who} names the copy`, async () => {
      const id = await send(from, to(), randomBytes(2_000), { caption: 'before' })
      await told(id)
      const large = randomBytes(9_000)
      const copy = await send(from, to(), large, { hdOf: id })
      await updated(id, 'HighDefinition')
      await world.network('POST', `/phones/${from}/edit`, { id: copy, text: 'after', form })
      const edits = await updated(id, 'Edited')
      assert.deepEqual(
        edits.map(({ body }) => (body.event as Json).Text),
        ['after'],
      )
      const record = await find(id)
      assert.match(String(record?.edited), /after/)
      assert.ok((await findFile(id)).equals(large))
      assert.equal(await find(copy), undefined)
    })

  for (const [name, from, to, kind] of [
    ['a person', BEN, () => ANA, 'video'],
    ['a member of a group', BEN, () => group, 'image'],
    ['the own phone', ANA, () => BEN, 'image'],
  ] as const)
    it(`of ${name} is one message when the large file comes first, across a kill too`, async () => {
      for (const isKilled of [false, true]) {
        const [small, large] = [randomBytes(2_000), randomBytes(9_000)]
        const id = `FIRST${from}${kind}${to().length}${isKilled}`
        const copy = await send(from, to(), large, { kind, hdOf: id })
        if (isKilled) {
          await settled(from, to())
          await world.gateway.kill('SIGKILL')
          await world.gateway.start()
          await ana.connected()
        }
        await send(from, to(), small, { kind, id, caption: 'a view' })
        await told(id)
        await updated(id, 'HighDefinition')
        assert.ok((await findFile(id)).equals(large))
        assert.equal((await find(id))?.text, 'a view')
        await settled(from, to())
        assert.equal(await find(copy), undefined)
        assert.ok(!receiver.of('messages').some(({ body }) => (body.message as Json).messageid === copy))
        await world.network('POST', `/phones/${from}/edit`, { id: copy, text: 'after' })
        const edits = await updated(id, 'Edited')
        assert.deepEqual(
          edits.map(({ body }) => (body.event as Json).Text),
          ['after'],
        )
      }
    })

  /** Sends an image through the gateway. */
  const sendHd = async (number: string, file: Buffer, more: Json = {}) => {
    const body = { number, type: 'image', file: file.toString('base64'), hd: true, ...more }
    return await ana.done<Json & { messageid: string; warnings?: string[] }>('/send/media', body)
  }
  const shown = async (phone: string, id: string) => {
    const path = `/phones/${phone}/messages?id=${id}`
    return (await world.network<(ReceivedMessage & { hd?: string })[]>('GET', path))[0]
  }
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const hasBoth = (phone: string, id: string) =>
    eventually(
      () => shown(phone, id),
      (message) => message?.hd !== undefined,
    )

  for (const [name, to, more] of [
    ['a person', () => BEN, {}],
    ['a group', () => group, {}],
    ['a person by the queue', () => BEN, { async: true }],
  ] as const)
    it(`is sent to ${name} as phones send it: a small copy, and the file as it is, which replaces that`, async () => {
      const file = await jpeg(2_400, 1_200)
      const thumbnail = (await jpeg(90, 60)).toString('base64')
      const sent = await sendHd(to(), file, { text: 'a wide view', thumbnail, ...more })
      const { messageid: id } = sent
      assert.deepEqual(sent.warnings ?? [], [])
      for (const phone of [BEN, ANA]) {
        const message = await hasBoth(phone, id)
        const [media] = message?.media ?? []
        assert.deepEqual([media?.sha256, media?.width, media?.error], [sha256(file), 2_400, null], phone)
        const { width, height, contextInfo } = message?.message.imageMessage ?? {}
        assert.deepEqual([width, height, contextInfo?.pairedMediaType], [1_600, 800, SD_IMAGE_PARENT])
        assert.equal(message?.text, 'a wide view')
        const copy = await shown(phone, message?.hd ?? '')
        const { mimetype, jpegThumbnail } = copy?.message.associatedChildMessage?.message?.imageMessage ?? {}
        assert.equal(mimetype, 'image/jpeg')
        // The caller's own small picture is in both.
        assert.deepEqual(message?.message.imageMessage?.jpegThumbnail, jpegThumbnail)
        assert.equal(copy?.hidden, true)
        assert.equal(await find(message?.hd ?? ''), undefined)
      }
      const [update] = await updated(id, 'HighDefinition')
      assert.equal((update?.body.event as Json | undefined)?.IsFromMe, true)
      const record = await find(id)
      assert.deepEqual([(record?.content as Json | undefined)?.width, record?.edited ?? ''], [2_400, ''])
      assert.ok((await findFile(id)).equals(file))
    })

  it('is sent in one copy, with a warning, where there is no second', async () => {
    const large = await jpeg(1_700, 20)
    for (const [file, more, warning] of [
      [await jpeg(1_600, 20), {}, /^hd: no side of the image has more than 1,600 pixels/],
      [large, { viewOnce: true }, /^hd: an image to be seen once has one copy/],
      [large, { type: 'document' }, /^hd: a message of type document cannot carry it/],
    ] as const) {
      const { messageid, warnings = [] } = await sendHd(BEN, file, more)
      assert.equal(warnings.length, 1, String(warnings))
      assert.match(String(warnings[0]), warning)
      const message = await eventually(
        () => shown(BEN, messageid),
        (found) => found !== undefined,
      )
      assert.equal(message?.media[0]?.sha256, sha256(file))
      assert.equal(message?.hd, undefined)
    }
  })

  it('is not followed by the large copy when the small one is refused, and stays small when the copy is', async () => {
    const file = await jpeg(2_000, 20)
    const fault = { kind: 'ack-error', phone: ANA, recipient: BEN, code: 479 }
    const body = { number: BEN, type: 'image', file: file.toString('base64'), hd: true }
    const refuse = async (skips: number) => {
      const { id } = await world.network<{ id: number }>('POST', '/faults', { ...fault, skips })
      const answer = await ana.call<Json & { messageid: string; warnings?: string[] }>('POST', '/send/media', body)
      const { rules } = await world.network<{ rules: { id: number; applied: number }[] }>('GET', '/faults')
      const applied = rules.find((rule) => rule.id === id)?.applied
      await world.network('DELETE', `/faults/${id}`)
      return { ...answer, applied }
    }
    const none = await refuse(0)
    assert.deepEqual([none.status >= 400, none.applied], [true, 1])
    const small = await refuse(1)
    assert.equal(small.status, 200)
    assert.match(String(small.body.warnings?.[0]), /^hd: the large copy was not sent: .*479/)
    assert.notEqual((await find(small.body.messageid))?.status, 'failed')
    assert.equal(updates(small.body.messageid, 'HighDefinition').length, 0)
    assert.ok(!(await findFile(small.body.messageid)).equals(file))
  })

  it('is a message of its own if the first one is missing, or belongs to another person', async () => {
    const large = randomBytes(9_000)
    const alone = await told(await send(BEN, ANA, large, { hdOf: 'MISSING' }))
    assert.deepEqual([alone.messageType, (await findFile(String(alone.messageid))).equals(large)], ['image', true])
    const small = randomBytes(2_000)
    const id = await send(BEN, group, small)
    await told(id)
    const foreign = await told(await send(EVE, group, large, { hdOf: id }))
    assert.equal(foreign.messageType, 'image')
    assert.equal(updates(id, 'HighDefinition').length, 0)
    assert.ok((await findFile(id)).equals(small))
    // A picture of an album stands beside it, as before.
    const message = { associatedChildMessage: { message: { conversation: 'in an album' } } }
    const { id: child } = await world.network<{ id: string }>('POST', `/phones/${BEN}/message`, { to: ANA, message })
    assert.equal((await told(child)).text, 'in an album')
  })
})
