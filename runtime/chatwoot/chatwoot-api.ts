/** The calls of Chatwoot's HTTP API that an API inbox needs. */
import { isObject } from '../../lib/is-object.js'
import type { Outgoing } from '../outgoing/client.js'
import type { JsonUse, Keep } from '../outgoing/json/json-use.js'
import { ChatwootRefusal, chatwootRefusal } from './refusal.js'
import { parseChatwootId as knownId } from './webhook-facts.js'

export interface ChatwootAccess {
  readonly url: string
  readonly accountId: number
  readonly token: string
  /** Instance on whose behalf the calls are made. */
  readonly owner: string
}

type Json = Readonly<Record<string, unknown>>

export interface CwInbox {
  readonly id: number
  readonly name: string
  readonly type: string
  /** Empty if it has none. */
  readonly webhookUrl: string
}

export interface CwContact {
  readonly id: number
  readonly name: string
  readonly phone: string
  readonly identifier: string
  readonly sourceIds: readonly string[]
}

export interface CwConversation {
  readonly id: number
  readonly inboxId: number
  readonly contactId: number
  readonly phone: string
  readonly identifier: string
  readonly sourceId: string
  readonly status: string
  /** Its newest message; 0 if the answer does not have it. */
  readonly lastId: number
  /** Of its last activity; 0 if the answer does not have it. */
  readonly activeMs: number
}

export interface CwMessage {
  readonly id: number
  readonly sourceId: string
  readonly raw: Json
}

export interface CwFile {
  readonly name: string
  readonly mimetype: string
  readonly bytes: Buffer
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly use: JsonUse
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
  readonly timeoutMs: number
}

export interface NewCwMessage {
  readonly content: string
  readonly type: 'incoming' | 'outgoing'
  readonly sourceId?: string
  readonly isPrivate?: boolean
  /** Their id of the message that it answers. */
  readonly inReplyTo?: number
  /** Seconds since 1970. */
  readonly createdAt?: number
  readonly isEcho?: boolean
  readonly files?: readonly CwFile[]
}

const TIMEOUT_MS = 15_000
/** An upload of 40 MB over a slow line. */
const UPLOAD_TIMEOUT_MS = 60_000
/** Of 25 conversations each. */
const PAGES_MAX = 40
const NO_ID = 'Chatwoot gave an answer without an id; check the address.'
const NOT_JSON = 'Chatwoot gave an answer that is not JSON; check the address.'

export class ChatwootApi {
  readonly #outgoing: Pick<Outgoing, 'request'>
  readonly #access: ChatwootAccess
  /** The time of the platform at its last answer, in ms; null when it did not say it. */
  clockMs: number | null = null

  constructor(outgoing: Pick<Outgoing, 'request'>, access: ChatwootAccess) {
    this.#outgoing = outgoing
    this.#access = access
  }

  /** Returns the accounts of the token. @throws ChatwootRefusal */
  async accounts(): Promise<readonly { id: number; role: string }[]> {
    const profile = await this.#call('GET', '/api/v1/profile', answers.profile)
    return toList(profile.accounts).map(({ id, role }) => ({ id: knownId(id), role: text(role) }))
  }

  async inbox(id: number): Promise<Json> {
    return await this.#inAccount('GET', `/inboxes/${id}`, answers.inbox)
  }

  /** Returns the inboxes that the user of the token sees. */
  async inboxes(): Promise<readonly CwInbox[]> {
    const found = await this.#inAccount('GET', '/inboxes', answers.inboxes)
    return toList(found.payload).map(({ id, name, channel_type, webhook_url }) => ({
      id: knownId(id),
      name: text(name),
      type: text(channel_type),
      webhookUrl: text(webhook_url),
    }))
  }

