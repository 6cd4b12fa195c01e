import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { parseProxySettings } from '../../../schemas/proxy.js'
import { textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { keptStatement, queryKept } from '../kept-statements.js'

const CREDENTIALS = `
  SELECT c.data, i.exported_at IS NOT NULL AS exported
  FROM instance_credentials AS c LEFT JOIN instance AS i ON i.id = c.instance_id WHERE c.instance_id = $1`
const KEYS = keptStatement(
  'keys',
  'SELECT id, data FROM signal_key WHERE instance_id = $1 AND kind = $2 AND id = ANY($3::text[])',
)
const keysNamed = (source: string) => `
  SELECT k.kind, k.id, k.data FROM ${source} AS wanted (kind, id)
  JOIN signal_key AS k ON k.instance_id = $1 AND k.kind = wanted.kind AND k.id = wanted.id`
const KEYS_NAMED = keysNamed('unnest($2::text[], $3::text[])')
const FEW_KEYS_MAX = 4
// Of arrays PostgreSQL does not know how long they are, and would make another plan for each.
const FEW_KEYS_NAMED = keptStatement(
  'few_keys_named',
  keysNamed('(VALUES ($2::text, $3::text), ($4::text, $5::text), ($6::text, $7::text), ($8::text, $9::text))'),
)
const KEY_PAGE = 'SELECT id, data FROM signal_key WHERE instance_id = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4'

const PROXY = 'SELECT settings FROM instance_proxy WHERE instance_id = $1'

interface StoredKey {
  readonly id: string
  readonly data: Buffer
}

type NamedKey = StoredKey & KeyName

interface KeyName {
  readonly kind: string
  readonly id: string
}

function arraysOf(instance: InstanceId, names: readonly KeyName[]): unknown[] {
  return [instance, textArray(names.map(({ kind }) => kind)), textArray(names.map(({ id }) => id))]
}

/** With nulls, which name no key, for those that are not wanted. */
function pairsOf(instance: InstanceId, names: readonly KeyName[]): unknown[] {
  const pairs = Array.from({ length: FEW_KEYS_MAX }, (_, index) => [names[index]?.kind, names[index]?.id])
  return [instance, ...pairs.flat()]
}

/** Reads credentials and Signal keys of an instance. */
export function secretReads(
  pool: pg.Pool,
  encryption: Encryption,
): Pick<InstanceReader, 'credentials' | 'proxy' | 'keys' | 'keysNamed' | 'keyPage'> {
  return {
    async credentials(instance) {
      const { rows } = await pool.query<{ data: Buffer; exported: boolean | null }>(CREDENTIALS, [instance])
      // Another installation connects with them.
      if (rows[0]?.exported === true) throw new GatewayError('INSTANCE_EXPORTED')
      return rows[0] === undefined ? null : encryption.open(rows[0].data, instance, 'credentials')
    },

    async proxy(instance) {
      const { rows } = await pool.query<{ settings: Buffer }>(PROXY, [instance])
      if (rows[0] === undefined) return null
      const settings = parseProxySettings(encryption.open(rows[0].settings, instance, 'proxy').toString())
      // Without its proxy nothing of the instance may leave.
      if (settings === null) throw new Error('The stored proxy of the instance cannot be read.')
      return settings
    },

    async keys(instance, kind, ids) {
      const keys = new Map<string, Uint8Array>()
      if (ids.length === 0) return keys
      const rows = await queryKept<StoredKey>(pool, KEYS, [instance, kind, textArray(ids)])
      for (const { id, data } of rows) keys.set(id, encryption.open(data, instance, kind, id))
      return keys
    },

    async keysNamed(instance, names) {
      const rows =
        names.length > FEW_KEYS_MAX
          ? (await pool.query<NamedKey>(KEYS_NAMED, arraysOf(instance, names))).rows
          : await queryKept<NamedKey>(pool, FEW_KEYS_NAMED, pairsOf(instance, names))
      return new Map(rows.map(({ kind, id, data }) => [`${kind}:${id}`, encryption.open(data, instance, kind, id)]))
    },

    async keyPage(instance, kind, after, limit) {
      const { rows } = await pool.query<StoredKey>(KEY_PAGE, [instance, kind, after, limit])
      return new Map(rows.map(({ id, data }) => [id, encryption.open(data, instance, kind, id)]))
    },
  }
}
