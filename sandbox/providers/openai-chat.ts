/** Chat completions of OpenAI, DeepSeek and servers that are compatible with them. */
import type { Chat, ChatFormat, ChatRequest } from './format.js'
import { openAiRoom } from './openai-limits.js'
import { readPicture } from './picture.js'
import { openAiError, Refusal } from './refusal.js'
import { schemaFault } from './tool-schema.js'
import { countTokens, formatId, isObject, type Json, readList, readText } from './values.js'

const KEYS = new Set(
  `model messages tools tool_choice parallel_tool_calls temperature top_p frequency_penalty presence_penalty max_tokens
  max_completion_tokens n stop seed response_format reasoning_effort verbosity user safety_identifier store metadata stream stream_options
  logprobs top_logprobs logit_bias service_tier prompt_cache_key thinking`.split(/\s+/),
)
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

export const openAiChat: ChatFormat = {
  read(request) {
    const { body, provider } = request
    if (provider !== 'custom')
      for (const key of Object.keys(body))
        if (!KEYS.has(key)) refuse(`Unknown parameter: '${key}'.`, key, 'unknown_parameter')
    const messages = readList(body.messages)
    if (messages.length === 0)
      refuse(
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        'messages',
        'empty_array',
      )
    for (const [index, message] of messages.entries()) checkMessage(message, index, request)
    checkCalls(messages)
    const tools = checkTools(body)
    openAiRoom(request, countTokens(body.messages))
    if (request.model.isStrictAboutThoughts) checkThoughts(messages)
    return readChat(messages, body, tools)
  },
  write({ call, model, provider }, answer, chat) {
    const reasoning = answer.reasoning ?? (model.isStrictAboutThoughts ? 'I think about it.' : undefined)
    const calls = answer.calls.map(({ name, arguments: given, id: own }, index) => ({
      ...(own === null ? {} : { id: own ?? formatId('call_', call.number, index) }),
      type: 'function',
      function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
    }))
    const finish = { stop: calls.length > 0 ? 'tool_calls' : 'stop', length: 'length', blocked: 'content_filter' }
    const usage =
      answer.usage === undefined ? { input: chat.inputTokens, output: countTokens(answer.text) } : answer.usage
    return {
      ...head(call.number, call.model),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: answer.text === '' && calls.length > 0 ? null : answer.text,
            ...(reasoning === undefined || provider === 'openai' ? {} : { reasoning_content: reasoning }),
            ...(calls.length === 0 ? {} : { tool_calls: calls }),
          },
          finish_reason: finish[answer.finish],
        },
      ],
      ...(usage === null
        ? {}
        : {
            usage: {
              prompt_tokens: usage.input,
              completion_tokens: usage.output,
              total_tokens: usage.input + usage.output,
            },
          }),
    }
  },
  writeNothing: ({ call }) => ({ ...head(call.number, call.model), choices: [] }),
}

function head(number: number, model: string): Json {
  return { id: formatId('chatcmpl-', number), object: 'chat.completion', created: Math.floor(Date.now() / 1000), model }
}

function checkMessage(message: Json, index: number, { provider, model }: ChatRequest): void {
  const role = readText(message.role)
  if (!ROLES.has(role) || (role === 'developer' && provider !== 'openai'))
    refuse(
      `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
      `messages[${index}].role`,
      'invalid_value',
    )
  const { content } = message
  if (provider === 'deepseek' && Array.isArray(content) && !readList(content).some(({ type }) => type === 'image_url'))
    refuse(
      `Failed to deserialize the JSON body into the target type: messages[${index}]: invalid type: sequence, expected a string`,
      null,
      'invalid_request_error',
    )
  const isEmpty =
    content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)
  const mayBeEmpty = role === 'assistant' && readList(message.tool_calls).length > 0
  if (isEmpty && !mayBeEmpty)
    refuse(`Invalid value for 'content': expected a string, got null.`, `messages[${index}].content`)
  for (const part of readList(content)) {
    if (part.type === 'text' && readText(part.text) === '')
      refuse('Text content is empty.', `messages[${index}].content`)
    if (part.type !== 'image_url') continue
    const { url } = isObject(part.image_url) ? part.image_url : { url: '' }
    if (!model.takesImages) refuse('Invalid content type. image_url is only supported by certain models.', 'messages')
    const picture = readPicture(readText(url).replace(/^data:image\/[a-z]+;base64,/, ''))
    if (!readText(url).startsWith('data:image/') || picture === undefined)
      refuse('You uploaded an unsupported image. Please make sure your image is valid.', null, 'invalid_image')
  }
}

/** Each call needs a result in the messages right after it, and each result its call. */
function checkCalls(messages: readonly Json[]): void {
  let open = new Set<string>()
  for (const [index, { tool_calls: calls }] of messages.entries())
    if (readList(calls).some(({ id }) => readText(id) === ''))
      refuse(
        `Missing required parameter: 'messages[${index}].tool_calls[0].id'.`,
        `messages[${index}].tool_calls[0].id`,
      )
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(readText(message.tool_call_id)))
        refuse(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          'messages',
        )
      continue
    }
    refuseOpen(open)
    open = new Set(readList(message.tool_calls).map(({ id }) => readText(id)))
  }
  refuseOpen(open)
}

function refuseOpen(open: ReadonlySet<string>): void {
  if (open.size === 0) return
  refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    'messages',
  )
}

function checkTools(body: Json): readonly Json[] {
  if (body.tools === undefined) {
    if (body.tool_choice !== undefined)
      refuse(
        "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
        'tool_choice',
      )
    return []
  }
  const tools = readList(body.tools).map((tool) => (isObject(tool.function) ? tool.function : {}))
  if (tools.length === 0) refuse("Invalid 'tools': empty array.", 'tools', 'empty_array')
  for (const [index, { name, parameters }] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(readText(name)))
      refuse(
        `Invalid 'tools[${index}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        `tools[${index}].function.name`,
        'invalid_value',
      )
    const fault = schemaFault(parameters)
    if (fault !== undefined)
      refuse(
        `Invalid schema for function '${name}': ${fault}`,
        `tools[${index}].function.parameters`,
        'invalid_function_parameters',
      )
  }
  return tools
}

/** DeepSeek wants the field in each message of the assistant, and the thoughts of the present turn: those since the last message of the user. */
function checkThoughts(messages: readonly Json[]): void {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  for (const [index, { role, reasoning_content: thoughts, tool_calls: calls }] of messages.entries()) {
    const isOfTurn = index > lastUser && readList(calls).length > 0
    if (role === 'assistant' && (isOfTurn ? readText(thoughts) === '' : typeof thoughts !== 'string'))
      refuse(
        'The `reasoning_content` in the thinking mode must be passed back to the API.',
        null,
        'invalid_request_error',
      )
  }
}

function readChat(messages: readonly Json[], body: Json, tools: readonly Json[]): Chat {
  const lastUser = messages.findLast(({ role }) => role === 'user')
  const parts = readList(lastUser?.content)
  const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => readText(text))
  const isAboutResults = messages.at(-1)?.role === 'tool'
  return {
    lastText: parts.length > 0 ? texts.join('\n') : readText(lastUser?.content),
    imageCount: parts.length - texts.length,
    results: isAboutResults
      ? messages
          .slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
          .map(({ content }) => readText(content))
      : [],
    toolNames: tools.map(({ name }) => readText(name)),
    mayCall: body.tool_choice !== 'none',
    inputTokens: countTokens(body.messages),
  }
}

function refuse(message: string, param: string | null, code: string | null = null): never {
  throw new Refusal(400, openAiError(message, { param, code }))
}
