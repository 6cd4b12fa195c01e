/** Holds the messages of one chat: a window that pages extend at both ends, and that events keep as it is at the gateway. */
import type { FindMessagesRequest, Message } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import {
  addArrived,
  addNewer,
  addOlder,
  applyUpdate,
  emptyWindow,
  type MessageUpdate,
  type MessageWindow,
  openWindow,
  openWindowAround,
  type Page,
} from './message-window.js'

const PAGE = 100
/** States whose time people want to know. */
const WITH_TIME = new Set(['Sent', 'Delivered', 'Read', 'Played'])
type Place = Pick<FindMessagesRequest, 'before' | 'after' | 'around'>
type Loading = 'first' | 'older' | 'newer'

export interface MessageListState extends MessageWindow {
  readonly loading: Loading | null
  readonly error: Error | null
  /** Messages of others that arrived since the reader was at the end. */
  readonly missed: number
  /** Grows when the window is replaced, so that the view begins again. */
  readonly version: number
  /** The message around which the window was read; null: the end of the chat. */
  readonly anchor: string | null
  /** When messages came as far as their states say, by the id of the network, as far as events have told it. */
  readonly stateTimes: ReadonlyMap<string, number>
}

export class MessageList {
  readonly #credential: Credential
  readonly #chatId: string
  readonly #listeners = new Set<() => void>()
  #state: MessageListState = {
    ...emptyWindow,
    loading: 'first',
    error: null,
    missed: 0,
    version: 0,
    anchor: null,
    stateTimes: new Map(),
  }
  /** Events during a call, whose answer may be older. */
  #meanwhile: ((window: MessageWindow) => MessageWindow)[] = []

  constructor(credential: Credential, chatId: string) {
    this.#credential = credential
    this.#chatId = chatId
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): MessageListState => this.#state

  /** Returns true if the window has a message of this id, its own or that of the network. */
  has(id: string): boolean {
    return this.#state.items.some((message) => message.id === id || message.messageid === id)
  }

  /** Shows the end of the chat, or the surroundings of a message. */
  async open(around: string | null): Promise<void> {
    if (around === null) return await this.#load('first', {}, (_, page) => openWindow(page), null)
    await this.#load('first', { around }, (_, page) => openWindowAround(page), around)
  }

  async loadOlder(): Promise<void> {
    const { older, loading } = this.#state
    if (older !== null && loading === null) await this.#load('older', { before: older }, addOlder)
  }

  async loadNewer(): Promise<void> {
    const { newer, isAtEnd, loading, items } = this.#state
    if (isAtEnd || loading !== null) return
    if (newer !== null) return await this.#load('newer', { after: newer }, addNewer)
    const last = items.at(-1)
    const more = (window: MessageWindow, page: Page) => addNewer(window, { ...page, hasMore: true })
    if (last !== undefined) await this.#load('newer', { around: last.id }, more)
  }

  /** Reads the end of the chat again, since events may have been missed. */
  async catchUp(): Promise<void> {
    if (this.#state.loading !== null || this.#state.version === 0) return
    const { isAtEnd } = this.#state
    await this.#load('newer', {}, (window, page) => {
      const known = new Set(window.items.map(({ id }) => id))
      const isNear = window.items.length === 0 || page.messages.some(({ id }) => known.has(id))
      const next = addArrived({ ...window, isAtEnd: isAtEnd && isNear }, page.messages.toReversed())
      return isNear ? next : { ...next, isAtEnd: false }
    })
  }

  /** Reads one message again, such as one whose failure has a reason. */
  async reread(messageid: string): Promise<void> {
    try {
      const page = await call('findMessages', this.#credential, {
        body: { chatid: this.#chatId, id: messageid, limit: 2 },
      })
      const known = new Set(this.#state.items.map(({ id }) => id))
      this.#set(
        addArrived(
          this.#state,
          page.messages.filter(({ id }) => known.has(id)),
        ),
      )
    } catch {
      // The row stays as the event left it.
    }
  }

  /** `isSeen`: the reader is at the end of the chat. */
  takeArrived(arrived: readonly Message[], isSeen: boolean): void {
    const known = new Set(this.#state.items.map(({ id }) => id))
    const fresh = arrived.filter(
      ({ id, fromMe, messageType }) => !known.has(id) && !fromMe && messageType !== 'reaction',
    )
    this.#change((window) => addArrived(window, arrived))
    if (!isSeen && fresh.length > 0) this.#set({ missed: this.#state.missed + fresh.length })
  }

  takeUpdate(update: MessageUpdate): void {
    this.#change((window) => applyUpdate(window, update))
    if (WITH_TIME.has(update.state))
      this.#set({
        stateTimes: new Map([...this.#state.stateTimes, ...update.ids.map((id) => [id, update.atMs] as const)]),
      })
    if (update.state === 'Failed') for (const id of update.ids) void this.reread(id)
  }

  sawEnd(): void {
    if (this.#state.missed > 0) this.#set({ missed: 0 })
  }

  #change(change: (window: MessageWindow) => MessageWindow): void {
    if (this.#state.loading !== null) this.#meanwhile.push(change)
    this.#set(change(this.#state))
  }

  async #load(
    loading: Loading,
    place: Place,
    take: (window: MessageWindow, page: Page) => MessageWindow,
    anchor?: string | null,
  ): Promise<void> {
    this.#meanwhile = []
    this.#set({ loading, error: null })
    try {
      const page = await call('findMessages', this.#credential, {
        body: { chatid: this.#chatId, limit: PAGE, ...place },
      })
      const window = this.#meanwhile.reduce((now, change) => change(now), take(this.#state, page))
      const { version } = this.#state
      const opened = anchor === undefined ? {} : { anchor, version: version + 1, missed: 0 }
      this.#set({ ...window, loading: null, ...opened })
    } catch (error) {
      this.#set({ loading: null, error: error as Error })
    }
  }

  #set(change: Partial<MessageListState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}
