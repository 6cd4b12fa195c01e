/** Strict fakes of the servers with language models, on one HTTP server of the loopback, with a path for each provider. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkAccess, readKey } from './access.js'
import { anthropicMessages } from './anthropic-messages.js'
import { geminiEmbeddings, openAiEmbeddings } from './embeddings.js'
import { fakeModel } from './fake-models.js'
import type { Chat, ChatFormat } from './format.js'
import { geminiContent } from './gemini-content.js'
import { misbehave } from './misbehave.js'
import { openAiChat } from './openai-chat.js'
import { anthropicError, geminiError, openAiError, Refusal } from './refusal.js'
import {
  type FakeAnswer,
  type Fault,
  type Operation,
  type ProviderCall,
  type ProviderName,
  Script,
  type Step,
} from './script.js'
import { readForm, transcription } from './transcription.js'
import { isObject, type Json, readText } from './values.js'

export { faults } from './faults.js'
export type { FakeAnswer, Fault, ProviderCall, ProviderName, Step } from './script.js'

export interface FakeProviders {
  /** Address of the server. */
  readonly url: string
  /** `host:port` of it. */
  readonly host: string
  /** Base URL for clients of a provider. */
  baseUrl(provider: ProviderName): string
  /** All calls since the last `clear`. */
  readonly calls: readonly ProviderCall[]
  /** Appends an answer or a fault for the next calls. Without one the answer repeats the question. */
  next(step: Step): void
  answer(answer: FakeAnswer): void
  fail(fault: Fault): void
  /** Resolves when that many calls besides those for vectors have come since the last `clear`. */
  called(count: number): Promise<readonly ProviderCall[]>
  clear(): void
  /** Number of open connections. */
  connections(): Promise<number>
  close(): Promise<void>
}

export interface FakeProvidersOptions {
  readonly host?: string
  readonly port?: number
}

const BASE_PATHS: Readonly<Record<ProviderName, string>> = {
  openai: '/openai/v1',
  anthropic: '/anthropic/v1',
  gemini: '/gemini/v1beta',
  deepseek: '/deepseek',
  custom: '/custom/v1',
}

interface Route {
  readonly provider: ProviderName
  readonly operation: Operation
  /** In the path, for Gemini. */
  readonly model?: string
  readonly isBatch?: boolean
}

export async function startProviders({
  host = '127.0.0.1',
  port = 0,
}: FakeProvidersOptions = {}): Promise<FakeProviders> {
  const script = new Script()
  const signatures = new Set<string>()
  const server = createServer((request, response) => {
    void serve(request, response, script, signatures).catch((error) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(String(error))
    })
  })
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening))
  const place = `${host}:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${place}`,
    host: place,
    baseUrl: (provider) => `http://${place}${BASE_PATHS[provider]}`,
    calls: script.calls,
    next: (step) => script.next(step),
    answer: (answer) => script.next({ answer }),
    fail: (fault) => script.next({ fault }),
    called: (count) => script.called(count),
    clear: () => script.clear(),
    connections: () => new Promise((count) => server.getConnections((_, number) => count(number ?? 0))),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  script: Script,
  signatures: Set<string>,
): Promise<void> {
  const route = findRoute(request)
  const bytes = await readBytes(request)
  if (route === undefined) return send(response, 404, openAiError(`Invalid URL (${request.method} ${request.url})`))
  const { provider, operation } = route
  const contentType = request.headers['content-type'] ?? ''
  const body = operation === 'transcription' ? await readForm(bytes, contentType).catch(() => undefined) : parsed(bytes)
  const key = readKey(provider, request.headers)
  const model = route.model ?? readText(body?.model)
  const [call, step] = script.take({ provider, operation, model, key, headers: request.headers, body: body ?? {} })
  response.on('close', () => {
    call.isAbandoned = !response.writableFinished
  })
  if ((step?.delayMs ?? 0) > 0) await new Promise((done) => setTimeout(done, step?.delayMs).unref())
  if (response.destroyed) return
  try {
    // The real servers look at keys before anything else.
    checkAccess(provider, key, request.headers)
    if (body === undefined)
      throw new Refusal(400, createError(provider, 400, 'We could not parse the body of your request.'))
    if (step?.fault !== undefined && step.fault.kind !== 'no-choices') return misbehave(response, call, step.fault)
    const isEmpty = step?.fault?.kind === 'no-choices'
    call.status = 200
    send(response, 200, answerTo(route, call, body, isEmpty ? 'nothing' : (step?.answer ?? {}), signatures))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    call.status = error.status
    send(response, error.status, error.body)
  }
}

