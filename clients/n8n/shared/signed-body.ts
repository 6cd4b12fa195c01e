import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300

interface Signed {
  readonly rawBody?: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readRawBody?(): Promise<void>
}

export interface Delivery {
  /** Names the event. A repeated delivery has the same. */
  readonly id: string
  readonly event: Record<string, unknown>
}

/** Returns the delivery if its signature is of the secret and it is not old, else null. Reads the bytes as they came. */
export async function signedBody(request: Signed, secret: string, nowMs = Date.now()): Promise<Delivery | null> {
  if (request.rawBody === undefined) await request.readRawBody?.()
  const { rawBody, headers } = request
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  )
  if (
    rawBody === undefined ||
    typeof id !== 'string' ||
    typeof timestamp !== 'string' ||
    typeof signatures !== 'string'
  )
    return null
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return null
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest()
  const isSigned = signatures.split(' ').some((one) => {
    const given = Buffer.from(one.startsWith('v1,') ? one.slice(3) : '', 'base64')
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
  return isSigned ? { id, event: JSON.parse(rawBody.toString('utf8')) as Record<string, unknown> } : null
}
