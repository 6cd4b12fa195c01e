/** Outcomes of deliveries: done, to be tried again, or given up. */

import type { InstanceId } from '../../../schemas/ids.js'
import { bigintArray, intArray, textArray } from '../arrays.js'
import type { Statements } from './connection.js'
import {
  type DeliveryFailure,
  type DeliverySuccess,
  ERROR_CHARACTERS,
  sendFailures,
  sendSuccesses,
} from './delivery-attempts.js'

interface Place {
  readonly webhookId: string
  readonly lane: number
}

export type DeliveryOutcome =
  | (Place & {
      readonly type: 'delivered'
      readonly positions: readonly number[]
      /** Those of them that are recorded. */
      readonly successes?: readonly DeliverySuccess[]
    })
  | (Place & {
      readonly type: 'retry'
      readonly position: number
      readonly attempts: number
      /** Time until its next attempt. It counts from the write, by PostgreSQL's clock. */
      readonly waitMs: number
      readonly failure: DeliveryFailure
    })
  /** Moves to the dead letters; the lane goes on with what comes after it. */
  | (Place & {
      readonly type: 'dead'
      readonly position: number
      readonly attempts: number
      readonly failure: DeliveryFailure
    })

// $1 webhooks   $2 lanes   $3 positions
const DELETE_DELIVERED = `
  DELETE FROM delivery AS d USING unnest($1::text[], $2::bigint[], $3::bigint[]) AS u(webhook_id, lane, position)
  WHERE d.webhook_id = u.webhook_id::uuid AND d.lane = u.lane AND d.position = u.position`
// $1 webhooks   $2 lanes   $3 positions   $4 attempts   $5 wait in ms   $6 errors
const UPDATE_RETRIES = `
  UPDATE delivery AS d SET attempts = u.attempts, last_error = u.error,
    next_attempt_at = clock_timestamp() + u.wait_ms * interval '1 millisecond'
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::int[], $5::bigint[], $6::text[])
    AS u(webhook_id, lane, position, attempts, wait_ms, error)
  WHERE d.webhook_id = u.webhook_id::uuid AND d.lane = u.lane AND d.position = u.position`
// $1 webhooks   $2 lanes   $3 positions   $4 attempts   $5 errors   $6 urls   $7 status codes
const BURY = `
  WITH dead AS (
    DELETE FROM delivery AS d
    USING unnest($1::text[], $2::bigint[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::int[])
      AS u(webhook_id, lane, position, attempts, error, url, status_code)
    WHERE d.webhook_id = u.webhook_id::uuid AND d.lane = u.lane AND d.position = u.position
    RETURNING d.webhook_id, d.position, d.lane, d.instance_id, u.attempts, u.error, u.url, u.status_code
  )
  INSERT INTO dead_letter (webhook_id, position, lane, instance_id, attempts, last_error, url, status_code)
  SELECT * FROM dead ON CONFLICT DO NOTHING`
type Retry = Extract<DeliveryOutcome, { type: 'retry' }>
type Dead = Extract<DeliveryOutcome, { type: 'dead' }>

export class DeliveryChanges {
  readonly #delivered: (Place & { position: number })[] = []
  readonly #retries: Retry[] = []
  readonly #dead: Dead[] = []
  readonly #failures: { instance: InstanceId; outcome: Retry | Dead }[] = []
  readonly #successes: { instance: InstanceId; webhookId: string; success: DeliverySuccess }[] = []

  add(instance: InstanceId, outcomes: readonly DeliveryOutcome[]): void {
    for (const outcome of outcomes) {
      switch (outcome.type) {
        case 'delivered':
          for (const position of outcome.positions) {
            this.#delivered.push({ webhookId: outcome.webhookId, lane: outcome.lane, position })
          }
          for (const success of outcome.successes ?? [])
            this.#successes.push({ instance, webhookId: outcome.webhookId, success })
          break
        case 'retry':
          this.#retries.push(outcome)
          this.#failures.push({ instance, outcome })
          break
        case 'dead':
          this.#dead.push(outcome)
          this.#failures.push({ instance, outcome })
          break
        default:
          outcome satisfies never
      }
    }
  }

  send(client: Statements): Promise<unknown>[] {
    const sent: Promise<unknown>[] = []
    if (this.#delivered.length > 0) sent.push(client.query(DELETE_DELIVERED, places(this.#delivered)))
    if (this.#retries.length > 0) {
      sent.push(
        client.query(UPDATE_RETRIES, [
          ...places(this.#retries),
          intArray(this.#retries.map((one) => one.attempts)),
          bigintArray(this.#retries.map((one) => Math.round(one.waitMs))),
          textArray(this.#retries.map((one) => one.failure.error.slice(0, ERROR_CHARACTERS))),
        ]),
      )
    }
    if (this.#dead.length > 0) {
      sent.push(
        client.query(BURY, [
          ...places(this.#dead),
          intArray(this.#dead.map((one) => one.attempts)),
          textArray(this.#dead.map((one) => one.failure.error.slice(0, ERROR_CHARACTERS))),
          textArray(this.#dead.map((one) => one.failure.url)),
          intArray(this.#dead.map((one) => one.failure.statusCode)),
        ]),
      )
    }
    const failures = this.#failures.map(({ instance, outcome }) => ({
      instance,
      ...outcome,
      exchange: outcome.failure,
    }))
    const successes = this.#successes.map(({ success, ...of }) => ({ ...of, ...success, exchange: success }))
    return [...sent, ...sendFailures(client, failures), ...sendSuccesses(client, successes)]
  }
}

function places(all: readonly (Place & { position: number })[]): Buffer[] {
  return [
    textArray(all.map((one) => one.webhookId)),
    bigintArray(all.map((one) => one.lane)),
    bigintArray(all.map((one) => one.position)),
  ]
}
