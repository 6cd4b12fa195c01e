/** Messages of Anthropic. */
import type { Chat, ChatFormat, ChatRequest } from './format.js'
import { readPicture } from './picture.js'
import { anthropicError, Refusal } from './refusal.js'
import { schemaFault } from './tool-schema.js'
import { countTokens, formatId, isObject, type Json, readList, readText } from './values.js'

const KEYS = new Set(
  `model messages system max_tokens tools tool_choice temperature top_p top_k stop_sequences metadata stream thinking service_tier
  output_config cache_control`.split(/\s+/),
)
const PICTURE_MAX_BYTES = 5_242_880
const PICTURE_MAX_PX = 8_000

export const anthropicMessages: ChatFormat = {
  read(request) {
    const { body } = request
    for (const key of Object.keys(body)) if (!KEYS.has(key)) refuse(`${key}: Extra inputs are not permitted`)
    const messages = readList(body.messages).map(({ role, content }) => ({
      role: readText(role),
      blocks: listBlocks(content),
    }))
    checkLimits(request, countTokens([body.system, body.messages]))
    if (messages.length === 0) refuse('messages: at least one message is required')
    for (const [index, { role, blocks }] of messages.entries()) {
      if (role !== 'user' && role !== 'assistant')
        refuse(`messages.${index}.role: Input should be 'user' or 'assistant'`)
      if (blocks.length === 0) refuse(`messages.${index}: all messages must have non-empty content`)
      for (const [place, block] of blocks.entries()) checkBlock(block, `messages.${index}.content.${place}`)
    }
    if (messages[0]?.role !== 'user') refuse('messages: first message must use the "user" role')
    checkCalls(messages)
    const tools = checkTools(body, messages)
    return readChat(messages, body, tools)
  },
  write({ call }, answer, chat) {
    const calls = answer.calls.map(({ name, arguments: given }, index) => ({
      type: 'tool_use',
      id: formatId('toolu_', call.number, index),
      name,
      input: typeof given === 'string' ? { broken: given } : given,
    }))
    const reasons = { stop: calls.length > 0 ? 'tool_use' : 'end_turn', length: 'max_tokens', blocked: 'refusal' }
    return {
      ...head(call.number, call.model),
      content: [...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]), ...calls],
      stop_reason: reasons[answer.finish],
      stop_sequence: null,
      usage: {
        input_tokens: answer.usage?.input ?? chat.inputTokens,
        output_tokens: answer.usage?.output ?? countTokens(answer.text),
      },
    }
  },
  writeNothing: ({ call }) => ({
    ...head(call.number, call.model),
    content: [],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 0 },
  }),
}

interface Message {
  readonly role: string
  readonly blocks: readonly Json[]
}

function head(number: number, model: string): Json {
  return { id: formatId('msg_', number), type: 'message', role: 'assistant', model }
}

function listBlocks(content: unknown): readonly Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return readList(content)
}

