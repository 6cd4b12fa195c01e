import type { CreateInstanceReply, CreateInstanceRequest } from '../../../schemas/generated.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute, type Route } from '../../route.js'

export const initInstance = makeInstance('/instance/init', 'initInstance', 'Make an instance')

/** Newer name of the same operation. */
export const createInstance = makeInstance('/instance/create', 'createInstance', 'Make an instance (newer name)')

function makeInstance(path: string, name: string, summary: string): Route {
  return adminRoute<CreateInstanceRequest>({
    method: 'POST',
    path,
    name,
    area: 'Administration',
    summary,
    schema: 'instance/init.json',
    idempotent: 'kept',
    errors: [],
    async handle({ body, note }, { ports, options }): Promise<CreateInstanceReply> {
      const { instance, token } = await ports.instances.create({
        name: body.name,
        systemName: body.systemName ?? 'Posthorn',
        adminField01: body.adminField01 ?? '',
        adminField02: body.adminField02 ?? '',
        tags: body.tags ?? [],
      })
      note.subject = instance.id
      return {
        response: 'Instance created',
        instance: { ...(await instanceRecord(instance, options)), token },
        connected: false,
        loggedIn: false,
        name: instance.name,
        token,
        info: 'Keep the token: it is not told again. POST /instance/connect pairs the instance.',
      }
    },
  })
}
