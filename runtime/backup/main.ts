/**
 * `posthorn backup` and `posthorn restore`, or `node dist/backup.js backup` and `… restore`: with the settings of the environment, as a gateway has them.
 * The path of a finished backup is the only line on stdout.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { errorText } from '../../schemas/error-text.js'
import { OperatorError } from '../../schemas/operator-error.js'
import { type Config, readConfig } from '../config.js'
import { makeBackup } from './make-backup.js'
import { restoreBackup } from './restore-backup.js'

const USAGE = `usage: posthorn backup [<folder>] [--without-keys]
       posthorn restore <folder> [--replace]

  backup   copies PostgreSQL, files and keys of the gateway with these settings into a new folder; the gateway may run
  restore  puts a backup in place; an embedded gateway must be stopped, nodes on an external PostgreSQL notice and reconnect
`

class UsageError extends Error {}

async function main(typed: readonly string[]): Promise<void> {
  const [name, ...rest] = typed
  if (name === 'backup') return await backup(rest)
  if (name === 'restore') return await restore(rest)
  throw new UsageError('Type backup or restore.')
}

async function backup(typed: readonly string[]): Promise<void> {
  const { words, values } = read(typed, { 'without-keys': { type: 'boolean' } }, [0, 1])
  const config = readConfig(process.env)
  const name = `posthorn-backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const startedAt = performance.now()
  const withKeys = values['without-keys'] !== true
  const { folder, manifest, mediaFiles } = await makeBackup(config, path.resolve(words[0] ?? name), { withKeys })
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
  options: Readonly<Record<string, { readonly type: 'boolean' }>>,
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
    note(error instanceof OperatorError ? error.message : `It failed: ${errorText(error)}`)
    process.exitCode = 1
  }
}
