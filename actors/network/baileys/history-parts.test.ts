import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { deflateSync, inflate } from 'node:zlib'
import { proto } from '@whiskeysockets/baileys'
import { pino } from 'pino'
import type { InstanceId, MessageId } from '../../../schemas/ids.js'
import type { Change, InstanceJournal } from '../../instance/ports.js'
import { HistoryParts, partIn } from './history-parts.js'
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
  const initialHistBootstrapInlinePayload = deflateSync(proto.HistorySync.encode(content).finish())
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
  it('is noted at once, stored, and not stored again by the next connection', async () => {
    const { rows, stored, connection } = scene()
    const part = partIn(envelope, announcement())
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

  it('that a former connection has noted and not stored is stored by the next one', async () => {
    const { stored, state, connection } = scene()
    const part = partIn(envelope, announcement())
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

  it('reaches the library without its content', async () => {
    const part = partIn(envelope, announcement())
    const { protocolMessage } = proto.Message.decode(part?.hollow ?? new Uint8Array())
    const { historySyncNotification: notification } = protocolMessage ?? {}
    assert.equal(Number(notification?.syncType), HistorySyncType.RECENT)
    const payload = await promisify(inflate)(notification?.initialHistBootstrapInlinePayload ?? new Uint8Array())
    assert.deepEqual(proto.HistorySync.decode(payload).conversations, [])
  })

  it('is taken from the own phone only, and not when it is the whole of years', () => {
    assert.equal(partIn({ ...envelope, fromMe: false }, announcement()), null)
    assert.equal(partIn(envelope, announcement(HistorySyncType.FULL)), null)
    assert.equal(partIn(envelope, { conversation: 'a text' }), null)
  })
})
