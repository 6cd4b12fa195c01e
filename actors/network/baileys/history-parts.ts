/** Stores parts of the phone's history as they arrive, so that neither the library's buffer nor a crash delays one. */
import { promisify } from 'node:util'
import { deflate, deflateSync, type ZlibOptions } from 'node:zlib'
import {
  type AuthenticationCreds,
  type BaileysEventMap,
  downloadContentFromMessage,
  PROCESSABLE_HISTORY_TYPES,
  proto,
  type WAMessage,
  type WASocket,
} from '@whiskeysockets/baileys'
import processMessage from '@whiskeysockets/baileys/lib/Utils/process-message.js'
import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import { errorText } from '../../../lib/error-text.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { isLidJid } from '../../../schemas/jid.js'
import { isUsername } from '../../../schemas/username.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal } from '../../instance/ports.js'
import { readAgain } from '../../instance/read-again.js'
import { splitHistory } from './history-bytes.js'
import { HISTORY_LIMITS, UnusablePart, unpackHistory } from './history-size.js'
import type { MessageEnvelope } from './incoming.js'
import { decodeKey, encodeKey } from './key-codec.js'
import { findBytesFields } from './protobuf-fields.js'

// Bound: 65,536, a text or attribute of a stanza.

type HistorySet = BaileysEventMap['messaging-history.set']

/** Encoded contents of the messages of a part. The library has not seen them. */
export type HistoryContents = ReadonlyMap<WAMessage, Uint8Array>

export interface HistoryPartsOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: Pick<InstanceReader, 'keys' | 'keyPage'>
  readonly logger: Logger
  /** Returns undefined once the connection has ended. */
  readonly live: () =>
    | { readonly socket: WASocket; readonly credentials: AuthenticationCreds; readonly dispatcher: Dispatcher }
    | undefined
  /** Called with the encoded content of each part before it is stored. */
  readonly onUnpacked?: (bytes: Uint8Array) => void
  /** Stores the content of a part. `isAgain`: some of it may be stored already. @throws when it is not stored */
  readonly store: (set: HistorySet, isAgain: boolean, contents: HistoryContents) => Promise<void>
}

/** A part of the history, stored under the id of the message that announced it. `whole` is null once its content is stored. */
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

