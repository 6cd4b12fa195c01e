import type { BinaryNode } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../../schemas/errors.js'
import { bareJid, type ChatAddress, toChatId } from '../../../../schemas/jid.js'
import type { StatusAudience } from '../../../../schemas/status-post.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { PrivacySettings, SettingsNetwork, SharedChange, StatusPrivacy } from '../../port/settings.js'
import type { AddressForms } from '../address-forms.js'
import { type AppStateWriter, composeModification, lastMessages } from '../app-state-writes.js'
import { children, findChild } from '../child-nodes.js'
import type { HistoryParts } from '../history-parts.js'
import type { LiveSocket } from '../live-socket.js'
import { queryMex } from '../mex.js'
import { refusedAs } from '../refused-as.js'

// Bound: 65,536, a text or attribute of a stanza.

/** Form of names and values of privacy settings. Others are left out of an answer. */
const PRIVACY_WORD = /^[a-z_]{1,50}$/

export interface SettingsParts {
  readonly appState: Pick<AppStateWriter, 'write' | 'refresh'>
  readonly forms: Pick<AddressForms, 'author'>
  readonly history: Pick<HistoryParts, 'isBusy'>
}

export class BaileysSettings implements SettingsNetwork {
  readonly #live: LiveSocket
  readonly #appState: Pick<AppStateWriter, 'write' | 'refresh'>
  readonly #forms: Pick<AddressForms, 'author'>
  readonly #history: Pick<HistoryParts, 'isBusy'>

  constructor(live: LiveSocket, { appState, forms, history }: SettingsParts) {
    this.#live = live
    this.#appState = appState
    this.#forms = forms
    this.#history = history
  }

  async change(change: SharedChange): Promise<void> {
    const { modification, jid } = await composeModification(change, (message) => this.#forms.author(message))
    await this.#appState.write(modification, jid)
    const me = this.#live.credentials?.me
    // The library then sends the name under which the network signs messages.
    if (change.kind === 'profileName' && me !== undefined)
      this.#live.socket?.ev.emit('creds.update', { me: { ...me, name: change.name } })
  }

  async refreshNotes(isWhole: boolean): Promise<void> {
    if (this.#history.isBusy) throw new GatewayError('HISTORY_RUNNING')
    await this.#appState.refresh('regular_low', isWhole)
  }

  /** Labels are in this collection (zapo `spec/appstate`). */
  async refreshLabels(isWhole: boolean): Promise<void> {
    if (this.#history.isBusy) throw new GatewayError('HISTORY_RUNNING')
    await this.#appState.refresh('regular', isWhole)
  }

  async markChat(chat: ChatAddress, isRead: boolean, last: MessageForActor | null): Promise<void> {
    const jid = chat.group ?? chat.lid ?? toChatId(chat)
    const lastMessage = await lastMessages(last, (message) => this.#forms.author(message))
    await this.#appState.write({ markRead: isRead, lastMessages: lastMessage }, jid)
  }

  async privacy(): Promise<PrivacySettings> {
    const socket = this.#live.live()
    const own = this.#live.own().jid
    // Also renews the copy by which the library chooses the kind of its read receipts (`readMessages` of rc14).
    const told = socket.fetchPrivacySettings(true)
    const [settings, durations] = await this.#live
      .whileOpen(Promise.all([told, socket.fetchDisappearingDuration(own)]))
      .catch(refusedAs('NETWORK_REFUSED'))
    const words = Object.entries(settings).filter((entry) => entry.every((word) => PRIVACY_WORD.test(word)))
    const { disappearing_mode } = (durations?.[0] ?? {}) as { disappearing_mode?: { duration?: number } }
    return { settings: Object.fromEntries(words), disappearingSeconds: disappearing_mode?.duration || 0 }
  }

  async statusAudience(): Promise<StatusPrivacy> {
    const attrs = { to: 's.whatsapp.net', type: 'get', xmlns: 'status' }
    const request: BinaryNode = { tag: 'iq', attrs, content: [{ tag: 'privacy', attrs: {} }] }
    return readStatusPrivacy(await this.#live.query(request).catch(refusedAs('NETWORK_REFUSED')))
  }

  async setPrivacy(category: string, value: string): Promise<void> {
    const attrs = { name: category, value }
    await this.#set('privacy', { tag: 'privacy', attrs: {}, content: [{ tag: 'category', attrs }] })
  }

  async setDisappearing(seconds: number): Promise<void> {
    await this.#set('disappearing_mode', { tag: 'disappearing_mode', attrs: { duration: String(seconds) } })
  }

  /** Uses the request of today's clients; the library has only its predecessor. Read in whatsmeow `user.go`, not tested against WhatsApp. */
  async setAbout(text: string): Promise<void> {
    const input = { text: text === '' ? null : text, emoji: { content: '' }, ephemeral_duration_sec: 0 }
    const query = (request: BinaryNode) => this.#query(request)
    const answer = queryMex(query, 'updateTextStatus', { input }, this.#live.queries)
    await answer.catch((error: unknown) => {
      if (!(error instanceof GatewayError) || error.code !== 'NETWORK_REFUSED') throw error
      throw new GatewayError('CHANGE_FAILED', { fields: error.fields, cause: error })
    })
  }

  async setPicture(jpeg: string | null): Promise<void> {
    const picture: BinaryNode[] =
      jpeg === null ? [] : [{ tag: 'picture', attrs: { type: 'image' }, content: Buffer.from(jpeg, 'base64') }]
    await this.#set('w:profile:picture', ...picture)
  }

  async #set(xmlns: string, ...content: BinaryNode[]): Promise<void> {
    const attrs = { to: 's.whatsapp.net', type: 'set', xmlns }
    await this.#query({ tag: 'iq', attrs, ...(content.length === 0 ? {} : { content }) })
  }

  async #query(request: BinaryNode): Promise<BinaryNode> {
    return await this.#live.query(request).catch(refusedAs('CHANGE_FAILED'))
  }
}

/** The network's lists (whatsmeow `broadcast.go`). */
const AUDIENCES: Readonly<Record<string, StatusAudience>> = {
  contacts: 'contacts',
  whitelist: 'allowlist',
  blacklist: 'denylist',
}

/**
 * Reads who may see the status posts of an account: the default of the lists. An answer without one is refused, and not taken for all contacts:
 * a post must not reach people whom the phone excludes.
 * @throws GatewayError NETWORK_REFUSED
 */
export function readStatusPrivacy(answer: BinaryNode): StatusPrivacy {
  const privacy = findChild(answer, 'privacy')
  const lists = privacy === undefined ? [] : children(privacy).filter(({ tag }) => tag === 'list')
  const chosen = lists.find(({ attrs }) => attrs.default === 'true') ?? (lists.length === 1 ? lists[0] : undefined)
  const audience = AUDIENCES[chosen?.attrs.type ?? '']
  if (chosen === undefined || audience === undefined)
    throw new GatewayError('NETWORK_REFUSED', {
      message: 'WhatsApp did not say who may see the status posts of the account. Name an audience.',
    })
  const people = children(chosen).flatMap(({ tag, attrs }) => (tag === 'user' && attrs.jid ? [bareJid(attrs.jid)] : []))
  return { audience, people: audience === 'contacts' ? [] : [...new Set(people)] }
}
