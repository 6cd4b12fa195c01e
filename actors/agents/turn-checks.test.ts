import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_CHATBOT } from '../../schemas/agents/records.js'
import type { HistoryMessage, OpenTurn, TurnChat } from '../../schemas/agents/turns.js'
import type { Jid, MessageId } from '../../schemas/ids.js'
import type { LiveAgentConfig } from './agents.js'
import { TriggerMatcher } from './trigger-match.js'
import { budgetReason, decideTurn, percentToTell, type TurnFacts } from './turn-checks.js'

const limits = {
  atOnceMax: 4,
  turnsPerDay: 10,
  tokensPerDay: 1_000,
  turnsPerChatHour: 3,
  answerMs: 600_000,
  callMs: 60_000,
}
const turn: OpenTurn = {
  id: 'r00000000000001',
  chat: { pn: '551190000000@s.whatsapp.net' as Jid },
  state: 'waiting',
  triggerId: '',
  agentId: '',
  firstPosition: 2,
  lastPosition: 3,
  attempt: 0,
  generation: 1,
  hasEffects: false,
  reason: '',
  dueInMs: -5,
  ageMs: 20_000,
  quietMs: 12_000,
  leftMs: null,
}
const chat: TurnChat = {
  instanceName: 'Bakery',
  owner: '551190000001',
  record: {},
  isBlocked: false,
  nowMs: 1_000_000_000_000,
  turnsOfHour: 0,
  repliesOfTenMinutes: 0,
  hadFallback: false,
  closedAtMs: null,
}

function message(position: number, text: string, fromMe = false): HistoryMessage {
  const about = { messageid: `M${position}` as MessageId, senderName: '', messageType: 'text', mediaType: '' }
  return {
    ...about,
    position,
    id: `m${position}`,
    text,
    fromMe,
    atMs: position * 60_000,
    quotedText: '',
    isDeleted: false,
    extracted: null,
  }
}

function makeConfig(triggers: readonly object[], agent: object = {}): LiveAgentConfig {
  const base = { agentId: 'a1', active: true, ignoreGroups: true, leadField: '', leadOperator: 'equals', leadValue: '' }
  const more = { priority: 1, wordsToStart: '', responseDelaySeconds: 10, schedule: null }
  const config = {
    settings: { ...NO_CHATBOT, isEnabled: true },
    agents: new Map([['a1', { id: 'a1', name: 'Bot', contextHours: 24, blockedReason: '', ...agent }]]),
    triggers: triggers.map((given, index) => ({ id: `t${index}`, ...base, ...more, ...given })),
  } as unknown as LiveAgentConfig
  return { ...config, matcher: new TriggerMatcher(config) }
}

function decide(config: LiveAgentConfig | null, more: Partial<TurnFacts> = {}) {
  const history = [message(1, 'old', true), message(2, 'hello'), message(3, 'the price please')]
  return decideTurn(config, { turn, chat, isGroup: false, history, limits, random: () => 0, ...more })
}

function formatReason(decision: ReturnType<typeof decide>): string {
  return decision.step === 'end' ? `${decision.state} ${decision.reason}` : decision.step
}

