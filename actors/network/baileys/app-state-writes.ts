import {
  type BinaryNode,
  type ChatModification,
  proto,
  type WAPatchCreate,
  type WAPatchName,
  type WASocket,
} from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, toChatId } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { SharedChange } from '../port/settings.js'
import type { SyncAction } from './app-state.js'
import { openCopies, type PhoneAnswer, readCollectionName, readCopy, recoveryRequest } from './app-state-recovery.js'
import { networkKey } from './outgoing.js'

// Bound: 65,536, a text or attribute of a stanza.

export interface AppStateWriterOptions {
  readonly socket: () => WASocket
  readonly whileOpen: <T>(work: Promise<T>, isChange?: boolean) => Promise<T>
  readonly logger: Logger
  /** Called for each change in a copy from the phone. */
  readonly onAction: (action: SyncAction) => void
}

/** Maximum wait for the phone. A phone that is on answers within a second or two. */
const PHONE_ANSWER_MS = 10_000
/** The network's answer when another change was faster, or when the local state differs from the network's. */
const CONFLICT = /^409\b/
/** Maximum of attempts that follow conflicts at once. Other devices that write at the same time cause a few in a row. */
const CONFLICTS_MAX = 3

/**
 * Writes changes of app state, which all devices of the account share. The library considers a patch written whatever the network answers
 * (`appPatch` in `Socket/chats.js` of 7.0.0-rc14), and then keeps a state that no other device has. Therefore this class reads the network's
 * answer. After a refusal it reads the collection again from the beginning and tries again at once: once, or a few times after conflicts. If
 * the conflict stays, the collection cannot be read from the network, so it requests a copy from the phone before the last attempt. A last
 * step exists: to report to the phone that the state is beyond recovery. It would unlink every device, so it is never taken.
 */
export class AppStateWriter {
  readonly #options: AppStateWriterOptions
  /** Refusals of the present attempt, by collection. */
  readonly #refused = new Map<WAPatchName, string>()
  /** Versions in the answers to the present refresh, by collection. */
  readonly #answered = new Map<WAPatchName, number>()
  #writing: Promise<unknown> = Promise.resolve()
  /** Listeners that wait for the copy of a collection. */
  readonly #awaited = new Map<string, (copy: Uint8Array) => void>()

  constructor(options: AppStateWriterOptions) {
    this.#options = options
  }

  /** Notes refusals in an answer to any request about app state. */
  onAnswer(answer: BinaryNode): void {
    for (const sync of children(answer, 'sync'))
      for (const collection of children(sync, 'collection')) {
        const name = collection.attrs.name as WAPatchName
        if (collection.attrs.version !== undefined) this.#answered.set(name, Number(collection.attrs.version))
        if (collection.attrs.type !== 'error') continue
        const [error] = children(collection, 'error')
        const { code = '', text = '' } = error?.attrs ?? {}
        this.#refused.set(name, `${code} ${text}`.trim())
      }
  }

