/** Where PostgreSQL is, as plain data that a thread can be given, made from the settings; and what can be wrong with them. */
import type pg from 'pg'
import { readTls, type TlsFiles, type TlsPlace, tlsMistakes } from './tls.js'

// Ours: settings of the operator, and errors of our stores.

/** Holds secrets: never logged. */
export interface DatabasePlace {
  readonly connectionString: string
  /** Undefined: no TLS. */
  readonly tls?: TlsPlace & { readonly verifies: Verification }
  /** The way around a pooler, if `connectionString` leads to one that may give each transaction another session. */
  readonly direct?: Omit<DatabasePlace, 'direct'>
}

/** Settings of a connection. `isPooled`: each transaction may run in another session, so a session keeps nothing. */
export interface DatabaseClientConfig extends pg.ClientConfig {
  readonly isPooled?: boolean
}

/** As `require`, `verify-ca` and `verify-full` of libpq: nothing, who has signed the certificate, also that it is for this host. */
type Verification = 'nothing' | 'authority' | 'host'

export interface DatabaseSettings {
  readonly url: string | undefined
  readonly tls: TlsFiles
  readonly pooler?: 'session' | 'transaction'
  readonly directUrl?: string | undefined
  /** Of a replica. */
  readonly readUrl?: string | undefined
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full']
/** The file parameters of libpq, and our settings of the same meaning. */
const fileParameters = { sslrootcert: 'CA', sslcert: 'CERT', sslkey: 'KEY' } as const

/** Undefined when no setting names one. @throws Error when there are mistakes */
export function databasePlace(settings: DatabaseSettings): DatabasePlace | undefined {
  const { url, tls, pooler, directUrl } = settings
  if (url === undefined) return undefined
  const place = placeAt(url, tls)
  return pooler === 'transaction' && directUrl !== undefined ? { ...place, direct: placeAt(directUrl, tls) } : place
}

/** Returns where the replica is; undefined when no setting names one. @throws Error when there are mistakes */
export function replicaPlace({ readUrl, tls }: DatabaseSettings): DatabasePlace | undefined {
  return readUrl === undefined ? undefined : placeAt(readUrl, tls)
}

function placeAt(url: string, tls: TlsFiles): Omit<DatabasePlace, 'direct'> {
  const { connectionString, mode, files, isSocket } = readUrl(url, tls)
  const verifies = verification(mode, files)
  if (verifies === undefined || isSocket) return { connectionString }
  return { connectionString, tls: { ...readTls(files), verifies } }
}

/**
 * Returns the options of `new pg.Client` and `new pg.Pool`. Switches TLS off explicitly where there is none, because `pg` would read PGSSLMODE.
 */
export function clientConfigAt({ connectionString, tls }: DatabasePlace): pg.ClientConfig {
  if (tls === undefined) return { connectionString, ssl: false }
  const { verifies, ...pem } = tls
  return {
    connectionString,
    ssl: {
      ...pem,
      rejectUnauthorized: verifies !== 'nothing',
      ...(verifies === 'authority' ? { checkServerIdentity: () => undefined } : {}),
    },
  }
}

/** A sentence for each; none shows a secret. */
export function databaseMistakes(settings: DatabaseSettings): string[] {
  return [...poolerMistakes(settings), ...urlMistakes(settings), ...replicaMistakes(settings)]
}

function replicaMistakes({ url, tls, readUrl }: DatabaseSettings): string[] {
  if (readUrl === undefined) return []
  if (url === undefined) return ['DATABASE_READ_URL: is of no use without DATABASE_URL.']
  const ofUrl = new Set(urlMistakes({ url, tls }))
  return urlMistakes({ url: readUrl, tls })
    .filter((mistake) => !ofUrl.has(mistake))
    .map((mistake) => mistake.replaceAll('DATABASE_URL', 'DATABASE_READ_URL'))
}

function poolerMistakes({ url, tls, pooler, directUrl }: DatabaseSettings): string[] {
  if (pooler !== 'transaction')
    return directUrl === undefined ? [] : ['DATABASE_DIRECT_URL: is of no use without DATABASE_POOLER=transaction.']
  if (url === undefined) return ['DATABASE_POOLER: is of no use without DATABASE_URL.']
  if (directUrl === undefined)
    return [
      'DATABASE_DIRECT_URL: must be set when DATABASE_POOLER is transaction; it leads to PostgreSQL past the pooler.',
    ]
  // Mistakes in files are told once, for DATABASE_URL.
  const ofUrl = new Set(urlMistakes({ url, tls }))
  return urlMistakes({ url: directUrl, tls })
    .filter((mistake) => mistake.startsWith('DATABASE_URL:') || !ofUrl.has(mistake))
    .map((mistake) => mistake.replaceAll('DATABASE_URL', 'DATABASE_DIRECT_URL'))
}

function urlMistakes(settings: Pick<DatabaseSettings, 'url' | 'tls'>): string[] {
  const { url, tls } = settings
  if (url === undefined) {
    const isSet = Object.values(tls).some((file) => file !== undefined)
    return isSet ? ['DATABASE_TLS_CA_FILE, _CERT_FILE and _KEY_FILE: are of no use without DATABASE_URL.'] : []
  }
  if (!isDatabaseUrl(url)) return ['DATABASE_URL: is not a valid URL.']
  const { mode, files, given } = readUrl(url, tls)
  const mistakes = tlsMistakes('DATABASE_TLS', files)
  if (given.has('ssl'))
    mistakes.push('DATABASE_URL: has the parameter ssl, which clients understand differently; use sslmode.')
  if (mode !== undefined && !modes.includes(mode))
    mistakes.push(`DATABASE_URL: sslmode must be one of ${modes.join(', ')}; the others promise nothing.`)
  for (const [parameter, setting] of Object.entries(fileParameters)) {
    if (given.has(parameter) && tls[toTlsFile(setting)] !== undefined)
      mistakes.push(`DATABASE_URL: has ${parameter} although DATABASE_TLS_${setting}_FILE is set; use one of them.`)
  }
  if (mode === 'disable' && Object.values(files).some((file) => file !== undefined))
    mistakes.push('DATABASE_URL: has sslmode=disable although files for TLS are set.')
  if (mode === 'verify-ca' && files.caFile === undefined)
    mistakes.push('DATABASE_URL: has sslmode=verify-ca, which needs DATABASE_TLS_CA_FILE.')
  return mistakes
}

function verification(mode: string | undefined, files: TlsFiles): Verification | undefined {
  switch (mode) {
    case 'disable':
      return undefined
    case 'require':
      // As libpq does.
      return files.caFile === undefined ? 'nothing' : 'authority'
    case 'verify-ca':
      return 'authority'
    case 'verify-full':
      return 'host'
    default:
      return Object.values(files).some((file) => file !== undefined) ? 'host' : undefined
  }
}

/** Removes the TLS parameters from the URL, because `pg` gives some of them a meaning of its own. */
function readUrl(url: string, tls: TlsFiles) {
  const [base = '', query = ''] = split(url)
  const parameters = new URLSearchParams(query)
  const given = new Set(parameters.keys())
  const mode = parameters.get('sslmode') ?? undefined
  const root = parameters.get('sslrootcert')
  const files: TlsFiles = {
    // `system` are the certificates that Node.js trusts anyway.
    caFile: tls.caFile ?? (root === 'system' ? undefined : (root ?? undefined)),
    certFile: tls.certFile ?? parameters.get('sslcert') ?? undefined,
    keyFile: tls.keyFile ?? parameters.get('sslkey') ?? undefined,
  }
  const ours = ['sslmode', ...Object.keys(fileParameters)].filter((name) => given.has(name))
  for (const name of ours) parameters.delete(name)
  const rest = ours.length === 0 ? query : parameters.toString()
  const isSocket = parameters.get('host')?.startsWith('/') ?? /@%2f/i.test(base)
  return { connectionString: rest === '' ? base : `${base}?${rest}`, mode, files, given, isSocket }
}

function split(url: string): [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

function toTlsFile(setting: 'CA' | 'CERT' | 'KEY'): keyof TlsFiles {
  return ({ CA: 'caFile', CERT: 'certFile', KEY: 'keyFile' } as const)[setting]
}

/** PostgreSQL allows a URL without a host when ?host= names the folder of a socket; the URL standard does not. */
function isDatabaseUrl(url: string): boolean {
  return URL.canParse(
    url.replace(/^(postgres(?:ql)?:\/\/[^/?]*@)\//, '$1socket/').replace(/^(postgres(?:ql)?:\/\/)\//, '$1socket/'),
  )
}
