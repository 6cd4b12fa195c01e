/** Facts about models, by their names. The packages know more of them, and what neither knows is learned (`learned.ts`). */
import type { ModelAddress } from '../../../schemas/agents/models.js'

// Bound: 200, the name of a model.

/** Tokens for hidden reasoning, beside those of the answer. */
const REASONING_ROOM = 8_192
const DEEPSEEK_CHAT_MAX = 8_192
const CUSTOM_WITH_PICTURES =
  /vision|llava|pixtral|omni|[-_/]vl\b|\dvl\b|minicpm-v|gpt-4o|gpt-4\.1|gpt-[5-9]|claude|gemini|gemma-?[34]|llama-?4|mistral-small|grok-[4-9]/i

/** Returns the limit that is asked for, so that `maxTokens` are left for the answer. */
export function answerLimit({ provider, model }: ModelAddress, maxTokens: number): number {
  if (provider === 'openai' && isOpenAiReasoning(model)) return maxTokens + REASONING_ROOM
  if (provider === 'gemini' && /gemini-(2\.5|[3-9])/.test(model)) return maxTokens + REASONING_ROOM
  if (provider === 'deepseek')
    return model === 'deepseek-chat' ? Math.min(maxTokens, DEEPSEEK_CHAT_MAX) : maxTokens + REASONING_ROOM
  return maxTokens
}

export function isOpenAiReasoning(model: string): boolean {
  return /^(o\d|gpt-([5-9]|\d{2}))/.test(model) && !/-chat/.test(model)
}

/** Claude after Opus 4.6 takes no sampling parameters; before it takes temperature or top P. */
export function claudeSampling(model: string): 'none' | 'one' {
  const version = /^claude-(?:opus|sonnet|haiku|[a-z]+)-(\d+)(?:-(\d{1,2}))?(?:-|$)/.exec(model)
  if (version === null) return 'one'
  const [, major, minor = '0'] = version
  return Number(major) > 4 || (Number(major) === 4 && Number(minor) > 6) ? 'none' : 'one'
}

export function takesImages({ provider, model }: ModelAddress): boolean {
  switch (provider) {
    case 'openai':
      return !/^(gpt-3|gpt-4(-\d|-32k|$)|o1-mini|o1-preview|o3-mini)/.test(model)
    case 'anthropic':
      return !/^claude-(2|instant)/.test(model)
    case 'gemini':
      return !/^gemma-(1|2)/.test(model)
    case 'deepseek':
      return false
    case 'custom':
      return CUSTOM_WITH_PICTURES.test(model)
    default:
      return provider satisfies never
  }
}
