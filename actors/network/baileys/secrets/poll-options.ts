import type { proto } from '@whiskeysockets/baileys'
import { unwrap } from '../incoming.js'
import type { MessageWithNewer } from '../kinds/newer-parts.js'
import { pollOf } from '../poll-votes.js'

/** Returns the option that a message adds to a poll; null if it adds none. */
export function addedOption(message: proto.IMessage | null): string | null {
  const inner: MessageWithNewer = message === null ? {} : unwrap(message)
  return inner.pollAddOptionMessage?.addOption?.optionName || null
}

/** Returns a poll with one more option; null if the message is no poll. */
export function withOption(message: proto.IMessage, optionName: string): proto.IMessage | null {
  const poll = pollOf(message)
  if (poll === null) return null
  const options = poll.options ?? []
  const isKnown = options.some((option) => option.optionName === optionName)
  return asStored({ pollCreationMessage: { ...poll, options: isKnown ? options : [...options, { optionName }] } })
}

/** Returns a poll in the version of its number of choices. The library encodes no newer version. */
export function asStored(message: proto.IMessage): proto.IMessage {
  const poll = pollOf(message)
  if (poll === null) return message
  const { messageContextInfo } = message
  const context = messageContextInfo ? { messageContextInfo } : {}
  return poll.selectableOptionsCount === 1
    ? { pollCreationMessageV3: poll, ...context }
    : { pollCreationMessage: poll, ...context }
}
