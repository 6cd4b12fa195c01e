/**
 * The phone's side of app state: what it keeps of its chats, labels and contacts, in collections that all devices of the account share.
 * Indices and versions as in Baileys, `chatModificationToAppPatch`.
 */
import {
  decodePatches,
  encodeSyncdPatch,
  type LTHashState,
  newLTHashState,
  proto,
  type WAPatchName,
} from '@whiskeysockets/baileys'
import { addPatch, patchesSince } from '../network/app-state.js'
import type { Phone } from './phone.js'

export interface Mutation {
  readonly collection: WAPatchName
  readonly index: readonly string[]
  readonly value: proto.ISyncActionValue
  readonly version: number
  readonly isRemoval?: boolean
}

const { SET, REMOVE } = proto.SyncdMutation.SyncdOperation

export class PhoneAppState {
  readonly #phone: Phone
  readonly #states = new Map<WAPatchName, LTHashState>()
  readonly #held = new Map<string, Pick<Mutation, 'collection' | 'index' | 'value'>>()

  constructor(phone: Phone) {
    this.#phone = phone
  }

  /** Writes one change and tells the other devices. Not to be called twice at once. */
  async write(mutation: Mutation): Promise<void> {
    const { collection, index, value, version, isRemoval = false } = mutation
    const state = await this.#catchUp(collection)
    const { id, data } = this.#phone.appStateKey
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
    this.#note(collection, index, value, isRemoval)
    const { network, device } = this.#phone
    addPatch(network, device, collection, proto.SyncdPatch.encode(encoded.patch).finish())
  }

  /** What the phone holds now, that which its companions wrote included; a removal stays as what it carried. */
  async read(): Promise<readonly Pick<Mutation, 'collection' | 'index' | 'value'>[]> {
    for (const collection of COLLECTIONS) await this.#catchUp(collection)
    return [...this.#held.values()]
  }

  async #catchUp(collection: WAPatchName): Promise<LTHashState> {
    const known = this.#states.get(collection) ?? newLTHashState()
    const { account, appStateKey } = this.#phone
    const patches = patchesSince(account, collection, known.version)
    if (patches.length === 0) return known
    const { state, mutationMap } = await decodePatches(
      collection,
      patches,
      known,
      async () => ({ keyData: appStateKey.data }),
      {},
    )
    for (const { index, syncAction } of Object.values(mutationMap))
      this.#note(collection, index, syncAction.value ?? {}, false)
    this.#states.set(collection, state)
    return state
  }

  #note(collection: WAPatchName, index: readonly string[], value: proto.ISyncActionValue, isRemoval: boolean): void {
    const key = JSON.stringify([collection, ...index])
    if (isRemoval) this.#held.delete(key)
    else this.#held.set(key, { collection, index, value })
  }
}

const COLLECTIONS: readonly WAPatchName[] = [
  'critical_block',
  'critical_unblock_low',
  'regular_high',
  'regular_low',
  'regular',
]

/** What a person does to a chat on the phone. */
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
