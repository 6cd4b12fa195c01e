/**
 * Copies the folder of the embedded PostgreSQL while it runs, as PostgreSQL describes in "Making a Base Backup Using the Low-Level API": the files as
 * they are, the log from the start of the copy to its end, and a label that says where to begin in it. The embedded PostgreSQL brings no pg_dump.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { copyFolder } from './copy-files.js'

// Ours: names of PostgreSQL's files.

/** Folders whose contents PostgreSQL makes again at its start. */
const EMPTY_FOLDERS = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]
const SKIPPED =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|current_logfiles)$|(^|\/)(pg_internal\.init|pgsql_tmp[^/]*)$/
const LOG_FILE = /^[0-9A-F]{24}$/

/** Returns the time of the copy: everything committed before is in it. */
export async function copyRunningPostgres(connectionString: string, folder: string, target: string): Promise<Date> {
  const client = new Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Ends with this connection. Until then PostgreSQL keeps all of its log.
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [`posthorn_backup_${process.pid}`])
    const { rows: started } = await client.query<{ log: string }>(
      "SELECT pg_walfile_name(pg_backup_start('posthorn backup', fast => true)) AS log",
    )
    await copyFolder(folder, target, { includes: isCopied })
    const { rows: stopped } = await client.query<{ label: string; spaces: string; log: string; at: Date }>(
      `SELECT labelfile AS label, spcmapfile AS spaces, pg_walfile_name(lsn) AS log, clock_timestamp() AS at
       FROM pg_backup_stop(wait_for_archive => false)`,
    )
    const [from, end] = [started[0]?.log, stopped[0]]
    if (from === undefined || end === undefined)
      throw new Error('PostgreSQL did not say where its backup begins and ends.')
    await writeFile(path.join(target, 'backup_label'), end.label, { mode: 0o600, flush: true })
    if (end.spaces !== '')
      await writeFile(path.join(target, 'tablespace_map'), end.spaces, { mode: 0o600, flush: true })
    await copyLog(path.join(folder, 'pg_wal'), path.join(target, 'pg_wal'), from, end.log)
    return end.at
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Copies the folder of a PostgreSQL that does not run. */
export async function copyStoppedPostgres(folder: string, target: string): Promise<Date> {
  await copyFolder(folder, target, { includes: (entry) => !/^postmaster\.(pid|opts)$/.test(entry) })
  return new Date()
}

function isCopied(entry: string): boolean {
  const [top = '', ...below] = entry.split(path.sep)
  if (below.length > 0 && (top === 'pg_wal' || EMPTY_FOLDERS.includes(top))) return false
  return !SKIPPED.test(entry.split(path.sep).join('/'))
}

async function copyLog(from: string, to: string, first: string, last: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  // `includes` is asked for names only, and a file of the log has the name of its timeline and place.
  await copyFolder(from, to, {
    includes: (name) => name.endsWith('.history') || (LOG_FILE.test(name) && name >= first && name <= last),
  })
  const has = new Set(await readdir(to))
  if (!has.has(first) || !has.has(last)) throw new Error(`PostgreSQL's log from ${first} to ${last} is not whole.`)
}
