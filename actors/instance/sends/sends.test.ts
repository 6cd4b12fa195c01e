import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId, Jid, MessageId } from '../../../schemas/ids.js'
import { createMessageIds } from '../../../schemas/message-id.js'
import type { SendCommand } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { eventually } from '../../../test/support/eventually.js'
import type { Connection } from '../../network/port/connection.js'
import type { InstanceReader } from '../instance-reader.js'
import type { Change, InstanceJournal } from '../ports.js'
import type { PacerOfSends, Session } from './context.js'
import { refusalSentence, sendRefused } from './refusals.js'
import { Sends } from './sends.js'

type Relay = Connection['messages']['relay']

/** Wait of a caller that a slow machine does not exceed before it is over, and one that it never does. */
const [WAIT_MS, LONG_MS] = [600, 60_000]

interface Scene {
  readonly sends: Sends
  /** Rows with status `pending`. */
  readonly pending: MessageForActor[]
  readonly written: Change[]
  /** From now on a connection is open; what is sent over it goes to `relay`. */
  open(relay: Relay): void
  text(id: string, more?: Partial<SendCommand>): ReturnType<Sends['send']>
}

function scene(
  given: Partial<InstanceReader & InstanceJournal> = {},
  destroyed: (cause: string) => void = () => {},
  ackTimeoutMs = 1,
  composed: unknown[] = [],
): Scene {
  const pending: MessageForActor[] = []
  const written: Change[] = []
  let connection: Connection | undefined
  const waiting: ((connection: Connection) => void)[] = []
  const journal = {
    settled: () => undefined,
    async write(changes: readonly Change[]) {
      written.push(...changes)
      for (const change of changes) if (change.type === 'message') pending.push(makeRow(change.message.messageid))
      return { messages: new Map() }
    },
    ...given,
  } as unknown as InstanceJournal
  const reader = {
    chat: async () => null,
    mapping: async () => '100@lid',
    sendTarget: async () => ({ other: '100@lid', expirationSeconds: 0 }),
    expirationSeconds: async () => 0,
    owner: async () => null,
    queuedSends: async () => [],
    delayedSends: async () => [],
    keyPage: async () => new Map(),
    pendingSends: async () => [...pending],
    messagesById: async (_: InstanceId, ids: readonly string[]) =>
      pending
        .filter(({ messageid }) => ids.includes(messageid))
        .map((row) => ({ ...row, fromMe: true, status: 'pending', record: { status: 'pending' } })),
    scheduledSends: async () => [],
    scheduledByIdempotencyKey: async () => null,
    awaitsReplies: async () => false,
    ...given,
  } as unknown as InstanceReader
  const sends = new Sends({
    id: 'i1' as InstanceId,
    life: 'i1@1',
    journal,
    reader,
    files: { read: () => Readable.from([]), release: async () => {} },
    timing: {
      ackTimeoutMs,
      presenceMaxMs: 300_000,
      parkTimeoutMs: 5_000,
      sendMaxAgeMs: 60_000,
      pacingMinMs: 0,
      pacingMaxMs: 0,
      scheduledPacingMinMs: 0,
      scheduledPacingMaxMs: 0,
      queueMax: 1,
      scheduleMax: 1,
      numberChecks: { perDay: 0, perMinute: 0 },
    },
    resolvedChats: new LRUCache({ max: 10 }),
    logger: pino({ level: 'silent' }),
    random: Math.random,
    messageIds: createMessageIds(Buffer.alloc(32)),
    connection: async (waitMs) => {
      if (connection !== undefined) return connection
      if (waitMs === 0) throw new GatewayError('INSTANCE_MOVING')
      return await new Promise<Connection>((resolve) => waiting.push(resolve))
    },
    account: { own: null, profileName: null },
    session: {
      get isConnected() {
        return connection !== undefined
      },
      assertActive: () => {},
    } as Session,
    presences: { start: () => {}, pause: () => {}, cancel: () => {} },
    wakeQueue: () => {},
    wakeDueIn: () => {},
    pacer: unpaced,
    count: () => {},
  })
  return {
    sends,
    pending,
    written,
    open(relay) {
      const opened = {
        messages: {
          compose: async (_to: unknown, input: unknown) => {
            composed.push(input)
            return { native: {}, proto: new Uint8Array(), content: null, text: '' }
          },
          isSettled: async () => true,
          recall: () => ({ native: {}, proto: new Uint8Array(), content: null }),
          relay,
        },
        destroy: destroyed,
      } as unknown as Connection
      connection = opened
      for (const resolve of waiting.splice(0)) resolve(opened)
      sends.opened()
    },
    text: (id, more = {}) =>
      sends.send({
        type: 'send',
        messageid: id as MessageId,
        number: '15550001111',
        content: { kind: 'text', text: 'a text' },
        options: {},
        ...more,
      }),
  }
}

