/**
 * The fields of the network's messages that are newer than the library's schema (7.0.0-rc14), as data, and the paths on which one of them may
 * lie. Numbers: the public definitions of tulir/whatsmeow (`proto/waE2E`) and vinikjkkj/zapo (`proto`).
 */

export interface FieldEntry {
  readonly name: string
  /** How the value is read. Without it the library reads the value, and only `adds` is read here. `[]`: may occur several times. */
  readonly type?: FieldType | `${FieldType}[]`
  /** Type whose fields are added to the value. */
  readonly adds?: TypeName
}

export type TypeName = keyof typeof TYPES
/** `library:` types are read by the library's class of that name below `proto`. */
export type FieldType =
  | 'text'
  | 'bytes'
  | 'number'
  | 'flag'
  | TypeName
  | 'library:MessageKey'
  | 'library:Money'
  | 'library:Message.PollCreationMessage'
  | 'library:Message.PollCreationMessage.Option'
  | 'library:Message.PollResultSnapshotMessage'

export type TypeEntry = Readonly<Record<number, FieldEntry>>

const WRAPPER = { adds: 'FutureProof' } as const
const NEWER_WRAPPER = { type: 'FutureProof' } as const
const POLL = { adds: 'Poll' } as const
const PART = { adds: 'PartWithContext' } as const

