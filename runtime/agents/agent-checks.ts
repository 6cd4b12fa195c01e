/** Checks of agents before they are stored: their addresses, and their keys and models at the provider. */

import { createOwnerSlots } from '../../lib/owner-slots.js'
import { type AgentModels, type ModelAddress, ModelError } from '../../schemas/agents/models.js'
import type { AgentChecks } from '../../schemas/agents/records.js'
import { GatewayError } from '../../schemas/errors.js'
import { invalidField } from '../../schemas/invalid-field.js'
import type { Outgoing } from '../outgoing/client.js'

// Bound: 65,536, a name, type or sentence.

export interface AgentChecksOptions {
  readonly models: Pick<AgentModels, 'check' | 'embed'>
  readonly addresses: Pick<Outgoing, 'assertUrlAllowed'>
  /** False: providers are not asked, and every key passes. */
  readonly isAsking: boolean
  /** For a whole check. */
  readonly timeoutMs?: number
}

type Ask = (options: { readonly signal: AbortSignal; readonly timeoutMs: number }) => Promise<unknown>

const TIMEOUT_MS = 10_000
/** Checks of one instance at once. */
const AT_ONCE = 2
const WAITING_MAX = 4
/** The model of the vectors of knowledge, which every unrestricted key may use. */
const OPENAI_MODEL = 'text-embedding-3-small'
const OPENAI_DIMENSIONS = 512

export function createAgentChecks({
  models,
  addresses,
  isAsking,
  timeoutMs = TIMEOUT_MS,
}: AgentChecksOptions): AgentChecks {
  const turns = createOwnerSlots({ max: AT_ONCE, waitingMax: WAITING_MAX }, tooMany)
  return {
    address: async (instance, baseUrl) => void (await addresses.assertUrlAllowed(baseUrl, instance)),

    async model(address) {
      if (!isAsking) return null
      return await turns.run(address.instance, async () => {
        const error = await findFailure((options) => models.check(address, options), timeoutMs)
        return error === null ? null : judgeAgent(address, error)
      })
    },

    async openaiKey(instance, apiKey) {
      if (!isAsking) return null
      const address: ModelAddress = { instance, provider: 'openai', model: OPENAI_MODEL, baseUrl: null, apiKey }
      const about = { purpose: 'query', dimensions: OPENAI_DIMENSIONS } as const
      return await turns.run(instance, async () => {
        const error = await findFailure((options) => models.embed(address, ['OK'], { ...options, ...about }), timeoutMs)
        return error === null ? null : judgeOpenaiKey(error)
      })
    },
  }
}

/** Asks, and asks once more if the client has learned to ask differently. Returns the failure, or null. */
async function findFailure(ask: Ask, timeoutMs: number): Promise<ModelError | null> {
  const { signal } = new AbortController()
  const endMs = performance.now() + timeoutMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      await ask({ signal, timeoutMs: Math.max(1, endMs - performance.now()) })
      return null
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      if (!isFirst || error.kind !== 'temporary' || error.retryAfterMs !== 0) return error
    }
  }
}

/** Returns a warning if the failure says nothing about the agent. @throws GatewayError INVALID_REQUEST */
function judgeAgent({ baseUrl }: ModelAddress, error: ModelError): string {
  switch (error.kind) {
    case 'key':
      throw refusal('agent.apikey', error)
    case 'address':
      throw refusal('agent.baseUrl', error)
    case 'refused':
    case 'too_long':
      throw refusal(isWrongPath(baseUrl, error) ? 'agent.baseUrl' : 'agent.model', error)
    case 'quota':
      return `agent.apikey: the provider knows it, and does not answer. ${error.message}`
    case 'temporary':
    case 'blocked':
      return unchecked('agent.apikey', error)
    default:
      return error.kind satisfies never
  }
}

/** Returns a warning, unless the provider does not know the key. @throws GatewayError INVALID_REQUEST */
function judgeOpenaiKey(error: ModelError): string {
  if (error.kind === 'key' && error.status !== 403) throw refusal('openai_apikey', error)
  if (error.kind === 'temporary') return unchecked('openai_apikey', error)
  return `openai_apikey: the provider knows it, and makes no vectors of knowledge with it. ${error.message}`
}

/** Returns true if the path is wrong rather than the model: a server of models gives a reason. */
function isWrongPath(baseUrl: string | null, { status, message }: ModelError): boolean {
  return baseUrl !== null && status === 404 && !message.includes('It says:')
}

function refusal(field: string, { message }: ModelError): GatewayError {
  return invalidField(field, `was refused: ${message.replace(/\.$/, '')}`)
}

function unchecked(field: string, { message }: ModelError): string {
  return `${field}: was stored without a check. ${message}`
}

function tooMany(): GatewayError {
  return new GatewayError('RATE_LIMITED', { message: 'Too many keys of this instance are being checked.' })
}
