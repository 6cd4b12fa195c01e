/** The salt of first contacts, in fields that the library's schema lacks (whatsmeow `appstate.go`, `cstoken.go`). */
import { proto } from '@whiskeysockets/baileys'
import type { Mutation } from './app-state.js'

export const HISTORY_SALT = 19
const ACTION = 80
const SALT = 1

/** Values of changes with the salt, which the library would encode without it. */
const actions = new WeakMap<object, Uint8Array>()

/** Returns the change of app state that tells the salt, or, without one, takes it away. */
export function saltMutation(salt: Uint8Array | undefined): Mutation {
  encodeSalts()
  const value: proto.ISyncActionValue & { contactSalt: Uint8Array } = { contactSalt: salt ?? new Uint8Array() }
  return { collection: 'regular_high', index: ['nct_salt_sync'], value, version: 1 }
}

/** A field of bytes as it is encoded. */
export function bytesField(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content])
}

let isPatched = false

function encodeSalts(): void {
  if (isPatched) return
  isPatched = true
  const { fromObject, encode } = proto.SyncActionValue
  proto.SyncActionValue.fromObject = (object) => {
    const made = fromObject(object)
    const { contactSalt } = object as { contactSalt?: Uint8Array }
    if (contactSalt !== undefined) actions.set(made, contactSalt)
    return made
  }
  proto.SyncActionValue.encode = (value, writer) => {
    const written = encode(value, writer)
    const salt = actions.get(value)
    return salt === undefined ? written : written.uint32(ACTION * 8 + 2).bytes(bytesField(SALT, salt))
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80)
  return Buffer.from([...bytes, rest])
}
