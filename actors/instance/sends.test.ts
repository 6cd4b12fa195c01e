import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { Connection } from '../network/port.js'
import type { InstanceJournal, InstanceReader } from './ports.js'
import { Sends } from './sends.js'

it('a send whose row is refused ends the connection before its frame is made, however long that takes', async () => {
  const happened: string[] = []
  let finishRelay = (): void => {}
  const connection = {
    composeText: async () => ({ native: {}, proto: new Uint8Array(), content: null }),
    relay: () =>
      new Promise<void>((resolve) => {
        finishRelay = resolve
      }),
    destroy: (cause: string) => {
      happened.push(`destroyed: ${cause}`)
      finishRelay()
    },
  } as unknown as Connection
  const journal = {
    write: async () => {
      throw new GatewayError('STORE_UNAVAILABLE')
    },
  } as unknown as InstanceJournal
  const reader = { chat: async () => null, mapping: async () => '100@lid' } as unknown as InstanceReader
  const sends = new Sends({
    instance: 'i1' as InstanceId,
    journal,
    reader,
    timing: {
      ackTimeoutMs: 1,
      parkTimeoutMs: 1_000,
      sendMaxAgeMs: 1_000,
      pacingMinMs: 0,
      pacingMaxMs: 0,
      queueMax: 1,
    },
    knownChats: new LRUCache({ max: 1 }),
    logger: pino({ level: 'silent' }),
    random: Math.random,
    connection: async () => connection,
    own: () => null,
    showTyping: () => {},
    endTyping: () => {},
    markRead: async () => {},
    queued: () => {},
  })

  await assert.rejects(
    sends.sendText({
      type: 'sendText',
      messageid: '3EB0' as MessageId,
      number: '15550001111',
      text: 'refused',
      options: {},
    } as Parameters<Sends['sendText']>[0]),
    (error: unknown) => error instanceof GatewayError && error.code === 'STORE_UNAVAILABLE',
  )
  assert.deepEqual(happened, ['destroyed: storeFailed'])
})
