/**
 * A random schedule over an instance with Chatwoot, by a seed: customers and agents write all the time; the gateway and Chatwoot are killed and
 * Chatwoot answers badly. In the end each text is once and in order on both sides.
 */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { type FakeChatwoot, type RequestFault, startChatwoot, type WebhookFault } from '../../sandbox/chatwoot/index.js'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { lastingPort } from '../support/port.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { seededRandom } from './random.js'
import { doubled, inversions, missing } from './tally.js'

export interface ChatwootSchedule {
  readonly seed: number
  /** Texts in each direction. */
  readonly texts: number
  readonly chats: number
  /** Time between two texts of one chat in one direction. */
  readonly everyMs: number
  /** Mean time between two faults or kills. */
  readonly troubleEveryMs: number
  readonly settlesWithinMs: number
  /** Told what happened, so that a run without trouble is seen. */
  readonly tell: (sentence: string) => void
}

export interface SideSummary {
  readonly lost: number
  readonly doubled: number
  readonly inverted: number
}

export interface ChatwootSummary {
  readonly toChatwoot: SideSummary
  readonly toPhones: SideSummary
  readonly contacts: number
  readonly conversations: number
  /** Calls that a client of Chatwoot should not make. */
  readonly mistakes: readonly string[]
}

interface Play {
  readonly world: World
  readonly chatwoot: FakeChatwoot
  readonly shop: TestInstance
  readonly numbers: readonly string[]
  readonly schedule: ChatwootSchedule
}

const REQUEST_FAULTS: readonly RequestFault[] = [
  { kind: 'error', when: 'before' },
  { kind: 'error', when: 'after' },
  { kind: 'cut' },
  { kind: 'html' },
  { kind: 'rate-limited', retryAfterSeconds: 1 },
  { kind: 'slow', ms: 300 },
]
const WEBHOOK_FAULTS: readonly WebhookFault[] = [
  { kind: 'doubled', times: 3 },
  { kind: 'reversed', count: 3 },
  { kind: 'before-answer', times: 3 },
]

