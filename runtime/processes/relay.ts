/** Passes the question of one process to the others, and their answers back. */
import type { FromSupervisor, Question } from './messages.js'

export interface Relay {
  /** Resolves with the answers that came in time. Never rejects. */
  ask(by: Asked, question: Question): Promise<readonly unknown[]>
  answered(id: number, answer: unknown): void
}

/** Part of a worker that is asked. */
export interface Asked {
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
