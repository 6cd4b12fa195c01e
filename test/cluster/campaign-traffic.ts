/** Campaigns and scheduled messages that run while things break. In the end each message is at its phone once, and in order. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import type { TestInstance, World } from '../support/world.js'

type Json = Record<string, unknown>
type Network = Pick<World, 'network'>

export interface CampaignTraffic {
  /** Waits until the campaign is done, and looks at the phones. */
  hasArrived(withinMs: number): Promise<void>
}

interface CampaignPlan {
  /** Phones that get the messages in turn. */
  readonly peers: readonly string[]
  /** Begins each text, so that it is found at the phones. */
  readonly label: string
  readonly count: number
  /** Time for which typing is shown before each message. */
  readonly typingMs?: number
  /** Pause between two messages, in seconds. */
  readonly pauseSeconds?: number
  /** True: each text has a placeholder without a value, so that the chat is read for it. */
  readonly reads?: boolean
  /** Given: the campaign is stopped and continued by chance. */
  readonly random?: () => number
}

/** Settings without which these campaigns would wait for days, or for other programs of a busy machine. */
export const UNPACED = {
  NEW_CHATS_PER_DAY: '0',
  NEW_CHATS_WARM_UP: 'none',
  SEND_RATE_PER_MINUTE: '0',
  CAMPAIGN_LOAD_MAX: '100',
}
/** Maximum time until all campaigns are done. On a machine that others keep busy, a message may take seconds. */
export const ARRIVED_WITHIN_MS = 120_000
/** Pauses between a stop and the call that lets it continue, at most. */
const STOPPED_MAX_MS = 600
const TRIES_MS = 60_000

export async function startCampaignTraffic(
  world: Network,
  instance: TestInstance,
  { peers, label, count, typingMs = 0, pauseSeconds = 0, reads = false, random }: CampaignPlan,
): Promise<CampaignTraffic> {
  const messages = Array.from({ length: count }, (_, index) => ({
    number: peers[index % peers.length] as string,
    type: 'text',
    text: `${label} ${index}`,
    delay: typingMs,
  }))
  const sent = reads ? messages.map((one) => ({ ...one, text: `${one.text}{{lead_notes}}` })) : messages
  const body = { messages: sent, allowEmpty: reads, delayMin: pauseSeconds, delayMax: pauseSeconds }
  const made = await asked('advanced', body, { 'idempotency-key': label.replaceAll(' ', '-') })
  const id = String(made.folder_id)
  let isOver = false
  const pauses = random === undefined ? Promise.resolve() : pauseNowAndThen(random)
  // `hasArrived` fails with it.
  pauses.catch(() => {})

  /** Asks until it is answered: a node that ends cuts its connections, and a moved instance logs in again. */
  async function asked(path: string, body: Json, headers?: Record<string, string>): Promise<Json> {
    return (await eventually(
      async () => {
        const answer = await instance.call<Json>('POST', `/sender/${path}`, body, headers).catch(() => null)
        if (answer === null || answer.status >= 500 || answer.body.code === 'INSTANCE_NOT_CONNECTED') {
          await pause(50)
          return null
        }
        if (answer.body.code !== 'CAMPAIGN_ENDED') assert.equal(answer.status, 200, JSON.stringify(answer.body))
        return answer.body
      },
      (answer): answer is Json => answer !== null,
      TRIES_MS,
    )) as Json
  }

  async function pauseNowAndThen(chance: () => number): Promise<void> {
    while (!isOver) {
      await pause(chance() * 1_500)
      if (isOver) return
      const { code } = await asked('edit', { folder_id: id, action: 'stop' })
      if (code === 'CAMPAIGN_ENDED') return
      await pause(chance() * STOPPED_MAX_MS)
      await asked('edit', { folder_id: id, action: 'continue' })
    }
  }

  const folder = async (): Promise<Json> =>
    (await instance.call<Json>('GET', `/sender/folder?id=${id}`).catch(() => ({ body: {} }))).body

  return {
    async hasArrived(withinMs) {
      isOver = true
      await pauses
      const ended = await eventually(folder, ({ status }) => status === 'done', withinMs)
      assert.deepEqual([ended.log_total, ended.log_sucess, ended.log_failed, ended.log_parked], [count, count, 0, 0])
      const times: number[] = []
      for (const peer of new Set(peers)) {
        const shown = (await shownAt(world, peer)).filter(({ text }) => text.startsWith(`${label} `))
        const texts = messages.filter(({ number }) => number === peer).map(({ text }) => text)
        assert.deepEqual(
          shown.map(({ text }) => text),
          texts,
        )
        times.push(...shown.map(({ atMs }) => atMs))
      }
      const gaps = times.sort((one, other) => one - other).map((atMs, index) => atMs - (times[index - 1] ?? 0))
      const least = Math.min(...gaps)
      // A message that was sent again arrives later than it left, and the next one sooner after it.
      const isSpread = gaps.filter((ms) => ms < pauseSeconds * 800).length <= count / 4
      assert.ok(isSpread, `gaps of ${gaps.slice(1).join(', ')} ms (least ${least})`)
    },
  }
}

/** Schedules a message for each of the next seconds. Resolves to a function that waits until all have arrived, once and not before their time. */
export async function scheduleEachSecond(
  world: Network,
  instance: TestInstance,
  { peer, label, count }: { readonly peer: string; readonly label: string; readonly count: number },
): Promise<(withinMs: number) => Promise<void>> {
  // A send that is due in less than two seconds is sent at once, before what is queued.
  const startMs = Date.now() + 10_000
  const planned = Array.from({ length: count }, (_, index) => ({
    text: `${label} ${index}`,
    atMs: startMs + index * 1_000,
  }))
  await Promise.all(planned.map(({ text, atMs }) => instance.text(peer, text, { send_at: atMs })))
  const arrived = async () => (await shownAt(world, peer)).filter(({ text }) => text.startsWith(`${label} `))
  return async (withinMs) => {
    const shown = (await eventually(arrived, (all) => all.length >= count, withinMs)) as Shown[]
    assert.deepEqual(
      shown.map(({ text }) => text),
      planned.map(({ text }) => text),
    )
    const earlyMs = shown.map(({ atMs }, index) => (planned[index]?.atMs ?? 0) - atMs)
    assert.ok(Math.max(...earlyMs) <= 0, `ms before their time: ${earlyMs.join(', ')}`)
  }
}

interface Shown {
  readonly text: string
  readonly atMs: number
}

function shownAt(world: Network, phone: string): Promise<Shown[]> {
  return world.network<Shown[]>('GET', `/phones/${phone}/messages?own=false`)
}
