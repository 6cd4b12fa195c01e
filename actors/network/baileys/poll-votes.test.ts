import assert from 'node:assert/strict'
import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { parseMenu } from '../../../schemas/choices/parse.js'
import { composeMenu } from './interactive.js'
import { decryptVote, pollOptions, tally } from './poll-votes.js'
import { secretsIn } from './secrets/message-secrets.js'

const OWN_PN = '5511999990001@s.whatsapp.net'
const OWN_LID = '100001@lid'
const VOTER_PN = '5511999990002@s.whatsapp.net'
const VOTER_LID = '100002@lid'

function pollWith(selectableCount: number): proto.IMessage {
  const { menu } = parseMenu({ type: 'poll', text: 'Which?', choices: ['Red', 'Blue', 'Grün'], selectableCount })
  // As it comes back from the store.
  return proto.Message.decode(proto.Message.encode(composeMenu(menu) as proto.Message).finish())
}

/** A vote as the voter's client makes it: written from tulir/whatsmeow `msgsecret.go`, not from what is tested. */
function voteFor(
  poll: proto.IMessage,
  options: readonly string[],
  { creator, voter }: { creator: string; voter: string },
): proto.Message.IPollUpdateMessage {
  const secret = poll.messageContextInfo?.messageSecret ?? new Uint8Array()
  const key = hkdfSync('sha256', secret, new Uint8Array(32), `POLL1${creator}${voter}Poll Vote`, 32)
  const selectedOptions = options.map((option) => createHash('sha256').update(option).digest())
  const encIv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), encIv)
  cipher.setAAD(Buffer.from(`POLL1\u0000${voter}`))
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()
  const encPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const update = { pollCreationMessageKey: { id: 'POLL1', fromMe: false }, vote: { encPayload, encIv } }
  return proto.Message.PollUpdateMessage.decode(proto.Message.PollUpdateMessage.encode(update).finish())
}

function readable(message: proto.IMessage) {
  return { message, secrets: secretsIn(message) }
}

describe('a vote of a poll', () => {
  const people = { creator: [OWN_LID, OWN_PN], voter: [VOTER_PN, VOTER_LID] }

  it('is decrypted with whichever addresses the client of the voter used', () => {
    for (const selectableCount of [0, 1]) {
      const poll = pollWith(selectableCount)
      assert.deepEqual(pollOptions(poll), ['Red', 'Blue', 'Grün'])
      for (const creator of people.creator)
        for (const voter of people.voter)
          assert.deepEqual(decryptVote(voteFor(poll, ['Grün'], { creator, voter }), readable(poll), people), ['Grün'])
    }
  })

  it('has options in the order of the poll, none if it was withdrawn, and no unknown ones', () => {
    const poll = pollWith(0)
    const by = { creator: OWN_PN, voter: VOTER_PN }
    assert.deepEqual(decryptVote(voteFor(poll, ['Blue', 'Red'], by), readable(poll), people), ['Red', 'Blue'])
    assert.deepEqual(decryptVote(voteFor(poll, [], by), readable(poll), people), [])
    assert.deepEqual(decryptVote(voteFor(poll, ['Added later', 'Red'], by), readable(poll), people), ['Red'])
  })

  it('is ignored if no client makes such a poll', () => {
    const pollCreationMessage = (...names: string[]) => ({
      pollCreationMessage: { options: names.map((optionName) => ({ optionName })) },
    })
    const many = (count: number) => Array.from({ length: count }, (_, index) => `option ${index}`)
    assert.equal(pollOptions(pollCreationMessage(...many(100)))?.length, 100)
    assert.equal(pollOptions(pollCreationMessage(...many(101))), null)
    assert.equal(pollOptions(pollCreationMessage('Red', 'Blue', 'Red')), null)
    assert.equal(pollOptions(pollCreationMessage('Red', 'x'.repeat(1_000)))?.length, 2)
    assert.equal(pollOptions(pollCreationMessage('Red', 'x'.repeat(1_001))), null)
  })

  it('is ignored if it is of another person, of another poll, or malformed', () => {
    const poll = pollWith(0)
    const vote = voteFor(poll, ['Red'], { creator: OWN_PN, voter: '5511999990003@s.whatsapp.net' })
    assert.equal(decryptVote(vote, readable(poll), people), null)
    const good = voteFor(poll, ['Red'], { creator: OWN_PN, voter: VOTER_PN })
    assert.equal(decryptVote(good, readable(pollWith(0)), people), null)
    assert.equal(
      decryptVote(
        { ...good, vote: { encPayload: new Uint8Array(3), encIv: new Uint8Array(12) } },
        readable(poll),
        people,
      ),
      null,
    )
    assert.equal(decryptVote({ ...good, vote: null }, readable(poll), people), null)
    assert.equal(decryptVote({ ...good, pollCreationMessageKey: null }, readable(poll), people), null)
    assert.equal(decryptVote(good, readable({ ...poll, messageContextInfo: null }), people), null)
    assert.equal(decryptVote(good, readable({ conversation: 'no poll' }), people), null)
  })
})

describe('the tally of a poll', () => {
  const vote = (voter: string, timestampMs: number, ...options: string[]) => ({ voter, timestampMs, options })

  it('counts the latest vote of each voter, in whatever order they arrived', () => {
    const votes = [
      vote('a', 3, 'Blue'),
      vote('a', 1, 'Red'),
      vote('b', 2, 'Red', 'Blue'),
      vote('c', 1, 'Red'),
      vote('c', 5),
    ]
    assert.deepEqual(tally(['Red', 'Blue', 'Grün'], votes), [
      { option: 'Red', voters: ['b'] },
      { option: 'Blue', voters: ['a', 'b'] },
      { option: 'Grün', voters: [] },
    ])
  })

  it('counts the later of two votes of the same time, and no unknown options', () => {
    assert.deepEqual(tally(['Red', 'Blue'], [vote('a', 1, 'Red'), vote('a', 1, 'Blue', 'Green')]), [
      { option: 'Red', voters: [] },
      { option: 'Blue', voters: ['a'] },
    ])
    assert.deepEqual(tally([], [vote('a', 1, 'Red')]), [])
  })
})
