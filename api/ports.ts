/** What the API needs from the node that serves it; `main.ts` fills it. Types only. */
import type { Readable } from 'node:stream'
import type {
  CommandRouter,
  FileKind,
  LinkPreview,
  MediaKind,
  PreparedFile,
  StoredFile,
} from '../actors/instance/commands.js'
import type { EventKind } from '../actors/instance/ports.js'
import type { ChatFilter, ChatSort } from '../schemas/chat-filter.js'
import type { PictureSource } from '../schemas/choices/menu.js'
import type { FunctionParameter } from '../schemas/function-rules.js'
import type { GroupInfo } from '../schemas/group-info.js'
import type { InstanceId, Jid, MessageId } from '../schemas/ids.js'
import type { FieldsMap } from '../schemas/lead-fields.js'

/** An instance as stored: the row, without live parts. Times are UTC. */
export interface InstanceRow {
  readonly id: InstanceId
  readonly name: string
  readonly systemName: string
  readonly adminField01: string
  readonly adminField02: string
  /** True only under the shard's current epoch; else `connecting`. */
  readonly status: 'disconnected' | 'connecting' | 'connected'
  readonly desiredConnected: boolean
  /** Digits of the own number; empty when not paired. */
  readonly owner: string
  readonly profileName: string
  readonly profilePicUrl: string
  readonly isBusiness: boolean
  readonly platform: string
  readonly lastDisconnect: Date | null
  readonly lastDisconnectReason: string
  /** The names of custom lead fields. */
  readonly fieldsMap: FieldsMap
  /** It was given to another installation; here it is only read. */
  readonly isExported: boolean
  readonly created: Date
  readonly updated: Date
}

/** What a key of an instance is good for: `read` tells, `send` sends. Everything else needs the token. */
export type Scope = 'read' | 'send'

/** What the holder of a key may do. */
export interface KeyGrant {
  readonly id: string
  readonly scopes: readonly Scope[]
  /** The one chat that it is for; null: all. */
  readonly chat: Jid | null
}

/** Whose token it is, and how much of the instance it opens. */
export interface Access {
  readonly instance: InstanceRow
  /** Null: a token of the instance, which may do everything. */
  readonly key: KeyGrant | null
}

/** A key as it can be told: without what opens anything. */
export interface KeyRow extends KeyGrant {
  readonly name: string
  /** What the key begins with, so that people can tell which it is. */
  readonly prefix: string
  readonly created: Date
  /** Null: when it is revoked. */
  readonly ends: Date | null
}

export interface AccessKeys {
  /**
   * `token` is told only here. `lifeMs: null`: it has no end.
   * @throws GatewayError TOO_MANY_KEYS, INSTANCE_NOT_FOUND
   */
  create(
    instance: InstanceId,
    key: Pick<KeyRow, 'name' | 'scopes' | 'chat'> & { readonly lifeMs: number | null },
  ): Promise<{ key: KeyRow; token: string }>
  /** Those that have not ended, the oldest first. */
  list(instance: InstanceId): Promise<readonly KeyRow[]>
  /** @throws GatewayError KEY_NOT_FOUND */
  revoke(instance: InstanceId, id: string): Promise<void>
}

export interface AdminTokens {
  /** A name for the token that tells nothing of it; null when it is none. Compares in constant time. */
  identify(token: string): Promise<string | null>
  /** Makes one that is valid on every node, told only here. All others end then, or after the time given. */
  rotate(graceMs: number): Promise<{ token: string; othersEnd: Date }>
}

