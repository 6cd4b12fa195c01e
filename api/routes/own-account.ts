/** The account of an instance, as its owner knows it. */
import type { CommandRouter } from '../../actors/operations/router.js'
import { GatewayError } from '../../schemas/errors.js'
import { readUser } from '../../schemas/jid.js'
import type { InstanceRow } from '../../schemas/ports/instances.js'

type Known = Pick<InstanceRow, 'id' | 'owner'>

/**
 * Returns the number of the account in digits; '' if the instance is not paired. The row of a call may have been read before the pairing,
 * so the owner of the instance is asked if the row has none.
 * @throws GatewayError INSTANCE_MOVING, INSTANCE_NOT_FOUND
 */
export async function findAccount({ id, owner }: Known, router: CommandRouter): Promise<string> {
  if (owner !== '') return owner
  const { jid } = await router.ask(id, { type: 'status' })
  return jid === null ? '' : readUser(jid)
}

/** Refuses a call that needs a paired instance. @throws GatewayError INSTANCE_NOT_CONNECTED, and as `findAccount` */
export async function needAccount(instance: Known, router: CommandRouter): Promise<void> {
  if ((await findAccount(instance, router)) === '') throw new GatewayError('INSTANCE_NOT_CONNECTED')
}
