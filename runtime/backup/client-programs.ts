/** Finds PostgreSQL's own client programs, and gives them the database of our settings without a secret in the list of processes. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../schemas/operator-error.js'
import type { DatabaseConfig } from '../config/stores.js'

// Ours: settings of the operator, names of folders, and answers of PostgreSQL's programs.

const run = promisify(execFile)

export interface ClientPrograms {
  readonly dump: string
  readonly restore: string
  readonly psql: string
}

/** Where Debian and its kin, and Homebrew, put each major version. */
const FOLDERS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']

/**
 * Returns programs of the server's version, or newer ones; an older `pg_dump` refuses a newer server.
 * @throws OperatorError when there are none
 */
export async function findClientPrograms(serverMajor: number, environment = process.env): Promise<ClientPrograms> {
  const onPath = (environment.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
  let newest = 0
  for (const folder of [...onPath, ...FOLDERS.flatMap(versionFolders)]) {
    const major = await majorVersion(path.join(folder, 'pg_dump'))
    newest = Math.max(newest, major)
    if (major < serverMajor) continue
    const [dump, restore, psql] = ['pg_dump', 'pg_restore', 'psql'].map((name) => path.join(folder, name))
    if (dump !== undefined && restore !== undefined && psql !== undefined) return { dump, restore, psql }
  }
  const found = newest === 0 ? 'there is none here' : `the newest one here is of version ${newest}`
  throw new OperatorError(
    `PostgreSQL ${serverMajor} needs its own pg_dump, pg_restore and psql, of version ${serverMajor} or newer, and ${found}. Install postgresql-client-${serverMajor}, or put its folder into PATH.`,
  )
}

function versionFolders(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^((postgresql@)?\d+|libpq)$/.test(name))
      .map((name) => path.join(folder, name, 'bin'))
  } catch {
    return []
  }
}

/** Returns 0 when there is no such program. */
async function majorVersion(program: string): Promise<number> {
  try {
    const { stdout } = await run(program, ['--version'], { timeout: 20_000 })
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? 0)
  } catch {
    return 0
  }
}

export interface ClientPlace {
  /** For `--dbname`; has no password. */
  readonly url: string
  readonly environment: NodeJS.ProcessEnv
}

/** Returns the database past the pooler, if there is one, as libpq reads it. */
export function clientPlace({ url = '', pooler, directUrl, tls }: DatabaseConfig): ClientPlace {
  const given = pooler === 'transaction' && directUrl !== undefined ? directUrl : url
  const { url: bare, password } = withoutPassword(given)
  return {
    url: bare,
    environment: {
      ...process.env,
      ...(password === undefined ? {} : { PGPASSWORD: password }),
      ...(tls.caFile === undefined ? {} : { PGSSLROOTCERT: tls.caFile }),
      ...(tls.certFile === undefined ? {} : { PGSSLCERT: tls.certFile }),
      ...(tls.keyFile === undefined ? {} : { PGSSLKEY: tls.keyFile }),
      // As the gateway connects: an authority verifies the host, and without one there is no TLS unless the URL asks for it.
      PGSSLMODE: tls.caFile === undefined ? 'disable' : 'verify-full',
      PGCONNECT_TIMEOUT: '30',
      PGAPPNAME: 'posthorn backup',
    },
  }
}

/** Takes the password out of a URL of PostgreSQL, where it is before the host or among the parameters. */
export function withoutPassword(url: string): { readonly url: string; readonly password: string | undefined } {
  const [, scheme = '', user = '', inFront, rest = url] =
    /^(postgres(?:ql)?:\/\/)([^:@/?]*)(?::([^/?]*))?@(.*)$/s.exec(url) ?? []
  const bare = scheme === '' ? url : `${scheme}${user}@${rest}`
  const at = bare.indexOf('?')
  const parameters = new URLSearchParams(at < 0 ? '' : bare.slice(at + 1))
  const inside = parameters.get('password')
  if (inside === null) return { url: bare, password: inFront === undefined ? undefined : decodeURIComponent(inFront) }
  parameters.delete('password')
  const query = parameters.toString()
  return { url: `${bare.slice(0, at)}${query === '' ? '' : `?${query}`}`, password: inside }
}
