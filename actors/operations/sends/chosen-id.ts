import { GatewayError } from '../../../schemas/errors.js'
import type { SendRequest } from '../../../schemas/send-request.js'
import { type InstanceContext, perInstance } from '../context.js'

/** Ids of sends that are being accepted, with the `Idempotency-Key` of each. */
const claims = perInstance(() => new Map<string, string | undefined>())

/**
 * Accepts a send whose caller chose its id, unless another message has the id. A call that is repeated under its key is answered as before.
 * @throws GatewayError MESSAGE_ID_USED, and the errors of `send`
 */
export async function withChosenId<Reply>(
  context: InstanceContext,
  command: SendRequest,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const { messageid, idempotencyKey, isChosen, isRepeat } = command
  if (isChosen !== true || isRepeat) return await send()
  const claimed = claims(context)
  const isSame = idempotencyKey !== undefined && claimed.get(messageid) === idempotencyKey
  if (isSame) return await send()
  if (claimed.has(messageid)) throw new GatewayError('MESSAGE_ID_USED')
  claimed.set(messageid, idempotencyKey)
  try {
    if (await isUsed(context, command)) throw new GatewayError('MESSAGE_ID_USED')
    return await send()
  } finally {
    claimed.delete(messageid)
  }
}

async function isUsed({ id, reader, journal }: InstanceContext, { messageid, idempotencyKey: key }: SendRequest) {
  await journal.settled()?.catch(() => {})
  const [messages, scheduled] = await Promise.all([
    reader.messagesById(id, [messageid]),
    reader.scheduledSends(id, [messageid]),
  ])
  if (messages.length + scheduled.length === 0) return false
  if (key === undefined) return true
  const former = (await reader.messageByIdempotencyKey(id, key)) ?? (await reader.scheduledByIdempotencyKey(id, key))
  return former?.messageid !== messageid
}
