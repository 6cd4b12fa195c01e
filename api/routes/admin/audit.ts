import { GatewayError } from '../../../schemas/errors.js'
import type { AuditQueryParameters, AuditReply } from '../../../schemas/generated.js'
import { adminRoute } from '../../route.js'

export const listAudit = adminRoute<undefined, AuditQueryParameters>({
  method: 'GET',
  path: '/admin/audit',
  name: 'listAudit',
  area: 'Administration',
  summary: 'List the administrative calls: caller, operation and outcome',
  schema: 'admin/audit.json',
  errors: [],
  async handle({ query: { limit = 100, before, subject, operation, pass, from } }, { ports }): Promise<AuditReply> {
    const since = from === undefined ? undefined : new Date(from)
    // Refuses a leap second: it has the form of a time, and is none here.
    if (Number.isNaN(since?.getTime()))
      throw new GatewayError('INVALID_REQUEST', {
        message: 'Invalid request: from is not a time.',
        details: [{ field: 'from', why: 'is not a time' }],
      })
    const { entries, hasMore } = await ports.audit.find({
      limit,
      ...(before === undefined ? {} : { before }),
      ...(subject === undefined ? {} : { subject }),
      ...(operation === undefined ? {} : { operation }),
      ...(pass === undefined ? {} : { pass }),
      ...(since === undefined ? {} : { from: since }),
    })
    return {
      entries: entries.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
      hasMore,
      next: hasMore ? (entries.at(-1)?.position ?? null) : null,
    }
  },
})
