/**
 * Remembers which parameters a model refuses. Models come faster than lists of them, so the first refusal of a parameter is made a
 * temporary error: the repetition goes without it.
 */
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../../lib/entries-max.js'
import type { ModelAddress } from '../../../schemas/agents/models.js'
import { formatReceiver } from './breaker.js'

// Bound: 2,101, words of a provider, cut in error-facts.ts.

export type ModelFeature = 'temperature' | 'topP' | 'penalties' | 'maxTokens' | 'images' | 'safetyId' | 'tools'

/** Words that name a feature. They run over the first 2,000 characters of a message (`error-facts.ts`) and have no unbounded middle. */
const PATTERNS: readonly (readonly [ModelFeature, RegExp])[] = [
  ['temperature', /\btemperature\b/i],
  ['topP', /\btop[_ ]?p\b/i],
  ['penalties', /penalt/i],
  // Servers in front of reasoning models want `max_completion_tokens`.
  ['maxTokens', /max_completion_tokens/i],
  [
    'images',
    /image_url|image input|vision|multimodal|(?<!uploaded an un)support[a-z]{0,3} .{0,20}image|image[a-z]{0,3} .{0,30}support/i,
  ],
  // Small models behind Ollama, and vLLM without its parser of calls. Refusals of one tool have other words.
  ['tools', /does not support (tools|function)|tool choice requires --enable/i],
  ['safetyId', /safety_identifier|metadata|user_id/i],
]
const REFUSAL =
  /unsupported|not support|not enabled|deprecated|not permitted|not allowed|cannot both|unknown|unrecognized|only supported|does not|requires --enable/i
const KNOWN_MAX = 2_000
const DAY_MS = 24 * 60 * 60_000

export class LearnedRefusals {
  readonly #known = new LRUCache<string, ReadonlySet<ModelFeature>>({ ...entriesMax(KNOWN_MAX), ttl: DAY_MS })

  of(address: ModelAddress): ReadonlySet<ModelFeature> {
    return this.#known.get(formatName(address)) ?? new Set()
  }

  /**
   * Takes a refusal of a request that had these features. Returns true if something was learned, so that a repetition is different.
   * `param` and `message`: words of the provider.
   */
  learn(address: ModelAddress, param: string, message: string, sent: ReadonlySet<ModelFeature>): boolean {
    if (!REFUSAL.test(message)) return false
    const named = PATTERNS.filter(([feature, pattern]) => sent.has(feature) && pattern.test(`${param} ${message}`))
    if (named.length === 0) return false
    this.#known.set(formatName(address), new Set([...this.of(address), ...named.map(([feature]) => feature)]))
    return true
  }
}

/** With the key: what one tenant makes a provider say changes nothing for others. */
function formatName(address: ModelAddress): string {
  return `${formatReceiver(address)} ${address.model}`
}
