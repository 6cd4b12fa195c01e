/** Runs the processes of a machine: starts each again when it ends, with a growing wait, and ends them all in order. */
import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { backOffMs } from '../../lib/back-off.js'
import type { Logger } from '../logging.js'
import type { FromProcess, FromSupervisor, Question } from './messages.js'
import { PLACE_VARIABLE, type ProcessPlace } from './process-place.js'

export interface GroupOptions {
  readonly count: number
  /** The file that each process runs, and its arguments. */
  readonly program: string
  readonly args: readonly string[]
  readonly describePlace: (ofGroup: PlaceInGroup) => ProcessPlace
  /** Time in which a process ends in order. What is left after it is killed. */
  readonly stopTimeoutMs: number
  readonly logger: Logger
  /** Called when the first process takes calls. */
  readonly onListening: (where: Listening) => void
  /** Called when a process ends before any of them took calls: the mistake is one of all. */
  readonly onFailedStart: (exitCode: number) => void
}

export interface ProcessGroup {
  start(): void
  /** Returns true when all ended in order and in time. */
  stop(reason: string): Promise<boolean>
  /** Ends all at once. Nothing leaves their sockets afterwards. */
  kill(): void
}

/** Part of a place that the group itself knows. */
export type PlaceInGroup = Pick<ProcessPlace, 'index' | 'count' | 'announces' | 'startsTogether' | 'restarts'>

type Listening = Omit<Extract<FromProcess, { type: 'listening' }>, 'type'>

interface Slot {
  readonly index: number
  worker: Worker | undefined
  startedAtMs: number
  /** Starts that ended early, in a row. */
  failures: number
  /** All starts after the first. */
  restarts: number
  /** Pings in a row without an answer. */
  silent: number
  /** It hears messages. Before, a signal ends it: it has opened nothing yet. */
  hasJoined: boolean
  isListening: boolean
  restart: NodeJS.Timeout | undefined
}

const RESTART_MIN_MS = 250
const RESTART_MAX_MS = 30_000
/** A process that ran for so long had a good start; its next end is a first one. */
const STEADY_AFTER_MS = 60_000
const PING_EVERY_MS = 5_000
/** A process that is silent for a minute does nothing, as a probe of its liveness would find. */
const SILENT_MAX = 12

export function createProcessGroup(options: GroupOptions): ProcessGroup {
  const group = new ForkedGroup(options)
  return {
    start: () => group.start(),
    stop: (reason) => group.stop(reason),
    kill: () => group.kill(),
  }
}

class ForkedGroup {
  readonly #options: GroupOptions
  readonly #log: Logger
  readonly #relay: Relay
  readonly #slots: readonly Slot[]
  #pings: NodeJS.Timeout | undefined
  #hasListened = false
  #hasAnnounced = false
  #stopping: string | undefined

