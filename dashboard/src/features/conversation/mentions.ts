/** Names in the place of the numbers that mentions have in a text. */
import { createContext } from 'react'
import type { Message } from '../../../../schemas/generated.js'

/** Names of people by the part of their id before the `@`. */
export const NamesContext = createContext<ReadonlyMap<string, string>>(new Map())

/** Returns the names of those who wrote in a chat, by their ids. */
export function collectNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { sender = '', sender_pn: pn = '', sender_lid: lid = '', senderName = '' } of messages)
    if (senderName !== '')
      for (const id of [sender, pn, lid]) if (id !== '') names.set(id.split(/[@:]/, 1)[0] ?? '', senderName)
  return names
}

/** Returns the text with the names of the mentioned people, as far as they are known. Only what the message mentions is changed. */
export function insertNames(text: string, mentioned: readonly string[], names: ReadonlyMap<string, string>): string {
  let shown = text
  for (const id of mentioned) {
    const user = id.split(/[@:]/, 1)[0] ?? ''
    const name = names.get(user)
    if (user !== '' && name !== undefined && shown.includes(`@${user}`))
      shown = shown.replaceAll(`@${user}`, `@${name.slice(0, 60)}`)
  }
  return shown
}
