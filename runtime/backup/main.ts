/**
 * `posthorn backup` and `posthorn restore`, or `node dist/backup.js backup` and `… restore`: with the settings of the environment, as a gateway has them.
 * The path of a finished backup is the only line on stdout.
 */
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { errorText } from '../../lib/error-text.js'
import { OperatorError } from '../../schemas/operator-error.js'
import { type Config, readConfig } from '../config.js'
import { makeBackup } from './make-backup.js'
import { restoreBackup } from './restore-backup.js'
import { backupName, deleteOldBackups, waitMs } from './rotation.js'

const USAGE = `usage: posthorn backup [<folder>] [--without-keys]
       posthorn backup --in <folder> [--keep <backups>] [--every <hours>] [--without-keys]
       posthorn restore <folder> [--replace]

  backup   copies PostgreSQL, files and keys of the gateway with these settings into a new folder; the gateway may run
           --in     makes a folder with the time as its name in this one
           --keep   then deletes all but the newest backups there
           --every  continues: makes a backup whenever the newest one is so old
  restore  puts a backup in place; an embedded gateway must be stopped, nodes on an external PostgreSQL notice and reconnect
`

class UsageError extends Error {}

async function main(typed: readonly string[]): Promise<void> {
  const [name, ...rest] = typed
  if (name === 'backup') return await backup(rest)
  if (name === 'restore') return await restore(rest)
  throw new UsageError('Type backup or restore.')
}

const HOUR_MS = 3_600_000
/** Time between an attempt that failed and the next one, with `--every`. */
const RETRY_MS = 600_000

async function backup(typed: readonly string[]): Promise<void> {
  const { words, values } = read(
    typed,
    {
      'without-keys': { type: 'boolean' },
      in: { type: 'string' },
      keep: { type: 'string' },
      every: { type: 'string' },
    },
    [0, 1],
  )
  const withKeys = values['without-keys'] !== true
  const keep = wholeNumber(values, 'keep', 1_000)
  const every = wholeNumber(values, 'every', 500)
  if (values.in === undefined) {
    if (keep !== undefined || every !== undefined) throw new UsageError('--keep and --every need --in <folder>.')
    await backUp(path.resolve(words[0] ?? backupName(new Date())), withKeys)
    return
  }
  if (words.length > 0) throw new UsageError('Name the folder of the backup, or the one for all backups (--in).')
  const folder = path.resolve(String(values.in))
  if (every === undefined) await backUpInto(folder, keep, withKeys)
  else await backUpEvery(every * HOUR_MS, folder, keep, withKeys)
}

/** Makes a backup whenever the newest one is old enough, until the process ends. */
async function backUpEvery(
  everyMs: number,
  folder: string,
  keep: number | undefined,
  withKeys: boolean,
): Promise<never> {
  for (;;) {
    try {
      await wait(await waitMs(folder, everyMs))
      await backUpInto(folder, keep, withKeys)
    } catch (error) {
      note(`${describeError(error)} The next attempt is in ${RETRY_MS / 60_000} minutes.`)
      await wait(RETRY_MS)
    }
  }
}

/** Deletes old backups only after a new one is there. */
async function backUpInto(folder: string, keep: number | undefined, withKeys: boolean): Promise<void> {
  await backUp(path.join(folder, backupName(new Date())), withKeys)
  if (keep === undefined) return
  for (const deleted of await deleteOldBackups(folder, keep)) note(`Deleted ${deleted}.`)
}

async function backUp(target: string, withKeys: boolean): Promise<void> {
  const config = readConfig(process.env)
  const startedAt = performance.now()
  const { folder, manifest, mediaFiles } = await makeBackup(config, target, { withKeys })
  const { kind, postgres, content, hasKeys } = manifest
  const seconds = Math.max(1, Math.round((performance.now() - startedAt) / 1000))
  note(
    `Backed up the ${kind} PostgreSQL ${postgres} and ${filesText(config, mediaFiles)} in ${seconds} s (${megabytes(content.bytes)} MB).`,
  )
  note(
    hasKeys
      ? 'The encryption key and tokens are in secrets.json. Keep this folder as safe as the gateway itself.'
      : 'The encryption key is not in it. Keep the key elsewhere: without it nobody can read the accounts.',
  )
  process.stdout.write(`${folder}\n`)
}

/** @throws UsageError unless the option is a whole number from 1 to `max` */
function wholeNumber(values: Readonly<Record<string, unknown>>, name: string, max: number): number | undefined {
  const { [name]: given } = values
  if (given === undefined) return undefined
  const number = Number(given)
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}.`)
  return number
}

function filesText({ media }: Config, count: number | null): string {
  if (count !== null) return count === 1 ? '1 file' : `${count} files`
  return media.storage === 's3' ? `no files (they are in the bucket ${media.s3.bucket})` : 'no files'
}

async function restore(typed: readonly string[]): Promise<void> {
  const { words, values } = read(typed, { replace: { type: 'boolean' } }, [1, 1])
  const config = readConfig(process.env)
  const mayReplace = values.replace === true
  const { manifest, instances, formerFolder, formerSecrets } = await restoreBackup(
    config,
    path.resolve(words[0] ?? ''),
    { mayReplace },
  )
  note(
    `Restored ${instances === 1 ? '1 instance' : `${instances} instances`} as of ${manifest.madeAt}. Everything newer is missing.`,
  )
  if (formerFolder !== undefined)
    note(`The former database is kept in ${formerFolder}. Delete it when you no longer need it.`)
  if (formerSecrets !== undefined) note(`The former secrets are kept in ${formerSecrets}.`)
  note(
    manifest.kind === 'embedded'
      ? 'Start the gateway. Its instances connect again without a new pairing.'
      : 'Nodes that run notice within two seconds and connect their instances again. If none runs, start one.',
  )
  note('Tokens and keys are those of that time too: rotate them if some were withdrawn since.')
}

function read(
  typed: readonly string[],
  options: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>,
  [min, max]: readonly [number, number],
): { readonly words: readonly string[]; readonly values: Readonly<Record<string, unknown>> } {
  try {
    const { positionals, values } = parseArgs({ args: [...typed], allowPositionals: true, options })
    if (positionals.length < min) throw new Error('The folder of the backup is missing.')
    if (positionals.length > max) throw new Error(`"${positionals[max]}" is a word too many; use quotes.`)
    return { words: positionals, values }
  } catch (error) {
    throw new UsageError(errorText(error), { cause: error })
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)
}

function describeError(error: unknown): string {
  return error instanceof OperatorError ? error.message : `It failed: ${errorText(error)}`
}

function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    note(`${error.message}\n${USAGE}`)
    process.exitCode = 2
  } else {
    note(describeError(error))
    process.exitCode = 1
  }
}
