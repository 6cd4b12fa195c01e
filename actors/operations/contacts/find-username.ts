import { LRUCache } from 'lru-cache'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import type { AskedUsername } from '../../../schemas/username.js'
import { orUnknown } from '../../instance/outcome.js'
import { RateLimit } from '../../instance/rate-limit.js'
import type { FoundUsername } from '../../network/port/contacts.js'
import { type InstanceContext, perInstance } from '../context.js'
import { operation } from '../operation.js'

interface FindUsernameFields extends AskedUsername {
  /** Field of the call that holds the username, for errors. */
  readonly field: string
}

/** Maximum of look-ups of an instance in a minute. */
const LOOK_UPS_PER_MINUTE = 60
const ANSWERS_MAX = 1_000
/** Time for which an answer is used again. A username may pass to another person. */
const ANSWER_KEPT_MS = 5 * 60_000
const NOBODY_KEPT_MS = 60_000

const lookUps = perInstance(() => ({
  answers: new LRUCache<string, FoundUsername>({ max: ANSWERS_MAX, ttl: ANSWER_KEPT_MS }),
  limit: new RateLimit(LOOK_UPS_PER_MINUTE, 60_000),
}))

/**
 * Finds the account of a username.
 * @throws GatewayError NOT_ON_NETWORK, USERNAME_KEY_NEEDED, RATE_LIMITED, NETWORK_REFUSED
 */
export const findUsername = operation('findUsername', {
  repeat: true,
  example: { lid: '100000000000002@lid' as Jid },
  async run(context: InstanceContext, { username, key, field }: FindUsernameFields): Promise<{ readonly lid: Jid }> {
    const found = await lookUpUsername(context, { username, key })
    if (found.kind === 'found') return { lid: found.lid }
    if (found.kind === 'nobody') {
      const why = `no account has the username @${username}`
      throw new GatewayError('NOT_ON_NETWORK', { message: `Invalid ${field}: ${why}.`, details: [{ field, why }] })
    }
    const why = key === '' ? `@${username} has a key: write @${username}:key` : `the key of @${username} is wrong`
    throw new GatewayError('USERNAME_KEY_NEEDED', { message: `Invalid ${field}: ${why}.`, details: [{ field, why }] })
  },
})

/** Asks the network for a username, unless it has answered lately. Stores the name of who was found. */
export async function lookUpUsername(context: InstanceContext, asked: AskedUsername): Promise<FoundUsername> {
  const { answers, limit } = lookUps(context)
  const name = `${asked.username.toLowerCase()}:${asked.key}`
  const known = answers.get(name)
  if (known !== undefined) return known
  const { contacts } = await context.connection()
  if (!limit.take()) throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: 60 })
  const found = await orUnknown(() => contacts.findUsername(asked))
  answers.set(name, found, { ttl: found.kind === 'found' ? ANSWER_KEPT_MS : NOBODY_KEPT_MS })
  if (found.kind === 'found') {
    const contact = { address: { lid: found.lid }, username: asked.username }
    await context.journal.write([{ type: 'contact', contact, announce: true }])
  }
  return found
}
