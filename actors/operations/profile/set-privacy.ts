import { GatewayError } from '../../../schemas/errors.js'
import type { PrivacySettings, SettingsNetwork } from '../../network/port/settings.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

interface SetPrivacyFields {
  /** Values by category. */
  readonly settings: Readonly<Record<string, string>>
  readonly disappearingSeconds?: number
}

/** Changes privacy settings, and answers with all of them. The network takes one at a time. */
export const setPrivacy = operation('setPrivacy', {
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
