import { packageVersion } from '../../../lib/package-root.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  EndListedPassReply,
  EndPassReply,
  ListPassesQuery,
  OpenInstancePassReply,
  OpenInstancePassRequest,
  OpenPairingLinkReply,
  OpenPairingLinkRequest,
  OpenPassCodeReply,
  OpenPassCodeRequest,
  OpenPassReply,
  OpenPassRequest,
  PassesReply,
  PassRecord,
  ShowPassReply,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { PassRow } from '../../../schemas/ports/access.js'
import { instanceRecord, recordFor } from '../../answers/instance-record.js'
import { adminRoute, eitherRoute, instanceRoute, type Route } from '../../route.js'

const PAIRING_LIFE_SECONDS = 900

const openPairingLink = instanceRoute<OpenPairingLinkRequest>({
  method: 'POST',
  path: '/instance/pairinglink',
  name: 'openPairingLink',
  area: 'Passes',
  scope: 'token',
  audited: true,
  summary:
    'Make a link for the person with the phone: it works once, shows the QR or code of this instance, and nothing else',
  schema: 'pass/pairing-link.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_PASSES', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body, credential, note }, { ports }): Promise<OpenPairingLinkReply> {
    const lifeMs = (body.expiresInSeconds ?? PAIRING_LIFE_SECONDS) * 1_000
    const { pass, code } = await ports.passes.openPairing(credential, instance.id, lifeMs)
    note.pass = pass.id
    return { pass: passRecord(pass), code, path: `/dashboard/#pair=${code}` }
  },
})

const showPass = eitherRoute({
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

const openPass = eitherRoute<OpenPassRequest>({
  method: 'POST',
  path: '/pass',
  name: 'openPass',
  area: 'Passes',
  scope: 'any',
  pairs: true,
  audited: true,
  refusesPass: true,
  takesCode: true,
  summary: 'Make a pass: a token with the rights of the one in the header, which ends by itself',
  schema: 'pass/open.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_PASSES', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body, credential, note }, { ports }): Promise<OpenPassReply> {
    const lifeMs = body.expiresInSeconds === undefined ? null : body.expiresInSeconds * 1_000
    const { pass, token } = await ports.passes.open(credential, instance?.id ?? null, lifeMs)
    note.pass = pass.id
    return { pass: passRecord(pass), token }
  },
})

const LIFE_SECONDS = 600

const openPassCode = eitherRoute<OpenPassCodeRequest>({
  method: 'POST',
  path: '/pass/code',
  name: 'openPassCode',
  area: 'Passes',
  scope: 'any',
  audited: true,
  refusesPass: true,
  summary: 'Make a code for a link to the dashboard: POST /pass takes it once, instead of a token, and makes the pass',
  schema: 'pass/code.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_PASSES', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body, credential, note }, { ports }): Promise<OpenPassCodeReply> {
    const lifeMs = (body.expiresInSeconds ?? LIFE_SECONDS) * 1_000
    const { pass, code } = await ports.passes.openCode(credential, instance?.id ?? null, lifeMs)
    note.pass = pass.id
    return { pass: passRecord(pass), code }
  },
})

const openInstancePass = adminRoute<OpenInstancePassRequest>({
  method: 'POST',
  path: '/admin/instances/:id/pass',
  name: 'openInstancePass',
  area: 'Passes',
  summary:
    'Make a pass with which an administrator acts on an instance, as its token would; the audit log has what it does',
  schema: 'pass/open-instance.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_PASSES', 'INSTANCE_NOT_FOUND'],
  async handle({ params, body, credential, note }, { ports }): Promise<OpenInstancePassReply> {
    const lifeMs = body.expiresInSeconds === undefined ? null : body.expiresInSeconds * 1_000
    const { pass, token } = await ports.passes.open(credential, (params.id ?? '') as InstanceId, lifeMs)
    note.pass = pass.id
    return { pass: passRecord(pass), token }
  },
})

const listPasses = eitherRoute<undefined, ListPassesQuery>({
  method: 'GET',
  path: '/passes',
  name: 'listPasses',
  area: 'Passes',
  scope: 'token',
  isSearch: true,
  summary: 'List the passes of the instance, or all for the administrator, without what opens anything',
  schema: 'pass/list.json',
  errors: [],
  async handle({ instance, query }, { ports }): Promise<PassesReply> {
    const of = instance?.id ?? ((query.instance ?? null) as InstanceId | null)
    const { passes, next } = await ports.passes.list(of, query.limit ?? 500, query.cursor)
    return { passes: passes.map(passRecord), hasMore: next !== null, next }
  },
})

const endPass = eitherRoute({
  method: 'DELETE',
  path: '/pass',
  name: 'endPass',
  area: 'Passes',
  scope: 'any',
  pairs: true,
  audited: true,
  summary: 'End the pass in the header and those that were made with it, on every node at once',
  schema: 'pass/end.json',
  errors: ['PASS_NOT_FOUND'],
  async handle({ credential: { pass } }, { ports }): Promise<EndPassReply> {
    if (pass === null) throw new GatewayError('PASS_NOT_FOUND', { message: 'The token of the call is not a pass.' })
    await ports.passes.end(pass.id, null)
    return { response: 'Pass ended' }
  },
})

const endListedPass = eitherRoute({
  method: 'DELETE',
  path: '/passes/:id',
  name: 'endListedPass',
  area: 'Passes',
  scope: 'token',
  audited: true,
  summary:
    'End a pass of the instance, or any for the administrator, and those that were made with it, on every node at once',
  schema: 'pass/end-listed.json',
  errors: ['PASS_NOT_FOUND'],
  async handle({ instance, params: { id = '' }, note }, { ports }): Promise<EndListedPassReply> {
    note.subject = instance?.id ?? id
    await ports.passes.end(id, instance?.id ?? null)
    return { response: 'Pass ended' }
  },
})

/** Routes of the area, in the order of the documentation. */
export const passRoutes: readonly Route[] = [
  openPass,
  openPassCode,
  showPass,
  endPass,
  openInstancePass,
  openPairingLink,
  listPasses,
  endListedPass,
]

/** Returns the record of a pass for callers. */
function passRecord({
  id,
  instance,
  isCode,
  isPairing,
  openedBy,
  actor,
  created,
  idleEnds,
  ends,
}: PassRow): PassRecord {
  return {
    id,
    instance: instance ?? '',
    isCode,
    isPairing,
    openedBy,
    actor,
    created: created.toISOString(),
    idleEnds: idleEnds.toISOString(),
    ends: ends.toISOString(),
  }
}
