import type {
  SetPresenceReply,
  SetPresenceRequest,
  SetPrivacyRequest,
  ShowPrivacyReply,
} from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'

export const setPrivacy = instanceRoute<SetPrivacyRequest>({
  method: 'POST',
  path: '/instance/privacy',
  name: 'setPrivacy',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Change privacy settings of the account',
  schema: 'instance/set-privacy.json',
  errors: [...changeErrors, 'NETWORK_REFUSED'],
  async handle({ instance, body }, { ports }): Promise<ShowPrivacyReply> {
    const { disappearing, ...settings } = body
    const changed = await ports.router.ask(instance.id, {
      type: 'setPrivacy',
      settings,
      ...(disappearing === undefined ? {} : { disappearingSeconds: disappearing }),
    })
    return { ...changed.settings, disappearing: changed.disappearingSeconds }
  },
})

export const showPrivacy = instanceRoute({
  method: 'GET',
  path: '/instance/privacy',
  name: 'showPrivacy',
  area: 'Instance',
  scope: 'token',
  summary: 'Show the privacy settings of the account',
  schema: 'instance/privacy.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'NETWORK_REFUSED', 'OUTCOME_UNKNOWN'],
  async handle({ instance }, { ports }): Promise<ShowPrivacyReply> {
    const { settings, disappearingSeconds } = await ports.router.ask(instance.id, { type: 'showPrivacy' })
    return { ...settings, disappearing: disappearingSeconds }
  },
})

const SENTENCES = {
  available: 'The account is available. Its phone shows no notifications meanwhile.',
  unavailable: 'The account is unavailable. Senders see one tick while no other device of it is available.',
} as const

export const setPresence = instanceRoute<SetPresenceRequest>({
  method: 'POST',
  path: '/instance/presence',
  name: 'setPresence',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose the presence that the account shows, now and after each login',
  schema: 'instance/presence.json',
  errors: ['STORE_UNAVAILABLE', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body: { presence } }, { ports }): Promise<SetPresenceReply> {
    const { isShown } = await ports.router.ask(instance.id, { type: 'setPresence', presence })
    return { response: SENTENCES[presence], presence, shown: isShown }
  },
})
