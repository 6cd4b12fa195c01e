/** Rows of attempts to deliver: those that failed, and some of those that succeeded. Each webhook keeps its newest of either kind. */
import type { InstanceId } from '../../../schemas/ids.js'
import { bigintArray, intArray, textArray } from '../arrays.js'
import type { Statements } from './connection.js'

/** What was sent, and the answer. */
export interface DeliveryExchange {
  readonly url: string
  /** 0 when there was no answer. */
  readonly statusCode: number
  readonly durationMs: number
  /** Headers of the request. */
  readonly headers: Readonly<Record<string, string>>
  /** Beginning of the answer's body. */
  readonly answer: string
}

/** A failed attempt as it is listed to callers. */
export interface DeliveryFailure extends DeliveryExchange {
  readonly event: string
  readonly messageType: string
  readonly error: string
  /** Cut to 4,000 characters. */
  readonly payload: string
}

/** A delivery that a receiver took. */
export interface DeliverySuccess extends DeliveryExchange {
  readonly position: number
  /** Attempts that it took. */
  readonly attempts: number
}

/** An attempt with its place. */
interface Attempt<Exchange> {
  readonly instance: InstanceId
  readonly webhookId: string
  readonly position: number
  readonly attempts: number
  readonly exchange: Exchange
}

/** Failed attempts, and deliveries that were taken, that are kept for each webhook. */
const ROWS_KEPT = 100
const PAYLOAD_CHARACTERS = 4_000
export const ERROR_CHARACTERS = 500
const ANSWER_CHARACTERS = 1_000

// $1 webhooks   $2 instances   $3 positions   $4 attempts   $5 urls   $6 status codes   $7 durations   $8 headers   $9 answers
// $10 events   $11 message types   $12 errors   $13 payloads
const INSERT_ERRORS = `
  INSERT INTO webhook_error (webhook_id, instance_id, position, attempts, url, status_code, duration_ms, headers, answer,
    event, message_type, error, payload)
  SELECT u.webhook_id::uuid, u.instance_id, u.position, u.attempts, u.url, u.status_code, u.duration_ms, u.headers, u.answer,
    u.event, u.message_type, u.error, u.payload
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[],
      $10::text[], $11::text[], $12::text[], $13::text[])
    AS u(webhook_id, instance_id, position, attempts, url, status_code, duration_ms, headers, answer, event, message_type, error, payload)`
// $1 to $9 as above
const INSERT_SUCCESSES = `
  INSERT INTO webhook_success (webhook_id, instance_id, position, attempts, url, status_code, duration_ms, headers, answer)
  SELECT u.webhook_id::uuid, u.instance_id, u.position, u.attempts, u.url, u.status_code, u.duration_ms, u.headers, u.answer
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[])
    AS u(webhook_id, instance_id, position, attempts, url, status_code, duration_ms, headers, answer)`
// The newest row that goes is looked for once for each webhook, not for each of its rows.
// $1 webhooks   $2 how many are kept
const trim = (table: string) => `
  WITH ends AS MATERIALIZED (
    SELECT w.id, (SELECT newest.id FROM ${table} AS newest WHERE newest.webhook_id = w.id ORDER BY newest.id DESC OFFSET $2 LIMIT 1) AS last
    FROM (SELECT DISTINCT webhook_id::uuid AS id FROM unnest($1::text[]) AS webhook_id) AS w
  )
  DELETE FROM ${table} AS e USING ends WHERE e.webhook_id = ends.id AND e.id <= ends.last`
const TRIM_ERRORS = trim('webhook_error')
const TRIM_SUCCESSES = trim('webhook_success')

export function sendFailures(client: Statements, attempts: readonly Attempt<DeliveryFailure>[]): Promise<unknown>[] {
  if (attempts.length === 0) return []
  const failures = attempts.map(({ exchange }) => exchange)
  return [
    client.query(INSERT_ERRORS, [
      ...toColumns(attempts),
      textArray(failures.map((one) => one.event)),
      textArray(failures.map((one) => one.messageType)),
      textArray(failures.map((one) => one.error.slice(0, ERROR_CHARACTERS))),
      textArray(failures.map((one) => one.payload.slice(0, PAYLOAD_CHARACTERS))),
    ]),
    client.query(TRIM_ERRORS, [encodeWebhooks(attempts), ROWS_KEPT]),
  ]
}

export function sendSuccesses(client: Statements, attempts: readonly Attempt<DeliveryExchange>[]): Promise<unknown>[] {
  if (attempts.length === 0) return []
  return [
    client.query(INSERT_SUCCESSES, toColumns(attempts)),
    client.query(TRIM_SUCCESSES, [encodeWebhooks(attempts), ROWS_KEPT]),
  ]
}

function toColumns(attempts: readonly Attempt<DeliveryExchange>[]): Buffer[] {
  const exchanges = attempts.map(({ exchange }) => exchange)
  return [
    encodeWebhooks(attempts),
    textArray(attempts.map((one) => one.instance)),
    bigintArray(attempts.map((one) => one.position)),
    intArray(attempts.map((one) => one.attempts)),
    textArray(exchanges.map((one) => one.url)),
    intArray(exchanges.map((one) => one.statusCode)),
    intArray(exchanges.map((one) => Math.round(one.durationMs))),
    textArray(exchanges.map((one) => JSON.stringify(one.headers))),
    textArray(exchanges.map((one) => one.answer.slice(0, ANSWER_CHARACTERS))),
  ]
}

function encodeWebhooks(attempts: readonly Attempt<DeliveryExchange>[]): Buffer {
  return textArray(attempts.map((one) => one.webhookId))
}
