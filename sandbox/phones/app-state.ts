/**
 * The phone's side of app state: what it keeps of its chats, labels and contacts, in collections that all devices of the account share.
 * Indices and versions as in Baileys, `chatModificationToAppPatch`.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  decodePatches,
  encodeSyncdPatch,
  type LTHashState,
  newLTHashState,
  proto,
  type WAPatchName,
} from '@whiskeysockets/baileys'
import { expandAppStateKeys } from 'whatsapp-rust-bridge'
import { addPatch, patchesSince } from '../network/app-state.js'
import type { Phone } from './phone.js'

export interface Mutation {
  readonly collection: WAPatchName
  readonly index: readonly string[]
  readonly value: proto.ISyncActionValue
  readonly version: number
  readonly isRemoval?: boolean
}

type Held = Omit<Mutation, 'isRemoval'>

const { SET, REMOVE } = proto.SyncdMutation.SyncdOperation

export class PhoneAppState {
  readonly #phone: Phone
  readonly #states = new Map<WAPatchName, LTHashState>()
  readonly #held = new Map<string, Held>()
  /** One that no companion has. */
  readonly #lost = { id: randomBytes(6), data: randomBytes(32) }

  constructor(phone: Phone) {
    this.#phone = phone
  }

  /** Writes one change and tells the other devices. Not to be called twice at once. */
  async write(mutation: Mutation, key = this.#phone.appStateKey): Promise<void> {
    const { collection, index, value, version, isRemoval = false } = mutation
    const state = await this.#catchUp(collection)
    const { id, data } = key
    const encoded = await encodeSyncdPatch(
      {
        type: collection,
        index: [...index],
        syncAction: { timestamp: Date.now(), ...value },
        apiVersion: version,
        operation: isRemoval ? REMOVE : SET,
      },
      id.toString('base64'),
      state,
      async () => ({ keyData: data }),
    )
    this.#states.set(collection, encoded.state)
    this.#note(collection, index, { value, version }, isRemoval)
    const { network, device } = this.#phone
    addPatch(network, device, collection, proto.SyncdPatch.encode(encoded.patch).finish())
  }

  /** Writes something with a key that no companion has, and takes it away again: who cannot read that cannot read on. */
  async writeUnreadably(collection: WAPatchName): Promise<void> {
    const change = { collection, index: ['unreadable'], value: {}, version: 1 }
    await this.write(change, this.#lost)
    await this.write({ ...change, isRemoval: true }, this.#lost)
  }

  /**
   * A copy of a collection, for a companion that cannot read it: version, name, records in the clear, hash (`SyncdSnapshotRecovery` of
   * whatsmeow's `appstate/recovery.go`), packed.
   */
  async readCopy(collection: WAPatchName): Promise<Uint8Array> {
    const state = await this.#catchUp(collection)
    const { id, data } = this.#phone.appStateKey
    const { indexKey } = expandAppStateKeys(data)
    const records = [...this.#held.values()].flatMap((held) => {
      if (held.collection !== collection) return []
      const index = Buffer.from(JSON.stringify(held.index))
      const known = state.indexValueMap[createHmac('sha256', indexKey).update(index).digest('base64')]
      if (known === undefined) return []
      const action = proto.SyncActionData.encode({ index, value: held.value, version: held.version }).finish()
      return [Buffer.concat([field(1, action), field(2, id), field(3, known.valueMac)])]
    })
    const copy = [
      field(1, proto.SyncdVersion.encode({ version: state.version }).finish()),
      field(2, Buffer.from(collection)),
      ...records.map((record) => field(3, record)),
      field(4, state.hash),
    ]
    return gzipSync(Buffer.concat(copy))
  }

  /** Present state of the phone, with what its companions wrote; a removal stays as what it carried. */
  async read(): Promise<readonly Pick<Mutation, 'collection' | 'index' | 'value'>[]> {
    for (const collection of COLLECTIONS) await this.#catchUp(collection)
    return [...this.#held.values()]
  }

  async #catchUp(collection: WAPatchName): Promise<LTHashState> {
    const known = this.#states.get(collection) ?? newLTHashState()
    const { account, appStateKey } = this.#phone
    const lost = this.#lost
    const patches = patchesSince(account, collection, known.version)
    if (patches.length === 0) return known
    const { state, mutationMap } = await decodePatches(
      collection,
      patches,
      known,
      async (id) => ({ keyData: id === lost.id.toString('base64') ? lost.data : appStateKey.data }),
      {},
    )
    for (const { index, syncAction } of Object.values(mutationMap))
      this.#note(collection, index, { value: syncAction.value ?? {}, version: syncAction.version ?? 1 }, false)
    this.#states.set(collection, state)
    return state
  }

  #note(
    collection: WAPatchName,
    index: readonly string[],
    held: Pick<Held, 'value' | 'version'>,
    isRemoval: boolean,
  ): void {
    const key = JSON.stringify([collection, ...index])
    if (isRemoval) this.#held.delete(key)
    else this.#held.set(key, { collection, index, ...held })
  }
}

