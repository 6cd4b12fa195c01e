/**
 * Measures the time to judge one received message with 100 triggers of each kind, hostile ones included: when it arrives, and when its turn
 * begins. `npm run bench -- triggers [messages a round] [rounds]`; under a minute.
 */
import type { LiveAgentConfig } from '../actors/agents/agents.js'
import { TriggerMatcher } from '../actors/agents/trigger-match.js'
import { TRIGGER_LEAD_FIELDS } from '../schemas/agents/limits.js'
import { type AgentConfig, type AgentInMemory, NO_CHATBOT, type TriggerFields } from '../schemas/agents/records.js'
import { parseSendWindow } from '../schemas/send-window.js'
import { median, say, table } from './harness/report.js'

const messages = Number(process.argv[2] ?? 2_000)
const rounds = Number(process.argv[3] ?? 9)
const TRIGGERS = 100
const NOW = Date.UTC(2026, 0, 7, 12)

const TEXT = 'Olá, bom dia! Gostaria de saber o preço da entrega para amanhã, e se vocês abrem no domingo. Obrigado 🙂'
const LEAD = { lead_status: 'novo', chatbot_lastTrigger_id: '', chatbot_lastTriggerAt: 0 }
/** As many words and phrases as a trigger takes, and nearly what the text says. */
const HOSTILE_WORDS = (n: number) => Array(50).fill('a '.repeat(18)).join(`b${n}|`)
/** Every field holds nearly what conditions look for. */
const HOSTILE_LEAD = Object.fromEntries(TRIGGER_LEAD_FIELDS.map((field) => [field, 'Жá'.repeat(5_000)]))
const HOSTILE_VALUE = (n: number) => `${'Жá'.repeat(98)}${n}`
const ZONES = Intl.supportedValuesOf('timeZone')
const SEARCHED_FIELDS = TRIGGER_LEAD_FIELDS.filter((field) => field !== 'lead_tags')

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
}

function createConfig(make: (index: number) => Partial<TriggerFields>): LiveAgentConfig {
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

interface Case {
  readonly what: string
  readonly config: LiveAgentConfig | null
  readonly text: string
  readonly lead?: Readonly<Record<string, unknown>>
  /** Time between messages. */
  readonly stepMs?: number
}

const cases: readonly Case[] = [
  { what: 'no triggers', config: null, text: TEXT },
  {
    what: 'words, none fits',
    config: createConfig((n) => ({ wordsToStart: `palavra ${n}|frase numero ${n}|oi ${n}` })),
    text: TEXT,
  },
  { what: 'words, all fit', config: createConfig((n) => ({ wordsToStart: `frase ${n}|bom dia` })), text: TEXT },
  {
    what: 'words, conditions and hours',
    config: createConfig((n) => ({
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
  ...['á ', 'ạ̈', '가', '你', '🙂'].map((letters) => ({
    what: `hostile words, a text of "${letters.trim()}"`,
    config: createConfig((n) => ({ wordsToStart: HOSTILE_WORDS(n).replaceAll('a ', letters) })),
    text: letters.repeat(30_000),
  })),
  {
    what: 'hostile conditions, one field',
    config: createConfig((n) => ({ leadField: 'lead_notes', leadOperator: 'contains', leadValue: HOSTILE_VALUE(n) })),
    text: TEXT,
    lead: HOSTILE_LEAD,
  },
  ...(['contains', 'equals', 'greater'] as const).map((leadOperator) => ({
    what: `hostile conditions, all fields, ${leadOperator}`,
    config: createConfig((n) => ({
      ...{ leadField: SEARCHED_FIELDS[n % SEARCHED_FIELDS.length] ?? '', leadOperator, leadValue: HOSTILE_VALUE(n) },
    })),
    text: TEXT,
    lead:
      leadOperator === 'contains'
        ? HOSTILE_LEAD
        : Object.fromEntries(
            SEARCHED_FIELDS.map((field) => [field, leadOperator === 'equals' ? HOSTILE_VALUE(1) : '9'.repeat(64)]),
          ),
  })),
  {
    what: 'hostile tags',
    config: createConfig((n) => ({ leadField: 'lead_tags', leadOperator: 'equals', leadValue: `a${n}` })),
    text: TEXT,
    lead: { lead_tags: 'b , '.repeat(2_000) },
  },
  {
    what: 'hostile hours, a message each minute',
    config: createConfig((n) => ({
      schedule: {
        windows: Array.from({ length: 20 }, (_, index) => {
          return parseSendWindow({
            from: `${10 + (index % 10)}:${10 + index}`,
            to: '20:00',
            timezone: ZONES[n] ?? 'UTC',
          })
        }),
        closedMessage: '',
      },
    })),
    text: TEXT,
    stepMs: 60_000,
  },
  {
    what: 'hostile words and conditions together',
    config: createConfig((n) => ({
      wordsToStart: `á|${HOSTILE_WORDS(n)}`,
      ...{ leadField: SEARCHED_FIELDS[n % SEARCHED_FIELDS.length] ?? '', leadOperator: 'contains' },
      leadValue: HOSTILE_VALUE(n),
    })),
    text: 'á '.repeat(30_000),
    lead: HOSTILE_LEAD,
  },
]

const random = () => 0.5
let judged = 0

type Judge = (config: LiveAgentConfig, one: Case, nowMs: number) => boolean
const atArrival: Judge = ({ matcher }, { text }) => matcher.findDelays(text, false).ofWords !== null
const atTurn: Judge = ({ matcher }, { text, lead = LEAD }, nowMs) =>
  matcher.choose({ texts: [text], isGroup: false, chat: lead }, nowMs, random) !== null

function microseconds(one: Case, judge: Judge): number {
  // Of the processor: other programs of the machine take their turns.
  const started = process.cpuUsage()
  for (let count = 0; count < messages; count += 1) {
    // One look decides for the many instances without a chatbot.
    if (one.config === null) continue
    if (judge(one.config, one, NOW + count * (one.stepMs ?? 1))) judged += 1
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / messages
}

function measured(one: Case, judge: Judge): string {
  microseconds(one, judge)
  return median(Array.from({ length: rounds }, () => microseconds(one, judge))).toFixed(3)
}

say(
  table(
    ['message judged with 100 triggers', 'when it arrives, CPU µs', 'when its turn begins, CPU µs'],
    cases.map((one) => [one.what, measured(one, atArrival), measured(one, atTurn)]),
  ),
  '',
  `${rounds} rounds of ${messages}, medians; ${judged} answered. Node.js ${process.version}.`,
)
