/** A webhook receiver is away for a while, and the gateway is killed with -9 meanwhile. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'
import { doubled, inversions, missing, uniqueByEvent } from './tally.js'

export interface ReceiverAwaySummary {
  /** Texts that never arrived. */
  lost: number
  /** Events that arrived under more than one id. */
  doubled: number
  /** Texts that arrived before an earlier one of their chat. */
  inverted: number
  deadLetters: number
}

const NUMBERS = ['15551600002', '15551600003', '15551600004', '15551600005']

/**
 * 200 texts of four chats: a quarter before, half while it is away, a quarter after. Two chats fall silent shortly before the kill, so that
 * nothing new reminds the gateway of what they have waiting.
 */
export async function receiverAway(t: Cleanup, { awayMs }: { awayMs: number }): Promise<ReceiverAwaySummary> {
  const world = await startWorld(t, {
    RECONNECT_DELAY_MAX_MS: '500',
    WEBHOOK_BACKOFF_MIN_MS: '100',
    WEBHOOK_BACKOFF_MAX_MS: '2000',
  })
  const receiver = await startReceiver(t)
  const ana = await world.paired('15551600001', 'Ana')
  for (const number of NUMBERS) await world.phone(number)
  await ana.hook(receiver.url)
  const texts: string[] = []
  let talking = NUMBERS.length
  const write = async (count: number, forMs = 0) => {
    for (let index = 0; index < count; index += 1) {
      const number = NUMBERS[texts.length % talking] as string
      const text = `${number} ${texts.length}`
      texts.push(text)
      await world.network('POST', `/phones/${number}/text`, { to: ana.number, text })
      await pause(forMs / count)
    }
  }

  await write(50)
  await receiver.leave()
  const away = pause(awayMs).then(() => receiver.comeBack())
  const writing = write(100, awayMs * 0.8)
  await pause(awayMs / 2 - 500)
  talking = 2
  await pause(500)
  await world.gateway.kill('SIGKILL')
  await world.gateway.start()
  await Promise.all([away, writing])
  await write(50)

  const heard = () => uniqueByEvent(receiver.of('messages'))
  await eventually(
    () => heard().length,
    (count) => count >= texts.length,
  ).catch(() => {})
  const arrived = heard().map(({ body }) => String((body.message as { text: string }).text))
  const dead = await ana.call<{ deadletters: unknown[] }>('GET', '/webhook/deadletters')
  const ofChat = (number: string) => arrived.filter((text) => text.startsWith(`${number} `))
  const inverted = NUMBERS.reduce((sum, number) => sum + inversions(ofChat(number)), 0)
  return {
    lost: missing(texts, arrived),
    doubled: doubled(arrived).length,
    inverted,
    deadLetters: dead.body.deadletters.length,
  }
}