/** Lets every send leave at once. */
const unpaced = {
  decide: async () => ({ now: true }),
  asksForNewChats: async () => false,
  taken: () => [],
  pauseMs: () => 0,
  meanIntervalMs: async () => 0,
  nowMs: async () => 0,
  outlook: async () => ({ nowMs: 0, inUseSinceMs: 0, sendsPerMinute: 0, restUntilMs: null, newChats: null }),
  direct: () => {},
  noteParked: () => {},
  idle: () => {},
  accepted: () => {},
  restedMs: 0,
} as unknown as PacerOfSends

function makeRow(messageid: MessageId): MessageForActor {
  return {
    messageid,
    chat: { pn: '15550001111@s.whatsapp.net' as Jid, lid: '100@lid' as Jid },
    messageTimestampMs: Date.now(),
    waitsSinceMs: performance.now(),
    proto: new Uint8Array(),
  } as unknown as MessageForActor
}

function makeQueuedRow(messageid: string, number: string): MessageForActor {
  return {
    ...makeRow(messageid as MessageId),
    chat: { pn: `${number}@s.whatsapp.net` as Jid },
    proto: null,
    queuedRequest: { type: 'send', messageid, number, content: { kind: 'text', text: 'a' }, options: {} },
  }
}

it('a send whose row is refused ends the connection before its frame is made, however long that takes', async () => {
  const happened: string[] = []
  let finishRelay = (): void => {}
  const { open, text } = scene(
    {
      write: async () => {
        throw new GatewayError('STORE_UNAVAILABLE')
      },
    },
    (cause) => {
      happened.push(`destroyed: ${cause}`)
      finishRelay()
    },
  )
  open(
    () =>
      new Promise<void>((resolve) => {
        finishRelay = resolve
      }),
  )
  await assert.rejects(
    text('3EB0'),
    (error: unknown) => error instanceof GatewayError && error.code === 'STORE_UNAVAILABLE',
  )
  assert.deepEqual(happened, ['destroyed: storeFailed'])
})

describe('a send that was asked before', () => {
  const asked = (status: string | null, more: Partial<SendCommand> = {}) => {
    const relayed: string[] = []
    const record = { status, ...(status === 'failed' ? { error: 'Refused.', provider_code: 463 } : {}) }
    const row = { ...makeRow('3EB0' as MessageId), fromMe: true, status, record } as unknown as MessageForActor
    const reads = {
      messagesById: async () => (status === null ? [] : [{ ...row, fromMe: false }, row]),
      pendingSends: async () => (status === 'pending' ? [row] : []),
    }
    const made = scene(reads, () => {}, status === 'pending' ? 5_000 : 1)
    made.open(async (id) => void relayed.push(id))
    return { ...made, relayed, answer: made.text('3EB0', { isRepeat: true, ...more }) }
  }

  it('and has no row is sent', async () => {
    const { relayed, answer } = asked(null)
    await answer
    assert.deepEqual(relayed, ['3EB0'])
  })

  it('and is pending is relayed again once, as every pending row, and its caller hears what the network says of that', async () => {
    const { relayed, sends, answer } = asked('pending')
    await pause(5)
    sends.acknowledged('3EB0' as MessageId, null)
    assert.equal((await answer).record.status, 'sent')
    assert.deepEqual(relayed, ['3EB0'])
  })

  it('reports a refusal by the network', async () => {
    const { sends, answer } = asked('pending')
    const failing = assert.rejects(answer, { code: 'SEND_REFUSED' })
    await pause(5)
    sends.acknowledged('3EB0' as MessageId, 463)
    await failing
  })

  it('and was sent, queued or refused is answered by its row', async () => {
    assert.equal((await asked('sent').answer).record.status, 'sent')
    assert.equal((await asked('queued', { options: { async: true } }).answer).record.status, 'queued')
    const { relayed, answer } = asked('failed')
    await assert.rejects(answer, {
      code: 'SEND_REFUSED',
      message: 'Refused.',
      fields: { messageid: '3EB0', error_source: 'whatsapp_server', provider: 'whatsapp', provider_code: 463 },
    })
    assert.deepEqual(relayed, [])
  })
})

