/** Fields of requests for edits, and for other changes that are encrypted under the secret of a message. */
import { proto } from '@whiskeysockets/baileys'
import type { AddressSpace } from '../network/model.js'
import type { Change, EditForm } from '../phones/changes.js'
import type { Phone } from '../phones/phone.js'
import { PhoneError } from '../phones/phone-error.js'
import { isSecretKind, type SecretOptions, sendSecret } from '../phones/secret-changes.js'
import { optionalFlag, optionalNumber, optionalText, requiredText } from './fields.js'
import { readAddressing } from './on-phone.js'
import type { ControlRequest } from './server.js'

type Body = Record<string, unknown>

const FORMS: readonly string[] = ['secret', 'plain', 'wrapped', 'both']

export function editIn(body: Body): Change {
  return {
    kind: 'edit',
    text: requiredText(body, 'text'),
    form: editFormIn(body, 'form'),
    authoredAgoSeconds: optionalNumber(body, 'authoredAgoSeconds'),
    secret: secretOptionsIn(body),
  }
}

export function editFormIn(body: Body, field: string): EditForm | undefined {
  const form = optionalText(body, field)
  if (form === undefined || FORMS.includes(form)) return form as EditForm | undefined
  throw new PhoneError(400, `The field ${field} is one of ${FORMS.join(', ')}.`)
}

/** Sends any such change: its plaintext is a message as JSON (`message`), or bytes (`base64`). */
export async function sendSecretChange(phone: Phone, { body }: ControlRequest) {
  const kind = requiredText(body, 'kind')
  if (!isSecretKind(kind)) throw new PhoneError(400, 'The field kind names no such change.')
  const base64 = optionalText(body, 'base64')
  const plaintext =
    base64 === undefined
      ? proto.Message.encode(proto.Message.fromObject((body.message ?? {}) as Body)).finish()
      : Buffer.from(base64, 'base64')
  const options = { ...secretOptionsIn(body), addressing: readAddressing(body) }
  return { id: await sendSecret(phone, requiredText(body, 'id'), kind, plaintext, options) }
}

function secretOptionsIn(body: Body): SecretOptions {
  return {
    author: spaceIn(body, 'author'),
    modifier: spaceIn(body, 'modifier'),
    to: optionalText(body, 'to'),
    useCase: optionalText(body, 'useCase'),
    isDamaged: optionalFlag(body, 'damaged'),
    repeatsSecret: optionalFlag(body, 'repeatsSecret'),
  }
}

function spaceIn(body: Body, field: string): AddressSpace | undefined {
  const value = optionalText(body, field)
  if (value === undefined || value === 'pn' || value === 'lid') return value
  throw new PhoneError(400, `The field ${field} is pn or lid.`)
}
