/** `/phones…`: making simulated phones, and driving them. */
import type { Phone, PhoneSettings } from '../phones/phone.js'
import { PhoneError } from '../phones/phone-error.js'
import type { Roster } from '../phones/roster.js'
import { editFormIn } from './change-fields.js'
import { optionalFlag, optionalNumber, optionalText, requiredText } from './fields.js'
import { createOnPhone, readAddressing } from './on-phone.js'
import type { Route } from './server.js'

type Body = Record<string, unknown>

export function phoneRoutes(phones: Roster): Route[] {
  const onPhone = createOnPhone(phones)
  return [
    { method: 'GET', path: '/phones', handle: () => phones.all().map(describe) },
    {
      method: 'POST',
      path: '/phones',
      handle({ body }) {
        const phone = phones.create(
          requiredText(body, 'phone'),
          optionalText(body, 'name') ?? 'Phone',
          optionalText(body, 'lid'),
        )
        applySettings(phone, body)
        return describe(phone)
      },
    },
    { method: 'POST', path: '/crowd', handle: ({ body }) => makeCrowd(phones, body) },
    { method: 'GET', path: '/phones/:number', handle: onPhone(describe) },
    {
      method: 'PATCH',
      path: '/phones/:number',
      handle: onPhone((phone, { body }) => {
        applySettings(phone, body)
        return describe(phone)
      }),
    },
    {
      method: 'DELETE',
      path: '/phones/:number',
      handle: ({ parameters }) => phones.remove(parameters.number ?? ''),
    },
    {
      method: 'POST',
      path: '/phones/:number/companions',
      handle: onPhone((phone, { body }) => {
        phone.addCompanions(optionalNumber(body, 'count') ?? 1)
        return describe(phone)
      }),
    },
    {
      method: 'POST',
      path: '/phones/:number/offline',
      handle: onPhone((phone) => phone.queue(() => phone.goOffline())),
    },
    { method: 'POST', path: '/phones/:number/online', handle: onPhone((phone) => phone.goOnline()) },
  ]
}

function describe(phone: Phone) {
  const { account } = phone
  const devices = [...account.devices.values()].map((device) => ({
    id: device.id,
    jid: device.jid('pn'),
    lid: device.jid('lid'),
    platform: device.platform,
    connected: device.session !== undefined,
    active: device.session?.active ?? false,
    available: device.available,
    pending: device.pending.size,
    preKeys: device.preKeys.size,
  }))
  return {
    phone: account.phoneNumber,
    name: account.name,
    jid: account.jid('pn'),
    lid: account.jid('lid'),
    online: phone.online,
    settings: phone.settings,
    companions: phone.companions.map(({ device, read }) => ({ device: device.id, read: [...read] })),
    about: account.about,
    privacy: Object.fromEntries(account.privacy),
    disappearingSeconds: account.disappearing.seconds,
    picture: account.pictureBytes?.toString('base64') ?? '',
    devices,
  }
}

const CROWD_MAX = 20_000

/** Makes so many phones, with numbers that follow each other. */
function makeCrowd(phones: Roster, body: Body) {
  const first = Number(requiredText(body, 'first'))
  const count = optionalNumber(body, 'count') ?? 1
  if (!Number.isSafeInteger(first) || count < 1 || count > CROWD_MAX)
    throw new PhoneError(
      400,
      `A crowd has 1 to ${CROWD_MAX} phones, and the field first is the number of the first one.`,
    )
  const numbers = Array.from({ length: count }, (_, index) => String(first + index))
  for (const number of numbers) applySettings(phones.create(number, `Person ${number}`), body)
  return { numbers }
}

function applySettings(phone: Phone, body: Body): void {
  const settings: PhoneSettings = { ...phone.settings }
  const flags = ['autoDelivery', 'refreshOnScan', 'greetCompanions', 'passkey', 'saltInHistory'] as const
  for (const flag of flags) settings[flag] = optionalFlag(body, flag) ?? settings[flag]
  settings.lacksContents = optionalFlag(body, 'lacksContents') ?? settings.lacksContents
  settings.autoRead = optionalFlag(body, 'autoRead') ?? settings.autoRead
  settings.deliveryDelayMs = optionalNumber(body, 'deliveryDelayMs') ?? settings.deliveryDelayMs
  settings.readDelayMs = optionalNumber(body, 'readDelayMs') ?? settings.readDelayMs
  settings.answerDelayMs = optionalNumber(body, 'answerDelayMs') ?? settings.answerDelayMs
  settings.reply = optionalText(body, 'reply') ?? settings.reply
  settings.addressing = readAddressing(body) ?? settings.addressing
  settings.editForm = editFormIn(body, 'editForm') ?? settings.editForm
  phone.account.picture = optionalText(body, 'picture') ?? phone.account.picture
  phone.settings = settings
  const { account } = phone
  account.username = optionalText(body, 'username') ?? account.username
  account.usernameKey = optionalText(body, 'usernameKey') ?? account.usernameKey
  account.hidesNumber = optionalFlag(body, 'hidesNumber') ?? account.hidesNumber
  phone.account.presenceNeedsToken = optionalFlag(body, 'presenceNeedsToken') ?? phone.account.presenceNeedsToken
  const { silent, garbled } = phone.passkey.settings
  phone.passkey.settings = {
    silent: optionalFlag(body, 'passkeySilent') ?? silent,
    garbled: optionalFlag(body, 'passkeyGarbled') ?? garbled,
  }
}
