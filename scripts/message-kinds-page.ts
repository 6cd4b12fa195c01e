/** Makes the page of message kinds from the tables by which messages are read. */
import { proto } from '@whiskeysockets/baileys'
import { contentForCallers } from '../actors/network/baileys/content.js'
import { BESIDE_CONTENT, QUIET_KINDS } from '../actors/network/baileys/kinds/control-data.js'
import { MISREAD, TYPES } from '../actors/network/baileys/kinds/newer-fields.js'
import { WRAPPERS } from '../actors/network/baileys/kinds/newer-parts.js'

/** Greatest number of a field that is looked at. */
const NUMBER_MAX = 200

/** Kinds of sends, with the `messageType` of their record. */
const SENT = [
  ['texts, with a link preview, a quote, mentions', 'text'],
  ['pictures, videos, GIFs, round videos, view once', 'image, video'],
  ['audio and voice messages', 'audio'],
  ['documents', 'document'],
  ['stickers', 'sticker'],
  ['contacts', 'contact'],
  ['locations', 'location'],
  ['buttons, carousels and payment keys (Pix)', 'button'],
  ['lists', 'list'],
  ['polls', 'poll'],
  ['reactions', 'reaction'],
] as const

/** Returns the text of `docs/reference/message-kinds.md`. */
export function messageKindsPage(): string {
  return [
    '# Kinds of messages',
    '',
    'Made by `npm run generate` from the tables in `actors/network/baileys/`; change those.',
    '',
    'A message that is decrypted is stored before it is confirmed. The record has its kind in `messageType`, a text or a summary in words in',
    '`text`, and its fields in `content`. The message as it came is kept encrypted in the database.',
    '',
    '## What is sent',
    '',
    '| what | `messageType` |',
    '|---|---|',
    ...SENT.map(([what, type]) => `| ${what} | \`${type.split(', ').join('`, `')}\` |`),
    '',
    'Edits and deletions of own texts and messages are sent too. Edits are plain, and encrypted in announcement groups of communities; with',
    '`WA_SECRET_EDITS` they are encrypted everywhere.',
    '',
    '## What is read',
    '',
    '| field | name at WhatsApp | `messageType` |',
    '|---|---|---|',
    ...fields().flatMap(([number, name]) => row(number, name)),
    '',
    '*wrapper*: the message in it is read in its place, up to five of them. The large copy of a picture or video (`associatedChildMessage` with',
    'an association in high definition) replaces the file of the first message. A copy that comes before that message is held for 15 s, and while the',
    'content of that message may still come; then it is a message of its own.',
    '',
    'What is encrypted under the secret of another message is decrypted. Edits of present phones and added options of polls change the record of',
    'that message; reactions, comments and answers to events are records of their own, with the `messageType` `reaction`, `comment` or `event`. A',
    'change that cannot be applied is a `note`. Status posts are read as messages of the chat `status@broadcast`.',
    '',
    '## What is only kept',
    '',
    '- **Messages without content**: a record with the `messageType` `unreadable` and a reason. Content that comes later takes its place (the first',
    '  message of a person from an ad, one that did not decrypt). View-once messages, and those of hosted businesses and AIs, have none here.',
    '- **Kinds that clients show nowhere by themselves**: a record without an event, which is neither unread nor the last message of its chat.',
    `  They are ${listed([...QUIET_KINDS])}, and protocol messages of unknown types.`,
    '- **Fields that this release does not know**, of any number: `messageType` is `other`, `type` is `unknown`, and `content.fields` has their',
    '  numbers. A message that cannot be parsed has `content.isMalformed` too. A message without fields is such a record with no numbers.',
    `  \`posthorn_messages_not_understood_total\` counts them. Field ${MISREAD.number} is one of them.`,
    '',
    '## What leaves no record',
    '',
    `- Sender keys: a message with nothing but ${listed([...BESIDE_CONTENT])}.`,
    '- Protocol messages of the types 3 to 11 and 16 to 37: the time after which messages of a chat disappear, keys, requests between the devices',
    '  of the account and the answers to them. Edits and deletions change the record of their message.',
    '- Messages between the devices of the account (`category="peer"`): history, state and keys.',
    '',
  ].join('\n')
}

function fields(): readonly (readonly [number, string])[] {
  const found: [number, string][] = []
  for (let number = 1; number <= NUMBER_MAX; number += 1) {
    const newer = TYPES.Message[number as keyof typeof TYPES.Message] as { name: string } | undefined
    const name = newer?.name ?? (number === MISREAD.number ? undefined : nameInLibrary(number))
    if (name !== undefined) found.push([number, name])
  }
  return found
}

/** Returns the name of the field that the library reads under this number. */
function nameInLibrary(number: number): string | undefined {
  const tag = number * 8 + 2
  const bytes = tag < 128 ? [tag, 0] : [(tag % 128) + 128, Math.floor(tag / 128), 0]
  return Object.keys(proto.Message.decode(Uint8Array.from(bytes)))[0]
}

function row(number: number, name: string): string[] {
  if (BESIDE_CONTENT.has(name) || QUIET_KINDS.has(name) || name === 'protocolMessage') return []
  if ((WRAPPERS as readonly string[]).includes(name)) return [`| ${number} | \`${name}\` | *wrapper* |`]
  const described = contentForCallers({ [name]: name === 'conversation' ? 'text' : {} })
  return [`| ${number} | \`${name}\` | \`${described?.messageType ?? 'other'}\` |`]
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
