import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runChatwootSchedule } from './chatwoot-schedule.js'
import { chooseSeed } from './random.js'

const NOTHING = { lost: 0, doubled: 0, inverted: 0 }

it('kills of the gateway and of Chatwoot: 2,000 texts each way arrive once and in order', async (t) => {
  const schedule = {
    seed: chooseSeed(t),
    texts: 2_000,
    chats: 20,
    everyMs: 1_000,
    troubleEveryMs: 3_000,
    settlesWithinMs: 240_000,
    tell: (sentence: string) => t.diagnostic(sentence),
  }
  assert.deepEqual(await runChatwootSchedule(t, schedule), {
    toChatwoot: NOTHING,
    toPhones: NOTHING,
    contacts: 20,
    conversations: 20,
    mistakes: [],
  })
})
