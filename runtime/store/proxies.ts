/** Proxies of instances as rows. The owner of an instance reads its row at each connection. */
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { ProxyDirectory } from '../../schemas/ports/instances.js'
import { parseProxySettings } from '../../schemas/proxy.js'
import type { Encryption } from './encryption.js'

// $1 instance
const FIND = 'SELECT settings, tested FROM instance_proxy WHERE instance_id = $1'
// $1 instance   $2 settings, sealed
const SET = `
  INSERT INTO instance_proxy (instance_id, settings) SELECT id, $2::bytea FROM instance WHERE id = $1 AND exported_at IS NULL FOR SHARE
  ON CONFLICT (instance_id) DO UPDATE SET settings = EXCLUDED.settings, tested = now()`
// $1 instance
const REMOVE = `
  DELETE FROM instance_proxy USING instance AS i
  WHERE instance_id = $1 AND i.id = instance_id AND i.exported_at IS NULL`
// $1 instance
const IS_EXPORTED = 'SELECT exported_at IS NOT NULL AS exported FROM instance WHERE id = $1'

export function createProxies(pool: pg.Pool, encryption: Encryption): Omit<ProxyDirectory, 'test'> {
  return {
    async find(instance) {
      const [row] = (await pool.query<{ settings: Buffer; tested: Date }>(FIND, [instance])).rows
      if (row === undefined) return null
      const settings = parseProxySettings(encryption.open(row.settings, instance, 'proxy').toString())
      return settings === null ? null : { ...settings, tested: row.tested }
    },

    async set(instance, { url, fallback }) {
      const sealed = encryption.seal(Buffer.from(JSON.stringify({ url, fallback })), instance, 'proxy')
      const { rowCount } = await pool.query(SET, [instance, sealed])
      if (rowCount === 0) throw await whyNot(instance)
    },

    async remove(instance) {
      const { rowCount } = await pool.query(REMOVE, [instance])
      if (rowCount === 0 && (await whyNot(instance)).code === 'INSTANCE_EXPORTED')
        throw new GatewayError('INSTANCE_EXPORTED')
    },
  }

  async function whyNot(instance: string): Promise<GatewayError> {
    const [row] = (await pool.query<{ exported: boolean }>(IS_EXPORTED, [instance])).rows
    return new GatewayError(row?.exported === true ? 'INSTANCE_EXPORTED' : 'INSTANCE_NOT_FOUND')
  }
}
