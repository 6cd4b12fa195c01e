import { PROFILE_FIELDS, type ProfileChange } from '../../../schemas/business-profile.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  BusinessCategoriesReply,
  BusinessProfileReply,
  BusinessProfileRequest,
  UpdateBusinessProfileReply,
  UpdateBusinessProfileRequest,
} from '../../../schemas/generated.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'
import { instanceRoute, PartlyDone } from '../../route.js'
import { changeErrors } from '../change-failed.js'

/** Error codes of reads. */
export const readErrors = [
  'INVALID_NUMBER',
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'NETWORK_REFUSED',
  'OUTCOME_UNKNOWN',
] as const

export const showBusinessProfile = instanceRoute<BusinessProfileRequest>({
  method: 'POST',
  path: '/business/get/profile',
  name: 'showBusinessProfile',
  area: 'Business',
  scope: 'read',
  summary: 'Show the profile of a business',
  schema: 'business/get-profile.json',
  errors: [...readErrors, 'NOT_A_BUSINESS'],
  async handle({ instance, body }, { ports }): Promise<BusinessProfileReply> {
    const of = businessOf(body.jid)
    const profile = await ports.router.ask(instance.id, { type: 'showBusinessProfile', of })
    if (profile === null) throw new GatewayError('NOT_A_BUSINESS')
    const { hours, websites, categories, ...texts } = profile
    const days = (hours?.days ?? []).map(({ day, mode, openMinutes, closeMinutes }) => ({
      ...{ day, mode, open: openMinutes, close: closeMinutes },
    }))
    const shownHours = { timezone: hours?.timezone ?? '', days }
    return {
      response: { ...texts, websites: [...websites], categories: [...categories], hours: shownHours },
    }
  },
})

export const listBusinessCategories = instanceRoute({
  method: 'GET',
  path: '/business/get/categories',
  name: 'listBusinessCategories',
  area: 'Business',
  scope: 'read',
  summary: 'List the categories that a business may have',
  schema: 'business/get-categories.json',
  errors: readErrors,
  async handle({ instance }, { ports }): Promise<BusinessCategoriesReply> {
    return { response: [...(await ports.router.ask(instance.id, { type: 'listBusinessCategories' }))] }
  },
})

export const updateBusinessProfile = instanceRoute<UpdateBusinessProfileRequest>({
  method: 'POST',
  path: '/business/update/profile',
  name: 'updateBusinessProfile',
  area: 'Business',
  scope: 'token',
  summary: 'Change the business profile of the account',
  schema: 'business/update-profile.json',
  doesPart: true,
  errors: changeErrors,
  async handle({ instance, body }, { ports }): Promise<UpdateBusinessProfileReply | PartlyDone> {
    const change: ProfileChange = Object.fromEntries(
      PROFILE_FIELDS.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])),
    )
    if (Object.keys(change).length === 0) throw noField()
    const outcomes = await ports.router.ask(instance.id, { type: 'changeBusinessProfile', change })
    const results = outcomes.map(({ field, error, code }) => ({
      field,
      success: error === null,
      error: error ?? '',
      provider_code: code,
    }))
    const updated = results.filter(({ success }) => success).map(({ field }) => field)
    const failed = results.filter(({ success }) => !success).map(({ field }) => field)
    const reply = { updated, failed, results }
    if (updated.length > 0) return failed.length === 0 ? reply : new PartlyDone(reply)
    const [{ error = '', provider_code = null } = {}] = results
    throw new GatewayError('CHANGE_FAILED', {
      message: `${error} Only accounts of WhatsApp Business have a profile to change.`,
      fields: { provider: 'whatsapp', provider_code, ...reply },
    })
  },
})

/** Returns null for the account itself. @throws GatewayError INVALID_NUMBER */
export function businessOf(jid: string | undefined): ChatAddress | null {
  if (jid === undefined) return null
  const address = parseAddress(jid, 'jid')
  if (address.group === undefined) return address
  const why = 'names a group or channel, which is no business'
  throw new GatewayError('INVALID_NUMBER', { message: `Invalid jid: it ${why}.`, details: [{ field: 'jid', why }] })
}

function noField(): GatewayError {
  const why = `must have at least one of ${PROFILE_FIELDS.join(', ')}`
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: it ${why}.`,
    details: [{ field: PROFILE_FIELDS[0], why }],
  })
}
