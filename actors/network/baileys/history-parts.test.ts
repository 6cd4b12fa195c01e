import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { deflateSync, inflate } from 'node:zlib'
import { proto } from '@whiskeysockets/baileys'
import { pino } from 'pino'
import type { InstanceId, MessageId } from '../../../schemas/ids.js'
import { eventually } from '../../../test/support/eventually.js'
import type { Change, InstanceJournal } from '../../instance/ports.js'
import { findHistoryPart, HistoryParts, type Part } from './history-parts.js'
import { HISTORY_LIMITS, UnusablePart, unpackHistory } from './history-size.js'
import type { MessageEnvelope } from './incoming.js'

const { HistorySyncType } = proto.HistorySync
const envelope = {
  id: 'H1' as MessageId,
  chat: '5511999990001@s.whatsapp.net',
  fromMe: true,
  sender: '5511999990001@s.whatsapp.net',
  timestampSeconds: 1_700_000_000,
  isPeer: true,
} as unknown as MessageEnvelope

function announcement(syncType = HistorySyncType.RECENT): proto.IMessage {
  const content = { syncType, conversations: [{ id: '5511999990002@s.whatsapp.net', messages: [] }] }
  return makeAnnouncement(proto.HistorySync.encode(content).finish(), syncType)
}

function makeAnnouncement(content: Uint8Array, syncType = HistorySyncType.RECENT): proto.IMessage {
  const initialHistBootstrapInlinePayload = deflateSync(content)
  return {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: { syncType: syncType as never, initialHistBootstrapInlinePayload },
    },
  }
}

function scene() {
  const rows = new Map<string, Uint8Array>()
  const stored: { chats: string[]; isAgain: boolean }[] = []
  const state = { isLive: true, store: async (): Promise<void> => {} }
  const journal = {
    async write(changes: readonly Change[]) {
      for (const change of changes)
        for (const { id, value } of change.type === 'keys' ? change.entries : []) {
          if (value === null) rows.delete(id)
          else rows.set(id, typeof value === 'function' ? value() : value)
        }
      return { messages: new Map() }
    },
  } as unknown as InstanceJournal
  const connection = () => {
    const parts = new HistoryParts({
      instance: 'i' as InstanceId,
      journal,
      reader: {
        keys: async () => rows,
        keyPage: async (_instance, _kind, after) => (after === '' ? rows : new Map()),
      },
      logger: pino({ level: 'silent' }),
      live: () =>
        state.isLive
          ? ({
              socket: { authState: { keys: {} }, signalRepository: { lidMapping: { getLIDForPN: async () => null } } },
              credentials: { me: { id: '5511999990001:7@s.whatsapp.net' } },
            } as never)
          : undefined,
      store: async ({ chats }, isAgain) => {
        await state.store()
        stored.push({ chats: chats.map(({ id }) => id ?? ''), isAgain })
      },
    })
    return parts
  }
  return { rows, stored, state, connection }
}

