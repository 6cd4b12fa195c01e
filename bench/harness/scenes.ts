/** Messages of a round of `bench system`, sent or received by the gateway, and the same by bare Baileys. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { forEach } from './network.js'
import { atPace, inFlood } from './pace.js'
import { startTextReceiver, type TextReceiver } from './receiver.js'
import { type BenchSystem, makePeople } from './system.js'

/** Of the calls that are made at once where there is no pace. */
export const AT_ONCE = 20

export interface Scene {
  /** Work before that of a side, which is not counted. */
  prepare?(side: 'gateway' | 'bare', count: number, pace: Pace): Promise<unknown>
  /** @returns how long each message took */
  gateway(count: number, pace: Pace): Promise<RecordableHistogram>
  bare(count: number, pace: Pace): Promise<unknown>
  close?(): void
}

export interface SceneKind {
  readonly says: string
  /** Messages of one round. */
  readonly texts: number
  /** Messages before the rounds, in a flood: V8 compiles meanwhile, and people get their sessions. */
  readonly warmUp: number
  /** True when each message must meet people, or a group, that never got one. */
  readonly isFirst?: true
  make(system: BenchSystem): Promise<Scene>
}

/** Messages a second; null for as fast as it goes. */
export type Pace = number | null

const DIALOGUES = 200

/** In turn to each of the people. */
function sends(system: BenchSystem, targets: readonly string[], bareTargets = targets): Scene {
  const { gateway, token, bare } = system
  let [ours, theirs] = [0, 0]
  return {
    gateway: (count, pace) =>
      run(count, pace, () => {
        const text = `text ${ours}`
        return gateway.call('POST', '/send/text', token, { number: targets[ours++ % targets.length], text })
      }),
    bare(count, pace) {
      const to = Array.from({ length: count }, () => bareTargets[theirs++ % bareTargets.length] ?? '')
      return bare.ask({ send: { to, count, atOnce: AT_ONCE, ...(pace === null ? {} : { perSecond: pace }) } })
    },
  }
}

function run(count: number, pace: Pace, work: (index: number) => Promise<unknown>): Promise<RecordableHistogram> {
  return pace === null ? inFlood(count, AT_ONCE, work) : atPace(count, pace, work)
}

/** A group of so many members for each side. @param owner a phone of its own, so that groups need not have the same members */
async function groups({ network, phones }: BenchSystem, people: readonly string[]): Promise<readonly [string, string]> {
  const [owner, ...members] = people
  const make = async (member: string) =>
    (
      await network.control<{ jid: string }>('POST', '/groups', {
        owner,
        subject: `of ${people.length + 1}`,
        members: [member, ...members],
      })
    ).jid
  return [await make(phones.own), await make(phones.bare)]
}

function group(size: number, texts: number): SceneKind {
  return {
    says: `to a group of ${size}`,
    texts,
    warmUp: 20,
    async make(system) {
      const [ours, theirs] = await groups(system, await makePeople(system, size - 1))
      return sends(system, [ours], [theirs])
    },
  }
}

/** Each round has a group of its own, whose members never got anything. */
function firstToGroup(size: number, rounds: number): SceneKind {
  return {
    says: `the first to a group of ${size}`,
    texts: 1,
    warmUp: 1,
    isFirst: true,
    async make(system) {
      const people = await makePeople(system, (size - 1) * (rounds + 1))
      const made: (readonly [string, string])[] = []
      for (let index = 0; index <= rounds; index += 1)
        made.push(await groups(system, people.slice(index * (size - 1), (index + 1) * (size - 1))))
      return sends(
        system,
        made.map(([ours]) => ours),
        made.map(([, theirs]) => theirs),
      )
    },
  }
}

