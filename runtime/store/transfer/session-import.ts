/** Makes an instance from the session of another program: all of it or nothing. */
import type pg from 'pg'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { ForeignSession, SessionImports } from '../../../schemas/ports/transfer.js'
import { bytesArray, textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { inTransaction } from '../in-transaction.js'
import { readInstance } from '../instance-rows.js'
import { insertInstance } from '../instances.js'
import type { TokenCopies } from '../token-copies.js'
import { readSessionFiles } from './session-files.js'

// Bound: 100, an address.

export interface SessionImportOptions {
  readonly pool: pg.Pool
  readonly encryption: Encryption
  readonly tokenCopies?: TokenCopies
  /** Checks the files and returns what is stored of them. @throws GatewayError INVALID_SESSION */
  readonly read: (files: ReadonlyMap<string, string>) => Promise<ForeignSession>
}

const RETRY_AFTER_SECONDS = 5
const KEYS_AT_ONCE = 1_000
/** Advisory lock under which accounts are compared: 'sess' in ASCII. */
const ACCOUNT_LOCK = 0x73657373

const LOCK = 'SELECT pg_advisory_xact_lock($1)'
// $1 number   $2 LID without its domain, or null
const HOLDER = `
  SELECT id FROM instance WHERE split_part(split_part(owner_jid, '@', 1), ':', 1) = $1
    OR split_part(split_part(owner_lid, '@', 1), ':', 1) = $2 LIMIT 1`
// $1 id   $2 JID   $3 LID   $4 profile name   $5 platform
const SET_OWNER = `
  UPDATE instance SET owner_jid = $2, owner_lid = $3, profile_name = $4, platform = $5 WHERE id = $1`
// $1 id   $2 sealed credentials
const ADD_CREDENTIALS = 'INSERT INTO instance_credentials (instance_id, data) VALUES ($1, $2)'
// $1 id   $2 kinds   $3 ids   $4 sealed values
const ADD_KEYS = `
  INSERT INTO signal_key (instance_id, kind, id, data)
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[])`
// $1 id   $2 LIDs   $3 numbers
const ADD_MAPPINGS = `
  INSERT INTO lid_mapping (instance_id, lid, pn) SELECT $1, * FROM unnest($2::text[], $3::text[])
  ON CONFLICT (instance_id, lid) DO NOTHING`

export function createSessionImports({ pool, encryption, read, tokenCopies }: SessionImportOptions): SessionImports {
  let isUnderWay = false
  return {
    async take(file, { name, systemName, tags }) {
      if (isUnderWay)
        throw new GatewayError('RATE_LIMITED', {
          message: 'This node takes over another session at the moment; nothing was changed.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      isUnderWay = true
      try {
        const session = await read(await readSessionFiles(file))
        const { ignored, ignoredCount, keys } = session
        const made = await inTransaction(pool, async (client) => {
          await client.query(LOCK, [ACCOUNT_LOCK])
          await refuseKnownAccount(client, session)
          const fields = { name, systemName, adminField01: '', adminField02: '', tags }
          const { id, token } = await insertInstance(client, fields)
          await tokenCopies?.keep(client, id, token)
          await writeSession(client, encryption, id, session)
          const instance = await readInstance(client, id)
          if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
          return { instance, token }
        })
        return { ...made, keyCount: keys.length, ignored, ignoredCount }
      } finally {
        isUnderWay = false
      }
    },
  }
}

async function refuseKnownAccount(client: pg.PoolClient, { owner: { jid, lid } }: ForeignSession): Promise<void> {
  const parseUser = (address: string): string => address.split('@')[0] ?? ''
  const values = [parseUser(jid), lid === null ? null : parseUser(lid)]
  const [holder] = (await client.query<{ id: string }>(HOLDER, values)).rows
  if (holder !== undefined)
    throw new GatewayError('ACCOUNT_EXISTS', {
      message: `The instance ${holder.id} has this account already; nothing was changed.`,
    })
}

async function writeSession(
  client: pg.PoolClient,
  encryption: Encryption,
  id: InstanceId,
  { owner, profileName, platform, credentials, keys, mappings }: ForeignSession,
): Promise<void> {
  await client.query(SET_OWNER, [id, owner.jid, owner.lid, profileName, platform])
  await client.query(ADD_CREDENTIALS, [id, encryption.seal(credentials, id, 'credentials')])
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE)
    await client.query(ADD_KEYS, [
      id,
      textArray(some.map(({ kind }) => kind)),
      textArray(some.map((key) => key.id)),
      bytesArray(some.map((key) => encryption.seal(key.value, id, key.kind, key.id))),
    ])
  }
  if (mappings.length > 0)
    await client.query(ADD_MAPPINGS, [
      id,
      textArray(mappings.map(({ lid }) => lid)),
      textArray(mappings.map(({ pn }) => pn)),
    ])
}
