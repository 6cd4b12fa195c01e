/** Messages between the supervisor and its processes. */

export type Question = 'readiness' | 'metrics'

/** Answers of one process, by question. */
export interface ProcessAnswers {
  readonly readiness: { readonly nodeId: string; readonly ready: boolean; readonly reasons: readonly string[] }
  /** Text for Prometheus. */
  readonly metrics: string
}

export type FromSupervisor =
  | { readonly type: 'ping' }
  | { readonly type: 'stop'; readonly reason: string }
  /** Number of times that each process was started again, the first one first. */
  | { readonly type: 'restarts'; readonly counts: readonly number[] }
  | { readonly type: 'question'; readonly id: number; readonly question: Question }
  | { readonly type: 'answers'; readonly id: number; readonly answers: readonly unknown[] }

export type FromProcess =
  /** The process hears from now on, and asks for its orders: what was sent before is lost. */
  | { readonly type: 'joined' }
  | { readonly type: 'pong' }
  /** The process uses PostgreSQL, whose schema is the newest, and Redis. */
  | { readonly type: 'opened' }
  /** The process takes calls, and has shown what a person should read. */
  | { readonly type: 'listening'; readonly host: string; readonly port: number; readonly url: string }
  /** Asks all other processes that take calls. `answers` with the same id follows. */
  | { readonly type: 'ask'; readonly id: number; readonly question: Question }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
