/**
 * Writes numbered texts from one account to another, one after the other, as a careful client does: a call that was cut or put off
 * is made again under its Idempotency-Key, so that it happens once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Calls } from '../calls.js'
import type { Instance } from '../instances.js'

export interface Writer {
  readonly from: Instance
  readonly to: Instance
  /** Prefix of every text of this writer, and of no other. */
  readonly prefix: string
  /** The texts that the gateway has taken, in their order. */
  readonly taken: readonly string[]
  readonly counts: {
    /** Calls whose connection was cut before an answer. */
    cut: number
    /** Calls that were answered, but not with 200. */
    putOff: number
    /** From the first try of a text until it was taken. */
    longestMs: number
  }
  /** Undefined while no call is under way. */
  readonly waitsSinceMs: number | undefined
  /** Resolves when what is under way was taken. @throws when a text could not be sent */
  stop(): Promise<void>
}

const BETWEEN_MS = 150
const PATIENCE_MS = 60_000
const REPEAT_AFTER_MS = 200
/** Answers after which the same call may be made again under its key: docs/reference/errors.md. */
const TO_BE_REPEATED = new Set([409, 502, 503, 504])

export function startWriter(calls: Calls, from: Instance, to: Instance): Writer {
  const prefix = `${from.name} to ${to.name} `
  const taken: string[] = []
  const counts = { cut: 0, putOff: 0, longestMs: 0 }
  let waitsSinceMs: number | undefined
  let isStopped = false

  async function write(): Promise<void> {
    for (let number = 1; !isStopped; number += 1) {
      const text = `${prefix}${number}`
      waitsSinceMs = performance.now()
      await sendUntilTaken(text, waitsSinceMs + PATIENCE_MS)
      counts.longestMs = Math.max(counts.longestMs, performance.now() - waitsSinceMs)
      waitsSinceMs = undefined
      taken.push(text)
      await pause(BETWEEN_MS)
    }
  }

  async function sendUntilTaken(text: string, deadlineMs: number): Promise<void> {
    for (;;) {
      const answer = await send(text)
      if (answer?.status === 200) return
      if (answer === undefined) counts.cut += 1
      else counts.putOff += 1
      const said = answer === undefined ? 'was not answered' : `was answered ${answer.status}: ${answer.body}`
      if (answer !== undefined && !TO_BE_REPEATED.has(answer.status)) throw new Error(`"${text}" ${said}`)
      if (performance.now() > deadlineMs)
        throw new Error(`"${text}" was not taken within ${PATIENCE_MS / 1000} s; in the end it ${said}`)
      await pause(REPEAT_AFTER_MS)
    }
  }

  /** Undefined when there was no answer. */
  async function send(text: string): Promise<{ status: number; body: string } | undefined> {
    try {
      const response = await fetch(`${calls.gateway}/send/text`, {
        method: 'POST',
        headers: {
          token: from.token,
          'content-type': 'application/json',
          'idempotency-key': text.replaceAll(' ', '-'),
        },
        body: JSON.stringify({ number: to.phone, text }),
      })
      return { status: response.status, body: await response.text() }
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }

  const writing = write()
  // A failure is thrown to the one who stops it.
  writing.catch(() => {})
  return {
    from,
    to,
    prefix,
    taken,
    counts,
    get waitsSinceMs() {
      return waitsSinceMs
    },
    stop() {
      isStopped = true
      return writing
    },
  }
}
