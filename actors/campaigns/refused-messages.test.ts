import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Jid, MessageId } from '../../schemas/ids.js'
import type { AfterRefusal } from '../../schemas/pacing.js'
import type { Change } from '../instance/ports.js'
import type { SendsContext } from '../instance/sends/context.js'
import { RefusedMessages } from './refused-messages.js'

const ID = 'M1' as MessageId
const OF_PERSON: AfterRefusal = { next: 'park', ms: 86_400_000, isOfPerson: true }
const OF_ACCOUNT: AfterRefusal = { next: 'park', ms: 3_600_000 }

/** The network's refusal of the message that was the so-manieth to a recipient of a campaign; 0: the message is of none. */
async function refused(code: number, attempts: number, after: AfterRefusal, lock: string | null = null) {
  const written: Change[] = []
  const context = {
    id: 'i1',
    reader: {
      findRecipient: async () => (attempts === 0 ? null : { address: '5511999990001@s.whatsapp.net' as Jid, attempts }),
    },
    journal: {
      write: async (changes: readonly Change[]) => {
        written.push(...changes)
      },
    },
    pacer: { refused: async () => after, newChatsHold: async () => lock && { reason: lock, ms: 1 } },
  } as unknown as SendsContext
  const messages = new RefusedMessages(context, { answered: () => {} }, { isKnown: async () => false })
  const isParked = await messages.park(ID, code)
  const [change] = written
  return { isParked, parks: change?.type === 'message.update' ? change.parks : undefined }
}

it('tries a person whom the network refuses once more, and an account that it refuses five times more', async () => {
  assert.equal((await refused(463, 1, OF_PERSON)).isParked, true)
  assert.equal((await refused(463, 2, OF_PERSON)).isParked, false)
  assert.equal((await refused(463, 5, OF_ACCOUNT)).isParked, true)
  assert.equal((await refused(463, 6, OF_ACCOUNT)).isParked, false)
  assert.equal((await refused(429, 6, OF_ACCOUNT)).isParked, false)
})

it('fails what the pacing fails, and leaves messages of no campaign alone', async () => {
  assert.equal((await refused(463, 1, { next: 'fail' })).isParked, false)
  assert.equal((await refused(463, 0, OF_ACCOUNT)).isParked, false)
})

it('parks until the lock ends, for the rest of the rate, or behind others who test a rest of ours', async () => {
  assert.deepEqual((await refused(463, 1, OF_ACCOUNT, 'reachout_timelock')).parks, {
    forMs: null,
    reason: 'reachout_timelock',
  })
  assert.deepEqual((await refused(429, 1, { next: 'park', ms: 60_000 })).parks, { forMs: 60_000, reason: 'rate_limit' })
  assert.deepEqual((await refused(463, 1, OF_PERSON)).parks, { forMs: 86_400_000, reason: 'refused' })
  assert.deepEqual((await refused(463, 1, OF_ACCOUNT, 'new_chat_refusals')).parks, {
    forMs: 4_200_000,
    reason: 'refused',
  })
})