export interface InstanceDirectory {
  /** Makes the instance and its token; the token is not kept in clear and never told again. */
  create(input: {
    name: string
    systemName: string
    adminField01: string
    adminField02: string
  }): Promise<{ instance: InstanceRow; token: string }>
  /** By its token, a former one that has not ended, or one of its keys. */
  byToken(token: string): Promise<Access | null>
  /**
   * Gives the instance another token, which is told only here. Its former ones end then, or after the time given; keys stay.
   * @throws GatewayError INSTANCE_NOT_FOUND
   */
  rotateToken(id: InstanceId, graceMs: number): Promise<{ token: string; formerEnds: Date }>
  byId(id: InstanceId): Promise<InstanceRow | null>
  all(): Promise<readonly InstanceRow[]>
  rename(id: InstanceId, name: string): Promise<InstanceRow>
  setAdminFields(id: InstanceId, fields: { adminField01?: string; adminField02?: string }): Promise<InstanceRow | null>
  /**
   * Names custom lead fields; an empty name takes one away, fields that are not given keep theirs.
   * @throws GatewayError INVALID_REQUEST when a name is taken
   */
  setFieldsMap(id: InstanceId, set: FieldsMap): Promise<InstanceRow>
  /**
   * Stores that the instance should be connected (or not). Counts under a lock of the database, for all nodes together.
   * @throws GatewayError INSTANCE_LIMIT when there are `INSTANCES_MAX` others, PAIRING_LIMIT when it is not paired and `QR_INSTANCES_MAX`
   * others are in the middle of a pairing, INSTANCE_EXPORTED
   */
  setDesired(id: InstanceId, connected: boolean): Promise<void>
  /** Deletes the instance with all that is stored of it. */
  delete(id: InstanceId): Promise<void>
}

/** What of an instance travels beside its keys, contacts and chats. */
export interface CarriedParts {
  readonly webhooks: boolean
  /** With those that wait to be sent. */
  readonly messages: boolean
}

/** Instances on their way from one installation to another. */
export interface InstanceTransfer {
  /** @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_EXPORTED, INSTANCE_NOT_PAIRED, SENDS_WAITING */
  check(id: InstanceId, parts: CarriedParts): Promise<void>
  /**
   * From now on it cannot be connected here, and no key of it changes. It must not be wanted connected, and its actor must be paused.
   * @throws GatewayError as `check`, and INSTANCE_CONNECTED
   */
  mark(id: InstanceId, parts: CarriedParts): Promise<void>
  /** It stays here after all. */
  unmark(id: InstanceId): Promise<void>
  /** The file, of one moment. @throws GatewayError INSTANCE_CONNECTED when it is not marked */
  read(id: InstanceId, passphrase: string, parts: CarriedParts): Promise<Readable>
  /** Makes the instance; it is not connected yet. @throws GatewayError INVALID_EXPORT, INSTANCE_EXISTS */
  write(file: AsyncIterable<Uint8Array>, passphrase: string): Promise<InstanceId>
}

export interface MessageQuery {
  readonly id?: string
  /** A JID or number of a chat. */
  readonly chatid?: string
  readonly trackSource?: string
  readonly trackId?: string
  readonly status?: string
  readonly limit: number
  readonly offset: number
}

export interface MessageDirectory {
  /** In the specification's spelling; newest first, by id oldest first. `hasMore` when there is a page after this one. */
  find(
    instance: InstanceId,
    query: MessageQuery,
  ): Promise<{ messages: readonly Readonly<Record<string, unknown>>[]; hasMore: boolean }>
  /** Whether a send under this Idempotency-Key is stored. */
  isKnownKey(instance: InstanceId, key: string): Promise<boolean>
}

export interface ChatQuery {
  readonly filters: readonly ChatFilter[]
  readonly operator: 'AND' | 'OR'
  readonly sort: ChatSort
  readonly limit: number
  readonly offset: number
}

export interface ChatDirectory {
  /** Records in the specification's spelling; `total`: how many match; `stats`: how many of several kinds the instance has. */
  find(
    instance: Pick<InstanceRow, 'id' | 'owner'>,
    query: ChatQuery,
  ): Promise<{
    chats: readonly Readonly<Record<string, unknown>>[]
    total: number
    stats: Readonly<Record<string, number>>
  }>
  /** Whether two JIDs name one chat, as far as is known here. */
  isSame(instance: InstanceId, one: Jid, other: Jid): Promise<boolean>
}

export type ContactScope = 'address_book' | 'outside_address_book' | 'all'

export interface ContactRecord {
  readonly jid: string
  readonly contact_name: string
  readonly contact_FirstName: string
  readonly lid: string
  readonly push_name: string
}

