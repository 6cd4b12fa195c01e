import assert from 'node:assert/strict'
import { GatewayError } from '../../schemas/errors.js'

interface Refusal {
  readonly message: string
  readonly details: readonly { readonly field: string; readonly why: string }[]
}

/** Returns the message and details of the refusal by `act`. Fails when `act` refuses nothing, or throws anything but the error for callers. */
export function catchDetails(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error))
    assert.equal(error.code, 'INVALID_REQUEST')
    const details = error.details as Refusal['details']
    for (const { field, why } of details) assert.ok(field !== '' && why !== '')
    return { message: error.message, details }
  }
  throw new assert.AssertionError({ message: 'Nothing was refused.' })
}

/** Returns the details, one sentence each. */
export function catchProblems(act: () => unknown): string[] {
  return catchDetails(act).details.map(({ field, why }) => `${field} ${why}`)
}
