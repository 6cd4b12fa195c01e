import type { Message } from '../../../../schemas/generated.js'
import { type Draft, hasText, isFile } from './draft.js'

/** Returns the kind of message that a draft becomes, and the words by which people know it until it is sent. */
export function summarise(draft: Draft): Pick<Message, 'messageType'> & { readonly text: string } {
  const { kind, text, file, fullName, place, pixKey } = draft
  const messageType = kind === 'carousel' || kind === 'pix' ? 'button' : kind === 'ptt' ? 'audio' : kind
  if (hasText(kind) && text !== '') return { messageType, text }
  if (isFile(kind)) return { messageType, text: file?.from === 'file' ? file.name : (file?.url ?? '') }
  return { messageType, text: { contact: fullName, location: place, pix: pixKey }[kind as string] ?? '' }
}
