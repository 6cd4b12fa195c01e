/** Makes the models of the packages. They are loaded at the first call: a node without agents never reads them. */
import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { withoutEnd } from '../../../lib/without-end.js'
import type { ModelAddress, ModelStep } from '../../../schemas/agents/models.js'
import { isOpenAiReasoning } from './traits.js'

export type ModelFetch = typeof globalThis.fetch

/** Addresses are always given: the packages would read others, and keys, from the environment. */
const BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
  deepseek: 'https://api.deepseek.com',
  custom: '',
} as const

/** Returns the base URL of a call, without a slash at its end. `''`: there is none. */
export function findBaseUrl({ provider, baseUrl }: ModelAddress): string {
  return withoutEnd(baseUrl ?? BASE_URLS[provider], '/')
}

export async function languageModel(address: ModelAddress, fetch: ModelFetch): Promise<LanguageModelV3> {
  const { provider, model, apiKey } = address
  const settings = { apiKey, baseURL: findBaseUrl(address), fetch }
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      // Not `/responses`, which other servers at a base URL do not have.
      return createOpenAI(settings).chat(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(settings).chat(model)
    }
    case 'gemini': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(settings).chat(model)
    }
    case 'deepseek': {
      const { createDeepSeek } = await import('@ai-sdk/deepseek')
      return createDeepSeek(settings).chat(model)
    }
    case 'custom': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const { baseURL } = settings
      return createOpenAICompatible({ name: 'custom', baseURL, fetch, ...(apiKey === '' ? {} : { apiKey }) }).chatModel(
        model,
      )
    }
    default:
      return provider satisfies never
  }
}

export function providerOptions({ provider, model }: ModelAddress, { safetyId }: Pick<ModelStep, 'safetyId'>) {
  const options: SharedV3ProviderOptions = {}
  if (provider === 'openai')
    options.openai = {
      ...(safetyId === undefined ? {} : { safetyIdentifier: safetyId }),
      ...(isOpenAiReasoning(model) ? { forceReasoning: true } : {}),
    }
  if (provider === 'anthropic' && safetyId !== undefined) options.anthropic = { metadata: { userId: safetyId } }
  return options
}