describe('a part of the history', () => {
  it('is noted at once, stored once, and not stored again by the next connection', async () => {
    const { rows, stored, connection } = scene()
    const part = findHistoryPart(envelope, announcement())
    assert.ok(part !== null)
    const parts = connection()
    parts.take(part)
    assert.equal(rows.size, 1)
    await parts.idle()
    assert.deepEqual(stored, [{ chats: ['5511999990002@s.whatsapp.net'], isAgain: false }])
    const next = connection()
    next.resume()
    await next.idle()
    assert.equal(stored.length, 1)
    assert.deepEqual(await parts.recall('H1'), part.hollow)
  })

  it('is stored by the next connection if the former one has only noted it', async () => {
    const { stored, state, connection } = scene()
    const part = findHistoryPart(envelope, announcement())
    assert.ok(part !== null)
    state.store = async () => {
      state.isLive = false
      throw new Error('The connection is closed.')
    }
    const former = connection()
    former.take(part)
    await former.idle()
    assert.deepEqual(stored, [])
    state.isLive = true
    state.store = async () => {}
    const next = connection()
    next.resume()
    await next.idle()
    assert.deepEqual(stored, [{ chats: ['5511999990002@s.whatsapp.net'], isAgain: true }])
  })

  it('is stored by the same connection after a failure', async () => {
    const { stored, state, connection } = scene()
    const part = findHistoryPart(envelope, announcement())
    assert.ok(part !== null)
    state.store = async () => {
      throw new Error('The store is away.')
    }
    const parts = connection()
    parts.take(part)
    await parts.idle()
    assert.deepEqual(stored, [])
    state.store = async () => {}
    await eventually(() => stored.length > 0)
    assert.deepEqual(stored, [{ chats: ['5511999990002@s.whatsapp.net'], isAgain: true }])
  })

  it('is given up when it cannot be read for days, but not because a clock is wrong', async () => {
    const { rows, stored, state, connection } = scene()
    const whole = findHistoryPart(envelope, announcement())
    assert.ok(whole !== null)
    const old: Part = { ...whole, notedAtMs: Date.now() - 20 * 86_400_000 }
    state.store = async () => {
      throw new Error('It is away.')
    }
    const [former, next] = [connection(), connection()]
    former.take(old)
    await former.idle()
    assert.equal(rows.size, 1)
    state.store = async () => {}
    next.resume()
    await next.idle()
    assert.equal(stored.length, 1)

    state.store = async () => {
      throw new Error('It is away.')
    }
    former.take({ ...old, id: 'H2' })
    await former.idle()
    rows.delete('H1')
    next.resume()
    await next.idle()
    assert.deepEqual([stored.length, rows.size], [1, 0])
  })

  it('is refused for good if it is too large or malformed, and the next one is stored', async () => {
    const { rows, stored, connection } = scene()
    const parts = connection()
    const empty = Buffer.alloc(4 * 2 ** 20)
    for (let at = 0; at < empty.length; at += 2) empty[at] = 0x12
    const texts = [Buffer.alloc(70 * 2 ** 20), empty, Buffer.from([0x12, 0x7f, 1])]
    for (const [index, bytes] of texts.entries()) {
      const part = findHistoryPart({ ...envelope, id: `B${index}` } as never, makeAnnouncement(bytes))
      assert.ok(part !== null)
      parts.take(part)
    }
    const part = findHistoryPart(envelope, announcement())
    assert.ok(part !== null)
    parts.take(part)
    await parts.idle()
    assert.deepEqual(stored, [{ chats: ['5511999990002@s.whatsapp.net'], isAgain: false }])
    assert.equal(rows.size, 4)
    for (const bytes of rows.values()) assert.ok(bytes.length < 2_000, 'its content is not kept')
  })

  it('is within the limits if it is as long as phones make them', async () => {
    const messages = Array.from({ length: 5_000 }, (_, index) => ({
      message: {
        key: { remoteJid: '5511999990002@s.whatsapp.net', id: `ID${index}`, fromMe: index % 2 === 0 },
        message: { imageMessage: { caption: 'a picture '.repeat(20), jpegThumbnail: randomBytes(1_500) } },
        messageTimestamp: 1_700_000_000 + index,
      },
    }))
    const content = { syncType: HistorySyncType.RECENT, conversations: [{ id: 'a', messages }] }
    const bytes = proto.HistorySync.encode(content as never).finish()
    const packed = deflateSync(bytes)
    const taken = await unpackHistory([packed], HISTORY_LIMITS)
    assert.ok(Buffer.from(bytes).equals(taken))
    await assert.rejects(unpackHistory([packed], { ...HISTORY_LIMITS, packedBytesMax: 1_000 }), UnusablePart)
  })

  it('reaches the library without its content', async () => {
    const part = findHistoryPart(envelope, announcement())
    const { protocolMessage } = proto.Message.decode(part?.hollow ?? new Uint8Array())
    const { historySyncNotification: notification } = protocolMessage ?? {}
    assert.equal(Number(notification?.syncType), HistorySyncType.RECENT)
    const payload = await promisify(inflate)(notification?.initialHistBootstrapInlinePayload ?? new Uint8Array())
    assert.deepEqual(proto.HistorySync.decode(payload).conversations, [])
  })

  it('is accepted from the own phone only, and not if it is a full history', () => {
    assert.equal(findHistoryPart({ ...envelope, fromMe: false }, announcement()), null)
    assert.equal(findHistoryPart(envelope, announcement(HistorySyncType.FULL)), null)
    assert.equal(findHistoryPart(envelope, { conversation: 'a text' }), null)
  })
})
