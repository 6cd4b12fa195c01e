import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Chat, FindChatsReply } from '../../../schemas/generated.js'
import { findNextLeads, makeIdCursor } from './lead-pages.js'

const makePage = (times: readonly number[], hasNextPage: boolean, first = 0) =>
  ({
    chats: times.map((at, index) => ({
      id: `r${first + index}`,
      wa_chatid: `${first + index}`,
      wa_lastMsgTimestamp: at,
    })) as Chat[],
    pagination: { hasNextPage },
  }) as FindChatsReply

it('continues at the time of the last chat, after the chats of that time on all pages', () => {
  const first = makePage([9, 8, 8], true)
  assert.deepEqual(findNextLeads([first]), { limit: 1_000, wa_lastMsgTimestamp: '<=8', offset: 2 })
  const second = makePage([8, 8], true, 3)
  assert.deepEqual(findNextLeads([first, second]), { limit: 1_000, wa_lastMsgTimestamp: '<=8', offset: 4 })
  assert.equal(findNextLeads([first, second, makePage([7], false, 5)]), undefined)
})

it('continues an export after the last id', () => {
  assert.deepEqual(makeIdCursor(makePage([1, 2], true)), { id: '>r1' })
  assert.equal(makeIdCursor(makePage([1, 2], false)), undefined)
  assert.equal(makeIdCursor(makePage([], true)), undefined)
})
