/**
 * Traffic of one instance: direct and queued texts to a phone, and texts from that phone, one after the other until it is stopped.
 * A refused send is repeated under its Idempotency-Key, as a client does. In the end everything must have arrived once and in order.
 */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cleanup } from '../support/cleanup.js'
import { eventually, PATIENCE_MS } from '../support/eventually.js'
import type { Receiver } from '../support/receiver.js'
import type { TestInstance, World } from '../support/world.js'
import { doubled, findMissing, inversions, uniqueByEvent } from './tally.js'

export interface TrafficOptions {
  /** The number of the phone at the other end, which only this traffic uses. */
  readonly peer: string
  /** Of the instance's webhook for `messages`. */
  readonly receiver: Receiver
  /** The group in which both write, instead of their own chat. */
  readonly group?: string
  readonly everyMs?: number
  /** Tells it from other traffic of the same two. */
  readonly label?: string
  readonly kinds?: readonly Kind[]
  /** How long one send is repeated before the test fails. */
  readonly patienceMs?: number
}

export type Kind = 'direct' | 'queued' | 'inbound'

export interface Traffic {
  /** How many direct and queued sends were answered with each status; 0 stands for no answer at all. */
  readonly answers: ReadonlyMap<number, number>
  /** Texts that were taken so far: those of ours with 200, those of the phone by the network. */
  count(kind: Kind): number
  /** All those texts. */
  taken(): readonly string[]
  /** Waits until this many further direct texts were taken. */
  goesOn(more?: number, withinMs?: number): Promise<void>
  /** Ends it, when what is under way was answered. */
  stop(): Promise<void>
  /** Fails if a text is doubled or out of order at the phone; some may be missing there. */
  isOnce(): Promise<void>
  /** Waits until everything has arrived, then fails if anything is lost, doubled, out of order or could not be decrypted. */
  hasArrived(withinMs?: number): Promise<void>
}

interface PhoneMessage {
  readonly text: string
  readonly own: boolean
  readonly arrivals: number
}

