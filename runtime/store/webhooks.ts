/** Webhooks as rows. Delivery decides whether a URL may be called, and calls it. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { deliveryFailure } from '../../schemas/delivery-failure.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { WebhookBatch, WebhookForm, WebhookRow } from '../../schemas/ports/webhooks.js'
import { NO_ACCESS, parseWebhookAccess, readOrigin, type WebhookAccess } from '../../schemas/webhook-access.js'
import type { Database } from './database.js'
import type { Encryption } from './encryption.js'
import { inTransaction } from './in-transaction.js'
import type { Queries } from './instance-rows.js'
import { recordTime } from './time.js'
import { isUuid } from './uuid.js'

/** A webhook with its secret (`whsec_…`), which is stored encrypted. */
export interface StoredWebhook extends Omit<WebhookRow, 'shownUrl' | 'headers'> {
  /** Headers and credentials for its receiver, which are stored encrypted. */
  readonly access: WebhookAccess
  readonly secret: string
  /** `chatwoot`: no webhook of the API, but a receiver of events with deliveries of the same kind. */
  readonly purpose: 'webhook' | 'chatwoot'
}

type NewWebhook = Omit<StoredWebhook, 'id' | 'created' | 'updated' | 'purpose' | Optional> &
  Partial<Pick<StoredWebhook, Optional>>
/** Fields that a new webhook may leave out. */
type Optional = 'access' | 'includeAiMetadata' | 'includeToken' | 'batch' | 'form' | 'formEvents' | 'includeBase64'

/** Rows of a scope: an instance, or `null` for the global ones. */
export interface WebhookRows {
  list(instance: InstanceId | null): Promise<readonly StoredWebhook[]>
  /** Lists all that has deliveries: webhooks, and the Chatwoot of the instance. */
  receivers(instance: InstanceId | null): Promise<readonly StoredWebhook[]>
  /** Finds a webhook of any scope and purpose. */
  byId(id: string): Promise<StoredWebhook | null>
  insert(webhook: NewWebhook): Promise<StoredWebhook>
  /** Sets the given fields. Returns null when there is none of this scope. */
  update(
    instance: InstanceId | null,
    id: string,
    fields: Partial<Omit<NewWebhook, 'instance'>>,
  ): Promise<StoredWebhook | null>
  /** Deletes it with its deliveries, dead letters and errors. Returns false when there is none of this scope. */
  delete(instance: InstanceId | null, id: string): Promise<boolean>
  /**
   * Does this work in one transaction, while no other such work is done on the scope: for decisions by the number of webhooks that there
   * are.
   */
  exclusively<T>(
    instance: InstanceId | null,
    work: (rows: Pick<WebhookRows, 'list' | 'insert' | 'update'>) => Promise<T>,
  ): Promise<T>
  /** Returns the newest failed attempts, newest first, in the spelling of the API. */
  errors(instance: InstanceId | null, limit: number): Promise<readonly Readonly<Record<string, unknown>>[]>
}

interface FailureRow {
  readonly created: Date
  readonly status_code: number | null
  readonly error: string
}

interface Row {
  readonly id: string
  readonly instance_id: string | null
  readonly enabled: boolean
  readonly url: string
  readonly events: string[]
  readonly exclude_messages: string[]
  readonly add_url_events: boolean
  readonly add_url_types_messages: boolean
  readonly include_ai_metadata: boolean
  readonly include_token: boolean
  readonly batch_max: number | null
  readonly batch_wait_ms: number | null
  readonly form: WebhookForm
  readonly form_events: string[]
  readonly include_base64: boolean
  readonly secret: Buffer
  readonly access: Buffer | null
  readonly purpose: 'webhook' | 'chatwoot'
  readonly created: Date
  readonly updated: Date
}

/** First half of the advisory locks of scopes: 'hook' in ASCII. */
const SCOPE_LOCK = 0x686f6f6b

const COLUMNS =
  'w.id, w.instance_id, w.enabled, w.url, w.events, w.exclude_messages, w.add_url_events, w.add_url_types_messages, w.include_ai_metadata, w.include_token, w.batch_max, w.batch_wait_ms, w.form, w.form_events, w.include_base64, w.secret, w.access, w.purpose, w.created, w.updated'
// $1 id
const BY_ID = `SELECT ${COLUMNS} FROM webhook AS w WHERE w.id = $1`
// $1 id   $2 instance or null   $3 enabled   $4 URL   $5 events   $6 excluded messages   $7 and $8 additions to the URL   $9 secret   $10 access   $11 with AI metadata
// $12 and $13 maximum and wait of a batch   $14 form   $15 its events   $16 with files   $17 with the token
const INSERT = `
  INSERT INTO webhook AS w
    (id, instance_id, enabled, url, events, exclude_messages, add_url_events, add_url_types_messages, secret, access, include_ai_metadata,
      batch_max, batch_wait_ms, form, form_events, include_base64, include_token)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  RETURNING ${COLUMNS}`