  /** Makes an inbox of the type API, and returns its number. */
  async createInbox(name: string, webhookUrl: string): Promise<number> {
    const channel = { type: 'api', webhook_url: webhookUrl }
    return readId(await this.#inAccount('POST', '/inboxes', answers.created, { name, channel }))
  }

  async setWebhook(inboxId: number, webhookUrl: string): Promise<Json> {
    return await this.#inAccount('PATCH', `/inboxes/${inboxId}`, answers.inbox, {
      channel: { webhook_url: webhookUrl },
    })
  }

  /** Finds contacts by an exact value. Numbers are digits without `+`: the server puts it before them. */
  async contactsBy(key: 'phone_number' | 'identifier', value: string): Promise<readonly CwContact[]> {
    const filter = { attribute_key: key, filter_operator: 'equal_to', values: [value], query_operator: null }
    const found = await this.#inAccount('POST', '/contacts/filter', answers.contacts, { payload: [filter] })
    return toList(found.payload).map(readContact)
  }

  async contact(id: number): Promise<CwContact> {
    return readContact(readPayload(await this.#inAccount('GET', `/contacts/${id}`, answers.contact)))
  }

  async createContact(fields: Json): Promise<{ contact: CwContact; sourceId: string }> {
    const payload = readPayload(await this.#inAccount('POST', '/contacts', answers.contact, fields))
    const contact = readContact(isObject(payload.contact) ? (payload.contact as Json) : payload)
    const inbox = isObject(payload.contact_inbox) ? (payload.contact_inbox as Json) : {}
    return { contact, sourceId: text(inbox.source_id) }
  }

  async updateContact(id: number, fields: Json): Promise<void> {
    await this.#inAccount('PUT', `/contacts/${id}`, answers.nothing, fields)
  }

  async addToInbox(contactId: number, inboxId: number, sourceId: string): Promise<void> {
    await this.#inAccount('POST', `/contacts/${contactId}/contact_inboxes`, answers.nothing, {
      inbox_id: inboxId,
      source_id: sourceId,
    })
  }

  async mergeContacts(base: number, gone: number): Promise<void> {
    await this.#inAccount('POST', '/actions/contact_merge', answers.nothing, {
      base_contact_id: base,
      mergee_contact_id: gone,
    })
  }

  /** The newest activity first. */
  async listConversations(contactId: number): Promise<readonly CwConversation[]> {
    const found = await this.#inAccount('GET', `/contacts/${contactId}/conversations`, answers.conversations)
    return toList(found.payload).map(readConversation)
  }

  /** Conversations of an inbox with activity in that time, of any status. */
  async activeConversations(inboxId: number, withinSeconds: number): Promise<readonly CwConversation[]> {
    const whole = `updated_within=${Math.ceil(withinSeconds)}`
    return await this.#conversations(inboxId, whole).catch(async (error: unknown) => {
      if (!(error instanceof ChatwootRefusal) || error.kind !== 'large') throw error
      return await this.#conversationPages(inboxId, Date.now() - withinSeconds * 1_000)
    })
  }

  /** Pages of them, the last activity first, for an inbox in which too many are active for one answer. */
  async #conversationPages(inboxId: number, sinceMs: number): Promise<readonly CwConversation[]> {
    const found: CwConversation[] = []
    for (let page = 1; page <= PAGES_MAX; page++) {
      const some = await this.#conversations(inboxId, `page=${page}`)
      found.push(...some.filter(({ activeMs }) => activeMs >= sinceMs))
      if (some.length === 0 || some.some(({ activeMs }) => activeMs < sinceMs)) break
    }
    return found
  }

  async #conversations(inboxId: number, which: string): Promise<readonly CwConversation[]> {
    const found = await this.#inAccount(
      'GET',
      `/conversations?inbox_id=${inboxId}&status=all&${which}`,
      answers.conversations,
    )
    const data = isObject(found.data) ? (found.data as Json) : found
    return toList(data.payload).map(readConversation)
  }

  async createConversation(fields: Json): Promise<CwConversation> {
    return readConversation(await this.#inAccount('POST', '/conversations', answers.conversation, fields))
  }

  async setStatus(conversationId: number, status: string): Promise<void> {
    await this.#inAccount('POST', `/conversations/${conversationId}/toggle_status`, answers.nothing, { status })
  }

  async createMessage(conversationId: number, message: NewCwMessage): Promise<number> {
    const path = `/conversations/${conversationId}/messages`
    const fields = composeFields(message)
    const files = message.files ?? []
    const made =
      files.length === 0
        ? await this.#inAccount('POST', path, answers.created, fields)
        : await this.#upload(path, fields, files)
    return readId(made)
  }

  async setMessageStatus(conversationId: number, id: number, status: string, error?: string): Promise<void> {
    const fields = { status, ...(error === undefined ? {} : { external_error: error }) }
    await this.#inAccount('PATCH', `/conversations/${conversationId}/messages/${id}`, answers.nothing, fields)
  }

  async deleteMessage(conversationId: number, id: number): Promise<void> {
    await this.#inAccount('DELETE', `/conversations/${conversationId}/messages/${id}`, answers.nothing)
  }

  /** Up to 100 messages after this one, in order; all from the first one on if it is below 0, the newest 20 if it is 0. */
  async messages(conversationId: number, after: number): Promise<readonly CwMessage[]> {
    const query = after === 0 ? '' : `?after=${Math.max(after, 0)}`
    const found = await this.#inAccount('GET', `/conversations/${conversationId}/messages${query}`, answers.messages)
    return toList(found.payload).map((raw) => ({ id: readId(raw), sourceId: text(raw.source_id), raw }))
  }

  async #inAccount(method: string, path: string, use: JsonUse, body?: Json): Promise<Json> {
    return await this.#call(method, `/api/v1/accounts/${this.#access.accountId}${path}`, use, body)
  }

  async #call(method: string, path: string, use: JsonUse, body?: Json): Promise<Json> {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const text = body === undefined ? undefined : JSON.stringify(body)
    return await this.#send({ method, path, use, headers, body: text, timeoutMs: TIMEOUT_MS })
  }

  async #upload(path: string, fields: Json, files: readonly CwFile[]): Promise<Json> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields))
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    for (const { name, mimetype, bytes } of files)
      form.append('attachments[]', new Blob([new Uint8Array(bytes)], { type: mimetype }), name)
    const encoded = new Response(form)
    const type = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const bytes = Buffer.from(await encoded.arrayBuffer())
    const whole = `/api/v1/accounts/${this.#access.accountId}${path}`
    const use = answers.created
    return await this.#send({
      method: 'POST',
      path: whole,
      use,
      headers: type,
      body: bytes,
      timeoutMs: UPLOAD_TIMEOUT_MS,
    })
  }

  async #send({ method, path, use, headers, body, timeoutMs }: Sent): Promise<Json> {
    const { url, token, owner } = this.#access
    const outcome = await this.#outgoing.request({
      url: new URL(url + path),
      method,
      headers: { ...headers, accept: 'application/json', api_access_token: token },
      ...(body === undefined ? {} : { body }),
      timeoutMs,
      answerMaxBytes: use.bytesMax,
      json: use,
      owner,
    })
    if (outcome.answered) this.clockMs = Date.parse(String(outcome.headers.date ?? '')) || null
    if (!outcome.answered || outcome.statusCode < 200 || outcome.statusCode > 299) throw chatwootRefusal(outcome)
    const { statusCode, json } = outcome
    // Whether a call that changes something was carried out is not known then.
    if (json?.type === 'refused')
      throw new ChatwootRefusal(
        method === 'GET' ? 'large' : 'away',
        statusCode,
        `Chatwoot gave an answer that ${json.why}.`,
      )
    if (json?.type === 'none' && json.isEmpty) return {}
    if (json?.type === 'value' && Array.isArray(json.value)) return { payload: json.value as unknown[] }
    if (json?.type === 'value' && isObject(json.value)) return json.value
    throw new ChatwootRefusal('away', statusCode, NOT_JSON)
  }
}

