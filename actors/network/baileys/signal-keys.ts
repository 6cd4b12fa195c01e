import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from '@whiskeysockets/baileys'
import { SenderKeyRecord } from '@whiskeysockets/baileys/lib/Signal/Group/index.js'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../../lib/entries-max.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal, KeyEntry } from '../../instance/ports.js'
import { readAgain } from '../../instance/read-again.js'
import { decodeKey, encodeKey } from './key-codec.js'

/** A written or read value. Null: the store has no such key. */
interface Box {
  readonly value: unknown
}

interface CachedKey extends Box {
  /** All names that the same connection has in the cache, so that its end need not walk through the keys of the others. */
  readonly of: Set<string>
}

/** One cache of decoded keys for all connections of a node. Thus the node limits the memory, whatever the number of its instances. */
export type KeyCache = LRUCache<string, CachedKey>

export function createKeyCache(max: number): KeyCache {
  return new LRUCache<string, CachedKey>({
    ...entriesMax(max),
    dispose: ({ of }, name) => void of.delete(name),
  })
}

export interface KeyName {
  readonly kind: keyof SignalDataTypeMap
  readonly id: string
}

export interface SignalKeys extends SignalKeyStore {
  /** Reads keys of several kinds into memory with one statement, for the calls of `get` that follow. */
  learn(names: readonly KeyName[]): Promise<void>
  /** Changes keys on which no frame depends: they follow with the next write. */
  setLater(data: SignalDataSet): void
  /** Runs work whose new sessions follow with the next write: until a message is encrypted, a lost one is only fetched again. */
  withoutHaste<T>(work: () => Promise<T>): Promise<T>
  /** Holds back changes by encryption and decryption: reads see them, but they are not written until `release` returns them. */
  hold(): void
  /** Returns the held changes, for the caller to write together with the data that they belong to. */
  release(): KeyEntry[]
  /** Removes the keys of this connection from the cache. Called when the connection has ended. */
  forget(): void
}

export interface SignalKeysOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly cache: KeyCache
  /** Returns the time at which the store went back in time; 0 if it never did. */
  readonly storeBackAtMs?: () => number
  /** Ends the connection. Called when a write failed, so that memory is ahead of the store, or when keys cannot be read. */
  readonly onFailure: (error: unknown) => void
}

/** Maximum time for which a change waits for the next write. */
const WAIT_MS = 1_000

let connections = 0

/**
 * Makes the Signal keys of one connection, over the store. A read sees every earlier write. A write is in the journal when `set` returns, and
 * durable later: the output gate holds the frames that depend on it. A few changes on which no frame depends follow with the next write. Pre-keys are not kept in memory, because most are never used.
 */
export function createSignalKeys(options: SignalKeysOptions): SignalKeys {
  const keys = new StoredKeys(options)
  return {
    get: (kind, ids) => keys.get(kind, ids),
    set: (data) => keys.set(data),
    learn: (names) => keys.learn(names),
    setLater: (data) => keys.setLater(data),
    withoutHaste: (work) => keys.withoutHaste(work),
    hold: () => keys.hold(),
    release: () => keys.release(),
    forget: () => keys.forget(),
  }
}

class StoredKeys {
  readonly #options: SignalKeysOptions
  /** Separates the connection from others in the cache. After a failed write the memory of a former connection may be ahead of the store. */
  readonly #prefix: string
  /** Values that are not durable yet. */
  readonly #pending = new Map<string, Box>()
  #held: Map<string, KeyEntry> | undefined
  #heldBoxes: [string, Box][] = []
  /** Changes that wait for the next write. See `mayWait`. */
  readonly #waiting = new Map<string, { readonly entry: KeyEntry; readonly box: Box }>()
  #timer: NodeJS.Timeout | undefined
  #isUnhurried = false
  /** Names in the cache. Undefined when the connection has ended. */
  #remembered: Set<string> | undefined = new Set()

  constructor(options: SignalKeysOptions) {
    connections += 1
    this.#options = options
    this.#prefix = `${connections}:`
  }

