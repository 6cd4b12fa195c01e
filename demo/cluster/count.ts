/** Counts what came of the texts: each must be on the phone once and in order, and in the webhooks of both accounts. */
import { type Calls, until } from '../calls.js'
import type { DemoReceiver } from '../receiver.js'
import type { Writer } from './writer.js'

export interface Count {
  readonly texts: number
  /** Webhooks of these texts, each event once. */
  readonly webhooks: number
  /** Webhooks that came again, under the same event id: at least once is what is promised. */
  readonly webhooksRepeated: number
  /** Texts that came to a phone again, under the same message id, which phones show once. */
  readonly arrivedAgain: number
}

interface PhoneMessage {
  readonly text: string
  readonly arrivals: number
}

const WITHIN_MS = 30_000

/** Waits until all has arrived. @throws with a sentence about the first text that is missing, doubled or out of order */
export async function countTexts(calls: Calls, receiver: DemoReceiver, writers: readonly Writer[]): Promise<Count> {
  let arrivedAgain = 0
  for (const { from, to, prefix, taken } of writers) {
    const onPhone = await settled(taken.length, async () => {
      const messages = await calls.tellNetwork<PhoneMessage[]>('GET', `/phones/${to.phone}/messages?own=false`)
      return messages.filter(({ text }) => text.startsWith(prefix))
    })
    arrivedAgain += onPhone.reduce((sum, { arrivals }) => sum + arrivals - 1, 0)
    sameTexts(
      `the phone of ${to.name}`,
      taken,
      onPhone.map(({ text }) => text),
    )
    for (const { name } of [from, to]) {
      const told = await settled(taken.length, () => toldTo(receiver, name, prefix))
      sameTexts(`the webhook of ${name}`, taken, told)
    }
  }
  const webhooks = receiver.events.filter(({ EventType }) => EventType === 'messages')
  return {
    texts: writers.reduce((sum, { taken }) => sum + taken.length, 0),
    webhooks: new Set(webhooks.map(({ eventId }) => eventId)).size,
    webhooksRepeated: webhooks.length - new Set(webhooks.map(({ eventId }) => eventId)).size,
    arrivedAgain,
  }
}

/** The texts of a writer that this instance's webhook received, each event once, in the order of their first arrival. */
function toldTo(receiver: DemoReceiver, instanceName: string, prefix: string): string[] {
  const seen = new Set<string>()
  return receiver.events.flatMap((event) => {
    const text = event.message?.text
    if (event.EventType !== 'messages' || event.instanceName !== instanceName || !text?.startsWith(prefix)) return []
    if (seen.has(event.eventId)) return []
    seen.add(event.eventId)
    return [text]
  })
}

/** Returns what there is when there is enough, or after a while; the comparison reports what is missing. */
async function settled<T>(length: number, ask: () => Promise<T[]> | T[]): Promise<T[]> {
  return until('end', ask, (found) => found.length >= length, WITHIN_MS).catch(ask)
}

function sameTexts(where: string, expected: readonly string[], found: readonly string[]): void {
  for (const text of expected) {
    const times = found.filter((one) => one === text).length
    if (times === 0)
      throw new Error(`"${text}" is missing at ${where}, which has ${found.length} of ${expected.length}.`)
    if (times > 1) throw new Error(`"${text}" is ${times} times at ${where}.`)
  }
  const index = expected.findIndex((text, place) => found[place] !== text)
  if (index >= 0) throw new Error(`At ${where}, "${found[index]}" is where "${expected[index]}" should be.`)
  if (found.length > expected.length)
    throw new Error(`"${found[expected.length]}" is at ${where}, and nothing reported that it was sent.`)
}
