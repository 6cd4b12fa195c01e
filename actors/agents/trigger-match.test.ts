import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AgentConfig,
  type AgentInMemory,
  type ChatbotSettings,
  NO_CHATBOT,
  type TriggerFields,
  type TriggerRow,
} from '../../schemas/agents/records.js'
import { listWords, wrongPhrase } from '../../schemas/agents/words.js'
import { parseSendWindow } from '../../schemas/send-window.js'
import { mainThreadMs, slowness } from '../../test/support/main-thread-time.js'
import { type MessagesToMatch, TriggerMatcher } from './trigger-match.js'

const NOON = Date.UTC(2026, 0, 7, 12)
const HOUR_MS = 3_600_000

const makeAgent = (id: string, contextHours: number): AgentInMemory => ({
  ...{ id, name: 'Ana', provider: 'openai' as const, model: 'm', baseUrl: '', maxTokens: 1_000, contextHours },
  ...{ temperature: null, diversityLevel: null, frequencyPenalty: null, presencePenalty: null },
  ...{ signMessages: false, readMessages: false, maxMessageLength: 0, typingDelaySeconds: 0 },
  ...{ contextMessagesMax: 50, contextMessagesMin: 3, functions: null, knowledge: null, fallbackMessage: '' },
  ...{
    inputPrice: null,
    outputPrice: null,
    keyMask: '',
    blockedReason: '',
    blockedCode: '',
    embeddingModel: '',
    embeddingDimensions: 0,
    embeddingError: '',
    embeddingCode: '',
  },
})
const trigger = (id: string, fields: Partial<TriggerFields> = {}): TriggerRow => ({
  ...{ id, agentId: 'r0', active: true, ignoreGroups: true, leadField: '', leadValue: '' },
  ...{ leadOperator: 'equals' as const, priority: 1, wordsToStart: '', responseDelaySeconds: 10, schedule: null },
  ...{ created: new Date(0), updated: new Date(0), ...fields },
})
const makeConfig = (
  triggers: readonly TriggerRow[],
  { settings = {}, contextHours = 2 }: { settings?: Partial<ChatbotSettings>; contextHours?: number } = {},
): AgentConfig => ({
  settings: { ...NO_CHATBOT, isEnabled: true, ...settings },
  agents: new Map([['r0', makeAgent('r0', contextHours)]]),
  triggers,
})
const choose = (
  config: AgentConfig,
  text: string,
  more: Partial<MessagesToMatch> = {},
  { nowMs = NOON, random = 0 }: { nowMs?: number; random?: number } = {},
) => new TriggerMatcher(config).choose({ texts: [text], isGroup: false, chat: {}, ...more }, nowMs, () => random)
const chosen = (...args: Parameters<typeof choose>) => choose(...args)?.trigger.id ?? null

describe('the words of a trigger', () => {
  const fits = (words: string, text: string) =>
    chosen(makeConfig([trigger('r1', { wordsToStart: words })]), text) !== null

  for (const [words, text] of [
    ['oi', 'Oi, tudo bem?'],
    ['oi|bom dia', 'BOM  DIA!'],
    ['promoção', 'quero a promocao'],
    ['promocao', 'a PROMOÇÃO acabou?'],
    ['bom dia', 'muito bom\ndia a todos'],
    ['a b x|b c d', 'a b c d'],
    ['x y z|y', 'x y'],
    ['👍', 'ok 👍🏽'],
    ['r$ 10', 'custa R$10?'],
    ['你好', '我说你好吗'],
    ['', 'anything'],
    ['', ''],
  ] as const)
    it(`"${words}" are found in "${text}"`, () => assert.equal(fits(words, text), true))

  for (const [words, text] of [
    ['oi', 'noite'],
    ['oi', 'oitavo'],
    ['bom dia', 'bom dia-a-dia'.replace('bom dia', 'bom diario')],
    ['bom dia', 'dia bom'],
    ['oi', ''],
    ['oi', `${'a '.repeat(500)}oi`],
  ] as const)
    it(`"${words}" are not found in "${text.slice(0, 20)}"`, () => assert.equal(fits(words, text), false))

  it('are refused without a word, so that a slip does not answer every message', () => {
    for (const words of ['|', 'oi|', '|||', '?', 'oi|!!'])
      assert.match(wrongPhrase(words) ?? '', /^has no word in phrase \d; /, words)
    assert.match(wrongPhrase(Array(101).fill('a').join('|')) ?? '', /at most 100 phrases/)
    assert.match(wrongPhrase('a '.repeat(21)) ?? '', /more than 20 words/)
    assert.equal(wrongPhrase('oi|bom dia'), null)
    assert.equal(wrongPhrase(''), null)
  })

  it('cost the same for hostile texts: only the beginning of a message is read', () => {
    assert.ok(listWords('ﷺ'.repeat(100_000)).length <= 1_000)
    assert.equal(listWords('a '.repeat(100_000)).length, 500)
    const hostile = Array.from({ length: 200 }, (_, index) =>
      trigger(`r${index}`, { wordsToStart: Array.from({ length: 50 }, () => 'a '.repeat(19)).join(`b${index}|`) }),
    )
    const matcher = new TriggerMatcher(makeConfig(hostile))
    const before = mainThreadMs()
    for (let count = 0; count < 20; count += 1)
      matcher.choose({ texts: ['a '.repeat(50_000)], isGroup: false, chat: {} }, NOON, () => 0)
    assert.ok((mainThreadMs() - before) / 20 / slowness() < 20, 'less than 20 ms of the processor a message')
  })
})