// $1 first half   $2 scope
const LOCK_SCOPE = 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))'
// $1 webhook
const DELETE_ROWS_OF = ['delivery', 'dead_letter', 'webhook_error', 'webhook_success', 'receiver_hour'].map(
  (table) => `DELETE FROM ${table} WHERE webhook_id = $1`,
)

// $1 instance, or null for the global ones
const ofScope = (instance: InstanceId | null) =>
  instance === null ? '$1::text IS NULL AND w.instance_id IS NULL' : 'w.instance_id = $1'
// $1 scope
const receivers = (instance: InstanceId | null) =>
  `SELECT ${COLUMNS} FROM webhook AS w WHERE ${ofScope(instance)} ORDER BY w.created, w.id`
// Null leaves a field as it is.
// $1 scope   $2 id   $3 enabled   $4 URL   $5 events   $6 excluded messages   $7 and $8 additions to the URL   $9 secret   $10 access   $11 with AI metadata
// $12 whether the batch changes   $13 and $14 its maximum and wait   $15 form   $16 its events   $17 with files   $18 with the token
const update = (instance: InstanceId | null) => `
  UPDATE webhook AS w SET enabled = COALESCE($3, enabled), url = COALESCE($4, url), events = COALESCE($5, events),
    exclude_messages = COALESCE($6, exclude_messages), add_url_events = COALESCE($7, add_url_events),
    add_url_types_messages = COALESCE($8, add_url_types_messages), secret = COALESCE($9, secret),
    access = COALESCE($10, access), include_ai_metadata = COALESCE($11, include_ai_metadata),
    batch_max = CASE WHEN $12 THEN $13 ELSE batch_max END, batch_wait_ms = CASE WHEN $12 THEN $14 ELSE batch_wait_ms END,
    form = COALESCE($15, form), form_events = COALESCE($16, form_events), include_base64 = COALESCE($17, include_base64),
    include_token = COALESCE($18, include_token),
    updated = now()
  WHERE ${ofScope(instance)} AND w.id = $2 AND w.purpose = 'webhook'
  RETURNING ${COLUMNS}`
// $1 scope   $2 id
const deleteRow = (instance: InstanceId | null) =>
  `DELETE FROM webhook AS w WHERE ${ofScope(instance)} AND w.id = $2 AND w.purpose = 'webhook'`
// $1 scope   $2 limit
const errors = (instance: InstanceId | null) => `
  SELECT e.webhook_id, e.created, e.url, e.event, e.message_type, e.status_code, e.attempts, e.error, e.payload
  FROM webhook_error AS e JOIN webhook AS w ON w.id = e.webhook_id
  WHERE ${ofScope(instance)} ORDER BY e.id DESC LIMIT $2`

type Write = <T>(work: (queries: Queries) => Promise<T>) => Promise<T>

export function createWebhookRows({ pool }: Pick<Database, 'pool'>, encryption: Encryption): WebhookRows {
  return new WebhookTable(pool, encryption, (work) => inTransaction(pool, work))
}

class WebhookTable implements WebhookRows {
  readonly #queries: Queries
  readonly #encryption: Encryption
  /** Does work in a transaction: the present one, or a new one. */
  readonly #write: Write

  constructor(queries: Queries, encryption: Encryption, write: Write) {
    this.#queries = queries
    this.#encryption = encryption
    this.#write = write
  }

  async list(instance: InstanceId | null): Promise<readonly StoredWebhook[]> {
    return (await this.receivers(instance)).filter(({ purpose }) => purpose === 'webhook')
  }

