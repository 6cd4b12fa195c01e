/** Parts of the phone's history on their way into the store, so that neither the library's buffer nor a crash holds one back. */
import { setTimeout as pause } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import {
  type AuthenticationCreds,
  type BaileysEventMap,
  PROCESSABLE_HISTORY_TYPES,
  proto,
  type WASocket,
} from '@whiskeysockets/baileys'
import processMessage from '@whiskeysockets/baileys/lib/Utils/process-message.js'
import type { Logger } from 'pino'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceJournal, InstanceReader } from '../../instance/ports.js'
import { readAgain } from '../../instance/read-again.js'
import type { MessageEnvelope } from './incoming.js'
import { decodeKey, encodeKey } from './key-codec.js'

type HistorySet = BaileysEventMap['messaging-history.set']

export interface HistoryPartsOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: Pick<InstanceReader, 'keys' | 'keyPage'>
  readonly logger: Logger
  /** Undefined once the connection has ended. */
  readonly live: () => { readonly socket: WASocket; readonly credentials: AuthenticationCreds } | undefined
  /** Stores what a part holds. `isAgain`: it may be stored in part already. @throws when it is not stored */
  readonly store: (set: HistorySet, isAgain: boolean) => Promise<void>
}

/** A part that was announced, under its message id; `whole` is null once it is stored. */
interface StoredPart {
  readonly notedAtMs: number
  readonly chat: string
  readonly timestampSeconds: number
  readonly hollow: Uint8Array
  readonly whole: Uint8Array | null
}

export interface Part extends StoredPart {
  readonly id: string
}

const KIND = 'history-part'
const PAGE = 10
const DAY_MS = 24 * 60 * 60_000
/** The media host has no part that is older. */
const UNREAD_MAX_MS = 14 * DAY_MS
/** For so long the network may deliver a part again of which it got no receipt. */
const DONE_KEPT_MS = DAY_MS
/** A part that is not stored is tried again after each of these, and then by the next connection. */
const RETRY_MS = [1_000, 5_000, 20_000]

/**
 * The library acknowledges a part before it reads it, keeps what it read in its buffer of events, and loses both in a crash. So a part is
 * written with the ratchet step that decrypted it, and its receipt waits for that write as any frame does. It is then read and stored by
 * us, one part after the other; what a crash interrupts the next connection finishes, on whichever node.
 *
 * The library gets the same announcement with nothing in it: its own steps of a first login hang on that.
 */
export class HistoryParts {
  readonly #options: HistoryPartsOptions
  #tail: Promise<unknown> = Promise.resolve()
  readonly #taken = new Set<string>()

  constructor(options: HistoryPartsOptions) {
    this.#options = options
  }

