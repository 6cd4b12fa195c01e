import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { GatewayError } from '../../../schemas/errors.js'
import type { ImportInstanceReply, ImportInstanceRequest } from '../../../schemas/generated.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute } from '../../route.js'

export const importInstance = adminRoute<ImportInstanceRequest>({
  method: 'POST',
  path: '/admin/instance/import',
  name: 'importInstance',
  area: 'Administration',
  summary: 'Import an instance that another installation exported',
  schema: 'admin/import-instance.json',
  idempotent: 'kept',
  fileFields: ['file'],
  errors: [
    'INVALID_EXPORT',
    'INSTANCE_EXISTS',
    'INSTANCE_LIMIT',
    'INSTANCE_MOVING',
    'MEDIA_TOO_LARGE',
    'MEDIA_STORAGE_UNAVAILABLE',
  ],
  async handle({ body, files, warnings, note }, { ports, options }): Promise<ImportInstanceReply> {
    const arrived = files.get(body.file)
    // A short file is still in the body; a long one is in a temporary file.
    const file =
      arrived === undefined
        ? Readable.from([Buffer.from(body.file, 'base64')])
        : createReadStream(arrived.path, { highWaterMark: 256 * 1024 })
    const id = await ports.transfer.write(file, body.passphrase)
    note.subject = id
    if (body.connect === true) {
      // The instance is here, even if it does not connect.
      const refusal = await connect().then(
        () => null,
        (error: unknown) => (error instanceof GatewayError ? error.message : 'an error of ours'),
      )
      if (refusal !== null) warnings.push(`connect: the instance is not connected yet: ${refusal}`)
    }
    const row = await ports.instances.byId(id)
    if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance: await instanceRecord(row, options) }

    async function connect(): Promise<void> {
      await ports.instances.setDesired(id, true)
      await ports.router.ask(id, { type: 'connect', waitMs: options.connectWaitMs })
    }
  },
})
