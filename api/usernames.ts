/** Calls take a username (`@name` or `@name:key`) wherever they take the number of a person. */
import type { CommandRouter } from '../actors/operations/router.js'
import type { ErrorCode } from '../schemas/errors.js'
import type { InstanceId } from '../schemas/ids.js'
import { parseUsername } from '../schemas/username.js'

/** Field of a body, or part of a path, that may hold a username. */
const FIELD = 'number'

/** Errors of calls that take a username. */
export const usernameErrors = [
  'NOT_ON_NETWORK',
  'USERNAME_KEY_NEEDED',
  'NETWORK_REFUSED',
] as const satisfies readonly ErrorCode[]

/**
 * Replaces a username by the LID of its account, so that handlers see addresses only.
 * @throws GatewayError INVALID_NUMBER, NOT_ON_NETWORK, USERNAME_KEY_NEEDED, RATE_LIMITED, and the errors of the router
 */
export async function resolveUsername(fields: unknown, instance: InstanceId, router: CommandRouter): Promise<void> {
  if (typeof fields !== 'object' || fields === null) return
  const given = fields as Record<string, unknown>
  const { [FIELD]: number } = given
  const asked = typeof number === 'string' ? parseUsername(number, FIELD) : null
  if (asked === null) return
  const { lid } = await router.ask(instance, { type: 'findUsername', ...asked, field: FIELD })
  given[FIELD] = lid
}
