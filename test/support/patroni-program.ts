/** Patroni, etcd and the programs of PostgreSQL that Patroni runs: from packages that are fetched, over the Python of the machine. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  cachedProgram,
  type DebianProgram,
  type FetchedProgram,
  fetchProgram,
} from '../../runtime/embedded/debian-program.js'
import { testCacheFolder } from './cache-folder.js'

// Ours: files of the system.

export interface PatroniPrograms {
  readonly etcd: string
  /** Begins the command of Patroni. */
  readonly patroni: readonly [string, string]
  /** The folder with `postgres`, `pg_rewind` and the others. */
  readonly postgresFolder: string
  readonly environment: NodeJS.ProcessEnv
}

/** Packages of Python that the packages of Patroni and of its way to etcd need. */
const PYTHON = ['cdiff', 'click', 'colorama', 'dateutil', 'dnspython', 'etcd', 'pkg-resources', 'prettytable']
  .concat(['psutil', 'psycopg2', 'six', 'tz', 'urllib3', 'wcwidth', 'yaml'])
  .map((name) => `python3-${name}`)
const INTERPRETER = '/usr/bin/python3'

/** Tells why there can be no Patroni on this machine; null if there can. */
export function whyNoPatroni(): string | null {
  if (!existsSync('/etc/debian_version')) return 'Patroni is fetched from the packages of Debian and Ubuntu only.'
  return existsSync(INTERPRETER) ? null : `There is no ${INTERPRETER}.`
}

/** @throws what apt says when there is none */
export async function findPatroni(): Promise<PatroniPrograms> {
  const cache = testCacheFolder()
  const wanted: DebianProgram = {
    name: 'patroni',
    packages: ['patroni', ...PYTHON, 'etcd-server', ...(postgresIn('/') === null ? postgresPackages() : [])],
    file: 'usr/bin/etcd',
    showVersion: '--version',
  }
  const { program: etcd, environment }: FetchedProgram =
    cachedProgram(wanted, cache) ?? (await fetchProgram(wanted, cache))
  const root = path.resolve(path.dirname(etcd), '../..')
  const postgresFolder = postgresIn(root) ?? postgresIn('/')
  if (postgresFolder === null) throw new Error(`${root} has no PostgreSQL: remove it, and it is fetched again.`)
  return {
    etcd,
    patroni: [INTERPRETER, path.join(root, 'usr/bin/patroni')],
    postgresFolder,
    environment: { ...environment, PYTHONPATH: path.join(root, 'usr/lib/python3/dist-packages') },
  }
}

/** Returns the newest PostgreSQL below a folder that has what Patroni needs. */
function postgresIn(root: string): string | null {
  const all = path.join(root, 'usr/lib/postgresql')
  if (!existsSync(all)) return null
  const versions = readdirSync(all).sort((one, other) => Number(other) - Number(one))
  const found = versions
    .map((version) => path.join(all, version, 'bin'))
    .find((bin) => existsSync(path.join(bin, 'pg_rewind')))
  return found ?? null
}

function postgresPackages(): readonly string[] {
  const release = /^VERSION_ID="?([^"\n]*)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''
  const version = { '12': 15, '13': 17, '22.04': 14, '24.04': 16 }[release]
  if (version === undefined) throw new Error(`Which PostgreSQL release ${release} has is not known.`)
  return [`postgresql-${version}`, `postgresql-client-${version}`]
}
