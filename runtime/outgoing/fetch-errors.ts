/** Errors of requests to addresses that others chose. */
import { GatewayError } from '../../schemas/errors.js'
import { AddressRefused, notAllowed } from './guard.js'

/** Maps a failure of a request, or of reading its answer, to an error for the caller. */
export function asFetchError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (wordFor(error) === 'ADDRESS_REFUSED') return notAllowed()
  if (error instanceof Error && error.name === 'TimeoutError') return fetchFailed('It took too long.')
  if (isOfDecoder(error)) return fetchFailed('It is compressed and cannot be read.')
  return new GatewayError('FETCH_FAILED', { details: [{ field: 'url', why: wordFor(error) }], cause: error })
}

function isOfDecoder(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return (
    typeof code === 'string' &&
    (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_BROTLI'))
  )
}

export function fetchFailed(why: string): GatewayError {
  return new GatewayError('FETCH_FAILED', { details: [{ field: 'url', why }] })
}

/** One word that names a failure of the network, without addresses in it. */
export function wordFor(error: unknown): string {
  if (error instanceof AddressRefused) return error.code
  if (error instanceof AggregateError && error.errors.length > 0) return wordFor(error.errors[0])
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'FAILED'
}

export function tooLarge(limitBytes: number): GatewayError {
  return new GatewayError('MEDIA_TOO_LARGE', { fields: { limit_bytes: limitBytes } })
}
