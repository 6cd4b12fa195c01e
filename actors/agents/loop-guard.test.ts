import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HistoryMessage } from '../../schemas/agents/turns.js'
import type { MessageId } from '../../schemas/ids.js'
import { loopReason } from './loop-guard.js'

const QUIET = { repliesOfTenMinutes: 0 }

/** Makes a conversation in which we and the contact write in turns. */
function talk(texts: readonly string[], gapMs: number): HistoryMessage[] {
  return texts.flatMap((text, index) => [
    message(2 * index, true, `Answer ${index}`, index * 100_000),
    message(2 * index + 1, false, text, index * 100_000 + gapMs),
  ])
}

function message(position: number, fromMe: boolean, text: string, atMs: number): HistoryMessage {
  const about = { messageid: `M${position}` as MessageId, senderName: '', messageType: 'text', mediaType: '' }
  return {
    ...about,
    position,
    id: `m${position}`,
    fromMe,
    text,
    atMs,
    quotedText: '',
    isDeleted: false,
    extracted: null,
  }
}

describe('the loop guard', () => {
  it('lets people talk, also those who repeat short answers', () => {
    assert.equal(loopReason(talk(['sim', 'sim', 'sim', 'sim'], 10_000), { repliesOfTenMinutes: 11 }), null)
  })

  it('notices many answers within ten minutes', () => {
    assert.match(loopReason([], { repliesOfTenMinutes: 12 }) ?? '', /12 times/)
  })

  it('notices equal messages, whatever number stands in them', () => {
    const texts = ['Your ticket 17 was received.', 'Your ticket 18 was received.', 'Your ticket 19 was received.']
    assert.match(loopReason(talk(texts, 10_000), QUIET) ?? '', /same message/)
    assert.equal(loopReason(talk(texts.slice(1), 10_000), QUIET), null)
  })

  it('notices a contact that always answers at once', () => {
    const texts = ['first one', 'second', 'a third', 'fourth text', 'and a fifth']
    assert.match(loopReason(talk(texts, 500), QUIET) ?? '', /within 2 seconds/)
    assert.equal(loopReason(talk(texts, 5_000), QUIET), null)
  })
})
