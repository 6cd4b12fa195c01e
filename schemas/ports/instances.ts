/** Instances and their tokens, as API and store share them. Types only. */
import type { ChatbotSettings } from '../agents/records.js'
import type { InstanceFilter } from '../generated.js'
import type { InstanceId, Jid } from '../ids.js'
import type { TagChange } from '../instance-tags.js'
import type { FieldsMap } from '../lead-fields.js'
import type { ProxySettings } from '../proxy.js'

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
  /** Its owner has stopped it. */
  readonly isStopped: boolean
  /** Digits of the own number; empty when not paired. */
  readonly owner: string
  readonly profileName: string
  readonly profileUsername: string
  readonly profilePicUrl: string
  readonly isBusiness: boolean
  readonly platform: string
  readonly lastDisconnect: Date | null
  readonly lastDisconnectReason: string
  /** The names of custom lead fields. */
  readonly fieldsMap: FieldsMap
  /** Tags of the administrator, sorted. */
  readonly tags: readonly string[]
  /** ISO code of the country whose national numbers its callers may give; empty: none. */
  readonly defaultCountry: string
  /** Presence that the account is to show. */
  readonly presence: string
  /** Pause between two asynchronous sends; null: as the installation has it. */
  readonly delayMinMs: number | null
  readonly delayMaxMs: number | null
  /** The number is in use since then: as its owner says, or else since its pairing. */
  readonly inUseSince: Date
  readonly chatbot: ChatbotSettings
  /** It was given to another installation; here it is only read. */
  readonly isExported: boolean
  readonly created: Date
  readonly updated: Date
}

/** An instance in a list of the administrator. */
export interface FoundInstance {
  readonly instance: InstanceRow
  /** NODE_ID of the node that owns it; null when none does. */
  readonly node: string | null
  readonly isPaired: boolean
  /** Time of the last message, to the minute. */
  readonly lastActivityAt: Date | null
  /** Time since which it has its status; null if that is not known. */
  readonly since: Date | null
  /** Number of messages that wait for their turn or for an answer of the network. It is counted up to 1000. */
  readonly waiting: number
}

export interface InstanceQuery {
  readonly filter: InstanceFilter
  readonly sort: 'created' | 'name'
  readonly isDescending: boolean
  readonly limit: number
  /** `next` of the page before. */
  readonly cursor?: string | undefined
}

export interface FoundInstances {
  readonly instances: readonly FoundInstance[]
  /** Cursor of the next page; null when there is none. */
  readonly next: string | null
  /** Numbers of instances by status that fit the filter, whatever statuses it names. Null on later pages. */
  readonly counts: Readonly<Record<InstanceRow['status'], number>> | null
}

/** Scope of an access key: `read` reads, `send` sends, and `change` lets agents change over MCP what was sent. Everything else needs the token. */
export type Scope = 'read' | 'send' | 'change'

/** The rights of an access key. */
export interface KeyGrant {
  /** True for the pass of a link that only pairs the instance; it has no scopes. */
  readonly onlyPairs?: boolean
  readonly id: string
  readonly scopes: readonly Scope[]
  /** The one chat that it is for; null: all. */
  readonly chat: Jid | null
}

/** The instance of a token or key, and its rights. */
export interface Access {
  readonly instance: InstanceRow
  /** Null: a token of the instance, which may do everything. */
  readonly key: KeyGrant | null
}

/** A change of the connection of an instance. */
export interface ConnectionEntry {
  readonly at: Date
  readonly status: InstanceRow['status']
  readonly state: string
  /** Empty when no connection has ended. */
  readonly cause: string
  /** The network's; 0 when it gave none. */
  readonly code: number
  readonly reason: string
  readonly node: string
}

export interface InstanceDirectory {
  /** Makes the instance and its token; the token is not kept in clear and never told again. */
  create(input: {
    name: string
    systemName: string
    adminField01: string
    adminField02: string
    tags?: readonly string[]
  }): Promise<{ instance: InstanceRow; token: string }>
  /** By its token, a former one that has not ended, or one of its keys. */
  byToken(token: string): Promise<Access | null>
  /**
   * Gives the instance another token; only this answer has it. Former tokens end then, or after the grace time. Keys stay.
   * @throws GatewayError INSTANCE_NOT_FOUND
   */
  rotateToken(id: InstanceId, graceMs: number): Promise<{ token: string; formerEnds: Date }>
  byId(id: InstanceId): Promise<InstanceRow | null>
  /** Returns all instances, the oldest first, page by page. */
  all(): AsyncIterable<readonly InstanceRow[]>
  /** Returns the newest changes of the connection, newest first. */
  connections(id: InstanceId, limit: number): Promise<readonly ConnectionEntry[]>
  /** Returns one page of the instances that fit the filter. @throws GatewayError INVALID_REQUEST, RATE_LIMITED when it takes too long */
  find(query: InstanceQuery): Promise<FoundInstances>
  rename(id: InstanceId, name: string): Promise<InstanceRow>
  setAdminFields(id: InstanceId, fields: { adminField01?: string; adminField02?: string }): Promise<InstanceRow | null>
  /** Sets the country whose national numbers are taken; empty: none are. @throws GatewayError INSTANCE_NOT_FOUND */
  setDefaultCountry(id: InstanceId, country: string): Promise<InstanceRow>
  /** @throws GatewayError INSTANCE_NOT_FOUND, INVALID_REQUEST when there would be too many */
  changeTags(id: InstanceId, change: TagChange): Promise<InstanceRow>
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
  /** Stores that the instance is stopped. It keeps its pairing. @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_NOT_PAIRED */
  stop(id: InstanceId): Promise<void>
  /** Deletes the instance with all that is stored of it. */
  delete(id: InstanceId): Promise<void>
}

/** The proxies of instances. */

export interface StoredProxy extends ProxySettings {
  /** Time of the last successful test. */
  readonly tested: Date
}

export interface ProxyDirectory {
  find(instance: InstanceId): Promise<StoredProxy | null>
  /** Stores a proxy that was tested just now. @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_EXPORTED */
  set(instance: InstanceId, settings: ProxySettings): Promise<void>
  /** @throws GatewayError INSTANCE_EXPORTED */
  remove(instance: InstanceId): Promise<void>
  /** Connects to the network through a proxy. @throws GatewayError PROXY_FAILED, TOO_MANY_TESTS */
  test(instance: InstanceId, url: string): Promise<void>
}
