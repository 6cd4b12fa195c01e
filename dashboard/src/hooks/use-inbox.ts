/** What the inbox reads and does beside the messages of a chat. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Message } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { makeRandomKey } from '../api/random-key.js'
import type { BoxSend } from '../features/conversation/text-send.js'
import { mayReadAll, maySend } from './use-instance.js'
import { useRead } from './use-operation.js'
import { useThisInstance } from './use-this-instance.js'

const MEDIA_PAGE = 100
/** Pages that one look for media reads before it asks the person. */
const PAGES_AT_ONCE = 5
const WITH_FILE = new Set(['image', 'video', 'document', 'audio'])

/** Marks a chat as read while it is looked at: the page is seen, its end is in sight, and something in it is unread. Each count is tried once. */
export function useReadOnOpen(isWanted: boolean, unread: number, read: () => void): void {
  const { told } = useThisInstance()
  const asked = useRef(0)
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  const isOn = isWanted && told.status.connected
  useEffect(() => {
    if (unread <= 0) asked.current = 0
    if (!isOn || unread <= 0) return undefined
    const look = () => {
      if (document.hidden || !document.hasFocus() || asked.current === unread) return
      asked.current = unread
      latest.current()
    }
    look()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [isOn, unread])
}

/** The quick replies of the instance, where the signed-in person may read them. */
export function useQuickReplies() {
  const { id, credential } = useThisInstance()
  return useRead({ id, credential }, 'listQuickReplies', {}, { isOff: !maySend() || !mayReadAll() })
}

export interface Mentionable {
  readonly name: string
  /** Digits by which the gateway knows the person. */
  readonly number: string
}

/** The people of a group, named by what is known of them: their own messages, else their number. */
export function useGroupPeople(chatId: string, messages: readonly Message[]): readonly Mentionable[] {
  const { id, credential, told } = useThisInstance()
  const isGroup = chatId.endsWith('@g.us')
  const isOff = !isGroup || !mayReadAll() || !told.status.connected
  const { data } = useRead({ id, credential }, 'tellGroup', { body: { groupjid: chatId } }, { isOff })
  const people = data?.Participants
  return useMemo(() => {
    if (people === undefined) return []
    const names = new Map<string, string>()
    for (const { sender = '', sender_pn: pn = '', sender_lid: lid = '', senderName = '' } of messages)
      if (senderName !== '') for (const jid of [sender, pn, lid]) names.set(readUser(jid), senderName)
    return people
      .map(({ JID = '', PhoneNumber = '', LID = '' }) => {
        const number = readUser(PhoneNumber || JID)
        const known = [PhoneNumber, JID, LID].map((jid) => names.get(readUser(jid))).find(Boolean)
        return { name: known ?? `+${number}`, number }
      })
      .filter(({ number }) => number !== '')
  }, [people, messages])
}

function readUser(jid: string): string {
  return jid.split(/[@:]/, 1)[0] ?? ''
}

export interface Forwarding {
  readonly messages: readonly Message[]
  readonly chats: readonly string[]
}

/** Forwards messages to chats, each in turn, in their order. Resolves with the number that was not forwarded. */
export function useForward() {
  const { credential } = useThisInstance()
  return useMutation({
    mutationFn: async ({ messages, chats }: Forwarding): Promise<number> => {
      let failed = 0
      let last: unknown
      for (const number of chats)
        for (const { id } of messages)
          try {
            await call('sendForward', requireCredential(credential), { body: { number, id } })
          } catch (error) {
            failed += 1
            last = error
          }
      if (failed === chats.length * messages.length && last !== undefined) throw last
      return failed
    },
  })
}

/** The messages of a chat that have a file, newest first. One look reads a few pages; `fetchNextPage` looks further back. */
export function useChatMedia(chatId: string) {
  const { id, credential } = useThisInstance()
  return useInfiniteQuery({
    queryKey: ['media of chat', id, chatId],
    enabled: credential !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const found: Message[] = []
      let before = pageParam
      for (let page = 0; page < PAGES_AT_ONCE; page += 1) {
        const { messages, hasMore, older } = await call('findMessages', requireCredential(credential), {
          body: { chatid: chatId, limit: MEDIA_PAGE, ...(before === undefined ? {} : { before }) },
          signal,
        })
        found.push(...messages.filter(({ messageType, status }) => WITH_FILE.has(messageType) && status !== 'deleted'))
        before = hasMore && older !== null ? older : undefined
        if (before === undefined || found.length >= MEDIA_PAGE) break
      }
      return { found, before }
    },
    getNextPageParam: ({ before }) => before,
  })
}

/** Returns the text of a voice message, made at the gateway once it is asked for. */
export function useTranscription() {
  const { credential } = useThisInstance()
  return useMutation({
    mutationFn: async (id: string): Promise<string> => {
      const body = { id, transcribe: true, return_link: false, generate_mp3: false }
      return (await call('downloadMessage', requireCredential(credential), { body })).transcription ?? ''
    },
  })
}

/** Sends what the box has at a time, each try under one key. */
export function useSchedule() {
  const { credential } = useThisInstance()
  const [idempotencyKey] = useState(makeRandomKey)
  return useMutation({
    mutationFn: async ({ send, at, zone }: { send: BoxSend; at: string; zone: string }) => {
      const body = { ...send.body, track_source: 'dashboard', send_at: at, timezone: zone }
      // The key belongs to one body: another time is another message.
      const key = `${idempotencyKey}-${at.replace(/\D/g, '')}`
      // Each operation has its own body, which the box has made.
      return await call(send.operation, requireCredential(credential), { body: body as never, idempotencyKey: key })
    },
  })
}

/** Who of a group has received, read and played an own message. */
export function useReceipts(message: Message) {
  const { id, credential } = useThisInstance()
  return useRead({ id, credential }, 'showMessageInfo', { body: { id: message.id } })
}

function requireCredential(credential: Credential | undefined): Credential {
  if (credential === undefined) throw new Error('There is no pass for this instance yet.')
  return credential
}
