/** What a person has chosen for the inbox of this browser. */
import { useSyncExternalStore } from 'react'

export interface InboxSettings {
  /** A short sound for each new message. */
  readonly sound: boolean
  /** A notification of the system while the page is not seen. */
  readonly desktop: boolean
  /** The number of unread chats in the title of the page. */
  readonly title: boolean
  /** Opening a chat marks it as read. */
  readonly readOnOpen: boolean
  /** Pictures load when they are seen. */
  readonly pictures: boolean
}

export type InboxSetting = keyof InboxSettings

const KEY = 'posthorn.inbox'
const DEFAULTS: InboxSettings = { sound: false, desktop: false, title: false, readOnOpen: true, pictures: true }

let settings = read()
const listeners = new Set<() => void>()

export function useInboxSettings(): InboxSettings {
  return useSyncExternalStore(subscribe, readInboxSettings)
}

export function readInboxSettings(): InboxSettings {
  return settings
}

export function changeInboxSetting(name: InboxSetting, isOn: boolean): void {
  settings = { ...settings, [name]: isOn }
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // A browser that keeps nothing keeps the choice until the page is left.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): InboxSettings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>
    const names = Object.keys(DEFAULTS) as InboxSetting[]
    return Object.fromEntries(
      names.map((name) => [name, typeof kept[name] === 'boolean' ? kept[name] : DEFAULTS[name]]),
    ) as unknown as InboxSettings
  } catch {
    return DEFAULTS
  }
}
