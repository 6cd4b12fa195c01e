import { createHash } from 'node:crypto'
import type { VectorSpace } from '../../../schemas/agents/knowledge-content.js'
import { type AgentModels, type ModelAddress, ModelError } from '../../../schemas/agents/models.js'
import type { AgentDirectory, AgentRow, EmbeddingCode } from '../../../schemas/agents/records.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { DayBudget } from '../../../schemas/ports/agents.js'
import { estimateTokens } from '../models/answer.js'

type Found = Parameters<AgentDirectory['noteEmbeddings']>[2]
type ModelKeys = Pick<AgentDirectory, 'agents' | 'agentKey' | 'openaiKey' | 'noteEmbeddings'>

/** Where vectors are made. `agent`: its server at a `baseUrl` makes them; null: the provider's own. */
interface Place {
  readonly address: ModelAddress
  /** 0: not known yet, or as the server has it. */
  readonly dimensions: number
  readonly agent: AgentRow | null
}

/** Fewer dimensions than the models have cost little of the quality, and less of the memory. */
const OPENAI = { provider: 'openai', model: 'text-embedding-3-small', dimensions: 512 } as const
const GEMINI = { provider: 'gemini', model: 'gemini-embedding-001', dimensions: 768 } as const
/** Models of servers at a `baseUrl` whose agent names none. Providers that are not here have no embeddings. */
const USUAL_MODELS: Partial<Record<AgentRow['provider'], string>> = {
  openai: OPENAI.model,
  custom: OPENAI.model,
  gemini: GEMINI.model,
}
/** 10,000 parts with more numbers would take more than 160 MB of memory. */
const DIMENSIONS_MAX = 4_096
const TIMEOUT_MS = { query: 5_000, document: 60_000 }
const ERROR_MAX = 500

/** Vectors of documents leave half of the day to answers: a large import must not silence agents. */
const LEAVES = { query: 0, document: 0.5 }

/** The instance's own OpenAI key comes first, then the key of an agent of OpenAI, then of Gemini, then the servers at base URLs of agents. */
export function createEmbeddings(models: Pick<AgentModels, 'embed'>, keys: ModelKeys, budget: DayBudget): Embeddings {
  return {
    async of(instance) {
      const place = await findPlace(instance, keys)
      return place === null || place.dimensions === 0 ? null : modelAt(place)
    },

    async find(instance, signal) {
      const examined = new Set<string>()
      for (;;) {
        const place = await findPlace(instance, keys)
        if (place === null) return { none: await readRefusals(instance, keys) }
        if (place.dimensions > 0) return modelAt(place)
        const which = `${place.agent?.id} ${place.agent?.updated}`
        // What it said was not noted, and must not be asked again and again.
        if (examined.has(which)) throw new ModelError('temporary', 'The agent was edited meanwhile.')
        examined.add(which)
        await examine(place, signal)
      }
    },

    async isPossible(instance) {
      return (await findPlace(instance, keys)) !== null || (await readRefusals(instance, keys)) !== ''
    },
  }

  function modelAt(place: Place): EmbeddingModel {
    const { address, dimensions } = place
    return {
      model: formatSpace(address),
      dimensions,
      async embed(purpose, texts, signal) {
        try {
          const vectors = await vectorsAt(place, purpose, texts, signal)
          const isOther = place.agent !== null && vectors.some((vector) => vector.length !== dimensions)
          if (!isOther) return vectors
        } catch (error) {
          if (place.agent === null || !saysNone(error)) throw error
          // The text may be what it refuses.
          if (await examine(place, signal)) throw error
          throw new NoEmbeddings(error.message)
        }
        await note(place, { dimensions: 0 })
        throw new ModelError('temporary', 'The server makes vectors of another length now.', { retryAfterMs: 0 })
      },
    }
  }

  async function vectorsAt(
    { address, dimensions, agent }: Place,
    purpose: 'query' | 'document',
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    // Servers at a base URL refuse a wanted length, or ignore it.
    const atServer = address.provider === 'gemini' ? GEMINI.dimensions : 0
    const options = {
      purpose,
      dimensions: agent === null ? dimensions : atServer,
      signal,
      timeoutMs: TIMEOUT_MS[purpose],
    }
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    const planned = { instance: address.instance, tokens, prices: 'embedding', leaves: LEAVES[purpose] } as const
    return (await budget.spend(planned, () => models.embed(address, texts, options))).vectors
  }

  /** Asks a server for the vector of a word, and notes the outcome with its agent. Returns whether it makes vectors. @throws ModelError */
  async function examine(place: Place, signal: AbortSignal): Promise<boolean> {
    try {
      const [vector] = await vectorsAt(place, 'document', ['OK'], signal)
      const dimensions = vector?.length ?? 0
      if (dimensions > DIMENSIONS_MAX)
        throw new ModelError('refused', `Its vectors have ${dimensions} numbers; the maximum is ${DIMENSIONS_MAX}.`)
      await note(place, { dimensions })
      return true
    } catch (error) {
      if (!saysNone(error)) throw error
      await note(place, { error: error.message.slice(0, ERROR_MAX), code: toEmbeddingCode(error) })
      return false
    }
  }

  async function note({ address, agent }: Place, found: Found): Promise<void> {
    if (agent !== null) await keys.noteEmbeddings(address.instance, agent, found)
  }
}

