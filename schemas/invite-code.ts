import { GatewayError } from './errors.js'

/**
 * The code of an invitation, alone or at the end of its URL.
 * @throws GatewayError INVALID_INVITE
 */
export function parseInviteCode(input: string): string {
  const text = input.trim().replace(/^(https?:\/\/)?chat\.whatsapp\.com\/(invite\/)?/i, '')
  const code = text.replace(/[/?#].*$/, '')
  if (/^[\w-]{10,50}$/.test(code)) return code
  const why = 'is no code of 10 to 50 letters and digits, and no URL with one'
  throw new GatewayError('INVALID_INVITE', { details: [{ field: 'inviteCode', why }] })
}