/** Somebody writes, the gateway's program gets the webhook, and in a dialogue it answers. Timed from when the person was due to write. */
async function received(system: BenchSystem, isDialogue: boolean): Promise<Scene> {
  const { network, gateway, token, bare, phones } = system
  const people = await makePeople(system, DIALOGUES)
  const receiver = await startTextReceiver()
  const hook = { url: receiver.url, events: ['messages'], excludeMessages: ['fromMeYes'], enabled: true }
  await gateway.call('POST', '/webhook', token, hook)
  let [ours, theirs, answered] = [0, 0, 0]
  const write = (index: number, to: string) => {
    const text = `text ${index}`
    const phone = people[index % people.length] ?? ''
    return { phone, text, sent: network.control('POST', `/phones/${phone}/text`, { to, text }) }
  }
  return {
    gateway: (count, pace) =>
      run(count, pace, async () => {
        const { phone, text, sent } = write(ours++, phones.own)
        const arrived = awaitArrival(receiver, text)
        await sent
        await arrived
        if (isDialogue) await gateway.call('POST', '/send/text', token, { number: phone, text: `to ${text}` })
      }),
    async bare(count, pace) {
      answered += count
      const done = bare.ask(isDialogue ? { answered } : { received: answered })
      await run(count, pace, () => write(theirs++, phones.bare).sent)
      await done
    },
    close: () => receiver.close(),
  }
}

/**
 * Texts in a flood, not counted, whose receipts come one by one at the pace: half of their mean delay is the time for the flood, and they spread over as
 * much time as the mean is long. Nobody reads.
 */
function listReceipts({ network }: BenchSystem, people: readonly string[], texts: Scene): Scene {
  const areStored = async (): Promise<RecordableHistogram> => {
    await network.settled()
    return createHistogram()
  }
  return {
    async prepare(side, count, pace) {
      if (pace === null) throw new Error('Receipts need a pace.')
      const deliveryDelayMs = (count * 1_000) / pace
      await forEach([...people], 8, (phone) =>
        network.control('PATCH', `/phones/${phone}`, { autoRead: false, deliveryDelayMs }),
      )
      await texts[side](count, null)
    },
    gateway: (count, pace) => (pace === null ? texts.gateway(count, pace) : areStored()),
    bare: (count, pace) => (pace === null ? texts.bare(count, pace) : areStored()),
  }
}

function awaitArrival(receiver: TextReceiver, text: string): Promise<void> {
  return new Promise((resolve) => receiver.onText(text, resolve))
}

/** @param rounds number of rounds that are counted */
export function sceneKinds(rounds: number): Readonly<Record<string, SceneKind>> {
  const people = (says: string, companionsOf?: (index: number) => number, ownCompanions = 0): SceneKind => ({
    says,
    texts: 500,
    warmUp: 6_000,
    async make(system) {
      const { network, phones } = system
      for (const phone of ownCompanions > 0 ? [phones.own, phones.bare] : [])
        await network.control('POST', `/phones/${phone}/companions`, { count: ownCompanions })
      return sends(system, await makePeople(system, 1_000, companionsOf))
    },
  })
  return {
    warm: people('to 1,000 people with one device each, by the direct relay'),
    companions: people(
      'to 1,000 people with none to two companions, from an account with one more, by the direct relay',
      (index) => index % 3,
      1,
    ),
    first: {
      says: 'the first to each person',
      texts: 100,
      warmUp: 1_000,
      isFirst: true,
      make: async (system) => sends(system, await makePeople(system, 1_000 + 100 * rounds)),
    },
    receipts: {
      says: 'whose receipt alone is counted, one by one',
      texts: 1_000,
      warmUp: 6_000,
      async make(system) {
        const people = await makePeople(system, 1_000)
        return listReceipts(system, people, sends(system, people))
      },
    },
    receive: {
      says: `from ${DIALOGUES} people in turn, to the webhook`,
      texts: 500,
      warmUp: 6_000,
      make: (system) => received(system, false),
    },
    dialogues: {
      says: `from ${DIALOGUES} people in turn, to the webhook, each answered`,
      texts: 300,
      warmUp: 3_000,
      make: (system) => received(system, true),
    },
    'group-10': group(10, 100),
    'group-256': group(256, 40),
    'group-1024': group(1_024, 20),
    'group-10-first': firstToGroup(10, rounds),
    'group-256-first': firstToGroup(256, rounds),
    'group-1024-first': firstToGroup(1_024, rounds),
  }
}