export interface ContactDirectory {
  /** In the order of the JIDs. `total`: of the scope; `inBook`: of the address book. */
  page(
    instance: InstanceId,
    query: { readonly scope: ContactScope; readonly limit: number; readonly offset: number },
  ): Promise<{ contacts: readonly ContactRecord[]; total: number; inBook: number }>
  /** All, some thousand at a time. */
  all(instance: InstanceId, scope: ContactScope): AsyncIterable<readonly ContactRecord[]>
}

export interface FunctionFields {
  readonly name: string
  readonly description: string
  readonly method: string
  readonly endpoint: string
  readonly active: boolean
  /** JSON as given; empty when there are none. */
  readonly headers: string
  readonly body: string
  readonly parameters: readonly FunctionParameter[]
  /** Names between commas. */
  readonly undocumented: string
  readonly headerError: boolean
  readonly bodyError: boolean
}

interface Recorded {
  readonly id: string
  readonly created: Date
  readonly updated: Date
}
export type FunctionRow = FunctionFields & Recorded

export interface KnowledgeFields {
  readonly active: boolean
  readonly tittle: string
  readonly content: string
  readonly fileType: string
  readonly priority: number
}
export type KnowledgeRow = Omit<KnowledgeFields, 'fileType'> & Recorded

/** A save without an id makes a record. */
export interface AgentRecords {
  /** The oldest first. */
  functions(instance: InstanceId): Promise<readonly FunctionRow[]>
  findFunction(instance: InstanceId, id: string): Promise<FunctionRow | null>
  /** @throws GatewayError NAME_TAKEN, RECORD_LIMIT, INSTANCE_NOT_FOUND */
  saveFunction(instance: InstanceId, id: string | null, fields: FunctionFields): Promise<FunctionRow>
  deleteFunction(instance: InstanceId, id: string): Promise<void>
  /** The highest priority first. */
  knowledge(instance: InstanceId): Promise<readonly KnowledgeRow[]>
  findKnowledge(instance: InstanceId, id: string): Promise<KnowledgeRow | null>
  /** @throws GatewayError RECORD_LIMIT, INSTANCE_NOT_FOUND */
  saveKnowledge(instance: InstanceId, id: string | null, fields: KnowledgeFields): Promise<KnowledgeRow>
  deleteKnowledge(instance: InstanceId, id: string): Promise<void>
}

export interface QuickReplyFields {
  readonly shortcut: string
  readonly type: string
  readonly text: string
  /** URL or base64; empty for a text. */
  readonly file: string
  readonly docName: string
}
export type QuickReplyRow = QuickReplyFields & Recorded & { readonly isOfPhone: boolean }

/** A save without an id makes a quick reply. Those of the phone are only listed. */
export interface QuickReplyDirectory {
  /** The oldest first. */
  list(instance: InstanceId): Promise<readonly QuickReplyRow[]>
  find(instance: InstanceId, id: string): Promise<QuickReplyRow | null>
  /** @throws GatewayError RECORD_LIMIT, INSTANCE_NOT_FOUND */
  save(instance: InstanceId, id: string | null, fields: QuickReplyFields): Promise<void>
  delete(instance: InstanceId, id: string): Promise<void>
}

