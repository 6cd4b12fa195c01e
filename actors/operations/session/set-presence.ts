import { GatewayError } from '../../../schemas/errors.js'
import type { AccountPresence } from '../../../schemas/presence-kind.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface SetPresenceFields {
  readonly presence: AccountPresence
}

interface SetPresenceReply {
  /** False if it is shown at the next login, or once the account has a name. */
  readonly isShown: boolean
}

/** Changes the presence that the account shows, now and after each login. */
export const setPresence = operation('setPresence', {
  repeat: true,
  example: { isShown: true } as SetPresenceReply,
  async run(
    { presenceWatch, journal, session }: InstanceContext,
    { presence }: SetPresenceFields,
  ): Promise<SetPresenceReply> {
    await journal.write([{ type: 'instance', set: { presence } }])
    presenceWatch.use(presence)
    if (!session.isConnected) return { isShown: false }
    try {
      await presenceWatch.show()
      return { isShown: true }
    } catch (error) {
      const isLater =
        error instanceof GatewayError &&
        ['PROFILE_NAME_UNKNOWN', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'NOT_LOGGED_IN'].includes(error.code)
      if (isLater) return { isShown: false }
      throw error
    }
  },
})
