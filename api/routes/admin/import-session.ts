import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { GatewayError } from '../../../schemas/errors.js'
import type { ImportSessionReply, ImportSessionRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute, type Context } from '../../route.js'

export const importSession = adminRoute<ImportSessionRequest>({
  method: 'POST',
  path: '/admin/instance/import-session',
  name: 'importSession',
  area: 'Administration',
  summary: 'Take over an account from another Baileys gateway, by the session that it has kept',
  schema: 'admin/import-session.json',
  idempotent: 'kept',
  fileFields: ['file'],
  errors: [
    'INVALID_SESSION',
    'ACCOUNT_EXISTS',
    'INSTANCE_LIMIT',
    'INSTANCE_MOVING',
    'MEDIA_TOO_LARGE',
    'MEDIA_STORAGE_UNAVAILABLE',
  ],
  async handle({ body, files, warnings, note }, context): Promise<ImportSessionReply> {
    const { ports, options } = context
    const arrived = files.get(body.file)
    // A short file is still in the body; a long one is in a temporary file.
    const file =
      arrived === undefined ? Readable.from([Buffer.from(body.file, 'base64')]) : createReadStream(arrived.path)
    const { name, systemName = 'Posthorn', tags = [] } = body
    const { instance, token, keyCount, ignored, ignoredCount } = await ports.sessions.take(file, {
      name,
      systemName,
      tags,
    })
    note.subject = instance.id
    warnings.push('file: the other gateway must stay stopped: two gateways with one session break it.')
    if (ignoredCount > 0)
      warnings.push(
        `file: ${ignoredCount} files are of no known kind and were left out, such as ${ignored.join(', ')}.`,
      )
    const refusal = body.connect === true ? await connect(instance.id, context) : null
    if (refusal !== null) warnings.push(`connect: the instance is not connected yet: ${refusal}`)
    return { instance: await instanceRecord(instance, options), token, keys: keyCount }
  },
})

/** Connects the instance. Returns why it is not connected, or null: it is here all the same. */
async function connect(id: InstanceId, { ports, options }: Context): Promise<string | null> {
  try {
    await ports.instances.setDesired(id, true)
    await ports.router.ask(id, { type: 'connect', waitMs: options.connectWaitMs })
    return null
  } catch (error) {
    return error instanceof GatewayError ? error.message : 'an error of ours'
  }
}
