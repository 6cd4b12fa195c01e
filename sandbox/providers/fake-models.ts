/** Properties of models, by their names. */
import type { ProviderName } from './script.js'

export interface FakeModel {
  /** Maximum of tokens of a question. */
  readonly window: number
  /** Maximum of tokens of an answer. */
  readonly answerMax: number
  /** It thinks before it answers, and refuses sampling parameters. */
  readonly isReasoning: boolean
  /** It wants its thoughts or signatures back with the results of its calls. */
  readonly isStrictAboutThoughts: boolean
  readonly takesImages: boolean
}

/** Returns undefined for a model that the provider does not have: names with `missing`. */
export function fakeModel(provider: ProviderName, name: string): FakeModel | undefined {
  if (name === '' || name.includes('missing')) return undefined
  const window = name.includes('tiny') ? 500 : provider === 'gemini' ? 1_048_576 : 128_000
  if (provider === 'openai') {
    const isReasoning = /^(o\d|gpt-[5-9])/.test(name) && !name.includes('-chat')
    return {
      window,
      answerMax: isReasoning ? 128_000 : 16_384,
      isReasoning,
      isStrictAboutThoughts: false,
      takesImages: !/^gpt-3/.test(name),
    }
  }
  if (provider === 'anthropic') {
    const isReasoning = /^claude-(opus|sonnet|haiku)-([5-9]|4-[7-9])/.test(name)
    return { window, answerMax: 64_000, isReasoning, isStrictAboutThoughts: false, takesImages: true }
  }
  if (provider === 'gemini') {
    const isStrict = /^gemini-[3-9]/.test(name)
    return { window, answerMax: 65_536, isReasoning: false, isStrictAboutThoughts: isStrict, takesImages: true }
  }
  if (provider === 'deepseek') {
    const isReasoning = name !== 'deepseek-chat'
    return {
      window,
      answerMax: isReasoning ? 65_536 : 8_192,
      isReasoning,
      isStrictAboutThoughts: isReasoning,
      takesImages: false,
    }
  }
  return { window, answerMax: 32_768, isReasoning: false, isStrictAboutThoughts: false, takesImages: true }
}