  async receivers(instance: InstanceId | null): Promise<readonly StoredWebhook[]> {
    const { rows } = await this.#queries.query<Row>(receivers(instance), [instance])
    return rows.map((row) => this.#toWebhook(row))
  }

  async byId(id: string): Promise<StoredWebhook | null> {
    if (!isUuid(id)) return null
    return this.#first(await this.#queries.query<Row>(BY_ID, [id]))
  }

  async insert(webhook: NewWebhook): Promise<StoredWebhook> {
    const id = randomUUID()
    const { instance, enabled, url, events, excludeMessages, addUrlEvents, addUrlTypesMessages, batch } = webhook
    const { rows } = await this.#write((queries) =>
      queries.query<Row>(INSERT, [
        ...[id, instance, enabled, clean(url), [...events], excludeMessages.map(clean)],
        ...[addUrlEvents, addUrlTypesMessages, this.#seal(id, webhook.secret), this.#sealAccess(id, webhook.access)],
        ...[webhook.includeAiMetadata ?? false, batch?.max ?? null, batch?.waitMs ?? null],
        ...[webhook.form ?? '1.0', [...(webhook.formEvents ?? [])], webhook.includeBase64 ?? false],
        webhook.includeToken ?? false,
      ]),
    )
    return this.#toWebhook(rows[0] as Row)
  }

  async update(
    instance: InstanceId | null,
    id: string,
    fields: Partial<Omit<NewWebhook, 'instance'>>,
  ): Promise<StoredWebhook | null> {
    if (!isUuid(id)) return null
    const { enabled, url, events, excludeMessages, addUrlEvents, addUrlTypesMessages, batch, secret, access } = fields
    const texts = [url === undefined ? null : clean(url), events ?? null, excludeMessages?.map(clean) ?? null]
    const sealed = secret === undefined ? null : this.#seal(id, secret)
    const values = [
      ...[instance, id, enabled ?? null, ...texts, addUrlEvents ?? null, addUrlTypesMessages ?? null, sealed],
      ...[this.#sealAccess(id, access), fields.includeAiMetadata ?? null],
      ...[batch !== undefined, batch?.max ?? null, batch?.waitMs ?? null],
      ...[fields.form ?? null, fields.formEvents ?? null, fields.includeBase64 ?? null],
      fields.includeToken ?? null,
    ]
    return this.#first(await this.#write((queries) => queries.query<Row>(update(instance), values)))
  }

  async delete(instance: InstanceId | null, id: string): Promise<boolean> {
    if (!isUuid(id)) return false
    return this.#write(async (queries) => {
      const { rowCount } = await queries.query(deleteRow(instance), [instance, id])
      if (rowCount === 0) return false
      for (const statement of DELETE_ROWS_OF) await queries.query(statement, [id])
      return true
    })
  }

  exclusively<T>(
    instance: InstanceId | null,
    work: (rows: Pick<WebhookRows, 'list' | 'insert' | 'update'>) => Promise<T>,
  ): Promise<T> {
    return this.#write(async (queries) => {
      await queries.query(LOCK_SCOPE, [SCOPE_LOCK, instance ?? ''])
      return work(new WebhookTable(queries, this.#encryption, (inner) => inner(queries)))
    })
  }

  async errors(instance: InstanceId | null, limit: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { rows } = await this.#queries.query<FailureRow>(errors(instance), [instance, limit])
    const type = instance === null ? 'global' : 'local'
    return rows.map(({ created, ...row }) => {
      const { code } = deliveryFailure(row.error, row.status_code ?? 0)
      return { created: recordTime(created), type, ...row, code }
    })
  }

  #seal(id: string, secret: string): Buffer {
    return this.#encryption.seal(Buffer.from(secret), 'webhook', id)
  }

  #sealAccess(id: string, access: WebhookAccess | undefined): Buffer | null {
    if (access === undefined) return null
    return this.#encryption.seal(Buffer.from(JSON.stringify(access)), 'webhook', id, 'access')
  }

  #openAccess({ id, url, access }: Row): WebhookAccess {
    if (access === null) return NO_ACCESS
    const opened = parseWebhookAccess(this.#encryption.open(access, 'webhook', id, 'access').toString())
    return opened?.origin === readOrigin(url) ? opened : NO_ACCESS
  }

  #first({ rows: [row] }: pg.QueryResult<Row>): StoredWebhook | null {
    return row === undefined ? null : this.#toWebhook(row)
  }

  #toWebhook(row: Row): StoredWebhook {
    return {
      id: row.id,
      instance: row.instance_id as InstanceId | null,
      enabled: row.enabled,
      url: row.url,
      events: row.events,
      excludeMessages: row.exclude_messages,
      addUrlEvents: row.add_url_events,
      addUrlTypesMessages: row.add_url_types_messages,
      includeAiMetadata: row.include_ai_metadata,
      includeToken: row.include_token,
      // Another form has none, whatever a row that was imported says: all but the first event would be lost.
      batch: row.form === '1.0' ? toBatch(row) : null,
      form: row.form,
      formEvents: row.form_events,
      includeBase64: row.include_base64,
      purpose: row.purpose,
      created: row.created,
      updated: row.updated,
      secret: this.#encryption.open(row.secret, 'webhook', row.id).toString(),
      access: this.#openAccess(row),
    }
  }
}

function toBatch({ batch_max: max, batch_wait_ms: waitMs }: Row): WebhookBatch | null {
  return max === null || waitMs === null ? null : { max, waitMs }
}

/** Removes NUL, which PostgreSQL refuses in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '')
}
