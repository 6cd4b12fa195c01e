import type { DeleteInstanceReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const deleteInstance = instanceRoute({
  method: 'DELETE',
  path: '/instance',
  name: 'deleteInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Delete the instance with all its data',
  schema: 'instance/delete.json',
  errors: [],
  async handle({ instance }, { ports, options }): Promise<DeleteInstanceReply> {
    if (instance.isExported) {
      await ports.instances.delete(instance.id)
      return {
        response: 'Instance deleted',
        info: 'Everything stored of it here is gone; where it was imported it continues.',
      }
    }
    await ports.instances.setDesired(instance.id, false)
    // Logs out as a courtesy to the phone. An owner or network that does not answer must not keep the instance alive: without its rows
    // the instance can neither write nor connect.
    const loggedOut = await ports.router.ask(instance.id, { type: 'delete' }).then(
      () => true,
      (error: unknown) => {
        options.logger.warn({ instanceId: instance.id, err: error }, 'A deleted instance could not be logged out')
        return false
      },
    )
    await ports.instances.delete(instance.id)
    return {
      response: 'Instance deleted',
      info: loggedOut
        ? 'Everything stored of it is gone.'
        : 'Everything stored of it is gone. It could not be logged out: remove the device on the phone.',
    }
  },
})
