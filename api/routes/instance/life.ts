import type {
  CreateInstanceReply,
  CreateInstanceRequest,
  DeleteInstanceReply,
  FindInstancesReply,
  FindInstancesRequest,
  RotateTokenReply,
  RotateTokenRequest,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceDirectory } from '../../../schemas/ports/instances.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute, instanceRoute, type Route } from '../../route.js'

export const findInstances = adminRoute<FindInstancesRequest>({
  method: 'POST',
  path: '/instance/find',
  isSearch: true,
  audited: false,
  name: 'findInstances',
  area: 'Administration',
  summary: 'Search the instances, page by page, with their numbers by status',
  reads: true,
  schema: 'instance/find.json',
  errors: [],
  async handle({ body }, { ports, options }): Promise<FindInstancesReply> {
    const { filter = {}, sort = '-created', limit = 100, cursor } = body
    const { instances, next, counts } = await ports.instances.find({
      filter,
      sort: sort.endsWith('name') ? 'name' : 'created',
      isDescending: sort.startsWith('-'),
      limit,
      cursor,
    })
    const records = await Promise.all(instances.map(({ instance }) => instanceRecord(instance, options)))
    return {
      instances: instances.map(({ instance, node, isPaired, lastActivityAt, since, waiting }, index) => ({
        instance: records[index] as (typeof records)[number],
        node: node ?? '',
        wanted: instance.desiredConnected,
        paired: isPaired,
        exported: instance.isExported,
        lastActivity: lastActivityAt?.toISOString() ?? null,
        since: since?.toISOString() ?? null,
        waitingSends: waiting,
      })),
      next,
      counts: counts === null ? null : { ...counts },
    }
  },
})

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

export const rotateToken = instanceRoute<RotateTokenRequest>({
  method: 'POST',
  path: '/instance/token/rotate',
  name: 'rotateToken',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Give the instance another token; its keys stay',
  schema: 'instance/token-rotate.json',
  errors: ['INSTANCE_NOT_FOUND'],
  handle: ({ instance, body }, { ports }) => giveToken(ports.instances, instance.id, body),
})

/** Rotates the token. Resolves with the answer for the caller. */
export async function giveToken(
  instances: Pick<InstanceDirectory, 'rotateToken'>,
  instance: InstanceId,
  { graceSeconds = 0 }: RotateTokenRequest,
): Promise<RotateTokenReply> {
  const { token, formerEnds } = await instances.rotateToken(instance, graceSeconds * 1_000)
  return {
    success: true,
    message: 'Keep the token: it is not told again.',
    token,
    former_end: formerEnds.toISOString(),
  }
}

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
