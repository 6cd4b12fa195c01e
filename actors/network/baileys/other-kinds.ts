/**
 * Describes messages of rarer kinds: all but texts, files, places, contacts, menus, polls and reactions. Each has a name of its kind and a
 * summary in words. Other clients made them, so any field may have any value.
 */
import type { proto } from '@whiskeysockets/baileys'
import { describeNewer } from './kinds/describe-newer.js'
import { amountText, counted, kind, money, type OtherKind, prefixed, time } from './kinds/words.js'

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
      noteOf(noteMessage),
    ]),
  sendPaymentMessage: ({ noteMessage, requestMessageKey }) =>
    kind('payment', ['Payment', noteOf(noteMessage)], requestMessageKey),
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
  commentMessage: ({ message, targetMessageKey }) => kind('comment', [noteOf(message) || 'Comment'], targetMessageKey),
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

function noteOf(message: proto.IMessage | null | undefined): string {
  return message?.conversation ?? message?.extendedTextMessage?.text ?? ''
}
