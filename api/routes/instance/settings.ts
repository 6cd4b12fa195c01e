import type {
  Instance,
  ReadingSettingsReply,
  SetCallSettingsRequest,
  ShowCallSettingsReply,
  UpdateChatbotSettingsRequest,
  UpdateDelaySettingsReply,
  UpdateDelaySettingsRequest,
  UpdateReadingSettingsRequest,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { plainWord } from '../../../schemas/opt-out.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { instanceRecord } from '../../answers/instance-record.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute } from '../../route.js'
import { keyChange } from '../agent/fields.js'

const MILLION = 1_000_000

export const updateChatbotSettings = instanceRoute<UpdateChatbotSettingsRequest>({
  method: 'POST',
  path: '/instance/updatechatbotsettings',
  name: 'updateChatbotSettings',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose whether and how agents answer',
  schema: 'instance/update-chatbot-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'RATE_LIMITED'],
  async handle({ instance, body, warnings }, { ports, options }): Promise<Instance> {
    const stopWord = body.chatbot_stopConversation?.trim()
    if (stopWord !== undefined && stopWord !== '' && plainWord(stopWord) === '')
      throw invalidField('chatbot_stopConversation', 'must hold a letter or a digit; an empty text takes the word away')
    const isOtherKey = await checkKey(ports, instance, body, warnings)
    // An owner that cannot be reached is noticed before anything is stored.
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    const chatbot = await ports.agents.saveSettings(instance.id, (former) => ({
      isEnabled: body.chatbot_enabled ?? former.isEnabled,
      ignoreGroups: body.chatbot_ignoreGroups ?? former.ignoreGroups,
      stopWord: stopWord ?? former.stopWord,
      stopMinutes: body.chatbot_stopMinutes ?? former.stopMinutes,
      ownMessageMinutes: body.chatbot_stopWhenYouSendMsg ?? former.ownMessageMinutes,
      costPerDayMicros: micros(body.chatbot_costPerDay, former.costPerDayMicros),
      embeddingPriceMicros: micros(body.chatbot_embeddingPrice, former.embeddingPriceMicros),
      transcriptionPriceMicros: micros(body.chatbot_transcriptionPrice, former.transcriptionPriceMicros),
      key: keyChange(body.openai_apikey, former.openaiKeyMask, 'openai_apikey'),
    }))
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    if (isOtherKey) await ports.knowledgeKeys.changed(instance.id)
    return instanceRecord({ ...instance, chatbot }, options)
  },
})

function micros(given: number | undefined, former: number): number {
  return given === undefined ? former : Math.round(given * MILLION)
}

/** Asks the provider about a new key. Returns true if the key changes. @throws GatewayError INVALID_REQUEST, RATE_LIMITED */
async function checkKey(
  { agents, agentChecks }: Pick<ApiPorts, 'agents' | 'agentChecks'>,
  { id }: InstanceRow,
  { openai_apikey: given }: UpdateChatbotSettingsRequest,
  warnings: string[],
): Promise<boolean> {
  if (given === undefined) return false
  const { openaiKeyMask } = await agents.settings(id)
  const key = keyChange(given, openaiKeyMask, 'openai_apikey')
  const warning = typeof key === 'string' ? await agentChecks.openaiKey(id, key) : null
  if (warning !== null) warnings.push(warning)
  return key !== undefined
}

export const showReadingSettings = instanceRoute({
  method: 'GET',
  path: '/instance/readingsettings',
  name: 'showReadingSettings',
  area: 'Instance',
  scope: 'token',
  summary: 'Show what the gateway reads by itself, and how much history the next pairing asks for',
  schema: 'instance/reading-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<ReadingSettingsReply> {
    return await ports.router.ask(instance.id, { type: 'showReadingSettings' })
  },
})

export const updateReadingSettings = instanceRoute<UpdateReadingSettingsRequest>({
  method: 'POST',
  path: '/instance/readingsettings',
  name: 'updateReadingSettings',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose what the gateway marks as read by itself, and how much history the next pairing asks for',
  schema: 'instance/update-reading-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<ReadingSettingsReply> {
    const { readMessages, readStatus, fullHistory } = body
    const set = {
      ...(readMessages === undefined ? {} : { readMessages }),
      ...(readStatus === undefined ? {} : { readStatus }),
      ...(fullHistory === undefined ? {} : { fullHistory }),
    }
    return await ports.router.ask(instance.id, { type: 'setReadingSettings', set })
  },
})

export const setCallSettings = instanceRoute<SetCallSettingsRequest>({
  method: 'POST',
  path: '/instance/callsettings',
  name: 'setCallSettings',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose the calls that the gateway rejects by itself',
  schema: 'instance/set-call-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body: { people, groups } }, { ports }): Promise<ShowCallSettingsReply> {
    return await ports.router.ask(instance.id, {
      type: 'setCallSettings',
      ...(people === undefined ? {} : { people }),
      ...(groups === undefined ? {} : { groups }),
    })
  },
})

export const updateDelaySettings = instanceRoute<UpdateDelaySettingsRequest>({
  method: 'POST',
  path: '/instance/updateDelaySettings',
  name: 'updateDelaySettings',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose the pause between two asynchronous sends',
  schema: 'instance/update-delay-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'STORE_UNAVAILABLE', 'INVALID_REQUEST'],
  async handle({ instance, body }, { ports, options }): Promise<UpdateDelaySettingsReply> {
    const delayMinMs = Math.max(0, Math.round(body.msg_delay_min * 1_000))
    const delayMaxMs = Math.max(delayMinMs, Math.round(body.msg_delay_max * 1_000))
    const since = body.number_in_use_since
    const inUseSinceMs = since === undefined || since === null ? since : parseInUseSince(since)
    await ports.router.ask(instance.id, {
      type: 'updateDelays',
      delayMinMs,
      delayMaxMs,
      ...(inUseSinceMs === undefined ? {} : { inUseSinceMs }),
    })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    return { instance: await instanceRecord({ ...row, delayMinMs, delayMaxMs }, options) }
  },
})

/** Reads the time since which a number is in use. @throws GatewayError INVALID_REQUEST */
export function parseInUseSince(since: string): number {
  const atMs = Date.parse(since)
  if (Number.isNaN(atMs) || atMs > Date.now()) throw invalidField('number_in_use_since', 'must be a time in the past')
  return atMs
}