function composeFields({ content, type, sourceId, isPrivate, inReplyTo, createdAt, isEcho }: NewCwMessage): Json {
  const attributes = {
    ...(inReplyTo === undefined ? {} : { in_reply_to: inReplyTo }),
    ...(createdAt === undefined ? {} : { external_created_at: createdAt }),
    ...(isEcho === true ? { external_echo: true } : {}),
  }
  return {
    content,
    message_type: type,
    private: isPrivate === true,
    ...(sourceId === undefined ? {} : { source_id: sourceId }),
    // Releases up to 4.3 read the time here only, later ones in the attributes only.
    ...(createdAt === undefined ? {} : { external_created_at: createdAt }),
    ...(Object.keys(attributes).length === 0 ? {} : { content_attributes: attributes }),
  }
}

function readContact(raw: Json): CwContact {
  return {
    id: readId(raw),
    name: text(raw.name),
    phone: text(raw.phone_number),
    identifier: text(raw.identifier),
    sourceIds: toList(raw.contact_inboxes).map((inbox) => text(inbox.source_id)),
  }
}

function readConversation(raw: Json): CwConversation {
  const meta = isObject(raw.meta) ? (raw.meta as Json) : {}
  const sender = isObject(meta.sender) ? (meta.sender as Json) : {}
  const inbox = isObject(raw.contact_inbox) ? (raw.contact_inbox as Json) : {}
  return {
    id: readId(raw),
    inboxId: knownId(raw.inbox_id),
    contactId: knownId(sender.id ?? inbox.contact_id),
    phone: text(sender.phone_number),
    identifier: text(sender.identifier),
    sourceId: text(inbox.source_id),
    status: text(raw.status),
    lastId: knownId(toList(raw.messages).at(-1)?.id),
    activeMs: Number(raw.last_activity_at ?? 0) * 1_000 || 0,
  }
}