export async function runChatwootSchedule(t: Cleanup, schedule: ChatwootSchedule): Promise<ChatwootSummary> {
  const port = await lastingPort()
  const chatwoot = await startChatwoot({ port, requestsPerMinute: 1_000_000, messagesPerMinute: 1_000_000 })
  t.after(() => chatwoot.close())
  const world = await startWorld(t, {
    RECONNECT_DELAY_MAX_MS: '500',
    WEBHOOK_BACKOFF_MIN_MS: '100',
    WEBHOOK_BACKOFF_MAX_MS: '1000',
  })
  const shop = await world.paired('15551800000', 'Shop')
  const numbers = Array.from({ length: schedule.chats }, (_, at) => `155518${String(at + 1).padStart(5, '0')}`)
  for (const number of numbers) await world.phone(number)
  const answer = await shop.call('PUT', '/chatwoot/config', {
    enabled: true,
    url: chatwoot.url,
    access_token: chatwoot.tokens.administrator,
    account_id: chatwoot.account.id,
    inbox_id: chatwoot.inbox.id,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const play: Play = { world, chatwoot, shop, numbers, schedule }
  const perChat = Math.floor(schedule.texts / schedule.chats)
  const isOver = { is: false }
  const trouble = makeTrouble(play, isOver)
  await Promise.all(numbers.flatMap((number) => [customer(play, number, perChat), agent(play, number, perChat)]))
  isOver.is = true
  await trouble
  chatwoot.clearFaults()
  // Webhooks that were lost with their worker are found when the gateway looks, as it does after a start.
  await world.gateway.kill('SIGKILL')
  await world.gateway.start()
  await settled(play, perChat)
  await explain(play, perChat)
  return summary(play, perChat)
}

/** Tells what became of replies that no phone has. */
async function explain(play: Play, perChat: number): Promise<void> {
  const { chatwoot, shop, numbers, schedule } = play
  const found = new Set(await textsAtPhones(play))
  for (const { content, status, attributes, id } of chatwoot.messages())
    if (content?.startsWith('out ') === true && !found.has(content))
      schedule.tell(`no phone has "${content}" (${id}): ${status} ${String(attributes.external_error ?? '')}`)
  const here = textsAtChatwoot(play)
  for (const text of doubled(here))
    for (const { content, id, sourceId, createdAt } of chatwoot.messages())
      if (content === text)
        schedule.tell(`Chatwoot has "${text}" twice: ${id} ${sourceId} ${new Date(createdAt).toISOString()}`)
  if (found.size === numbers.length * perChat && doubled(here).length === 0) return
  schedule.tell(JSON.stringify((await shop.call('GET', '/chatwoot/config')).body))
}

async function customer({ world, shop, schedule }: Play, number: string, texts: number): Promise<void> {
  for (let at = 1; at <= texts; at += 1) {
    await world.write(number, shop.number, `in ${number} ${at}`)
    await pause(schedule.everyMs)
  }
}

async function agent({ chatwoot, schedule }: Play, number: string, texts: number): Promise<void> {
  const conversation = await eventually(
    () => findConversation(chatwoot, number),
    (id) => id !== undefined,
    600_000,
  )
  for (let at = 1; at <= texts; at += 1) {
    // An agent cannot write while the platform is away.
    await eventually(() => hasReplied(chatwoot, conversation ?? 0, `out ${number} ${at}`), Boolean, 60_000)
    await pause(schedule.everyMs)
  }
}

function hasReplied(chatwoot: FakeChatwoot, conversation: number, text: string): boolean {
  try {
    chatwoot.agentReplies(conversation, text)
    return true
  } catch {
    return false
  }
}

/** Kills and disturbs, one thing after the other, until it is over. */
async function makeTrouble({ world, chatwoot, schedule }: Play, isOver: { is: boolean }): Promise<void> {
  const random = seededRandom(schedule.seed)
  const counts = { gateway: 0, chatwoot: 0, calls: 0, webhooks: 0 }
  const among = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  // Both are killed at least once.
  const first = [0.1, 0.3]
  while (!isOver.is) {
    await pause(schedule.troubleEveryMs * (0.3 + random() * 1.4))
    const dice = first.shift() ?? random()
    if (dice < 0.15) {
      counts.gateway += 1
      await world.gateway.kill('SIGKILL')
      await pause(random() * 500)
      await world.gateway.start()
    } else if (dice < 0.35) {
      counts.chatwoot += 1
      await (random() < 0.5 ? chatwoot.kill() : chatwoot.stop())
      await pause(200 + random() * 1500)
      await chatwoot.start()
    } else if (dice < 0.7) {
      counts.calls += 1
      chatwoot.fail({ fault: among(REQUEST_FAULTS), times: 1 + Math.floor(random() * 3) })
    } else {
      counts.webhooks += 1
      chatwoot.failWebhooks(among(WEBHOOK_FAULTS))
    }
  }
  schedule.tell(`killed: the gateway ${counts.gateway} times, Chatwoot ${counts.chatwoot} times`)
  schedule.tell(`faults: ${counts.calls} of calls, ${counts.webhooks} of webhooks`)
  // A run without kills shows nothing.
  assert.ok(counts.gateway > 0 && counts.chatwoot > 0, JSON.stringify(counts))
}

function findConversation(chatwoot: FakeChatwoot, number: string): number | undefined {
  const contact = chatwoot.contacts().find(({ phone }) => phone === `+${number}`)
  return chatwoot.conversations().find(({ contactId }) => contactId === contact?.id)?.id
}

async function settled(play: Play, perChat: number): Promise<void> {
  const wanted = play.numbers.length * perChat
  const isThere = async () => {
    const [here, there] = [textsAtChatwoot(play).length, (await textsAtPhones(play)).length]
    return here >= wanted && there >= wanted
  }
  // Missing messages are counted below.
  await eventually(isThere, Boolean, play.schedule.settlesWithinMs).catch(() => {})
  // Something doubled would come a moment later.
  await pause(1_500)
}

function textsAtChatwoot({ chatwoot }: Play): string[] {
  const messages = chatwoot.messages().filter(({ type }) => type === 'incoming')
  return messages.map(({ content }) => content ?? '').filter((text) => text.startsWith('in '))
}

async function textsAtPhones({ world, numbers }: Play): Promise<string[]> {
  const all: string[] = []
  for (const number of numbers) {
    const shown = await world.network<{ text: string; arrivals: number }[]>(
      'GET',
      `/phones/${number}/messages?own=false`,
    )
    // A message that arrives twice has the same id: the phone shows it once.
    for (const { text } of shown) if (text?.startsWith('out ')) all.push(text)
  }
  return all
}

async function summary(play: Play, perChat: number): Promise<ChatwootSummary> {
  const { chatwoot, numbers } = play
  return {
    toChatwoot: summarizeSide('in', numbers, perChat, textsAtChatwoot(play)),
    toPhones: summarizeSide('out', numbers, perChat, await textsAtPhones(play)),
    contacts: chatwoot.contacts().length,
    conversations: chatwoot.conversations().length,
    mistakes: chatwoot.mistakes(),
  }
}

function summarizeSide(
  word: string,
  numbers: readonly string[],
  perChat: number,
  found: readonly string[],
): SideSummary {
  const ofChat = (number: string) => found.filter((text) => text.startsWith(`${word} ${number} `))
  const expected = numbers.flatMap((number) =>
    Array.from({ length: perChat }, (_, at) => `${word} ${number} ${at + 1}`),
  )
  return {
    lost: missing(expected, found),
    doubled: doubled(found).length,
    inverted: numbers.reduce((sum, number) => sum + inversions(ofChat(number)), 0),
  }
}
