import { type ChatAddress, chatIdOf } from '../../../../schemas/jid.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { SettingsNetwork, SharedChange } from '../../port/settings.js'
import type { AddressForms } from '../address-forms.js'
import { type AppStateWriter, lastMessages, modificationOf } from '../app-state-writes.js'
import type { LiveSocket } from '../live-socket.js'

export class BaileysSettings implements SettingsNetwork {
  readonly #live: LiveSocket
  readonly #appState: Pick<AppStateWriter, 'write'>
  readonly #forms: Pick<AddressForms, 'author'>

  constructor(live: LiveSocket, appState: Pick<AppStateWriter, 'write'>, forms: Pick<AddressForms, 'author'>) {
    this.#live = live
    this.#appState = appState
    this.#forms = forms
  }

  async change(change: SharedChange): Promise<void> {
    const { modification, jid } = await modificationOf(change, (message) => this.#forms.author(message))
    await this.#appState.write(modification, jid)
    const me = this.#live.credentials?.me
    // The library then sends the name under which the network signs messages.
    if (change.kind === 'profileName' && me !== undefined)
      this.#live.socket?.ev.emit('creds.update', { me: { ...me, name: change.name } })
  }

  async markChat(chat: ChatAddress, isRead: boolean, last: MessageForActor | null): Promise<void> {
    const jid = chat.group ?? chat.lid ?? chatIdOf(chat)
    const lastMessage = await lastMessages(last, (message) => this.#forms.author(message))
    await this.#appState.write({ markRead: isRead, lastMessages: lastMessage }, jid)
  }
}