export function startTraffic(
  t: Cleanup,
  world: Pick<World, 'network'>,
  instance: TestInstance,
  options: TrafficOptions,
): Traffic {
  const {
    peer,
    receiver,
    everyMs = 100,
    kinds = ['direct', 'queued', 'inbound'],
    label = '',
    patienceMs = 60_000,
    group,
  } = options
  const prefix = label === '' ? peer : `${peer} ${label}`
  const taken: Record<Kind, string[]> = { direct: [], queued: [], inbound: [] }
  const answers = new Map<number, number>()
  let isStopped = false
  let isOver = false
  let failure: unknown
  let isFailureTold = false
  t.after(() => {
    isStopped = true
    isOver = true
    // Nobody has stopped it since.
    failIfBroken()
  })

  const running = kinds.map(async (kind) => {
    for (let index = 0; !isStopped; index += 1) {
      const text = `${prefix} ${kind} ${index}`
      if (kind === 'inbound')
        await world.network('POST', `/phones/${peer}/text`, { to: group ?? instance.number, text })
      else await sendUntilTaken(text, kind === 'queued')
      taken[kind].push(text)
      await pause(everyMs)
    }
  })
  for (const one of running)
    one.catch((error: unknown) => {
      if (!isOver) failure ??= error
    })

  function failIfBroken(): void {
    if (failure === undefined || isFailureTold) return
    isFailureTold = true
    throw failure
  }

  async function sendUntilTaken(text: string, async: boolean): Promise<void> {
    const deadline = performance.now() + patienceMs
    for (;;) {
      const status = await send(text, async)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (status === 200) return
      if (isOver) throw new Error('The test is over.')
      if (performance.now() > deadline) throw new Error(`"${text}" was not taken: ${JSON.stringify([...answers])}`)
      await pause(50)
    }
  }

  async function send(text: string, async: boolean): Promise<number> {
    try {
      const body = { number: group ?? peer, text, ...(async ? { async } : {}) }
      const answer = await instance.call('POST', '/send/text', body, { 'idempotency-key': text.replaceAll(' ', '-') })
      // A balancer says so of a node that was killed; we answer in JSON.
      if (answer.status === 502 && typeof answer.body === 'string') return 0
      if (![200, 409, 503, 504].includes(answer.status))
        throw new Error(`"${text}" was answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer.status
    } catch (error) {
      // The gateway is not there.
      if (error instanceof TypeError) return 0
      throw error
    }
  }

  async function atPhone(): Promise<string[]> {
    const all = await world.network<PhoneMessage[]>('GET', `/phones/${peer}/messages`)
    return all.filter(({ own, text }) => !own && text.startsWith(`${prefix} `)).map(({ text }) => text)
  }

  function atReceiver(): { text: string; messageid: string }[] {
    const all = uniqueByEvent(receiver.of('messages'))
    const messages = all.map(({ body }) => body.message as { text: string; messageid: string })
    return messages.filter(({ text }) => text.startsWith(`${prefix} `))
  }

  /** Returns what the gateway has stored of these texts. */
  async function describeStored(texts: readonly string[]): Promise<string> {
    const { body } = await instance.call<{ messages?: Record<string, unknown>[] }>('POST', '/message/find', {
      limit: 1_000,
    })
    const rows = (body.messages ?? []).filter(({ text }) => texts.includes(String(text)))
    return JSON.stringify(
      rows.map(({ text, status, error, messageTimestamp }) => ({ text, status, error, messageTimestamp })),
    )
  }

  const of = (kind: Kind, texts: readonly string[]) => texts.filter((text) => text.startsWith(`${prefix} ${kind} `))

  async function isOnce(): Promise<void> {
    const phone = await atPhone()
    assert.deepEqual(doubled(phone), [], 'doubled at the phone')
    for (const kind of ['direct', 'queued'] as const)
      assert.equal(inversions(of(kind, phone)), 0, `${kind} at the phone: ${of(kind, phone).join()}`)
  }

  return {
    answers,
    count: (kind) => taken[kind].length,
    taken: () => Object.values(taken).flat(),
    async goesOn(more = 10, withinMs = PATIENCE_MS) {
      const before = taken.direct.length
      await eventually(
        () => {
          failIfBroken()
          return taken.direct.length
        },
        (count) => count >= before + more,
        withinMs,
      )
    },
    async stop() {
      isStopped = true
      isFailureTold = true
      await Promise.all(running)
    },
    isOnce,
    async hasArrived(withinMs = PATIENCE_MS) {
      const outbound = [...taken.direct, ...taken.queued]
      await eventually(
        async () => ({
          notAtPhone: findMissing(outbound, await atPhone()),
          notAtReceiver: findMissing(
            [...taken.inbound, ...taken.direct],
            atReceiver().map(({ text }) => text),
          ),
        }),
        ({ notAtPhone, notAtReceiver }) => notAtPhone.length === 0 && notAtReceiver.length === 0,
        withinMs,
      ).catch(async (error: Error) => {
        error.message += `\nstored: ${await describeStored(findMissing(outbound, await atPhone()).slice(0, 5))}`
        throw error
      })
      await isOnce()
      const events = atReceiver()
      assert.deepEqual(doubled(events.map(({ messageid }) => messageid)), [], 'two events of one message')
      const told = of(
        'inbound',
        events.map(({ text }) => text),
      )
      assert.equal(inversions(told), 0, `at the receiver: ${told.join()}`)
      assert.deepEqual(await world.network('GET', `/phones/${peer}/failures`), [])
      const retries = await world.network<{ device: string }[]>('GET', '/log/retries')
      assert.deepEqual(
        retries.filter(({ device }) => device.startsWith(`${peer}:`) || device.startsWith(`${instance.number}:`)),
        [],
        'somebody could not decrypt and asked again',
      )
    },
  }
}
