import { GatewayError } from '../../../schemas/errors.js'
import { orUnknown } from '../../instance/outcome.js'
import type { Connection } from '../../network/port/connection.js'
import type { PrivacySettings, SettingsNetwork } from '../../network/port/settings.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface SetPrivacyFields {
  /** Values by category. */
  readonly settings: Readonly<Record<string, string>>
  readonly disappearingSeconds?: number
}

/** Changes privacy settings, and answers with all of them. The network takes one at a time. */
const setPrivacy = operation('setPrivacy', {
  repeat: true,
  example: { settings: { last: 'contacts' }, disappearingSeconds: 0 },
  async run(context: InstanceContext, { settings, disappearingSeconds }: SetPrivacyFields) {
    const { settings: network } = await context.connection()
    const done: string[] = []
    for (const [category, value] of Object.entries(settings))
      await changeOne(category, done, () => network.setPrivacy(category, value))
    if (disappearingSeconds !== undefined)
      await changeOne('disappearing', done, () => network.setDisappearing(disappearingSeconds))
    return await afterwards(network, done)
  },
})

/** Changes one setting and notes it in `done`. An error names the setting, and the ones that were changed before it. */
async function changeOne(name: string, done: string[], change: () => Promise<void>): Promise<void> {
  try {
    await orUnknown(change)
    done.push(name)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'CHANGE_FAILED') throw error
    const { provider_code: code } = error.fields
    const before = done.length === 0 ? 'Nothing was changed.' : `Changed before it: ${done.join(', ')}.`
    throw new GatewayError('CHANGE_FAILED', {
      message: `WhatsApp refused the setting ${name} (${String(code)}). ${before}`,
      details: [{ field: name, why: 'was refused by WhatsApp' }],
      fields: { ...error.fields, changed: done },
      cause: error,
    })
  }
}

/** Reads all settings after a change. If that fails, the error says that the change was made. */
async function afterwards(network: SettingsNetwork, done: readonly string[]): Promise<PrivacySettings> {
  try {
    return await network.privacy()
  } catch (error) {
    const message = `Changed: ${done.join(', ')}. The settings could not be read afterwards.`
    throw new GatewayError('OUTCOME_UNKNOWN', { message, fields: { changed: done }, cause: error })
  }
}

interface SetProfileImageFields {
  /** A square JPEG in base64; null removes the picture. */
  readonly jpeg: string | null
}

/** Replaces the picture that others see, and notes its new URL in the instance. `updatedAtMs`: Unix milliseconds. */
const setProfileImage = operation('setProfileImage', {
  repeat: true,
  example: { updatedAtMs: 1 },
  async run(context: InstanceContext, { jpeg }: SetProfileImageFields) {
    const connection = await context.connection()
    await orUnknown(() => connection.settings.setPicture(jpeg))
    const profilePicUrl = jpeg === null ? '' : await ownPicture(context, connection)
    if (profilePicUrl !== null) await context.journal.write([{ type: 'instance', set: { profilePicUrl } }])
    return { updatedAtMs: Date.now() }
  },
})

/** Returns the URL of the account's picture; null if the network does not give it. The change was made all the same. */
async function ownPicture({ account }: InstanceContext, { contacts }: Connection): Promise<string | null> {
  if (account.own === null) return null
  return await contacts.picture(account.own, false).catch(() => null)
}

/** Sets the name that others see. `updatedAtMs`: Unix milliseconds. */
const setProfileName = operation('setProfileName', {
  repeat: true,
  example: { updatedAtMs: 1 },
  async run(context: InstanceContext, { name }: { readonly name: string }) {
    const connection = await context.connection()
    await orUnknown(() => connection.settings.change({ kind: 'profileName', name }))
    await context.journal.write([{ type: 'instance', set: { profileName: name } }])
    context.account.profileName = name
    return { updatedAtMs: Date.now() }
  },
})

/** Sets the about text that others see; an empty one removes it. `updatedAtMs`: Unix milliseconds. */
const setProfileStatus = operation('setProfileStatus', {
  repeat: true,
  example: { updatedAtMs: 1 },
  async run(context: InstanceContext, { text }: { readonly text: string }) {
    const connection = await context.connection()
    await orUnknown(() => connection.settings.setAbout(text))
    return { updatedAtMs: Date.now() }
  },
})

/** Reads the privacy settings from the network. A change on another device counts at once. */
const showPrivacy = operation('showPrivacy', {
  repeat: true,
  example: { settings: { last: 'contacts' }, disappearingSeconds: 0 },
  async run(context: InstanceContext) {
    const connection = await context.connection()
    return await orUnknown(() => connection.settings.privacy())
  },
})

export const profileOperations = [setPrivacy, setProfileImage, setProfileName, setProfileStatus, showPrivacy] as const