describe('a refusal of the network', () => {
  it('is explained in two languages when its meaning is known, and only then', () => {
    const listFields = (code: number) => sendRefused('3EB0' as MessageId, code, refusalSentence(code)).fields
    const { error_key, message_ptbr, provider_message, retryAfter } = listFields(429)
    assert.deepEqual([error_key, retryAfter], ['WHATSAPP_RATE_LIMIT', undefined])
    assert.match(String(message_ptbr), /muitos em pouco tempo/)
    assert.match(String(provider_message), /429/)
    assert.equal(listFields(479).error_key, 'WHATSAPP_SMAX_INVALID')
    for (const code of [400, 420, 500]) assert.equal(listFields(code).error_key, undefined)
  })

  const refusedSend = async (write: (changes: readonly Change[]) => Promise<unknown>) => {
    const made = scene({ write: write as InstanceJournal['write'] }, () => {}, 5_000)
    made.open(async () => {})
    const answer = made.text('3EB0')
    answer.catch(() => {})
    await pause(5)
    made.sends.acknowledged('3EB0' as MessageId, 420)
    return answer
  }
  const isUpdate = (changes: readonly Change[]) => changes.some(({ type }) => type === 'message.update')

  it('is answered when it is durable', async () => {
    let finish = (): void => {}
    let isStored = false
    const answer = refusedSend(async (changes) => {
      if (isUpdate(changes)) await new Promise<void>((resolve) => (finish = resolve))
      return { messages: new Map() }
    })
    const refused = assert.rejects(answer, (error: GatewayError) => isStored && error.fields.provider_code === 420)
    await pause(20)
    isStored = true
    finish()
    await refused
  })

  it('is pending when it cannot be stored: the next connection sends the message again', async () => {
    const answer = await refusedSend(async (changes) => {
      if (isUpdate(changes)) throw new GatewayError('STORE_UNAVAILABLE')
      return { messages: new Map() }
    })
    assert.equal(answer.record.status, 'pending')
  })
})

it("ends the connection when the network's answer cannot be stored, so that the next one sends the message again", async () => {
  const destroyed: string[] = []
  let isAway = true
  const { open, text, sends } = scene(
    {
      write: async (changes) => {
        if (isAway && changes.some(({ type }) => type === 'message.update')) throw new GatewayError('STORE_UNAVAILABLE')
        return { messages: new Map() }
      },
      pendingSends: async () => (isAway ? [] : [makeRow('3EB0' as MessageId)]),
    },
    (cause) => destroyed.push(cause),
    5_000,
  )
  open(async () => {})
  const answer = text('3EB0')
  await pause(5)
  sends.acknowledged('3EB0' as MessageId, null)
  assert.equal((await answer).record.status, 'sent')
  await pause(5)
  assert.deepEqual(destroyed, ['storeFailed'])
  isAway = false
  const relayed: string[] = []
  open(async (id) => void relayed.push(id))
  await pause(5)
  assert.deepEqual(relayed, ['3EB0'])
})

it('sends waiting messages until their maximum age by the clock of PostgreSQL, regardless of the clocks of nodes', async (t) => {
  // Accepted by a node whose clock is a day ahead of ours, and handed over by one whose clock is a day behind.
  const [young, old] = [makeRow('YOUNG' as MessageId), { ...makeRow('OLD' as MessageId), fromMe: true }]
  const rows = [
    { ...young, messageTimestampMs: Date.now() - 86_400_000 },
    { ...old, messageTimestampMs: Date.now() + 86_400_000, waitsSinceMs: performance.now() - 61_000 },
  ] as unknown as MessageForActor[]
  const queuedRequest = { type: 'send', number: '15550001111', content: { kind: 'text', text: 'a' }, options: {} }
  const queued = [
    { ...rows[0], messageid: 'QUEUED', queuedRequest: { ...queuedRequest, messageid: 'QUEUED' } },
    { ...rows[1], messageid: 'QUEUED-OLD', queuedRequest: { ...queuedRequest, messageid: 'QUEUED-OLD' } },
  ] as unknown as MessageForActor[]
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + 2 * 86_400_000)
  const { open, sends, written } = scene({ pendingSends: async () => rows, queuedSends: async () => queued.splice(0) })
  const relayed: string[] = []
  open(async (id) => void relayed.push(id))
  await sends.runQueue()
  await pause(5)
  assert.deepEqual(relayed.toSorted(), ['QUEUED', 'YOUNG'])
  const failed = written.flatMap((change) =>
    change.type === 'message.update' && change.set.status === 'failed' ? change.messageids : [],
  )
  assert.deepEqual(failed.toSorted(), ['OLD', 'QUEUED-OLD'])
})

