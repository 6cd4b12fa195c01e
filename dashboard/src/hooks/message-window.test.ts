import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Chat, Message } from '../../../schemas/generated.js'
import { fitsFilter, makeFilterRequest, readLabels } from './chat-filter.js'
import {
  addArrived,
  addNewer,
  addOlder,
  applyUpdate,
  chooseLaterStatus,
  emptyWindow,
  groupReactions,
  listEdits,
  type MessageUpdate,
  openWindow,
  WINDOW_MAX,
} from './message-window.js'

describe('the window of messages', () => {
  it('grows at both ends, with what arrives at the end whatever its time is, without doubles', () => {
    let window = openWindow(makePage([5, 4, 3], { older: 'c' }))
    window = addOlder(window, makePage([3, 2, 1], { older: null }))
    window = addArrived(window, [makeMessage(6), makeMessage(7, { messageTimestamp: 1 }), makeMessage(5)])
    window = addNewer(window, makePage([8, 7]))
    assert.deepEqual(listIds(window), ['1', '2', '3', '4', '5', '6', '7', '8'])
    assert.equal(window.older, null)
  })

  it('takes no event into a window without the end of the chat', () => {
    const window = { ...openWindow(makePage([2, 1])), isAtEnd: false }
    assert.deepEqual(listIds(addArrived(window, [makeMessage(9)])), ['1', '2'])
  })

  it('lets the far end go when it becomes large', () => {
    const many = Array.from({ length: WINDOW_MAX }, (_, index) => makeMessage(index + 10))
    const window = addOlder({ ...emptyWindow, items: many, older: 'c' }, makePage([9, 8]))
    assert.equal(window.items.length, WINDOW_MAX)
    assert.equal(window.isAtEnd, false)
    assert.equal(window.newer, null)
  })

  it('never takes a status back', () => {
    assert.equal(chooseLaterStatus('read', 'delivered'), 'read')
    assert.equal(chooseLaterStatus('queued', 'sent'), 'sent')
    assert.equal(chooseLaterStatus('sent', 'failed'), 'failed')
    assert.equal(chooseLaterStatus('deleted', 'read'), 'deleted')
    const read = applyUpdate(openWindow(makePage([1])), makeUpdate({ state: 'Read', type: 'ReadReceipt' }))
    assert.equal(addArrived(read, [makeMessage(1)]).items[0]?.status, 'read')
  })

  it('keeps what a message said before its edits', () => {
    const window = applyUpdate(openWindow(makePage([1])), makeUpdate({ type: 'Edited', state: 'Edited', text: 'new' }))
    assert.deepEqual(listEdits(window.items[0] ?? makeMessage(1)), [{ text: 'new', at: 5 }])
    assert.deepEqual(listEdits({ edited: 'of release 0.1.0', messageTimestamp: 3 }), [
      { text: 'of release 0.1.0', at: 3 },
    ])
  })

  it('follows pins and stars, which leave the status as it is', () => {
    let window = applyUpdate(openWindow(makePage([1])), makeUpdate({ type: 'Pinned', state: 'Pinned', pinnedUntil: 9 }))
    window = applyUpdate(window, makeUpdate({ type: 'Starred', state: 'Starred' }))
    const { pinnedUntil, starred, status } = window.items[0] ?? makeMessage(1)
    assert.deepEqual([pinnedUntil, starred, status], [9, true, makeMessage(1).status])
    window = applyUpdate(window, makeUpdate({ type: 'Unpinned', state: 'Unpinned' }))
    window = applyUpdate(window, makeUpdate({ type: 'Unstarred', state: 'Unstarred' }))
    assert.deepEqual([window.items[0]?.pinnedUntil, window.items[0]?.starred], [0, false])
  })

  it('counts the newest reaction of each person', () => {
    const of = (at: number, emoji: string, sender: string) =>
      makeMessage(at, { messageType: 'reaction', reaction: 'm1', text: emoji, sender })
    const found = groupReactions([of(1, 'a', 'ana'), of(2, 'b', 'ana'), of(3, 'c', 'ben'), of(4, '', 'ben')])
    assert.deepEqual(
      found.get('m1')?.map(({ emoji }) => emoji),
      ['b'],
    )
  })
})

describe('the filter of chats', () => {
  it('asks for numbers as they are written, which the gateway reads, and for names by text', () => {
    assert.equal(makeFilterRequest({ search: '+55 (11) 9' }).wa_chatid, '~+55 (11) 9')
    assert.equal(makeFilterRequest({ search: '!=Ana' }).name, '~!=Ana')
  })

  it('holds chats of events to the same filter', () => {
    const chat = {
      id: '1',
      owner: '',
      wa_chatid: '5511@s.whatsapp.net',
      name: 'Ana',
      wa_label: '["2"]',
      wa_unreadCount: 1,
    } as Chat
    assert.ok(fitsFilter(chat, { search: 'an', unread: true, label: '2' }))
    assert.ok(fitsFilter(chat, { search: '5511' }))
    assert.ok(!fitsFilter({ ...chat, wa_archived: true }, {}))
    assert.ok(!fitsFilter(chat, { groups: true }))
    assert.deepEqual(readLabels({ wa_label: 'broken' }), [])
  })
})

function makeMessage(at: number, more: Partial<Message> = {}): Message {
  return {
    id: String(at),
    messageid: `m${at}`,
    chatid: 'c',
    fromMe: false,
    messageType: 'text',
    messageTimestamp: at,
    status: 'delivered',
    owner: '',
    text: `text ${at}`,
    ...more,
  } as Message
}

function makePage(newestFirst: readonly number[], { older = null }: { older?: string | null } = {}) {
  return { messages: newestFirst.map((at) => makeMessage(at)), hasMore: older !== null, older, newer: 'n' }
}

function makeUpdate(more: Partial<MessageUpdate>): MessageUpdate {
  return { ids: ['m1'], type: '', state: '', text: undefined, atMs: 5, votes: undefined, ...more }
}

function listIds(window: { readonly items: readonly Message[] }): string[] {
  return window.items.map(({ id }) => id)
}
