/** Makes the secrets that are not set, once, and keeps them in a file that only its owner can read. */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../schemas/operator-error.js'
import type { Config } from '../config.js'
import { prepareDataFolder } from '../embedded/data-folder.js'

// Ours: secrets, as we stored them.

export interface Secrets {
  readonly adminToken: string
  /** True at the first start without ADMIN_TOKEN: it must be shown, because nobody knows it yet. */
  readonly isAdminTokenNew: boolean
  /** 32 bytes. */
  readonly encryptionKey: Buffer
  /** 32 bytes each. They only decrypt. */
  readonly encryptionKeysOld: readonly Buffer[]
  readonly clusterSecret: string
  /** Path of the file of secrets. */
  readonly file: string
}

export interface KeptSecrets {
  readonly adminToken: string
  readonly encryptionKey: string
  readonly clusterSecret: string
  /** Former keys, of a restored backup. They only decrypt. */
  readonly encryptionKeysOld?: readonly string[]
}

const fileName = 'secrets.json'

/**
 * Returns the secrets of the environment, or those of the file. An encryption key of the file still decrypts when another one is set.
 * Makes no file when all three are set and none is kept. Call it when the data folder is locked (after `startEmbedded`).
 * @throws OperatorError when the file is damaged, or another user can read it
 */
export function loadSecrets(config: Pick<Config, 'data' | 'secrets'>): Secrets {
  const { adminToken, encryptionKey, encryptionKeysOld, clusterSecret } = config.secrets
  const file = path.join(config.data.dir, fileName)
  const hasAll = adminToken !== undefined && encryptionKey !== undefined && clusterSecret !== undefined
  let kept = readKept(file)
  let isNew = false
  if (kept === undefined && !hasAll) {
    prepareDataFolder(config.data.dir)
    ;({ kept, isNew } = keepNew(file))
  }
  const key = decodeKey(encryptionKey ?? kept?.encryptionKey ?? '')
  const keptKeys = kept === undefined ? [] : [kept.encryptionKey, ...(kept.encryptionKeysOld ?? [])]
  const oldKeys = [...encryptionKeysOld, ...keptKeys].map(decodeKey)
  return {
    adminToken: adminToken ?? kept?.adminToken ?? '',
    isAdminTokenNew: isNew && adminToken === undefined,
    encryptionKey: key,
    encryptionKeysOld: oldKeys.filter((old) => !old.equals(key)),
    clusterSecret: clusterSecret ?? kept?.clusterSecret ?? '',
    file,
  }
}

/** Returns the encryption key of the file of secrets in this data folder, in base64; undefined if there is none. Changes nothing. */
export function keptEncryptionKey(dataDir: string): string | undefined {
  try {
    const { encryptionKey } = JSON.parse(readFileSync(path.join(dataDir, fileName), 'utf8')) as Partial<KeptSecrets>
    return typeof encryptionKey === 'string' ? encryptionKey : undefined
  } catch {
    return undefined
  }
}

/** Returns the secrets of the file in this data folder; undefined if there is none. @throws OperatorError as `loadSecrets` */
export function readKeptSecrets(dataDir: string): KeptSecrets | undefined {
  return readKept(path.join(dataDir, fileName))
}

/** Replaces the file of secrets. Returns where the former file is now; undefined if there was none. */
export function replaceKeptSecrets(dataDir: string, secrets: Partial<KeptSecrets>): string | undefined {
  const file = path.join(dataDir, fileName)
  const former = `${file}.before-${Date.now()}`
  const hasFormer = existsSync(file)
  if (hasFormer) linkSync(file, former)
  writeFileSync(`${file}.${process.pid}`, formatSecrets({ ...makeSecrets(), ...secrets }), { mode: 0o600, flush: true })
  renameSync(`${file}.${process.pid}`, file)
  return hasFormer ? former : undefined
}

function makeSecrets(): KeptSecrets {
  return {
    adminToken: randomBytes(24).toString('base64url'),
    encryptionKey: randomBytes(32).toString('base64'),
    clusterSecret: randomBytes(24).toString('base64url'),
  }
}

function formatSecrets(secrets: KeptSecrets): string {
  return `${JSON.stringify(secrets, undefined, 2)}\n`
}

function keepNew(file: string): { kept: KeptSecrets; isNew: boolean } {
  const made = makeSecrets()
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, formatSecrets(made), { mode: 0o600, flush: true })
  try {
    // Unlike a rename, a link never replaces the file that another process has made meanwhile.
    linkSync(draft, file)
    return { kept: made, isNew: true }
  } catch (error) {
    const kept = readKept(file)
    if (kept === undefined) throw error
    return { kept, isNew: false }
  } finally {
    rmSync(draft, { force: true })
  }
}

function readKept(file: string): KeptSecrets | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new OperatorError(`The file of secrets ${file} cannot be read (${code}); give it to this user with chown.`, {
      cause: error,
    })
  }
  chmodSync(file, 0o600)
  return parseKept(file, text)
}

function parseKept(file: string, text: string): KeptSecrets {
  try {
    const kept = JSON.parse(text) as KeptSecrets
    const isWhole = [kept.adminToken, kept.clusterSecret].every((value) => typeof value === 'string' && value !== '')
    if (!isWhole || decodeKey(kept.encryptionKey).length !== 32) throw new Error('incomplete')
    return kept
  } catch (error) {
    throw new OperatorError(
      `The file of secrets ${file} is damaged; restore it from a backup, since without its encryption key the stored accounts cannot be read.`,
      { cause: error },
    )
  }
}

/** Decodes base64 or base64url. */
function decodeKey(text: string): Buffer {
  return Buffer.from(text, 'base64')
}
