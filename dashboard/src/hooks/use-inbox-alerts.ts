/** Tells of new messages by a sound, by a notification of the system and by the title of the page, as far as the person wants it. */
import { useEffect, useRef } from 'react'
import type { Chat, Message } from '../../../schemas/generated.js'
import { isObject } from '../api/problem.js'
import { readInboxSettings, useInboxSettings } from './inbox-settings.js'
import { useInstanceEvents } from './use-this-instance.js'

/** Time between two sounds: many messages at once make one. */
const PAUSE_MS = 1_500
const BODY_MAX = 200

interface Alert {
  readonly title: string
  readonly body: string
}

interface AlertOptions {
  readonly chats: readonly Chat[]
  /** The chat that is open. */
  readonly chosen: string | undefined
  /** Returns what a notification says of a message. */
  readonly describe: (message: Message, chat: Chat) => Alert
  readonly onChat: (chatId: string) => void
}

export function useInboxAlerts({ chats, chosen, describe, onChat }: AlertOptions): void {
  const last = useRef(0)
  useInstanceEvents((event) => {
    if (event === 'open' || event.EventType !== 'messages' || !isObject(event.message) || !isObject(event.chat)) return
    const message = event.message as unknown as Message
    const chat = event.chat as unknown as Chat
    const isSeen = !document.hidden && message.chatid === chosen
    if (message.fromMe || isSeen || isMuted(chat) || ['reaction', 'note'].includes(message.messageType)) return
    const { sound, desktop } = readInboxSettings()
    if (sound && Date.now() - last.current > PAUSE_MS) {
      last.current = Date.now()
      playTone()
    }
    if (desktop && document.hidden) notify(describe(message, chat), () => onChat(chat.wa_chatid), chat.wa_chatid)
  })
  const { title } = useInboxSettings()
  const unread = title ? chats.filter((chat) => (chat.wa_unreadCount ?? 0) !== 0 && !isMuted(chat)).length : 0
  useEffect(() => {
    if (unread === 0) return undefined
    const before = document.title
    document.title = `(${unread}) ${before}`
    return () => {
      document.title = before
    }
  }, [unread])
}

/** Asks the browser whether it may notify. Returns false if a person has forbidden it, or if the browser cannot. */
export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false
  return (await Notification.requestPermission()) === 'granted'
}

function isMuted({ wa_muteEndTime: until = 0 }: Chat): boolean {
  return until < 0 || until > Date.now()
}

function notify({ title, body }: Alert, onClick: () => void, tag: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const shown = new Notification(title, { body: body.slice(0, BODY_MAX), tag, silent: true })
  shown.addEventListener('click', () => {
    window.focus()
    onClick()
    shown.close()
  })
}

/** Two short tones, without a file. */
function playTone(): void {
  const context = new AudioContext()
  const gain = context.createGain()
  gain.connect(context.destination)
  gain.gain.setValueAtTime(0.0001, context.currentTime)
  gain.gain.exponentialRampToValueAtTime(0.15, context.currentTime + 0.02)
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.35)
  for (const [pitch, start] of [
    [880, 0],
    [1_175, 0.12],
  ] as const) {
    const tone = context.createOscillator()
    tone.frequency.value = pitch
    tone.connect(gain)
    tone.start(context.currentTime + start)
    tone.stop(context.currentTime + start + 0.12)
  }
  setTimeout(() => void context.close(), 600)
}