const deflateLater: (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer> = promisify(deflate)

const KIND = 'history-part'
const PAGE = 10
const DAY_MS = 24 * 60 * 60_000
/** Maximum age of a part on the media host. */
const UNREAD_MAX_MS = 14 * DAY_MS
/** Time in which the network may deliver a part again if it got no receipt. */
const DONE_KEPT_MS = DAY_MS
/** Wait before the next attempt to store parts; each further wait is four times as long, up to the maximum. */
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 15 * 60_000

/**
 * Stores the history parts of one connection, one after the other.
 *
 * The library acknowledges a part before it reads it, keeps the content in its event buffer, and loses both in a crash. Therefore the part is
 * written together with the ratchet step that decrypted it, and its receipt waits for that write, as every frame does. We then read and store
 * the content, and retry failures while the connection lasts. After a crash the next connection, on any node, finishes the work.
 *
 * The library gets the same announcement without content, because its own steps of a first login depend on it.
 */
export class HistoryParts {
  readonly #options: HistoryPartsOptions
  #tail: Promise<unknown> = Promise.resolve()
  /** Ids of the parts that this connection reads or has read. */
  readonly #taken = new Set<string>()
  /** Number of parts that are not read yet. */
  #unread = 0
  #retryMs = RETRY_FIRST_MS
  #retry: NodeJS.Timeout | undefined

  constructor(options: HistoryPartsOptions) {
    this.#options = options
  }

  /** Continues with the parts that former connections left. Called when the connection is open. */
  resume(): void {
    this.#tail = this.#tail
      .then(() => this.#resumeAll())
      .catch((error: unknown) => {
        this.#options.logger.warn({ error: errorText(error) }, 'Parts of the history could not be read from the store.')
        this.#retryLater()
      })
  }

  async #resumeAll(): Promise<void> {
    const { instance, reader } = this.#options
    if (!this.#isLive) return
    const left: { readonly id: string; readonly notedAtMs: number }[] = []
    const page = (after: string) =>
      readAgain(
        () => reader.keyPage(instance, KIND, after, PAGE),
        () => this.#isLive,
      )
    // Keeps only the order in memory, because the contents may be large.
    for (let rows = await page(''); rows.size > 0; rows = await page([...rows.keys()].at(-1) ?? ''))
      for (const [id, bytes] of rows) left.push({ id, notedAtMs: partFrom(id, bytes).notedAtMs })
    // Bound: 1,000, parts of a history that wait.
    for (const { id } of left.toSorted((one, other) => one.notedAtMs - other.notedAtMs)) {
      const bytes = this.#taken.has(id) ? undefined : (await reader.keys(instance, KIND, [id])).get(id)
      if (bytes !== undefined) await this.#resumeOne(partFrom(id, bytes))
    }
  }

  /** Writes a part and begins to read it. Called within the write of the ratchet step. */
  take(part: Part): void {
    const { journal } = this.#options
    if (!this.#isLive) return
    this.#taken.add(part.id)
    // If the write fails, that of the ratchet step fails too and ends the connection. Encoded at once, so that its bytes are counted.
    journal.write([{ type: 'keys', entries: [{ kind: KIND, id: part.id, value: encode(part) }] }]).catch(() => {})
    this.#unread += 1
    this.#tail = this.#tail
      .then(async () => void (await this.#read(part, false)))
      .finally(() => {
        this.#unread -= 1
      })
  }

  /** True while parts that the phone has announced are read and stored. */
  get isBusy(): boolean {
    return this.#unread > 0
  }

  /** Resolves when all parts taken so far are stored or left to a later attempt. */
  async idle(): Promise<void> {
    await this.#tail
  }

  /** Returns the announcement without content of a part that was taken before; null for any other message. */
  async recall(id: string): Promise<Uint8Array | null> {
    const { instance, reader } = this.#options
    const bytes = (await reader.keys(instance, KIND, [id])).get(id)
    return bytes === undefined ? null : partFrom(id, bytes).hollow
  }

  get #isLive(): boolean {
    return this.#options.live() !== undefined
  }

  async #resumeOne(part: Part): Promise<void> {
    const { logger } = this.#options
    const ageMs = Date.now() - part.notedAtMs
    if (part.whole === null) {
      if (ageMs > DONE_KEPT_MS) await this.#write(part.id, null)
      return
    }
    // The clock of this node may be wrong, so a part is given up only if it cannot be read either.
    if ((await this.#read(part, true)) || !this.#isLive || ageMs <= UNREAD_MAX_MS) return
    logger.warn({ ageMs }, 'A part of the history could not be read for days and is dropped.')
    await this.#write(part.id, null)
  }

  async #write(id: string, part: StoredPart | null): Promise<void> {
    const value = part === null ? null : encode(part)
    await this.#options.journal.write([{ type: 'keys', entries: [{ kind: KIND, id, value }] }])
  }

  /** Returns whether the part needs no further attempt. Never rejects. */
  async #read(part: Part, wasBegun: boolean): Promise<boolean> {
    const { logger, store } = this.#options
    this.#taken.add(part.id)
    try {
      const content = await this.#fetchContent(part).catch((error: unknown) => {
        if (!(error instanceof UnusablePart)) throw error
        logger.warn({ error: error.message }, 'A part of the history is refused.')
        return null
      })
      if (!this.#isLive) return false
      if (content !== null) await store(content.set, wasBegun, content.contents)
      await this.#write(part.id, { ...part, whole: null })
      this.#retryMs = RETRY_FIRST_MS
      return true
    } catch (error) {
      this.#taken.delete(part.id)
      if (!this.#isLive) return false
      logger.warn({ error: errorText(error) }, 'A part of the history was not stored; the node retries it.')
      this.#retryLater()
      return false
    }
  }

  #retryLater(): void {
    if (this.#retry !== undefined || !this.#isLive) return
    // With jitter, so that not all accounts call a media host at once when it is back.
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined
        this.resume()
      },
      this.#retryMs * (0.75 + Math.random() / 2),
    )
    this.#retry.unref()
    this.#retryMs = Math.min(RETRY_MAX_MS, 4 * this.#retryMs)
  }

  /** Reads the content of a part, from the message or the media host. The library stores its mappings and tokens. */
  async #fetchContent({
    id,
    chat,
    timestampSeconds,
    whole,
  }: Part): Promise<{ readonly set: HistorySet; readonly contents: HistoryContents } | null> {
    const live = this.#options.live()
    if (live === undefined || whole === null) return null
    const { socket, credentials, dispatcher } = live
    const options = { dispatcher } as object
    const message = proto.Message.decode(whole)
    const notification = message.protocolMessage?.historySyncNotification
    if (notification == null) return null
    const inline = notification.initialHistBootstrapInlinePayload
    const bytes = await unpackHistory(
      inline?.length ? [inline] : await downloadContentFromMessage(notification as never, 'md-msg-hist', { options }),
      HISTORY_LIMITS,
    )
    this.#options.onUnpacked?.(bytes)
    const { frame, contents } = splitHistory(bytes)
    // The library unpacks it again.
    notification.initialHistBootstrapInlinePayload = await deflateLater(frame, { level: 0 })
    let content: HistorySet | null = null
    const emit = <T extends keyof BaileysEventMap>(event: T, data: BaileysEventMap[T]): boolean => {
      if (event === 'messaging-history.set') {
        const set = data as HistorySet
        content = { ...set, contacts: [...set.contacts, ...readNamedAccounts(bytes)] }
      }
      return true
    }
    await processMessage(
      {
        key: { remoteJid: chat, fromMe: true, id },
        message,
        messageTimestamp: timestampSeconds,
      },
      {
        shouldProcessHistoryMsg: true,
        creds: credentials,
        keyStore: socket.authState.keys as never,
        signalRepository: socket.signalRepository,
        ev: { emit } as never,
        options,
        getMessage: async () => undefined,
      },
    ).catch((error: unknown) => {
      throw isUndecodable(error) ? new UnusablePart('It cannot be decoded.', { cause: error }) : error
    })
    return content === null ? null : joinContents(content, contents)
  }
}

