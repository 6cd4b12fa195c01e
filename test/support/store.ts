/** For tests of the store: a database of its own with everything opened on it. */
import { pino } from 'pino'
import type { Change } from '../../actors/instance/ports.js'
import { type Database, openDatabase } from '../../runtime/store/database.js'
import { createEncryption, type Encryption } from '../../runtime/store/encryption.js'
import { createInstances, type Instances } from '../../runtime/store/instances.js'
import { type Committed, createJournal, type Journal, type JournalOptions } from '../../runtime/store/journal.js'
import { migrate } from '../../runtime/store/migrate.js'
import { createShardFinder, DEFAULT_SHARDS, type ShardOf } from '../../runtime/store/shard.js'
import { refuseNestedConnections } from '../../runtime/store/shared-pool.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import type { Cleanup } from './cleanup.js'
import { migratedDatabase } from './embedded.js'

export interface TestStore {
  readonly database: Database
  readonly encryption: Encryption
  /** All of them; this store's tests are their one owner. */
  readonly shards: readonly number[]
  readonly findShard: ShardOf
  readonly journal: Journal
  readonly instances: Instances
  /** Everything that was announced after commits, in order. */
  readonly commits: Committed[]
  newInstance(name?: string): Promise<InstanceId>
  /** As long as a test does not raise it. */
  findEpoch(instance: InstanceId): number
  /** Rows of any statement. */
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>
}

export const testLog = pino({ level: process.env.POSTHORN_TEST_LOG_LEVEL ?? 'silent' })

/** The shard of an instance in a store of the usual number of shards. */
export const findShard = createShardFinder(DEFAULT_SHARDS)

/** @param isMeasured true in benches: the check of nested connections costs each promise of the process something before Node.js 24 */
export async function openTestStore(
  t: Cleanup,
  { shards: shardCount = DEFAULT_SHARDS, ...options }: Partial<JournalOptions> & { readonly shards?: number } = {},
  isMeasured = false,
): Promise<TestStore> {
  const { connectionString } = await migratedDatabase(t)
  if (!isMeasured) refuseNestedConnections()
  const database = openDatabase({ connectionString, poolMax: 8 }, testLog)
  const encryption = createEncryption(Buffer.alloc(32, 7))
  await migrate(database.pool, encryption, { shards: shardCount })
  await database.pool.query("UPDATE shard_owner SET owner = 'test', epoch = 1")
  const commits: Committed[] = []
  const journal = createJournal({
    clientConfig: database.clientConfig,
    encryption,
    findShard: createShardFinder(shardCount),
    log: testLog,
    onCommitted: (committed) => commits.push(committed),
    ...options,
  })
  const instances = createInstances(database, { instancesMax: 100, pairingsMax: 100, pairingMaxMs: 60_000 })
  t.after(async () => {
    await journal.close()
    await database.close()
  })
  return {
    database,
    encryption,
    shards: Array.from({ length: shardCount }, (_, shard) => shard),
    findShard: createShardFinder(shardCount),
    journal,
    instances,
    commits,
    async newInstance(name = 'test') {
      const { instance } = await instances.create({ name, systemName: '', adminField01: '', adminField02: '' })
      return instance.id
    },
    findEpoch: () => 1,
    async rows<Row>(text: string, values: unknown[] = []) {
      return (await database.pool.query(text, values)).rows as Row[]
    },
  }
}

let messageCount = 0

/** A text received from a number, unless told otherwise. */
export function aMessage(given: Partial<NewMessage> & { messageid?: MessageId } = {}): NewMessage {
  const number = `55119${String(90000000 + (messageCount % 7)).padStart(8, '0')}@s.whatsapp.net` as Jid
  messageCount++
  return {
    messageid: `3EB0${String(messageCount).padStart(16, '0')}` as MessageId,
    chat: { pn: number },
    fromMe: false,
    isGroup: false,
    messageType: 'text',
    type: 'text',
    messageTimestampMs: 1_760_000_000_000 + messageCount,
    sender: number,
    senderPn: number,
    senderName: 'Ana',
    status: 'delivered',
    text: 'Bom dia',
    content: 'Bom dia',
    ...given,
  }
}

export function received(message: NewMessage): Change {
  return { type: 'message', message, announce: true }
}
