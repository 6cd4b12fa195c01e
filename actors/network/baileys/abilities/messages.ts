import type { proto } from '@whiskeysockets/baileys'
import { cut } from '../../../../lib/cut.js'
import type { GroupInfo } from '../../../../schemas/group-info.js'
import type { Jid, MessageId } from '../../../../schemas/ids.js'
import { type ChatAddress, isGroupJid, toChatId } from '../../../../schemas/jid.js'
import type { PresenceKind } from '../../../../schemas/presence-kind.js'
import type { PreparedFile } from '../../../../schemas/send-content.js'
import type { RequestedRevision } from '../../../../schemas/send-request.js'
import { STATUS_CHAT, type StatusAudience } from '../../../../schemas/status-post.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { StoredVote } from '../../../instance/instance-reader.js'
import type { PollOption } from '../../port/events.js'
import type { UploadedMedia } from '../../port/media.js'
import type {
  ComposedHdCopy,
  ComposedRevision,
  MessageInput,
  MessageNetwork,
  OutgoingMessage,
  PollFacts,
  WantedMessage,
} from '../../port/messages.js'
import type { AddressForms } from '../address-forms.js'
import type { DirectMessage } from '../direct/relay.js'
import type { HistoryOnDemand } from '../history-on-demand.js'
import { unwrap } from '../incoming.js'
import { extraNodes } from '../interactive.js'
import { hdParentIn } from '../kinds/hd-copy.js'
import { readMessage } from '../kinds/read-message.js'
import type { LiveSocket } from '../live-socket.js'
import {
  composeKeep,
  composeMessage,
  composePin,
  composeRevision,
  composeTimer,
  isRevision,
  mentionedBy,
  networkKey,
  recallMessage,
  stanzaAttributes,
} from '../outgoing.js'
import { composeHdCopy } from '../outgoing-hd.js'
import { countable } from '../poll-inbox.js'
import { findPoll, pollOptions, tally } from '../poll-votes.js'
import type { NetworkRelays } from '../relays.js'
import type { SentMessages } from '../sent-messages.js'
import type { TrafficLog } from '../traffic-log.js'

/** Maximum length of the id and of the token of an order, which a customer's client chooses. */
const ORDER_TEXT_MAX = 1_000

export interface BaileysMessagesOptions {
  readonly live: LiveSocket
  readonly forms: AddressForms
  readonly relays: NetworkRelays
  readonly sent: SentMessages
  readonly traffic: TrafficLog
  readonly onDemand: HistoryOnDemand
  /** Returns a known group. @throws when it cannot be read */
  readonly group: (group: Jid) => Promise<GroupInfo>
  /** True if edits are encrypted in all chats. */
  readonly secretEdits: boolean
}

export class BaileysMessages implements MessageNetwork {
  readonly #options: BaileysMessagesOptions

  constructor(options: BaileysMessagesOptions) {
    this.#options = options
  }

  async relay(messageid: MessageId, to: ChatAddress, message: OutgoingMessage): Promise<void> {
    const { relays } = this.#options
    await this.#hand(messageid, to, message, (direct) => relays.relay(direct, to.group !== undefined))
  }

  async post(
    messageid: MessageId,
    message: OutgoingMessage,
    people: readonly Jid[],
    audience: StatusAudience,
  ): Promise<boolean> {
    const { relays, traffic } = this.#options
    const isSent = await this.#hand(messageid, STATUS_CHAT, message, (direct) => relays.post(direct, people, audience))
    if (!isSent) traffic.unacknowledged.done(messageid)
    return isSent
  }

