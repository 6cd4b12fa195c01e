import type { ChatRequest } from './format.js'
import { openAiError, Refusal } from './refusal.js'

const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const

/** Checks sampling parameters and numbers of tokens. @throws Refusal */
export function openAiRoom({ body, model, provider, call }: ChatRequest, inputTokens: number): void {
  if (provider === 'openai' && model.isReasoning) {
    if (body.max_tokens !== undefined)
      refuse(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      )
    for (const name of SAMPLING) refuseOther(name, body[name])
  }
  // Not named as reasoning by anybody yet: clients must learn it from the answer.
  if (provider === 'custom' && call.model.includes('no-sampling'))
    for (const name of SAMPLING) refuseOther(name, body[name])
  for (const name of SAMPLING) {
    const value = body[name]
    const [low, high] = name === 'top_p' ? [0, 1] : name === 'temperature' ? [0, 2] : [-2, 2]
    if (value !== undefined && (typeof value !== 'number' || value < low || value > high))
      refuse(
        `Invalid '${name}': decimal out of range. Expected a value between ${low} and ${high}.`,
        name,
        'decimal_above_max_value',
      )
  }
  const given = body.max_completion_tokens ?? body.max_tokens
  if (typeof given === 'number' && given > model.answerMax)
    refuse(
      `max_tokens is too large: ${given}. This model supports at most ${model.answerMax} completion tokens, whereas you provided ${given}.`,
      'max_tokens',
      'invalid_value',
    )
  if (inputTokens > model.window)
    refuse(
      `This model's maximum context length is ${model.window} tokens. However, your messages resulted in ${inputTokens} tokens. Please reduce the length of the messages.`,
      'messages',
      'context_length_exceeded',
    )
}

function refuseOther(name: string, value: unknown): void {
  if (value === undefined || value === 1) return
  if (name === 'temperature')
    refuse(
      `Unsupported value: 'temperature' does not support ${value} with this model. Only the default (1) value is supported.`,
      name,
      'unsupported_value',
    )
  refuse(`Unsupported parameter: '${name}' is not supported with this model.`, name, 'unsupported_parameter')
}

function refuse(message: string, param: string, code: string): never {
  throw new Refusal(400, openAiError(message, { param, code }))
}
