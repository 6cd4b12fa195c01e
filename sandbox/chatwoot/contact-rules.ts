import type { Attributes, Contact } from './model.js'
import { refusals } from './refusal.js'

export interface ContactFields {
  readonly name?: string
  readonly phone?: string | null
  readonly identifier?: string | null
  readonly email?: string | null
  readonly avatarUrl?: string
  readonly customAttributes?: Attributes
  readonly additionalAttributes?: Attributes
}

const PHONE = /^\+[1-9]\d{1,14}$/
const EMAIL = /^[^@\s]+@[^@\s]+$/

/** Checks a contact as the platform does before it saves one. @throws Refusal */
export function checkContact(fields: ContactFields, all: Iterable<Contact>, ownId?: number): void {
  const { phone = null, identifier = null, email = null } = fields
  if (phone !== null && !PHONE.test(phone))
    throw refusals.invalid('Phone number should be in e164 format', 'phone_number')
  if (email !== null && !EMAIL.test(email)) throw refusals.invalid('Email Invalid email', 'email')
  for (const other of all) {
    if (other.id === ownId) continue
    if (phone !== null && other.phone === phone)
      throw refusals.invalid('Phone number has already been taken', 'phone_number')
    if (identifier !== null && other.identifier === identifier)
      throw refusals.invalid('Identifier has already been taken', 'identifier')
    if (email !== null && other.email === email) throw refusals.invalid('Email has already been taken', 'email')
  }
}
