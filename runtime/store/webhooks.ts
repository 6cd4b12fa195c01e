/** The webhooks as rows. Whether a URL may be called, and calling it, is not the store's. */
import { randomUUID } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { EventKind } from '../../schemas/generated.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { WebhookRow } from '../../schemas/ports/webhooks.js'
import type { Database } from './database.js'
import type { Encryption } from './encryption.js'
import { inKyselyTransaction } from './in-transaction.js'
import type { Tables, WebhookTable } from './tables.js'
import { recordTime } from './time.js'
import { isUuid } from './uuid.js'

/** A webhook with its secret (`whsec_…`), which is stored encrypted. */
export interface StoredWebhook extends WebhookRow {
  readonly secret: string
}

/** Rows of a scope: an instance, or `null` for the global ones. */
export interface WebhookRows {
  list(instance: InstanceId | null): Promise<readonly StoredWebhook[]>
  /** Whatever its scope. */
  byId(id: string): Promise<StoredWebhook | null>
  insert(webhook: Omit<StoredWebhook, 'id' | 'created' | 'updated'>): Promise<StoredWebhook>
  /** Sets the given fields; null when there is none of this scope. */
  update(
    instance: InstanceId | null,
    id: string,
    fields: Partial<Omit<StoredWebhook, 'id' | 'instance' | 'created' | 'updated'>>,
  ): Promise<StoredWebhook | null>
  /** With its deliveries, dead letters and errors. False when there is none of this scope. */
  delete(instance: InstanceId | null, id: string): Promise<boolean>
  /**
   * Does this work while nobody else does such work on the scope, in one transaction: for what is decided by the number of
   * webhooks that there are.
   */
  exclusively<T>(
    instance: InstanceId | null,
    work: (rows: Pick<WebhookRows, 'list' | 'insert' | 'update'>) => Promise<T>,
  ): Promise<T>
  /** The newest failed attempts, newest first, in the spelling of the API. */
  errors(instance: InstanceId | null, limit: number): Promise<readonly Readonly<Record<string, unknown>>[]>
}

type Row = Selectable<WebhookTable>

/** The first half of the advisory locks, which nobody else on this database uses: 'hook' in ASCII. */
const SCOPE_LOCK = 0x686f6f6b

export function createWebhookRows(
  { kysely, pool }: Pick<Database, 'kysely' | 'pool'>,
  encryption: Encryption,
): WebhookRows {
  return rowsOf(kysely, encryption, (work) => inKyselyTransaction(pool, work))
}

/** `write` does work in a transaction: the one that there is, or one of its own. */
function rowsOf(
  kysely: Kysely<Tables>,
  encryption: Encryption,
  write: <T>(work: (database: Kysely<Tables>) => Promise<T>) => Promise<T>,
): WebhookRows {
  return {
    async list(instance) {
      const rows = await kysely
        .selectFrom('webhook')
        .selectAll()
        .where('instance_id', instance === null ? 'is' : '=', instance)
        .orderBy('created')
        .orderBy('id')
        .execute()
      return rows.map(toWebhook)
    },

    async byId(id) {
      if (!isUuid(id)) return null
      const row = await kysely.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : toWebhook(row)
    },

    async insert(webhook) {
      const id = randomUUID()
      const row = await write((database) =>
        database
          .insertInto('webhook')
          .values({
            id,
            instance_id: webhook.instance,
            enabled: webhook.enabled,
            url: clean(webhook.url),
            events: [...webhook.events],
            exclude_messages: webhook.excludeMessages.map(clean),
            add_url_events: webhook.addUrlEvents,
            add_url_types_messages: webhook.addUrlTypesMessages,
            secret: seal(id, webhook.secret),
          })
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
      return toWebhook(row)
    },

    async update(instance, id, fields) {
      if (!isUuid(id)) return null
      const values = {
        ...(fields.enabled === undefined ? {} : { enabled: fields.enabled }),
        ...(fields.url === undefined ? {} : { url: clean(fields.url) }),
        ...(fields.events === undefined ? {} : { events: [...fields.events] }),
        ...(fields.excludeMessages === undefined ? {} : { exclude_messages: fields.excludeMessages.map(clean) }),
        ...(fields.addUrlEvents === undefined ? {} : { add_url_events: fields.addUrlEvents }),
        ...(fields.addUrlTypesMessages === undefined ? {} : { add_url_types_messages: fields.addUrlTypesMessages }),
        ...(fields.secret === undefined ? {} : { secret: seal(id, fields.secret) }),
        updated: sql<Date>`now()`,
      }
      const row = await write((database) =>
        database
          .updateTable('webhook')
          .set(values)
          .where('id', '=', id)
          .where('instance_id', instance === null ? 'is' : '=', instance)
          .returningAll()
          .executeTakeFirst(),
      )
      return row === undefined ? null : toWebhook(row)
    },

    async delete(instance, id) {
      if (!isUuid(id)) return false
      return write(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('webhook')
          .where('id', '=', id)
          .where('instance_id', instance === null ? 'is' : '=', instance)
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await transaction.deleteFrom('delivery').where('webhook_id', '=', id).execute()
        await transaction.deleteFrom('dead_letter').where('webhook_id', '=', id).execute()
        await transaction.deleteFrom('webhook_error').where('webhook_id', '=', id).execute()
        return true
      })
    },

    exclusively(instance, work) {
      return write(async (transaction) => {
        await sql`SELECT pg_advisory_xact_lock(${SCOPE_LOCK}::int, hashtext(${instance ?? ''}))`.execute(transaction)
        return work(rowsOf(transaction, encryption, (inner) => inner(transaction)))
      })
    },

    async errors(instance, limit) {
      const rows = await kysely
        .selectFrom('webhook_error as e')
        .innerJoin('webhook as w', 'w.id', 'e.webhook_id')
        .select(['e.webhook_id', 'e.created', 'e.url', 'e.event', 'e.message_type'])
        .select(['e.status_code', 'e.attempts', 'e.error', 'e.payload'])
        .where('w.instance_id', instance === null ? 'is' : '=', instance)
        .orderBy('e.id', 'desc')
        .limit(limit)
        .execute()
      const type = instance === null ? 'global' : 'local'
      return rows.map(({ created, ...row }) => ({ created: recordTime(created), type, ...row }))
    },
  }

  function seal(id: string, secret: string): Buffer {
    return encryption.seal(Buffer.from(secret), 'webhook', id)
  }

  function toWebhook(row: Row): StoredWebhook {
    return {
      id: row.id,
      instance: row.instance_id as InstanceId | null,
      enabled: row.enabled,
      url: row.url,
      events: row.events as EventKind[],
      excludeMessages: row.exclude_messages,
      addUrlEvents: row.add_url_events,
      addUrlTypesMessages: row.add_url_types_messages,
      created: row.created,
      updated: row.updated,
      secret: encryption.open(row.secret, 'webhook', row.id).toString(),
    }
  }
}

/** PostgreSQL refuses NUL in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '')
}
