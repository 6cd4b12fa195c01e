/** Handlers of routes that drive one phone. */
import type { AddressSpace } from '../network/model.js'
import type { Phone } from '../phones/phone.js'
import { PhoneError } from '../phones/phone-error.js'
import type { Roster } from '../phones/roster.js'
import { optionalText } from './fields.js'
import type { ControlRequest, Route } from './server.js'

type OnPhone = (handle: (phone: Phone, request: ControlRequest) => unknown) => Route['handle']

/** Returns a function that makes a handler for the phone that the path names. */
export function createOnPhone(phones: Roster): OnPhone {
  return (handle) => (request) => handle(phones.get(request.parameters.number ?? ''), request)
}

export function readAddressing(body: Record<string, unknown>): AddressSpace | undefined {
  const value = optionalText(body, 'addressing')
  if (value === undefined || value === 'pn' || value === 'lid') return value
  throw new PhoneError(400, 'The field addressing is pn or lid.')
}
