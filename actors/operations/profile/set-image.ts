import type { Connection } from '../../network/port/connection.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

interface SetProfileImageFields {
  /** A square JPEG in base64; null removes the picture. */
  readonly jpeg: string | null
}

/** Replaces the picture that others see, and notes its new URL in the instance. `updatedAtMs`: Unix milliseconds. */
export const setProfileImage = operation('setProfileImage', {
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
