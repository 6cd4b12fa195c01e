import {
  type AuthenticationCreds,
  BufferJSON,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys'
import { LRUCache } from 'lru-cache'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceJournal, InstanceReader, KeyEntry } from '../../instance/ports.js'
import { readAgain } from '../../instance/read-again.js'
import { decodeKey, encodeKey } from './key-codec.js'

interface CachedKey {
  readonly value: unknown
  /** What its connection remembers: the names that are in the cache, so that its end need not walk through the keys of all others. */
  readonly of: Set<string>
}

/** One cache of decoded keys for all connections of a node, so that memory is bounded by the node and not by its instances. */
export type KeyCache = LRUCache<string, CachedKey>

export function createKeyCache(max: number): KeyCache {
  return new LRUCache<string, CachedKey>({ max, dispose: ({ of }, name) => void of.delete(name) })
}

/** What encrypting and decrypting changes. Anything else is written at once, also while a turn is under way: a frame may depend on it. */
function isOfTurn(kind: string, value: unknown): boolean {
  return (
    kind === 'session' || kind === 'sender-key' || kind === 'identity-key' || (kind === 'pre-key' && value === null)
  )
}

export interface SignalKeys extends SignalKeyStore {
  /**
   * From now on what decrypting and encrypting changes is visible to reads but not written; `release` hands it out, to be written with what
   * it belongs to.
   */
  hold(): void
  release(): KeyEntry[]
  /** The connection has ended: what was kept in memory for it is of no use to any other. */
  forget(): void
}

export interface SignalKeysOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly cache: KeyCache
  /** A write failed, and what we hold in memory is ahead of the store; or nothing can be read. The connection must end. */
  readonly onFailure: (error: unknown) => void
}

let connections = 0

/**
 * Signal keys over the store. A read sees every earlier write; a write is in the journal when `set` returns, durable later: the
 * output gate holds what depends on it. Pre-keys are not kept in memory: most are never used.
 */
export function createSignalKeys({ instance, journal, reader, cache, onFailure }: SignalKeysOptions): SignalKeys {
  connections += 1
  // A connection never sees what another one cached: after a failed write the former's memory may be ahead of the store.
  const prefix = `${connections}:`
  const pending = new Map<string, { readonly value: unknown }>()
  let held: Map<string, KeyEntry> | undefined
  const heldBoxes: [string, { readonly value: unknown }][] = []
  /** Undefined when the connection has ended. */
  let remembered: Set<string> | undefined = new Set()

  function remember(name: string, kind: string, value: unknown): void {
    if (remembered === undefined) return
    const cached = prefix + name
    if (kind !== 'pre-key' || value === null) {
      cache.set(cached, { value, of: remembered })
      // After the former entry of that name has taken itself out.
      remembered.add(cached)
    } else cache.delete(cached)
  }

  return {
    async get<T extends keyof SignalDataTypeMap>(
      kind: T,
      ids: string[],
    ): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
      const found: Record<string, unknown> = {}
      const missing: string[] = []
      for (const id of ids) {
        const name = `${kind}:${id}`
        const known = pending.get(name) ?? cache.get(prefix + name)
        if (known === undefined) missing.push(id)
        else if (known.value !== null) found[id] = known.value
      }
      if (missing.length > 0) {
        const stored = await storedKeys(kind, missing)
        for (const id of missing) {
          const name = `${kind}:${id}`
          // Written while we were reading: the newer value wins.
          const newer = pending.get(name) ?? cache.get(prefix + name)
          const bytes = stored.get(id)
          const value = newer !== undefined ? newer.value : bytes === undefined ? null : decodeKey(kind, bytes)
          if (newer === undefined) remember(name, kind, value)
          if (value !== null) found[id] = value
        }
      }
      return found as { [id: string]: SignalDataTypeMap[T] }
    },

    async set(data: SignalDataSet): Promise<void> {
      const entries: KeyEntry[] = []
      const written: [string, { readonly value: unknown }][] = []
      for (const [kind, values] of Object.entries(data)) {
        for (const [id, given] of Object.entries(values ?? {})) {
          const value: unknown = given ?? null
          const name = `${kind}:${id}`
          const entry: KeyEntry = { kind, id, value: value === null ? null : () => encodeKey(value) }
          const box = { value }
          pending.set(name, box)
          remember(name, kind, value)
          if (held !== undefined && isOfTurn(kind, value)) {
            held.set(name, entry)
            heldBoxes.push([name, box])
          } else {
            entries.push(entry)
            written.push([name, box])
          }
        }
      }
      if (entries.length > 0) settle(journal.write([{ type: 'keys', entries }]), written)
    },

    hold() {
      held = new Map()
    },

    release() {
      const entries = held === undefined ? [] : [...held.values()]
      held = undefined
      const boxes = heldBoxes.splice(0)
      // The caller writes them now; when everything written by then is durable, the store has them.
      if (boxes.length > 0) queueMicrotask(() => settle(journal.settled() ?? Promise.resolve(), boxes))
      return entries
    },

    forget() {
      const names = remembered
      remembered = undefined
      for (const name of names ?? []) cache.delete(name)
    },
  }

  /**
   * What could not be read must not look like a key that is not there (`loadSession` of Baileys 7.0.0-rc14 answers "no session" to any
   * error): a new session would take the place of the stored one, and a message that was received be asked for once more.
   */
  async function storedKeys(kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const isOpen = (): boolean => remembered !== undefined
    try {
      return await readAgain(() => reader.keys(instance, kind, ids), isOpen)
    } catch (error) {
      if (isOpen()) onFailure(error)
      throw error
    }
  }

  function settle(written: Promise<unknown>, boxes: [string, { readonly value: unknown }][]): void {
    written.then(() => {
      for (const [name, box] of boxes) if (pending.get(name) === box) pending.delete(name)
    }, onFailure)
  }
}

/** Fresh credentials of a device that is not paired yet. */
export function freshCredentials(): AuthenticationCreds {
  return initAuthCreds()
}

export function encodeCredentials(credentials: AuthenticationCreds): Uint8Array {
  return Buffer.from(JSON.stringify(credentials, BufferJSON.replacer), 'utf8')
}

export function decodeCredentials(bytes: Uint8Array): AuthenticationCreds {
  return JSON.parse(Buffer.from(bytes).toString('utf8'), BufferJSON.reviver) as AuthenticationCreds
}

/** Paired: the account's phone signed this device. A code that was only asked for leaves `me` but no `account`. */
export function isPaired(credentials: AuthenticationCreds): boolean {
  return credentials.account !== undefined && credentials.me !== undefined
}
