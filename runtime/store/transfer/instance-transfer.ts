/** Instances on their way from one installation to another: marked here and read into a file, or written from one. */
import { once } from 'node:events'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import type { CarriedParts, InstanceTransfer } from '../../../api/ports.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { Encryption } from '../encryption.js'
import { shardOf } from '../shard.js'
import { giveBack } from './give-back.js'
import { readInstance } from './read-instance.js'
import { damaged, openFile, sealFile } from './sealed-file.js'
import { writeInstance } from './write-instance.js'

export interface InstanceTransferOptions {
  readonly pool: pg.Pool
  readonly encryption: Encryption
  /** Its row was written: what nodes keep of it in memory is outdated. */
  readonly onWritten: (id: InstanceId) => void
}

// $1 the instance. Of what waits to be sent, files lie in the storage of this installation.
const UNSENT = `
  SELECT count(*) AS unsent, count(*) FILTER (WHERE f.messageid IS NOT NULL) AS files
  FROM message AS m
  LEFT JOIN (SELECT DISTINCT messageid FROM media_file WHERE owner_id = $1 AND messageid <> '') AS f USING (messageid)
  WHERE m.instance_id = $1 AND m.outbox > 0`

// The lock on the shard waits for the transaction of the journal that is under way; the next one finds the mark.
const LOCK_SHARD = 'SELECT epoch FROM shard_owner WHERE shard = $1 FOR UPDATE'

// $1 the instance   $2 the epoch
const MARK = `
  UPDATE instance
  SET exported_at = now(), status = 'disconnected', status_epoch = $2, last_disconnect = now(),
    last_disconnect_reason = 'Exported to another installation.', updated = now()
  WHERE id = $1 AND NOT desired_connected AND exported_at IS NULL
  RETURNING id`

export function createInstanceTransfer({ pool, encryption, onWritten }: InstanceTransferOptions): InstanceTransfer {
  return {
    check: (id, parts) => check(pool, id, parts),

    async mark(id, parts) {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const { rows } = await client.query<{ epoch: number }>(LOCK_SHARD, [shardOf(id)])
        await check(client, id, parts)
        const { rowCount } = await client.query(MARK, [id, rows[0]?.epoch ?? 0])
        if (rowCount !== 1) throw new GatewayError('INSTANCE_CONNECTED')
        await client.query('COMMIT')
        client.release()
      } catch (error) {
        await giveBack(client, error)
        throw error
      }
      onWritten(id)
    },

    async unmark(id) {
      const { rowCount } = await pool.query('UPDATE instance SET exported_at = NULL, updated = now() WHERE id = $1', [
        id,
      ])
      if (rowCount !== 1) throw new GatewayError('INSTANCE_NOT_FOUND')
      onWritten(id)
    },

    async read(id, passphrase, parts) {
      const gzip = createGzip()
      const rows = Readable.from(readInstance(pool, encryption, id, parts), { objectMode: false })
      const file = Readable.from(sealFile(gzip, passphrase), { objectMode: false })
      pipeline(rows, gzip, (error) => {
        if (error) file.destroy(error)
      })
      file.once('close', () => rows.destroy())
      // Whoever gets a status 200 has the beginning of a file.
      await once(file, 'readable')
      return file
    },

    async write(file, passphrase) {
      const gunzip = createGunzip()
      pipeline(Readable.from(openFile(file, passphrase)), gunzip, () => {})
      const id = await writeInstance(pool, encryption, gunzip).catch((error: unknown) => {
        throw (error as { code?: string }).code?.startsWith('Z_') ? damaged() : error
      })
      onWritten(id)
      return id
    },
  }
}

async function check(client: Pick<pg.Pool, 'query'>, id: InstanceId, { messages }: CarriedParts): Promise<void> {
  const { rows: known } = await client.query<{ paired: boolean; exported: boolean }>(
    `SELECT i.owner_jid IS NOT NULL AND c.instance_id IS NOT NULL AS paired, i.exported_at IS NOT NULL AS exported
     FROM instance AS i LEFT JOIN instance_credentials AS c ON c.instance_id = i.id WHERE i.id = $1`,
    [id],
  )
  if (known[0] === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
  if (known[0].exported) throw new GatewayError('INSTANCE_EXPORTED')
  if (!known[0].paired) throw new GatewayError('INSTANCE_NOT_PAIRED')
  const { rows } = await client.query<{ unsent: number; files: number }>(UNSENT, [id])
  const { unsent, files } = rows[0] ?? { unsent: 0, files: 0 }
  if ((unsent > 0 && !messages) || files > 0) throw new GatewayError('SENDS_WAITING', { details: { unsent, files } })
}
