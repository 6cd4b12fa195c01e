/**
 * Measures the time to judge one received message, for an instance without triggers, with 100 triggers of each kind, and for hostile words and
 * texts. `npm run bench -- triggers [messages a round] [rounds]`
 */
import type { LiveAgentConfig } from '../actors/agents/agents.js'
import { TriggerMatcher } from '../actors/agents/trigger-match.js'
import { type AgentConfig, type AgentInMemory, NO_CHATBOT, type TriggerFields } from '../schemas/agents/records.js'
import { parseSendWindow } from '../schemas/send-window.js'
import { median, say, table } from './harness/report.js'

const messages = Number(process.argv[2] ?? 20_000)
const rounds = Number(process.argv[3] ?? 7)
const TRIGGERS = 100
const NOW = Date.UTC(2026, 0, 7, 12)

const TEXT = 'Olá, bom dia! Gostaria de saber o preço da entrega para amanhã, e se vocês abrem no domingo. Obrigado 🙂'
const HOSTILE_TEXT = 'á '.repeat(30_000)
const LEAD = {
  lead_status: 'novo',
  lead_notes: 'a'.repeat(5_000),
  chatbot_lastTrigger_id: '',
  chatbot_lastTriggerAt: 0,
}

const agent: AgentInMemory = {
  ...{
    id: 'r0',
    name: 'Ana',
    provider: 'openai' as const,
    model: 'm',
    baseUrl: '',
    maxTokens: 1_000,
    contextHours: 24,
  },
  ...{ temperature: null, diversityLevel: null, frequencyPenalty: null, presencePenalty: null },
  ...{ signMessages: false, readMessages: false, maxMessageLength: 0, typingDelaySeconds: 0 },
  ...{ contextMessagesMax: 50, contextMessagesMin: 3, functions: null, knowledge: null, fallbackMessage: '' },
  ...{ inputPrice: null, outputPrice: null, keyMask: '', blockedReason: '' },
}

function configOf(make: (index: number) => Partial<TriggerFields>): LiveAgentConfig {
  const triggers = Array.from({ length: TRIGGERS }, (_, index) => ({
    ...{ id: `r${index}`, agentId: 'r0', active: true, ignoreGroups: true, leadField: '', leadValue: '' },
    ...{ leadOperator: 'equals' as const, priority: index % 10, wordsToStart: '', responseDelaySeconds: 10 },
    ...{ schedule: null, created: new Date(NOW), updated: new Date(NOW), ...make(index) },
  }))
  const config: AgentConfig = {
    settings: { ...NO_CHATBOT, isEnabled: true, stopWord: 'parar' },
    agents: new Map([['r0', agent]]),
    triggers,
  }
  return { ...config, matcher: new TriggerMatcher(config) }
}

const window = parseSendWindow({ days: ['wed'], from: '09:00', to: '18:00', timezone: 'America/Sao_Paulo' })
const cases: readonly { what: string; config: LiveAgentConfig | null; text: string }[] = [
  { what: 'no triggers', config: null, text: TEXT },
  {
    what: 'words, none fits',
    config: configOf((n) => ({ wordsToStart: `palavra ${n}|frase numero ${n}|oi ${n}` })),
    text: TEXT,
  },
  { what: 'words, all fit', config: configOf((n) => ({ wordsToStart: `frase ${n}|bom dia` })), text: TEXT },
  {
    what: 'words, conditions and hours',
    config: configOf((n) => ({
      ...{
        wordsToStart: `bom dia|frase ${n}`,
        leadField: 'lead_status',
        leadOperator: 'not_equals',
        leadValue: 'novo',
      },
      schedule: { windows: [window], closedMessage: 'Fechado.' },
    })),
    text: TEXT,
  },
  {
    what: 'hostile words and text',
    config: configOf((n) => ({ wordsToStart: Array(50).fill('a '.repeat(18)).join(`b${n}|`) })),
    text: HOSTILE_TEXT,
  },
  {
    what: 'hostile conditions',
    config: configOf(() => ({ leadField: 'lead_notes', leadOperator: 'contains', leadValue: `${'a'.repeat(199)}b` })),
    text: TEXT,
  },
]

const random = () => 0.5
let judged = 0

function microseconds({ config, text }: (typeof cases)[number]): number {
  const startedMs = performance.now()
  for (let count = 0; count < messages; count += 1) {
    // One look decides for the many instances without a chatbot.
    if (config === null) continue
    if (config.matcher.choose({ text, isGroup: false, chat: LEAD }, NOW + count, random) !== null) judged += 1
  }
  return ((performance.now() - startedMs) * 1_000) / messages
}

const figures = cases.map((one) => {
  microseconds(one)
  return { what: one.what, microseconds: median(Array.from({ length: rounds }, () => microseconds(one))) }
})
const base = Math.max(figures[0]?.microseconds ?? 0, 0.001)
say(
  table(
    ['message judged with 100 triggers', 'µs a message', 'times an instance without triggers'],
    figures.map((one) => [one.what, one.microseconds.toFixed(3), (one.microseconds / base).toFixed(0)]),
  ),
  '',
  `${rounds} rounds of ${messages}, medians; ${judged} answered. Node.js ${process.version}.`,
)