  async get<T extends keyof SignalDataTypeMap>(
    kind: T,
    ids: string[],
  ): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    const found: Record<string, unknown> = {}
    const missing: string[] = []
    for (const id of ids) {
      const known = this.#known(`${kind}:${id}`)
      if (known === undefined) missing.push(id)
      else if (known.value !== null) found[id] = known.value
    }
    if (missing.length > 0) {
      const stored = await this.#stored(kind, missing)
      for (const id of missing) {
        const value = this.#valueRead(kind, id, stored.get(id))
        if (value !== null) found[id] = value
      }
    }
    return found as { [id: string]: SignalDataTypeMap[T] }
  }

  async learn(names: readonly KeyName[]): Promise<void> {
    const missing = names.filter(({ kind, id }) => this.#known(`${kind}:${id}`) === undefined)
    if (missing.length === 0) return
    const { instance, reader } = this.#options
    const stored = await this.#orEnd(() => reader.keysNamed(instance, missing))
    for (const { kind, id } of missing) this.#valueRead(kind, id, stored.get(`${kind}:${id}`))
  }

  async set(data: SignalDataSet): Promise<void> {
    this.#set(data, (kind, ids) => this.#mayWait(kind, ids))
  }

  setLater(data: SignalDataSet): void {
    this.#set(data, () => true)
  }

  async withoutHaste<T>(work: () => Promise<T>): Promise<T> {
    this.#isUnhurried = true
    try {
      return await work()
    } finally {
      this.#isUnhurried = false
    }
  }

  #set(data: SignalDataSet, mayWait: (kind: string, ids: readonly string[]) => boolean): void {
    const entries: KeyEntry[] = []
    const written: [string, Box][] = []
    for (const [kind, values] of Object.entries(data)) {
      const waits = mayWait(kind, Object.keys(values ?? {}))
      for (const [id, given] of Object.entries(values ?? {})) {
        const value: unknown = given ?? null
        const name = `${kind}:${id}`
        const entry: KeyEntry = { kind, id, value: value === null ? null : () => encodeKey(value) }
        const box = { value }
        this.#pending.set(name, box)
        this.#remember(name, kind, value)
        this.#waiting.delete(name)
        // An outdated list of devices must not outlive the acknowledgement of the notice.
        if (waits && (kind !== 'device-list' || value !== null)) this.#wait(name, entry, box)
        else if (this.#held !== undefined && isHeld(kind, value)) {
          this.#held.set(name, entry)
          this.#heldBoxes.push([name, box])
        } else {
          entries.push(entry)
          written.push([name, box])
        }
      }
    }
    if (entries.length > 0) this.#write(entries, written)
  }

  hold(): void {
    this.#held = new Map()
  }

  release(): KeyEntry[] {
    const entries = this.#held === undefined ? [] : [...this.#held.values()]
    this.#held = undefined
    const boxes = this.#heldBoxes.splice(0)
    if (entries.length > 0) this.#takeWaiting(entries, boxes)
    // The caller writes them now. When everything written by then is durable, the store has them.
    if (boxes.length > 0)
      queueMicrotask(() => this.#settle(this.#options.journal.settled() ?? Promise.resolve(), boxes))
    return entries
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.#waiting.clear()
    const names = this.#remembered
    this.#remembered = undefined
    for (const name of names ?? []) this.#options.cache.delete(name)
  }

  #write(entries: KeyEntry[], boxes: [string, Box][]): void {
    this.#takeWaiting(entries, boxes)
    this.#settle(this.#options.journal.write([{ type: 'keys', entries }]), boxes)
  }

  /**
   * Returns whether the changes may wait for the next write, although frames leave before it. The network tells them again when they are
   * missing: the first mapping of a number to its LID, lists of devices, which only say what sessions of a number its LID takes over, and
   * sessions that nothing was encrypted with.
   */
  #mayWait(kind: string, ids: readonly string[]): boolean {
    if (kind === 'device-list' || (kind === 'session' && this.#isUnhurried)) return true
    return (
      kind === 'lid-mapping' &&
      ids.every((id) => id.endsWith('_reverse') || this.#known(`${kind}:${id}`)?.value === null)
    )
  }

  #wait(name: string, entry: KeyEntry, box: Box): void {
    if (this.#remembered === undefined) return
    this.#waiting.set(name, { entry, box })
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#waiting.size > 0) this.#write([], [])
    }, WAIT_MS)
  }

  /** Adds the changes that wait to those that are about to be written. */
  #takeWaiting(entries: KeyEntry[], boxes: [string, Box][]): void {
    for (const [name, { entry, box }] of this.#waiting) {
      entries.push(entry)
      boxes.push([name, box])
    }
    this.#waiting.clear()
  }

  #known(name: string): Box | undefined {
    return this.#pending.get(name) ?? this.#options.cache.get(this.#prefix + name)
  }

  /** Returns the value of a key that was read from the store. If it was written during the read, the newer value wins. */
  #valueRead(kind: string, id: string, bytes: Uint8Array | undefined): unknown {
    const name = `${kind}:${id}`
    const newer = this.#known(name)
    if (newer !== undefined) return newer.value
    const { storeBackAtMs = () => 0 } = this.#options
    const value = bytes === undefined ? null : renewOutdated(kind, decodeKey(kind, bytes), storeBackAtMs())
    this.#remember(name, kind, value)
    return value
  }

  #remember(name: string, kind: string, value: unknown): void {
    if (this.#remembered === undefined) return
    const { cache } = this.#options
    const cached = this.#prefix + name
    if (kind !== 'pre-key' || value === null) {
      cache.set(cached, { value, of: this.#remembered })
      // After the cache's `set`, because the former entry of that name removes the name when it leaves the cache.
      this.#remembered.add(cached)
    } else cache.delete(cached)
  }

  /**
   * Reads keys from the store, or ends the connection. A key that cannot be read must not look like a missing key: `loadSession` of Baileys
   * 7.0.0-rc14 returns "no session" after any error, so a new session would replace the stored one, and a received message would be requested
   * once more.
   */
  async #stored(kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const { instance, reader } = this.#options
    return await this.#orEnd(() => reader.keys(instance, kind, ids))
  }

  async #orEnd<T>(read: () => Promise<T>): Promise<T> {
    const { onFailure } = this.#options
    const isOpen = (): boolean => this.#remembered !== undefined
    try {
      return await readAgain(read, isOpen)
    } catch (error) {
      if (isOpen()) onFailure(error)
      throw error
    }
  }

  #settle(written: Promise<unknown>, boxes: [string, Box][]): void {
    written.then(() => {
      for (const [name, box] of boxes) if (this.#pending.get(name) === box) this.#pending.delete(name)
    }, this.#options.onFailure)
  }
}

