import type { ShowPassReply } from '../../../schemas/generated.js'
import { packageVersion } from '../../../schemas/package-root.js'
import { instanceRecord, recordFor } from '../../answers/instance-record.js'
import { passRecord } from '../../answers/pass-record.js'
import { eitherRoute } from '../../route.js'

export const showPass = eitherRoute({
  method: 'GET',
  path: '/pass',
  name: 'showPass',
  area: 'Passes',
  scope: 'any',
  pairs: true,
  summary: 'Tell what the pass, token or key in the header opens, until when, and what this gateway can do',
  schema: 'pass/show.json',
  errors: [],
  async handle({ instance, key, credential }, { ports, options }): Promise<ShowPassReply> {
    return {
      kind: credential.kind,
      scopes: key === null ? [] : [...key.scopes],
      chat: key?.chat ?? '',
      pairing: key?.onlyPairs === true,
      instance: instance === null ? null : recordFor(key, await instanceRecord(instance, options)),
      pass: credential.pass === null ? null : passRecord(credential.pass),
      version: packageVersion,
      features: {
        conversion: ports.media.canConvert,
        menuTextFallback: options.menuTextFallback,
        mediaMaxBytes: options.fileBytesMax,
      },
    }
  },
})
