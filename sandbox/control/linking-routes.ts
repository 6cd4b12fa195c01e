/** `/phones/:number/…`: linking companions to a phone, and removing them. */
import { removeDevice } from '../network/device-list.js'
import type { Network } from '../network/network.js'
import type { ScanResult } from '../phones/linking.js'
import type { Phone } from '../phones/phone.js'
import { PhoneError } from '../phones/phone-error.js'
import type { Roster } from '../phones/roster.js'
import { optionalFlag, optionalText, requiredText } from './fields.js'
import { createOnPhone } from './on-phone.js'
import type { ControlRequest, Route } from './server.js'

export function linkingRoutes(network: Network, phones: Roster): Route[] {
  const onPhone = createOnPhone(phones)
  return [
    { method: 'POST', path: '/phones/:number/scan', handle: onPhone(scan) },
    {
      method: 'POST',
      path: '/phones/:number/code',
      handle: onPhone(async (phone, { body }) => {
        return linked(await phone.enterCode(requiredText(body, 'code'), optionalFlag(body, 'emptyNoticeFirst')))
      }),
    },
    { method: 'GET', path: '/phones/:number/passkey', handle: onPhone(showPasskey) },
    { method: 'POST', path: '/phones/:number/passkey/sign', handle: onPhone(signPasskey) },
    {
      method: 'POST',
      path: '/phones/:number/passkey/confirm',
      handle: onPhone((phone, { body }) => phone.passkey.confirm(requiredText(body, 'code'))),
    },
    {
      method: 'DELETE',
      path: '/phones/:number/devices/:device',
      handle: onPhone((phone, { parameters }) => {
        const device = phone.account.devices.get(Number(parameters.device))
        if (!device || device.id === 0) throw new PhoneError(404, 'There is no such linked device.')
        removeDevice(network, device)
      }),
    },
  ]
}

async function scan(phone: Phone, { body }: ControlRequest) {
  return linked(await phone.scan(requiredText(body, 'qr'), optionalFlag(body, 'refresh')))
}

function linked(result: ScanResult) {
  return result.status === 'paired' ? { status: result.status, device: result.device.id } : result
}

/** Signs the challenge of a companion with the passkey of the account, as a browser does. */
function signPasskey(phone: Phone, { body }: ControlRequest) {
  return phone.passkey.sign(requiredText(body, 'challenge'), optionalText(body, 'origin'), optionalText(body, 'rpId'))
}

function showPasskey({ passkey: { state, code = '', failure = '', assertion = null } }: Phone) {
  return { state, code, failure, assertion }
}