/** Returns whether encryption or decryption changes this key. All other keys are written at once, because a frame may depend on them. */
function isHeld(kind: string, value: unknown): boolean {
  return (
    kind === 'session' || kind === 'sender-key' || kind === 'identity-key' || (kind === 'pre-key' && value === null)
  )
}

/** The part of a stored session record that says which session encrypts. */
interface SessionRecord {
  readonly _sessions?: Readonly<Record<string, { readonly indexInfo?: { created?: number; closed?: number } }>>
}

const OPEN = -1
/** More messages than a group gets in a span that a store loses. Receivers keep that many keys, and take at most 2,000. */
const GROUP_STEPS = 500
/** Time after the store went back in which the key of a group may still be behind. */
const GROUP_MS = 24 * 60 * 60_000

/**
 * Changes keys that the store had when it went back in time. Their ratchets may be behind: another message under a key that was used already
 * would be dropped by the other side. Sessions from before that moment encrypt nothing more, so that the next message begins a new one, once
 * for each contact; they still decrypt. The account's own key of a group skips some steps.
 * @param backAtMs 0: the store never went back
 */
export function renewOutdated(kind: string, value: unknown, backAtMs: number): unknown {
  if (backAtMs === 0 || value === null) return value
  if (kind === 'session') closeSessions(value as SessionRecord, backAtMs)
  if (kind === 'sender-key' && value instanceof Uint8Array && Date.now() - backAtMs < GROUP_MS) return skipSteps(value)
  return value
}

function closeSessions({ _sessions: sessions = {} }: SessionRecord, backAtMs: number): void {
  for (const { indexInfo } of Object.values(sessions))
    if (indexInfo?.closed === OPEN && (indexInfo.created ?? 0) < backAtMs) indexInfo.closed = Date.now()
}

function skipSteps(bytes: Uint8Array): Uint8Array {
  const record = SenderKeyRecord.deserialize(bytes)
  const state = record.getSenderKeyState()
  // Only the own key can sign.
  if (state === undefined || (state.getSigningKeyPrivate()?.length ?? 0) === 0) return bytes
  let chain = state.getSenderChainKey()
  for (let step = 0; step < GROUP_STEPS; step += 1) chain = chain.getNext()
  state.setSenderChainKey(chain)
  return Buffer.from(JSON.stringify(record.serialize()))
}