describe('what becomes of a turn that is due', () => {
  it('takes the best trigger of all its messages', () => {
    const config = makeConfig([
      { wordsToStart: 'hello', priority: 1 },
      { wordsToStart: 'price', priority: 5 },
    ])
    const decision = decide(config)
    assert.equal(decision.step === 'answer' && decision.trigger.id, 't1')
    assert.equal(formatReason(decide(makeConfig([{ wordsToStart: 'nothing' }]))), 'skipped no_trigger')
  })

  it('waits for the quiet time of its trigger, at most a minute after the first message', () => {
    const config = makeConfig([{ responseDelaySeconds: 30 }])
    assert.deepEqual(decide(config), { step: 'wait', ms: 18_000 })
    assert.deepEqual(decide(config, { turn: { ...turn, ageMs: 50_000 } }), { step: 'wait', ms: 10_000 })
    assert.equal(decide(config, { turn: { ...turn, ageMs: 60_000 } }).step, 'answer')
  })

  it('is silent where agents must be', () => {
    const config = makeConfig([{}])
    assert.equal(formatReason(decide(null)), 'cancelled chatbot_off')
    assert.equal(formatReason(decide(config, { chat: { ...chat, isBlocked: true } })), 'cancelled blocked_contact')
    const paused = { ...chat, record: { chatbot_disableUntil: chat.nowMs + 1 } }
    assert.equal(formatReason(decide(config, { chat: paused })), 'cancelled paused')
    assert.equal(formatReason(decide(config, { turn: { ...turn, dueInMs: -600_000 } })), 'skipped too_old')
    const begun = { ...turn, state: 'calling', leftMs: -1 } as const
    assert.equal(formatReason(decide(config, { turn: begun })), 'failed too_old')
    assert.equal(formatReason(decide(config, { history: [] })), 'skipped no_messages')
    assert.equal(formatReason(decide(makeConfig([{}], { blockedReason: 'Wrong key.' }))), 'skipped agent_blocked')
    assert.equal(formatReason(decide(config, { chat: { ...chat, repliesOfTenMinutes: 12 } })), 'skipped loop')
    const busy = decide(config, { chat: { ...chat, turnsOfHour: 3 } })
    assert.deepEqual([formatReason(busy), busy.step === 'end' && busy.pauses], ['skipped chat_limit', true])
  })

  it('tells a chat once in each closed period that nobody is there', () => {
    const window = { days: ['sun'], fromMinute: 0, toMinute: 60, timezone: 'UTC', byRecipient: false } as const
    const config = makeConfig([{ schedule: { windows: [window], closedMessage: 'Closed.' } }])
    const first = decide(config)
    assert.equal(first.step === 'closed' && first.text, 'Closed.')
    assert.equal(formatReason(decide(config, { chat: { ...chat, closedAtMs: chat.nowMs - 60_000 } })), 'skipped hours')
    const before = { ...chat, closedAtMs: chat.nowMs - 8 * 86_400_000 }
    assert.equal(decide(config, { chat: before }).step, 'closed')
  })
})

describe('the budget of a day', () => {
  const usage = { turns: 0, reserved: 0, tokensIn: 0, tokensOut: 0, costMicros: 0, told: 0, toTell: 0 }
  const day = { ...limits, costPerDayMicros: 0 }
  const call = (tokens: number, price = 0) => ({ tokens, price })

  it('ends with its turns or its tokens, reserved ones included', () => {
    assert.equal(budgetReason({ ...usage, turns: 10 }, call(1), day), 'budget_turns')
    assert.equal(budgetReason({ ...usage, reserved: 900 }, call(101), day), 'budget_tokens')
    assert.equal(budgetReason({ ...usage, reserved: 900 }, call(100), day), null)
  })

  it('ends with its money before a call that may cost more, unless the agent has no price', () => {
    const bounded = { ...day, costPerDayMicros: 1_000 }
    // Two units of money for a token.
    const price = 2_000_000
    assert.equal(budgetReason({ ...usage, costMicros: 600, reserved: 100 }, call(100, price), bounded), null)
    assert.equal(budgetReason({ ...usage, costMicros: 600, reserved: 100 }, call(101, price), bounded), 'budget_money')
    assert.equal(budgetReason({ ...usage, costMicros: 2_000 }, call(101), bounded), null)
    assert.equal(budgetReason({ ...usage, costMicros: 2_000 }, call(101, price), day), null)
  })

  it('is reported at 80 and at 100 percent, once each', () => {
    assert.equal(percentToTell({ ...usage, turns: 8 }, day), 80)
    assert.equal(percentToTell({ ...usage, turns: 8, told: 80 }, day), null)
    assert.equal(percentToTell({ ...usage, toTell: 80 }, day), 80)
    assert.equal(percentToTell({ ...usage, toTell: 80, told: 80 }, day), null)
    assert.equal(percentToTell({ ...usage, tokensIn: 600, tokensOut: 400, told: 80 }, day), 100)
    const bounded = { ...day, costPerDayMicros: 1_000 }
    assert.equal(percentToTell({ ...usage, costMicros: 799 }, bounded), null)
    assert.equal(percentToTell({ ...usage, costMicros: 800 }, bounded), 80)
    assert.equal(percentToTell({ ...usage, costMicros: 1_000, told: 80 }, bounded), 100)
  })
})