function toEmbeddingCode({ kind }: ModelError): EmbeddingCode {
  return kind === 'key' ? 'provider_key' : kind === 'address' ? 'provider_address' : 'provider_refused'
}

/** Returns true for an answer of a server without embeddings, or without this model. One that is away says nothing. */
function saysNone(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false
  const { kind, status } = error
  if (kind === 'refused' || kind === 'key' || kind === 'address') return true
  // A page for every path is a success without vectors.
  return kind === 'temporary' && status !== null && (status === 501 || status < 300)
}

async function findPlace(instance: InstanceId, keys: ModelKeys): Promise<Place | null> {
  const placeAt = ({ provider, model, dimensions }: typeof OPENAI | typeof GEMINI, apiKey: string) => ({
    address: { instance, provider, model, baseUrl: null, apiKey },
    dimensions,
    agent: null,
  })
  const own = await keys.openaiKey(instance)
  if (own !== null && own !== '') return placeAt(OPENAI, own)
  const agents = (await keys.agents(instance)).filter(({ blockedReason }) => blockedReason === '')
  const atProviders = agents.filter(({ baseUrl }) => baseUrl === '')
  for (const kind of [OPENAI, GEMINI])
    for (const { id } of atProviders.filter(({ provider }) => provider === kind.provider)) {
      const key = await keys.agentKey(instance, id)
      if (key !== null && key !== '') return placeAt(kind, key)
    }
  for (const agent of atBaseUrls(agents).filter(({ embeddingError }) => embeddingError === '')) {
    const { id, provider, baseUrl, embeddingDimensions } = agent
    const model = chooseModel(agent)
    const apiKey = (await keys.agentKey(instance, id)) ?? ''
    const address = { instance, provider, model, baseUrl, apiKey }
    if (apiKey !== '' || provider === 'custom') return { address, dimensions: embeddingDimensions, agent }
  }
  return null
}

function atBaseUrls(agents: readonly AgentRow[]): readonly AgentRow[] {
  return agents.filter((agent) => agent.baseUrl !== '' && chooseModel(agent) !== '')
}

function chooseModel({ provider, embeddingModel }: AgentRow): string {
  const usual = USUAL_MODELS[provider] ?? ''
  return usual === '' || embeddingModel === '' ? usual : embeddingModel
}

/** Returns a sentence for each server that was found to make no vectors. */
async function readRefusals(instance: InstanceId, keys: ModelKeys): Promise<string> {
  const refused = atBaseUrls(await keys.agents(instance)).filter(({ embeddingError }) => embeddingError !== '')
  return refused
    .map((agent) => `No vectors of ${chooseModel(agent)} by the agent ${agent.name}: ${agent.embeddingError}`)
    .join(' ')
}

/** Names a model and, at a `baseUrl`, its server: vectors of two servers are not compared. */
function formatSpace({ provider, model, baseUrl }: ModelAddress): string {
  if (baseUrl === null) return `${provider}/${model}`
  return `${provider}/${model}@${createHash('sha256').update(baseUrl).digest('hex').slice(0, 12)}`
}

/** The model that makes vectors of an instance's knowledge. */
export interface EmbeddingModel extends VectorSpace {
  /** @throws ModelError, NoEmbeddings, or the signal's reason */
  embed(purpose: 'query' | 'document', texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
}

export interface Embeddings {
  /** Returns null if the instance has no provider with embeddings, or none whose length of vectors is known. Asks no provider. */
  of(instance: InstanceId): Promise<EmbeddingModel | null>
  /**
   * As `of`, and asks servers of which it is not known whether they have embeddings. `none`: why there are none, for people; empty: nobody was asked.
   * @throws ModelError if such a server is away, or the signal's reason
   */
  find(instance: InstanceId, signal: AbortSignal): Promise<EmbeddingModel | { readonly none: string }>
  /** Returns false if the instance has no provider that may have embeddings, not even one that was found to have none. */
  isPossible(instance: InstanceId): Promise<boolean>
}

/** The server at an agent's `baseUrl` makes no vectors of any text. It is not asked again until the agent is edited. */
export class NoEmbeddings extends ModelError {
  constructor(message: string) {
    super('refused', message)
    this.name = 'NoEmbeddings'
  }
}
