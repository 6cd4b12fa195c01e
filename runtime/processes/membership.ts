/** A process among those of its machine: what it tells its supervisor, and how it asks the others. */
import cluster from 'node:cluster'
import type { Lifecycle } from '../lifecycle.js'
import type { FromProcess, FromSupervisor, ProcessAnswers, Question } from './messages.js'
import type { ProcessPlace } from './process-place.js'

export interface GroupMembership {
  readonly place: ProcessPlace
  /** Returns the number of times that each process was started again, the first one first. */
  restarts(): readonly number[]
  opened(): void
  listening(where: { host: string; port: number; url: string }): void
  /** Answers questions of the others from now on. */
  answer(answerers: Answerers): void
  /** Asks all other processes that take calls. Returns the answers that came in time. Never rejects. */
  ask<Asked extends Question>(question: Asked): Promise<readonly ProcessAnswers[Asked][]>
}

type Answerers = { readonly [Asked in Question]: () => Promise<ProcessAnswers[Asked]> }

/** The side of the process of its channel to the supervisor. */
export interface ProcessChannel {
  readonly connected: boolean
  send?(message: FromProcess): unknown
  on(event: 'message', listener: (message: FromSupervisor) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
}

/** A little longer than the supervisor waits for the slowest process. */
const ANSWERS_MAX_MS = 3_000

/** Joins the group of the supervisor that has started this process. */
export function joinOwnGroup(place: ProcessPlace, life: Pick<Lifecycle, 'end'>): GroupMembership {
  // Else `node:cluster` ends this process at once when the supervisor is gone, before it has given anything away.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
  return joinProcesses(place, life, process as ProcessChannel)
}

/** Joins a group. The process ends in order when its supervisor says so, or has ended itself. */
export function joinProcesses(
  place: ProcessPlace,
  life: Pick<Lifecycle, 'end'>,
  channel: ProcessChannel,
): GroupMembership {
  const waiting = new Map<number, (answers: readonly unknown[]) => void>()
  const underWay = new Map<Question, Promise<readonly unknown[]>>()
  let answerers: Answerers | undefined
  let lastId = 0
  let { restarts } = place

  const tell = (message: FromProcess): void => {
    if (channel.connected) channel.send?.(message)
  }

  channel.on('disconnect', () => {
    for (const end of waiting.values()) end([])
    life.end('the supervisor has ended')
  })
  channel.on('message', (message) => {
    if (message.type === 'ping') tell({ type: 'pong' })
    else if (message.type === 'stop') life.end(message.reason)
    else if (message.type === 'restarts') restarts = message.counts
    else if (message.type === 'answers') waiting.get(message.id)?.(message.answers)
    else void answerOne(message.id, message.question)
  })

  // A `stop` that came before had no listener.
  tell({ type: 'joined' })

  async function answerOne(id: number, question: Question): Promise<void> {
    const answer = await answerers?.[question]().catch(() => undefined)
    tell({ type: 'answer', id, answer })
  }

  function askOthers(question: Question): Promise<readonly unknown[]> {
    if (!channel.connected) return Promise.resolve([])
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      const end = (answers: readonly unknown[]): void => {
        clearTimeout(timer)
        waiting.delete(id)
        underWay.delete(question)
        resolve(answers)
      }
      const timer = setTimeout(() => end([]), ANSWERS_MAX_MS)
      waiting.set(id, end)
      tell({ type: 'ask', id, question })
    })
  }

  return {
    place,
    restarts: () => restarts,
    opened: () => tell({ type: 'opened' }),
    listening: (where) => tell({ type: 'listening', ...where }),
    answer(given) {
      answerers = given
    },
    async ask<Asked extends Question>(question: Asked) {
      // However many callers there are, the others answer one question at a time.
      const asked = underWay.get(question) ?? askOthers(question)
      underWay.set(question, asked)
      return (await asked) as readonly ProcessAnswers[Asked][]
    },
  }
}
