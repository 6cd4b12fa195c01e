/**
 * Reads what the network answers about channels and their posts. Strangers write these texts and numbers: each is cut to a bound, and what is
 * not of its form is left out. Forms: `newsletter.go` and `types/newsletter.go` of whatsmeow, `spec/mex` of zapo 1.8.0.
 */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { cut } from '../../../lib/cut.js'
import {
  CHANNELS_MAX,
  type Channel,
  type ChannelPage,
  type ChannelPost,
  type ChannelPostCounts,
  POSTS_MAX,
} from '../../../schemas/channel.js'
import { bareJid } from '../../../schemas/jid.js'
import { children, findChild } from './child-nodes.js'
import { contentForCallers } from './content.js'
import { unwrap } from './incoming.js'
import { toMessageId } from './key-codec.js'
import { readMessage } from './kinds/read-message.js'

// Bound: 1,000, a JID or cursor of an answer.

const WORD_MAX = 100
const NAME_MAX = 1_000
const TEXT_MAX = 10_000
const PATH_MAX = 4_000
const POST_TEXT_MAX = 70_000
/** Maximum number of emojis that are counted for one post. */
const EMOJIS_MAX = 200
/** Maximum bytes of one post, and of all posts of a page, whose content is shown. */
const CONTENT_MAX = 64 * 1024
const PAGE_CONTENT_MAX = 512 * 1024
/** Host of pictures of people and channels. */
const PICTURE_HOST = 'https://pps.whatsapp.net'
const LINK = 'https://whatsapp.com/channel/'

type Json = Readonly<Record<string, unknown>>

/** Reads a channel. Returns null for anything else. */
export function readChannel(value: unknown): Channel | null {
  const { id, state, thread_metadata, viewer_metadata } = toObject(value)
  const jid = toText(id, WORD_MAX)
  if (!/^\d{5,25}@newsletter$/.test(jid)) return null
  const { name, description, invite, subscribers_count, verification, creation_time, settings, ...thread } =
    toObject(thread_metadata)
  const viewer = toObject(viewer_metadata)
  const key = toText(invite, WORD_MAX)
  const created = parseCount(creation_time)
  return {
    id: bareJid(jid),
    name: toText(toObject(name).text, NAME_MAX),
    description: toText(toObject(description).text, TEXT_MAX),
    link: key === '' ? '' : `${LINK}${key}`,
    subscribers: parseCount(subscribers_count),
    verified: toText(verification, WORD_MAX).toUpperCase() === 'VERIFIED',
    picture: findPicture(thread),
    state: toText(toObject(state).type, WORD_MAX).toUpperCase(),
    role: toText(viewer.role, WORD_MAX).toUpperCase(),
    muted: toText(viewer.mute, WORD_MAX).toUpperCase() === 'ON',
    reactionCodes: toText(toObject(toObject(settings).reaction_codes).value, WORD_MAX).toLowerCase(),
    created: created === null ? null : created * 1000,
  }
}

function findPicture({ picture, preview }: Json): string {
  for (const one of [picture, preview]) {
    const path = toText(toObject(one).direct_path, PATH_MAX)
    if (path.startsWith('/')) return PICTURE_HOST + path
  }
  return ''
}

export function readChannels(value: unknown): readonly Channel[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, CHANNELS_MAX).flatMap((one) => readChannel(one) ?? [])
}

/** Reads a page of the directory. */
export function readChannelPage(value: unknown): ChannelPage {
  const { result, page_info } = toObject(value)
  const { endCursor, hasNextPage } = toObject(page_info)
  const channels = readChannels(Array.isArray(result) ? result.slice(0, POSTS_MAX) : [])
  return { channels, after: hasNextPage === true ? toText(endCursor, NAME_MAX) : '' }
}

/** Returns the time at which an invitation ends, in milliseconds since 1970; 0 if there is none. */
export function readInvitation(value: unknown): number {
  return (parseCount(toObject(value).invite_expiration_time) ?? 0) * 1000
}

/** Reads the posts of an answer, newest first. */
export function readPosts(answer: BinaryNode): readonly ChannelPost[] {
  let bytes = 0
  const posts = postNodes(answer).map((post) => {
    const plaintext = findPlaintext(post)
    bytes += plaintext?.length ?? 0
    return readPost(post, bytes <= PAGE_CONTENT_MAX ? plaintext : new Uint8Array())
  })
  return posts.sort((one, other) => other.serverid - one.serverid)
}

export function readPostCounts(answer: BinaryNode): readonly ChannelPostCounts[] {
  return postNodes(answer).map(readCounts)
}

/** Finds the posts: in `messages`, which is in `message_updates` or `live_updates` unless the answer is one of messages. */
export function postNodes(answer: BinaryNode): readonly BinaryNode[] {
  const inner = findChild(answer, 'message_updates') ?? findChild(answer, 'live_updates') ?? answer
  const messages = findChild(inner, 'messages') ?? inner
  return children(messages)
    .filter(({ tag, attrs }) => tag === 'message' && parseCount(attrs.server_id) !== null)
    .slice(0, POSTS_MAX)
}

function readPost(post: BinaryNode, plaintext: Uint8Array | null): ChannelPost {
  const { id, type, t } = post.attrs
  return {
    ...readCounts(post),
    messageid: toMessageId(id ?? ''),
    type: toText(type, WORD_MAX),
    timestamp: (parseCount(t) ?? 0) * 1000,
    ...shownContent(plaintext),
  }
}

/** Describes what a post says. One that is too large or cannot be read is described as a message of another kind. */
function shownContent(plaintext: Uint8Array | null): Pick<ChannelPost, 'messageType' | 'text' | 'message'> {
  if (plaintext === null) return { messageType: '', text: '', message: null }
  const unread = { messageType: 'other', text: '', message: null }
  if (plaintext.length === 0 || plaintext.length > CONTENT_MAX) return unread
  try {
    const described = contentForCallers(unwrap(readMessage(plaintext)))
    if (described === null) return unread
    const { messageType, text, content } = described
    return { messageType, text: cut(text, POST_TEXT_MAX), message: content ?? null }
  } catch {
    return unread
  }
}

/** Returns the encoded message of a post; null for one that was deleted. */
export function findPlaintext(post: BinaryNode): Uint8Array | null {
  const content = findChild(post, 'plaintext')?.content
  return content instanceof Uint8Array && content.length > 0 ? content : null
}

export function readCounts(post: BinaryNode): ChannelPostCounts {
  const reactions = children(findChild(post, 'reactions') ?? { tag: '', attrs: {} }).slice(0, EMOJIS_MAX)
  const counted = reactions.flatMap(({ attrs: { code, count } }) => {
    const times = parseCount(count)
    const emoji = toText(code, WORD_MAX)
    // A number would go to the front of the others, and `__proto__` is no field.
    return times === null || emoji === '' || emoji === '__proto__' ? [] : [[emoji, times] as const]
  })
  return {
    serverid: parseCount(post.attrs.server_id) ?? 0,
    viewsCount: parseCount(findChild(post, 'views_count')?.attrs.count),
    reactionCounts: Object.fromEntries(counted),
  }
}

function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function toText(value: unknown, max: number): string {
  return typeof value === 'string' ? cut(value, max) : ''
}

/** Returns a whole number that is not negative, from a number or its digits; null for anything else. */
export function parseCount(value: unknown): number | null {
  if (typeof value === 'string' && !/^\d{1,16}$/.test(value)) return null
  const count = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}
