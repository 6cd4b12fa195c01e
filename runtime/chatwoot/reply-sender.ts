import { createHash } from 'node:crypto'
import type { CommandRouter } from '../../actors/operations/router.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { MediaKind, SendContent } from '../../schemas/send-content.js'
import type { GivenUpWork } from '../../schemas/work.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { type ChatwootMessage, told } from '../store/chatwoot/message-rows.js'
import type { MissedRepliesOptions } from './missed-replies.js'
import type { ChatwootParts } from './parts.js'
import { toNetworkText } from './shown-message.js'
import type { AgentMessage } from './webhook-facts.js'

type Record_ = Readonly<Record<string, unknown>>

/** Sends one part of a reply, once: its id is mapped before it leaves. */
export class ReplySender {
  readonly #options: Pick<RepliesOptions, 'store' | 'media' | 'router'>

  constructor(options: Pick<RepliesOptions, 'store' | 'media' | 'router'>) {
    this.#options = options
  }

  /** Returns the record of the message; null if this part was sent by a former attempt. @throws GatewayError */
  async send(
    { instance }: ChatwootConfig,
    kind: string,
    message: AgentMessage,
    recipient: string,
    part: ReplyPart,
    index: number,
  ): Promise<Record_ | null> {
    const { messages } = this.#options.store
    const messageid = replyId(instance, message.cwId, index, kind)
    const former = (await messages.byCwId(instance, message.cwId)).find((row) => row.part === index)
    if (former !== undefined && former.messageid !== messageid) {
      // An agent asks again, and this part is not what failed.
      if (former.told !== told.failed) return null
      await messages.forget(instance, former.messageid)
    }
    const { cwId, conversationId } = message
    const isNew = await messages.insert(instance, {
      ...{ messageid, cwId, part: index, conversationId, isReply: true, fromMe: true },
    })
    return await this.#ask(instance, messageid, !isNew, message, recipient, part)
  }

  async noteFailed(instance: InstanceId, { messageid }: Pick<ChatwootMessage, 'messageid'>): Promise<void> {
    await this.#options.store.messages.noteTold(instance, messageid, told.failed)
  }

  async #ask(
    instance: InstanceId,
    messageid: MessageId,
    isRepeat: boolean,
    message: AgentMessage,
    number: string,
    part: ReplyPart,
  ): Promise<Record_> {
    const { store, router, media } = this.#options
    const answered = message.inReplyTo === 0 ? [] : await store.messages.byCwId(instance, message.inReplyTo)
    const replyId_ = answered[0]?.messageid
    const options = replyId_ === undefined ? {} : { replyId: replyId_ }
    const content = await this.#fetchContent(instance, messageid, part)
    const request = { messageid, number, content, options, isLiteral: true, ...(isRepeat ? { isRepeat } : {}) }
    try {
      return (await router().ask(instance, { type: 'send', ...request })).record
    } catch (error) {
      // The message that it answers may be gone here.
      if (error instanceof GatewayError && error.code === 'MESSAGE_NOT_FOUND' && replyId_ !== undefined)
        return (await router().ask(instance, { type: 'send', ...request, options: {} })).record
      if (content.kind === 'media') void media().release(content.file)
      throw error
    }
  }

  async #fetchContent(instance: InstanceId, messageid: MessageId, part: ReplyPart): Promise<SendContent> {
    if (part.type === 'text') return { kind: 'text', text: part.text }
    const { media } = this.#options
    const { url, fileName, caption } = part
    const asked = { instance, messageid, file: { from: 'url', url }, durable: false } as const
    const named = part.kind === 'document' ? { fileName } : {}
    const file = await media()
      .take({ ...asked, kind: part.kind, ...named })
      .catch(async (error: unknown) => {
        // A picture of a type that the network does not show is sent as a file.
        if (!(error instanceof GatewayError) || part.kind === 'document' || !REFUSED.has(error.code)) throw error
        return await media().take({ ...asked, kind: 'document', fileName })
      })
    return { kind: 'media', ...file, ...(caption === '' ? {} : { caption }) }
  }
}

const REFUSED: ReadonlySet<string> = new Set(['MEDIA_TYPE_REFUSED', 'CONVERSION_UNAVAILABLE'])

/** Returns the id under which a part of a reply is sent: the same at each attempt, another when an agent asks again. */
function replyId(instance: string, cwId: number, part: number, kind: string): MessageId {
  const hash = createHash('sha256').update(`${instance}\n${cwId}\n${part}\n${kind}`).digest('hex')
  return `3EB0${hash.slice(0, 36).toUpperCase()}` as MessageId
}

export interface RepliesOptions extends ChatwootParts, MissedRepliesOptions {
  readonly router: () => CommandRouter
  readonly isOurs: (instance: InstanceId) => boolean
  readonly wakeIn: (lane: string, inMs: number) => void
  readonly blocked: GivenUpWork
}

/** Splits a reply of an agent into the messages that the network takes. */
type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file'
      readonly url: string
      readonly kind: MediaKind
      readonly caption: string
      readonly fileName: string
    }

const CAPTIONED: ReadonlySet<MediaKind> = new Set(['image', 'video', 'document'])
const NAME_MAX = 200

/** The text goes with the first file if that can carry it, else before the files. */
export function replyParts(message: AgentMessage, isSigned: boolean, canConvert: boolean): readonly ReplyPart[] {
  const text = signed(message, isSigned)
  const files = message.files.map((file) => ({ ...file, kind: chooseKind(file.type, canConvert) }))
  const [first] = files
  const hasCaption = first !== undefined && CAPTIONED.has(first.kind)
  const own: ReplyPart[] = text === '' || hasCaption ? [] : [{ type: 'text', text }]
  return [
    ...own,
    ...files.map(({ url, kind }, index): ReplyPart => {
      const caption = index === 0 && hasCaption ? text : ''
      return { type: 'file', url, kind, caption, fileName: nameFile(url) }
    }),
  ]
}

function signed({ content, agent, isTemplate }: AgentMessage, isSigned: boolean): string {
  const text = toNetworkText(content.trim())
  return isSigned && agent !== '' && !isTemplate && text !== '' ? `*${agent}:*\n${text}` : text
}

/** Recordings of agents become voice notes where sounds can be converted. */
function chooseKind(type: string, canConvert: boolean): MediaKind {
  if (type === 'image' || type === 'video') return type
  if (type === 'audio') return canConvert ? 'ptt' : 'audio'
  return 'document'
}

function nameFile(url: string): string {
  try {
    // Bound: 150,000, a field of Chatwoot or of a message.
    const last = new URL(url).pathname.split('/').at(-1) ?? ''
    // Bound: 150,000, a field of Chatwoot or of a message.
    return (
      decodeURIComponent(last)
        .replace(/[\p{C}/\\]+/gu, '')
        .slice(0, NAME_MAX) || 'file'
    )
  } catch {
    return 'file'
  }
}
