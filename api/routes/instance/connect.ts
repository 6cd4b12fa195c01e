import { GatewayError } from '../../../schemas/errors.js'
import type { ConnectReply, ConnectRequest } from '../../../schemas/generated.js'
import { parseNumber } from '../../../schemas/jid.js'
import { instanceRecord, recordFor } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'
import { parseInUseSince } from './update-delay-settings.js'

export const connectInstance = instanceRoute<ConnectRequest>({
  method: 'POST',
  path: '/instance/connect',
  name: 'connectInstance',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  audited: true,
  summary: 'Connect the instance; when it is not paired, answers with a QR code, or with a pairing code for a `phone`',
  schema: 'instance/connect.json',
  errors: [
    'INVALID_NUMBER',
    'NOT_SUPPORTED',
    'INSTANCE_LIMIT',
    'PAIRING_LIMIT',
    'INSTANCE_EXPORTED',
    'PAIRING_FAILED',
    'NETWORK_UNREACHABLE',
    'PROXY_FAILED',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance, key, body }, { ports, options }): Promise<ConnectReply> {
    const { browser, number_in_use_since: since } = body
    const inUseSinceMs = since === undefined ? undefined : parseInUseSince(since)
    const phone = phoneOf(body.phone)
    // Stores the wish before the attempt, so that the owner connects the instance even if this node ends.
    await ports.instances.setDesired(instance.id, true)
    const live = await ports.router.ask(instance.id, {
      type: 'connect',
      waitMs: options.connectWaitMs,
      ...(phone === undefined ? {} : { phone }),
      ...(browser === undefined ? {} : { browser }),
      ...(inUseSinceMs === undefined ? {} : { inUseSinceMs }),
    })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    const { connected, loggedIn, jid } = live
    return { connected, loggedIn, jid, instance: recordFor(key, await instanceRecord(row, options, live)) }
  },
})

/** Returns the digits of the number; undefined for a QR code. @throws GatewayError INVALID_NUMBER */
function phoneOf(given: string | undefined): string | undefined {
  if (given === undefined || given.trim() === '') return undefined
  const digits = parseNumber(given, 'phone')
  if (digits.length >= 10) return digits
  const why = 'must be a phone number with country code, 10 to 15 digits'
  throw new GatewayError('INVALID_NUMBER', { message: `Invalid phone: it ${why}.`, details: [{ field: 'phone', why }] })
}
