/** Reads the requests about deliveries, and makes their answers. */
import { deliveryFailure } from '../../schemas/delivery-failure.js'
import { GatewayError } from '../../schemas/errors.js'
import type {
  DeliveriesQuery,
  DeliveriesReply,
  Delivery,
  DeliveryReply,
  ReceiverFiguresReply,
} from '../../schemas/generated.js'
import type { InstanceId } from '../../schemas/ids.js'
import type {
  DeliveryId,
  DeliveryQuery,
  DeliveryRow,
  ReceiverFigures,
  ShownDelivery,
} from '../../schemas/ports/deliveries.js'

// Bound: 1,048,576, a body or header of a request.

type Type = Delivery['type']

const LIMIT_DEFAULT = 50
const BODY_CHARACTERS = 262_144
const ID_FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\w{1,40})\.(\d{1,15})$/

export function deliveryQuery({ event, from, to, limit, ...query }: DeliveriesQuery): DeliveryQuery {
  return {
    ...query,
    ...(event === undefined ? {} : { kinds: [event] }),
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(to === undefined ? {} : { to: new Date(to) }),
    limit: limit ?? LIMIT_DEFAULT,
  }
}

export function deliveriesPage(
  page: { deliveries: readonly DeliveryRow[]; next: string | null },
  type: Type,
): DeliveriesReply {
  return { deliveries: page.deliveries.map((row) => deliveryRecord(row, type)), next: page.next }
}

/** @throws GatewayError DELIVERY_NOT_FOUND for an id of another form */
export function readDeliveryId(text = ''): DeliveryId {
  const id = parseDeliveryId(text)
  if (id === null) throw new GatewayError('DELIVERY_NOT_FOUND')
  return id
}

/** Returns null for a text of another form. */
export function parseDeliveryId(text: string): DeliveryId | null {
  const [, webhookId, instance, sequence] = ID_FORM.exec(text) ?? []
  if (webhookId === undefined) return null
  return { webhookId, instance: instance as InstanceId, sequence: Number(sequence) }
}

export function shownDelivery({ delivery, attempts, body }: ShownDelivery, type: Type): DeliveryReply {
  return {
    delivery: deliveryRecord(delivery, type),
    attempts: attempts.map((one) => ({
      at: one.at.toISOString(),
      attempt: one.number,
      url: one.url,
      status_code: one.statusCode,
      error: one.error === '' ? null : one.error,
      code: deliveryFailure(one.error, one.statusCode).code,
      durationMs: one.durationMs,
      headers: one.headers,
      answer: one.answer,
    })),
    body: body.slice(0, BODY_CHARACTERS),
    bodyIsCut: body.length > BODY_CHARACTERS,
  }
}

function deliveryRecord(row: DeliveryRow, type: Type): Delivery {
  const hasEnded = row.ended !== null
  const failure = deliveryFailure(row.error, row.statusCode)
  return {
    id: `${row.webhookId}.${row.instance}.${row.sequence}`,
    webhook_id: row.webhookId,
    instance_id: row.instance,
    type,
    eventId: row.eventId,
    event: row.kind,
    sequence: row.sequence,
    created: row.created.toISOString(),
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    endedAt: row.ended?.toISOString() ?? null,
    url: hasEnded ? row.url : null,
    status_code: hasEnded || row.state === 'failed' ? failure.statusCode : null,
    error: row.error === '' ? null : row.error,
    code: failure.code,
    durationMs: row.durationMs,
  }
}

export const FIGURES_HOURS = 24

export function receiverFiguresReply(figures: readonly ReceiverFigures[], hours: number): ReceiverFiguresReply {
  return {
    at: new Date().toISOString(),
    hours,
    webhooks: figures.map(({ webhookId, hours: rows }) => ({
      webhook_id: webhookId,
      rows: rows.map(({ at, delivered, failed, averageMs, slowestMs }) => ({
        at: at.toISOString(),
        delivered,
        failed,
        averageSeconds: toSeconds(averageMs),
        slowestSeconds: toSeconds(slowestMs),
      })),
    })),
  }
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1_000
}
