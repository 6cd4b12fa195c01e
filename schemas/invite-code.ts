import { GatewayError } from './errors.js'

// Bound: 1,048,576, a field of a request.

/**
 * The code of an invitation, alone or at the end of its URL.
 * @throws GatewayError INVALID_INVITE
 */
export function parseInviteCode(input: string): string {
  const text = input.trim().replace(/^(https?:\/\/)?chat\.whatsapp\.com\/(invite\/)?/i, '')
  // Bound: 5,000, a field of a request.
  const [code = ''] = text.split(/[/?#]/, 1)
  if (/^[\w-]{10,50}$/.test(code)) return code
  const why = 'must be a code of 10 to 50 letters and digits, or a URL with one'
  throw new GatewayError('INVALID_INVITE', { details: [{ field: 'inviteCode', why }] })
}