export const TYPES = {
  Message: {
    3: { name: 'imageMessage', ...PART },
    6: { name: 'extendedTextMessage', ...PART },
    7: { name: 'documentMessage', ...PART },
    8: { name: 'audioMessage', ...PART },
    9: { name: 'videoMessage', ...PART },
    12: { name: 'protocolMessage', adds: 'Protocol' },
    26: { name: 'stickerMessage', ...PART },
    31: { name: 'deviceSentMessage', adds: 'DeviceSent' },
    37: { name: 'viewOnceMessage', ...WRAPPER },
    40: { name: 'ephemeralMessage', ...WRAPPER },
    49: { name: 'pollCreationMessage', ...POLL },
    53: { name: 'documentWithCaptionMessage', ...WRAPPER },
    55: { name: 'viewOnceMessageV2', ...WRAPPER },
    58: { name: 'editedMessage', ...WRAPPER },
    59: { name: 'viewOnceMessageV2Extension', ...WRAPPER },
    60: { name: 'pollCreationMessageV2', ...POLL },
    62: { name: 'groupMentionedMessage', ...WRAPPER },
    64: { name: 'pollCreationMessageV3', ...POLL },
    66: { name: 'ptvMessage', ...PART },
    67: { name: 'botInvokeMessage', ...WRAPPER },
    74: { name: 'lottieStickerMessage', ...WRAPPER },
    85: { name: 'eventCoverImage', ...WRAPPER },
    87: { name: 'statusMentionMessage', ...WRAPPER },
    90: { name: 'pollCreationOptionImageMessage', ...WRAPPER },
    91: { name: 'associatedChildMessage', ...WRAPPER },
    92: { name: 'groupStatusMentionMessage', ...WRAPPER },
    93: { name: 'pollCreationMessageV4', ...WRAPPER },
    95: { name: 'statusAddYours', ...WRAPPER },
    96: { name: 'groupStatusMessage', ...WRAPPER },
    99: { name: 'limitSharingMessage', ...WRAPPER },
    100: { name: 'botTaskMessage', ...WRAPPER },
    101: { name: 'questionMessage', ...WRAPPER },
    103: { name: 'groupStatusMessageV2', ...WRAPPER },
    104: { name: 'botForwardedMessage', ...WRAPPER },
    106: { name: 'questionReplyMessage', ...WRAPPER },
    111: { name: 'pollCreationMessageV5', ...POLL },
    115: { name: 'pollResultSnapshotMessageV3', type: 'library:Message.PollResultSnapshotMessage' },
    116: { name: 'newsletterAdminProfileMessage', ...NEWER_WRAPPER },
    117: { name: 'newsletterAdminProfileMessageV2', ...NEWER_WRAPPER },
    118: { name: 'spoilerMessage', ...NEWER_WRAPPER },
    119: { name: 'pollCreationMessageV6', type: 'library:Message.PollCreationMessage', ...POLL },
    120: { name: 'conditionalRevealMessage', type: 'ConditionalReveal' },
    121: { name: 'pollAddOptionMessage', type: 'PollAddOption' },
    122: { name: 'eventInviteMessage', type: 'EventInvite' },
    123: { name: 'groupRootKeyShareMessage', type: 'Opaque' },
    124: { name: 'paymentReminderMessage', type: 'PaymentReminder' },
    125: { name: 'splitPaymentMessage', type: 'SplitPayment' },
    126: { name: 'newsletterAdminProfileStatusMessage', ...NEWER_WRAPPER },
    127: { name: 'rootSecretDistributeMessage', type: 'Opaque' },
    128: { name: 'splitPaymentUpdateMessage', type: 'SplitPaymentUpdate' },
    129: { name: 'musicMessage', type: 'Music' },
    130: { name: 'statusLinkPreviewMetadataMessage', type: 'Opaque' },
    131: { name: 'botPlatformRegistrationSuccessMessage', ...NEWER_WRAPPER },
  },
  FutureProof: { 1: { name: 'message', type: 'Message' } },
  DeviceSent: { 2: { name: 'message', type: 'Message' } },
  Protocol: { 14: { name: 'editedMessage', type: 'Message' } },
  PartWithContext: { 17: { name: 'contextInfo', adds: 'Context' } },
  Context: { 73: { name: 'isSpoiler', type: 'flag' } },
  Poll: {
    9: { name: 'endTime', type: 'number' },
    10: { name: 'hideParticipantName', type: 'flag' },
    11: { name: 'allowAddOption', type: 'flag' },
  },
  ConditionalReveal: {
    1: { name: 'encPayload', type: 'bytes' },
    2: { name: 'encIv', type: 'bytes' },
    3: { name: 'type', type: 'number' },
    4: { name: 'revealKeyId', type: 'text' },
  },
  PollAddOption: {
    1: { name: 'pollCreationMessageKey', type: 'library:MessageKey' },
    2: { name: 'addOption', type: 'library:Message.PollCreationMessage.Option' },
  },
  EventInvite: {
    2: { name: 'eventId', type: 'text' },
    3: { name: 'title', type: 'text' },
    5: { name: 'startTime', type: 'number' },
    6: { name: 'caption', type: 'text' },
    7: { name: 'isCanceled', type: 'flag' },
    8: { name: 'endTime', type: 'number' },
    9: { name: 'callLink', type: 'text' },
  },
  PaymentReminder: {
    3: { name: 'description', type: 'text' },
    9: { name: 'amount', type: 'library:Money' },
  },
  SplitPayment: {
    2: { name: 'totalAmount', type: 'library:Money' },
    3: { name: 'description', type: 'text' },
    5: { name: 'participants', type: 'SplitParticipant[]' },
  },
  SplitParticipant: {
    1: { name: 'jid', type: 'text' },
    2: { name: 'amount', type: 'library:Money' },
    3: { name: 'status', type: 'number' },
  },
  SplitPaymentUpdate: {
    1: { name: 'splitId', type: 'text' },
    2: { name: 'participant', type: 'SplitParticipant' },
  },
  Music: {
    1: { name: 'embeddedMusic', type: 'EmbeddedMusic' },
    2: { name: 'songUri', type: 'text' },
  },
  EmbeddedMusic: {
    2: { name: 'songId', type: 'text' },
    3: { name: 'author', type: 'text' },
    4: { name: 'title', type: 'text' },
  },
  /** Keys and the like: nothing of them is for callers. */
  Opaque: {},
} as const satisfies Readonly<Record<string, Readonly<Record<number, unknown>>>>

/** Field that the library's schema has under a number that is not its own: it stands at 115. */
export const MISREAD = { number: 114, name: 'pollResultSnapshotMessageV3' } as const

/** Numbers of the fields of a message that the library's schema has, from and to, without the one that it misreads. */
const LIBRARY_RANGES: readonly (readonly [from: number, to: number])[] = [
  [1, 16],
  [18, 18],
  [22, 26],
  [28, 31],
  [35, 51],
  [53, 56],
  [58, 67],
  [69, 72],
  [74, 78],
  [80, 80],
  [82, 83],
  [85, 88],
  [90, 93],
  [95, 107],
  [109, 111],
  [113, 113],
]

/** Returns whether the library or the table above has a field of a message under this number. */
export function isKnownField(number: number): boolean {
  return Object.hasOwn(TYPES.Message, number) || LIBRARY_RANGES.some(([from, to]) => number >= from && number <= to)
}
