/** `generateContent` of Gemini. */
import type { Chat, ChatFormat, ChatRequest } from './format.js'
import { readPicture } from './picture.js'
import { geminiError, Refusal } from './refusal.js'
import { schemaFault } from './tool-schema.js'
import { countTokens, formatId, isObject, type Json, readList, readText } from './values.js'

const KEYS = new Set(
  'contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels'.split(' '),
)
const SETTINGS = new Set(
  `temperature topP topK maxOutputTokens candidateCount stopSequences frequencyPenalty presencePenalty seed responseMimeType responseSchema
  responseLogprobs thinkingConfig responseModalities mediaResolution`.split(/\s+/),
)
/** Documented for histories that come from other models. */
const NO_SIGNATURE = 'skip_thought_signature_validator'

export const geminiContent: ChatFormat = {
  read(request) {
    const { body } = request
    const settings = isObject(body.generationConfig) ? body.generationConfig : {}
    for (const key of Object.keys(body)) if (!KEYS.has(key)) refuseUnknown(key, '')
    for (const key of Object.keys(settings)) if (!SETTINGS.has(key)) refuseUnknown(key, " at 'generation_config'")
    const contents = readList(body.contents).map(({ role, parts }) => ({
      role: readText(role),
      parts: readList(parts),
    }))
    if (contents.length === 0) refuse('* GenerateContentRequest.contents: contents is not specified\n')
    for (const [index, { role, parts }] of contents.entries()) {
      if (role !== 'user' && role !== 'model') refuse('Please use a valid role: user, model.')
      if (parts.length === 0)
        refuse(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`)
      for (const part of parts) checkPart(part, index)
    }
    checkCalls(contents)
    if (request.model.isStrictAboutThoughts) checkSignatures(contents, request)
    const tools = checkTools(body)
    checkLimits(request, settings, countTokens(body.contents))
    return readChat(contents, body, tools)
  },
  write({ call, model, signatures }, answer, chat) {
    const head = responseHead(call.number, call.model)
    const input = answer.usage?.input ?? chat.inputTokens
    const output = answer.usage?.output ?? countTokens(answer.text)
    const usage = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output }
    const counted = answer.usage === null ? {} : { usageMetadata: usage }
    if (answer.finish === 'blocked' && answer.text === '')
      return { ...head, promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...counted }
    const calls = answer.calls.map(({ name, arguments: given }, index) => {
      const signature = Buffer.from(`signature ${call.number}.${index} of ${call.model}`).toString('base64')
      const isSigned = model.isStrictAboutThoughts && index === 0
      if (isSigned) signatures.add(signature)
      return {
        functionCall: { name, args: typeof given === 'string' ? { broken: given } : given },
        ...(isSigned ? { thoughtSignature: signature } : {}),
      }
    })
    const thoughts = answer.reasoning === undefined ? [] : [{ text: answer.reasoning, thought: true }]
    const parts = [...thoughts, ...(answer.text === '' ? [] : [{ text: answer.text }]), ...calls]
    const finishReason = { stop: 'STOP', length: 'MAX_TOKENS', blocked: 'SAFETY' }[answer.finish]
    return { ...head, candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }], ...counted }
  },
  writeNothing: ({ call }) => ({
    ...responseHead(call.number, call.model),
    candidates: [],
    usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
  }),
}

interface Content {
  readonly role: string
  readonly parts: readonly Json[]
}

function responseHead(number: number, model: string): Json {
  return { responseId: formatId('', number), modelVersion: model }
}

function checkPart(part: Json, index: number): void {
  const { text, inlineData, functionCall, functionResponse } = part
  if (isObject(inlineData)) {
    if (readPicture(readText(inlineData.data)) === undefined)
      refuse(
        'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      )
  } else if (!isObject(functionCall) && !isObject(functionResponse) && readText(text) === '')
    refuse(
      `* GenerateContentRequest.contents[${index}].parts[0].data: required oneof field 'data' must have one initialized field\n`,
    )
}

function checkCalls(contents: readonly Content[]): void {
  for (const [index, { parts }] of contents.entries()) {
    const calls = parts.filter(({ functionCall }) => isObject(functionCall)).length
    const answers = (contents[index + 1]?.parts ?? []).filter(({ functionResponse }) =>
      isObject(functionResponse),
    ).length
    const own = parts.filter(({ functionResponse }) => isObject(functionResponse)).length
    const before = (contents[index - 1]?.parts ?? []).filter(({ functionCall }) => isObject(functionCall)).length
    if (own > 0 && before === 0)
      refuse('Please ensure that function response turn comes immediately after a function call turn.')
    if (calls > 0 && (index === 0 || contents[index - 1]?.role !== 'user'))
      refuse(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      )
    if (calls > 0 && calls !== answers)
      refuse(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      )
  }
}

/** The first call of each step of the present turn needs the signature that this server gave it. */
function checkSignatures(contents: readonly Content[], { signatures }: ChatRequest): void {
  const lastAsked = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ text }) => readText(text) !== ''),
  )
  for (const { parts } of contents.slice(lastAsked + 1)) {
    const place = parts.findIndex(({ functionCall }) => isObject(functionCall))
    const part = parts[place]
    if (part === undefined) continue
    const signature = readText(part.thoughtSignature)
    if (signature === '')
      refuse(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${isObject(part.functionCall) ? part.functionCall.name : ''}\`, position ${place + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
      )
    if (signature !== NO_SIGNATURE && !signatures.has(signature)) refuse('Corrupted thought signature.')
  }
}

function checkTools(body: Json): readonly Json[] {
  const tools = readList(body.tools).flatMap(({ functionDeclarations }) => readList(functionDeclarations))
  for (const [index, tool] of tools.entries()) {
    const { name, parameters } = tool
    if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(readText(name)))
      refuse(
        `* GenerateContentRequest.tools[0].function_declarations[${index}].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n`,
      )
    const schema = parameters ?? tool.parametersJsonSchema
    const fault = schema === undefined ? undefined : schemaFault(schema)
    if (fault !== undefined)
      refuse(`* GenerateContentRequest.tools[0].function_declarations[${index}].parameters: ${fault}\n`)
  }
  return tools
}

function checkLimits({ model, call }: ChatRequest, settings: Json, inputTokens: number): void {
  const { temperature, maxOutputTokens, frequencyPenalty, presencePenalty } = settings
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 2))
    refuse(`* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].\n`)
  // Nothing but the answer tells which models have them.
  if ((frequencyPenalty ?? presencePenalty) !== undefined && call.model.includes('flash'))
    refuse(`Penalty is not enabled for models/${call.model}`)
  if (typeof maxOutputTokens === 'number' && maxOutputTokens > model.answerMax)
    refuse(
      `Unable to submit request because it has a maxOutputTokens value of ${maxOutputTokens} but the supported range is from 1 (inclusive) to ${model.answerMax + 1} (exclusive).`,
    )
  if (inputTokens > model.window)
    refuse(`The input token count (${inputTokens}) exceeds the maximum number of tokens allowed (${model.window}).`)
}

function readChat(contents: readonly Content[], body: Json, tools: readonly Json[]): Chat {
  const last = contents.at(-1)?.parts ?? []
  const lastAsked = contents.findLast(
    ({ role, parts }) => role === 'user' && parts.some(({ text }) => readText(text) !== ''),
  )
  const config =
    isObject(body.toolConfig) && isObject(body.toolConfig.functionCallingConfig)
      ? body.toolConfig.functionCallingConfig
      : {}
  return {
    lastText: (lastAsked?.parts ?? [])
      .map(({ text }) => readText(text))
      .filter((text) => text !== '')
      .join('\n'),
    imageCount: last.filter(({ inlineData }) => isObject(inlineData)).length,
    results: last.flatMap(({ functionResponse }) =>
      isObject(functionResponse) ? [readResult(functionResponse.response)] : [],
    ),
    toolNames: tools.map(({ name }) => readText(name)),
    mayCall: config.mode !== 'NONE',
    inputTokens: countTokens(body.contents),
  }
}

function readResult(response: unknown): string {
  return isObject(response) && typeof response.content === 'string' ? response.content : JSON.stringify(response)
}

function refuseUnknown(key: string, place: string): never {
  refuse(`Invalid JSON payload received. Unknown name "${key}"${place}: Cannot find field.`)
}

function refuse(message: string): never {
  throw new Refusal(400, geminiError(400, 'INVALID_ARGUMENT', message))
}