it('queued messages keep their order when the store ends a connection while the first of them leaves', async () => {
  const relayed: string[] = []
  const queued = [makeQueuedRow('FIRST', '15550001111'), makeQueuedRow('SECOND', '15550001111')]
  let failures = 1
  const { open, sends } = scene({
    queuedSends: async () => queued.filter(({ messageid }) => !relayed.includes(messageid)),
    sendTarget: async () => {
      failures -= 1
      if (failures >= 0) throw Object.assign(new Error('terminating connection'), { code: '57P01' })
      return { other: '100@lid' as Jid, expirationSeconds: 0 }
    },
  })
  open(async (id) => void relayed.push(id))
  await eventually(() => failures < 1)
  await sends.runQueue()
  await eventually(() => relayed.length === 2)
  assert.deepEqual(relayed, ['FIRST', 'SECOND'])
})

for (const [error, isFailed] of [
  [new TypeError('x is not a function'), true],
  // Of the media storage or the network.
  [new Error('Service Unavailable'), false],
] as const)
  it(`a queued message that meets a ${error.name} again and again holds back no other, and ${isFailed ? 'fails' : 'stays queued'}`, async () => {
    const relayed: string[] = []
    const queued = [makeQueuedRow('WRONG', '15550001111'), makeQueuedRow('RIGHT', '15550002222')]
    const failed = () =>
      written.flatMap((change) =>
        change.type === 'message.update' && change.set.status === 'failed'
          ? [[change.messageids, change.set.error]]
          : [],
      )
    let tries = 0
    const { open, sends, written } = scene({
      queuedSends: async () =>
        queued.filter(
          ({ messageid }) => !relayed.includes(messageid) && !(messageid === 'WRONG' && failed().length > 0),
        ),
      sendTarget: async (_, one) => {
        if (one !== queued[0]?.chat.pn) return { other: '100@lid' as Jid, expirationSeconds: 0 }
        tries += 1
        if (tries === 20) sends.stop()
        throw error
      },
    })
    open(async (id) => void relayed.push(id))
    await eventually(() => failed().length > 0 || tries >= 20)
    assert.deepEqual(relayed, ['RIGHT'])
    assert.deepEqual(
      failed(),
      isFailed
        ? [[['WRONG'], 'A bug in the gateway; its log has the error. The message was not handed to WhatsApp.']]
        : [],
    )
  })

