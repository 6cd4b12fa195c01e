/**
 * Describes messages of rarer kinds: all but texts, files, places, contacts, menus, polls and reactions. Each has a name of its kind and a
 * summary in words. Other clients made them, so any field may have any value.
 */
import type { proto } from '@whiskeysockets/baileys'
import type { NewerContents } from './kinds/newer-parts.js'

// Bound: 65,536, a text or attribute of a stanza.

type Part<Name extends keyof proto.IMessage> = NonNullable<proto.IMessage[Name]>
type Kinds = { readonly [Name in keyof proto.IMessage]?: (part: Part<Name>) => OtherKind }

const KINDS: Kinds = {
  orderMessage: ({ orderTitle, itemCount, totalAmount1000, totalCurrencyCode, message }) =>
    kind('order', [
      orderTitle ? `Order: ${orderTitle}` : 'Order',
      [counted(itemCount, 'item'), money(totalAmount1000, 3, totalCurrencyCode)],
      message,
    ]),
  productMessage: ({ product, catalog, body }) =>
    kind('product', [
      product?.title ? `Product: ${product.title}` : catalog?.title ? `Catalog: ${catalog.title}` : 'Product',
      money(product?.priceAmount1000, 3, product?.currencyCode),
      product?.description ?? catalog?.description,
      product?.url,
      body,
    ]),
  groupInviteMessage: ({ groupName, inviteCode, caption }) =>
    kind('invite', [
      groupName ? `Invitation to the group ${groupName}` : 'Invitation to a group',
      inviteCode && /^[\w-]{1,64}$/.test(inviteCode) ? `https://chat.whatsapp.com/${inviteCode}` : '',
      caption,
    ]),
  newsletterAdminInviteMessage: ({ newsletterName, caption }) =>
    kind('invite', [
      newsletterName ? `Invitation to administer the channel ${newsletterName}` : 'Invitation to administer a channel',
      caption,
    ]),
  newsletterFollowerInviteMessageV2: ({ newsletterName, caption }) =>
    kind('invite', [
      newsletterName ? `Invitation to follow the channel ${newsletterName}` : 'Invitation to follow a channel',
      caption,
    ]),
  eventMessage: ({ name, isCanceled, startTime, endTime, location, description, joinLink }) =>
    kind('event', [
      `${isCanceled ? 'Canceled event' : 'Event'}${name ? `: ${name}` : ''}`,
      [time(startTime, 1_000), time(endTime, 1_000)],
      location?.name ?? location?.address,
      description,
      joinLink,
    ]),
  encEventResponseMessage: ({ eventCreationMessageKey }) =>
    kind('event', ['Answer to an event'], eventCreationMessageKey),
  requestPaymentMessage: ({ amount, amount1000, currencyCodeIso4217, noteMessage }) =>
    kind('payment', [
      `Payment request${prefixed(': ', amountText(amount) || money(amount1000, 3, currencyCodeIso4217))}`,
      readNote(noteMessage),
    ]),
  sendPaymentMessage: ({ noteMessage, requestMessageKey }) =>
    kind('payment', ['Payment', readNote(noteMessage)], requestMessageKey),
  declinePaymentRequestMessage: ({ key }) => kind('payment', ['Payment request declined'], key),
  cancelPaymentRequestMessage: ({ key }) => kind('payment', ['Payment request canceled'], key),
  paymentInviteMessage: () => kind('payment', ['Invitation to set up payments']),
  invoiceMessage: ({ note }) => kind('payment', ['Invoice', note]),
  call: () => kind('call', ['Call']),
  callLogMesssage: ({ isVideo, callOutcome, durationSecs }) =>
    kind('call', [
      [`${isVideo ? 'Video' : 'Voice'} call`, OUTCOMES[Number(callOutcome ?? -1)], counted(durationSecs, 'second')],
    ]),
  scheduledCallCreationMessage: ({ title, scheduledTimestampMs }) =>
    kind('call', [title ? `Scheduled call: ${title}` : 'Scheduled call', time(scheduledTimestampMs, 1)]),
  scheduledCallEditMessage: ({ key }) => kind('call', ['Scheduled call canceled'], key),
  bcallMessage: ({ caption }) => kind('call', ['Broadcast call', caption]),
  templateMessage: (template) => templateKind(template),
  highlyStructuredMessage: ({ hydratedHsm }) => templateKind(hydratedHsm ?? {}),
  albumMessage: ({ expectedImageCount, expectedVideoCount }) =>
    kind('album', [['Album', counted(expectedImageCount, 'picture'), counted(expectedVideoCount, 'video')]]),
  stickerPackMessage: ({ name, publisher, caption }) =>
    kind('sticker', [[name ? `Sticker pack: ${name}` : 'Sticker pack', publisher], caption]),
  pollResultSnapshotMessage: (snapshot) => pollResult(snapshot),
  pollResultSnapshotMessageV3: (snapshot) => pollResult(snapshot),
  commentMessage: ({ message, targetMessageKey }) =>
    kind('comment', [readNote(message) || 'Comment'], targetMessageKey),
  encCommentMessage: ({ targetMessageKey }) => kind('comment', ['Comment'], targetMessageKey),
  pinInChatMessage: ({ key, type }) => kind('pin', [type === 2 ? 'Message unpinned' : 'Message pinned'], key),
  requestPhoneNumberMessage: () => kind('other', ['Request for the phone number']),
  questionResponseMessage: ({ text, key }) => kind('comment', [text || 'Answer to a question'], key),
  statusQuestionAnswerMessage: ({ text, key }) => kind('comment', [text || 'Answer to a question of a status'], key),
  statusQuotedMessage: ({ text, originalStatusId }) => kind('comment', [text || 'Quoted status'], originalStatusId),
  statusStickerInteractionMessage: ({ key }) => kind('other', ['Reaction to a sticker of a status'], key),
  statusNotificationMessage: ({ originalMessageKey }) => kind('other', ['Notice about a status'], originalMessageKey),
  messageHistoryNotice: ({ messageHistoryMetadata }) =>
    kind('other', [['Earlier messages were shared', counted(messageHistoryMetadata?.messageCount, 'message')]]),
  messageHistoryBundle: ({ messageHistoryMetadata }) =>
    kind('other', [['Earlier messages', counted(messageHistoryMetadata?.messageCount, 'message')]]),
  keepInChatMessage: ({ key, keepType }) =>
    kind('other', [keepType === 2 ? 'Message no longer kept' : 'Message kept'], key),
  placeholderMessage: () => kind('other', ['A message that only the phone shows']),
  richResponseMessage: ({ submessages }) =>
    kind('text', [
      submessages
        ?.map(({ messageText }) => messageText)
        .filter(Boolean)
        .join('\n') || 'Answer of an assistant',
    ]),
}

