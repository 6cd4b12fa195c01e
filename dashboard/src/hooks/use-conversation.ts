/** Reads and changes one chat and its messages. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Chat, EditLeadRequest, Message, MuteChatRequest } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { isObject } from '../api/problem.js'
import { findOnlyChat, mayManageChats } from './rights.js'
import { useInstanceEvents, useThisInstance } from './use-this-instance.js'

const WITH_CHAT = new Set(['messages', 'chats', 'chat_labels', 'leads'])
const FOUND_MAX = 50
/** Calls of one search over all chats, at most. Each looks at 20,000 messages. */
const CALLS_MAX = 5

/** Returns the record of a chat. A key for one chat may not search, so that it asks for the details. */
export function useChat(chatId: string, known: Chat | undefined) {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ['chat', id, chatId],
    enabled: credential !== undefined && known === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: findOnlyChat() !== null,
    queryFn: async ({ signal }): Promise<Chat | null> => {
      if (findOnlyChat() !== null)
        return await call('tellChatDetails', requireCredential(credential), {
          body: { number: chatId, preview: true },
          signal,
        })
      const { chats } = await call('findChats', requireCredential(credential), {
        body: { wa_chatid: `~${chatId}`, limit: 5 },
        signal,
      })
      return chats.find((chat) => chat.wa_chatid === chatId) ?? null
    },
  })
  useInstanceEvents((event) => {
    if (event === 'open' || !WITH_CHAT.has(event.EventType ?? '') || !isObject(event.chat)) return
    const chat = event.chat as unknown as Chat
    if (chat.wa_chatid === chatId) client.setQueryData<Chat | null>(['chat', id, chatId], chat)
  })
  return { chat: known ?? query.data ?? undefined, error: known === undefined ? query.error : null }
}

export function useLabels() {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  useInstanceEvents((event) => {
    if (event !== 'open' && event.EventType === 'labels') void client.invalidateQueries({ queryKey: ['labels', id] })
  })
  return useQuery({
    queryKey: ['labels', id],
    enabled: credential !== undefined && findOnlyChat() === null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call('listLabels', requireCredential(credential), { signal }),
  })
}

/** Asks the network to tell of the person's typing, where the token may. Without it the events do not come. */
export function useWatchedPresence(chatId: string, isGroup: boolean): void {
  const { credential, told } = useThisInstance()
  const { header, token: secret } = credential ?? {}
  // The network tells of presence only to accounts that are available themselves.
  const isAvailable = told.status.connected && told.instance.current_presence === 'available'
  useEffect(() => {
    if (header === undefined || secret === undefined || isGroup || !isAvailable || !mayManageChats()) return
    // A person who hides it shows no typing.
    call('contactPresence', { header, token: secret }, { params: { number: chatId } }).catch(() => undefined)
  }, [header, secret, chatId, isGroup, isAvailable])
}

export type ChatChange =
  | { readonly kind: 'read' | 'pin' | 'archive' | 'block'; readonly on: boolean }
  | { readonly kind: 'mute'; readonly hours: MuteChatRequest['muteEndTime'] }
  | { readonly kind: 'label'; readonly label: string; readonly on: boolean }
  | { readonly kind: 'lead'; readonly fields: Omit<EditLeadRequest, 'id'> }

export function useChangeChat(chatId: string) {
  const { credential } = useThisInstance()
  return useMutation({
    mutationFn: async (change: ChatChange): Promise<void> => {
      const known = requireCredential(credential)
      const number = chatId
      switch (change.kind) {
        case 'read':
          return void (await call('readChat', known, { body: { number, read: change.on } }))
        case 'pin':
          return void (await call('pinChat', known, { body: { number, pin: change.on } }))
        case 'archive':
          return void (await call('archiveChat', known, { body: { number, archive: change.on } }))
        case 'block':
          return void (await call('blockPerson', known, { body: { number, block: change.on } }))
        case 'mute':
          return void (await call('muteChat', known, { body: { number, muteEndTime: change.hours } }))
        case 'label': {
          const { label, on } = change
          const body = on ? { number, add_labelid: label } : { number, remove_labelid: label }
          return void (await call('labelChat', known, { body }))
        }
        case 'lead':
          return void (await call('editLead', known, { body: { ...change.fields, id: chatId } }))
      }
    },
  })
}

export type MessageChange =
  | { readonly kind: 'react'; readonly message: Message; readonly emoji: string }
  | { readonly kind: 'edit'; readonly message: Message; readonly text: string }
  | { readonly kind: 'star'; readonly message: Message; readonly on: boolean }
  /** 0: it is unpinned. */
  | { readonly kind: 'pin'; readonly message: Message; readonly days: 0 | 1 | 7 | 30 }
  | { readonly kind: 'vote'; readonly message: Message; readonly options: readonly string[] }
  | { readonly kind: 'delete' | 'read'; readonly message: Message }

export function useChangeMessage() {
  const { credential } = useThisInstance()
  return useMutation({
    mutationFn: async (change: MessageChange): Promise<void> => {
      const known = requireCredential(credential)
      const { id, chatid } = change.message
      switch (change.kind) {
        case 'react':
          return void (await call('reactToMessage', known, { body: { number: chatid, text: change.emoji, id } }))
        case 'edit':
          return void (await call('editMessage', known, { body: { id, text: change.text } }))
        case 'star':
          return void (await call('starMessage', known, { body: { id, star: change.on } }))
        case 'pin': {
          const { days } = change
          const body = days === 0 ? { id, pin: false } : { id, pin: true, duration: days }
          return void (await call('pinMessage', known, { body }))
        }
        case 'vote':
          return void (await call('votePoll', known, { body: { id, options: [...change.options] } }))
        case 'delete':
          return void (await call('deleteMessage', known, { body: { id } }))
        case 'read':
          return void (await call('markRead', known, { body: { id: [id] } }))
      }
    },
  })
}

/** Searches for a text in a chat, or in all chats without one, newest first. */
export function useFoundMessages(chatId: string | undefined, text: string | undefined) {
  const { id, credential } = useThisInstance()
  return useQuery({
    queryKey: ['found', id, chatId ?? '', text],
    enabled: credential !== undefined && text !== undefined,
    queryFn: async ({ signal }): Promise<readonly Message[]> => {
      const found: Message[] = []
      let before: string | undefined
      let calls = 0
      // One call looks at a part of a long chat.
      do {
        calls += 1
        const page = await call('findMessages', requireCredential(credential), {
          body: {
            ...(chatId === undefined ? {} : { chatid: chatId }),
            text: text ?? '',
            limit: FOUND_MAX,
            ...(before === undefined ? {} : { before }),
          },
          signal,
        })
        found.push(...page.messages)
        before = page.hasMore && page.older !== null ? page.older : undefined
      } while (before !== undefined && found.length < FOUND_MAX && (chatId !== undefined || calls < CALLS_MAX))
      return found
    },
  })
}

function requireCredential(credential: Credential | undefined): Credential {
  if (credential === undefined) throw new Error('There is no pass for this instance yet.')
  return credential
}
