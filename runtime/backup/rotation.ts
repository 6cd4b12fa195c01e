/** Keeps the newest backups of a folder, and says when the next one is due. */
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../../schemas/operator-error.js'
import { readMadeAt } from './manifest.js'

// Ours: names of folders that we gave.

const NAME = /^posthorn-backup-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/
const DRAFT = /^(posthorn-backup-[^.]{1,40})\.unfinished-\d+$/
const HOUR_MS = 3_600_000
/** A backup that was cut off is deleted after this time: until then it may be under way on another machine. */
const DRAFT_LIFE_MS = 48 * HOUR_MS

export interface KeptBackup {
  readonly folder: string
  readonly madeAt: Date
}

/** Returns the name of a backup that begins now. */
export function backupName(now: Date): string {
  return `posthorn-backup-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

/** Lists the finished backups in a folder, the newest first. Other folders, and backups with other names, are left out. */
export async function listBackups(folder: string): Promise<readonly KeptBackup[]> {
  const names = await namesIn(folder)
  const found = names
    .filter((name) => NAME.test(name))
    .flatMap((name) => {
      const madeAt = readMadeAt(path.join(folder, name))
      return madeAt === null ? [] : [{ folder: path.join(folder, name), madeAt }]
    })
  return found.sort((one, other) => other.madeAt.getTime() - one.madeAt.getTime())
}

/** Deletes all but the newest `keep` backups, and backups that were cut off long ago. Returns the folders that it deleted. */
export async function deleteOldBackups(folder: string, keep: number, now = new Date()): Promise<readonly string[]> {
  const old = (await listBackups(folder)).slice(keep).map((backup) => backup.folder)
  const cutOff = (await namesIn(folder)).filter((name) => isAbandoned(name, now)).map((name) => path.join(folder, name))
  for (const one of [...old, ...cutOff]) await rm(one, { recursive: true, force: true })
  return [...old, ...cutOff]
}

/** Returns the time until the next backup is due: 0 if there is none, or if the newest one is `everyMs` old. */
export async function waitMs(folder: string, everyMs: number, now = new Date()): Promise<number> {
  const [newest] = await listBackups(folder)
  if (newest === undefined) return 0
  // A clock that was set back must not put the next backup off for long.
  return Math.min(everyMs, Math.max(0, newest.madeAt.getTime() + everyMs - now.getTime()))
}

function isAbandoned(name: string, now: Date): boolean {
  const begun = parseBeginning(DRAFT.exec(name)?.[1] ?? '')
  return begun !== null && now.getTime() - begun > DRAFT_LIFE_MS
}

function parseBeginning(name: string): number | null {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? []
  return day === undefined ? null : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    throw new OperatorError(`The folder ${folder} for backups cannot be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}