describe('the condition of a trigger', () => {
  const holds = (leadField: string, leadOperator: string, leadValue: string, value: unknown) =>
    chosen(makeConfig([trigger('r1', { leadField, leadOperator: leadOperator as 'equals', leadValue })]), 'hello', {
      chat: { [leadField]: value },
    }) !== null

  for (const [field, operator, value, stored, expected] of [
    ['lead_status', 'equals', 'New', 'new', true],
    ['lead_status', 'equals', 'new', 'newer', false],
    ['lead_status', 'not_equals', 'new', 'old', true],
    ['lead_status', 'not_equals', 'new', undefined, true],
    ['lead_notes', 'contains', 'PIZZA', 'likes pizza', true],
    ['lead_notes', 'contains', 'aab', 'aaab', true],
    ['lead_notes', 'contains', 'ababac', 'abababac', true],
    ['lead_notes', 'contains', 'pizza', 'likes pasta', false],
    ['lead_notes', 'not_contains', 'pizza', 'likes pasta', true],
    ['lead_field01', 'greater', '9', '10', true],
    ['lead_field01', 'less', '9.5', '9', true],
    ['lead_field01', 'greater', '9', 'ten', false],
    ['lead_field01', 'less', '9', '', false],
    ['lead_field01', 'greater', '2026-01-01', '2026-02-01', true],
    ['lead_field01', 'less', '2026-01-01', '2025-12-31T10:00:00Z', true],
    ['lead_tags', 'equals', 'vip', 'new,VIP', true],
    ['lead_tags', 'contains', 'vi', 'new,vip', false],
    ['lead_tags', 'not_contains', 'vip', 'new,vip', false],
    ['lead_tags', 'not_contains', 'vip', '', true],
    ['lead_isTicketOpen', 'equals', 'true', true, true],
    ['lead_isTicketOpen', 'equals', 'true', false, false],
    ['lead_email', 'empty', '', '', true],
    ['lead_email', 'empty', '', 'a@b', false],
    ['lead_email', 'not_empty', '', 'a@b', true],
  ] as const)
    it(`${field} ${operator} "${value}" is ${expected} for "${stored}"`, () =>
      assert.equal(holds(field, operator, value, stored), expected))
})

