import { isMaskedKey } from '../../../schemas/agents/key-mask.js'
import type { AgentFields, AgentRow, KeyChange } from '../../../schemas/agents/records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { EditAgentRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'

// Bound: 1,048,576, a body or header of a request.

type GivenAgent = NonNullable<EditAgentRequest['agent']>

/** An agent after an edit. */
export type ChangedAgent = AgentFields & { readonly key: KeyChange }

const MILLION = 1_000_000
const KEY = /^[\x21-\x7e]+$/
/** Minimum of `maxMessageLength`, except for 0. */
const MESSAGE_LENGTH_MIN = 50

/**
 * Returns an agent after an edit. Fields that are not given stay.
 * @param openaiKeyMask of the settings of the instance; empty: it has no key
 * @throws GatewayError INVALID_REQUEST
 */
export function changedAgent(former: AgentRow | null, given: GivenAgent, openaiKeyMask: string): ChangedAgent {
  const { name = former?.name, provider = former?.provider, model = former?.model } = given
  const key = keyChange(given.apikey, former?.keyMask ?? '', 'agent.apikey')
  const hasKey = key === undefined ? (former?.keyMask ?? '') !== '' : key !== null
  const baseUrl = given.baseUrl?.trim() ?? former?.baseUrl ?? ''
  // The key of the instance goes to OpenAI itself only. Agents of OpenAI of release 0.4.0 and before keep what they have.
  const isFormer = former?.provider === 'openai' && former.keyMask === '' && baseUrl === former.baseUrl
  const isInstanceKey = openaiKeyMask !== '' && (baseUrl === '' || isFormer)
  const isKeyless = provider === 'custom' || (provider === 'openai' && isInstanceKey)
  const missing = [
    ...(isBlank(name) ? ['name'] : []),
    ...(provider === undefined ? ['provider'] : []),
    ...(isBlank(model) ? ['model'] : []),
    ...(hasKey || isKeyless ? [] : ['apikey']),
  ]
  if (missing.length > 0 || name === undefined || provider === undefined || model === undefined)
    throw missingFields(missing.map((field) => `agent.${field}`))
  const isElsewhere = former !== null && (provider !== former.provider || baseUrl !== former.baseUrl)
  // Otherwise a caller could have a key that no answer shows sent to an address of their own.
  if (isElsewhere && key === undefined && former.keyMask !== '')
    throw invalidField(
      'agent.apikey',
      'is required with another provider or baseUrl: send the key again, or "" for none',
    )
  if (provider === 'custom' && baseUrl === '')
    throw invalidField('agent.baseUrl', 'is required for the provider custom')
  const { maxMessageLength = former?.maxMessageLength ?? 0 } = given
  if (given.maxMessageLength !== undefined && maxMessageLength !== 0 && maxMessageLength < MESSAGE_LENGTH_MIN)
    throw invalidField('agent.maxMessageLength', `must be 0 or at least ${MESSAGE_LENGTH_MIN}`)
  const context = readContext(former, given)
  return {
    ...{ name, provider, model, key, baseUrl, ...context, ...readScales(former, given) },
    embeddingModel: given.embeddingModel?.trim() ?? former?.embeddingModel ?? '',
    basePrompt: given.basePrompt ?? former?.basePrompt ?? '',
    maxTokens: given.maxTokens ?? former?.maxTokens ?? 1_000,
    signMessages: given.signMessages ?? former?.signMessages ?? false,
    readMessages: given.readMessages ?? former?.readMessages ?? false,
    maxMessageLength,
    typingDelaySeconds: given.typingDelay_seconds ?? former?.typingDelaySeconds ?? 0,
    functions: readList(given.functions, former?.functions),
    knowledge: readList(given.knowledge, former?.knowledge),
    fallbackMessage: given.fallbackMessage ?? former?.fallbackMessage ?? '',
    inputPrice: readPrice(given.inputPrice, former?.inputPrice),
    outputPrice: readPrice(given.outputPrice, former?.outputPrice),
  }
}

/**
 * Returns the change of a stored key. A text that a caller got from an answer keeps the key.
 * @throws GatewayError INVALID_REQUEST
 */
export function keyChange(given: string | undefined, mask: string, field: string): KeyChange {
  if (given === undefined) return undefined
  const key = given.trim()
  if (key === '') return null
  if (isMaskedKey(key)) {
    if (key === mask) return undefined
    throw invalidField(field, 'is the shortened form of another key; send the whole key, or leave the field out')
  }
  if (!KEY.test(key)) throw invalidField(field, 'must be a key: letters, digits and signs without spaces')
  return key
}

export function missingFields(fields: readonly string[]): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: 'Missing required fields',
    details: fields.map((field) => ({ field, why: 'is required' })),
  })
}

function readContext(former: AgentRow | null, given: GivenAgent) {
  const contextMessagesMax = given.contextMaxMessages ?? former?.contextMessagesMax ?? 50
  const contextMessagesMin = given.contextMinMessages ?? former?.contextMessagesMin ?? 3
  const contextHours = given.contextTimeWindow_hours ?? former?.contextHours ?? 24
  return { contextHours, contextMessagesMax, contextMessagesMin }
}

function readScales(former: AgentRow | null, given: GivenAgent) {
  const scale = (name: 'temperature' | 'diversityLevel' | 'frequencyPenalty' | 'presencePenalty'): number | null => {
    const value = given[name]
    return value === undefined ? (former?.[name] ?? null) : value
  }
  return {
    temperature: scale('temperature'),
    diversityLevel: scale('diversityLevel'),
    frequencyPenalty: scale('frequencyPenalty'),
    presencePenalty: scale('presencePenalty'),
  }
}

function readList(
  given: readonly string[] | null | undefined,
  former: readonly string[] | null | undefined,
): readonly string[] | null {
  if (given === undefined) return former ?? null
  return given === null ? null : [...new Set(given)]
}

function readPrice(given: number | null | undefined, former: number | null | undefined): number | null {
  if (given === undefined) return former ?? null
  return given === null ? null : Math.round(given * MILLION)
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === ''
}