/** Gives each message its content. The library lists all messages of a part that has chats, in their order. */
function joinContents(set: HistorySet, contents: readonly (Uint8Array | undefined)[]) {
  const { messages } = set
  if (messages.length > 0 && messages.length !== contents.length)
    throw new UnusablePart('Its messages cannot be distinguished.')
  const known = messages.flatMap((message, index): [WAMessage, Uint8Array][] => {
    const bytes = contents[index]
    return bytes === undefined ? [] : [[message, bytes]]
  })
  return { set, contents: new Map(known) }
}

/** Returns the part of the history that a message announces; null if there is none, or none that is stored. */
export function findHistoryPart(envelope: MessageEnvelope, message: proto.IMessage): Part | null {
  const inner = message.deviceSentMessage?.message ?? message
  const notification = inner.protocolMessage?.historySyncNotification
  if (!envelope.fromMe || notification == null) return null
  const { FULL } = proto.HistorySync.HistorySyncType
  const syncType = notification.syncType as unknown as proto.HistorySync.HistorySyncType
  // Chooses as the library does (`shouldSyncHistoryMessage`).
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

/** Returns whether the library's protobuf threw this error because of malformed bytes. */
function isUndecodable(error: unknown): boolean {
  return error instanceof RangeError || /^invalid (wire type|varint)/.test(errorText(error))
}

/** A person in a part of the history, in the form of the library's contacts. */
interface NamedAccount {
  readonly id: string
  readonly username: string
}

/** Field of the accounts in `HistorySync` (whatsmeow `waHistorySync`). The library decodes it and makes no contacts of it (7.0.0-rc14). */
const ACCOUNTS_FIELD = 18

/** Reads the usernames of people from an unpacked part of the history. What is no account is left out. */
function readNamedAccounts(history: Uint8Array): readonly NamedAccount[] {
  return findBytesFields(history, ACCOUNTS_FIELD).flatMap(readAccount)
}

function readAccount(bytes: Uint8Array): readonly NamedAccount[] {
  try {
    const { lid, username, isUsernameDeleted } = proto.Account.decode(bytes)
    const id = lid?.includes('@') ? lid : `${lid ?? ''}@lid`
    return isLidJid(id) && isUsername(username) && isUsernameDeleted !== true ? [{ id, username }] : []
  } catch {
    return []
  }
}