  /** Reads copies from an answer of the phone. Ignores copies that were not requested. */
  onPhoneAnswer(answer: PhoneAnswer): void {
    openCopies(answer)
      .then((copies) => {
        for (const copy of copies) this.#awaited.get(readCollectionName(copy))?.(copy)
      })
      .catch((error: Error) => this.#options.logger.warn({ error: error.message }, 'The phone sent no readable copy.'))
  }

  /**
   * Writes one change at a time, so that each answer belongs to the present request.
   * @throws GatewayError KEYS_MISSING, CHANGE_FAILED, INSTANCE_MOVING
   */
  write(modification: Modification, jid: string): Promise<void> {
    const written = this.#writing.then(() => this.#writeInSteps(modification, jid))
    this.#writing = written.catch(() => {})
    return written
  }

  /**
   * Reads a collection again: what changed since, or all of it. The library gives up in silence on what it cannot read, so the version that
   * it has is held against that of the network.
   * @throws GatewayError KEYS_MISSING, CHANGE_FAILED, INSTANCE_MOVING
   */
  refresh(collection: WAPatchName, isWhole: boolean): Promise<void> {
    const read = this.#writing.then(() => this.#refreshNow(collection, isWhole))
    this.#writing = read.catch(() => {})
    return read
  }

  async #refreshNow(collection: WAPatchName, isWhole: boolean): Promise<void> {
    this.#refused.clear()
    this.#answered.clear()
    const socket = this.#options.socket()
    const { creds, keys } = socket.authState
    if (!creds.myAppStateKeyId) throw new GatewayError('KEYS_MISSING')
    if (isWhole) await this.#readAnew([collection])
    else await this.#options.whileOpen(socket.resyncAppState([collection], false))
    const { [collection]: state } = await keys.get('app-state-sync-version', [collection])
    const refusal = this.#refused.get(collection)
    if (refusal === undefined && (state?.version ?? 0) >= (this.#answered.get(collection) ?? 0)) return
    const provider_message = refusal ?? 'The changes cannot be read.'
    throw new GatewayError('CHANGE_FAILED', { fields: { provider_message } })
  }

  async #writeInSteps(modification: Modification, jid: string): Promise<void> {
    let refusal = await this.#try(modification, jid)
    for (let again = 0; refusal !== null && again < (isConflict(refusal) ? CONFLICTS_MAX : 1); again += 1) {
      this.#options.logger.info(
        { refusal: refusal.why },
        'A change of app state was refused; its collection is read again.',
      )
      await this.#readAnew(refusal.collections)
      refusal = await this.#try(modification, jid)
    }
    if (refusal !== null && isConflict(refusal) && (await this.#recover(refusal.collections)))
      refusal = await this.#try(modification, jid)
    if (refusal === null) return
    // The library has kept a wrong state.
    await this.#readAnew(refusal.collections)
    throw new GatewayError('CHANGE_FAILED', { fields: { provider_message: refusal.why } })
  }

  async #try(modification: Modification, jid: string): Promise<Refusal | null> {
    this.#refused.clear()
    const socket = this.#options.socket()
    if (!socket.authState.creds.myAppStateKeyId) throw new GatewayError('KEYS_MISSING')
    try {
      const written =
        'patch' in modification ? socket.appPatch(modification.patch) : socket.chatModify(modification, jid)
      await this.#options.whileOpen(written, true)
    } catch (error) {
      if (error instanceof GatewayError || !isAnswer(error)) throw error
      return { collections: [], why: (error as Error).message }
    }
    if (this.#refused.size === 0) return null
    return { collections: [...this.#refused.keys()], why: [...this.#refused.values()].join(', ') }
  }

  /** Replaces collections by copies of the phone. Returns false when the phone has not answered, or its copy could not be read. */
  async #recover(collections: readonly WAPatchName[]): Promise<boolean> {
    const { logger } = this.#options
    for (const collection of collections) {
      logger.info({ collection }, 'A collection of app state cannot be written; a copy is requested from the phone.')
      try {
        const copy = await this.#options.whileOpen(this.#askCopy(collection))
        if (copy === null) return false
        await this.#takeOver(collection, copy)
      } catch (error) {
        if (error instanceof GatewayError) throw error
        logger.warn({ collection, error: (error as Error).message }, 'The copy of a collection could not be applied.')
        return false
      }
    }
    return true
  }

  async #askCopy(collection: WAPatchName): Promise<Uint8Array | null> {
    let timer: NodeJS.Timeout | undefined
    const answer = new Promise<Uint8Array | null>((resolve) => {
      this.#awaited.set(collection, resolve)
      timer = setTimeout(() => resolve(null), PHONE_ANSWER_MS)
    })
    try {
      await this.#options.socket().sendPeerDataOperationMessage(recoveryRequest(collection))
      return await answer
    } finally {
      clearTimeout(timer)
      this.#awaited.delete(collection)
    }
  }

  /** Stores a copy, then reads later changes from the network. */
  async #takeOver(collection: WAPatchName, copy: Uint8Array): Promise<void> {
    const socket = this.#options.socket()
    const { keys, creds } = socket.authState
    const { state, actions } = await readCopy(copy, async (id) => {
      const { [id]: key } = await keys.get('app-state-sync-key', [id])
      return key?.keyData ?? undefined
    })
    await keys.transaction(async () => {
      const { [collection]: known } = await keys.get('app-state-sync-version', [collection])
      if (known !== undefined && known !== null && known.version > state.version) throw new Error('The copy is older.')
      await keys.set({ 'app-state-sync-version': { [collection]: state } })
    }, creds.me?.id ?? collection)
    for (const action of actions) this.#options.onAction(action)
    await this.#options.whileOpen(socket.resyncAppState([collection], false))
  }

  async #readAnew(collections: readonly WAPatchName[]): Promise<void> {
    if (collections.length === 0) return
    const socket = this.#options.socket()
    const none = Object.fromEntries(collections.map((name) => [name, null]))
    await socket.authState.keys.set({ 'app-state-sync-version': none })
    await this.#options.whileOpen(socket.resyncAppState(collections, true))
  }
}

/** A change in the library's form, or one that it does not know, as a patch. */
export type Modification = ChatModification | { readonly patch: WAPatchCreate }