it('a message that the store keeps from being handed over is not failed: the connection ends, and the next one sends it', async () => {
  const destroyed: string[] = []
  const { open, text, written } = scene({}, (cause) => destroyed.push(cause), 1)
  open(async () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  assert.equal((await text('AWAY')).record.status, 'pending')
  await eventually(() => destroyed.length > 0)
  assert.ok(written.every((change) => change.type !== 'message.update' || change.set.status !== 'failed'))
})

it('a text that an older version queued is sent with all that was asked of it', async () => {
  const composed: unknown[] = []
  const queuedRequest = {
    type: 'sendText',
    messageid: 'OLD',
    number: '15550001111',
    text: 'an old text',
    linkPreview: { url: 'https://a.example/', title: 'A' },
    options: { forward: true, async: false },
  }
  const rows = [{ ...makeRow('OLD' as MessageId), proto: null, queuedRequest }]
  const relayed: string[] = []
  const { open, sends } = scene({ queuedSends: async () => rows.splice(0) }, () => {}, 1, composed)
  open(async (id) => void relayed.push(id))
  await sends.runQueue()
  await pause(5)
  assert.deepEqual(relayed, ['OLD'])
  assert.deepEqual(composed, [
    {
      content: { kind: 'text', text: 'an old text', linkPreview: { url: 'https://a.example/', title: 'A' } },
      forwarded: true,
    },
  ])
})

it('sends waiting messages after those that the former connection may not have sent, however slowly these are read', async () => {
  const relayed: string[] = []
  const former = makeRow('FORMER' as MessageId)
  const reading = {
    pendingSends: async () => {
      await pause(50)
      return [former]
    },
  }
  const { open, text } = scene(reading, () => {}, WAIT_MS)
  const sending = text('NEW')
  await pause(5)
  open(async (id) => void relayed.push(id))
  await sending
  assert.deepEqual(relayed, ['FORMER', 'NEW'])
})

it('sends waiting messages after those that the former connection may not have sent, even if these cannot be read at once', async () => {
  let failures = 3
  const destroyed: string[] = []
  const { sends, text, open, pending } = scene(
    {
      pendingSends: async () => {
        failures -= 1
        if (failures >= 0) throw new Error('terminating connection due to administrator command')
        return [makeRow('OLD' as MessageId)]
      },
    },
    (cause) => destroyed.push(cause),
    LONG_MS,
  )
  pending.push(makeRow('OLD' as MessageId))
  const relayed: string[] = []
  const sent = text('NEW')
  open(async (messageid) => {
    relayed.push(messageid)
    sends.acknowledged(messageid, null)
  })
  await sent
  assert.deepEqual([relayed, destroyed], [['OLD', 'NEW'], []])

  failures = Number.POSITIVE_INFINITY
  open(async () => {})
  for (let waited = 0; destroyed.length === 0 && waited < 200; waited += 1) await pause(50)
  assert.deepEqual(destroyed, ['storeFailed'], 'the next connection reads it')
})

it('a message whose connection is replaced while it is handed over goes over the new one, before the next of its chat', async () => {
  const relayed: string[] = []
  let fail = (): void => {}
  let isMissed = true
  const reading = {
    pendingSends: async (): Promise<MessageForActor[]> => {
      const rows = isMissed ? [] : [...pending]
      isMissed = false
      return rows
    },
  }
  const { open, text, pending } = scene(reading, () => {}, WAIT_MS)
  open(() => new Promise((_, reject) => (fail = () => reject(new Error('The connection is closed.')))))
  const [first, second] = [text('FIRST'), text('SECOND')]
  await pause(20)
  // The reading that this begins does not see the row of the first one.
  isMissed = true
  open(async (id) => void relayed.push(id))
  await pause(20)
  fail()
  assert.equal((await first).record.status, 'pending')
  await second
  assert.deepEqual(relayed, ['FIRST', 'SECOND'])
})

it('a message that cannot be handed over is tried again over the same connection, and then failed with the reason', async () => {
  const relayed: string[] = []
  const { sends, open, text, written } = scene({}, () => {}, LONG_MS)
  let failures = 1
  open(async (id) => {
    relayed.push(id)
    if (id === 'WRONG') throw new TypeError('x is not a function')
    if (id === 'NEVER' || failures-- > 0) throw new Error('no devices')
    sends.acknowledged(id, null)
  })
  await text('ONCE')
  await assert.rejects(text('NEVER'), { code: 'SEND_REFUSED' })
  await assert.rejects(text('WRONG'), { code: 'SEND_REFUSED' })
  await text('AFTER')
  assert.deepEqual(relayed, ['ONCE', 'ONCE', 'NEVER', 'NEVER', 'NEVER', 'WRONG', 'WRONG', 'WRONG', 'AFTER'])
  const failed = written.filter((change) => change.type === 'message.update' && change.set.status === 'failed')
  assert.deepEqual(
    failed.map(
      (change) => change.type === 'message.update' && [change.messageids, change.set.status, change.set.error],
    ),
    [
      [['NEVER'], 'failed', 'It could not be handed to WhatsApp: no devices'],
      [['WRONG'], 'failed', 'A bug in the gateway; its log has the error. The message was not handed to WhatsApp.'],
    ],
  )
})

describe('a queued or delayed send that is canceled', () => {
  interface Stored {
    status: string
    dueAtMs: number | null
  }

  /** Rows as the store would have them; a reading of the delayed ones takes `readMs`. */
  function stored(readMs = 0) {
    const rows = new Map<string, Stored>()
    const row = (id: string): MessageForActor => {
      const { status } = rows.get(id) ?? { status: 'queued' }
      const queuedRequest = { ...request, messageid: id }
      return {
        ...makeRow(id as MessageId),
        fromMe: true,
        sender: '',
        record: {},
        status,
        queuedRequest,
      } as MessageForActor
    }
    const canceled = () => [...rows].filter(([, { status }]) => status === 'canceled').map(([id]) => id)
    const known = (ids: readonly string[]) => ids.filter((id) => rows.has(id)).map(row)
    return {
      rows,
      canceled,
      given: {
        async write(changes: readonly Change[]) {
          for (const change of changes) {
            if (change.type === 'message')
              rows.set(change.message.messageid, { status: change.message.status, dueAtMs: null })
            if (change.type !== 'message.update') continue
            for (const id of change.messageids) {
              const one = rows.get(id)
              if (one === undefined) continue
              if (change.set.status) one.status = change.set.status
              if (change.set.dueInMs !== undefined) one.dueAtMs = performance.now() + change.set.dueInMs
            }
          }
          return { messages: new Map() }
        },
        queuedCount: async () => 0,
        hasQueuedBefore: async () => false,
        pendingSends: async () => [],
        messagesNamed: async (_: InstanceId, ids: readonly string[]) => known(ids),
        messagesById: async (_: InstanceId, ids: readonly string[]) => known(ids),
        delayedSends: async () => {
          const found = [...rows].filter(([, { status, dueAtMs }]) => status === 'queued' && dueAtMs !== null)
          await pause(readMs)
          return found.map(([messageid, { dueAtMs }]) => ({
            messageid: messageid as MessageId,
            chat: makeRow(messageid as MessageId).chat,
            delayMs: 0,
            dueInMs: Number(dueAtMs) - performance.now(),
            isVoice: false,
          }))
        },
      } as unknown as Partial<InstanceReader & InstanceJournal>,
    }
  }
  const request = {
    type: 'send',
    number: '15550001111',
    content: { kind: 'text', text: 'a text' },
    options: {},
  } as const
  const cancel = (sends: Sends, id: string) =>
    sends.revise({ type: 'revise', messageid: 'REVISION' as MessageId, id, revision: { kind: 'delete' } })

  it('while it is just leaving is not: the caller may ask again, and it is sent', async () => {
    const { rows, canceled, given } = stored()
    rows.set('LEAVING', { status: 'queued', dueAtMs: null })
    const queued = [{ ...makeRow('LEAVING' as MessageId), sender: '', record: {}, queuedRequest: request }]
    let finish = (): void => {}
    const { open, sends } = scene({ ...given, queuedSends: async () => queued.splice(0) as never })
    open(() => new Promise<void>((resolve) => (finish = resolve)))
    const running = sends.runQueue()
    for (let turns = 0; rows.get('LEAVING')?.status === 'queued' && turns < 200; turns += 1) await pause(5)
    // The row says so a moment later to whoever has read it before.
    rows.set('LEAVING', { status: 'queued', dueAtMs: null })
    await assert.rejects(cancel(sends, 'LEAVING'), { code: 'QUEUE_BUSY', retryAfterSeconds: 1 })
    rows.set('LEAVING', { status: 'pending', dueAtMs: null })
    finish()
    await running
    assert.deepEqual(canceled(), [])
  })

  it('and was read before it left is not marked as canceled', async () => {
    const { rows, canceled, given } = stored()
    rows.set('SENT', { status: 'sent', dueAtMs: null })
    const read = [{ ...makeRow('SENT' as MessageId), fromMe: true, sender: '', record: {}, status: 'queued' }]
    const { open, sends } = scene({ ...given, messagesNamed: async () => read as never })
    open(async () => {})
    await cancel(sends, 'SENT').catch(() => {})
    assert.deepEqual([canceled(), rows.get('SENT')?.status], [[], 'sent'])
  })

  it('holds back no send that arrives in the middle of the cancellation', async () => {
    const { rows, canceled, given } = stored(30)
    const relayed: string[] = []
    const { open, sends, text } = scene(given)
    open(async (id) => void relayed.push(id))
    await text('HOUR', { options: { delayMs: 3_600_000 } })
    const canceling = cancel(sends, 'HOUR')
    await pause(10)
    const behind = text('BEHIND')
    await Promise.all([canceling, behind])
    assert.deepEqual(canceled(), ['HOUR'])
    for (let turns = 0; relayed.length === 0 && turns < 200; turns += 1) await pause(5)
    assert.deepEqual(relayed, ['BEHIND'])
    sends.stop()
    assert.equal(rows.get('HOUR')?.status, 'canceled')
  })
})

it('asks the store once whether scheduled sends wait, as long as none is added', async () => {
  let asked = 0
  const given = {
    queuedCount: async () => 0,
    dueSends: async () => {
      asked += 1
      return { due: [], unreadable: [] }
    },
    nextDueMs: async () => (asked < 3 ? 1_000 : null),
    activeCampaigns: async () => [],
  }
  const { sends } = scene(given as never)
  for (let run = 0; run < 6; run += 1) await sends.runDue()
  assert.equal(asked, 3)
})
