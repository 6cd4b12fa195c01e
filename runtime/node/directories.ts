import type { AccessKeys, Passes } from '../../schemas/ports/access.js'
import type { DialectInstances } from '../../schemas/ports/dialects.js'
import { createAccessKeys } from '../store/access-keys.js'
import { createAdminTokens, type KeptAdminTokens } from '../store/admin-tokens.js'
import { createDialectInstances, keepRotatedToken } from '../store/dialect-instances.js'
import { createInstances, type Instances } from '../store/instances.js'
import { createPasses } from '../store/passes.js'
import { createTokenCopies, type TokenCopies } from '../store/token-copies.js'
import type { NodeContext } from './context.js'
import type { Stores } from './stores.js'

/** Instances and tokens: rows in SQL with a short memory on each node. */
export interface Directories {
  readonly instances: Instances
  readonly dialects: DialectInstances
  readonly accessKeys: AccessKeys
  readonly adminTokens: KeptAdminTokens
  readonly passes: Passes
  readonly tokenCopies: TokenCopies
}

/** Time that a pairing takes besides its window: its turn among the logins, and the way to its node. */
const PAIRING_SLACK_MS = 30_000
/** Time of all steps of a pairing with a passkey: ten minutes to sign, and three for each of three later steps. */
const PASSKEY_MAX_MS = 19 * 60_000

export async function openDirectories(
  { config, events, logger }: NodeContext,
  { database, secrets, installation, encryption }: Stores,
): Promise<Directories> {
  const { max, pairingsMax, qrWindowMs, pairingCodeWindowMs } = config.instances
  const { passkeyPairing } = config.network
  const tokenCopies = createTokenCopies(database.pool, encryption, config.webhooks.token)
  const instances = createInstances(database, {
    instancesMax: max,
    pairingsMax,
    pairingMaxMs: Math.max(qrWindowMs, pairingCodeWindowMs) + PAIRING_SLACK_MS + (passkeyPairing ? PASSKEY_MAX_MS : 0),
    searchTimeoutMs: config.database.searchTimeoutMs,
    onCreated: tokenCopies.keep,
    async onRotated(client, id, token) {
      await keepRotatedToken(client, encryption, id, token)
      await tokenCopies.keep(client, id, token)
    },
    onWritten: (id) => events.emit('instanceWritten', id),
  })
  const accessKeys = createAccessKeys({
    pool: database.pool,
    onWritten(id) {
      instances.forget([id])
      events.emit('instanceWritten', id)
    },
  })
  const adminTokens = createAdminTokens({
    pool: database.pool,
    own: secrets.adminToken,
    salt: installation.id,
    onWritten: () => events.emit('administratorsWritten'),
  })
  if (!(await adminTokens.open()))
    logger.warn('ADMIN_TOKEN was rotated away and is not accepted. Set another one, or unset it.')
  const passes = createPasses({ pool: database.pool, adminTokenHash: adminTokens.storedHash })
  const dialects = createDialectInstances(database.pool, encryption)
  return { instances, dialects, accessKeys, adminTokens, passes, tokenCopies }
}