function answerTo(
  { provider, operation, isBatch = false }: Route,
  call: ProviderCall,
  body: Json,
  scripted: FakeAnswer | 'nothing',
  signatures: Set<string>,
): Json {
  const model = fakeModel(provider, call.model)
  if (model === undefined) throw new Refusal(404, noModel(provider, call.model))
  if (operation === 'transcription') return transcription(body, scripted === 'nothing' ? {} : scripted)
  if (operation === 'embeddings')
    return provider === 'gemini' ? geminiEmbeddings(body, isBatch) : openAiEmbeddings(call, body)
  if (provider === 'openai' && /^(o\d-pro|gpt-\d(\.\d)?-(pro|codex))/.test(call.model))
    throw new Refusal(
      404,
      openAiError('This model is only supported in v1/responses and not in v1/chat/completions.', { param: 'model' }),
    )
  const format: ChatFormat = chooseFormat(provider)
  const request = { provider, call, model, body, signatures }
  const chat = format.read(request)
  if (scripted === 'nothing') return format.writeNothing(request)
  const isGiven = scripted.text !== undefined || scripted.calls !== undefined || scripted.finish !== undefined
  const answer = isGiven ? scripted : { ...repeated(chat), ...scripted }
  return format.write(
    request,
    { ...answer, text: answer.text ?? '', calls: answer.calls ?? [], finish: answer.finish ?? 'stop' },
    chat,
  )
}

/** Repeats the question. `call NAME {…}` in the last message calls a tool, if there is one of that name. */
function repeated(chat: Chat): FakeAnswer {
  if (chat.results.length > 0) return { text: `The function answered: ${chat.results.join(' ')}` }
  const [, name = '', given = ''] = /\bcall ([\w-]+) ?(\{.*\})?/s.exec(chat.lastText) ?? []
  if (chat.mayCall && chat.toolNames.includes(name)) return { calls: [{ name, arguments: given || '{}' }] }
  const pictures = chat.imageCount > 0 ? ` (${chat.imageCount} pictures)` : ''
  return { text: `You said: ${chat.lastText}${pictures}` }
}

function chooseFormat(provider: ProviderName): ChatFormat {
  if (provider === 'anthropic') return anthropicMessages
  return provider === 'gemini' ? geminiContent : openAiChat
}

function findRoute({ method, url = '' }: IncomingMessage): Route | undefined {
  const path = url.split('?')[0] ?? ''
  if (method !== 'POST') return undefined
  const entry = Object.entries(BASE_PATHS).find(([, base]) => path.startsWith(`${base}/`))
  if (entry === undefined) return undefined
  const provider = entry[0] as ProviderName
  const rest = path.slice(entry[1].length)
  if (provider === 'gemini') {
    const [, model, action] = /^\/models\/([^/:]+):(generateContent|batchEmbedContents|embedContent)$/.exec(rest) ?? []
    if (model === undefined) return undefined
    const operation = action === 'generateContent' ? 'chat' : 'embeddings'
    return { provider, operation, model: decodeURIComponent(model), isBatch: action === 'batchEmbedContents' }
  }
  if (provider === 'anthropic') return rest === '/messages' ? { provider, operation: 'chat' } : undefined
  if (rest === '/chat/completions') return { provider, operation: 'chat' }
  if (provider === 'deepseek') return undefined
  if (rest === '/embeddings') return { provider, operation: 'embeddings' }
  return rest === '/audio/transcriptions' ? { provider, operation: 'transcription' } : undefined
}

function noModel(provider: ProviderName, model: string): unknown {
  if (provider === 'anthropic') return anthropicError('not_found_error', `model: ${model}`)
  if (provider === 'gemini')
    return geminiError(
      404,
      'NOT_FOUND',
      `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
    )
  return openAiError(`The model \`${model}\` does not exist or you do not have access to it.`, {
    code: 'model_not_found',
  })
}

function createError(provider: ProviderName, status: number, message: string): unknown {
  if (provider === 'anthropic') return anthropicError('invalid_request_error', message)
  return provider === 'gemini' ? geminiError(status, 'INVALID_ARGUMENT', message) : openAiError(message)
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function parsed(bytes: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