function checkLimits({ body, model, call }: ChatRequest, inputTokens: number): void {
  if (body.max_tokens === undefined) refuse('max_tokens: Field required')
  if (typeof body.max_tokens !== 'number' || body.max_tokens < 1)
    refuse('max_tokens: Input should be greater than or equal to 1')
  if (body.max_tokens > model.answerMax)
    refuse(
      `max_tokens: ${body.max_tokens} > ${model.answerMax}, which is the maximum allowed number of output tokens for ${call.model}`,
    )
  if (model.isReasoning && body.temperature !== undefined && body.temperature !== 1)
    refuse('`temperature` is deprecated for this model.')
  if (model.isReasoning && body.top_p !== undefined) refuse('`top_p` is deprecated for this model.')
  if (body.temperature !== undefined && body.top_p !== undefined)
    refuse('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
  if (typeof body.temperature === 'number' && (body.temperature < 0 || body.temperature > 1))
    refuse('temperature: range: 0..1')
  if (inputTokens > model.window) refuse(`prompt is too long: ${inputTokens} tokens > ${model.window} maximum`)
}

function checkBlock(block: Json, place: string): void {
  if (block.type === 'text') {
    if (readText(block.text) === '') refuse('messages: text content blocks must be non-empty')
    if (readText(block.text).trim() === '') refuse('messages: text content blocks must contain non-whitespace text')
  }
  if (block.type !== 'image') return
  const { data } = isObject(block.source) ? block.source : { data: '' }
  const picture = readPicture(readText(data))
  if (picture === undefined) refuse(`${place}.image.source.base64.data: Could not process image`)
  if (picture.base64Bytes > PICTURE_MAX_BYTES)
    refuse(
      `${place}.image.source.base64: image exceeds 5 MB maximum: ${picture.base64Bytes} bytes > ${PICTURE_MAX_BYTES} bytes`,
    )
  if (Math.max(picture.width, picture.height) > PICTURE_MAX_PX)
    refuse(
      `${place}.image.source.base64.data: At least one of the image dimensions exceed max allowed size: ${PICTURE_MAX_PX} pixels`,
    )
}

/** Results stand first in the message right after their calls. */
function checkCalls(messages: readonly Message[]): void {
  for (const [index, { role, blocks }] of messages.entries()) {
    const before = listIds(messages[index - 1], 'tool_use', 'id')
    for (const id of listIds({ role, blocks }, 'tool_result', 'tool_use_id'))
      if (role !== 'user' || !before.includes(id))
        refuse(
          `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        )
    const wanted = listIds({ role, blocks }, 'tool_use', 'id')
    const next = messages[index + 1]
    const first = next?.blocks.slice(0, wanted.length) ?? []
    const found = listIds({ role: 'user', blocks: first }, 'tool_result', 'tool_use_id')
    const missing = wanted.filter((id) => !found.includes(id))
    if (missing.length > 0)
      refuse(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
  }
}

function listIds(message: Message | undefined, type: string, key: string): string[] {
  return (message?.blocks ?? []).filter((block) => block.type === type).map((block) => readText(block[key]))
}

function checkTools(body: Json, messages: readonly Message[]): readonly Json[] {
  const tools = readList(body.tools)
  const hasCalls = messages.some(({ blocks }) =>
    blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  )
  if (tools.length === 0 && hasCalls)
    refuse('Requests which include `tool_use` or `tool_result` blocks must define tools')
  if (tools.length === 0 && body.tool_choice !== undefined)
    refuse('tool_choice may only be specified while providing tools')
  for (const [index, { name, input_schema: schema }] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(readText(name)))
      refuse(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    const fault = schemaFault(schema)
    if (fault !== undefined) refuse(`tools.${index}.custom.input_schema: JSON schema is invalid: ${fault}`)
  }
  return tools
}

function readChat(messages: readonly Message[], body: Json, tools: readonly Json[]): Chat {
  const last = messages.at(-1)?.blocks ?? []
  const lastAsked = messages.findLast(
    ({ role, blocks }) => role === 'user' && blocks.some(({ type }) => type === 'text'),
  )
  const choice = isObject(body.tool_choice) ? body.tool_choice.type : 'auto'
  return {
    lastText: (lastAsked?.blocks ?? [])
      .map(({ text }) => readText(text))
      .filter((text) => text !== '')
      .join('\n'),
    imageCount: last.filter(({ type }) => type === 'image').length,
    results: last
      .filter((_, __, blocks) => !blocks.some(({ type }) => type === 'text'))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) =>
        typeof content === 'string'
          ? content
          : readList(content)
              .map(({ text }) => readText(text))
              .join('\n'),
      ),
    toolNames: tools.map(({ name }) => readText(name)),
    mayCall: choice !== 'none',
    inputTokens: countTokens([body.system, body.messages]),
  }
}

function refuse(message: string): never {
  throw new Refusal(400, anthropicError('invalid_request_error', message))
}
