/** Reads the time of a send from its body. */
import type { SendOptions } from '../../../schemas/generated.js'
import type { RequestedSchedule } from '../../../schemas/send-request.js'
import { readSendTime } from '../../../schemas/send-time.js'

type TimeFields = Pick<SendOptions, 'send_at' | 'timezone' | 'expire_after'>

/** Returns true if the send leaves later than its call, so that its files must be kept until then. */
export function leavesLater({ async, send_at }: Pick<SendOptions, 'async' | 'send_at'>): boolean {
  return async === true || send_at !== undefined
}

/**
 * Returns the time at which a message is to be sent; null without `send_at`. The instance decides whether that is now.
 * @param warnings sentences for the caller are added to it
 * @throws GatewayError INVALID_REQUEST
 */
export function scheduleOf(
  { send_at, timezone, expire_after }: TimeFields,
  warnings: string[] = [],
): RequestedSchedule | null {
  if (send_at === undefined) {
    if (timezone) warnings.push('timezone: there is no send_at, ignored')
    if (expire_after !== undefined) warnings.push('expire_after: there is no send_at, ignored')
    return null
  }
  const { warning, ...time } = readSendTime(send_at, timezone, Date.now())
  if (warning !== undefined) warnings.push(warning)
  return { ...time, ...(expire_after === undefined ? {} : { expireAfterMs: expire_after }) }
}