interface Refusal {
  readonly collections: readonly WAPatchName[]
  readonly why: string
}

function isConflict({ why }: Refusal): boolean {
  return CONFLICT.test(why)
}

/** Returns whether the network refused the request as a whole (`assertNodeErrorFree` of the library puts the code into `data`). */
function isAnswer(error: unknown): boolean {
  return typeof (error as { data?: unknown } | undefined)?.data === 'number'
}

/** Returns a change in the library's form, and the JID of its chat. */
export async function composeModification(
  change: SharedChange,
  findAuthor: AuthorOf,
): Promise<{ modification: Modification; jid: string }> {
  switch (change.kind) {
    case 'archive': {
      const last = await lastMessages(change.last, findAuthor)
      return { modification: { archive: change.isSet, lastMessages: last }, jid: findJid(change.chat) }
    }
    case 'clear':
    case 'delete': {
      const jid = findJid(change.chat)
      const last = await lastMessages(change.last, findAuthor)
      const modification: ChatModification =
        change.kind === 'clear' ? { clear: true, lastMessages: last } : { delete: true, lastMessages: last }
      return { modification, jid }
    }
    case 'pin':
      return { modification: { pin: change.isSet }, jid: findJid(change.chat) }
    case 'mute':
      return { modification: { mute: change.endTime === 0 ? null : change.endTime }, jid: findJid(change.chat) }
    case 'label': {
      const { labelid: id, name, color, isDeleted: deleted } = change.label
      return { modification: { addLabel: { id, name, color, deleted } }, jid: '' }
    }
    case 'quickReply': {
      const { id: timestamp, shortcut, text: message, isDeleted: deleted } = change.quickReply
      return { modification: { quickReply: { timestamp, shortcut, message, deleted } }, jid: '' }
    }
    case 'note':
      return { modification: { patch: notePatch(change, findJid(change.chat)) }, jid: '' }
    case 'star':
      return { modification: { patch: starPatch(change, await authorIn(change.message, findAuthor)) }, jid: '' }
    case 'profileName':
      return { modification: { pushNameSetting: change.name }, jid: '' }
    case 'chatLabel': {
      const label = { labelId: change.labelid }
      const modification = change.isSet ? { addChatLabel: label } : { removeChatLabel: label }
      return { modification, jid: findJid(change.chat) }
    }
    default:
      return change satisfies never
  }
}

/** Returns the author of a group's message of somebody else. */
async function authorIn(message: MessageForActor, findAuthor: AuthorOf): Promise<Jid | undefined> {
  return message.isGroup && !message.fromMe ? await findAuthor(message) : undefined
}

/** Form of zapo (`spec/appstate`). The library writes it into another collection, and without the author. */
function starPatch(
  { message, isSet }: Extract<SharedChange, { kind: 'star' }>,
  author: Jid | undefined,
): WAPatchCreate {
  const { remoteJid, id, fromMe } = networkKey(message)
  return {
    type: 'regular_high',
    index: ['star', remoteJid, id, fromMe ? '1' : '0', author ?? '0'],
    syncAction: { starAction: { starred: isSet }, timestamp: Date.now() },
    apiVersion: 2,
    operation: proto.SyncdMutation.SyncdOperation.SET,
  }
}

/** Form of zapo (`spec/appstate`). What the phone expects in `createdAt` is not known; milliseconds, as the times of patches. */
function notePatch({ noteId, text }: Extract<SharedChange, { kind: 'note' }>, chatJid: string): WAPatchCreate {
  const type = proto.SyncActionValue.NoteEditAction.NoteType.UNSTRUCTURED
  const noteEditAction = { type, chatJid, createdAt: Date.now(), deleted: text === '', unstructuredContent: text }
  return {
    type: 'regular_low',
    index: ['note_edit', noteId],
    syncAction: { noteEditAction, timestamp: Date.now() },
    apiVersion: 7,
    operation: proto.SyncdMutation.SyncdOperation.SET,
  }
}

/** Returns the author of a message under the address that its chat uses. */
type AuthorOf = (message: MessageForActor) => Promise<Jid>

export async function lastMessages(last: MessageForActor | null, findAuthor: AuthorOf) {
  if (last === null) return []
  const messageTimestamp = Math.floor(last.messageTimestampMs / 1000)
  return [{ key: networkKey(last, last.isGroup ? await findAuthor(last) : undefined), messageTimestamp }]
}

function findJid(chat: ChatAddress): string {
  return chat.group ?? chat.lid ?? toChatId(chat)
}

function children({ content }: BinaryNode, tag: string): BinaryNode[] {
  return Array.isArray(content) ? content.filter((child) => child.tag === tag) : []
}
