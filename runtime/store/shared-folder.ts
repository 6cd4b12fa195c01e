/** Makes sure that the nodes of MEDIA_STORAGE=shared have one folder: a path that is the same may still be a disk of each machine. */
import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { OperatorError } from '../../schemas/operator-error.js'

export const MARK = '.shared-folder-of-posthorn'
const META_KEY = 'media_folder'

/**
 * Compares the mark in this folder with the one that the other nodes have found. Where no other node runs, the folder of this node counts from
 * now on.
 * @throws OperatorError when other nodes use another folder, or this one cannot be written
 */
export async function joinSharedFolder(pool: pg.Pool, folder: string, nodeId: string): Promise<void> {
  const mark = await readMark(folder).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `MEDIA_FOLDER is ${folder}, which this user (uid ${process.getuid?.()}) cannot write (${error.code ?? error.message}); give it to this user with chown.`,
      { cause: error },
    )
  })
  await pool.query('INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [META_KEY, mark])
  const { rows } = await pool.query<{ value: string }>('SELECT value FROM meta WHERE key = $1', [META_KEY])
  if (rows[0]?.value === mark) return
  const { rowCount } = await pool.query('SELECT FROM node WHERE NOT dead AND node_id <> $1 LIMIT 1', [nodeId])
  if ((rowCount ?? 0) > 0)
    throw new OperatorError(
      `MEDIA_FOLDER is ${folder}, which is not the folder of the other nodes: files that one node stores would be missing on the others. Mount the same volume on all nodes, or stop the others to move to this one.`,
    )
  await pool.query('UPDATE meta SET value = $2 WHERE key = $1', [META_KEY, mark])
}

/** Returns the mark of the folder. The first node makes it; of two that try at once one succeeds. */
async function readMark(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, MARK)
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, randomUUID(), { mode: 0o600, flush: true })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
  return await readFile(file, 'utf8')
}
