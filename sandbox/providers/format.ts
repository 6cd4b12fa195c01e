import type { FakeModel } from './fake-models.js'
import type { FakeAnswer, ProviderCall, ProviderName } from './script.js'
import type { Json } from './values.js'

/** A chat as every provider has it, read from one of the formats after its checks. */
export interface Chat {
  readonly lastText: string
  readonly imageCount: number
  /** Text of the last message, if it holds results of tools. */
  readonly results: readonly string[]
  readonly toolNames: readonly string[]
  readonly mayCall: boolean
  readonly inputTokens: number
}

/** One wire format of a provider. */
export interface ChatFormat {
  /** @throws Refusal when the provider would refuse it */
  read(request: ChatRequest): Chat
  write(
    request: ChatRequest,
    answer: Required<Pick<FakeAnswer, 'text' | 'calls' | 'finish'>> & FakeAnswer,
    chat: Chat,
  ): Json
  writeNothing(request: ChatRequest): Json
}

export interface ChatRequest {
  readonly provider: ProviderName
  readonly call: ProviderCall
  readonly model: FakeModel
  readonly body: Json
  /** Signatures that this server has issued. */
  readonly signatures: Set<string>
}
