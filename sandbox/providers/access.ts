import type { IncomingHttpHeaders } from 'node:http'
import { anthropicError, geminiError, openAiError, Refusal } from './refusal.js'
import type { ProviderName } from './script.js'

/** Returns the key of a request, or '' if it has none. */
export function readKey(provider: ProviderName, headers: IncomingHttpHeaders): string {
  if (provider === 'anthropic') return String(headers['x-api-key'] ?? '')
  if (provider === 'gemini') return String(headers['x-goog-api-key'] ?? '')
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
}

/** Checks the key, and the headers that a provider demands. Keys that contain `wrong` are wrong. @throws Refusal */
export function checkAccess(provider: ProviderName, key: string, headers: IncomingHttpHeaders): void {
  const isWrong = key.includes('wrong')
  switch (provider) {
    case 'openai':
      if (key === '')
        refuse(
          401,
          openAiError(
            "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
          ),
        )
      // The real server shows the ends of the key too.
      if (isWrong)
        refuse(
          401,
          openAiError(
            `Incorrect API key provided: ${key.slice(0, 8)}***${key.slice(-4)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
            { code: 'invalid_api_key' },
          ),
        )
      return
    case 'deepseek':
      if (key === '' || isWrong)
        refuse(
          401,
          openAiError(`Authentication Fails, Your api key: ****${key.slice(-4)} is invalid`, {
            type: 'authentication_error',
            code: 'invalid_request_error',
          }),
        )
      return
    case 'anthropic':
      if (headers['anthropic-version'] === undefined)
        refuse(400, anthropicError('invalid_request_error', 'anthropic-version: header is required'))
      if (headers['anthropic-version'] !== '2023-06-01')
        refuse(
          400,
          anthropicError(
            'invalid_request_error',
            `anthropic-version: "${headers['anthropic-version']}" is not a valid version`,
          ),
        )
      if (key === '') refuse(401, anthropicError('authentication_error', 'x-api-key header is required'))
      if (isWrong) refuse(401, anthropicError('authentication_error', 'invalid x-api-key'))
      return
    case 'gemini':
      if (key === '')
        refuse(
          403,
          geminiError(
            403,
            'PERMISSION_DENIED',
            "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
          ),
        )
      if (isWrong)
        refuse(
          400,
          geminiError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'API_KEY_INVALID',
              domain: 'googleapis.com',
              metadata: { service: 'generativelanguage.googleapis.com' },
            },
          ]),
        )
      return
    case 'custom':
      if (isWrong) refuse(401, openAiError('Unauthorized', { type: 'authentication_error' }))
      return
    default:
      provider satisfies never
  }
}

function refuse(status: number, body: unknown): never {
  throw new Refusal(status, body)
}
