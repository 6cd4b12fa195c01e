/** All phones of the network, by number. */

import { removeDevice } from '../network/device-list.js'
import type { Network } from '../network/network.js'
import { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'

export class Roster {
  readonly #phones = new Map<string, Phone>()

  constructor(private readonly network: Network) {}

  create(phoneNumber: string, name: string, lidUser?: string): Phone {
    if (!/^\d{5,20}$/.test(phoneNumber)) throw new PhoneError(400, 'A phone number is 5 to 20 digits.')
    if (this.#phones.has(phoneNumber)) throw new PhoneError(409, `The phone ${phoneNumber} exists already.`)
    const phone = new Phone(this.network, this.network.directory.createAccount(phoneNumber, name, lidUser))
    this.#phones.set(phoneNumber, phone)
    return phone
  }

  get(phoneNumber: string): Phone {
    const phone = this.#phones.get(phoneNumber)
    if (!phone) throw new PhoneError(404, `There is no phone ${phoneNumber}.`)
    return phone
  }

  all(): Phone[] {
    return [...this.#phones.values()]
  }

  /** Deletes the account: all companions are logged out, the number leaves the network. */
  remove(phoneNumber: string): void {
    const phone = this.get(phoneNumber)
    for (const device of [...phone.account.devices.values()]) if (device.id !== 0) removeDevice(this.network, device)
    phone.close()
    phone.account.devices.clear()
    this.network.directory.removeAccount(phone.account)
    this.#phones.delete(phoneNumber)
  }

  close(): void {
    for (const phone of this.#phones.values()) phone.close()
  }
}