describe('a trigger is chosen', () => {
  it('by priority, and by chance among equals', () => {
    const triggers = [
      trigger('r1', { priority: 5, wordsToStart: 'price' }),
      trigger('r2', { priority: 3 }),
      trigger('r3', { priority: 3 }),
      trigger('r4', { priority: 1 }),
    ]
    assert.equal(chosen(makeConfig(triggers), 'the price'), 'r1')
    assert.equal(chosen(makeConfig(triggers), 'hello', {}, { random: 0.4 }), 'r2')
    assert.equal(chosen(makeConfig(triggers), 'hello', {}, { random: 0.99 }), 'r3')
  })

  it('in groups only if neither the settings nor the trigger leave them alone', () => {
    const group = { isGroup: true }
    const [closed, open] = [trigger('r1', { priority: 2 }), trigger('r2', { ignoreGroups: false })]
    assert.equal(chosen(makeConfig([closed, open]), 'hello', group), 'r2')
    assert.equal(chosen(makeConfig([closed, open], { settings: { ignoreGroups: true } }), 'hello', group), null)
  })

  it('again for a chat that it answered, as long as the agent remembers, unless another goes before it', () => {
    const triggers = [
      trigger('r1', {
        priority: 2,
        wordsToStart: 'hi',
        leadField: 'lead_status',
        leadOperator: 'not_equals',
        leadValue: 'closed',
      }),
      trigger('r2', { priority: 5, wordsToStart: 'refund' }),
      trigger('r3', { priority: 2, wordsToStart: 'price' }),
    ]
    const after = (ageMs: number, more: object = {}) => ({
      chat: { chatbot_lastTrigger_id: 'r1', chatbot_lastTriggerAt: NOON - ageMs, ...more },
    })
    const config = makeConfig(triggers)
    assert.equal(chosen(config, 'and then?'), null)
    const sticky = choose(config, 'and then?', after(2 * HOUR_MS))
    assert.deepEqual([sticky?.trigger.id, sticky?.isSticky], ['r1', true])
    assert.equal(chosen(config, 'and then?', after(2 * HOUR_MS + 1)), null)
    assert.equal(chosen(makeConfig(triggers, { contextHours: 0 }), 'and then?', after(24 * HOUR_MS)), 'r1')
    assert.equal(chosen(makeConfig(triggers, { contextHours: 0 }), 'and then?', after(24 * HOUR_MS + 1)), null)
    assert.equal(chosen(config, 'my refund', after(HOUR_MS)), 'r2')
    assert.equal(chosen(config, 'the price', after(HOUR_MS)), 'r1')
    assert.equal(chosen(config, 'and then?', after(HOUR_MS, { lead_status: 'closed' })), null)
    assert.equal(chosen(config, 'and then?', { ...after(HOUR_MS), isGroup: true }), null)
  })

  it('within its hours; outside of them another, or its closing message', () => {
    const window = parseSendWindow({ days: ['wed'], from: '09:00', to: '11:00', timezone: 'UTC' })
    const hours = (closedMessage: string) => ({ schedule: { windows: [window], closedMessage } })
    const day = trigger('r1', { priority: 5, ...hours('We are closed.') })
    const night = trigger('r2')
    const at = (hour: number) => ({ nowMs: Date.UTC(2026, 0, 7, hour) })
    assert.equal(chosen(makeConfig([day, night]), 'hello', {}, at(10)), 'r1')
    assert.equal(chosen(makeConfig([day, night]), 'hello', {}, at(11)), 'r2')
    const closed = choose(makeConfig([day]), 'hello', {}, at(12))
    assert.deepEqual([closed?.trigger.id, closed?.isOpen], ['r1', false])
    assert.equal(choose(makeConfig([trigger('r1', hours(''))]), 'hello', {}, at(12)), null)
    const matcher = new TriggerMatcher(makeConfig([day]))
    const message = { texts: ['hello'], isGroup: false, chat: {} }
    const isOpen = (hour: number) => matcher.choose(message, at(hour).nowMs, () => 0)?.isOpen
    assert.deepEqual([isOpen(10), isOpen(12), isOpen(10)], [true, false, true])
  })
})

it('a message whose chat is not known yet tells how long to wait for more, and how long a chat stays', () => {
  const config = makeConfig(
    [
      trigger('r1', { wordsToStart: 'price', responseDelaySeconds: 7 }),
      trigger('r2', { wordsToStart: 'the price', responseDelaySeconds: 3, ignoreGroups: false }),
      trigger('r3', { wordsToStart: 'refund', responseDelaySeconds: 1 }),
    ],
    { contextHours: 5 },
  )
  const matcher = new TriggerMatcher(config)
  const stickyMs = 5 * HOUR_MS
  assert.deepEqual(matcher.findDelays('The price?', false), { ofWords: 3_000, shortest: 1_000, stickyMs })
  assert.deepEqual(matcher.findDelays('Price?', false), { ofWords: 7_000, shortest: 1_000, stickyMs })
  assert.deepEqual(matcher.findDelays('hello', false), { ofWords: null, shortest: 1_000, stickyMs })
  assert.deepEqual(matcher.findDelays('Price?', true), { ofWords: null, shortest: 3_000, stickyMs })
})
