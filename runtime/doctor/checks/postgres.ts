import { createEncryption } from '../../store/encryption.js'
import { readMigrations } from '../../store/migrate.js'
import { connectionFailure, findInnermostCode } from '../connection-failure.js'
import type { DatabaseFacts } from '../database-facts.js'
import { type Check, failed, ok, type Result, skipped, warning } from '../finding.js'

export interface PostgresCheckOptions {
  /** Undefined when the gateway has a PostgreSQL of its own that does not run. */
  readonly facts: Promise<DatabaseFacts> | undefined
  /** Maximum of connections of this node. */
  readonly connectionsNeeded: number
  /** 32 bytes each, the current one first; empty when none is known. */
  readonly encryptionKeys: readonly Buffer[]
}

const VERSION_MIN = 150_000
const SETTINGS = 'DATABASE_URL and DATABASE_TLS_CA_FILE'

/** Checks the server, the schema in it, and whether our encryption key is the one of the stored credentials. */
export function postgresCheck({ facts, connectionsNeeded, encryptionKeys }: PostgresCheckOptions): Check {
  return {
    name: 'PostgreSQL',
    async run() {
      if (facts === undefined)
        return [skipped('DATABASE_URL is not set: the gateway starts one of its own, which does not run now.')]
      try {
        const found = await facts
        return [
          serverResult(found),
          ...serverMistakes(found, connectionsNeeded),
          schemaResult(found),
          ...keyResult(found, encryptionKeys),
        ]
      } catch (error) {
        return [refusal(error)]
      }
    },
  }
}

function serverResult({ version, versionNumber }: DatabaseFacts): Result {
  return versionNumber >= VERSION_MIN
    ? ok(`Version ${version} answers.`)
    : failed(`Version ${version} is too old.`, 'Use PostgreSQL 15 or newer.')
}

function serverMistakes(facts: DatabaseFacts, connectionsNeeded: number): readonly Result[] {
  const results: Result[] = []
  if (facts.isReadOnly)
    results.push(failed('It takes no writes: it is a standby, or read-only.', 'Let DATABASE_URL lead to the primary.'))
  if (!facts.mayCreate)
    results.push(
      failed('This user may create no tables.', 'Grant it with GRANT CREATE, USAGE ON SCHEMA public TO <user>.'),
    )
  if (facts.encoding !== 'UTF8')
    results.push(failed(`The database has the encoding ${facts.encoding}.`, "Create it with ENCODING 'UTF8'."))
  if (!facts.isDurable)
    results.push(
      warning('A crash of PostgreSQL may lose what it confirmed.', 'Set fsync and synchronous_commit to on.'),
    )
  const free = facts.connectionsMax - facts.connectionsUsed
  if (free < connectionsNeeded)
    results.push(
      warning(
        `${free} of ${facts.connectionsMax} connections are free; this node takes up to ${connectionsNeeded}.`,
        'Raise max_connections, or lower DATABASE_POOL_MAX. A gateway that runs already has its share.',
      ),
    )
  return results
}

function schemaResult({ schema }: DatabaseFacts): Result {
  const newest = readMigrations().at(-1)?.version ?? 0
  if (schema === null) return ok('The database is empty; the first start makes the schema.')
  if (schema.oldest > newest)
    return failed(
      `Its schema ${schema.applied} is for newer versions; this one knows ${newest}.`,
      'Start the newer version again, or a newer one.',
    )
  if (schema.applied > newest) return ok(`Schema ${schema.applied}; this version knows ${newest} and can use it.`)
  return ok(
    schema.applied === newest ? `Schema ${newest}.` : `Schema ${schema.applied}; the next start brings ${newest}.`,
  )
}

function keyResult({ sealedCheck }: DatabaseFacts, [current, ...old]: readonly Buffer[]): readonly Result[] {
  if (sealedCheck === undefined) return []
  if (current === undefined)
    return [
      failed(
        'No encryption key is set for the stored credentials.',
        'Set ENCRYPTION_KEY, or restore secrets.json in DATA_DIR.',
      ),
    ]
  try {
    createEncryption(current, old).open(Buffer.from(sealedCheck, 'base64'), 'meta', 'check')
    return [ok('The encryption key opens the stored credentials.')]
  } catch {
    return [
      failed(
        'ENCRYPTION_KEY is not the key with which this database was written.',
        'Set the former key, or name it in ENCRYPTION_KEYS_OLD.',
      ),
    ]
  }
}

function refusal(error: unknown): Result {
  const { message } = error as Error
  switch (findInnermostCode(error)) {
    case '28P01':
    case '28000':
      return failed(
        `It refuses the user: ${message}`,
        'Correct user and password in DATABASE_URL, or pg_hba.conf of the server.',
      )
    case '3D000':
      return failed(
        `There is no such database: ${message}`,
        'Create it with createdb, or correct its name in DATABASE_URL.',
      )
    case '53300':
      return failed('It has no connection left.', 'Raise max_connections, or end other clients.')
    case '57P03':
      return failed('It is starting.', 'Wait, and run the doctor again.')
    default:
      return connectionFailure(error, 'The server', SETTINGS)
  }
}
