import type { BinaryNode } from '@whiskeysockets/baileys'
import { nextLoopSlice } from '../../../lib/loop-slice.js'
import { POSTS_MAX } from '../../../schemas/channel.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { bareJid, type ChatAddress, toChatAddress, toChatId } from '../../../schemas/jid.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { InstanceJournal } from '../../instance/ports.js'
import type { NetworkEvent } from '../port/events.js'
import { findPlaintext, parseCount, readCounts } from './channel-answers.js'
import { children, findChild } from './child-nodes.js'
import { contentForCallers, type DescribedContent, NOT_UNDERSTOOD } from './content.js'
import { unwrap } from './incoming.js'
import { toMessageId } from './key-codec.js'
import { findUnread, notRead, readMessage } from './kinds/read-message.js'
import type { OwnAddresses } from './own-devices.js'

// Bound: 65,536, a text or attribute of a stanza.

/** Attributes `edit` of a change (whatsmeow `EditAttribute`, zapo). A deletion has an empty plaintext. */
const EDIT = '3'
const DELETIONS: ReadonlySet<string | undefined> = new Set(['7', '8'])
/** Maximum number of posts of one notification. */
const NOTICE_MAX = 1_000
/** Text in the place of a message that cannot be read. */
const UNREAD: DescribedContent = { messageType: 'other', type: NOT_UNDERSTOOD, text: '', content: null }

/** Returns whether a stanza comes from a channel, in the form in which callers can name it. */
export function isOfChannel({ attrs: { from } }: BinaryNode): boolean {
  return from !== undefined && /^\d{5,25}@newsletter$/.test(from)
}

export interface ChannelPostsOptions {
  readonly own: () => OwnAddresses
  readonly emit: (event: NetworkEvent) => void
  readonly journal: Pick<InstanceJournal, 'settled'>
  readonly acknowledge: (node: BinaryNode) => void
  /** Ends the connection: the network sends what is not acknowledged to the next one. */
  readonly fail: (error: unknown) => void
  readonly isClosed: () => boolean
}

/** Maximum number of posts that are read before the store has them, and of their bytes. */
const TOGETHER_MAX = 25
const TOGETHER_BYTES = 256 * 1024

/**
 * Receives posts of channels in their order. Nothing of them is encrypted, so the library gets none of them. A post is acknowledged when the store has it, and of a flood only some are on their way
 * to the store at a time.
 */
export class ChannelPosts {
  readonly #options: ChannelPostsOptions
  readonly #waiting: BinaryNode[] = []
  #isRunning = false

  constructor(options: ChannelPostsOptions) {
    this.#options = options
  }

  take(node: BinaryNode): void {
    this.#waiting.push(node)
    if (this.#isRunning) return
    this.#isRunning = true
    this.#run()
      .catch((error: unknown) => this.#options.fail(error))
      .finally(() => {
        this.#isRunning = false
      })
  }

  async #run(): Promise<void> {
    const { own, emit, journal, acknowledge, isClosed } = this.#options
    while (this.#waiting.length > 0 && !isClosed()) {
      let [count, bytes] = [0, 0]
      for (const node of this.#waiting.slice(0, TOGETHER_MAX)) {
        for (let pause = nextLoopSlice(); pause !== undefined; pause = nextLoopSlice()) await pause
        if (isClosed()) return
        const event = readPost(node, own())
        if (event !== null) emit(event)
        count += 1
        bytes += findPlaintext(node)?.length ?? 0
        if (bytes >= TOGETHER_BYTES) break
      }
      await journal.settled()
      for (const node of this.#waiting.splice(0, count)) acknowledge(node)
    }
  }
}

/** Reads a post of a channel, or a change of one. Returns null for a stanza without an id. */
function readPost(node: BinaryNode, own: OwnAddresses): NetworkEvent | null {
  const plaintext = findPlaintext(node)
  const { id, from, edit, is_sender: isSender, t, server_id: serverId } = node.attrs
  if (!id || !from) return null
  const chat: ChatAddress = { group: bareJid(from) }
  const fromMe = isSender === 'true'
  const sender = fromMe ? toChatAddress(own.jid, own.lid) : chat
  const timestampMs = (parseCount(t) ?? Math.floor(Date.now() / 1000)) * 1000
  const messageid = toMessageId(id)
  if (edit === EDIT || DELETIONS.has(edit))
    return revised({ messageid, chat, fromMe, sender, timestampMs }, edit === EDIT ? plaintext : null)
  const number = parseCount(serverId)
  return {
    type: 'message',
    message: {
      ...{ messageid, chat, fromMe, isGroup: false, messageTimestampMs: timestampMs, sender: toChatId(sender) },
      ...(fromMe && sender.pn !== undefined ? { senderPn: sender.pn } : {}),
      ...(fromMe && sender.lid !== undefined ? { senderLid: sender.lid } : {}),
      ...(number === null ? {} : { serverId: number }),
      status: fromMe ? 'sent' : 'delivered',
      ...readPostContent(plaintext ?? new Uint8Array()),
    },
  }
}

interface Change {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  readonly fromMe: boolean
  readonly sender: ChatAddress
  readonly timestampMs: number
}

/** The stanza of a change has the id of the post, and the whole post as it is now; null: it was deleted. */
function revised(change: Change, plaintext: Uint8Array | null): NetworkEvent {
  const common = { type: 'revised', ...change, byAdmin: false } as const
  if (plaintext === null) return { ...common, change: { kind: 'deleted' } }
  const { text, content } = readPostContent(plaintext)
  return { ...common, change: { kind: 'edited', text, content } }
}

/** Describes what a post says. One that cannot be read keeps its bytes, as other messages do. */
function readPostContent(bytes: Uint8Array): Pick<NewMessage, 'messageType' | 'text' | 'content' | 'proto'> {
  try {
    const message = readMessage(bytes)
    const described = findUnread(message)?.isMalformed
      ? contentForCallers(notRead(bytes))
      : contentForCallers(unwrap(message))
    return { ...(described ?? UNREAD), proto: bytes }
  } catch {
    return { ...UNREAD, proto: bytes }
  }
}

/** Reads live updates: the counts of posts, some at a time. */
export function readLiveUpdates(node: BinaryNode): readonly NetworkEvent[] {
  const messages = findChild(findChild(node, 'live_updates'), 'messages')
  const { from } = node.attrs
  if (messages === undefined || from === undefined || !isOfChannel(node)) return []
  const posts = children(messages)
    .slice(0, NOTICE_MAX)
    .filter(({ tag, attrs }) => tag === 'message' && parseCount(attrs.server_id) !== null)
    .map(readCounts)
  const events: NetworkEvent[] = []
  for (let start = 0; start < posts.length; start += POSTS_MAX)
    events.push({ type: 'channelCounts', channel: from as Jid, posts: posts.slice(start, start + POSTS_MAX) })
  return events
}
