/** Rows of the files in the storage. No actor owns them: any node writes them, in statements of their own. */
import type pg from 'pg'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import { textArray } from './arrays.js'

export interface MediaFile {
  readonly name: string
  readonly mimetype: string
  readonly fileName: string
  readonly sizeBytes: number
}

export interface MediaFiles {
  /** Before a file is stored that a message is to be sent with. */
  beginOutgoing(file: MediaFile, instance: InstanceId, messageid: MessageId): Promise<void>
  /** Before a received file is stored; one of that name may be there already. */
  beginReceived(file: MediaFile, instance: InstanceId): Promise<void>
  /** All of it is in the storage. */
  stored(name: string): Promise<void>
  /** A received file that is in the storage; null when it is not. */
  find(name: string): Promise<MediaFile | null>
  /**
   * Returns files that nobody needs: nothing is queued with them, or they have been kept long enough. Those of an ended campaign stay
   * while it is listed, up to `campaignBytes` for each instance, the oldest of which go first.
   */
  unneeded(
    kept: { readonly outgoingMs: number; readonly receivedMs: number; readonly campaignBytes: number },
    limit: number,
  ): Promise<readonly UnneededFile[]>
  /** After their files. One that was begun again since it was looked at stays: its file may be there again. */
  forgetUnneeded(files: readonly UnneededFile[]): Promise<void>
  /** After its file, whose name nobody uses again. */
  forget(name: string): Promise<void>
}

export interface UnneededFile {
  readonly name: string
  /** As PostgreSQL writes it: a `Date` has no microseconds. */
  readonly created: string
}

const BEGIN = `
  INSERT INTO media_file (name, owner_id, messageid, mimetype, file_name, size_bytes) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (name) DO UPDATE SET created = now(), mimetype = EXCLUDED.mimetype, file_name = EXCLUDED.file_name,
    size_bytes = EXCLUDED.size_bytes`
/** Condition on a file `f`: it is of a campaign with these statuses, or of one that it was copied from. */
const ofCampaign = (status: string): string => `(
  EXISTS (SELECT FROM campaign AS k WHERE k.instance_id = f.owner_id AND k.id = f.messageid AND ${status})
  OR EXISTS (SELECT FROM campaign AS k WHERE k.instance_id = f.owner_id AND k.files_of = f.messageid AND k.files_of <> '' AND ${status}))`
// $1 age of those to be sent, in ms   $2 age of received ones   $3 rows   $4 bytes of campaigns for each instance
const UNNEEDED = `
  WITH listed AS (
    SELECT f.name, sum(f.size_bytes) OVER (PARTITION BY f.owner_id ORDER BY f.created DESC, f.name) AS bytes
    FROM media_file AS f WHERE f.messageid LIKE 'r%' AND ${ofCampaign('true')}
  )
  SELECT f.name, f.created::text FROM media_file AS f
  WHERE f.created < now() - LEAST($1::bigint, $2::bigint) * interval '1 millisecond'
    AND (NOT EXISTS (SELECT FROM instance AS i WHERE i.id = f.owner_id) OR CASE WHEN f.messageid = '' THEN f.created < now() - $2::bigint * interval '1 millisecond'
      ELSE f.created < now() - $1::bigint * interval '1 millisecond' AND NOT EXISTS (
        SELECT FROM message AS m WHERE m.instance_id = f.owner_id AND m."messageid" = f.messageid AND m.outbox = 1)
        AND NOT EXISTS (
        SELECT FROM scheduled_send AS s WHERE s.instance_id = f.owner_id AND s.messageid = f.messageid AND s.status = 'scheduled')
        AND NOT ${ofCampaign("k.status NOT IN ('done', 'deleting')")}
        AND NOT EXISTS (SELECT FROM listed AS l WHERE l.name = f.name AND l.bytes <= $4::bigint) END)
  ORDER BY f.created LIMIT $3`

export function createMediaFiles(pool: pg.Pool): MediaFiles {
  async function begin(file: MediaFile, instance: InstanceId, messageid: string): Promise<void> {
    const { name, mimetype, fileName, sizeBytes } = file
    await pool.query(BEGIN, [name, instance, messageid, mimetype, fileName.replaceAll('\0', ''), sizeBytes])
  }
  return {
    beginOutgoing: begin,
    beginReceived: (file, instance) => begin(file, instance, ''),
    async stored(name) {
      await pool.query('UPDATE media_file SET stored = true WHERE name = $1', [name])
    },
    async find(name) {
      const { rows } = await pool.query<MediaFile>(
        `SELECT name, mimetype, file_name AS "fileName", size_bytes AS "sizeBytes" FROM media_file WHERE name = $1 AND stored`,
        [name],
      )
      return rows[0] ?? null
    },
    async unneeded({ outgoingMs, receivedMs, campaignBytes }, limit) {
      return (await pool.query<UnneededFile>(UNNEEDED, [outgoingMs, receivedMs, limit, campaignBytes])).rows
    },
    async forgetUnneeded(unneeded) {
      await pool.query(
        `DELETE FROM media_file AS f USING unnest($1::text[], $2::text[]) AS u(name, created)
         WHERE f.name = u.name AND f.created = u.created::timestamptz`,
        [textArray(unneeded.map(({ name }) => name)), textArray(unneeded.map(({ created }) => created))],
      )
    },
    async forget(name) {
      await pool.query('DELETE FROM media_file WHERE name = $1', [name])
    },
  }
}
