/** Describes the kinds of messages that are newer than the library's schema, as `newer-fields.ts` reads them. */
import type { NewerContents } from './newer-parts.js'
import { amountText, counted, kind, type OtherKind, time } from './words.js'

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
export function describeNewer(name: string, part: unknown): OtherKind | null {
  if (!Object.hasOwn(NEWER, name)) return null
  return (NEWER[name as keyof NewerContents] as (part: unknown) => OtherKind)(part ?? {})
}
