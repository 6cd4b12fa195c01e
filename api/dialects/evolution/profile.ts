/** The profile of the account and those of others, and privacy. */
import { GatewayError } from '../../../schemas/errors.js'
import { showBusinessProfile } from '../../routes/business/index.js'
import { checkNumbers, tellChatDetails } from '../../routes/chat/check.js'
import { setPrivacy, showPrivacy } from '../../routes/instance/privacy.js'
import { setProfileImage, setProfileName, setProfileStatus } from '../../routes/profile/index.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { asText, file, number, object, text, toJid } from './fields.js'

const shared = { area: 'Profile', opens: 'instance', method: 'POST', status: 200 } as const
const PRIVACY = ['readreceipts', 'profile', 'status', 'online', 'last', 'groupadd'] as const
const DONE = { update: 'success' }

export const evolutionProfileRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    path: '/chat/fetchProfile',
    name: 'fetchProfile',
    summary: 'Show what is known of a person',
    operations: [checkNumbers, tellChatDetails, showBusinessProfile],
    differs: '`status`, the about text of the person, is null.',
    body: object({ number }),
    handle: fetchProfile,
  },
  {
    ...shared,
    path: '/chat/fetchBusinessProfile',
    name: 'fetchBusinessProfile',
    summary: 'Show the profile of a business',
    operations: [showBusinessProfile],
    body: object({ number }),
    async handle(call) {
      const business = await findBusiness(call, toJid(call.body.number))
      return business === null ? { isBusiness: false } : { isBusiness: true, ...business }
    },
  },
  {
    ...shared,
    path: '/chat/updateProfileName',
    name: 'updateProfileName',
    summary: 'Change the name of the account',
    operations: [setProfileName],
    body: object({ name: { ...text('The name.', 100), minLength: 1 } }, ['name']),
    async handle(call) {
      await call.ask(setProfileName, { body: { name: call.body.name } })
      return DONE
    },
  },
  {
    ...shared,
    path: '/chat/updateProfileStatus',
    name: 'updateProfileStatus',
    summary: 'Change the about text of the account',
    operations: [setProfileStatus],
    body: object({ status: text('The text.', 1_000) }, ['status']),
    async handle(call) {
      await call.ask(setProfileStatus, { body: { text: call.body.status } })
      return DONE
    },
  },
  {
    ...shared,
    path: '/chat/updateProfilePicture',
    name: 'updateProfilePicture',
    summary: 'Change the picture of the account',
    operations: [setProfileImage],
    body: object({ picture: file('The picture: a URL, or base64.') }, ['picture']),
    async handle(call) {
      await call.ask(setProfileImage, { body: { image: call.body.picture } })
      return DONE
    },
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/chat/removeProfilePicture',
    name: 'removeProfilePicture',
    summary: 'Remove the picture of the account',
    operations: [setProfileImage],
    async handle(call) {
      await call.ask(setProfileImage, { body: { image: 'remove' } })
      return DONE
    },
  },
  {
    ...shared,
    method: 'GET',
    path: '/chat/fetchPrivacySettings',
    name: 'fetchPrivacySettings',
    summary: 'Show the privacy settings',
    operations: [showPrivacy],
    handle: async (call) => pickPrivacy(await call.ask(showPrivacy)),
  },
  {
    ...shared,
    status: 201,
    path: '/chat/updatePrivacySettings',
    name: 'updatePrivacySettings',
    summary: 'Change the privacy settings',
    operations: [setPrivacy],
    body: object(
      Object.fromEntries(PRIVACY.map((name) => [name, text('Who, in the words of WhatsApp.', 50)])),
      PRIVACY,
    ),
    async handle(call) {
      const asked = Object.fromEntries(PRIVACY.map((name) => [name, call.body[name]]))
      const set = await call.ask(setPrivacy, { body: asked })
      return { update: 'success', data: pickPrivacy({ ...asked, ...set }) }
    },
  },
]

function pickPrivacy(settings: Json): Json {
  return Object.fromEntries(PRIVACY.map((name) => [name, settings[name]]))
}

async function fetchProfile(call: DialectCall): Promise<Json> {
  const wuid = toJid(call.body.number)
  const [checked] = await call.ask<readonly Json[]>(checkNumbers, { body: { numbers: [wuid] } })
  if (checked?.isInWhatsapp !== true) return { wuid, name: null, numberExists: false, picture: null, isBusiness: false }
  const [details, business] = await Promise.all([
    call.ask(tellChatDetails, { body: { number: wuid } }),
    findBusiness(call, wuid),
  ])
  const { wa_contactName, wa_name, name, image } = details
  return {
    wuid,
    name: asText(wa_contactName) || asText(wa_name) || asText(name) || null,
    numberExists: true,
    picture: asText(image) || null,
    status: null,
    isBusiness: business !== null,
    email: business?.email ?? null,
    description: business?.description ?? null,
    website: Array.isArray(business?.websites) ? (business.websites[0] ?? null) : null,
  }
}

/** Returns the profile of a business; null if the account is none. */
async function findBusiness(call: DialectCall, jid: string): Promise<Json | null> {
  try {
    return (await call.ask<{ response: Json }>(showBusinessProfile, { body: { jid } })).response
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'NOT_A_BUSINESS') return null
    throw error
  }
}
