import { fallbackText } from '../../../schemas/choices/fallback.js'
import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, isEverybody, mentionedIn } from '../../../schemas/jid.js'
import type { MediaContent } from '../../../schemas/send-content.js'
import type { SendCommand, SendOptions } from '../../../schemas/send-request.js'
import type { Connection } from '../../network/port/connection.js'
import type { UploadedMedia } from '../../network/port/media.js'
import type { OutgoingContent, OutgoingMessage } from '../../network/port/messages.js'
import type { ResolvedChat, SendsContext } from './context.js'
import {
  forwardedMessage,
  givenQuotation,
  NOT_QUOTED,
  pollNamed,
  quotedMessage,
  reactedMessage,
} from './named-messages.js'
import { withPreviewPicture } from './prepare-media.js'
import { fillContent } from './send-content.js'

/** A message, and the encoded one to send in its place if the network refuses it. */
export type SentMessage = OutgoingMessage & { readonly instead?: Uint8Array }

interface Composed {
  readonly message: SentMessage
  readonly warnings: readonly string[]
}

interface Prepared {
  readonly outgoing: OutgoingContent
  /** Text to send if the network refuses the message. */
  readonly fallback?: string
  readonly warnings: readonly string[]
}

type Unfilled = { readonly [Field in 'vars' | 'isLiteral']: SendCommand[Field] | undefined }

/** Makes the message of a send: finds what it quotes, fills its placeholders and encodes it. */
export async function composeSend(
  context: SendsContext,
  connection: Connection,
  { content, options, vars, isLiteral }: SendCommand,
  known: ResolvedChat,
  uploads: readonly UploadedMedia[],
): Promise<Composed> {
  const quoted = options.replyId === undefined ? undefined : await findQuoted(context, options, options.replyId, known)
  await refuseForeignGroup(connection, known.address)
  const mentions = readMentions(options, known.address)
  const {
    outgoing,
    fallback,
    warnings: ofContent,
  } = await prepared(context, connection, { content, vars, isLiteral }, known.address, uploads)
  const isUnquoted = options.replyId !== undefined && quoted === undefined
  const warnings = isUnquoted ? [NOT_QUOTED, ...ofContent] : ofContent
  const about = {
    ...(quoted === undefined ? {} : { quoted }),
    ...(mentions.length === 0 ? {} : { mentions }),
    ...(options.forward ? { forwarded: true } : {}),
    ...(known.expirationSeconds === 0 ? {} : { expirationSeconds: known.expirationSeconds }),
  }
  const message = await connection.messages.compose(known.address, { content: outgoing, ...about })
  if (fallback === undefined) return { message, warnings }
  const instead = await connection.messages.compose(known.address, {
    content: { kind: 'text', text: fallback },
    ...about,
  })
  return { message: { ...message, instead: instead.proto }, warnings }
}

/** Returns the message that a send quotes: the stored one, or as the caller knows it. */
async function findQuoted(context: SendsContext, options: SendOptions, replyId: string, { address }: ResolvedChat) {
  return (await quotedMessage(context, replyId)) ?? givenQuotation(options, address)
}

/** Refuses a group that the account is not in. Other errors about the group appear when the message is handed over. */
async function refuseForeignGroup({ groups }: Connection, { group }: ChatAddress): Promise<void> {
  if (!group?.endsWith('@g.us')) return
  await groups.get(group).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'GROUP_NOT_FOUND') throw error
  })
}

/** Returns the mentions of a send to a group. Mentions are ignored in direct chats. */
function readMentions({ mentions }: SendOptions, { group }: ChatAddress) {
  if (group === undefined || mentions === undefined) return []
  return isEverybody(mentions) ? ('all' as const) : mentionedIn(mentions)
}

async function prepared(
  context: SendsContext,
  connection: Connection,
  { content, vars, isLiteral }: Pick<SendCommand, 'content'> & Partial<Unfilled>,
  chat: ChatAddress,
  uploads: readonly UploadedMedia[],
): Promise<Prepared> {
  if (content.kind === 'forward') {
    const target = await forwardedMessage(context, connection, content.id)
    return { outgoing: { kind: 'forward', target }, warnings: [] }
  }
  if (content.kind === 'vote') {
    const target = await pollNamed(context, content.id)
    return { outgoing: { kind: 'vote', options: content.options, target }, warnings: [] }
  }
  if (content.kind === 'reaction') {
    const target = await reactedMessage(context, content.id, chat)
    return { outgoing: { kind: 'reaction', emoji: content.emoji, target }, warnings: [] }
  }
  const filled = async () =>
    await fillContent(content, async () => {
      const values = await context.reader.placeholderValues(context.id, chat)
      return vars === undefined ? values : { ...values, vars }
    })
  const { content: whole, warnings } = isLiteral === true ? { content, warnings: [] } : await filled()
  if (whole.kind === 'media') return { outgoing: withFile(whole, uploads), warnings }
  if (whole.kind === 'text' && whole.linkPreview !== undefined) return withPreviewPicture(whole, uploads, warnings)
  if (whole.kind === 'payment' || whole.kind === 'product') return { outgoing: { ...whole, uploads }, warnings }
  if (!('menu' in whole)) return { outgoing: whole, warnings }
  const fallback = whole.textFallback ? { fallback: fallbackText(whole.menu) } : {}
  return { outgoing: { ...whole, uploads }, warnings, ...fallback }
}

function withFile(content: MediaContent, [uploaded]: readonly UploadedMedia[]): OutgoingContent {
  if (uploaded === undefined) throw new Error('A file was not brought to WhatsApp.')
  return { ...content, uploaded }
}
