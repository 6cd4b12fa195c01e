/** Messages: composing, relaying, and marking them read. Types only. */
import type { Jid, MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { PresenceKind } from '../../../schemas/presence-kind.js'
import type {
  ForwardContent,
  MediaContent,
  MenuContent,
  PaymentContent,
  PreparedFile,
  ProductContent,
  ReactionContent,
  SendContent,
  TextContent,
  VoteContent,
} from '../../../schemas/send-content.js'
import type { RequestedRevision } from '../../../schemas/send-request.js'
import type { StatusAudience } from '../../../schemas/status-post.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { StoredVote } from '../../instance/instance-reader.js'
import type { PollOption } from './events.js'
import type { UploadedMedia } from './media.js'

export interface MessageNetwork {
  /** Encrypts a message and gives it to the socket, then resolves. The event `ack` follows when the network accepts or refuses it. */
  relay(messageid: MessageId, to: ChatAddress, message: OutgoingMessage): Promise<void>
  /**
   * Encrypts a status post, or a change of one, for these people and gives it to the socket. The event `ack` follows as after `relay`. Returns
   * false if none of them has a device: nothing was sent then.
   */
  post(
    messageid: MessageId,
    message: OutgoingMessage,
    people: readonly Jid[],
    audience: StatusAudience,
  ): Promise<boolean>
  /** Returns false if the network must be asked for devices or keys before a message to this chat can be composed. */
  isSettled(to: ChatAddress): Promise<boolean>
  /**
   * Makes a message ready to be relayed and stored. Writes people by the addresses that the chat uses, also after an `@` in the text.
   * @throws GatewayError GROUP_NOT_FOUND when all members of a group are mentioned and the account is not a member
   */
  compose(to: ChatAddress, input: MessageInput): Promise<OutgoingMessage>
  /** Makes a change of a message of this account ready to be relayed. */
  composeRevision(target: MessageForActor, revision: RequestedRevision): Promise<ComposedRevision>
  /** Makes the large copy of an image of ours, whose message has the small one. Returns null if that has no image, or this one already. */
  composeHdCopy(small: MessageForActor, file: PreparedFile<'image'>, uploaded: UploadedMedia): ComposedHdCopy | null
  /** Makes the message that lets messages of a direct chat disappear after that time; 0: they stay. */
  composeTimer(seconds: number): OutgoingMessage
  /** Makes a stored message ready to be relayed again under its id. */
  recall(proto: Uint8Array): OutgoingMessage
  /**
   * Asks the phone for messages of a chat before this one. The answer is an event `history` with the id of the request. A phone that is not on
   * does not answer.
   */
  requestHistory(requestId: MessageId, chat: string, anchor: MessageForActor, count: number): Promise<void>
  /** Asks the phone for one message. Likewise. */
  requestMessage(requestId: MessageId, wanted: WantedMessage): Promise<void>
  /** Returns the order that a customer sent in a message, if it has one. */
  orderIn(proto: Uint8Array): { readonly id: string; readonly token: string } | null
  /** Returns the poll that a message makes, if it makes one that clients make. */
  poll(target: MessageForActor): PollFacts | null
  /** Counts the votes of a poll. The latest vote of each voter counts. */
  tally(poll: PollFacts, votes: readonly StoredVote[]): readonly PollOption[]
  markRead(messages: readonly MessageForActor[]): Promise<void>
  /** Shows the account as typing or recording in a chat, or as neither. */
  showPresence(to: ChatAddress, presence: PresenceKind): Promise<void>
}

export interface PollFacts {
  readonly options: readonly string[]
  /** Maximum of options of a vote; 0: any number. */
  readonly selectableCount: number
}

/** A message that may not be stored. */
export interface WantedMessage {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  /** Both are asked for when it is not known. */
  readonly fromMe?: boolean
  /** Author of a group's message of somebody else. */
  readonly sender?: string
}

export interface ComposedRevision {
  readonly message: OutgoingMessage
  /** The message after an edit; null for other changes. */
  readonly after: OutgoingMessage | null
}

export interface ComposedHdCopy {
  readonly message: OutgoingMessage
  /** The message of the small copy, with the large file. */
  readonly after: { readonly content: unknown; readonly proto: Uint8Array }
}

export interface MessageInput {
  /** Content with its placeholders filled in. */
  readonly content: OutgoingContent
  readonly quoted?: MessageForActor
  /** Used in groups only. `all`: every member but this account. */
  readonly mentions?: 'all' | readonly ChatAddress[]
  readonly forwarded?: boolean
  /** Lifetime of messages in the chat; 0 when they do not expire. */
  readonly expirationSeconds?: number
}

/** Content of a send. It holds referenced messages and uploaded files in place of their ids. */
export type OutgoingContent =
  | Exclude<
      SendContent,
      | TextContent
      | ReactionContent
      | VoteContent
      | ForwardContent
      | MediaContent
      | MenuContent
      | PaymentContent
      | ProductContent
    >
  /** `uploaded`: the picture of a large link preview. */
  | (TextContent & { readonly uploaded?: UploadedMedia })
  | (MediaContent & { readonly uploaded: UploadedMedia })
  /** `uploads`: the files of the menu, in their order. */
  | (MenuContent & { readonly uploads: readonly UploadedMedia[] })
  /** `uploads`: the document, if it has one. */
  | (PaymentContent & { readonly uploads: readonly UploadedMedia[] })
  /** `uploads`: its picture. */
  | (ProductContent & { readonly uploads: readonly UploadedMedia[] })
  | { readonly kind: 'vote'; readonly options: readonly string[]; readonly target: MessageForActor }
  | { readonly kind: 'forward'; readonly target: MessageForActor }
  | { readonly kind: 'reaction'; readonly emoji: string; readonly target: MessageForActor }

export interface OutgoingMessage {
  /** The encoded `proto.Message`. */
  readonly proto: Uint8Array
  /** Text as readers see it; of a contact, its parts as lines. */
  readonly text: string
  /** JSON for callers. */
  readonly content: unknown
  /** Labels of its choices, joined. */
  readonly convertOptions?: string
  /** The library's own object. Opaque outside of the network's implementation. */
  readonly native: unknown
}