export interface GroupDirectory {
  /** As stored, in the order of the JIDs. */
  list(instance: InstanceId): Promise<readonly GroupInfo[]>
  /** Those whose name contains it, without regard to case; `total`: how many these are. */
  page(
    instance: InstanceId,
    query: { readonly search: string; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly groups: readonly GroupInfo[]; readonly total: number }>
}

export interface LabelDirectory {
  /** Records, in the order of their ids. */
  list(instance: Pick<InstanceRow, 'id' | 'owner'>): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** `instance: null` is the global webhook's scope. */
export interface WebhookRow {
  readonly id: string
  readonly instance: InstanceId | null
  readonly enabled: boolean
  readonly url: string
  readonly events: readonly EventKind[]
  readonly excludeMessages: readonly string[]
  readonly addUrlEvents: boolean
  readonly addUrlTypesMessages: boolean
  readonly created: Date
  readonly updated: Date
}

export interface WebhookInput {
  readonly enabled?: boolean
  readonly url?: string
  readonly events?: readonly EventKind[]
  readonly excludeMessages?: readonly string[]
  readonly addUrlEvents?: boolean
  readonly addUrlTypesMessages?: boolean
  /** `whsec_…`; made when absent at creation. */
  readonly secret?: string
}

export interface DeadLetterRow {
  readonly webhookId: string
  readonly instance: InstanceId
  readonly eventId: string
  readonly kind: EventKind
  /** Empty when the event is not about a message. */
  readonly messageType: string
  readonly url: string
  readonly attempts: number
  /** 0 when there was no answer. */
  readonly statusCode: number
  readonly error: string
  readonly diedAt: Date
  readonly payload: Readonly<Record<string, unknown>>
}

export interface DeadLetterQuery {
  /** Of all webhooks of the scope when left out. */
  readonly webhookId?: string
  readonly limit: number
  readonly offset: number
}

export interface ReplayChoice {
  readonly webhookId?: string
  /** All when left out. */
  readonly eventIds?: readonly string[]
  /** Those given up then or later. */
  readonly diedFrom?: Date
  readonly limit?: number
}

export interface ReplayOutcome {
  /** Deliveries that are due again. */
  readonly replayed: number
  /** Event ids of which there was no dead letter. */
  readonly skipped: number
  readonly remaining: number
  /** Webhooks that are switched off: what was put back waits until they are enabled. */
  readonly disabled: readonly string[]
}

export interface WebhookDirectory {
  list(instance: InstanceId | null): Promise<readonly WebhookRow[]>
  /** `secret` is told only here. @throws GatewayError URL_NOT_ALLOWED */
  add(
    instance: InstanceId | null,
    input: WebhookInput & { url: string },
  ): Promise<{ webhook: WebhookRow; secret: string }>
  /**
   * For callers who know of one webhook, without an id: changes it, or makes it when there is none; then `secret` is told.
   * Many at once make one.
   * @throws GatewayError INVALID_REQUEST (there are several, or there is none and no URL is given), URL_NOT_ALLOWED
   */
  setOnly(instance: InstanceId | null, input: WebhookInput): Promise<{ webhook: WebhookRow; secret?: string }>
  /** @throws GatewayError WEBHOOK_NOT_FOUND, URL_NOT_ALLOWED */
  update(instance: InstanceId | null, id: string, input: WebhookInput): Promise<WebhookRow>
  /** @throws GatewayError WEBHOOK_NOT_FOUND */
  delete(instance: InstanceId | null, id: string): Promise<void>
  /** The newest failed attempts, newest first: created, url, type (`local`, `global`), event, message_type, status_code, attempts, error, payload. */
  errors(instance: InstanceId | null, limit: number): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Deliveries that were given up, the newest events first. @throws GatewayError WEBHOOK_NOT_FOUND */
  deadLetters(
    instance: InstanceId | null,
    query: DeadLetterQuery,
  ): Promise<{ deadLetters: readonly DeadLetterRow[]; hasMore: boolean }>
  /** Puts dead letters back in their lanes, due at once, under their old event ids. @throws GatewayError WEBHOOK_NOT_FOUND */
  replay(instance: InstanceId | null, choice: ReplayChoice): Promise<ReplayOutcome>
  /** Sends one sample now, past the queue; answers with what the receiver said. @throws GatewayError WEBHOOK_NOT_FOUND, URL_NOT_ALLOWED, FETCH_FAILED */
  test(instance: InstanceId | null, id: string): Promise<{ statusCode: number; durationMs: number; body: string }>
}

export interface StreamOptions {
  /** null: every instance (administrators). */
  readonly instance: InstanceId | null
  /** Empty: all kinds. */
  readonly events: readonly EventKind[]
  readonly excludeMessages: readonly string[]
  /** From `Last-Event-ID`: the sequence (one instance) or the global cursor (all); only what comes after it. */
  readonly after?: string
  /** Whether its reader may still have it; asked now and then. */
  readonly isWelcome?: () => Promise<boolean>
}

export interface EventStreams {
  /** Server-sent events as text, with heartbeats, ended by destroying it; bounded buffer. */
  open(options: StreamOptions): Readable
}

export interface Health {
  /** Can this node serve? `reasons` are sentences for operators. */
  ready(): Promise<{ ready: boolean; reasons: readonly string[] }>
  /** Prometheus text. */
  metrics(): Promise<{ contentType: string; body: string }>
}

/** One life of a node. */
export interface NodeView {
  /** Random, of this life of the process. */
  readonly incarnation: string
  /** NODE_ID. */
  readonly nodeId: string
  readonly address: string
  readonly version: string
  /** `silent`: a sign of life is overdue. `dead`: it still owns shards, which others will claim. */
  readonly state: 'active' | 'draining' | 'silent' | 'dead'
  /** The node that answers. */
  readonly isSelf: boolean
  readonly shards: number
  /** Those that should be connected. */
  readonly instances: number
  readonly registered: Date
  /** As far as the node that answers has seen. */
  readonly lastSeen: Date | null
}

export interface ShardView {
  readonly shard: number
  readonly epoch: number
  /** When it came to its owner, or got its epoch. */
  readonly since: Date
  readonly incarnation: string | null
  readonly nodeId: string | null
  /** Nobody lives who owns it. */
  readonly isFree: boolean
  /** Those that should be connected. */
  readonly instances: number
}

export interface PlacementView {
  readonly shard: number
  readonly epoch: number
  readonly since: Date
  /** `moving`: this node owns it, and is not ready yet or about to give it away. `none`: nobody lives who owns it. */
  readonly state: 'here' | 'there' | 'moving' | 'none'
  readonly owner: { readonly incarnation: string; readonly nodeId: string; readonly address: string } | null
}

/** The same on every node, but for what each has seen of the others. */
export interface ClusterView {
  nodes(): Promise<readonly NodeView[]>
  /** In the order of their numbers. */
  shards(): Promise<readonly ShardView[]>
  /** Null when there is no such instance. */
  placement(instance: InstanceId): Promise<PlacementView | null>
  /** The node gives everything away, for as long as it runs. False: no living node has this id. */
  drain(nodeId: string): Promise<boolean>
}

/** What a page says of itself. */
export interface PagePreview extends LinkPreview {
  /** Where its picture is, when there is one. */
  readonly image?: string
}

export interface LinkPreviews {
  /** Fetches through the guard; null when the page gives no title. @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED */
  fetch(url: string, owner?: InstanceId): Promise<PagePreview | null>
  /** A small JPEG in base64 of what a caller gave; null when it is no picture. @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED */
  picture(source: PictureSource, owner?: InstanceId): Promise<string | null>
  /** As `picture`: a JPEG of 640 by 640 pixels, for a group. */
  portrait(source: PictureSource, owner?: InstanceId): Promise<string | null>
}

/** A file as a caller gave it: on this node's disk already, or a URL to fetch it from. */
export type GivenFile =
  | {
      readonly from: 'file'
      readonly path: string
      readonly sizeBytes: number
      /** What the caller says of it; may be empty. */
      readonly mimetype: string
    }
  | { readonly from: 'url'; readonly url: string }

export interface AskedFile<Kind extends FileKind = MediaKind> {
  readonly instance: InstanceId
  /** Of the message that it is for: as long as that is queued the file stays. */
  readonly messageid: MessageId
  readonly kind: Kind
  readonly file: GivenFile
  readonly fileName?: string
  /** Instead of what the file says of itself. */
  readonly mimetype?: string
  readonly thumbnail?: GivenFile
  /** It must survive the machine, since the send is answered before it has happened. */
  readonly durable: boolean
}

/** A file to be given away; whoever takes it reads `body` to its end or destroys it. */
export interface FileOfMessage {
  readonly mimetype: string
  /** May be empty. */
  readonly fileName: string
  readonly sizeBytes: number
  readonly body: Readable
}

/** Which file of a message: its own, that as MP3, that of the message which it quotes, or that of one of its cards, of which the first is 1. */
export type FileVariant = 'own' | 'mp3' | 'quoted' | `card${number}`

export interface MediaDesk {
  /**
   * Fetches, looks at, converts and stores a file, so that the node that owns the instance can send it.
   * @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED, MEDIA_TOO_LARGE, MEDIA_TYPE_REFUSED, CONVERSION_UNAVAILABLE,
   * MEDIA_STORAGE_UNAVAILABLE, INVALID_REQUEST (the thumbnail)
   */
  take<Kind extends FileKind>(asked: AskedFile<Kind>): Promise<PreparedFile<Kind>>
  /** It is not needed any more. Never rejects. */
  release(file: StoredFile): Promise<void>
  /** Whether sounds can be converted here. */
  readonly canConvert: boolean
  /** The address at which the file of a message record is given, for as long as links last from now; empty when it has none. */
  linkTo(instance: InstanceId, record: Readonly<Record<string, unknown>>, variant?: Exclude<FileVariant, 'own'>): string
  /**
   * What a link leads to, by the last three parts of its path.
   * @throws GatewayError MEDIA_LINK_ENDED, and as `open`
   */
  follow(instance: string, file: string, proof: string): Promise<FileOfMessage>
  /**
   * The file of a message, by the internal id; from the storage, the network, or the account's phone.
   * @throws GatewayError MEDIA_NOT_FOUND, MEDIA_TOO_LARGE, MEDIA_EXPIRED, MEDIA_UNAVAILABLE, INSTANCE_NOT_CONNECTED, CONVERSION_UNAVAILABLE
   */
  open(instance: InstanceId, record: string, variant: FileVariant): Promise<FileOfMessage>
}

/** A call as it is written down. */
export interface AuditedCall {
  /** `unknown`: its token was none. */
  readonly actorKind: 'admin' | 'token' | 'key' | 'unknown'
  /** Tells tokens apart without being one. */
  readonly actor: string
  readonly address: string
  readonly method: string
  /** As declared: `/instance/keys/:id`. */
  readonly route: string
  readonly operation: string
  /** The instance, or whatever else the path names; may be empty. */
  readonly subject: string
  readonly requestId: string
}

export interface AuditRow extends AuditedCall {
  /** Grows. */
  readonly position: number
  readonly at: Date
  /** NODE_ID of the node that was asked. */
  readonly node: string
  /** Null: not known, since the call is under way or its node died. */
  readonly status: number | null
  /** Of the error; empty when there was none. */
  readonly code: string
}

export interface AuditQuery {
  readonly limit: number
  /** Only what came before that position. */
  readonly before?: number
  readonly subject?: string
  readonly operation?: string
  readonly from?: Date
}

export interface AuditLog {
  /** Resolves with the position when it is durable. */
  begin(call: AuditedCall, outcome?: Pick<AuditRow, 'status' | 'code'>): Promise<number>
  /** `subject` where it became known meanwhile, else empty. */
  end(position: number, outcome: { status: number; code: string }, subject: string): Promise<void>
  /** The newest first. */
  find(query: AuditQuery): Promise<{ entries: readonly AuditRow[]; hasMore: boolean }>
}

export interface ApiPorts {
  readonly router: CommandRouter
  readonly instances: InstanceDirectory
  readonly transfer: InstanceTransfer
  readonly messages: MessageDirectory
  readonly chats: ChatDirectory
  readonly contacts: ContactDirectory
  readonly labels: LabelDirectory
  readonly quickReplies: QuickReplyDirectory
  readonly groups: GroupDirectory
  readonly agentRecords: AgentRecords
  readonly webhooks: WebhookDirectory
  readonly streams: EventStreams
  readonly health: Health
  readonly linkPreviews: LinkPreviews
  readonly media: MediaDesk
  readonly cluster: ClusterView
  readonly adminTokens: AdminTokens
  readonly accessKeys: AccessKeys
  readonly audit: AuditLog
}