/** @throws ChatwootRefusal when there is none: a number of another kind could not be stored. */
function readId(raw: Json): number {
  const id = knownId(raw.id)
  if (id === 0) throw new ChatwootRefusal('away', 200, NO_ID)
  return id
}

function readPayload(answer: Json): Json {
  return isObject(answer.payload) && !Array.isArray(answer.payload) ? (answer.payload as Json) : answer
}

function toList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as unknown[]).filter((one): one is Json => isObject(one)) : []
}

/** PostgreSQL stores no NUL. */
function text(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}

// Lists the bytes, values and parts that each call of Chatwoot needs of its answer. A larger answer is refused before it is parsed.

const contact = {
  id: true,
  name: true,
  phone_number: true,
  identifier: true,
  contact_inboxes: [{ source_id: true }],
} as const satisfies Keep

const conversation = {
  id: true,
  inbox_id: true,
  status: true,
  last_activity_at: true,
  meta: { sender: { id: true, phone_number: true, identifier: true } },
  contact_inbox: { contact_id: true, source_id: true },
  messages: [{ id: true }],
} as const satisfies Keep

/** As `agentMessage` reads it. */
const message = {
  id: true,
  conversation_id: true,
  message_type: true,
  private: true,
  content_type: true,
  content: true,
  created_at: true,
  source_id: true,
  content_attributes: { in_reply_to: true, external_error: true, deleted: true },
  attachments: [{ data_url: true, file_type: true, extension: true }],
  sender: { name: true, available_name: true },
} as const satisfies Keep

const inbox = {
  id: true,
  channel_type: true,
  webhook_url: true,
  secret: true,
  inbox_identifier: true,
} as const satisfies Keep

/** One thing, with the conversations and inboxes that Chatwoot shows beside it. */
const ONE = { bytesMax: 1_000_000, valuesMax: 50_000, depthMax: 32 }
/** All conversations of an inbox with activity, some 200 values each. */
const MANY = { bytesMax: 4_000_000, valuesMax: 300_000, depthMax: 32 }

const answers = {
  profile: { ...ONE, keep: { accounts: [{ id: true, role: true }] } },
  inbox: { ...ONE, keep: inbox },
  inboxes: { ...MANY, keep: { payload: [{ id: true, name: true, channel_type: true, webhook_url: true }] } },
  contacts: { ...MANY, keep: { payload: [contact], '[]': contact } },
  contact: { ...ONE, keep: { ...contact, payload: { ...contact, contact, contact_inbox: { source_id: true } } } },
  conversation: { ...ONE, keep: conversation },
  conversations: { ...MANY, keep: { payload: [conversation], data: { payload: [conversation] }, '[]': conversation } },
  messages: { ...MANY, keep: { payload: [message], '[]': message } },
  created: { ...ONE, keep: { id: true } },
  nothing: { ...ONE, keep: {} },
} as const satisfies Record<string, JsonUse>