  /** The connection is open: goes on with what former ones have left. */
  resume(): void {
    const { instance, reader, logger } = this.#options
    this.#tail = this.#tail.then(async () => {
      const left: { readonly id: string; readonly notedAtMs: number }[] = []
      const page = (after: string) =>
        readAgain(
          () => reader.keyPage(instance, KIND, after, PAGE),
          () => this.#isLive,
        )
      // Their contents may be large: only the order is kept in memory.
      for (let rows = await page(''); rows.size > 0; rows = await page([...rows.keys()].at(-1) ?? ''))
        for (const [id, bytes] of rows) left.push({ id, notedAtMs: partFrom(id, bytes).notedAtMs })
      for (const { id } of left.toSorted((one, other) => one.notedAtMs - other.notedAtMs)) {
        const bytes = this.#taken.has(id) ? undefined : (await reader.keys(instance, KIND, [id])).get(id)
        if (bytes !== undefined) await this.#resumeOne(partFrom(id, bytes))
      }
    })
    this.#tail = this.#tail.catch((error: unknown) =>
      logger.warn({ error: messageOf(error) }, 'Parts of the history could not be read: the next connection does.'),
    )
  }

  /** Writes a part, and begins to read it. Called in the write of the ratchet step. */
  take(part: Part): void {
    const { journal } = this.#options
    if (!this.#isLive) return
    this.#taken.add(part.id)
    // A failed write ends the connection elsewhere: it is that of the ratchet step.
    journal.write([{ type: 'keys', entries: [{ kind: KIND, id: part.id, value: () => encode(part) }] }]).catch(() => {})
    this.#tail = this.#tail.then(() => this.#read(part, false))
  }

  /** Resolves when all parts that were taken so far are stored, or left to the next connection. */
  async idle(): Promise<void> {
    await this.#tail
  }

  /** The hollow announcement of a part that was taken before and is delivered again; null for any other message. */
  async recall(id: string): Promise<Uint8Array | null> {
    const { instance, reader } = this.#options
    const bytes = (await reader.keys(instance, KIND, [id])).get(id)
    return bytes === undefined ? null : partFrom(id, bytes).hollow
  }

  get #isLive(): boolean {
    return this.#options.live() !== undefined
  }

  async #resumeOne(part: Part): Promise<void> {
    const ageMs = Date.now() - part.notedAtMs
    if (part.whole !== null && ageMs <= UNREAD_MAX_MS) {
      await this.#read(part, true)
      return
    }
    if (part.whole === null && ageMs <= DONE_KEPT_MS) return
    if (part.whole !== null)
      this.#options.logger.warn({ ageMs }, 'A part of the history could not be read for days and is given up.')
    await this.#options.journal.write([{ type: 'keys', entries: [{ kind: KIND, id: part.id, value: null }] }])
  }

  /** Never rejects. */
  async #read(part: Part, wasBegun: boolean): Promise<void> {
    const { journal, logger, store } = this.#options
    let isAgain = wasBegun
    for (const waitMs of [...RETRY_MS, null]) {
      try {
        const set = await this.#contentOf(part)
        if (!this.#isLive) return
        if (set !== null) await store(set, isAgain)
        const done = { ...part, whole: null }
        await journal.write([{ type: 'keys', entries: [{ kind: KIND, id: part.id, value: () => encode(done) }] }])
        return
      } catch (error) {
        if (!this.#isLive) return
        logger.warn({ error: messageOf(error), waitMs }, 'A part of the history was not stored.')
        if (waitMs === null) return
        isAgain = true
        await pause(waitMs, undefined, { ref: false })
      }
    }
  }

  /** What a part holds, fetched from the media host unless it came with the message; the library notes its mappings and tokens. */
  async #contentOf({ id, chat, timestampSeconds, whole }: Part): Promise<HistorySet | null> {
    const live = this.#options.live()
    if (live === undefined || whole === null) return null
    const { socket, credentials } = live
    let content: HistorySet | null = null
    const emit = <T extends keyof BaileysEventMap>(event: T, data: BaileysEventMap[T]): boolean => {
      if (event === 'messaging-history.set') content = data as HistorySet
      return true
    }
    await processMessage(
      {
        key: { remoteJid: chat, fromMe: true, id },
        message: proto.Message.decode(whole),
        messageTimestamp: timestampSeconds,
      },
      {
        shouldProcessHistoryMsg: true,
        creds: credentials,
        keyStore: socket.authState.keys as never,
        signalRepository: socket.signalRepository,
        ev: { emit } as never,
        options: {},
        getMessage: async () => undefined,
      },
    )
    return content
  }
}

/** The part of the history that a message announces; null when it announces none that is taken. */
export function partIn(envelope: MessageEnvelope, message: proto.IMessage): Part | null {
  const inner = message.deviceSentMessage?.message ?? message
  const notification = inner.protocolMessage?.historySyncNotification
  if (!envelope.fromMe || notification == null) return null
  const { FULL } = proto.HistorySync.HistorySyncType
  const syncType = notification.syncType as unknown as proto.HistorySync.HistorySyncType
  // As the library chooses (`shouldSyncHistoryMessage`).
  if (syncType === FULL || !PROCESSABLE_HISTORY_TYPES.includes(syncType)) return null
  const empty = proto.HistorySync.encode({ syncType }).finish()
  const { type } = inner.protocolMessage ?? {}
  const hollow: proto.IMessage = {
    protocolMessage: {
      ...(type == null ? {} : { type }),
      historySyncNotification: {
        syncType: notification.syncType ?? null,
        chunkOrder: notification.chunkOrder ?? null,
        progress: notification.progress ?? null,
        initialHistBootstrapInlinePayload: deflateSync(empty),
      },
    },
  }
  return {
    id: envelope.id,
    notedAtMs: Date.now(),
    chat: envelope.chat,
    timestampSeconds: envelope.timestampSeconds,
    hollow: proto.Message.encode(hollow).finish(),
    whole: proto.Message.encode(inner).finish(),
  }
}

function encode({ notedAtMs, chat, timestampSeconds, hollow, whole }: StoredPart): Uint8Array {
  return encodeKey({ notedAtMs, chat, timestampSeconds, hollow, whole })
}

function partFrom(id: string, bytes: Uint8Array): Part {
  return { id, ...(decodeKey(KIND, bytes) as StoredPart) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