  constructor(options: GroupOptions) {
    this.#options = options
    this.#log = options.logger
    this.#slots = Array.from({ length: options.count }, (_, before) => ({
      index: before + 1,
      worker: undefined,
      startedAtMs: 0,
      failures: 0,
      restarts: 0,
      silent: 0,
      hasJoined: false,
      isListening: false,
      restart: undefined,
    }))
    this.#relay = createRelay(() =>
      this.#slots.flatMap(({ worker, isListening }) => (worker && isListening ? [worker] : [])),
    )
  }

  start(): void {
    const { program, args } = this.#options
    // The primary accepts and deals out. When each process accepts by itself, one of two may get nine tenths of the connections.
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({ exec: program, args: [...args] })
    this.#pings = setInterval(() => this.#ping(), PING_EVERY_MS)
    // The others follow when it has brought the schema up, or has said why it cannot.
    this.#fork(this.#slots[0])
  }

  async stop(reason: string): Promise<boolean> {
    this.#stopping = reason
    clearInterval(this.#pings)
    const ends = this.#slots.flatMap((slot) => {
      clearTimeout(slot.restart)
      return slot.worker === undefined ? [] : [this.#end(slot, slot.worker, reason)]
    })
    const limit = new AbortController()
    const killed = pause(this.#options.stopTimeoutMs, undefined, { signal: limit.signal }).then(
      () => this.#killLeft(),
      () => {},
    )
    const results = await Promise.all(ends)
    limit.abort()
    await killed
    return results.every(Boolean)
  }

  /** Ends a process, by a signal if it does not hear yet. Returns true when it ended in order. */
  #end(slot: Slot, worker: Worker, reason: string): Promise<boolean> {
    const end = new Promise<boolean>((resolve) =>
      worker.once('exit', (code, signal) => resolve(code === 0 || (!slot.hasJoined && signal === 'SIGTERM'))),
    )
    if (slot.hasJoined) send(worker, { type: 'stop', reason })
    else worker.process.kill('SIGTERM')
    return end
  }

  kill(): void {
    this.#stopping ??= 'killed'
    for (const { worker } of this.#slots) worker?.process.kill('SIGKILL')
  }

  #killLeft(): void {
    for (const { index, worker } of this.#slots) {
      if (worker === undefined) continue
      this.#log.error({ number: index, pid: worker.process.pid }, 'A process did not end in time and is killed.')
      worker.process.kill('SIGKILL')
    }
  }

  #fork(slot: Slot | undefined): void {
    if (slot === undefined || this.#stopping !== undefined) return
    const place = this.#options.describePlace({
      index: slot.index,
      count: this.#slots.length,
      announces: slot.index === 1 && !this.#hasAnnounced,
      // Later, a process that ended starts alone, and the others may be away for long.
      startsTogether: !this.#hasListened,
      restarts: this.#restarts(),
    })
    const worker = cluster.fork({ [PLACE_VARIABLE]: JSON.stringify(place) })
    Object.assign(slot, { worker, startedAtMs: performance.now(), silent: 0, hasJoined: false, isListening: false })
    worker.on('message', (message: FromProcess) => this.#hear(slot, worker, message))
    worker.once('exit', (code, signal) => this.#ended(slot, worker, { code, signal }))
    // A channel that closes tells more by the end of the process.
    worker.on('error', (err) => this.#log.debug({ number: slot.index, err }, 'The channel to a process failed.'))
    this.#log.info({ number: slot.index, pid: worker.process.pid }, 'Process started.')
  }

  #hear(slot: Slot, worker: Worker, message: FromProcess): void {
    slot.silent = 0
    switch (message.type) {
      case 'pong':
        return
      case 'joined':
        slot.hasJoined = true
        if (this.#stopping !== undefined) send(worker, { type: 'stop', reason: this.#stopping })
        return
      case 'opened':
        for (const other of this.#slots) if (isFresh(other)) this.#fork(other)
        return
      case 'listening':
        slot.isListening = true
        if (slot.index === 1) this.#hasAnnounced = true
        if (!this.#hasListened) this.#options.onListening(message)
        this.#hasListened = true
        return
      case 'ask':
        void this.#relay.ask(worker, message.question).then((answers) => {
          send(worker, { type: 'answers', id: message.id, answers })
        })
        return
      case 'answer':
        this.#relay.answered(message.id, message.answer)
    }
  }

  #ended(slot: Slot, worker: Worker, end: { code: number | null; signal: string | null }): void {
    if (slot.worker !== worker) return
    Object.assign(slot, { worker: undefined, isListening: false })
    const facts = { number: slot.index, pid: worker.process.pid, ...end }
    if (this.#stopping !== undefined) {
      this.#log.info(facts, 'Process ended.')
      return
    }
    if (!this.#hasListened) {
      this.#options.onFailedStart(end.code === null || end.code === 0 ? 1 : end.code)
      return
    }
    if (performance.now() - slot.startedAtMs > STEADY_AFTER_MS) slot.failures = 0
    const inMs = backOffMs(slot.failures, RESTART_MIN_MS, RESTART_MAX_MS)
    slot.failures += 1
    slot.restarts += 1
    for (const { worker: other } of this.#slots)
      if (other !== undefined) send(other, { type: 'restarts', counts: this.#restarts() })
    this.#log.error({ ...facts, inMs, failures: slot.failures }, 'A process ended. It is started again.')
    slot.restart = setTimeout(() => this.#fork(slot), inMs)
  }

  #restarts(): readonly number[] {
    return this.#slots.map(({ restarts }) => restarts)
  }

  #ping(): void {
    for (const { index, worker, silent } of this.#slots) {
      if (worker === undefined) continue
      if (silent >= SILENT_MAX) {
        this.#log.error({ number: index, pid: worker.process.pid }, 'A process gives no sign of life and is killed.')
        worker.process.kill('SIGKILL')
      } else send(worker, { type: 'ping' })
    }
    for (const slot of this.#slots) slot.silent += 1
  }
}

/** True for a process that was never started. */
function isFresh({ worker, startedAtMs }: Slot): boolean {
  return worker === undefined && startedAtMs === 0
}

function send(worker: Worker, message: FromSupervisor): void {
  if (worker.isConnected()) worker.send(message, undefined, () => {})
}

// Passes the question of one process to the others, and their answers back.

interface Relay {
  /** Resolves with the answers that came in time. Never rejects. */
  ask(by: Asked, question: Question): Promise<readonly unknown[]>
  answered(id: number, answer: unknown): void
}

/** Part of a worker that is asked. */
interface Asked {
  isConnected(): boolean
  send(message: FromSupervisor, handle?: undefined, done?: (error: Error | null) => void): unknown
  once(event: 'exit', listener: () => void): unknown
  off(event: 'exit', listener: () => void): unknown
}

const ANSWER_MAX_MS = 2_000

/** @param listening Returns the processes that take calls. */
export function createRelay(listening: () => readonly Asked[], answerMaxMs = ANSWER_MAX_MS): Relay {
  const waiting = new Map<number, (answer: unknown) => void>()
  let lastId = 0

  function askOne(worker: Asked, question: Question): Promise<unknown> {
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      const end = (answer: unknown): void => {
        clearTimeout(timer)
        worker.off('exit', give)
        waiting.delete(id)
        resolve(answer)
      }
      const give = (): void => end(undefined)
      const timer = setTimeout(give, answerMaxMs)
      waiting.set(id, end)
      worker.once('exit', give)
      if (worker.isConnected()) worker.send({ type: 'question', id, question }, undefined, (error) => error && give())
      else give()
    })
  }

  return {
    async ask(by, question) {
      const others = listening().filter((worker) => worker !== by)
      const answers = await Promise.all(others.map((worker) => askOne(worker, question)))
      return answers.filter((answer) => answer !== undefined)
    },
    answered: (id, answer) => waiting.get(id)?.(answer),
  }
}