  async #hand<T>(
    messageid: MessageId,
    to: ChatAddress,
    message: OutgoingMessage,
    relay: (direct: DirectMessage) => Promise<T>,
  ): Promise<T> {
    const { live, sent, traffic } = this.#options
    live.live()
    // Uses the LID when it is known: sends to the number of a moved contact fail with 463 (OpenWA PR 717).
    const jid = addressedTo(to)
    traffic.unacknowledged.add(messageid)
    const native = message.native as proto.IMessage
    const isHdCopy = native.associatedChildMessage != null && hdParentIn(native) !== null
    // Neither has a row from which it could be sent again.
    if (isRevision(native) || isHdCopy) sent.noteChange(messageid, to, native)
    try {
      const nodes = native.conversation || native.extendedTextMessage ? [] : extraNodes(native)
      const attributes = stanzaAttributes(native)
      const direct = { id: messageid, to: jid, message: native, bytes: message.proto, attributes, nodes }
      return await live.whileOpen(relay(direct))
    } catch (error) {
      traffic.unacknowledged.done(messageid)
      throw error
    }
  }

  isSettled(to: ChatAddress): Promise<boolean> {
    return this.#options.relays.isSettled(addressedTo(to))
  }

  async compose(to: ChatAddress, input: MessageInput): Promise<OutgoingMessage> {
    const { forms, relays } = this.#options
    const [people] = await Promise.all([forms.people(to, input), relays.prepare(addressedTo(to))])
    return composeMessage(input, people, addressedTo(to))
  }

  async composeRevision(target: MessageForActor, revision: RequestedRevision): Promise<ComposedRevision> {
    const { forms } = this.#options
    if (revision.kind === 'pin' || revision.kind === 'keep') {
      const author = target.isGroup && !target.fromMe ? await forms.author(target) : undefined
      const isPin = revision.kind === 'pin'
      const message = isPin
        ? composePin(target, revision.seconds, author)
        : composeKeep(target, revision.isKept, author)
      return { message, after: null }
    }
    const mentions = revision.kind === 'edit' ? await forms.mentioned(target.chat, mentionedBy(target)) : []
    return composeRevision(target, revision, mentions, await this.#sealedBy(target, revision))
  }

  /** Returns the own address in the chat if an edit is encrypted there: everywhere if so set, else in announcement groups of communities. */
  async #sealedBy(target: MessageForActor, { kind }: RequestedRevision): Promise<Jid | null> {
    const { forms, group, secretEdits } = this.#options
    if (kind !== 'edit') return null
    const jid = target.chat.group
    const isSealed = secretEdits || (jid !== undefined && isGroupJid(jid) && (await isOfCommunity(group(jid))))
    return isSealed ? await forms.author(target) : null
  }

  composeHdCopy(small: MessageForActor, file: PreparedFile<'image'>, uploaded: UploadedMedia): ComposedHdCopy | null {
    return composeHdCopy(small, file, uploaded)
  }

  composeTimer(seconds: number): OutgoingMessage {
    return composeTimer(seconds)
  }

  recall(proto: Uint8Array): OutgoingMessage {
    return recallMessage(proto)
  }

  async requestHistory(requestId: MessageId, chat: string, anchor: MessageForActor, count: number): Promise<void> {
    await this.#options.onDemand.request(requestId, chat, anchor, count)
  }

  async requestMessage(requestId: MessageId, wanted: WantedMessage): Promise<void> {
    await this.#options.onDemand.requestMessage(requestId, wanted)
  }

  orderIn(bytes: Uint8Array): { readonly id: string; readonly token: string } | null {
    const { orderId, token } = unwrap(readMessage(bytes)).orderMessage ?? {}
    return orderId && token ? { id: cut(orderId, ORDER_TEXT_MAX), token: cut(token, ORDER_TEXT_MAX) } : null
  }

  poll(target: MessageForActor): PollFacts | null {
    const poll = target.proto === null ? null : unwrap(readMessage(target.proto))
    const options = poll === null ? null : pollOptions(poll)
    if (poll === null || options === null) return null
    return { options, selectableCount: findPoll(poll)?.selectableOptionsCount ?? 0 }
  }

  tally({ options }: PollFacts, votes: readonly StoredVote[]): readonly PollOption[] {
    return tally(options, countable(votes)).map(({ option, voters }) => ({ option, voters: voters as Jid[] }))
  }

  async markRead(messages: readonly MessageForActor[]): Promise<void> {
    const { live, forms } = this.#options
    const socket = live.live()
    const keys = messages.map(async (message) =>
      networkKey(message, message.isGroup ? await forms.author(message) : undefined),
    )
    await live.whileOpen(socket.readMessages(await Promise.all(keys)))
  }

  async showPresence(to: ChatAddress, presence: PresenceKind): Promise<void> {
    const { live } = this.#options
    const socket = live.live()
    // Clients show typing only of an available account. Without a name the network accepts no availability (Baileys `Socket/chats.ts`).
    await live.whileOpen(socket.sendPresenceUpdate(presence, addressedTo(to)))
  }
}

/** Returns false if the group cannot be read now: members read a plain edit too. */
async function isOfCommunity(group: Promise<GroupInfo>): Promise<boolean> {
  return await group.then(({ isDefaultSubGroup }) => isDefaultSubGroup).catch(() => false)
}

function addressedTo(chat: ChatAddress): string {
  return chat.group ?? chat.lid ?? toChatId(chat)
}
