/** Errors of providers as faults of a script. */
import { anthropicError, geminiError, openAiError } from './refusal.js'
import type { Fault, ProviderName } from './script.js'

type Headers = Readonly<Record<string, string>>

export const faults = {
  /** Too many requests. `wait`: header or, for Gemini, the delay in the body. */
  rateLimited(provider: ProviderName, wait: { readonly headers?: Headers; readonly retryDelay?: string } = {}): Fault {
    const headers = wait.headers ?? {}
    if (provider === 'anthropic')
      return status(429, anthropicError('rate_limit_error', 'This request would exceed your rate limit.'), headers)
    if (provider === 'gemini')
      return status(
        429,
        geminiError(
          429,
          'RESOURCE_EXHAUSTED',
          'You exceeded your current quota, please check your plan and billing details.',
          [
            { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
            ...(wait.retryDelay === undefined
              ? []
              : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: wait.retryDelay }]),
          ],
        ),
        headers,
      )
    return status(
      429,
      openAiError('Rate limit reached for requests.', { type: 'requests', code: 'rate_limit_exceeded' }),
      headers,
    )
  },
  noQuota: (): Fault =>
    status(
      429,
      openAiError('You exceeded your current quota, please check your plan and billing details.', {
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
    ),
  billingLimit: (): Fault =>
    status(400, openAiError('Billing hard limit has been reached.', { code: 'billing_hard_limit_reached' })),
  noBalance: (): Fault =>
    status(402, openAiError('Insufficient Balance', { type: 'unknown_error', code: 'invalid_request_error' })),
  anthropicBilling: (): Fault => status(402, anthropicError('billing_error', 'There is a problem with your billing.')),
  anthropicCredit: (): Fault =>
    status(
      400,
      anthropicError(
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      ),
    ),
  spendLimit: (): Fault =>
    status(
      429,
      anthropicError('rate_limit_error', 'Your organization has reached its spend limit.', {
        error_code: 'enforced_spend_limit_reached',
      }),
    ),
  overloaded: (headers: Headers = {}): Fault => status(529, anthropicError('overloaded_error', 'Overloaded'), headers),
  geminiStatus: (code: number, name: string, message: string): Fault => status(code, geminiError(code, name, message)),
  /** OpenRouter answers 200 to a request that its provider refused. */
  errorIn200: (code: number, message: string): Fault =>
    status(200, { error: { code, message, metadata: { provider_name: 'Somebody' } } }),
  htmlPage: (code = 502): Fault =>
    status(code, '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>', {
      'content-type': 'text/html',
    }),
  status,
} as const

function status(code: number, body: unknown, headers: Headers = {}): Fault {
  return { kind: 'status', status: code, body, headers }
}