/** Describes the part of this name. Unknown kinds are `other`. */
export function otherKind(name: string, message: proto.IMessage): OtherKind {
  const describe = Object.hasOwn(KINDS, name) ? (KINDS[name as keyof Kinds] as (part: unknown) => OtherKind) : undefined
  const part = message[name as keyof proto.IMessage]
  return describe?.(part) ?? describeNewer(name, part) ?? kind('other', [`Another kind of message (${name})`])
}

/** Outcomes by `CallLogMessage.CallOutcome`. */
const OUTCOMES: readonly string[] = [
  'answered',
  'missed',
  'failed',
  'rejected',
  'answered on another device',
  'ongoing',
  'silenced',
  'silenced',
]

function templateKind({
  hydratedTemplate,
  hydratedFourRowTemplate,
  interactiveMessageTemplate,
}: proto.Message.ITemplateMessage): OtherKind {
  const template = hydratedTemplate ?? hydratedFourRowTemplate
  const labels = (template?.hydratedButtons ?? []).flatMap(
    ({ quickReplyButton, urlButton, callButton }) =>
      quickReplyButton?.displayText || urlButton?.displayText || callButton?.displayText || [],
  )
  const { text } = kind('button', [
    template?.hydratedTitleText,
    template?.hydratedContentText ?? interactiveMessageTemplate?.body?.text,
    template?.hydratedFooterText,
  ])
  return {
    messageType: 'button',
    text: text || 'Template',
    ...(labels.length === 0 ? {} : { convertOptions: labels.join('|') }),
  }
}

