/** Holds the list of chats: pages from the gateway, newest first, patched by events. */
import type { Chat, FindChatsReply } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { type ChatFilter, fitsFilter, makeFilterRequest } from './chat-filter.js'

const PAGE = 100
/** Chats that are read before their page because they stand at the top, at most. */
const TOP_MAX = 100

export interface ChatListState {
  readonly chats: readonly Chat[]
  /** Null until the first page has come. */
  readonly total: number | null
  /** Number of all chats of the instance, whatever the filter. */
  readonly all: number
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly error: Error | null
}

const EMPTY: ChatListState = { chats: [], total: null, all: 0, hasMore: true, isLoading: true, error: null }

export class ChatList {
  readonly #credential: Credential
  readonly #filter: ChatFilter
  readonly #byId = new Map<string, Chat>()
  /** Chats that are known although the pages have not come to them yet, such as pinned ones. */
  readonly #early = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #state = EMPTY
  #isLoading = false

  constructor(credential: Credential, filter: ChatFilter) {
    this.#credential = credential
    this.#filter = filter
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): ChatListState => this.#state

  /**
   * Reads the next page. It begins at the time of the oldest chat that is known and not at a count, since chats move to the top meanwhile.
   */
  async loadMore(): Promise<void> {
    if (this.#isLoading || !this.#state.hasMore) return
    await this.#load(this.#oldest())
  }

  /** Reads the newest chats again, since events may have been missed. */
  async refresh(): Promise<void> {
    if (!this.#isLoading) await this.#load(undefined)
  }

  /** Takes chats of events. A chat that fits no more leaves the list. */
  take(chats: readonly Chat[]): void {
    const oldest = this.#oldest()
    for (const chat of chats) {
      const { wa_chatid: id } = chat
      if (!fitsFilter(chat, this.#filter)) this.#byId.delete(id)
      else {
        if (!this.#byId.has(id) && oldest !== undefined && readTime(chat) < oldest.at) this.#early.add(id)
        this.#byId.set(id, chat)
      }
    }
    this.#show({})
  }

  #oldest(): { readonly at: number; readonly skip: number } | undefined {
    const times = this.#state.chats.filter((chat) => !this.#early.has(chat.wa_chatid)).map(readTime)
    if (times.length === 0) return undefined
    const at = Math.min(...times)
    return { at, skip: times.filter((time) => time === at).length }
  }

  async #load(from: { readonly at: number; readonly skip: number } | undefined): Promise<void> {
    this.#isLoading = true
    this.#show({ isLoading: true, error: null })
    try {
      const reply: FindChatsReply = await call('findChats', this.#credential, {
        body: {
          ...makeFilterRequest(this.#filter),
          limit: PAGE,
          ...(from === undefined ? {} : { wa_lastMsgTimestamp: `<=${from.at}`, offset: from.skip }),
        },
      })
      if (from === undefined) this.#forgetMissing(reply)
      for (const chat of reply.chats) {
        this.#byId.set(chat.wa_chatid, chat)
        this.#early.delete(chat.wa_chatid)
      }
      if (from === undefined && reply.pagination.hasNextPage) await this.#loadTop()
      const isFirst = this.#state.total === null
      const { hasNextPage, totalRecords } = reply.pagination
      this.#isLoading = false
      this.#show({
        isLoading: false,
        ...(from === undefined ? { total: totalRecords, all: reply.totalChatsStats.total_chats } : {}),
        ...(from !== undefined || isFirst ? { hasMore: hasNextPage && reply.chats.length > 0 } : {}),
      })
    } catch (error) {
      this.#isLoading = false
      this.#show({ isLoading: false, error: error as Error })
    }
  }

  /** Reads chats that stand at the top although they are old. */
  async #loadTop(): Promise<void> {
    const wanted = [{ wa_isPinned: true }, ...(this.#filter.unreadFirst ? [{ wa_unreadCount: '!=0' }] : [])]
    for (const top of wanted) {
      const { chats } = await call('findChats', this.#credential, {
        body: { ...makeFilterRequest(this.#filter), ...top, limit: TOP_MAX },
      })
      for (const chat of chats) {
        if (!this.#byId.has(chat.wa_chatid)) this.#early.add(chat.wa_chatid)
        this.#byId.set(chat.wa_chatid, chat)
      }
    }
  }

  /** Removes chats that a page of the newest ones should have, and has no more. */
  #forgetMissing({ chats, pagination }: FindChatsReply): void {
    const fresh = new Set(chats.map((chat) => chat.wa_chatid))
    const oldest = pagination.hasNextPage ? (chats.at(-1)?.wa_lastMsgTimestamp ?? 0) : -1
    for (const [id, chat] of this.#byId)
      if (!fresh.has(id) && (chat.wa_lastMsgTimestamp ?? 0) > oldest) this.#byId.delete(id)
  }

  #show(change: Partial<ChatListState>): void {
    const rank = this.#filter.unreadFirst
      ? (chat: Chat) => ((chat.wa_unreadCount ?? 0) === 0 ? 0 : 2) + (chat.wa_isPinned ? 1 : 0)
      : (chat: Chat) => (chat.wa_isPinned ? 1 : 0)
    const chats = [...this.#byId.values()].sort(
      (a, b) => rank(b) - rank(a) || readTime(b) - readTime(a) || (a.wa_chatid < b.wa_chatid ? -1 : 1),
    )
    this.#state = { ...this.#state, chats, ...change }
    for (const listener of this.#listeners) listener()
  }
}

function readTime({ wa_lastMsgTimestamp: at = 0 }: Chat): number {
  return at
}
