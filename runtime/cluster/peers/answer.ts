/** Ends of a request to another node: an answer, or its loss. */
export interface Answered {
  readonly type: 'answered'
  readonly status: number
  readonly signature: string
  readonly body: Buffer
}

/**
 * `refused`: nobody listens at the address. `unreachable`: there is no connection for another reason. `reset`: the connection broke.
 * `silent`: no sign of life. `late`: no answer within the time. `aborted`: by the caller. `garbled`: no answer of a node of ours.
 */
export type LossReason = 'refused' | 'unreachable' | 'reset' | 'silent' | 'late' | 'aborted' | 'garbled'

export interface LostCall {
  readonly type: 'lost'
  readonly why: LossReason
  /** False: surely nothing of the request has left, so nothing was done. */
  readonly wasSent: boolean
}

/** The end of a request that surely did not leave, or that changes nothing. */
export function notSent(why: LossReason): LostCall {
  return { type: 'lost', why, wasSent: false }
}

/** The end of a request whose answer is not one of our nodes. */
export function garbled(): LostCall {
  return { type: 'lost', why: 'garbled', wasSent: true }
}