function pollResult({ name, pollVotes }: proto.Message.IPollResultSnapshotMessage): OtherKind {
  const votes = pollVotes?.map(
    ({ optionName, optionVoteCount }) => `${optionName ?? ''}: ${Number(optionVoteCount ?? 0)}`,
  )
  return kind('poll', [name ? `Result of a poll: ${name}` : 'Result of a poll', ...(votes ?? [])])
}

function readNote(message: proto.IMessage | null | undefined): string {
  return message?.conversation ?? message?.extendedTextMessage?.text ?? ''
}

// Describes the kinds of messages that are newer than the library's schema, as `newer-fields.ts` reads them.

type Describers = { readonly [Name in keyof NewerContents]: (part: NewerContents[Name]) => OtherKind }

const NEWER: Describers = {
  eventInviteMessage: ({ title, startTime, endTime, caption, isCanceled, callLink }) =>
    kind('event', [
      `${isCanceled ? 'Invitation to a canceled event' : 'Invitation to an event'}${title ? `: ${title}` : ''}`,
      [time(startTime, 1_000), time(endTime, 1_000)],
      caption,
      callLink,
    ]),
  paymentReminderMessage: ({ description, amount }) =>
    kind('payment', [['Payment reminder', amountText(amount)], description]),
  splitPaymentMessage: ({ totalAmount, description, participants }) =>
    kind('payment', [
      ['Split payment', amountText(totalAmount), counted(participants?.length, 'participant')],
      description,
    ]),
  splitPaymentUpdateMessage: ({ participant }) =>
    kind('payment', [['Update of a split payment', amountText(participant?.amount)]]),
  musicMessage: ({ embeddedMusic, songUri }) =>
    kind('other', [['Music', embeddedMusic?.title, embeddedMusic?.author], songUri]),
  pollAddOptionMessage: ({ pollCreationMessageKey, addOption }) =>
    kind('other', [['Option added to a poll', addOption?.optionName]], pollCreationMessageKey),
  conditionalRevealMessage: () => kind('other', ['A message that is revealed later']),
  groupRootKeyShareMessage: () => kind('other', ['Keys of a group']),
  rootSecretDistributeMessage: () => kind('other', ['Keys of a chat']),
  statusLinkPreviewMetadataMessage: () => kind('other', ['Link preview of a status']),
}

/** Describes the part of this name; null if it is not one of the newer kinds. */
function describeNewer(name: string, part: unknown): OtherKind | null {
  if (!Object.hasOwn(NEWER, name)) return null
  return (NEWER[name as keyof NewerContents] as (part: unknown) => OtherKind)(part ?? {})
}

// Words of which the summaries of messages are made. Other clients made the values, so any may be absent, huge or of no sense.

interface OtherKind {
  readonly messageType: string
  readonly text: string
  /** Id of the message that it refers to. */
  readonly quoted?: string | null | undefined
  readonly convertOptions?: string
}

type Words = string | null | undefined

/** Makes a description from lines. A line is one text, or several that commas join. Leaves out empty ones. */
function kind(
  messageType: string,
  lines: readonly (Words | readonly Words[])[],
  about?: proto.IMessageKey | null,
): OtherKind {
  const text = lines
    .map((line) => (typeof line === 'string' ? line : (line ?? []).filter(Boolean).join(', ')))
    .filter((line) => line !== '')
    .join('\n')
  return { messageType, text, ...(about?.id ? { quoted: about.id } : {}) }
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text
}

function counted(count: unknown, noun: string): string {
  const number = Number(count ?? 0)
  return Number.isSafeInteger(number) && number > 0 ? `${number} ${noun}${number === 1 ? '' : 's'}` : ''
}

/** Formats an amount. `value` counts units of 10 to the power of minus `digits`. */
function money(value: unknown, digits: number, currency: Words): string {
  const number = Number(value ?? Number.NaN) / 10 ** digits
  return Number.isFinite(number) ? [number.toFixed(2), currency].filter(Boolean).join(' ') : ''
}

/** Formats an amount of the network. Its `offset` is the divisor. */
function amountText(amount: proto.IMoney | null | undefined): string {
  return money(amount?.value, Math.log10(amount?.offset || 1), amount?.currencyCode)
}

function time(value: unknown, unitMs: number): string {
  const date = new Date(Number(value || Number.NaN) * unitMs)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