/** One field of an encoded message: a tag, a length, the bytes. */
function field(number: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(value.length)]), value])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

const COLLECTIONS: readonly WAPatchName[] = [
  'critical_block',
  'critical_unblock_low',
  'regular_high',
  'regular_low',
  'regular',
]

/** Changes that a person makes to a chat on the phone. */
export interface ChatSetting {
  readonly archived?: boolean
  readonly pinned?: boolean
  /** Milliseconds since 1970; 0 ends it, -1 is for good. */
  readonly muteEndTime?: number
  /** Marked as unread, or read. */
  readonly unread?: boolean
  readonly deleted?: boolean
}

export function chatMutations(jid: string, setting: ChatSetting): Mutation[] {
  const all: Mutation[] = []
  if (setting.archived !== undefined)
    all.push({
      collection: 'regular_low',
      index: ['archive', jid],
      value: { archiveChatAction: { archived: setting.archived } },
      version: 3,
    })
  if (setting.pinned !== undefined)
    all.push({
      collection: 'regular_low',
      index: ['pin_v1', jid],
      value: { pinAction: { pinned: setting.pinned } },
      version: 5,
    })
  if (setting.muteEndTime !== undefined)
    all.push({
      collection: 'regular_high',
      index: ['mute', jid],
      value: { muteAction: { muted: setting.muteEndTime !== 0, muteEndTimestamp: setting.muteEndTime } },
      version: 2,
    })
  if (setting.unread !== undefined)
    all.push({
      collection: 'regular_low',
      index: ['markChatAsRead', jid],
      value: { markChatAsReadAction: { read: !setting.unread } },
      version: 3,
    })
  if (setting.deleted === true)
    all.push({
      collection: 'regular_high',
      index: ['deleteChat', jid, '1'],
      value: { deleteChatAction: {} },
      version: 6,
    })
  return all
}

/** A note of a chat, which only devices of the account see. An empty text deletes it. */
export function noteMutation(id: string, chatJid: string, text: string): Mutation {
  const type = proto.SyncActionValue.NoteEditAction.NoteType.UNSTRUCTURED
  const note = { type, chatJid, createdAt: Date.now(), deleted: text === '', unstructuredContent: text }
  return { collection: 'regular_low', index: ['note_edit', id], value: { noteEditAction: note }, version: 7 }
}

/** A star of a message. */
export function starMutation(key: proto.IMessageKey, starred: boolean): Mutation {
  const { remoteJid, id, fromMe, participant } = key
  const index = ['star', remoteJid ?? '', id ?? '', fromMe ? '1' : '0', participant ?? '0']
  return { collection: 'regular_high', index, value: { starAction: { starred } }, version: 2 }
}

export function labelMutation(id: string, label: { name: string; color: number; deleted: boolean }): Mutation {
  return { collection: 'regular', index: ['label_edit', id], value: { labelEditAction: label }, version: 3 }
}

export function chatLabelMutation(labelId: string, jid: string, labeled: boolean): Mutation {
  return {
    collection: 'regular',
    index: ['label_jid', labelId, jid],
    value: { labelAssociationAction: { labeled } },
    version: 3,
  }
}

export function quickReplyMutation(
  id: string,
  { shortcut, message, deleted }: { shortcut: string; message: string; deleted: boolean },
): Mutation {
  const quickReplyAction = { shortcut, message, deleted, keywords: [], count: 0 }
  return { collection: 'regular', index: ['quick_reply', id], value: { quickReplyAction }, version: 2 }
}

/** Without a name it is taken out of the address book. */
export function contactMutation(
  jid: string,
  contact: { fullName?: string; firstName?: string; lidJid?: string },
): Mutation {
  const isRemoval = contact.fullName === undefined
  return {
    collection: 'critical_unblock_low',
    index: ['contact', jid],
    value: { contactAction: isRemoval ? {} : { ...contact, saveOnPrimaryAddressbook: true } },
    version: 2,
    isRemoval,
  }
}

/** Returns the entry of a person who is in the address book by the LID alone, as one with a username and no number. */
export function lidContactMutation(lid: string, contact: { fullName?: string; username?: string }): Mutation {
  const value = { lidContactAction: contact }
  return { collection: 'critical_unblock_low', index: ['lid_contact', lid], value, version: 1 }
}
