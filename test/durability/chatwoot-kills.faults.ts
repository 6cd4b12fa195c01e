import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runChatwootSchedule } from './chatwoot-schedule.js'
import { chooseSeed } from './random.js'

const NOTHING = { lost: 0, doubled: 0, inverted: 0 }

it('kills of the gateway and of Chatwoot: 90 texts each way arrive once and in order', async (t) => {
  const schedule = {
    seed: chooseSeed(t),
    texts: 90,
    chats: 6,
    everyMs: 500,
    troubleEveryMs: 600,
    settlesWithinMs: 120_000,
    tell: (sentence: string) => t.diagnostic(sentence),
  }
  assert.deepEqual(await runChatwootSchedule(t, schedule), {
    toChatwoot: NOTHING,
    toPhones: NOTHING,
    contacts: 6,
    conversations: 6,
    mistakes: [],
  })
})
