/** Instances on their way from one installation to another: marked here and read into a file, or written from one. */
import { once } from 'node:events'
import { pipeline as pipe, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { CarriedParts, InstanceTransfer } from '../../../schemas/ports/transfer.js'
import { CREATION_LOCK } from '../campaigns/creation.js'
import type { Encryption } from '../encryption.js'
import { inTransaction, writeOnce } from '../in-transaction.js'
import { splitLines } from './lines.js'
import { readInstanceData } from './read-instance.js'
import { damagedExport, invalidExport, openFile, sealFile } from './sealed-file.js'
import { type WriteOptions, writeInstance } from './write-instance.js'

export interface InstanceTransferOptions extends Pick<WriteOptions, 'webhooksMax' | 'checkWebhook'> {
  readonly pool: pg.Pool
  readonly encryption: Encryption
  readonly limits: {
    /** Maximum of bytes of the unpacked content of a file. */
    readonly bytesMax: number
    /** Maximum time of one export or import. Each holds a connection and a transaction. */
    readonly timeoutMs: number
  }
  /** Called when the row was written: nodes must forget it. */
  readonly onWritten: (id: InstanceId) => void
}

/** Maximum of exports and imports of this node under way. More are refused. */
const AT_ONCE = 2
const RETRY_AFTER_SECONDS = 5
/** Maximum of campaigns that an error names. */
const CAMPAIGNS_NAMED = 20

// $1 the instance. Of what waits to be sent, files lie in the storage of this installation.
const UNSENT = `
  SELECT count(*) AS unsent, count(*) FILTER (WHERE f.messageid IS NOT NULL) AS files
  FROM (
    SELECT "messageid" AS messageid FROM message WHERE instance_id = $1 AND outbox > 0
    UNION ALL
    SELECT messageid FROM scheduled_send WHERE instance_id = $1 AND status = 'scheduled'
  ) AS m
  LEFT JOIN (SELECT DISTINCT messageid FROM media_file WHERE owner_id = $1 AND messageid <> '') AS f USING (messageid)`

// Unfinished campaigns, and those of them that have files.
const CAMPAIGNS = `
  SELECT k.id, EXISTS (SELECT FROM media_file AS f
      WHERE f.owner_id = $1 AND (f.messageid = k.id OR f.messageid = k.files_of AND k.files_of <> '')) AS "hasFiles"
  FROM campaign AS k WHERE k.instance_id = $1 AND k.status NOT IN ('done', 'deleting') ORDER BY k.created, k.id`

// The lock on the shard waits for the transaction of the journal that is under way; the next one finds the mark.
const LOCK_SHARD = 'SELECT epoch FROM shard_owner WHERE shard = shard_of($1) FOR UPDATE'

// $1 the instance   $2 the epoch
const MARK = `
  UPDATE instance
  SET exported_at = now(), status = 'disconnected', status_epoch = $2, last_disconnect = now(),
    last_disconnect_reason = 'Exported to another installation.', updated = now()
  WHERE id = $1 AND NOT desired_connected AND exported_at IS NULL
  RETURNING id`

// $1 the instance
const UNMARK = 'UPDATE instance SET exported_at = NULL, updated = now() WHERE id = $1'
const STATE = `
  SELECT i.owner_jid IS NOT NULL AND c.instance_id IS NOT NULL AS paired, i.exported_at IS NOT NULL AS exported
  FROM instance AS i LEFT JOIN instance_credentials AS c ON c.instance_id = i.id WHERE i.id = $1`

export function createInstanceTransfer(options: InstanceTransferOptions): InstanceTransfer {
  const { pool, onWritten } = options
  const begin = limitTransfers()
  return {
    check: (id, parts) => check(pool, id, parts),
    async mark(id, parts) {
      await mark(pool, id, parts)
      onWritten(id)
    },
    async unmark(id) {
      const { rowCount } = await writeOnce(pool, UNMARK, [id])
      if (rowCount !== 1) throw new GatewayError('INSTANCE_NOT_FOUND')
      onWritten(id)
    },
    async read(id, passphrase, parts) {
      return await exportFile(options, readInstanceData(pool, options.encryption, id, parts), passphrase, begin())
    },
    async write(file, passphrase) {
      const id = await importFile(options, file, passphrase, begin())
      onWritten(id)
      return id
    },
  }
}

/** Returns a function that begins a transfer and returns the function that ends it. @throws GatewayError RATE_LIMITED */
function limitTransfers(): () => () => void {
  let underWay = 0
  return () => {
    if (underWay >= AT_ONCE)
      throw new GatewayError('RATE_LIMITED', {
        message: `This node has ${AT_ONCE} exports and imports under way already; nothing was changed.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    underWay += 1
    return () => {
      underWay -= 1
    }
  }
}

async function mark(pool: pg.Pool, id: InstanceId, parts: CarriedParts): Promise<void> {
  await inTransaction(pool, async (client) => {
    // A campaign that is being created is stored before the mark, or refused after it. First, since the journal waits for the next lock.
    await client.query(CREATION_LOCK, [id])
    const { rows } = await client.query<{ epoch: number }>(LOCK_SHARD, [id])
    await check(client, id, parts)
    const { rowCount } = await client.query(MARK, [id, rows[0]?.epoch ?? 0])
    if (rowCount !== 1) throw new GatewayError('INSTANCE_CONNECTED')
  })
}

/** Packs and seals the rows. Resolves when the beginning of the file can be read. Calls `done` when the file is closed. */
async function exportFile(
  { limits }: InstanceTransferOptions,
  content: ReturnType<typeof readInstanceData>,
  passphrase: string,
  done: () => void,
): Promise<Readable> {
  const gzip = createGzip()
  const rows = Readable.from(content, { objectMode: false })
  const file = Readable.from(sealFile(gzip, passphrase), { objectMode: false })
  pipe(rows, gzip, (error) => {
    if (error) file.destroy(error)
  })
  // A reader that takes no more bytes would hold the transaction for ever.
  const timer = setTimeout(() => file.destroy(new Error('The export takes too long.')), limits.timeoutMs)
  file.once('close', () => {
    clearTimeout(timer)
    rows.destroy()
    done()
  })
  // A caller that gets a status 200 has the beginning of a file.
  await once(file, 'readable')
  return file
}

/** Opens, unpacks and writes a file. Calls `done` at its end. */
async function importFile(
  options: InstanceTransferOptions,
  file: Parameters<InstanceTransfer['write']>[0],
  passphrase: string,
  done: () => void,
): Promise<InstanceId> {
  const { bytesMax, timeoutMs } = options.limits
  const endsMs = performance.now() + timeoutMs
  let packedBytes = 0
  async function* opened(): AsyncGenerator<Buffer> {
    for await (const part of openFile(file, passphrase)) {
      packedBytes += part.length
      yield part
    }
  }
  const gunzip = createGunzip()
  const unpacking = pipeline(Readable.from(opened()), gunzip).catch(() => {})
  const lines = splitLines(gunzip, {
    bytesMax,
    packedBytes: () => packedBytes,
    check() {
      if (performance.now() > endsMs) throw invalidExport(`The import takes longer than ${timeoutMs} ms.`)
    },
  })
  try {
    return await writeInstance({ ...options, lines })
  } catch (error) {
    throw (error as { code?: string }).code?.startsWith('Z_') ? damagedExport() : error
  } finally {
    gunzip.destroy()
    await unpacking
    done()
  }
}

async function check(client: Pick<pg.Pool, 'query'>, id: InstanceId, { messages }: CarriedParts): Promise<void> {
  const { rows: known } = await client.query<{ paired: boolean; exported: boolean }>(STATE, [id])
  if (known[0] === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
  if (known[0].exported) throw new GatewayError('INSTANCE_EXPORTED')
  if (!known[0].paired) throw new GatewayError('INSTANCE_NOT_PAIRED')
  const { rows } = await client.query<{ unsent: number; files: number }>(UNSENT, [id])
  const { unsent, files } = rows[0] ?? { unsent: 0, files: 0 }
  if ((unsent > 0 && !messages) || files > 0) throw new GatewayError('SENDS_WAITING', { details: { unsent, files } })
  await checkCampaigns(client, id, messages)
}

/** @throws GatewayError SENDS_WAITING for unfinished campaigns that would stay behind, or whose files would */
async function checkCampaigns(client: Pick<pg.Pool, 'query'>, id: InstanceId, messages: boolean): Promise<void> {
  const { rows } = await client.query<{ id: string; hasFiles: boolean }>(CAMPAIGNS, [id])
  const staying = rows.filter(({ hasFiles }) => hasFiles || !messages).map((row) => row.id)
  if (staying.length === 0) return
  const why = messages
    ? 'have files, which stay in the storage of this installation'
    : 'are unfinished, and travel with the messages only'
  throw new GatewayError('SENDS_WAITING', {
    message: `The campaigns ${staying.slice(0, CAMPAIGNS_NAMED).join(', ')} ${why}: let them end, or delete what they have not sent.`,
    details: { campaigns: staying.slice(0, CAMPAIGNS_NAMED) },
  })
}
