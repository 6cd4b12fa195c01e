import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { GatewayError } from '../../../schemas/errors.js'
import type { ExportInstanceRequest, ImportSessionReply, ImportSessionRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { CarriedParts } from '../../../schemas/ports/transfer.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { Answer, adminRoute, type Context } from '../../route.js'

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

export const exportInstance = adminRoute<ExportInstanceRequest>({
  method: 'POST',
  path: '/admin/instance/export',
  name: 'exportInstance',
  area: 'Administration',
  summary: 'Export an instance to another installation, as an encrypted file; here it stays disconnected',
  schema: 'admin/export-instance.json',
  produces: 'application/octet-stream',
  errors: [
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_PAIRED',
    'INSTANCE_CONNECTED',
    'INSTANCE_EXPORTED',
    'SENDS_WAITING',
    'INSTANCE_MOVING',
  ],
  async handle({ body: { id, passphrase, stop, webhooks = true, messages = true }, note }, context): Promise<Answer> {
    note.subject = id
    const { instances, transfer } = context.ports
    const instance = await instances.byId(id as InstanceId)
    if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    const parts = { webhooks, messages }
    // A repeated export, of a file that was lost, finds nothing changed since the first.
    if (!instance.isExported) await markAsExported(instance, stop === true, parts, context)
    return new Answer({
      body: await transfer.read(instance.id, passphrase, parts),
      type: 'application/octet-stream',
      headers: {
        'Content-Disposition': `attachment; filename="${instance.id}.posthorn"`,
        'Cache-Control': 'no-store',
      },
    })
  },
})

/** Marks the instance as exported and ends its connection. If that fails, leaves the instance as it was. */
async function markAsExported(
  instance: InstanceRow,
  stop: boolean,
  parts: CarriedParts,
  context: Context,
): Promise<void> {
  const { instances, router, transfer } = context.ports
  const { id, desiredConnected: wasWanted } = instance
  await transfer.check(id, parts)
  if ((wasWanted || instance.status !== 'disconnected') && !stop) throw new GatewayError('INSTANCE_CONNECTED')
  await instances.setDesired(id, false)
  let isMarked = false
  try {
    await router.ask(id, { type: 'pause' })
    await transfer.mark(id, parts)
    isMarked = true
    // Ends a connection that was opened in between, with the credentials. Later ones do not get them.
    await router.ask(id, { type: 'pause' })
  } catch (error) {
    await resume(id, { isMarked, wasWanted }, context).catch((failure: unknown) =>
      context.options.logger.error(
        { instanceId: id, err: failure },
        'An instance that was not exported stays stopped.',
      ),
    )
    throw error
  }
}

async function resume(
  id: InstanceId,
  { isMarked, wasWanted }: { isMarked: boolean; wasWanted: boolean },
  { ports }: Context,
): Promise<void> {
  if (isMarked) await ports.transfer.unmark(id)
  if (!wasWanted) return
  await ports.instances.setDesired(id, true)
  await ports.router.ask(id, { type: 'connect', waitMs: 0 })
}
